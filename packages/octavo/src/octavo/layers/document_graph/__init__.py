"""The layer of the document graph: its pages read in order by a model that sees (LAD-RAG section 2.1, figures 9 to 11).

Of each page the nodes are told from its picture, the open sections kept, and relations told with a running memory of
the pages before. Nodes are tied to blocks, so that what is found can be cited. Pages are taken apart several at once;
their memory is carried from one to the next.

A page that no picture can be drawn of is read by rule. Where the model does not reply, or the budget ends, rules take
over from that page on, since what is asked of a page depends on the memory before it: the next time the pages before
come from the journal of paid replies, and reading goes on where it stopped.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel

from octavo.decisions.connect_page import (
    CONNECT_PAGE,
    SECTION_KINDS,
    KnownRelation,
    PageElements,
    PageLinks,
    PageNode,
    RunningMemory,
    remembered,
)
from octavo.decisions.engine import Decided, Decision, DecisionRecord
from octavo.decisions.extract_nodes import EXTRACT_NODES, PageNodes, PagePicture, SeenBlock
from octavo.decisions.update_sections import UPDATE_SECTIONS, SectionName, SectionsRead, node_id
from octavo.errors import SourceError
from octavo.evidence import DocumentGraph
from octavo.evidence.document_graph import POSITIONS, SeenTable, position_of
from octavo.evidence.layer_tables import PlaceTable
from octavo.layers.base import LEFT, Layer, LayerInputs, rehearsed, text_embedding
from octavo.layers.document_graph.placing import Placed, placed
from octavo.layers.links import communities_of
from octavo.layers.vectors import embedded
from octavo.models.language import FaultKind, Picture, encoded
from octavo.models.ports import Raster
from octavo_documents.document import (
    FURNITURE,
    KIND_BY_LABEL,
    Document,
    Kind,
    LinkKind,
    LinkOrigin,
    LinkTable,
    TextColumn,
)
from octavo_documents.document.columns import pack
from octavo_documents.text.lines import on_one_line

DPI = 150.0
"""Dots per inch of a page's picture. Section H.1 draws 300, and half of it where memory is short."""
_TOGETHER = 8
"""Pages that are taken apart at once, whose pictures are held together."""
_LONGEST_LINK = 200
_KINDS: tuple[tuple[str, LinkKind], ...] = (
    ("part", LinkKind.PART_OF),
    ("continu", LinkKind.CONTINUES),
    ("expl", LinkKind.EXPLAINS),
    ("summar", LinkKind.EXPLAINS),
    ("updat", LinkKind.EXPLAINS),
    ("caption", LinkKind.CAPTION_OF),
    ("footnote", LinkKind.FOOTNOTE_OF),
)
"""The kind of link by what its type has in its name; every other is a reference."""
_LASTING = tuple(f"{kind.value}:" for kind in (FaultKind.REFUSED, FaultKind.CONTEXT, FaultKind.REQUEST))
"""How the reason of a failure begins that would be the same the next time."""
_In = TypeVar("_In")
_Out = TypeVar("_Out", bound=BaseModel)


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `DocumentGraph` of a document."""
    return _Reading(inputs).read().to_bytes()


class _Reading:
    """Reads the pages of a document in order; what was read so far stands in its lists."""

    def __init__(self, inputs: LayerInputs) -> None:
        self._inputs = inputs
        self._document = inputs.document
        self._sees = (
            inputs.render is not None
            and inputs.document.has_pages
            and inputs.judge.has_model(EXTRACT_NODES.name, EXTRACT_NODES.role)
        )
        self._broken = False
        self._captions = inputs.document.links.captions()
        self._memory = RunningMemory()
        self._ids: dict[str, int] = {}
        """The number of each node by its id."""
        self._at: defaultdict[int, list[str]] = defaultdict(list)
        """The ids of the nodes that stand at each row."""
        self._having: defaultdict[int, list[str]] = defaultdict(list)
        """The ids of the nodes that have the words of each row."""
        self._nodes: list[tuple[Placed, LinkOrigin]] = []
        self._links: dict[tuple[int, int, str], LinkOrigin] = {}
        self._read: list[int] = []

    def read(self) -> DocumentGraph:
        """Return the graph of all pages."""
        pages = range(1, len(self._document.pages) + 1)
        for start in range(0, len(pages), _TOGETHER):
            self._read_some(pages[start : start + _TOGETHER])
        return DocumentGraph(*self._tables(), _plain(self._memory), tuple(self._read))

    def _read_some(self, pages: Sequence[int]) -> None:
        shown = [self._picture_of(page) for page in pages]
        for picture, decided in zip(shown, self._taken_apart(shown), strict=True):
            self._broken = self._broken or _may_work_later(decided)
            self._connect(picture, decided)
            if self._inputs.progress:
                self._inputs.progress(picture.page, len(self._document.pages))

    # A page

    def _picture_of(self, page: int) -> PagePicture:
        return PagePicture(
            page,
            len(self._document.pages),
            self._document.metadata.title.strip() or self._document.name,
            tuple(self._block(row) for row in self._content(page)),
            self._drawn(page),
        )

    def _drawn(self, page: int) -> Picture | None:
        """Return a page's picture, None where it cannot be drawn or nobody would see it."""
        if not self._sees or self._broken or self._inputs.render is None or self._inputs.judge.stopped:
            return None
        try:
            return encoded(self._inputs.render(page, None, DPI))
        except SourceError:
            return None

    def _content(self, page: int) -> list[int]:
        rows = self._document.on_page(page)
        return [row for row in range(rows.start, rows.stop) if self._document.blocks.kind_of(row) not in FURNITURE]

    def _block(self, row: int) -> SeenBlock:
        blocks, at = self._document.blocks, int(self._document.blocks.page[row]) - 1
        kind = blocks.kind_of(row)
        size = float(self._document.pages.width[at]), float(self._document.pages.height[at])
        return SeenBlock(
            row,
            kind.label,
            blocks.text[row],
            " ".join(on_one_line(blocks.text[one]) for one in self._captions.get(row, ())),
            tuple(on_one_line(title) for title in blocks.section_path(row)),
            POSITIONS[position_of(blocks.box[row].tolist(), *size)],
            _look(self._document, row),
            int(blocks.level[row]) if kind is Kind.HEADING else 0,
        )

    def _taken_apart(self, shown: Sequence[PagePicture]) -> list[Decided[PageNodes]]:
        """Return the nodes of some pages: those with a picture are asked about together, the others ruled on."""
        asked = [one for one in shown if one.picture is not None]
        found = dict(
            zip((one.page for one in asked), self._inputs.judge.decide_many(EXTRACT_NODES, asked), strict=True)
        )
        return [found.get(one.page) or self._by_rule(EXTRACT_NODES, one) for one in shown]

    def _by_rule(self, decision: Decision[_In, _Out], value: _In) -> Decided[_Out]:
        assert decision.rule is not None
        if self._sees and (self._broken or self._inputs.judge.stopped):
            self._broken = True
            self._inputs.judge.record(DecisionRecord(decision.name, "rule", LEFT))
        return Decided(decision.rule(value), "rule")

    # Memory and relations

    def _connect(self, picture: PagePicture, decided: Decided[PageNodes]) -> None:
        """Take a page's nodes, and ask how they belong together and to those before."""
        is_seen, is_asked = decided.by != "rule", picture.picture is not None
        if is_seen:
            places = placed(self._document, picture.page, decided.output.nodes)
            self._read.append(picture.page)
        else:  # the rule has a node for each block
            pairs = zip(decided.output.nodes, picture.blocks, strict=False)
            places = [Placed(node, block.row, (block.row,)) for node, block in pairs]
        if is_seen and not places:  # there is nothing to relate or to remember
            return
        first = len(self._nodes)
        self._nodes += [(place, LinkOrigin.MODEL if is_seen else LinkOrigin.RULE) for place in places]
        shown = tuple(self._named(place, picture.page, at - first + 1, at) for at, place in enumerate(places, first))
        before = self._memory
        after = dataclasses.replace(before, sections=self._sections(shown, is_asked=is_asked))
        known = tuple(self._known(picture.page))
        page = PageElements(picture.page, shown, after, known, before.sections, picture.document, picture.picture)
        linked = self._decide(CONNECT_PAGE, page, is_asked=is_asked)
        self._take(linked)
        self._memory = remembered(after, page, linked.output)

    def _named(self, place: Placed, page: int, number: int, at: int) -> PageNode:
        name = node_id(page, number)
        self._ids[name] = at
        self._at[place.row].append(name)
        for row in place.rows:
            self._having[row].append(name)
        node = place.node
        return PageNode(
            name, node.kind, node.title, node.content, node.summary, node.layout, self._level(node.kind, place.row)
        )

    def _level(self, kind: str, row: int) -> int:
        """Return how deep a heading is: 0 for a title, else as parsing has it, else as deep as what is open."""
        if kind == "title":
            return 0
        opened, blocks = self._memory.sections, self._document.blocks
        if blocks.kind_of(row) == Kind.HEADING:
            return int(blocks.level[row])
        return opened[-1].level if opened else 1

    def _sections(self, shown: Sequence[PageNode], *, is_asked: bool) -> tuple[SectionName, ...]:
        """Return the sections that are open after a page; no model is asked where there is no heading on it."""
        found = tuple(SectionName(node.id, node.content, node.level) for node in shown if node.kind in SECTION_KINDS)
        if not found:
            return self._memory.sections
        opened = self._memory.sections
        decided = self._decide(UPDATE_SECTIONS, SectionsRead(opened, found), is_asked=is_asked)
        known = {one.id: one for one in (*opened, *found)}
        return tuple(known[one] for one in decided.output.sections if one in known)

    def _decide(self, decision: Decision[_In, _Out], value: _In, *, is_asked: bool) -> Decided[_Out]:
        if self._broken or not is_asked:
            return self._by_rule(decision, value)
        decided = self._inputs.judge.decide(decision, value)
        self._broken = _may_work_later(decided)
        return decided

    def _known(self, page: int) -> list[KnownRelation]:
        """Return the links of parsing that end on a page and begin on it or before, or the other way round.

        A block is linked as the node is that stands at it, else as the one that has its words: of several it is not
        known which.
        """
        links, found = self._document.links, list[KnownRelation]()
        pages = self._document.blocks.page
        last = np.maximum(pages[links.source], pages[links.target]) if len(links) else np.zeros(0)
        for at in np.flatnonzero(last == page).tolist():
            source, target = int(links.source[at]), int(links.target[at])
            nodes = [self._at.get(row) or self._having.get(row, []) for row in (source, target)]
            if all(len(names) == 1 for names in nodes):
                (one,), (other,) = nodes
                found += [KnownRelation(one, other, links.kind_of(at).label)] if one != other else []
        return list(dict.fromkeys(found))

    def _take(self, linked: Decided[PageLinks]) -> None:
        origin = LinkOrigin.RULE if linked.by == "rule" else LinkOrigin.MODEL
        for one in linked.output.relations:
            source, target = self._ids.get(one.source), self._ids.get(one.target)
            if source is not None and target is not None and source != target:
                self._links.setdefault((source, target, one.type), origin)

    # What is stored

    def _tables(self) -> tuple[SeenTable, PlaceTable, LinkTable]:
        seen = [place.node for place, _ in self._nodes]
        pairs = [(at, row) for at, (place, _) in enumerate(self._nodes) for row in place.rows]
        links = sorted((source, target, said, origin) for (source, target, said), origin in self._links.items())
        return (
            SeenTable(
                row=np.array([place.row for place, _ in self._nodes], np.int32),
                kind=np.array([KIND_BY_LABEL[node.kind] for node in seen], np.uint8),
                position=np.array([POSITIONS.index(node.position) for node in seen], np.uint8),
                title=TextColumn.of(node.title for node in seen),
                content=TextColumn.of(node.content for node in seen),
                summary=TextColumn.of(node.summary for node in seen),
                look=TextColumn.of(node.look for node in seen),
                origin=np.array([origin for _, origin in self._nodes], np.uint8),
            ),
            PlaceTable(
                node=np.array([at for at, _ in pairs], np.int32), block=np.array([row for _, row in pairs], np.int32)
            ),
            LinkTable(
                source=np.array([one[0] for one in links], np.int32),
                target=np.array([one[1] for one in links], np.int32),
                kind=np.array([kind_of(one[2]) for one in links], np.uint8),
                weight=np.ones(len(links), np.float32),
                text=TextColumn.of(f"{one[2]}: " for one in links),
                origin=np.array([one[3] for one in links], np.uint8),
            ),
        )


