"""How a page hangs together with those before it, told with a running memory (LAD-RAG section 2.1, figure 11).

The memory holds the open sections, what is spoken of across pages, its subjects, and what was named and not explained
yet. The model writes it anew after each page. A relation counts when both its nodes were shown: they are of this page
or in the memory. The rule goes by the links that parsing found and by the sections in which nodes stand.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, share
from octavo.decisions.extract_nodes import REPLY_TOKENS
from octavo.decisions.update_sections import SectionName, read_id, under
from octavo.models.language import Picture
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.things import NAMES, NUMBER

MOST_ENTITIES, MOST_TOPICS, MOST_UNRESOLVED, MOST_IDS = 60, 20, 30, 8
"""What a memory holds at most, and ids of one entity, the latest of each: chosen by hand."""
_MOST_RELATIONS = 400
_LONGEST = 160
_MEMORY_SHARE, _RELATIONS_SHARE = 0.25, 0.1
_LABEL = re.compile(
    rf"\b(?P<what>{NAMES['figure']}|{NAMES['table']}|{NAMES['chart']}|{NAMES['equation']})\s+(?P<number>{NUMBER})",
    re.IGNORECASE,
)
_PROPER = re.compile(r"\b[A-Z][\w'’-]+(?:\s+(?:of|the|and|&)?\s*[A-Z][\w'’-]+)+")
"""Two or more words with capitals: a name, as a rule tells it."""
SECTION_KINDS = ("title", "heading")
PART_OF = "is_part_of_section"
_TEXTS = ("paragraph", "list_item")
_FURNITURE = ("page_header", "page_footer")
_ENDED = (".", "!", "?", ":", ";", "”", '"', ")")


@dataclasses.dataclass(frozen=True, slots=True)
class PageNode:
    """A node as it is shown: its id, kind, title, what it says, what it stands beside, and a heading's level."""

    id: str
    kind: str
    title: str
    content: str
    summary: str = ""
    layout: str = ""
    level: int = 1


@dataclasses.dataclass(frozen=True, slots=True)
class Tracked:
    """Something that the memory keeps: its name, and the ids of the nodes that speak of it or need it."""

    text: str
    ids: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class RunningMemory:
    """What is known when a page is read; `last` is the last text of the page before, which may go on here."""

    sections: tuple[SectionName, ...] = ()
    entities: tuple[Tracked, ...] = ()
    topics: tuple[str, ...] = ()
    unresolved: tuple[Tracked, ...] = ()
    last: PageNode | None = None

    def ids(self) -> frozenset[str]:
        """Return the ids of all nodes that it names."""
        tracked = (one for some in (self.entities, self.unresolved) for thing in some for one in thing.ids)
        own = () if self.last is None else (self.last.id,)
        return frozenset((*(one.id for one in self.sections), *tracked, *own))


@dataclasses.dataclass(frozen=True, slots=True)
class KnownRelation:
    """A relation that parsing found, from node to node."""

    source: str
    target: str
    type: str


@dataclasses.dataclass(frozen=True, slots=True)
class PageElements:
    """A page that was taken apart, with the memory before it; of this the sections are already those after the page.

    `known` are relations that parsing found between nodes of this page, or of this and earlier ones, `before` the
    sections that were open when the page began: what stands above its first heading belongs to these.
    """

    page: int
    nodes: tuple[PageNode, ...]
    memory: RunningMemory = RunningMemory()
    known: tuple[KnownRelation, ...] = ()
    before: tuple[SectionName, ...] = ()
    document: str = ""
    picture: Picture | None = None


def _one_id(value: object) -> str:
    return read_id(value)


def _ids(value: Any) -> Any:
    listed: Any = [value] if isinstance(value, str) else value
    return [read_id(one) for one in listed] if isinstance(listed, list) else listed  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


Id = Annotated[str, BeforeValidator(_one_id)]


class Entity(BaseModel):
    """What is spoken of across pages, or waits to be explained: its name and the nodes it stands in."""

    text: str
    ids: Annotated[list[str], BeforeValidator(_ids)] = Field(default_factory=list[str])


class Relation(BaseModel):
    """A relation from the node `source` to the node `target`."""

    source: Id
    target: Id
    type: str


class PageLinks(BaseModel):
    """The memory after the page, without its sections, and the relations of its nodes."""

    entities: list[Entity] = Field(default_factory=list[Entity])
    topics: list[str] = Field(default_factory=list[str])
    unresolved: list[Entity] = Field(default_factory=list[Entity])
    relations: list[Relation] = Field(default_factory=list[Relation])


