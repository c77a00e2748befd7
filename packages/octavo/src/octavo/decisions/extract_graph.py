"""The entities of a few neighbouring blocks of a document and the relations stated between them.

One call reads a window of blocks (BookRAG section 4.3.1); tables and figures are shown as such. A name counts when the
window has it, in these words or nearly; what is made up is dropped.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from octavo.decisions.engine import Decision, Filled, Template, inert, share
from octavo.question.names import acronyms
from octavo.question.names import names as names_in
from octavo_documents.text.analyzer import sentence_spans
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.names import name_words

ENTITY_TYPES = (
    *("person", "organisation", "place", "date", "quantity", "product", "method", "event", "law", "term", "name"),
)
_OTHER_WORDS = {
    "organization": "organisation",
    "company": "organisation",
    "institution": "organisation",
    "location": "place",
    "country": "place",
    "city": "place",
    "region": "place",
    "time": "date",
    "year": "date",
    "number": "quantity",
    "amount": "quantity",
    "money": "quantity",
    "percentage": "quantity",
    "metric": "term",
    "concept": "term",
    "technology": "method",
    "algorithm": "method",
    "model": "method",
    "people": "person",
    "regulation": "law",
    "policy": "law",
    "dataset": "name",
}
_MOST_ENTITIES = 60
_MOST_RELATIONS = 60


@dataclasses.dataclass(frozen=True, slots=True)
class WindowBlock:
    """A block of the window: its number as the model sees it, "text", "table" or "figure", and what it says."""

    id: int
    kind: str
    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class GraphWindow:
    """Neighbouring blocks, the titles above them, and the document's title."""

    blocks: tuple[WindowBlock, ...]
    section: str = ""
    title: str = ""


def _known_type(value: Any) -> str:
    name = str(value or "").strip().lower()
    name = _OTHER_WORDS.get(name, name)
    return name if name in ENTITY_TYPES else "term"


def _weight(value: Any) -> float:
    """Read a strength from 0 to 1; one on a scale to 10 is brought there."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        return 0.5
    if not number > 0:
        return 0.1
    return min(1.0, number if number <= 1 else number / 10)


class ExtractedEntity(BaseModel):
    """Something named in a block."""

    block: int = 0
    name: str
    type: Annotated[str, BeforeValidator(_known_type)] = "term"
    description: str = ""


class ExtractedRelation(BaseModel):
    """What a block says of two entities: source and target by name, a short verb phrase, how strong it is (0 to 1)."""

    source: str
    target: str
    type: str = "related_to"
    weight: Annotated[float, BeforeValidator(_weight)] = 0.5


class ExtractedGraph(BaseModel):
    """The entities and relations of a window."""

    entities: list[ExtractedEntity] = Field(default_factory=list[ExtractedEntity])
    relations: list[ExtractedRelation] = Field(default_factory=list[ExtractedRelation])


def _render(value: GraphWindow, room: int) -> Filled:
    texts, shortened = share([block.text for block in value.blocks], max(64, room - 12 * len(value.blocks) - 96))
    shown = [
        f"<{block.kind} id={block.id}>\n{inert(text)}\n</{block.kind}>"
        for block, text in zip(value.blocks, texts, strict=True)
    ]
    place = " > ".join(part for part in (value.title, value.section) if part)
    return Filled({"place": inert(place[:300]) or "(not known)", "blocks": "\n".join(shown)}, left_out=shortened)


def _check(value: GraphWindow, output: ExtractedGraph) -> ExtractedGraph:
    """Drop names that the window does not have and relations between what is not among the entities.

    Raises ValueError when a window with words is left without any entity that was named.
    """
    texts = {block.id: " ".join(name_words(block.text)) for block in value.blocks}
    whole = " ".join(texts.values())
    kept: dict[str, ExtractedEntity] = {}
    for one in output.entities[:_MOST_ENTITIES]:
        name = on_one_line(one.name)
        if _stands(name, texts.get(one.block, "")) or _stands(name, whole):
            block = one.block if one.block in texts else next(iter(texts), 0)
            kept.setdefault(name, one.model_copy(update={"name": name, "block": block}))
    if output.entities and not kept:
        raise ValueError("entities: copy each name exactly from the blocks; none of those given stands there")
    return graph_of(kept, output.relations)


def graph_of(kept: Mapping[str, ExtractedEntity], relations: Sequence[ExtractedRelation]) -> ExtractedGraph:
    """Return a graph of entities by name, with the first relations that join two of them."""
    joining = [
        one
        for one in relations[:_MOST_RELATIONS]
        if one.source in kept and one.target in kept and one.source != one.target
    ]
    return ExtractedGraph(entities=list(kept.values()), relations=joining)


def _stands(name: str, text: str) -> bool:
    """Return whether all words of a name stand in a text, singular and plural, case and accents aside."""
    words = name_words(name)
    return bool(words) and len(name) <= 150 and (" ".join(words) in text or set(words) <= set(text.split()))


def _rule(value: GraphWindow) -> ExtractedGraph:
    """Return the capitalised names and acronyms of the blocks; those that follow each other in a sentence are related.

    A layer that has seen the whole document does better, and gives its own rule.
    """
    entities: dict[str, ExtractedEntity] = {}
    relations: dict[tuple[str, str], ExtractedRelation] = {}
    for block in value.blocks:
        for start, stop in sentence_spans(block.text):
            sentence = block.text[start:stop]
            names = list(dict.fromkeys([*names_in(sentence), *acronyms(sentence)]))
            for name in names:
                entities.setdefault(name, ExtractedEntity(block=block.id, name=name, type="name"))
            for left, right in pairwise(names):
                relations.setdefault((left, right), ExtractedRelation(source=left, target=right))
    return ExtractedGraph(entities=list(entities.values()), relations=list(relations.values()))


EXTRACT_GRAPH: Decision[GraphWindow, ExtractedGraph] = Decision(
    name="extract_graph",
    version="1",
    template=Template.beside(__file__),
    output=ExtractedGraph,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=1600,
)
