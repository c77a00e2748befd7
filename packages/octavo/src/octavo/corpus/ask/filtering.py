"""Documents that fit a filter of what they are about, of a whole corpus or of some."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from octavo.about.description import DocumentDescription
from octavo.about.document_about import DocumentAbout
from octavo.about.fields import FIELDS
from octavo.about.profile import DocumentProfile
from octavo.about.where import check_fields, parsed

if TYPE_CHECKING:
    from octavo.corpus.ask.library_index import LibraryIndex
    from octavo.corpus.backend import Backend

_PLAIN = DocumentDescription()


def fitting(backend: Backend, library: LibraryIndex, numbers: Sequence[int] | None, where: str) -> list[int]:
    """Return the numbers, of all documents or of some, in their order, that fit a filter (`octavo.about.where`).

    Raises UsageError for one that cannot be read, and for a field that no document of the corpus has.
    """
    part, store, catalogue = parsed(where), backend.store, backend.catalogue
    described = store.described()
    check_fields(part, own_fields(described.values()))
    profiles = library.read(store, catalogue)
    among = catalogue.ordered(None, None, "path") if numbers is None else numbers
    infos = catalogue.found(among)
    found = list[int]()
    for number in among:
        if (info := infos.get(number)) is not None:
            profile = profiles.get(info.id) or DocumentProfile(title=info.title)
            if part.holds(DocumentAbout.of(info.id, info.name, profile, described.get(info.id, _PLAIN))):
                found.append(number)
    return found


def own_fields(described: Iterable[DocumentDescription]) -> set[str]:
    """Return the names of the fields of their own that documents have."""
    return {field for one in described for field in one.fields} - {*FIELDS}