def kind_of(relation: str) -> LinkKind:
    """Return the kind of link for a type as a model writes it: "is_part_of_section" is PART_OF."""
    plain = relation.lower()
    return next((kind for part, kind in _KINDS if part in plain), LinkKind.REFERS_TO)


def _may_work_later(decided: Decided[Any]) -> bool:
    """Whether a rule decided because a model did not reply, which it may do the next time."""
    return decided.by == "rule" and bool(decided.why) and not decided.replied and not decided.why.startswith(_LASTING)


def _look(document: Document, row: int) -> str:
    """Return how a block is set, in words."""
    blocks = document.blocks
    size, color = float(blocks.size[row]), int(blocks.color[row])
    said = [f"{size:g} pt"] if size else []
    said += ["bold"] * bool(blocks.bold[row]) + ["italic"] * bool(blocks.italic[row])
    return ", ".join([*said, f"#{color:06x}"] if color else said)


def _plain(memory: RunningMemory) -> dict[str, Any]:
    """Return a memory as it is stored: pairs of a name and the ids it is about."""
    return {
        "sections": [[one.text, [one.id]] for one in memory.sections],
        "entities": [[one.text, list(one.ids)] for one in memory.entities],
        "topics": list(memory.topics),
        "unresolved": [[one.text, list(one.ids)] for one in memory.unresolved],
    }


