"""What the corpus asks of a store, and the values that pass between them.

The protocols leave room for a store spread over machines: no method takes a connection, a file or a row number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from octavo.about.description import DocumentDescription, SetBy
from octavo.about.fields import FieldValue

DOCUMENT_PART = "document"
"""Name of the part that holds a document itself; every other part is a layer, under the layer's name."""
PREVIOUS_SUFFIX = ".earlier"
"""Ends the name of a part that keeps a layer's previous state, which nobody reads but the layer's builder."""
LEASE_SECONDS = 60.0
"""A lease not renewed for so long is anyone's; a living owner renews well before."""
NO_TEXT = "no_text"
"""The reason for which a picture found in a folder is left out. It is remembered as quarantined files are."""


def is_layer(part: str) -> bool:
    """Whether a part of this name is a layer that systems read: no document, no previous state of a layer."""
    return part != DOCUMENT_PART and not part.endswith(PREVIOUS_SUFFIX)


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """What the corpus lists of a document.

    `id` is "sha256:" and the digest of the file's bytes, `name` the file's name, `path` where it was first found,
    `size_bytes` the file's size, `added` when it was indexed (UTC, ISO 8601). `title` is what it says it is called, ""
    where that is its name, and `damage` what of a damaged file could be read, "" of a whole one.
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
    title: str = ""
    damage: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was indexed: where, and how it looked then. `mtime_ns` is -1 when it must be read again.

    One article of a file that holds many names that file as its `container`: its `path` is "CONTAINER#TITLE", and
    `mtime_ns` is the number of the reading that last found it. Of an address, `mtime_ns` stands for what its server
    says that changes with the document, and `file` is where its bytes are while it is read.
    """

    path: str
    size: int
    mtime_ns: int
    document_id: str = ""
    container: str = ""
    file: str = ""

    @property
    def at(self) -> str:
        """Where its bytes are."""
        return self.file or self.path

    def message_of(self, error: Exception) -> str:
        """Return what an error says, of the address where it speaks of the file that was fetched from there."""
        return str(error).replace(self.file, self.path) if self.file else str(error)


@dataclass(frozen=True, slots=True)
class DocumentPart:
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
class StoredPart:
    """A visible part and its bytes. `mark` is an int64 that tells it from every other part, in all stores."""

    key: PartKey
    mark: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to index one document, until it is released or, by the store's clock, not renewed in time.

    A store that sees that its owner is dead ends it at once.
    """

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


class Taken(NamedTuple):
    """A document that was taken from the queue, and how many attempts to index it failed."""

    document_id: str
    path: str
    attempts: int


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
    """All that makes a document visible: its counts, the OCR mode it was read with, and its parts, already stored."""

    info: DocumentInfo
    ocr: str
    parts: Mapping[str, str]
    """Fingerprint by part name."""


@dataclass(frozen=True, slots=True)
class Ready:
    """A document that is built: its lease, what makes it visible, the source that leads to it, parts not stored yet."""

    lease: Lease
    publication: Publication
    source: Source
    parts: Sequence[DocumentPart]


@dataclass(frozen=True, slots=True)
class FoundArticle:
    """An article of a container as it was last found: its document, and in which reading."""

    document_id: str
    reading: int


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A container that was read to its end.

    How it looked then, what it was read with, and what was skipped, by reason.
    """

    size: int
    mtime_ns: int
    fingerprint: str
    skipped: Mapping[str, int]


class BulkStore(Protocol):
    """The part of a store that takes many documents at once, and knows the files that hold them.

    Each call is one transaction. Raises CorpusError as `Store` does.
    """

    def last_read(self, container: str) -> ReadDocument | None:
        """Return what is known of a container, None when it was never read to its end."""
        ...

    def begin_reading(self, container: str) -> int:
        """Return the number of a new reading of a container, larger than those before."""
        ...

    def finish_reading(self, container: str, reading: int, read: ReadDocument) -> int:
        """Note that a container was read to its end; the articles not found any more go. Return how many."""
        ...

    def count_articles(self, container: str) -> int:
        """Return how many articles of a container are visible."""
        ...

    def article_ids(self, container: str) -> list[tuple[str, str]]:
        """Return the document and the path of each article of a container."""
        ...

    def find_names(self, container: str, names: Sequence[str]) -> dict[str, FoundArticle]:
        """Return the articles of these names."""
        ...

    def find_ids(self, container: str, ids: Sequence[str]) -> dict[str, int]:
        """Return, for documents that are articles of a container, the last reading that found them there."""
        ...

    def find_documents(self, ids: Sequence[str]) -> list[DocumentInfo]:
        """Return what is listed of the visible documents among these."""
        ...

    def claim_many(self, items: Sequence[tuple[str, str]]) -> list[Lease | None]:
        """Take the right to index documents, as `Store.claim` does each."""
        ...

    def release_many(self, leases: Sequence[Lease]) -> None:
        """Give leases back, and what was staged under them up."""
        ...

    def attach_many(self, sources: Sequence[Source]) -> list[bool]:
        """Let sources lead to visible documents; return for each whether its document is there."""
        ...

    def publish_many(self, batch: Sequence[Ready]) -> list[bool]:
        """Make documents visible in one step; return for each whether its lease was still held."""
        ...


