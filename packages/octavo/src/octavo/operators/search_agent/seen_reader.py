"""LAD-RAG's reader where nobody can look at pictures: it is told what a model saw in them when the pages were read."""

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
from octavo_documents.document import PICTURED, LinkOrigin
from octavo_documents.text.lines import on_one_line

_LONGEST = 1200
"""Characters that are told of one picture: a chart's values come first."""


@dataclasses.dataclass(frozen=True)
class SeenReader(DirectReader):
    """Read as `DirectReader` does; of the first `most` figures and charts say what the document graph says of them.

    That is for a reader that sees nothing and has nobody to look for it. Others are shown the pictures themselves.
    """

    most: int = 8

    def needs(self) -> frozenset[str]:
        """Return what reading needs, and the graph."""
        return super().needs() | {"document_graph"}

    def read(self, value: Evidence, using: Run, *, looks: bool = True) -> Answer:
        """Return the answer with its citations, or one that says there is none."""
        if len(value) and looks and using.judge.has_model("answer_from_evidence"):
            from octavo.operators.read.image_evidence import can_look

            if not can_look(using):
                self._tell(value, using)
        return super().read(value, using, looks=looks)

    def _tell(self, value: Evidence, using: Run) -> None:
        view = value.view
        seen = view.derived(seen_pictures)
        rows = [row for row in _in_order(value) if row in seen][: self.most]
        using.so_far.pictures.update({(int(view.page_index[row]), row): seen[row] for row in rows})


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
