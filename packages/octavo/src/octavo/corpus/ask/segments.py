"""A segment: passages of some documents with their terms and vectors, in one file that is written once and then mapped.

A term is kept as 64 bits of hash: of two million terms, two are taken for one with a chance of one in ten million.
"""

from __future__ import annotations

import dataclasses
import hashlib
import mmap
import os
import uuid
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from octavo.corpus import private
from octavo.corpus.store import StoredPart
from octavo.evidence.view import StoredVectors, read_vectors
from octavo.models.question_vectors import QuestionVectors
from octavo_documents.document import TextColumn
from octavo_documents.document.columns import Array, Mask, damaged, packed, unpack

Floats: TypeAlias = npt.NDArray[np.float32]
Integers: TypeAlias = npt.NDArray[np.int64]

_FORMAT = 1
"""Of a segment's file; one of another format is made again."""
_MOST_COUNTED = 255
"""How often a term is counted in a passage at most, so that a count is one byte; BM25 has long levelled off."""
_K1, _B = 1.2, 0.75
"""The usual constants of BM25 (Robertson and Zaragoza, 2009)."""

ROUNDING = 1e-5
"""More than what the product of two vectors of length 1 may differ by when it is added up in another order."""


@dataclasses.dataclass(frozen=True, slots=True)
class Member:
    """A document as it goes into a segment: its id and number, and its stored layers, where it has them."""

    id: str
    number: int
    terms: StoredPart | None
    vectors: StoredPart | None


@dataclasses.dataclass(frozen=True, eq=False)
class Segment:
    """Passages of n documents, as memory-mapped arrays: document i has passages `[starts[i], starts[i + 1])`."""

    name: str
    """Of its file."""
    corpus: str
    """Identity of the store it was made from."""
    ids: TextColumn
    numbers: Integers
    """(n,) numbers of the documents, ascending."""
    marks: Integers
    """(n, 2) marks of the terms and the vectors it was made from; 0 for none."""
    starts: Integers
    """(n + 1,)"""
    lengths: Floats
    """(n_passages,) terms in each passage."""
    keys: Integers
    """(n_terms,) hashes of the terms, ascending."""
    first: Integers
    """(n_terms + 1,) first posting of each term."""
    passage: npt.NDArray[np.int32]
    """(n_postings,) passage of each posting, ascending within a term."""
    count: npt.NDArray[np.uint8]
    """(n_postings,) how often the term stands in the passage."""
    vectors: Floats
    """(n_passages, dimension); the dimension is 0 where documents have no vectors."""
    multilingual: Floats
    """(m, dimension) of some passages, by a model of many languages."""
    read: Integers
    """(m,) these passages, ascending."""
    embedding: str
    """Which model made the vectors, "" for none."""

    @property
    def passages(self) -> int:
        """Return how many passages there are."""
        return len(self.lengths)

    @cached_property
    def filled(self) -> Integers:
        """(m,) positions of the documents that have passages."""
        return np.flatnonzero(np.diff(self.starts))

    def postings(self, keys: Integers) -> list[slice]:
        """Return the postings of each term, an empty slice for one that is not there."""
        at = np.searchsorted(self.keys, keys)
        inside = np.minimum(at, max(len(self.keys) - 1, 0))
        known = (self.keys[inside] == keys) if len(self.keys) else np.zeros(len(keys), np.bool_)
        return [
            slice(int(self.first[row]), int(self.first[row + 1])) if there else slice(0, 0)
            for row, there in zip(inside, known, strict=True)
        ]

    def bm25(self, postings: Sequence[slice], weights: Sequence[float], average: float) -> Floats:
        """Return (n_passages,) the BM25 scores of terms with these postings and weights (idf).

        `average` is the mean length of the corpus's passages.
        """
        scores = np.zeros(self.passages, np.float32)
        for span, weight in zip(postings, weights, strict=True):
            passages = self.passage[span]
            counts = self.count[span].astype(np.float32)
            norm = np.float32(_K1 * (1 - _B)) + np.float32(_K1 * _B / average) * self.lengths[passages]
            scores[passages] += np.float32(weight * (_K1 + 1)) * counts / (counts + norm)
        return scores

    def best(self, scores: Floats) -> Floats:
        """Return (n,) the score of each document's best passage, -inf for a document without passages."""
        best = np.full(len(self.numbers), -np.inf, np.float32)
        if len(self.filled):
            best[self.filled] = np.maximum.reduceat(scores, self.starts[self.filled])
        return best

    def products(self, query: QuestionVectors) -> Floats:
        """Return (n_passages,) how near passages are to a question."""
        scores = self.vectors @ query.own
        if query.others is not None and len(self.read):
            scores[self.read] = self.multilingual @ query.others + np.float32(query.shift)
        return scores

    def exactly(self, query: QuestionVectors, documents: Integers, scores: Floats) -> Floats:
        """Return (n,) how near the nearest passages of documents are to a question, rounded alike wherever they stand.

        `scores` are the (n_passages,) `products` as they came; in what order one was added up depends on
        where its row stands.
        """
        sizes = self.starts[documents + 1] - self.starts[documents]
        first = np.cumsum(sizes) - sizes
        rows = np.arange(int(sizes.sum())) + np.repeat(self.starts[documents] - first, sizes)
        bar = np.maximum.reduceat(scores[rows], first) - ROUNDING
        near = np.flatnonzero(scores[rows] >= np.repeat(bar, sizes))
        exact = np.full(len(rows), -np.inf, np.float32)
        exact[near] = _product(self.vectors[rows[near]], query.own)
        if query.others is not None and len(self.read):
            at = np.minimum(np.searchsorted(self.read, rows), len(self.read) - 1)
            other = near[self.read[at[near]] == rows[near]]
            exact[other] = _product(self.multilingual[at[other]], query.others) + query.shift
        return np.maximum.reduceat(exact, first)