def remembered(before: RunningMemory, page: PageElements, output: PageLinks) -> RunningMemory:
    """Return the memory after a page: its sections, and of the rest what was said, the latest of too much."""
    texts = [node for node in page.nodes if node.kind in (*_TEXTS, "table")]
    return RunningMemory(
        page.memory.sections,
        tuple(Tracked(one.text[:_LONGEST], tuple(one.ids[-MOST_IDS:])) for one in output.entities[-MOST_ENTITIES:]),
        tuple(one[:_LONGEST] for one in output.topics[-MOST_TOPICS:]),
        tuple(Tracked(one.text[:_LONGEST], tuple(one.ids[-MOST_IDS:])) for one in output.unresolved[-MOST_UNRESOLVED:]),
        texts[-1] if texts else before.last,
    )


def _render(value: PageElements, room: int) -> Filled:
    """Show the nodes whole where they fit, the relations known, and the memory, the latest of it first."""
    memory, _ = first_that_fit(_told(value.memory), int(room * _MEMORY_SHARE))
    known, _ = first_that_fit(_known(value), int(room * _RELATIONS_SHARE))
    left = int(room * (1 - _MEMORY_SHARE - _RELATIONS_SHARE)) - 16 * len(value.nodes)
    texts, cut = share([_shown(node) for node in value.nodes], max(64, left))
    lines = [f"[{node.id}] ({node.kind}) {inert(text)}" for node, text in zip(value.nodes, texts, strict=True)]
    return Filled(
        {
            "document": inert(value.document[:200]) or "(not known)",
            "page": str(value.page),
            "before": _path(value.before),
            "sections": _path(value.memory.sections),
            "memory": "\n".join(memory) or "(nothing yet)",
            "nodes": "\n".join(lines) or "(none)",
            "known": "\n".join(known) or "(none)",
        },
        pictures=(value.picture,) if value.picture else (),
        left_out=cut,
    )


def _path(sections: Iterable[SectionName]) -> str:
    return " > ".join(f"[{one.id}] {inert(on_one_line(one.text)[:_LONGEST])}" for one in sections) or "(none)"


def _shown(node: PageNode) -> str:
    """Return all that a node displays, of an element under its title and with its summary."""
    title, content, summary = (on_one_line(text) for text in (node.title, node.content, node.summary))
    if node.kind in (*SECTION_KINDS, *_TEXTS):
        return content
    return f"{title}: {content}" + f" | {summary}" * (summary not in content)


def _end(node: PageNode) -> str:
    return on_one_line(node.content)[-_LONGEST:]


def _told(memory: RunningMemory) -> list[str]:
    def line(name: str, one: Tracked) -> str:
        return f"{name}: {inert(one.text)} [{', '.join(one.ids)}]"

    unresolved = [line("unresolved", one) for one in reversed(memory.unresolved)]
    entities = [line("entity", one) for one in reversed(memory.entities)]
    last = [f"end of the page before: [{one.id}] {inert(_end(one))}" for one in (memory.last,) if one is not None]
    return [*last, *unresolved, *entities, *(f"topic: {inert(one)}" for one in reversed(memory.topics))]


def _known(value: PageElements) -> list[str]:
    """Return the lines of how the nodes stand to each other on the page, and of what parsing found."""
    beside = [f"[{node.id}] {inert(node.layout[:_LONGEST])}" for node in value.nodes if node.layout]
    return beside + [f"[{one.source}] {one.type} [{one.target}]" for one in value.known]


def _check(value: PageElements, output: PageLinks) -> PageLinks:
    """Drop what names nodes that were not shown; raise ValueError when nothing is left of the relations."""
    kept = _of_page(value, output)
    if output.relations and not kept.relations:
        raise ValueError("relations: use the ids in brackets, one of the two of this page")
    return kept


def _of_page(value: PageElements, output: PageLinks) -> PageLinks:
    """Return what is between nodes of the page, or of it and those that the memory, the sections or parsing name."""
    own = {node.id for node in value.nodes}
    known = {at for one in value.known for at in (one.source, one.target)}
    shown = own | value.memory.ids() | {one.id for one in value.before} | known
    kept: dict[tuple[str, str, str], Relation] = {}
    for one in output.relations[:_MOST_RELATIONS]:
        is_shown = {one.source, one.target} <= shown and bool({one.source, one.target} & own)
        if is_shown and one.source != one.target and one.type.strip():
            kept.setdefault((one.source, one.target, one.type), one)
    return output.model_copy(
        update={
            "relations": list(kept.values()),
            "entities": [*_of_shown(output.entities, shown)],
            "unresolved": [*_of_shown(output.unresolved, shown)],
            "topics": [one for one in output.topics if one.strip()],
        }
    )


