"""The bare text of a document cut every 500 tokens, wherever a sentence or a section ends: conventional retrieval.

BookRAG's baselines cut so and keep the ten best chunks (appendix A.2). Chunks are ranked by BM25 or by their vectors,
and a reader is shown their text and nothing else.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from octavo.errors import UsageError
from octavo.evidence import Evidence, PassageTable, Query, View
from octavo.evidence.layer_tables import passage_table
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.passages import index
from octavo.layers.vectors import embedded
from octavo.layers.word_runs import Word, passages_of, words_of
from octavo.models.bert import count_tokens
from octavo.operators.columns import NEW, Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.packing import Packed
from octavo.operators.read.verbatim_reader import VerbatimReader
from octavo.operators.score.search import DocumentTerms, TermIndex, bm25
from octavo.operators.sentence_forms import Sentence, found, read_by
from octavo_documents.document import Document
from octavo_documents.text.analyzer import analyze

if TYPE_CHECKING:
    from octavo.operators.read.material import Material

CHUNK_TOKENS = 500
_COUNTED = "chunks"
"""The column that says with every block how many chunks were kept."""
_LAYER, _VECTORS = "token_chunks", "token_chunk_vectors"
Floats = npt.NDArray[np.float64]


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `PassageTable` of chunks, as `passages_of` has it, running headers too."""
    return passages_of(inputs.document, list(_chunks(inputs.document))).to_bytes()


def _chunks(document: Document) -> Iterator[list[Word]]:
    """Yield the words of each chunk; tokens are word pieces of the embedding model that is brought along."""
    texts = document.blocks.text
    words = list(words_of(document, range(len(texts))))
    chunk: list[Word] = []
    tokens = 0
    sizes = count_tokens([texts[row][start:stop] for row, start, stop in words])
    for word, size in zip(words, sizes, strict=True):
        if chunk and tokens + size > CHUNK_TOKENS:
            yield chunk
            chunk, tokens = [], 0
        chunk.append(word)
        tokens += size
    if chunk:
        yield chunk


def build_vectors(inputs: LayerInputs) -> bytes:
    """Return the packed (n_chunks, dimension) float16 matrix named "vectors", rows of length 1."""
    return embedded(inputs, list(PassageTable.from_bytes(inputs.stored[_LAYER]).text))


TOKEN_CHUNKS = Layer(_LAYER, 1, (), build)
TOKEN_CHUNK_VECTORS = Layer(_VECTORS, 1, (_LAYER,), build_vectors, model=text_embedding)


def _table(view: View, unit: str) -> PassageTable:
    """Return the chunks, or the passages, of all documents; `start` and `stop` count rows of the view."""
    return view.passages if unit == "passages" else view.layer(passage_table(_LAYER))


def _by_words(query: Query, using: Run, unit: str) -> Floats:
    """Return (n_chunks,) BM25 scores of the bare text."""
    return bm25(using.view.derived(_terms, unit), analyze(query.question))


def _terms(view: View, unit: str) -> TermIndex:
    """Return the terms of the bare text of chunks, or of passages."""
    table = _table(view, unit)
    terms, postings = index([Counter(analyze(text)) for text in table.text])
    return TermIndex([DocumentTerms(terms, postings, len(table))])


def _by_vectors(query: Query, using: Run, unit: str) -> Floats:
    """Return (n_chunks,) cosines with the question."""
    layer = "vectors" if unit == "passages" else _VECTORS
    return using.view.cosines(layer, using.vectors([query.question])[0])


KINDS = {"bm25": _by_words, "dense": _by_vectors}
UNITS = ("chunks", "passages")


@dataclasses.dataclass(frozen=True)
class SearchChunkTexts(Step[Query, Evidence]):
    """Mark the blocks of the `count` chunks of 500 tokens that are best by `kind`, bm25 or dense.

    With `unit` "passages" layout cuts the text, not its length: the passages of blocks that Octavo has of a document.
    """

    declares: ClassVar[Columns] = Columns(writes={RELEVANCE, _COUNTED}, keeps=NEW)
    sentence: ClassVar[Sentence] = found("Searched the text piece by piece")

    kind: str
    count: int = 10
    unit: str = "chunks"

    def __post_init__(self) -> None:
        if self.kind not in KINDS or self.unit not in UNITS or self.count < 1:
            raise UsageError(f"SearchChunkTexts takes {' or '.join(KINDS)}, {' or '.join(UNITS)}, and a count from 1")

    def needs(self) -> frozenset[str]:
        """Return the layers of what is searched."""
        return _layers(self.kind, self.unit)

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return these blocks with the score of their best chunk as `relevance`."""
        kept = best_chunks(value, using, self.kind, self.unit, self.count)
        best = np.full(len(using.view), np.nan)
        for _, rows, score in kept:
            best[list(rows)] = np.fmax(best[list(rows)], score)
        rows = np.flatnonzero(~np.isnan(best))
        counted = np.full(len(rows), float(len(kept)))
        return Evidence.of(using.view, rows, source=self.kind, **{RELEVANCE: best[rows], _COUNTED: counted})


def _layers(kind: str, unit: str) -> frozenset[str]:
    if unit == "passages":
        return frozenset({"passages", *(["vectors"] if kind == "dense" else [])})
    return frozenset({_LAYER, *([_VECTORS] if kind == "dense" else [])})


def best_chunks(query: Query, using: Run, kind: str, unit: str, count: int) -> list[tuple[str, tuple[int, ...], float]]:
    """Return the text, rows and score of the best chunks, best first; one that shares no word with the question is
    none where words decide. Ties go to the first in the view.
    """
    table, scores = _table(using.view, unit), KINDS[kind](query, using, unit)
    order: list[int] = np.argsort(-scores, kind="stable")[:count].tolist()
    return [
        (table.text[at], tuple(range(int(table.start[at]), int(table.stop[at]))), float(scores[at]))
        for at in order
        if kind != "bm25" or scores[at] > 0
    ]


@dataclasses.dataclass(frozen=True)
class ChunkTextReader(VerbatimReader):
    """Answer with a model from the texts of the chunks that `SearchChunkTexts` of the same kind found, best first."""

    sentence: ClassVar[Sentence] = read_by

    pictures: int = 0
    kind: str = "dense"
    unit: str = "chunks"

    def needs(self) -> frozenset[str]:
        """Return what the reader without a model needs, and the chunks."""
        return super().needs() | _layers(self.kind, self.unit)

    def declared(self) -> Columns:
        """Return what the reader of evidence as it was found reads, and how many chunks were kept."""
        own = super().declared()
        return dataclasses.replace(own, reads={*own.reads, _COUNTED})

    def material(self, value: Evidence, using: Run) -> Material:
        """Return what is shown: a passage for each chunk."""
        from octavo.decisions.answer_from_evidence import Shown
        from octavo.operators.read.as_said import shown_alone

        kept = best_chunks(using.query, using, self.kind, self.unit, int(value.scores[_COUNTED][0]))
        packed = [Packed(Shown(at, "", text), rows, -float(at)) for at, (text, rows, _) in enumerate(kept, 1)]
        return shown_alone(value, packed)
