"""LAD-RAG's reader: pictures are what a model saw when the pages were read, and who cannot look is told of them."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator

import numpy as np

from octavo.evidence import Answer, Evidence, View
from octavo.evidence.document_graph import DOCUMENT_GRAPH_TABLE
from octavo.layers.descriptions import ELEMENTS
from octavo.operators.core import Run
from octavo.operators.keep import CHOSEN_ORDER, RELEVANCE
from octavo.operators.read.direct_reader import DirectReader
from octavo_documents.document import PICTURED, BlockTable, Kind, LinkOrigin
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

_LONGEST = 1200
"""Characters that are told of one picture: a chart's values come first."""
_TAKEN_FOR = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.TABLE, Kind.CAPTION, Kind.FOOTNOTE, Kind.CODE)
"""What parsing takes the labels of a chart for."""
_SHARED = 0.6
"""Share of a block's words that a picture displays when the block is a part of it."""
_APART = 2
"""Rows from one part of a picture to the next, at most."""


@dataclasses.dataclass(frozen=True)
class SeenReader(DirectReader):
    """Read as `DirectReader` does, with figures and charts where a model saw some, whatever parsing took them for.

    A reader that sees nothing, and has nobody to look for it, is told what the document graph says of the first `most`
    of them. Others are shown the pictures themselves.
    """

    most: int = 8

    def needs(self) -> frozenset[str]:
        """Return what reading needs, and the graph."""
        return super().needs() | {"document_graph"}

    def read(self, value: Evidence, using: Run, *, looks: bool = True, asks: bool = False) -> Answer:
        """Return the answer with its citations, or one that says there is none."""
        if len(value) and looks and using.judge.has_model("answer_from_evidence"):
            from octavo.operators.read.image_evidence import can_look

            value = dataclasses.replace(value, view=value.view.derived(as_seen))
            if not can_look(using):
                self._tell(value, using)
        return super().read(value, using, looks=looks, asks=asks)

    def _tell(self, value: Evidence, using: Run) -> None:
        view = value.view
        seen = view.derived(seen_pictures)
        rows = [row for row in _in_order(value) if row in seen][: self.most]
        using.so_far.pictures.update({(int(view.page_index[row]), row): seen[row] for row in rows})


def as_seen(view: View) -> View:
    """Return the view with texts and tables that a model saw to be figures or charts as these, around all their blocks.

    So a chart whose labels parsing took for paragraphs is a picture that can be chosen, drawn and cited as a whole, and
    of one that was cut in two the whole is seen.
    """
    blocks = view.each(_blocks_as_seen)
    is_same = all(own is part.documents[0].blocks for own, part in zip(blocks, view.parts, strict=True))
    return view if is_same else view.with_blocks(blocks)


def _blocks_as_seen(view: View) -> BlockTable:
    """Return the blocks of a view of one document as they were seen."""
    blocks, graph = view.documents[0].blocks, view.layer(DOCUMENT_GRAPH_TABLE)
    nodes = graph.nodes
    is_seen = nodes.origin == LinkOrigin.MODEL
    elements = np.flatnonzero(is_seen & np.isin(nodes.kind, ELEMENTS)).tolist()
    had = Counter(row for at in elements for row in {int(nodes.row[at]), *graph.blocks_of(at).tolist()})
    others = {*nodes.row[elements].tolist(), *(row for row, count in had.items() if count > 1)}
    tables = {*nodes.row[is_seen & (nodes.kind == Kind.TABLE)].tolist()}
    kind, box = blocks.kind.copy(), blocks.box.copy()
    for at in np.flatnonzero(is_seen & np.isin(nodes.kind, PICTURED)).tolist():
        row = int(nodes.row[at])
        is_part = blocks.kind_of(row) == Kind.TABLE or _is_of(blocks.text[row], nodes.content[at])
        if blocks.kind_of(row) in _TAKEN_FOR and row not in tables and is_part:
            kind[row] = nodes.kind[at]
        if int(kind[row]) in PICTURED:
            parts = _next_to(row, {*graph.blocks_of(at).tolist()} - others)
            box[row, :2] = np.minimum(box[row, :2], blocks.box[parts, :2].min(axis=0))
            box[row, 2:] = np.maximum(box[row, 2:], blocks.box[parts, 2:].max(axis=0))
    is_same = np.array_equal(kind, blocks.kind) and np.array_equal(box, blocks.box)
    return blocks if is_same else dataclasses.replace(blocks, kind=kind, box=box)


def _is_of(text: str, content: str) -> bool:
    """Return whether a text is a part of what was seen there; a picture of no block stands at whatever is nearest."""
    words = {*analyze(text)}
    return bool(words) and len(words & {*analyze(content)}) >= _SHARED * len(words)


def _next_to(row: int, rows: Collection[int]) -> list[int]:
    """Return a row and those of some rows that follow on it or on each other: a word far off is of something else."""
    found = [row]
    for step in (1, -1):
        at = row
        for other in sorted((one for one in rows if (one - row) * step > 0), reverse=step < 0):
            if abs(other - at) > _APART:
                break
            found.append(at := other)
    return found


def seen_pictures(view: View) -> dict[int, str]:
    """Return by row of a figure or chart what a model that looked at the pages read there and says of it."""
    nodes = view.layer(DOCUMENT_GRAPH_TABLE).nodes
    found: defaultdict[int, list[str]] = defaultdict(list)
    at_picture = np.isin(view.blocks.kind[nodes.row], PICTURED)
    for at in np.flatnonzero((nodes.origin == LinkOrigin.MODEL) & at_picture).tolist():
        content, summary = (on_one_line(text) for text in (nodes.content[at], nodes.summary[at]))
        found[int(nodes.row[at])].append(content if summary in content else f"{content} ({summary})")
    return {row: "; ".join(said)[:_LONGEST] for row, said in found.items()}


def _in_order(value: Evidence) -> Iterator[int]:
    """Yield the rows of the evidence, those that an agent chose first, in its order."""
    chosen = value.keep(value.scores[CHOSEN_ORDER] > 0).ranked(CHOSEN_ORDER) if CHOSEN_ORDER in value.scores else ()
    yield from dict.fromkeys(int(row) for row in (*chosen, *value.ranked(RELEVANCE)))
