"""Forgetting files: which of them words mean, and which documents go with their last file.

A document is known by its bytes, so that several files may lead to it. What is taken out is a file; the document stays
as long as another file leads to it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from octavo.corpus import location
from octavo.corpus.ask.views import Views
from octavo.corpus.backend import Backend
from octavo.corpus.index.pictures import RenderedPdfs
from octavo.corpus.reports import Removal
from octavo.corpus.store import DocumentInfo, Source, Store
from octavo.corpus.store.paths import name_of, shown, source_key
from octavo.corpus.store.references import Fit, Meaning
from octavo.errors import UsageError

_NAMED = 8
"""Files that a message names at most."""
_ALONE = {Fit.NAME, Fit.PART}
"""How one file is meant, and never several."""


def removals(
    backend: Backend, references: Sequence[str | Path | Removal], folder: Path, *, in_full: bool
) -> tuple[dict[str, int], tuple[Removal, ...]]:
    """Return the numbers of documents by id, and what would be forgotten of each when references are removed.

    Raises as `Catalogue.resolve` does, and UsageError for a name that several files have.
    """
    numbers: dict[str, int] = {}
    chosen: dict[str, tuple[DocumentInfo, list[Source], set[str]]] = {}
    for reference in references:
        for number, info, files, meant in _meant(backend, reference, in_full=in_full):
            numbers[info.id] = number
            known = chosen.setdefault(info.id, (info, files, set()))
            known[2].update(map(source_key, meant))
    return numbers, tuple(_removal(*one, folder) for one in chosen.values())


def remove(
    backend: Backend, references: Sequence[str | Path | Removal], folder: Path, views: Views
) -> tuple[Removal, ...]:
    """Forget what references mean, in the store and in the folder of the corpus; return what became of documents.

    Files that were sent to the corpus are deleted.
    """
    numbers, planned = removals(backend, references, folder, in_full=True)
    wanted = {one.id: {*one.forgotten} for one in planned}
    files = backend.store.sources(ids=wanted).values()
    gone = backend.store.detach([one for one in files if one.path in wanted[one.document_id]])
    if gone:
        views.clear()
        _clear(backend, folder, {document: numbers[document] for document in gone})
    for path in (path for one in planned for path in one.deleted):
        shutil.rmtree(Path(path).parent, ignore_errors=True)
    left = paths(backend.store, wanted.keys() - {*gone})
    return tuple(replace(one, remaining=left.get(one.id, ())) for one in planned)


def _clear(backend: Backend, folder: Path, gone: Mapping[str, int]) -> None:
    """Remove what is kept beside the store of documents that went, their numbers by id."""
    from octavo.corpus.places.pages import KeptWords

    backend.first_stage.forget([*gone.values()])
    KeptWords(location.words(folder)).forget(gone)
    RenderedPdfs(location.printed(folder), is_wanted=False).forget(gone)


def paths(store: Store, ids: Iterable[str] | None) -> dict[str, tuple[str, ...]]:
    """Return the files that lead to each of all documents or some, the first found first."""
    found = _by_document(store.sources(ids=ids).values())
    return {document: tuple(file.path for file in files) for document, files in found.items()}


def _meant(
    backend: Backend, reference: str | Path | Removal, *, in_full: bool
) -> Iterator[tuple[int, DocumentInfo, list[Source], list[Source]]]:
    """Yield number, document, its files and those of them that are meant, for each document a reference means."""
    catalogue = backend.catalogue
    name = reference.id if isinstance(reference, Removal) else str(reference)
    numbers = catalogue.numbers_of(name, in_full=in_full)
    found = catalogue.found(numbers)
    files = _by_document(backend.store.sources(ids=[info.id for info in found.values()]).values())
    listed = [(number, found[number], files.get(found[number].id, [])) for number in numbers if number in found]
    if isinstance(reference, Removal):
        yield from ((*one, [file for file in one[2] if file.path in reference.forgotten]) for one in listed)
        return
    fits = _fits(name, listed, Fit.PLACE if in_full else Fit.PART)
    best = min((fit for fit, _ in fits.values()), default=None)
    kept = {key for key, (fit, _) in fits.items() if fit == best}
    if best in _ALONE and len(kept) > 1:
        raise _ambiguous(name, [shown(file.path) for key, (_, file) in fits.items() if key in kept])
    for number, info, its in listed:
        # What no file is called by is the document itself: its id, the start of its hash, its title.
        yield number, info, its, [file for file in its if best is None or source_key(file) in kept]


def _fits(
    name: str, documents: Iterable[tuple[int, DocumentInfo, list[Source]]], least: Fit
) -> dict[str, tuple[Fit, Source]]:
    """Return by key the files that a name means, and how; none where it can only be a document's own."""
    meaning = Meaning(name)
    if meaning.is_id:
        return {}
    fits: dict[str, tuple[Fit, Source]] = {}
    for file in (file for *_, files in documents for file in files):
        fit = meaning.fit(file.path, key := source_key(file))
        if fit is not None and fit <= least:
            fits[key] = fit, file
    return fits


def _ambiguous(name: str, paths: Sequence[str]) -> UsageError:
    told = ", ".join(paths[:_NAMED]) + (f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else "")
    return UsageError(
        f"{name!r} means {len(paths):,} files: {told}; give the path of one, or the document's id for all"
    )


def _by_document(files: Iterable[Source]) -> dict[str, list[Source]]:
    found: dict[str, list[Source]] = {}
    for file in files:
        found.setdefault(file.document_id, []).append(file)
    return found


def _removal(info: DocumentInfo, files: Sequence[Source], keys: set[str], folder: Path) -> Removal:
    forgotten = [file for file in files if source_key(file) in keys]
    remaining = tuple(file.path for file in files if source_key(file) not in keys)
    if forgotten and remaining:  # else the document has the name of the file that it was first found under
        info = replace(info, name=shown(name_of(forgotten[0])), path=shown(forgotten[0].path))
    paths = tuple(file.path for file in forgotten)
    deleted = tuple(path for path in paths if location.is_upload(folder, path))
    return Removal(**asdict(info), forgotten=paths, remaining=remaining, deleted=deleted)
