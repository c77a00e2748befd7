# pyright: reportUnknownMemberType=false
"""What Zotero says of the files in its storage: `zotero.sqlite` describes `storage/KEY/report.pdf`.

A copy of the database is read, with what Zotero has not yet moved into it from its log: it may be open and locked.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from octavo.about.fields import LISTS, TEXTS, FieldValue, checked
from octavo.corpus.store.paths import shown
from octavo.errors import UsageError

if TYPE_CHECKING:
    import apsw

KEY = "zotero"
"""The field that holds the key of the item."""
_DATABASE, _STORAGE = "zotero.sqlite", "storage"
_FOLDER = re.compile(r"[A-Z0-9]{8}")
_TRIES = 3
"""Copies that are made where Zotero writes while one is."""
_MOST = 50
"""Texts of a list, at most."""
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?!\d)")
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
_FIELDS = {"title": "title", "language": "language", "DOI": "doi", "ISBN": "isbn", "publicationTitle": "publication"}
"""Fields of Zotero's that are taken as they are, and what they are called here."""
_FILES = """
SELECT key, coalesce(parentItemID, itemID), parentItemID IS NULL FROM itemAttachments JOIN items USING (itemID)
ORDER BY itemID DESC"""
_ABOUT = "SELECT key, typeName FROM items JOIN itemTypes USING (itemTypeID) WHERE itemID = ?"
_VALUES = """
SELECT fieldName, value FROM itemData JOIN fields USING (fieldID) JOIN itemDataValues USING (valueID)
WHERE itemID = ?"""
_CREATORS = """
SELECT creatorType, firstName, lastName FROM itemCreators JOIN creators USING (creatorID)
JOIN creatorTypes USING (creatorTypeID) WHERE itemID = ? ORDER BY orderIndex"""
_TAGS = "SELECT name FROM itemTags JOIN tags USING (tagID) WHERE itemID = ? ORDER BY name"
_COLLECTIONS = """
WITH RECURSIVE above(collection, name, parent, depth) AS (
  SELECT collectionID, collectionName, parentCollectionID, 0 FROM collectionItems JOIN collections USING (collectionID)
  WHERE itemID = ?
  UNION ALL
  SELECT collection, collectionName || ' > ' || name, parentCollectionID, depth + 1
  FROM above JOIN collections ON collectionID = parent WHERE depth < 20)
SELECT name FROM above WHERE parent IS NULL ORDER BY name"""


def database_of(path: str) -> str:
    """Return the database of Zotero's that a file's folder belongs to, whether it is there or not; "" for any other."""
    parts = PurePath(path).parts
    if len(parts) < len((_STORAGE, "KEY", "file")) or parts[-3] != _STORAGE or not _FOLDER.fullmatch(parts[-2]):
        return ""
    return str(PurePath(*parts[:-3], _DATABASE))


@contextlib.contextmanager
def opened(database: str) -> Generator[ZoteroLibrary]:
    """Open a copy of a database. Raises UsageError, one line, for one that cannot be read."""
    import apsw

    with tempfile.TemporaryDirectory(prefix="octavo-zotero-", ignore_cleanup_errors=True) as folder:
        copy = _copied(database, folder)
        try:
            connection = apsw.Connection(copy, flags=apsw.SQLITE_OPEN_READWRITE)
        except apsw.Error as error:
            raise UsageError(f"{shown(database)} cannot be opened: {error}") from error
        try:
            connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            yield ZoteroLibrary(connection)
        except apsw.SQLError as error:
            told = _version(connection)
            of = f"is of a version that Octavo does not know ({told}" if told else "is no database of Zotero's ("
            raise UsageError(f"{shown(database)} {of}{error})") from error
        except (apsw.Error, UnicodeDecodeError) as error:
            raise UsageError(f"{shown(database)} is damaged: {error}") from error
        finally:
            connection.close(force=True)