# What it takes

_PIXELS_PER_TOKEN = 750
_MOST_PICTURE_TOKENS = 1600
"""What a page takes at most: providers draw larger ones smaller."""
_LEAST_PICTURE_TOKENS = 85
_POINTS_PER_INCH = 72.0


def _blank(_page: int, _box: object, _dpi: float) -> Raster:
    return np.full((1, 1, 3), 255, np.uint8)


_rehearse: Callable[[LayerInputs], Sequence[tuple[str, int, int]]] = rehearsed(
    build,
    {
        # A model tells contents and summaries of all it sees, a rule the words there are.
        EXTRACT_NODES.name: lambda ruled: max(ruled, 300),
        CONNECT_PAGE.name: lambda ruled: max(ruled, 150),
    },
)


def estimate(inputs: LayerInputs) -> Sequence[tuple[str, int, int]]:
    """Return (decision, input tokens, output tokens) of each call, pictures included; none where no model sees."""
    if not inputs.judge.has_model(EXTRACT_NODES.name, EXTRACT_NODES.role):
        return []
    calls = _rehearse(dataclasses.replace(inputs, render=_blank))
    pages = inputs.document.pages
    square_inches = pages.width.astype(float) * pages.height.astype(float) / _POINTS_PER_INCH**2
    tokens = np.clip(square_inches * DPI**2 / _PIXELS_PER_TOKEN, _LEAST_PICTURE_TOKENS, _MOST_PICTURE_TOKENS)
    picture = round(float(tokens.mean())) if len(tokens) else 0
    return [(name, read + picture * (name != UPDATE_SECTIONS.name), written) for name, read, written in calls]


