"""What the API answers about layers: how they are built, their rows, and the graph of entities."""

from __future__ import annotations

from typing_extensions import TypedDict


class BuildShape(TypedDict):
    """What builds a layer: systems for `octavo add FILE --for SYSTEM`, and what models may take for it."""

    systems: list[str]
    calls: int
    tokens: int
    cost: float | None


class EntityRowShape(TypedDict):
    """An entity with the number of its mentions and relations, and the pages it is mentioned on."""

    id: str
    name: str
    type: str
    aliases: list[str]
    description: str
    mentions: int
    relations: int
    pages: list[int]


class LinkRowShape(TypedDict):
    """A link between blocks; `words` made it, `by` is `rule` or `model`; `pages` are those of source and target."""

    source: str
    target: str
    kind: str
    words: str
    by: str
    weight: float
    pages: list[int]
    source_text: str
    target_text: str


class SummaryRowShape(TypedDict):
    """A summary of an element, a page or a section, and the first and last block it stands for."""

    of: str
    place: str
    block: str
    last_block: str
    pages: list[int]
    text: str


class ClusterRowShape(TypedDict):
    """A cluster of the cross-page tree: its level from 1, its members on the level below, how many leaves it holds."""

    id: str
    level: int
    heading: str
    text: str
    members: list[str]
    leaves: int
    pages: list[int]


class CommunityRowShape(TypedDict):
    """Blocks that links hold together: how many, the headings among them, and the beginning of the first one."""

    id: str
    blocks: int
    headings: list[str]
    text: str
    pages: list[int]


RowShape = EntityRowShape | LinkRowShape | SummaryRowShape | ClusterRowShape | CommunityRowShape


class LayerShape(TypedDict):
    """The rows of a layer, all of one kind; where it is not built, `build` says what builds it."""

    layer: str
    document_id: str
    is_built: bool
    rows: list[RowShape]
    next: str | None
    total: int
    build: BuildShape | None


class NodeShape(TypedDict):
    """An entity of a graph."""

    id: str
    name: str
    type: str
    mentions: int
    pages: list[int]


class EdgeShape(TypedDict):
    """A relation between two entities, by their ids."""

    source: str
    target: str
    label: str
    weight: float


class GraphShape(TypedDict):
    """An entity with those it is related to."""

    nodes: list[NodeShape]
    edges: list[EdgeShape]