def _product(vectors: Floats, query: Floats) -> npt.NDArray[np.float64]:
    return np.einsum("ij,j->i", vectors.astype(np.float64), query.astype(np.float64))


def term_keys(terms: TextColumn) -> Integers:
    """Return (n,) int64 hashes of terms, the same on every machine; equal terms have equal ones."""
    keys, data, bounds = np.zeros(len(terms), np.uint64), terms.data, terms.offsets
    for start in range(0, len(terms), _TERMS_AT_ONCE):
        offsets = bounds[start : start + _TERMS_AT_ONCE + 1]
        keys[start : start + _TERMS_AT_ONCE] = _hashed(data[offsets[0] : offsets[-1]], offsets - offsets[0])
    return keys.view(np.int64)


def _hashed(letters: npt.NDArray[np.uint8], offsets: Integers) -> npt.NDArray[np.uint64]:
    """Return (n,) hashes of the texts that lie in a buffer, 0 for an empty one."""
    lengths = np.diff(offsets)
    keys = np.zeros(len(lengths), np.uint64)
    filled = np.flatnonzero(lengths)
    if len(filled):
        position = np.arange(len(letters)) - np.repeat(offsets[:-1], lengths)
        powers = np.cumprod(np.full(int(lengths.max()), _FACTOR, np.uint64))
        keys[filled] = np.add.reduceat(_LETTERS[letters] * powers[position], offsets[:-1][filled])
    return keys


