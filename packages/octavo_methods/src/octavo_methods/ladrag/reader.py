"""The reader of what the retriever agent listed (LAD-RAG sections 3.2 and H.1): nodes, and the pages they stand on."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from octavo.decisions.answer_from_evidence import ABOUT, ANSWER_FROM_EVIDENCE, Seen, Shown
from octavo.evidence import Answer, Citation, Evidence, Outcome, View
from octavo.evidence.document_graph import DOCUMENT_GRAPH_TABLE
from octavo.layers.descriptions import ELEMENTS
from octavo.models.language import encoded
from octavo.operators.core import Run
from octavo.operators.read.as_said import shown_alone
from octavo.operators.read.image_evidence import rasters, said_of
from octavo.operators.read.packing import Packed, pack_as_found, ranges, where
from octavo.operators.read.verbatim_reader import VerbatimReader, in_order
from octavo_documents.document import LinkOrigin
from octavo_documents.text.lines import on_one_line
from octavo_methods.ladrag.retrieve import NodeEvidence

if TYPE_CHECKING:
    from octavo.decisions.answer_from_evidence import EvidenceReply, Reading
    from octavo.decisions.engine import Decision
    from octavo.operators.read.image_evidence import Spot
    from octavo.operators.read.material import Material

ANSWER_TOKENS = 2048
"""The longest reply of the model that answers (section H.1)."""
DPI = 150.0
"""Dots per inch of a page that is shown, half of what section H.1 draws."""
_SHARE = 0.5
"""Part of a model's context that its pictures may take before they are drawn smaller."""
_PIXELS_PER_TOKEN, _POINTS_PER_INCH = 750, 72.0


@dataclasses.dataclass(frozen=True)
class NodeReader(VerbatimReader):
    """Answer with a model from the nodes of the evidence as they were read, in their order, and their whole pages.

    A node that a model saw is told in the words it was read in, an element with its summary too; of others the words
    of their blocks are told. Of evidence from elsewhere all nodes at its blocks are shown. First it is told how long
    the documents are, and of which pages nothing is shown.
    """

    pictures: int = 1000
    """More pages than an agent lists: the paper sets no limit."""
    whole_pages: bool = True

    def needs(self) -> frozenset[str]:
        """Return the graph, and what the reader without a model needs."""
        return super().needs() | {"document_graph"}

    def decision(self) -> Decision[Reading, EvidenceReply]:
        """Return what the model is asked, with room for the longest reply of the paper's."""
        return dataclasses.replace(super().decision(), max_output_tokens=ANSWER_TOKENS)

    def with_places(self, answer: Answer, material: Material, reply: EvidenceReply) -> Answer:
        """Return the answer with the places of all nodes that the reply names."""
        if answer.outcome is not Outcome.ANSWER:
            return answer
        return _cited_whole(answer, material.evidence.view, material.named(reply.evidence))

    def material(self, value: Evidence, using: Run) -> Material:
        """Return what is shown of the evidence: a passage for each node that a model saw, and the pages' pictures."""
        reader = using.judge.model_for(ANSWER_FROM_EVIDENCE.name)
        spots = self._spots(value.view, in_order(value, self.order)) if reader is not None and reader.sees else []
        seen = _drawn(value.view, spots, using, reader.context_tokens) if reader is not None else []
        found = shown_alone(value, [*_passages(value.view, _nodes(value))], seen)
        lines = "\n".join(_told_of_pages(value.view, found.pages, [spot.page for spot, _ in seen]))
        return dataclasses.replace(found, about=Packed(Shown(ABOUT, "", lines), (), 0.0))


