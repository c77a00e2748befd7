"""A corpus without PDFs or models: text files are documents, and vectors are made from their words.

A file's lines are its blocks; "# " starts a heading, a form feed a new page. Lines that begin with "!" order the fake
parser to misbehave: "!damaged", "!crash", "!slow 2".
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np

import synthetic
from octavo.corpus import Corpus
from octavo.corpus.ask.views import Changed
from octavo.corpus.index.builders import Builders
from octavo.corpus.store.checksums import checksum
from octavo.errors import SourceError
from octavo.evidence import PassageTable
from octavo.layers import PASSAGES, TERMS
from octavo.layers.base import Layer, LayerInputs
from octavo.models.language import LanguageModel
from octavo.models.ports import Raster, RecognizedLine
from octavo_documents.document import Kind
from octavo_documents.document.columns import pack

__all__ = ["Changed", "checksum"]

DIMENSION = 32


class TextParser:
    """A `Parser` of text files that notes what it reads."""

    def __init__(self, workers: int = 1, log: list[str] | None = None) -> None:
        self.workers = workers
        self.log = [] if log is None else log
        self.closed = threading.Event()

    def parse(
        self, path: str, *, name: str, digest: str, progress: Callable[[int, int], None] | None = None, **_
    ) -> bytes:
        self.log.append(Path(path).name)
        texts = Path(path).read_text().split("\f")
        lines = [(line, page) for page, text in enumerate(texts, 1) for line in text.splitlines()]
        for line, _page in lines:
            self._misbehave(line, path)
        rows = [
            (Kind.HEADING, line[2:], page, 1) if line.startswith("# ") else (Kind.PARAGRAPH, line, page, 0)
            for line, page in lines
        ]
        document = synthetic.document(rows, name=name)
        if progress:
            progress(len(document.pages), len(document.pages))
        object.__setattr__(document, "id", f"sha256:{digest}")
        return document.to_bytes()

    def _misbehave(self, line: str, path: str) -> None:
        if line.startswith("!damaged"):
            raise SourceError("damaged", f"{path} is damaged")
        if line.startswith("!crash"):
            raise SourceError("crashed", f"{path} made the PDF reader crash")
        if line.startswith("!slow"):
            self.closed.wait(float(line.split()[1]))

    def close(self) -> None:
        self.closed.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class NoRecognizer:
    name = "none"

    def read(self, raster: Raster) -> tuple[RecognizedLine, ...]:
        raise AssertionError("nothing to read")


@functools.cache
def _vector_of(word: str) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    return np.random.default_rng(seed).standard_normal(DIMENSION)


class WordEmbedder:
    """Texts that share words have similar vectors."""

    name = "words"
    dimension = DIMENSION

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> np.ndarray:
        vectors = np.zeros((len(texts), DIMENSION), np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"\w+", text.lower()):
                vectors[row] += _vector_of(word)
            vectors[row] /= np.linalg.norm(vectors[row]) or 1
        return vectors


def _vectors(inputs: LayerInputs) -> bytes:
    texts = list(PassageTable.from_bytes(inputs.stored["passages"]).text)
    return pack({"vectors": WordEmbedder().embed(texts).astype(np.float16)}, {})


VECTORS = Layer(name="vectors", version=1, reads=("passages",), build=_vectors, model=lambda: "words")


def layers(*, slow: float = 0.0, log: list[str] | None = None) -> dict[str, Layer]:
    """Return the layers; `slow` is how many seconds the vectors of a document take."""

    def build(inputs: LayerInputs) -> bytes:
        if log is not None:
            log.append(inputs.document.name)
        deadline = time.monotonic() + slow
        while time.monotonic() < deadline:
            time.sleep(0.005)
        return _vectors(inputs)

    vectors = Layer(name="vectors", version=1, reads=("passages",), build=build, model=lambda: "words")
    return {layer.name: layer for layer in (PASSAGES, TERMS, vectors)}


def builders(*, version: str = "1", slow: float = 0.0, log: list[str] | None = None) -> Builders:
    """Return builders of text files; `log` collects the names of the files that are read."""
    return Builders(
        version, lambda workers: TextParser(workers, log), NoRecognizer, layers(slow=slow), embedder=WordEmbedder
    )


def place_of(folder: Path) -> str | Path:
    """Return where the corpus is that a test has in a folder; other engines have another place for it."""
    return folder


def corpus(
    folder: Path,
    *,
    version: str = "1",
    slow: float = 0.0,
    log: list[str] | None = None,
    models: LanguageModel | None = None,
) -> Corpus:
    """Open a corpus of text files."""
    return Corpus(place_of(folder), models=models, builders=lambda: builders(version=version, slow=slow, log=log))


def write(folder: Path, **texts: str) -> list[Path]:
    """Write files, long enough ago for their time stamps to be believed; return their paths."""
    return [write_file(folder / f"{name}.pdf", text) for name, text in texts.items()]


_ticks = iter(range(1, 1 << 62))


def write_file(path: Path, text: str) -> Path:
    """Write one file with a time stamp of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    stamp = 1_600_000_000 + next(_ticks)
    os.utime(path, (stamp, stamp))
    return path


def digest_of(path: Path) -> str:
    """Return the id of the document a file will be."""
    return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()
