"""The entities and relations that a figure, chart or table shows, by looking at its picture (BookRAG section 4.3.1).

Its rule finds nothing: what the words in and around an element name is found by those who read them.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.engine import Decision, Filled, Template, inert, share
from octavo.decisions.extract_graph import ExtractedEntity, ExtractedGraph, graph_of
from octavo.models.language import Picture
from octavo_documents.text.lines import on_one_line

_MOST_ENTITIES = 60
_LONGEST_NAME = 150


@dataclasses.dataclass(frozen=True, slots=True)
class ElementPicture:
    """An element as it stands in its document: its kind, caption, the text inside it, titles above it, its picture.

    `picture` is None only where a cost is estimated.
    """

    kind: str
    caption: str = ""
    inside: str = ""
    section: str = ""
    title: str = ""
    picture: Picture | None = None


def _render(value: ElementPicture, room: int) -> Filled:
    place = " > ".join(part for part in (value.title, value.section) if part)
    (place, caption, inside), cut = share([place, value.caption, value.inside], room)
    return Filled(
        {"kind": value.kind, "place": inert(place), "caption": inert(caption), "inside": inert(inside)},
        pictures=(value.picture,) if value.picture else (),
        left_out=cut,
    )


def _rule(_value: ElementPicture) -> ExtractedGraph:
    return ExtractedGraph()


def _check(_value: ElementPicture, output: ExtractedGraph) -> ExtractedGraph:
    """Keep names that can be names, each once, and relations between them. Raises ValueError where no name is one."""
    kept: dict[str, ExtractedEntity] = {}
    for one in output.entities[:_MOST_ENTITIES]:
        name = on_one_line(one.name)
        if any(map(str.isalnum, name)) and len(name) <= _LONGEST_NAME:
            kept.setdefault(name, one.model_copy(update={"name": name, "block": 1}))
    if output.entities and not kept:
        raise ValueError("entities: give each name as it stands in the picture")
    return graph_of(kept, output.relations)


EXTRACT_PICTURE_GRAPH: Decision[ElementPicture, ExtractedGraph] = Decision(
    name="extract_picture_graph",
    version="1",
    template=Template.beside(__file__),
    output=ExtractedGraph,
    render=_render,
    rule=_rule,
    check=_check,
    role="vision",
    max_output_tokens=1200,
)
