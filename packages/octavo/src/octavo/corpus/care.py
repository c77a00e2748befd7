"""What a corpus tells of itself: what it holds, what its layers were made from, and what could not be kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from octavo.corpus import location
from octavo.corpus.ask.names_apart import NamesApart
from octavo.corpus.backend import Backend
from octavo.corpus.index import fingerprints
from octavo.corpus.judges import Judges
from octavo.corpus.location import Location
from octavo.corpus.reports import Status
from octavo.corpus.store import DOCUMENT_PART, NO_TEXT, DocumentInfo, is_layer
from octavo_documents.document import Document


class CorpusCare(ABC):
    """What a corpus tells of itself."""

    path: Path
    location: Location
    _judges: Judges
    _names: NamesApart

    @abstractmethod
    def _reading(self) -> Backend:
        """Return what is read from."""

    def status(self) -> Status:
        """Return what the corpus holds, what is being done with it, and what models were asked."""
        opened = self._reading()
        totals, derived = opened.catalogue.totals(), location.derived_bytes(self.path)
        return Status(
            path=str(self.location),
            documents=totals.documents,
            pages=totals.pages,
            passages=totals.passages,
            bytes=opened.store.size_bytes() + derived,
            derived_bytes=derived,
            jobs=opened.store.jobs(),
            quarantined=tuple(case for case in opened.store.quarantined().values() if case.reason != NO_TEXT),
            layers=opened.catalogue.layers(),
            models=opened.journal.usage(),
        )

    def fingerprints(self, layers: Collection[str] | None = None) -> dict[str, str]:
        """Return, by document id, a digest of what the document and its layers, all or these, were made from."""
        return fingerprints.of_documents(self._reading().store.published(), layers)

    def layers(self, ids: Iterable[str] | None = None) -> dict[str, dict[str, str]]:
        """Return, by document id, the layers of all documents or some, and who decided in each: `rule` or `model`."""
        found: dict[str, dict[str, str]] = {}
        for key in self._reading().store.published(ids):
            if is_layer(key.name):
                by = "rule" if fingerprints.decided_by(key.fingerprint) == fingerprints.RULE else "model"
                found.setdefault(key.document_id, {})[key.name] = by
        return found

    def warnings(self, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return, by document id, what readers said of documents: what was left out, how they were taken.

        Each of them is loaded for it; those of which nothing was said are left out.
        """
        parts = self._reading().catalogue.load(ids, (DOCUMENT_PART,))
        said = ((one.key.document_id, Document.from_bytes(one.data, checked=False).metadata.warnings) for one in parts)
        return {document: warnings for document, warnings in said if warnings}

    def names_apart(self, documents: Sequence[DocumentInfo]) -> dict[str, str]:
        """Return, by id, what those of some documents are called that share their name: the end of their path."""
        return self._names.of(self._reading().catalogue, documents)

    @property
    def unkept_replies(self) -> int:
        """How many replies of models were paid for and could not be kept, as on a full disk."""
        return self._judges.unkept
