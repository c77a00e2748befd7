"""Reading and embedding that was done once for many corpora of the same files: the same bytes, from memory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from octavo.models.minilm import MiniLmEmbedder
from octavo_documents.structuring.parser_pool import ParserPool


@contextlib.contextmanager
def kept(documents: dict[Any, bytes], vectors: dict[Any, np.ndarray]) -> Iterator[None]:
    """Keep in two tables what a file was read as and what texts were embedded as, in this process.

    Only what is read without a layout model is kept: with one a reading depends on more than the file and its options.
    """
    read, embed = ParserPool.parse, MiniLmEmbedder.embed

    def parse(pool: ParserPool, path: str | Path, **how: Any) -> bytes:
        if how.get("layout") is not None:
            return read(pool, path, **how)
        told = {name: how.get(name) for name in ("name", "digest", "password", "ocr", "printed")}
        key = (pool._limits, type(how.get("recognizer")), *told.items())
        if key not in documents:
            documents[key] = read(pool, path, **how)
        return documents[key]

    def embedded(
        embedder: MiniLmEmbedder, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        key = (embedder.name, *texts)
        if key not in vectors:
            vectors[key] = embed(embedder, texts, progress=progress)
        return vectors[key].copy()

    with mock.patch.object(ParserPool, "parse", parse), mock.patch.object(MiniLmEmbedder, "embed", embedded):
        yield
