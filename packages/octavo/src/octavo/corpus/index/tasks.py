"""A document on its way into the store: found, then taken under a lease, then read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from octavo.corpus.store import Lease, Source
from octavo.errors import SourceError
from octavo_documents.document import Document
from octavo_documents.parsing.article_messages import ToRead


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file, or an article of one, that may have to be indexed."""

    source: Source
    """How it looks, with its document's id once that is known."""
    order: int = 0
    """Its place in the report."""
    is_found: bool = False
    """Whether it was found in a folder; else somebody named it."""
    is_small: bool = False
    """Whether it is a file that is read together with others."""
    replaces: str = ""
    """The document its path led to when it was found."""
    text: ToRead | None = field(default=None, repr=False)
    """What is read, of an article and of a small file; any other file is read from its path."""

    @property
    def id(self) -> str:
        """The document's id."""
        return self.source.document_id

    @property
    def is_article(self) -> bool:
        """Whether it is one of many in a file."""
        return bool(self.source.container)


@dataclass(frozen=True, slots=True)
class Task:
    """A candidate whose document this process has the lease of."""

    candidate: Candidate
    lease: Lease
    fingerprints: dict[str, str]
    """Of the document and the layers every document has, by part name."""
    remembered: Source
    """What is stored of its file: one that changed moments before it was looked at is read again by the next run."""
    is_visible: bool = False
    """Whether the document is visible already, in an older state."""

    @property
    def source(self) -> Source:
        """How its file looks."""
        return self.candidate.source

    @property
    def id(self) -> str:
        """The document's id."""
        return self.lease.document_id


@dataclass(slots=True)
class Draft:
    """A document that was read, and its layers so far."""

    task: Task
    document: Document = field(repr=False)
    unstored: dict[str, bytes] = field(default_factory=dict[str, bytes], repr=False)
    """Parts that are stored when it is published; those of a file that is read by itself are stored one by one."""
    layers: dict[str, bytes] = field(default_factory=dict[str, bytes], repr=False)


class IndexingOutcome(Protocol):
    """Hears what became of candidates."""

    def added(self, candidates: Sequence[Candidate]) -> None:
        """Their documents are new, or new again."""
        ...

    def unchanged(self, candidates: Sequence[Candidate]) -> None:
        """Their documents were there as they are to be."""
        ...

    def failed(self, candidate: Candidate, error: SourceError) -> None:
        """It is not indexed."""
        ...
