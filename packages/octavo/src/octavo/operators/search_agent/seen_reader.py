"""LAD-RAG's reader: pictures are what a model saw when the pages were read, and who cannot look is told of them."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from octavo.evidence import Answer, Evidence, View
from octavo.evidence.document_graph import DOCUMENT_GRAPH_TABLE
from octavo.operators.core import Run
from octavo.operators.keep import CHOSEN_ORDER, RELEVANCE
from octavo.operators.read.direct_reader import DirectReader
from octavo_documents.document import PICTURED, BlockTable, Kind, LinkOrigin
from octavo_documents.text.analyzer import analyze

_LONGEST = 1200
"""Characters that are told of one picture: a chart's values come first."""
_TAKEN_FOR = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.TABLE, Kind.CAPTION, Kind.FOOTNOTE, Kind.CODE)
"""What parsing takes the labels of a chart for."""
_SHARED = 0.6
"""Share of a block's words that a picture displays when the block is a part of it."""


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

    def read(self, value: Evidence, using: Run, *, looks: bool = True) -> Answer:
        """Return the answer with its citations, or one that says there is none."""
        if len(value) and looks and using.judge.has_model("answer_from_evidence"):
            from octavo.operators.read.image_evidence import can_look

            value = dataclasses.replace(value, view=value.view.derived(as_seen))
            if not can_look(using):
                self._tell(value, using)
        return super().read(value, using, looks=looks)

    def _tell(self, value: Evidence, using: Run) -> None:
        view = value.view
        seen = view.derived(seen_pictures)
        rows = [row for row in _in_order(value) if row in seen][: self.most]
        using.so_far.pictures.update({(int(view.page_index[row]), row): seen[row] for row in rows})


def as_seen(view: View) -> View:
    """Return the view with each text and table that a model saw to be a figure or chart as one, around all its blocks.

    So a chart whose labels parsing took for paragraphs is a picture that can be chosen, drawn and cited as a whole.
    """
    parts = view.parts
    blocks = view.each(_blocks_as_seen)
    is_same = all(own is part.documents[0].blocks for own, part in zip(blocks, parts, strict=True))
    return view if is_same else view.with_blocks(blocks)


def _blocks_as_seen(view: View) -> BlockTable:
    """Return the blocks of a view of one document as they were seen."""
    blocks, graph = view.documents[0].blocks, view.layer(DOCUMENT_GRAPH_TABLE)
    nodes = graph.nodes
    is_seen = nodes.origin == LinkOrigin.MODEL
    tables = {*nodes.row[is_seen & (nodes.kind == Kind.TABLE)].tolist()}
    found: defaultdict[int, list[int]] = defaultdict(list)
    for at in np.flatnonzero(is_seen & np.isin(nodes.kind, PICTURED)).tolist():
        row = int(nodes.row[at])
        if blocks.kind[row] in _TAKEN_FOR and row not in tables and _is_of(blocks.text[row], nodes.content[at]):
            found[row].append(at)
    if not found:
        return blocks
    kind, box = blocks.kind.copy(), blocks.box.copy()
    for row, some in found.items():
        rows = np.concatenate([graph.blocks_of(at) for at in some])
        rows = rows[blocks.page[rows] == blocks.page[row]]
        kind[row] = nodes.kind[some[0]]
        box[row] = [*blocks.box[rows, :2].min(axis=0), *blocks.box[rows, 2:].max(axis=0)]
    return dataclasses.replace(blocks, kind=kind, box=box)


def _is_of(text: str, content: str) -> bool:
    """Return whether a block is a part of what was seen there; a picture of no block stands at whatever is nearest."""
    words = {*analyze(text)}
    return bool(words) and len(words & {*analyze(content)}) >= _SHARED * len(words)


def seen_pictures(view: View) -> dict[int, str]:
    """Return by row of a figure or chart what a model that looked at the pages read there and says of it."""
    nodes = view.layer(DOCUMENT_GRAPH_TABLE).nodes
    found: defaultdict[int, list[str]] = defaultdict(list)
    at_picture = np.isin(view.blocks.kind[nodes.row], PICTURED)
    for at in np.flatnonzero((nodes.origin == LinkOrigin.MODEL) & at_picture).tolist():
        content, summary = (" ".join(text.split()) for text in (nodes.content[at], nodes.summary[at]))
        found[int(nodes.row[at])].append(content if summary in content else f"{content} ({summary})")
    return {row: "; ".join(said)[:_LONGEST] for row, said in found.items()}


def _in_order(value: Evidence) -> Iterator[int]:
    """Yield the rows of the evidence, those that an agent chose first, in its order."""
    chosen = value.keep(value.scores[CHOSEN_ORDER] > 0).ranked(CHOSEN_ORDER) if CHOSEN_ORDER in value.scores else ()
    yield from dict.fromkeys(int(row) for row in (*chosen, *value.ranked(RELEVANCE)))
