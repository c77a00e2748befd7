"""What RDR2 retrieves (equation 1): the chunks of 100 words that are nearest to the question, and their blocks.

A chunk knows the blocks it has words of, so that none has to be aligned with the tree by its letters (appendix A.1).
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from octavo.errors import UsageError
from octavo.evidence import Evidence, Query
from octavo.evidence.layer_tables import passage_table
from octavo.operators.columns import NEW, Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import RELEVANCE, on_pages, ranked_pages
from octavo_documents.document import Rows
from octavo_methods.rdr2.trees import RETRIEVED, StructureTree, retrieved_rows

NEAREST = "nearest"
"""The column of a block: the cosine of the nearest chunk that has words of it."""
CHUNKS = "chunks"
"""The column that says with every block how many chunks were retrieved."""
LAYERS = frozenset({"word_chunks", "word_chunk_vectors"})


@dataclasses.dataclass(frozen=True, slots=True)
class Chunk:
    """A retrieved chunk: the rows it has words of, its text, and its cosine with the question."""

    rows: tuple[int, ...]
    text: str
    score: float


WORD_CHUNKS_TABLE = passage_table("word_chunks")


def nearest_chunks(question: str, using: Run, count: int) -> list[Chunk]:
    """Return the `count` chunks nearest to the question, the nearest first; ties go to the first in the view."""
    table, tree = using.view.layer(WORD_CHUNKS_TABLE), StructureTree.of(using.view)
    if not count or not len(table):
        return []
    scores = _cosines(question, using)
    found: list[Chunk] = []
    for at in np.argsort(-scores, kind="stable")[:count].tolist():
        rows = np.arange(int(table.start[at]), int(table.stop[at]))
        found.append(Chunk(tuple(rows[tree.is_content[rows]].tolist()), table.text[at], float(scores[at])))
    return found


def _cosines(question: str, using: Run) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return using.view.cosines("word_chunk_vectors", using.vectors([question])[0])


@dataclasses.dataclass(frozen=True)
class RetrieveChunks(Step[Query, Evidence]):
    """Mark the blocks of the `count` chunks nearest to the question, and keep the documents they stand in.

    RDR2 equation 1: the top-k chunks and their originating documents, k being 5. With 0 nothing is retrieved.
    """

    declares: ClassVar[Columns] = Columns(writes={NEAREST, RETRIEVED, CHUNKS}, keeps=NEW)

    count: int = 5

    def __post_init__(self) -> None:
        if self.count < 0:
            raise UsageError("RetrieveChunks takes 0 chunks or more")

    def needs(self) -> frozenset[str]:
        """Return the layers of chunks."""
        return LAYERS

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the content of these documents with `nearest`, `chunks`, and `retrieved` for what chunks have."""
        view, tree = using.view, StructureTree.of(using.view)
        found = nearest_chunks(value.question, using, self.count)
        retrieved, nearest = np.full(len(view), np.nan), np.full(len(view), np.nan)
        for chunk in found:
            retrieved[list(chunk.rows)] = np.fmax(retrieved[list(chunk.rows)], chunk.score)
        if found:
            table = view.layer(WORD_CHUNKS_TABLE)
            for start, stop, score in zip(table.start, table.stop, _cosines(value.question, using), strict=True):
                nearest[start:stop] = np.fmax(nearest[start:stop], score)
        documents = np.unique(view.document[np.flatnonzero(~np.isnan(retrieved))])
        rows = np.flatnonzero(tree.is_content & np.isin(view.document, documents))
        columns = {NEAREST: nearest[rows], RETRIEVED: retrieved[rows], CHUNKS: np.full(len(rows), float(len(found)))}
        return Evidence.of(view, rows, source=NEAREST, **columns)

    def details(self, result: Evidence, using: Run) -> dict[str, int]:
        """Return from how many documents the chunks come."""
        return {"documents": len(np.unique(result.view.document[result.rows]))}


@dataclasses.dataclass(frozen=True)
class RetrievedAlone(Step[Evidence, Evidence]):
    """Keep the retrieved content, best first, without headings: what is read where nobody routes (Table 2).

    The pages are those of the question's limit.
    """

    declares: ClassVar[Columns] = Columns(uses={RETRIEVED}, writes={RELEVANCE})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return these rows with the column `relevance`."""
        retrieved, is_content = retrieved_rows(value), StructureTree.of(value.view).is_content
        kept = value.keep(np.isin(value.rows, retrieved) & is_content[value.rows])
        scores = kept.scores[RETRIEVED] if RETRIEVED in kept.scores else np.ones(len(kept))
        ranked = kept.with_score(RELEVANCE, scores)
        return on_pages(ranked, ranked_pages(ranked)[1][: max(using.query.limit, 0)])


def portions(tree: StructureTree, visible: Rows) -> list[Rows]:
    """Return visible content of a document, ascending, in portions that stand under one heading each."""
    if not len(visible):
        return []
    sections = tree.section[visible]
    return np.split(visible, np.flatnonzero(sections[1:] != sections[:-1]) + 1)