class StoreCare(Protocol):
    """Looks for damage in a store and takes it out. Raises CorpusError as `Store` does."""

    def integrity(self, *, mend: bool) -> tuple[list[str], list[str]]:
        """Return what is wrong with the engine's files, and what is left of that where it was to `mend` them."""
        ...

    def damaged_parts(self) -> Iterator[tuple[PartKey, bool]]:
        """Read every stored part; yield those that are damaged, and whether they are visible."""
        ...

    def drop(self, key: PartKey) -> None:
        """Take a stored part out."""
        ...

    def orphans(self, *, remove: bool) -> dict[str, int]:
        """Return how much is stored that belongs to nothing, by what it is; `remove` it."""
        ...

    def abandoned(self, *, forget: bool) -> tuple[Job, ...]:
        """Return the jobs whose process went away without giving up its lease; `forget` gives the leases up."""
        ...

    def replies(self, *, forget: bool) -> int:
        """Return how many kept replies of models are damaged; `forget` removes them, so that they are asked again."""
        ...


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

    def sources(self, paths: Iterable[str] | None = None, *, ids: Iterable[str] | None = None) -> dict[str, Source]:
        """Return the files that visible documents came from, by `path_key` of the path, the first found first.

        All, or those of some paths, or those of some documents.
        """
        ...

    def published(self, ids: Iterable[str] | None = None, *, names: Iterable[str] | None = None) -> list[PartKey]:
        """Return the parts of visible documents, of all or of some, of all names or of some."""
        ...

    def staged(self, document_id: str) -> dict[str, PartKey]:
        """Return every part stored for a document, by fingerprint, whether it is visible or not."""
        ...

    def load(self, key: PartKey) -> bytes | None:
        """Return a part, None when it has gone. Raises CorpusError (`damaged`) when its checksum is wrong."""
        ...

    def load_all(self, keys: Sequence[PartKey]) -> dict[int, bytes]:
        """Return the bytes of parts by number, without those that have gone. Raises as `load` does."""
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

    def stage(self, lease: Lease, part: DocumentPart) -> None:
        """Keep a finished part of a document that is not visible yet. Raises LeaseLost."""
        ...

    def replace_part(self, lease: Lease, part: DocumentPart, *, without: Sequence[str] = ()) -> None:
        """Make a part of a visible document visible, in the place of the one of its name; the parts `without` go.

        Raises LeaseLost.
        """
        ...

    def remove(self, ids: Iterable[str]) -> None:
        """Remove documents and all that was made from them."""
        ...

    def detach(self, sources: Iterable[Source]) -> list[str]:
        """Let files lead to their documents no more, in one step; a document goes with its last file.

        Return the ids of the documents that went. A file that leads elsewhere by now is left alone.
        """
        ...

    def described(self, ids: Iterable[str] | None = None) -> dict[str, DocumentDescription]:
        """Return what was set of visible documents, by id, of all or of some; those without are left out."""
        ...

    def describe(
        self, document_id: str, by: SetBy, fields: Mapping[str, FieldValue | None], *, anew: bool = False
    ) -> bool:
        """Set fields of a visible document, as `DocumentDescription.with_set`; return whether there is one.

        They go with the document. A document that takes the place of another at a path takes its fields over.
        Raises UsageError.
        """
        ...

    def cells(self, ids: Iterable[str]) -> dict[str, dict[str, str]]:
        """Return the cells of tables that are kept of visible documents: by id and key, each as it was kept."""
        ...

    def keep_cell(self, document_id: str, key: str, cell: str | None) -> bool:
        """Keep a cell of a visible document, or none; return whether there is one.

        It goes with the document. The key has hexadecimal digits.
        """
        ...

    def quarantine(self, case: Quarantined) -> None:
        """Remember that a file killed its parser."""
        ...

    def quarantined(self, ids: Iterable[str] | None = None) -> dict[str, Quarantined]:
        """Return the files that killed their parser, all or those among some documents, by document id."""
        ...

    def clear_quarantine(self) -> int:
        """Forget every quarantined file; return how many there were."""
        ...

    def jobs(self, ids: Iterable[str] | None = None) -> tuple[Job, ...]:
        """Return the documents being indexed, and those whose indexing was interrupted; all or those among some."""
        ...

    def identity(self) -> str:
        """Return 32 hex digits that tell this store from every other one."""
        ...

    def generation(self) -> int:
        """Return a number that grows with every change of the visible documents."""
        ...

    @property
    def lease_seconds(self) -> float:
        """After how long a lease ends that is not renewed."""
        ...

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written from here."""
        ...

    @property
    def bulk(self) -> BulkStore:
        """The part of the store that takes many documents at once."""
        ...

    def size_bytes(self) -> int:
        """Return what the store takes on disk."""
        ...

    def close(self) -> None:
        """Give back files and leases."""
        ...


class LeaseLost(Exception):
    """The lease ran out and someone else took it: what was being done is theirs now."""
