"""What the corpus asks of a store, and the values that pass between them.

Owns the `Store` protocol, which leaves room for one spread over machines: no method takes a connection, a file or a
row number of the store. Knows nothing about SQLite, parsing or layers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

DOCUMENT_PART = "document"
"""Name of the part that holds a document itself; every other part is a layer, under the layer's name."""


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """What the corpus lists of a document.

    `id` is "sha256:" and the digest of the file's bytes, `name` the file's name, `path` where it was first found,
    `size_bytes` the file's size, `added` when it was indexed (UTC, ISO 8601).
    """

    id: str
    name: str
    path: str
    pages: int
    scanned_pages: int
    blocks: int
    sections: int
    passages: int
    size_bytes: int
    added: str


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was indexed: where, and how it looked then. `mtime_ns` is -1 when it must be read again."""

    path: str
    size: int
    mtime_ns: int
    document_id: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A document or a layer, packed, and the fingerprint of everything it was made from."""

    name: str
    fingerprint: str
    data: bytes


@dataclass(frozen=True, slots=True)
class PartKey:
    """Names one stored part for good: what a key names never changes, it can only go."""

    document_id: str
    name: str
    fingerprint: str
    number: int


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to index one document, until it is released, expires or its owner dies."""

    document_id: str
    token: str


@dataclass(frozen=True, slots=True)
class Job:
    """A document that is being indexed, or was when its process ended. `is_running` says which."""

    document_id: str
    path: str
    started: str
    is_running: bool
    parts: tuple[str, ...]
    """Names of the parts that are done and kept."""


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A file that killed its parser and is left alone until the file or the parser changes."""

    document_id: str
    path: str
    parser: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Publication:
    """All that makes a document visible: its counts, its parts (already stored) and its passages' terms.

    `ocr` is the mode it was read with; `terms` holds one string per passage, its terms joined by spaces.
    """

    info: DocumentInfo
    ocr: str
    parts: Mapping[str, str]
    """Fingerprint by part name."""
    terms: Sequence[str]


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found by terms; `score` is higher for better."""

    document_id: str
    passage: int
    score: float


class Store(Protocol):
    """Where documents, layers and jobs are kept. Thread-safe, and safe to use from several processes at once.

    Readers see whole documents only: a document appears, changes and goes in one step. Methods raise CorpusError
    (`full`, `locked`, `damaged`); after an error nothing is half-written.
    """

    def documents(self) -> tuple[DocumentInfo, ...]:
        """Return the visible documents in the order of their paths, whatever the order they were added in."""
        ...

    def ocr_modes(self) -> dict[str, str]:
        """Return, by document id, the mode it was read with."""
        ...

    def sources(self) -> dict[str, Source]:
        """Return every file that visible documents came from, by `path_key` of its path."""
        ...

    def published(self, ids: Iterable[str] | None = None) -> list[PartKey]:
        """Return the parts of visible documents, of all or of some."""
        ...

    def staged(self, document_id: str) -> dict[str, PartKey]:
        """Return every part stored for a document, by fingerprint, whether it is visible or not."""
        ...

    def load(self, key: PartKey) -> bytes | None:
        """Return a part, None when it has gone. Raises CorpusError (`damaged`) when its checksum is wrong."""
        ...

    def claim(self, document_id: str, path: str) -> Lease | None:
        """Take the right to index a document; None while someone else who lives has it."""
        ...

    def renew(self) -> None:
        """Put off the end of every lease this store holds."""
        ...

    def release(self, lease: Lease, *, keep: bool) -> None:
        """Give a lease back; `keep` keeps what was staged, for whoever goes on."""
        ...

    def stage(self, lease: Lease, part: Part) -> None:
        """Keep a finished part of a document that is not visible yet. Raises LeaseLost."""
        ...

    def publish(self, lease: Lease, publication: Publication, source: Source) -> DocumentInfo:
        """Make a document visible in one step, in the place of what `source` led to before. Raises LeaseLost."""
        ...

    def extend(self, lease: Lease, part: Part, *, without: Sequence[str] = ()) -> None:
        """Make a part of a visible document visible, in the place of the one of its name; the parts `without` go.

        Raises LeaseLost.
        """
        ...

    def attach(self, source: Source) -> DocumentInfo | None:
        """Let one more file lead to a visible document; None when the document is not visible."""
        ...

    def remove(self, ids: Iterable[str]) -> None:
        """Remove documents and all that was made from them."""
        ...

    def quarantine(self, case: Quarantined) -> None:
        """Remember that a file killed its parser."""
        ...

    def quarantined(self) -> dict[str, Quarantined]:
        """Return the files that killed their parser, by document id."""
        ...

    def pardon(self) -> int:
        """Forget every quarantined file; return how many there were."""
        ...

    def jobs(self) -> tuple[Job, ...]:
        """Return the documents being indexed, and those whose indexing was interrupted."""
        ...

    def match(self, terms: Sequence[str], ids: Sequence[str] | None, *, limit: int) -> list[Hit]:
        """Return the passages that fit the terms best (BM25), best first, of all documents or of some."""
        ...

    def identity(self) -> str:
        """Return 32 hex digits that tell this store from every other one."""
        ...

    def generation(self) -> int:
        """Return a number that grows with every change of the visible documents."""
        ...

    def size_bytes(self) -> int:
        """Return what the store takes on disk."""
        ...

    def close(self) -> None:
        """Give back files and leases."""
        ...


class LeaseLost(Exception):
    """The lease ran out and someone else took it: what was being done is theirs now."""
