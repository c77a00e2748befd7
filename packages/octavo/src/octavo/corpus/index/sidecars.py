"""Files that say what others beside them are about: `report.meta.json`, or `report.pdf.meta.json`, for `report.pdf`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from octavo.about.fields import FieldValue, check_count, checked
from octavo.corpus.store import Source, Store
from octavo.corpus.store.paths import is_address, shown
from octavo.errors import UsageError
from octavo_documents.parsing.formats import SUFFIXES

ENDING = ".meta.json"
_MOST_BYTES = 1 << 18


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
    due = {document for document, one in described.items() if one.sidecar}
    due |= {document for path, document in own.items() if document not in due and sidecar_of(path)}
    beside: dict[str, list[str]] = {document: [] for document in sorted(due)}
    for file in store.sources(ids=due).values() if due else ():
        beside[file.document_id].append(file.path)
    told = list[str]()
    for document, paths in beside.items():
        found = next((sidecar for path in paths if (sidecar := sidecar_of(path))), "")
        if found or all(map(os.path.exists, paths)):  # else another machine may have it
            told += _describe(document, found, store)
    return told


def _describe(document: str, sidecar: str, store: Store) -> Iterator[str]:
    """Have a document described by a sidecar, "" for none; yield why it cannot be used."""
    fields = dict[str, FieldValue | None]()
    if sidecar:
        try:
            fields = _read(sidecar)
        except UsageError as error:
            yield f"{shown(sidecar)} is not used: {error}"
    store.describe(document, "sidecar", fields, anew=True)


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
