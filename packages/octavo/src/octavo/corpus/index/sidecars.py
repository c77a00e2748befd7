"""Files that say what others beside them are about: `report.meta.json`, or `report.pdf.meta.json`, for `report.pdf`.

Zotero's database says it of the files in its storage (`zotero`); a file beside one of them goes before it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from octavo.about.description import DocumentDescription
from octavo.about.fields import FieldValue, check_count, checked
from octavo.corpus.index import zotero
from octavo.corpus.store import Source, Store
from octavo.corpus.store.paths import is_address, shown
from octavo.errors import UsageError
from octavo_documents.parsing.formats import SUFFIXES

ENDING = ".meta.json"
_MOST_BYTES = 1 << 18
_NOTHING = DocumentDescription()
FieldsToSet: TypeAlias = Mapping[str, FieldValue | None]
"""Fields of a document, None for what is empty."""


def is_sidecar(path: str) -> bool:
    """Whether a file is none to be indexed, by its name, but says what another is about."""
    name = Path(path).name.lower()
    return name.endswith(ENDING) and name != ENDING


def sidecar_of(path: str) -> str:
    """Return the file that says what another is about, "" where there is none."""
    named = (path + ENDING, os.path.splitext(path)[0] + ENDING)  # noqa: PTH122  (the path may be any bytes)
    return next((one for one in named if os.path.isfile(one)), "")  # noqa: PTH113


def described_by(sidecar: str) -> list[str]:
    """Return the files beside a sidecar that it is of."""
    named = sidecar[: -len(ENDING)]
    if os.path.isfile(named):  # noqa: PTH113
        return [named]
    endings = (form for ending in SUFFIXES for form in (ending, ending.upper()))
    return [named + ending for ending in endings if os.path.isfile(named + ending)]  # noqa: PTH113


def read_all(files: Iterable[Source], store: Store) -> list[str]:
    """Have the documents of files described by the sidecars beside these, and no more by those that went.

    Return a line for each that cannot be used. Of the files of one document the first that has a sidecar counts.
    """
    own = {file.path: file.document_id for file in files if not (file.container or is_address(file.path))}
    described = store.described({*own.values()}) if own else {}
    due = {document for document, one in described.items() if one.sidecar or one.zotero}
    due |= {document for path, document in own.items() if document not in due and _is_told_of(path)}
    beside: dict[str, list[str]] = {document: [] for document in sorted(due)}
    for file in store.sources(ids=due).values() if due else ():
        beside[file.document_id].append(file.path)
    before = {document for document in due if described.get(document, _NOTHING).zotero}
    told, by_zotero = _told_by_zotero(beside, before)
    for document, fields in by_zotero.items():
        paths = beside[document]
        found = next((sidecar for path in paths if (sidecar := sidecar_of(path))), "")
        if found or all(map(os.path.exists, paths)):  # else another machine may have it
            told += _describe(document, found, fields, store)
    return told


def _is_told_of(path: str) -> bool:
    return bool(sidecar_of(path) or os.path.isfile(zotero.database_of(path)))  # noqa: PTH113


def _told_by_zotero(
    beside: Mapping[str, Sequence[str]], before: Collection[str]
) -> tuple[list[str], dict[str, FieldsToSet]]:
    """Return why databases of Zotero's cannot be used, and by document what the others say of its first file there.

    A document is left out where a database cannot be read now, or has gone that said something `before`: that stays.
    """
    told, found = list[str](), dict[str, FieldsToSet]()
    files = dict[str, dict[str, str]]()
    for document, paths in beside.items():
        there = {path: database for path in paths if (database := zotero.database_of(path))}
        path = next((path for path, database in there.items() if document in before or os.path.isfile(database)), "")  # noqa: PTH113
        if path:
            files.setdefault(there[path], {})[document] = path
        else:
            found[document] = {}
    for database, wanted in files.items():
        try:
            with zotero.opened(database) as library:
                found |= {document: library.fields_of(path) for document, path in wanted.items()}
        except UsageError as error:
            told.append(f"what Zotero says is not used: {error}")
    return told, found


def _describe(document: str, sidecar: str, by_zotero: FieldsToSet, store: Store) -> Iterator[str]:
    """Have a document described by a sidecar, "" for none, and by Zotero; yield why the sidecar cannot be used."""
    fields = dict[str, FieldValue | None]()
    if sidecar:
        try:
            fields = _read(sidecar)
        except UsageError as error:
            yield f"{shown(sidecar)} is not used: {error}"
    store.describe(document, "sidecar", fields, anew=True)
    store.describe(document, "zotero", by_zotero, anew=True)


def _read(sidecar: str) -> dict[str, FieldValue | None]:
    """Return the fields of a sidecar. Raises UsageError."""
    try:
        with Path(sidecar).open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UsageError(f"it is larger than {_MOST_BYTES >> 10} KB")
        found: object = json.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"it cannot be read: {error.strerror}") from error
    except json.JSONDecodeError as error:
        raise UsageError(f"line {error.lineno} is not JSON ({error.msg})") from error
    except (ValueError, RecursionError) as error:  # another encoding, a number of very many digits, lists in lists
        raise UsageError("it is not JSON in UTF-8") from error
    if not isinstance(found, dict):
        raise UsageError('it holds no object: write fields as {"title": "..."}')
    fields = checked(found)  # pyright: ignore[reportUnknownArgumentType]
    check_count(fields)
    return fields
