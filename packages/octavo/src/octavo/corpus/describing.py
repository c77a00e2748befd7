"""What documents of a corpus are about: what rules found, and what is set over it by hand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from octavo.about.description import GONE, DocumentDescription
from octavo.about.document_about import DocumentAbout
from octavo.about.fields import checked
from octavo.about.profile import DocumentProfile
from octavo.corpus import arguments
from octavo.corpus.ask.library_index import profiles_stored
from octavo.errors import UnknownDocumentError, UsageError

if TYPE_CHECKING:
    from octavo.corpus.backend import Backend
    from octavo.corpus.store import DocumentInfo


@arguments.checked
class Descriptions(ABC):
    """What a corpus tells of what its documents are about, and setting it."""

    @abstractmethod
    def _reading(self) -> Backend:
        """Return what is read from."""

    @abstractmethod
    def resolve(self, reference: str) -> DocumentInfo:
        """Return the one document that a reference means."""

    def about(self, reference: str) -> DocumentAbout:
        """Return what a document is about: its title, issuer, kind, date and more, and who says each of them.

        What is set by hand goes before what a file beside it says (`NAME.meta.json`), and that before what rules found.
        Raises as `resolve` does.
        """
        return self.all_about([self.resolve(reference)])[0]

    def all_about(self, infos: Sequence[DocumentInfo]) -> list[DocumentAbout]:
        """Return what each of some listed documents is about, as `about` does, in their order."""
        store, ids = self._reading().store, [info.id for info in infos]
        keys = profiles_stored(store, ids) if ids else []
        data = store.load_all(keys)
        profiles = {key.document_id: data[key.number] for key in keys if key.number in data}
        described = store.described(ids) if ids else {}
        return [_of(info, profiles.get(info.id), described.get(info.id, DocumentDescription())) for info in infos]

    def hidden(self, infos: Sequence[DocumentInfo]) -> set[str]:
        """Return the ids of those listed documents that are hidden, as their files left a folder that is watched."""
        ids = [info.id for info in infos]
        described = self._reading().store.described(ids) if ids else {}
        return {one for one, description in described.items() if description.fields.get(GONE)}

    def describe(self, reference: str, fields: Mapping[str, Any] | None = None, **named: Any) -> DocumentAbout:
        """Set what a document is about, by hand, and return what it is about then. What is set stays until taken back.

        Args:
            reference: The document, named as `resolve` does.
            fields: What is set, by field: `title`, `issuer`, `kind`, `version` and `language` are texts, `date` is
                "2023", "2023-08" or "2023-08-30", `period` years or quarters ("2022", "2023 Q2"), `tags` and `names`
                (further names and short forms) are lists of texts; any other name in small letters is a field of your
                own, with a text, a number or a list of texts. An empty value takes back what was set.
            named: The same, as arguments.

        Raises UsageError for a field or a value that none may have, and as `resolve` does; CorpusError (`locked`)
        where the corpus cannot be written.
        """
        if fields is not None and not isinstance(fields, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise arguments.wrong("fields", "a mapping from fields to values, or None", fields)
        wanted = checked({**(fields or {}), **named})
        info = self.resolve(reference)
        if not wanted:
            raise UsageError(f"nothing is set of {info.name}: name a field, such as title")
        if not self._reading().store.describe(info.id, "hand", wanted):
            raise UnknownDocumentError(reference)
        return self.all_about([info])[0]


def _of(info: DocumentInfo, profile: bytes | None, description: DocumentDescription) -> DocumentAbout:
    found = DocumentProfile(title=info.title) if profile is None else DocumentProfile.from_bytes(profile)
    return DocumentAbout.of(info.id, info.name, found, description)
