"""What the corpus answers to add, status and check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from octavo.corpus.store import DocumentInfo, Job, Quarantined
from octavo.evidence import Usage

if TYPE_CHECKING:
    from octavo.models.gateway import UsageRow


@dataclass(frozen=True, slots=True)
class Removal(DocumentInfo):
    """What `remove` does to a document, under the name of the file that was meant.

    `forgotten` are the paths that are forgotten. `remaining` are those that lead to it still: as long as there is one,
    the document stays. `deleted` are those of the forgotten whose bytes go too: files that were sent to the corpus,
    which has their only copy. All other files stay as they are.
    """

    forgotten: tuple[str, ...] = ()
    remaining: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()

    @property
    def is_gone(self) -> bool:
        """Whether the document goes with the files."""
        return not self.remaining


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be indexed; `reason` is a word of `SourceError`, `message` one line for people."""

    path: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a folder holds that was not read as a document.

    Reasons: `format` (no document), `no_text` (a picture without text that can be read), `hidden`, `link` (to another
    folder), `loop` (a link that leads back to itself), `closed` (what may not be read).
    """

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Copy:
    """A file with the bytes of another: both lead to one document, first `of`.

    Where it `is_moved`, `path` is gone from its folder and was forgotten, for `of` has its bytes.
    """

    path: str
    document_id: str
    of: str
    is_moved: bool = False


@dataclass(frozen=True, slots=True)
class CollectionReport:
    """What became of a file that holds many articles, in numbers: `articles` are in the corpus from it now.

    `skipped` and `remarks` count by a word or a few: why something is not indexed, what had to be guessed of what is.
    """

    path: str
    articles: int
    added: int = 0
    unchanged: int = 0
    removed: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict[str, int])
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """A few of what was skipped for each reason: a title or place, and what the matter is."""
    remarks: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class AddReport:
    """What became of each file: its document is new or new again, was there already, or could not be read.

    What folders hold besides documents is `left_out`. A file that could be read in part only is one of the documents.
    Articles of files that hold many are counted in `collections` and are in no other list.
    """

    added: tuple[DocumentInfo, ...] = ()
    unchanged: tuple[DocumentInfo, ...] = ()
    failed: tuple[Failure, ...] = ()
    collections: tuple[CollectionReport, ...] = ()
    stopped: str | None = None
    """The cap that ended the work of models, such as "max_calls"; the layers that are done are kept."""
    usage: Usage = field(default_factory=Usage)
    """What models took."""
    notes: tuple[str, ...] = ()
    """A line for each layer that a system asked for goes without, as things are configured, and for each file beside
    another that says what it is about and cannot be used."""
    left_out: tuple[LeftOut, ...] = ()
    copies: tuple[Copy, ...] = ()
    """Files that are copies of others, and paths that were forgotten because their file moved."""

    @property
    def damaged(self) -> tuple[DocumentInfo, ...]:
        """The documents of damaged files: what could be read of them is there."""
        return tuple(info for info in (*self.added, *self.unchanged) if info.damage)


@dataclass(frozen=True, slots=True)
class Status:
    """The corpus in figures. `bytes` is what it takes on disk, `derived_bytes` the part that can be made again."""

    path: str
    documents: int
    pages: int
    passages: int
    bytes: int
    derived_bytes: int
    jobs: tuple[Job, ...]
    quarantined: tuple[Quarantined, ...]
    layers: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many documents have each layer."""
    models: tuple[UsageRow, ...] = ()
    """What model calls took since the corpus was made, by decision and model."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong with the corpus. `document` is an id or a path, empty when it concerns all.

    Codes: `integrity`, `checksum`, `missing_layer`, `orphan`, `passage_index`, `expired_lease`,
    `vanished_source`, `kept_answer`.
    """

    code: str
    document: str
    message: str
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check found, first what is not mended."""

    findings: tuple[Finding, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing is left to repair. Files that have gone do not harm what was read from them."""
        return all(finding.repaired or finding.code == "vanished_source" for finding in self.findings)
