"""Exact vector search over all documents, by one matrix product over a memory-mapped file.

Owns the file, which is derived from stored parts: made when missing or out of date, written beside the old one and
renamed, so that readers in other processes go on undisturbed. Knows nothing about where vectors come from.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import time
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.corpus.connections import disk_full
from octavo.document.columns import pack, unpack
from octavo.errors import CorpusError

_HEAD_BYTES = 64
_MAGIC = b"OCTVMAT1"
_DRAFT_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a matrix was made from: the corpus (32 hex digits) and its generation."""

    corpus: str
    generation: int

    @property
    def filename(self) -> str:
        """Name of the matrix' file."""
        return f"{self.prefix}{self.generation:012}.bin"

    @property
    def prefix(self) -> str:
        """What the names of all matrices of this corpus start with; they sort by generation."""
        return f"vectors-{self.corpus[:8]}-"


@dataclass(frozen=True, slots=True)
class Matrix:
    """Vectors of many documents: document i has rows `[starts[i], starts[i + 1])`."""

    documents: tuple[str, ...]
    starts: npt.NDArray[np.int64]
    values: npt.NDArray[np.float32]
    """(n, dimension) float32, memory-mapped."""

    def best(self, query: npt.NDArray[np.float32], ids: Iterable[str] | None = None) -> list[tuple[str, float]]:
        """Return (document id, similarity of its best passage), best first; of all documents or of some.

        `query` is (dimension,) float32 of length 1, similarity -1..1; ties go by the documents' order.
        """
        starts = self.starts[:-1]
        filled = np.flatnonzero(np.diff(self.starts))
        if not len(filled) or self.values.shape[1] != len(query):
            return []
        similarity = np.maximum.reduceat(self.values @ query, starts[filled])
        order = np.argsort(-similarity, kind="stable")
        wanted = None if ids is None else set(ids)
        ranked = ((self.documents[filled[at]], float(similarity[at])) for at in order)
        return [(document, score) for document, score in ranked if wanted is None or document in wanted]


def load(folder: Path, stamp: Stamp) -> Matrix | None:
    """Return the matrix of this stamp, None when there is none or its file is not whole."""
    path = folder / stamp.filename
    try:
        return _load(path)
    except (OSError, ValueError, KeyError, CorpusError):
        return None


def save(folder: Path, stamp: Stamp, parts: Iterable[tuple[str, npt.NDArray[np.floating[Any]]]]) -> Matrix:
    """Write the matrix of (document id, (n, dimension) vectors) and return it.

    Documents without vectors of the first one's dimension are left out. Raises CorpusError (`full`).
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / stamp.filename
    draft = folder / f"{uuid.uuid4().hex}.tmp"
    try:
        _write(draft, parts)
        draft.replace(path)
        matrix = _load(path)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise disk_full(path) from error
        raise CorpusError("locked", f"{path} cannot be written ({error.strerror}): check the folder") from error
    finally:
        draft.unlink(missing_ok=True)
    sweep(folder, stamp)
    return matrix


def sweep(folder: Path, stamp: Stamp) -> None:
    """Remove matrices older than a stamp, and drafts of processes that died."""
    for path in stale_files(folder, stamp):
        if not path.name.startswith(stamp.prefix) or path.name < stamp.filename:
            with contextlib.suppress(OSError):  # still mapped by a reader on Windows: the next sweep takes it
                path.unlink()


def stale_files(folder: Path, stamp: Stamp) -> list[Path]:
    """Return matrices of other stamps, and drafts so old that nobody writes them any more."""
    matrices = [path for path in folder.glob("vectors-*.bin") if path.name != stamp.filename]
    return sorted([*matrices, *filter(_is_abandoned, folder.glob("*.tmp"))])


def _is_abandoned(draft: Path) -> bool:
    try:
        return time.time() - draft.stat().st_mtime > _DRAFT_SECONDS
    except FileNotFoundError:
        return False


def is_sound(folder: Path, stamp: Stamp) -> bool:
    """Whether the file of this stamp is whole, down to its checksum; reads all of it."""
    path = folder / stamp.filename
    matrix = load(folder, stamp)
    if matrix is None:
        return False
    index = _index_bytes(path)
    _, header = unpack(index)
    return header["checksum"] == hashlib.sha256(matrix.values.tobytes()).hexdigest()


def _write(path: Path, parts: Iterable[tuple[str, npt.NDArray[np.floating[Any]]]]) -> None:
    """Write a head of fixed size, the rows, and last the index, whose place the head names."""
    documents: list[str] = []
    lengths: list[int] = []
    dimension = 0
    digest = hashlib.sha256()
    with path.open("xb") as file:
        file.write(bytes(_HEAD_BYTES))
        for document, vectors in parts:
            dimension = dimension or vectors.shape[1]
            if vectors.shape[1] != dimension:
                continue
            rows = np.ascontiguousarray(vectors, "<f4").tobytes()
            digest.update(rows)
            file.write(rows)
            documents.append(document)
            lengths.append(len(vectors))
        index_at = file.tell()
        starts = np.cumsum([0, *lengths]).astype("<i8")
        header = {"documents": documents, "dimension": dimension, "checksum": digest.hexdigest()}
        file.write(pack({"starts": starts}, header))
        file.seek(0)
        file.write(_MAGIC + index_at.to_bytes(8, "little") + dimension.to_bytes(8, "little"))
        file.flush()
        os.fsync(file.fileno())


def _index_bytes(path: Path) -> bytes:
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
        if head[:8] != _MAGIC:
            raise ValueError("not a matrix")
        file.seek(int.from_bytes(head[8:16], "little"))
        return file.read()


def _load(path: Path) -> Matrix:
    arrays, header = unpack(_index_bytes(path))
    starts, dimension = arrays["starts"], int(header["dimension"])
    rows = int(starts[-1])
    if len(header["documents"]) != len(starts) - 1:
        raise ValueError("index and documents differ")
    # An empty file cannot be mapped.
    values = (
        np.memmap(path, "<f4", "r", _HEAD_BYTES, (rows, dimension))
        if rows and dimension
        else np.zeros((0, dimension), np.float32)
    )
    return Matrix(tuple(header["documents"]), starts, values)