DOCUMENT_GRAPH = Layer(
    name="document_graph",
    version=3,
    reads=(),
    build=build,
    decisions=(EXTRACT_NODES.name, UPDATE_SECTIONS.name, CONNECT_PAGE.name),
    parameters=f"dpi={DPI:g}",
    estimate=estimate,
    keeps_part=True,
)


def build_communities(inputs: LayerInputs) -> bytes:
    """Return the packed (n_nodes,) int32 array "communities" of the graph's nodes, -1 for one without links.

    Louvain (section 2.2) over the undirected graph, each pair of linked nodes once and alike, at resolution 1.0.
    """
    graph = DocumentGraph.from_bytes(inputs.stored["document_graph"])
    labels = communities_of(graph.links, len(graph), is_weighted=False)
    return pack({"communities": labels}, {"count": int(labels.max(initial=-1)) + 1})


DOCUMENT_GRAPH_COMMUNITIES = Layer(
    name="document_graph_communities",
    version=2,
    reads=("document_graph",),
    build=build_communities,
    parameters="louvain resolution=1.0 seed=1",
)


def build_vectors(inputs: LayerInputs) -> bytes:
    """Return the packed (n_nodes, dimension) float16 matrix "vectors": the summaries of all nodes, embedded."""
    graph = DocumentGraph.from_bytes(inputs.stored["document_graph"])
    return embedded(inputs, list(graph.nodes.summary))


DOCUMENT_GRAPH_VECTORS = Layer(
    name="document_graph_vectors",
    version=2,
    reads=("document_graph",),
    build=build_vectors,
    model=text_embedding,
)

__all__ = [
    "DOCUMENT_GRAPH",
    "DOCUMENT_GRAPH_COMMUNITIES",
    "DOCUMENT_GRAPH_VECTORS",
    "build",
    "build_communities",
    "build_vectors",
    "estimate",
    "kind_of",
]