_TERMS_AT_ONCE = 1 << 16
"""Terms that are hashed together: each letter takes 32 bytes on the way."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
"""2**64 over the golden ratio, odd (Knuth, TAOCP 6.4): powers of it spread over all 64 bits."""
_LETTERS = np.frombuffer(hashlib.shake_256(b"letters").digest(8 * 256), "<u8").astype(np.uint64)


def build(members: Sequence[Member]) -> dict[str, Array]:
    """Return the arrays of a segment of documents, either all with vectors or all without.

    Raises CorpusError (`damaged`) when layers do not fit together.
    """
    try:
        return _build(members)
    except (KeyError, ValueError, IndexError) as wrong:
        raise damaged(str(wrong)) from wrong


def _build(members: Sequence[Member]) -> dict[str, Array]:
    stored = [read_vectors(member.vectors.data) for member in members if member.vectors]
    matrices = [one.own for one in stored]
    unpacked = [unpack(member.terms.data) if member.terms else _NO_TERMS for member in members]
    sizes = [int(header["passages"]) for _, header in unpacked]
    if matrices:
        sizes = [
            len(matrix) if member.terms is None else size
            for member, matrix, size in zip(members, matrices, sizes, strict=True)
        ]
    starts = np.cumsum([0, *sizes])
    vectors = np.concatenate(matrices) if matrices else np.zeros((int(starts[-1]), 0), np.float32)
    if len(vectors) != starts[-1]:
        raise ValueError("passages and vectors differ in number")
    passages, counts, keys, first = _merged([arrays for arrays, _ in unpacked], starts)
    ids = TextColumn.of(member.id for member in members)
    marks = [[part.mark if part else 0 for part in (member.terms, member.vectors)] for member in members]
    return {
        "ids.text": ids.data,
        "ids.offsets": ids.offsets,
        "numbers": np.array([member.number for member in members], np.int64),
        "marks": np.array(marks, np.int64).reshape(-1, 2),
        "starts": starts.astype(np.int64),
        "lengths": np.bincount(passages, weights=counts, minlength=int(starts[-1])).astype(np.float32),
        "keys": keys,
        "first": first,
        "passage": passages.astype(np.int32),
        "count": np.minimum(counts, _MOST_COUNTED).astype(np.uint8),
        "vectors": vectors,
        **_multilingual(stored, starts),
    }


def _multilingual(stored: Sequence[StoredVectors], starts: Integers) -> dict[str, Array]:
    """Return the vectors by a model of many languages with their passages, where any document has some."""
    some = [(one, start) for one, start in zip(stored, starts, strict=False) if len(one.places)]
    if not some:
        return {}
    return {
        "multilingual": np.concatenate([one.multilingual for one, _ in some]),
        "read": np.concatenate([one.places + start for one, start in some]).astype(np.int64),
    }


_NO_TERMS: tuple[dict[str, Array], dict[str, Any]] = (
    {
        "terms.term.text": np.zeros(0, np.uint8),
        "terms.term.offsets": np.zeros(2, np.int64),
        "terms.first": np.zeros(1, np.int32),
        "postings.passage": np.zeros(0, np.int32),
        "postings.count": np.zeros(0, np.int32),
    },
    {"passages": 0},
)


def _merged(layers: Sequence[Mapping[str, Array]], starts: Integers) -> tuple[Array, Array, Integers, Integers]:
    """Return (passages, counts, keys, first): the postings of several documents, term after term."""
    terms = TextColumn.join([TextColumn(part["terms.term.text"], part["terms.term.offsets"]) for part in layers])
    # The last row of each vocabulary is an empty term without postings: it is sorted in as one and stays empty.
    sizes = [np.diff(part["terms.first"], append=part["terms.first"][-1:]) for part in layers]
    size = np.concatenate([np.zeros(0, np.int64), *sizes])
    passages = np.concatenate([np.zeros(0, np.int32), *(part["postings.passage"] for part in layers)])
    counts = np.concatenate([np.zeros(0, np.int32), *(part["postings.count"] for part in layers)])
    lengths = [len(part["postings.passage"]) for part in layers]
    begins, ends = (np.repeat(bounds.astype(np.int32), lengths) for bounds in (starts[:-1], starts[1:]))
    passages = passages + begins
    if not ((passages >= begins) & (passages < ends)).all():
        raise ValueError("a posting leads outside its document")
    keys, inverse = np.unique(term_keys(terms), return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    begin = np.cumsum(size) - size
    moved = size[order]
    shifts = (begin[order] - (np.cumsum(moved) - moved)).astype(np.int32)
    rows = np.repeat(shifts, moved) + np.arange(len(passages), dtype=np.int32)
    first = np.zeros(len(keys) + 1, np.int64)
    np.cumsum(np.bincount(inverse, weights=size, minlength=len(keys)), out=first[1:])
    return passages[rows], counts[rows], keys, first


def without(segment: Segment, gone: Mask) -> dict[str, Array]:
    """Return the arrays of a segment without some of its documents, (n,) bool, and without terms only these have."""
    kept = np.repeat(~gone, np.diff(segment.starts))
    held, read = kept[segment.passage], kept[segment.read]
    first = np.append(0, np.cumsum(held))[segment.first]
    common = np.flatnonzero(np.diff(first))
    ids = TextColumn.of(segment.ids.take(np.flatnonzero(~gone).tolist()))
    return {
        "ids.text": ids.data,
        "ids.offsets": ids.offsets,
        "numbers": segment.numbers[~gone],
        "marks": segment.marks[~gone],
        "starts": np.append(0, np.cumsum(np.diff(segment.starts)[~gone])),
        "lengths": segment.lengths[kept],
        "keys": segment.keys[common],
        "first": np.append(first[common], first[-1]),
        "passage": (np.cumsum(kept, dtype=np.int32) - 1)[segment.passage[held]],
        "count": segment.count[held],
        "vectors": segment.vectors[kept],
        **(
            {"multilingual": segment.multilingual[read], "read": (np.cumsum(kept) - 1)[segment.read[read]]}
            if read.any()
            else {}
        ),
    }


def write(folder: Path, arrays: Mapping[str, Array], embedding: str, corpus: str) -> Segment:
    """Write a segment's file, beside its place first, and return it; raise OSError."""
    private.make_folder(folder)
    name = f"segment-{uuid.uuid4().hex}.bin"
    draft = folder / f"{name}.tmp"
    header = {"format": _FORMAT, "corpus": corpus, "embedding": embedding, "checksum": _checksum(arrays)}
    try:
        with draft.open("xb") as file:
            private.seal(draft)
            file.writelines(packed(arrays, header))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(folder / name)
    finally:
        draft.unlink(missing_ok=True)
    return load(folder, name)