def _told_of_pages(view: View, told: Iterable[int], drawn: Iterable[int]) -> Iterator[str]:
    """Yield for each document how long it is, which of its pages are told of or drawn, and that no others are shown."""
    kept, pictures = {*told}, {*drawn}
    for at, document in enumerate(view.documents):
        own = range(int(view.page_starts[at]), int(view.page_starts[at + 1]))
        shown = [page - own.start + 1 for page in own if page in kept | pictures]
        if not shown:
            continue
        name = on_one_line(document.metadata.title.strip() or document.name)
        seen = [page - own.start + 1 for page in own if page in pictures]
        said = f"{name}, {_counted(len(own), document.unit)}. Below are words of {_named(shown, document.unit)}"
        said += f", and pictures of {_named(seen, document.unit)}" if seen else ", and no pictures"
        yield said + ("; nothing of the others is shown." if len(shown) < len(own) else ".")


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}{'s' * (count > 1)}"


def _named(numbers: Sequence[int], unit: str) -> str:
    return f"{unit}{'s' * (len(numbers) > 1)} {ranges(numbers)}"


def _cited_whole(answer: Answer, view: View, named: Iterable[Packed]) -> Answer:
    """Return an answer that cites by their places the other nodes it stands on: a chart's words are not its block's."""
    blocks = {(one.document_id, one.block) for one in answer.citations}
    places = (Citation.at(view, one.rows[0]) for one in named if one.rows and not _is_cited(view, one.rows, blocks))
    return dataclasses.replace(answer, citations=(*answer.citations, *dict.fromkeys(places)))


def _is_cited(view: View, rows: Iterable[int], blocks: set[tuple[str, str]]) -> bool:
    return any((view.documents[int(view.document[row])].id, view.block_id(row)) in blocks for row in rows)


def _drawn(view: View, spots: Sequence[Spot], using: Run, context_tokens: int) -> list[tuple[Spot, Seen]]:
    """Return the pictures of pages at half of 300 dots per inch, of many at as few as others are read at.

    Section H.1 goes down to a fifth where memory is short.
    """
    side = round(DPI / _POINTS_PER_INCH * max((_longest(view, spot.page) for spot in spots), default=0.0))
    fits = len(spots) * side * side <= _SHARE * context_tokens * _PIXELS_PER_TOKEN
    made = rasters(view, spots, using, side=side if fits else 0)
    return [(spot, Seen(said_of(view, spot), encoded(raster))) for spot, raster in made]


def _longest(view: View, page: int) -> float:
    document, number = view.locate_page(page)
    pages = view.documents[document].pages
    return float(max(pages.width[number - 1], pages.height[number - 1]))


def _nodes(value: Evidence) -> tuple[int, ...]:
    if isinstance(value, NodeEvidence):
        return value.nodes
    return tuple(np.flatnonzero(np.isin(value.view.layer(DOCUMENT_GRAPH_TABLE).nodes.row, value.rows)).tolist())


def _passages(view: View, nodes: Iterable[int]) -> Iterator[Packed]:
    """Yield nodes as passages in their order, numbered from 1."""
    graph, count = view.layer(DOCUMENT_GRAPH_TABLE), 0
    is_seen = graph.nodes.origin == LinkOrigin.MODEL
    for seen, some in groupby(nodes, key=lambda node: bool(is_seen[node])):
        if seen:
            found = [_passage(view, node) for node in some]
        else:
            rows = (row for node in some for row in graph.blocks_of(node).tolist())
            found = pack_as_found(view, list(dict.fromkeys(rows)))
        for one in found:
            count += 1
            yield dataclasses.replace(one, shown=dataclasses.replace(one.shown, number=count), score=-float(count))


def _passage(view: View, node: int) -> Packed:
    nodes = view.layer(DOCUMENT_GRAPH_TABLE).nodes
    rows = tuple(view.layer(DOCUMENT_GRAPH_TABLE).blocks_of(node).tolist())
    kind, content, summary = nodes.kind_of(node), nodes.content[node], nodes.summary[node]
    said = [f"({kind.label}) {content}" if kind in ELEMENTS else content]
    said += [f"In short: {summary}"] * (kind in ELEMENTS and on_one_line(summary) not in on_one_line(content))
    return Packed(Shown(0, where(view, int(nodes.row[node])), "\n".join(said)), rows, 0.0)
