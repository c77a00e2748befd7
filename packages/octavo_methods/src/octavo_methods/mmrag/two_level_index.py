"""Searching the two indexes of MMRAG-DocQA: chunks inside pages (equation 11), nodes of the tree across pages (16)."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from octavo.errors import UsageError
from octavo.evidence import Evidence, Query, SummaryTable, View
from octavo.evidence.layer_tables import summary_table, topology_table
from octavo.layers.passages import without_leaders
from octavo.operators.columns import NEW, Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import RELEVANCE
from octavo.operators.score.search import spread
from octavo.operators.score.tree_search import TREE, best_nodes, blocks_of_nodes, node_cosines
from octavo_documents.document.columns import damaged
from octavo_documents.document.grid import Grid
from octavo_methods.mmrag.layers.page_texts import DESCRIPTION, TABLE
from octavo_methods.mmrag.table_rows import rows_to_read

CHUNK = "chunk"
"""The column of blocks: the cosine of the question with the nearest chunk that has the block."""
SUMMARIES = "cross_page_tree"
_TEXT = "text_"
"""How the layers begin that leave descriptions of pictures out."""


def layer_of(name: str, *, descriptions: bool) -> str:
    """Return the layer of a name with descriptions of pictures, or the one without."""
    return name if descriptions else f"{_TEXT}{name}"


@dataclasses.dataclass(frozen=True)
class SearchChunks(Step[Query, Evidence]):
    """Find the `count` chunks nearest to the question (equation 11); None ranks all.

    The paper does not print its K. With `descriptions` the chunks have those of pictures in them.
    """

    declares: ClassVar[Columns] = Columns(writes={CHUNK}, keeps=NEW)

    count: int | None = 30
    descriptions: bool = True

    def __post_init__(self) -> None:
        if self.count is not None and self.count < 1:
            raise UsageError("SearchChunks takes one chunk or more")

    def needs(self) -> frozenset[str]:
        """Return the layers of the chunks."""
        chunks = layer_of("page_chunk", descriptions=self.descriptions)
        return frozenset({f"{chunks}s", f"{chunks}_vectors"})

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the blocks of these chunks with the column `chunk`; ties go to the first in the document."""
        view, layer = using.view, layer_of("page_chunk", descriptions=self.descriptions)
        chunks = view.layer(summary_table(f"{layer}s"))
        cosines = view.cosines(f"{layer}_vectors", using.vectors([value.question])[0])
        if len(cosines) != len(chunks):
            raise damaged(f"{len(cosines)} vectors for {len(chunks)} chunks")
        scores = np.full(len(chunks), np.nan)
        best = np.argsort(-cosines, kind="stable")[: self.count]
        scores[best] = cosines[best]
        return spread(view, CHUNK, scores, chunks)


@dataclasses.dataclass(frozen=True)
class SearchSummaries(Step[Query, Evidence]):
    """Find the `count` nodes of the cross-page tree nearest to the question, all levels together (equation 16).

    With `descriptions` the tree is the one that has those of pictures.
    """

    declares: ClassVar[Columns] = Columns(writes={RELEVANCE, TREE}, keeps=NEW)

    count: int = 10
    descriptions: bool = True

    def __post_init__(self) -> None:
        if self.count < 1:
            raise UsageError("SearchSummaries takes one summary or more")

    def needs(self) -> frozenset[str]:
        """Return the layers of the tree."""
        return tree_layers(descriptions=self.descriptions)

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the blocks behind these nodes, with their cosine as `relevance`."""
        layer = layer_of(SUMMARIES, descriptions=self.descriptions)
        tree, cosines = using.view.layer(topology_table(layer)), node_cosines(value, using, layer)
        found = blocks_of_nodes(using.view, tree, cosines, best_nodes(tree, cosines, count=self.count))
        return found.with_score(RELEVANCE, found.scores[TREE])


def tree_layers(*, descriptions: bool) -> frozenset[str]:
    """Return the layers of the cross-page tree with descriptions of pictures, or of the one without."""
    layer = layer_of(SUMMARIES, descriptions=descriptions)
    return frozenset({layer, f"{layer}_vectors"})


@dataclasses.dataclass(frozen=True, slots=True)
class Summary:
    """A node of the tree: what it says, the page indices it stands for, and whether it is their own words."""

    text: str
    pages: tuple[int, ...]
    is_leaf: bool


def nearest_summaries(query: Query, using: Run, count: int, *, descriptions: bool) -> list[Summary]:
    """Return the nodes nearest to the question, all levels together, nearest first (equation 16)."""
    if not count:
        return []
    view, layer = using.view, layer_of(SUMMARIES, descriptions=descriptions)
    tree, cosines = view.layer(topology_table(layer)), node_cosines(query, using, layer)
    nodes: list[int] = best_nodes(tree, cosines, count=count).tolist()
    return [
        Summary(
            tree.nodes.text[node],
            tuple(np.unique(view.page_index[tree.blocks_of(node)]).tolist()),
            bool(tree.nodes.level[node] == 0),
        )
        for node in nodes
    ]


def page_text(view: View, page: int, *, descriptions: bool) -> str:
    """Return all that a page says, in reading order, with or without the descriptions of its pictures (equation 3).

    It is for a model to read: long headers of tables are said once, and not with every value as in the indexes.
    """
    table, rows = view.layer(summary_table("page_texts")), view.page_rows(page)
    first, last = np.searchsorted(table.start, [rows.start, rows.stop]).tolist()
    shown = (at for at in range(first, last) if descriptions or table.target[at] != DESCRIPTION)
    return "\n".join(_to_read(view, table, at) for at in shown)


def _to_read(view: View, table: SummaryTable, at: int) -> str:
    """Return a piece of a page as it is read."""
    if table.target[at] != TABLE:
        return table.text[at]
    rows = rows_to_read(Grid.from_json(view.blocks.grid[int(table.start[at])]))
    return without_leaders("\n".join(rows)).strip() or table.text[at]