def load(folder: Path, name: str) -> Segment:
    """Map a segment's file; raise OSError, ValueError, KeyError or CorpusError when it is not whole."""
    arrays, header = _mapped(folder / name)
    if header["format"] != _FORMAT or arrays["vectors"].shape[0] != len(arrays["lengths"]):
        raise ValueError("another format")
    ids = TextColumn(arrays.pop("ids.text"), arrays.pop("ids.offsets"))
    columns: dict[str, Any] = {**_NO_OTHERS, **arrays, "corpus": header["corpus"], "embedding": header["embedding"]}
    return Segment(name=name, ids=ids, **columns)


_NO_OTHERS: Mapping[str, Array] = {"multilingual": np.zeros((0, 0), np.float32), "read": np.zeros(0, np.int64)}
"""What a segment has whose documents are all in English."""


def is_sound(folder: Path, segment: Segment) -> bool:
    """Whether a segment's file is what was written; reads all of it."""
    arrays, header = _mapped(folder / segment.name)
    return header["checksum"] == _checksum(arrays)


def _mapped(path: Path) -> tuple[dict[str, Array], dict[str, object]]:
    with path.open("rb") as file:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return unpack(cast("bytes", data))  # a map is read like bytes


def _checksum(arrays: Mapping[str, Array]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(np.ascontiguousarray(arrays[name]).reshape(-1).data)
    return digest.hexdigest()