def _copied(database: str, folder: str) -> str:
    """Copy a database and its logs into a folder, and again where Zotero wrote meanwhile. Raises UsageError."""
    files = [database, f"{database}-wal", f"{database}-journal"]
    try:
        for _ in range(_TRIES):
            before = _looks(files)
            for file in files:
                copy = Path(folder, PurePath(file).name)
                copy.unlink(missing_ok=True)
                with contextlib.nullcontext() if file == database else contextlib.suppress(FileNotFoundError):
                    shutil.copyfile(file, copy)
            if _looks(files) == before:
                return str(Path(folder, _DATABASE))
    except OSError as error:
        raise UsageError(f"{shown(database)} cannot be copied: {error.strerror}") from error
    raise UsageError(f"{shown(database)} is being written by Zotero: add the folder again when it rests")


def _looks(files: list[str]) -> list[tuple[int, int] | None]:
    """Return the size and time of files, None for one that is not there."""
    found = list[tuple[int, int] | None]()
    for file in files:
        try:
            status = os.stat(file)  # noqa: PTH116  (the path may be any bytes)
        except FileNotFoundError:
            found.append(None)
        else:
            found.append((status.st_size, status.st_mtime_ns))
    return found


def _version(connection: apsw.Connection) -> str:
    """Return the version a database of Zotero's says that it is of; "" for one that is of another program."""
    import apsw

    try:
        rows = [*connection.execute("SELECT version FROM version WHERE schema = 'userdata'")]
    except apsw.Error:
        return ""
    return f"{rows[0][0]}; " if rows else ""


class ZoteroLibrary:
    """What Zotero keeps of its items."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._items = {str(key): (item, bool(is_alone)) for key, item, is_alone in connection.execute(_FILES)}

    def fields_of(self, path: str) -> dict[str, FieldValue | None]:
        """Return what is said of a file in the storage, as fields that `describe` takes; none for one not known."""
        item, is_alone = self._items.get(PurePath(path).parts[-2], (None, False))
        if item is None:
            return {}
        (key, kind), *_ = self._rows(_ABOUT, item)
        said = {str(name): str(value) for name, value in self._rows(_VALUES, item)}
        names = self._names(item)
        fields: dict[str, object] = {ours: said.get(theirs) for theirs, ours in _FIELDS.items()}
        fields |= {
            "issuer": "; ".join(names),
            "authors": names,
            "date": _date(said.get("date", "")),
            "kind": "" if is_alone else _WORD.sub(" ", str(kind)).lower(),
            "tags": self._texts(_TAGS, item),
            "collections": self._texts(_COLLECTIONS, item),
            KEY: str(key),
        }
        if is_alone:  # its title is the file's name, or "PDF"
            fields["title"] = None
        kept = dict[str, FieldValue | None]()
        for name, value in fields.items():
            with contextlib.suppress(UsageError):  # what no field may hold costs itself
                kept |= checked({name: _within(name, value)})
        return kept

    def _rows(self, query: str, value: object) -> list[tuple[object, ...]]:
        return [*self._connection.execute(query, (value,))]  # pyright: ignore[reportArgumentType]

    def _texts(self, query: str, item: object) -> list[str]:
        return [str(row[0]) for row in self._rows(query, item)]

    def _names(self, item: object) -> list[str]:
        """Return the authors; those of the first other kind where there are none, such as editors."""
        rows = [(str(kind), " ".join(filter(None, (given, family)))) for kind, given, family in self._rows_of(item)]
        kinds = [kind for kind, _ in rows]
        chosen = "author" if "author" in kinds else next(iter(kinds), "")
        return [name for kind, name in rows if kind == chosen and name.strip()]

    def _rows_of(self, item: object) -> list[tuple[str, str, str]]:
        return [(str(kind), str(given or ""), str(family or "")) for kind, given, family in self._rows(_CREATORS, item)]


def _date(text: str) -> str:
    """Return a date as documents have it: Zotero keeps "2023-08-00 August 2023", and what is no date as it is."""
    found = _DATE.match(text)
    parts = [part for part in found.groups() if int(part)] if found else _YEAR.findall(text)[:1]
    try:
        return str(checked({"date": "-".join(parts)})["date"] or "")
    except UsageError:
        return parts[0]


def _within(name: str, value: object) -> object:
    """Return a value within what its field may hold."""
    if isinstance(value, list):
        texts = [str(one)[: LISTS.get(name, 300)].strip() for one in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return [one for one in dict.fromkeys(texts) if one][:_MOST]
    text = str(value or "")
    most = TEXTS.get(name, 300)
    return text if len(text) <= most else f"{text[: most - 1]}…"
