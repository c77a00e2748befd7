"""The entities of a few neighbouring blocks of a document and the relations stated between them.

One call reads a window of blocks (BookRAG section 4.3.1); tables and figures are shown as such. A name counts when the
window has it, in these words or nearly; what is made up is dropped.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import share
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.extract_graph import rule
from octavo.decisions.extract_graph.graph import ENTITY_TYPES, ExtractedEntity, ExtractedGraph, ExtractedRelation
from octavo.decisions.rules.names import name_words

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


def _render(value: GraphWindow, room: int) -> Filled:
    texts, shortened = share([block.text for block in value.blocks], max(64, room - 12 * len(value.blocks) - 96))
    shown = [
        f"<{block.kind} id={block.id}>\n{inert(text)}\n</{block.kind}>"
        for block, text in zip(value.blocks, texts, strict=True)
    ]
    place = " > ".join(part for part in (value.title, value.section) if part)
    return Filled({"place": inert(place[:300]) or "(not known)", "blocks": "\n".join(shown)}, left_out=shortened)


def _rule(value: GraphWindow) -> ExtractedGraph:
    return rule.extract([(block.id, block.text) for block in value.blocks])


def _check(value: GraphWindow, output: ExtractedGraph) -> ExtractedGraph:
    """Drop names that the window does not have and relations between what is not among the entities.

    Raises ValueError when a window with words is left without any entity that was named.
    """
    texts = {block.id: " ".join(name_words(block.text)) for block in value.blocks}
    whole = " ".join(texts.values())
    kept: dict[str, ExtractedEntity] = {}
    for one in output.entities[:_MOST_ENTITIES]:
        name = " ".join(one.name.split())
        if _stands(name, texts.get(one.block, "")) or _stands(name, whole):
            block = one.block if one.block in texts else next(iter(texts), 0)
            kept.setdefault(name, one.model_copy(update={"name": name, "block": block}))
    if output.entities and not kept:
        raise ValueError("entities: copy each name exactly from the blocks; none of those given stands there")
    relations = [
        one
        for one in output.relations[:_MOST_RELATIONS]
        if one.source in kept and one.target in kept and one.source != one.target
    ]
    return ExtractedGraph(entities=list(kept.values()), relations=relations)


def _stands(name: str, text: str) -> bool:
    """Tell whether all words of a name stand in a text, singular and plural, case and accents aside."""
    words = name_words(name)
    return bool(words) and len(name) <= 150 and (" ".join(words) in text or set(words) <= set(text.split()))


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

__all__ = [
    "ENTITY_TYPES",
    "EXTRACT_GRAPH",
    "ExtractedEntity",
    "ExtractedGraph",
    "ExtractedRelation",
    "GraphWindow",
    "WindowBlock",
]