def _of_shown(things: Iterable[Entity], shown: Iterable[str]) -> Iterator[Entity]:
    known = {*shown}
    for one in things:
        ids = [at for at in dict.fromkeys(one.ids) if at in known]
        if one.text.strip() and ids:
            yield one.model_copy(update={"ids": ids})


# By rule


def _rule(value: PageElements) -> PageLinks:
    """Return what parsing found, each node's section and the one above it, and names and labels as they are written."""
    relations = [Relation(source=one.source, target=one.target, type=one.type) for one in value.known]
    relations += [Relation(source=one, target=other, type=PART_OF) for one, other in _sections_of(value)]
    relations += [Relation(source=one, target=other, type="continues") for one, other in _going_on(value)]
    labels, found = _unresolved(value)
    relations += [Relation(source=one, target=other, type="references") for one, other in found]
    return _of_page(
        value,
        PageLinks(entities=_entities(value), topics=_topics(value), unresolved=labels, relations=relations),
    )


def _sections_of(value: PageElements) -> Iterator[tuple[str, str]]:
    """Yield each node with the innermost section it stands in, and with the one above that (figure 11)."""
    opened = list(value.before)
    for node in value.nodes:
        if node.kind in SECTION_KINDS:
            opened = under(opened, node.level)
            yield from ((node.id, one.id) for one in opened[-1:])
            opened.append(SectionName(node.id, node.content, node.level))
            continue
        if node.kind not in _FURNITURE:
            yield from ((node.id, one.id) for one in opened[-2:])


def _going_on(value: PageElements) -> Iterator[tuple[str, str]]:
    """Yield the first text of the page where it goes on with the last of the page before."""
    last = value.memory.last
    first = next((node for node in value.nodes if node.kind not in _FURNITURE), None)
    if last is None or first is None or first.kind != last.kind:
        return
    is_cut = not last.content.rstrip().endswith(_ENDED) and first.content[:1].islower()
    if first.kind == "table" or is_cut:
        yield first.id, last.id


def _unresolved(value: PageElements) -> tuple[list[Entity], list[tuple[str, str]]]:
    """Return labels that are named and not shown yet, and of those shown by now (node that names it, its node)."""
    shown = {label: node.id for node in value.nodes for label in _labels(node.content)[:1] if _is_labelled(node)}
    waiting: dict[str, list[str]] = {one.text: list(one.ids) for one in value.memory.unresolved}
    for node in value.nodes:
        for label in () if _is_labelled(node) else _labels(node.content):
            waiting.setdefault(label, []).append(node.id)
    seen = {one.text: one.ids[-1] for one in value.memory.entities if one.ids and _LABEL.fullmatch(one.text)} | shown
    found = [(at, seen[label]) for label, ids in waiting.items() if label in seen for at in ids]
    left = [Entity(text=label, ids=ids) for label, ids in waiting.items() if label not in seen]
    return left[-MOST_UNRESOLVED:], found


def _is_labelled(node: PageNode) -> bool:
    """Whether a node is what a label names: its words begin with one and it is no running text."""
    return node.kind not in (*_TEXTS, "footnote") and _LABEL.match(node.content.strip()) is not None


def _labels(text: str) -> list[str]:
    named = ((found["what"].lower().rstrip("s."), found["number"]) for found in _LABEL.finditer(text))
    return list(dict.fromkeys(f"{'figure' if what == 'fig' else what} {number}" for what, number in named))


def _entities(value: PageElements) -> list[Entity]:
    """Return labels that are shown, and names of two words or more that stand in two nodes, the latest last."""
    kept = {one.text: list(one.ids) for one in value.memory.entities}
    names: dict[str, list[str]] = {}
    for node in value.nodes:
        for name in dict.fromkeys(on_one_line(found.group()) for found in _PROPER.finditer(node.content)):
            names.setdefault(name[:_LONGEST], []).append(node.id)
        if _is_labelled(node):
            kept[_labels(node.content)[0]] = [node.id]
    for name, ids in names.items():
        if name in kept or len(ids) > 1:
            kept[name] = [*kept.pop(name, []), *ids]
    return [Entity(text=name, ids=ids[-MOST_IDS:]) for name, ids in kept.items()][-MOST_ENTITIES:]


def _topics(value: PageElements) -> list[str]:
    """Return the titles of the sections that are open, and the names that stand most often."""
    counts = Counter(name for node in value.nodes for name in _PROPER.findall(node.content))
    return [*(one.text[:_LONGEST] for one in value.memory.sections), *(name for name, _ in counts.most_common(4))]


CONNECT_PAGE: Decision[PageElements, PageLinks] = Decision(
    name="connect_page",
    version="2",
    template=Template.beside(__file__),
    output=PageLinks,
    render=_render,
    rule=_rule,
    check=_check,
    role="vision",
    max_output_tokens=REPLY_TOKENS,
)
