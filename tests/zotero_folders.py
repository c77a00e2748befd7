"""Folders as Zotero keeps them: `zotero.sqlite` with tables and columns as in version 107, and `storage/KEY/file`."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

TABLES: Mapping[str, str] = {
    "version": "schema TEXT PRIMARY KEY, version INT NOT NULL",
    "libraries": "libraryID INTEGER PRIMARY KEY, type TEXT, editable INT, filesEditable INT, version INT, archived INT",
    "itemTypes": "itemTypeID INTEGER PRIMARY KEY, typeName TEXT, templateItemTypeID INT, display INT",
    "fields": "fieldID INTEGER PRIMARY KEY, fieldName TEXT, fieldFormatID INT",
    "creatorTypes": "creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT",
    "items": "itemID INTEGER PRIMARY KEY, itemTypeID INT, dateAdded TIMESTAMP, dateModified TIMESTAMP, "
    "clientDateModified TIMESTAMP, libraryID INT, key TEXT, version INT, synced INT, UNIQUE (libraryID, key)",
    "itemDataValues": "valueID INTEGER PRIMARY KEY, value UNIQUE",
    "itemData": "itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID)",
    "itemAttachments": "itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, charsetID INT, "
    "path TEXT, syncState INT, storageModTime INT, storageHash TEXT",
    "tags": "tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE",
    "itemTags": "itemID INT, tagID INT, type INT, PRIMARY KEY (itemID, tagID)",
    "creators": "creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT",
    "itemCreators": "itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT, "
    "PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex)",
    "collections": "collectionID INTEGER PRIMARY KEY, collectionName TEXT, parentCollectionID INT, "
    "clientDateModified TIMESTAMP, libraryID INT, key TEXT, version INT, synced INT",
    "collectionItems": "collectionID INT, itemID INT, orderIndex INT, PRIMARY KEY (collectionID, itemID)",
    "deletedItems": "itemID INTEGER PRIMARY KEY, dateDeleted",
}
KINDS = ("attachment", "note", "book", "journalArticle", "report", "webpage")
FIELDS = ("title", "date", "DOI", "language", "publicationTitle", "url", "ISBN", "abstractNote")
CREATORS = ("author", "editor", "translator")


class ZoteroFolder:
    """A data folder that is written as Zotero writes it: in WAL mode, with the lock held as long as it is open."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.database = folder, folder / "zotero.sqlite"
        (folder / "storage").mkdir(parents=True)
        self.connection = sqlite3.connect(self.database, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        self.connection.execute("PRAGMA wal_autocheckpoint = 0")
        for name, columns in TABLES.items():
            self.connection.execute(f"CREATE TABLE {name} ({columns})")
        self._put_all("version", [("userdata", 107), ("compatibility", 6)])
        self._put_all("libraries", [(1, "user", 1, 1, 0, 0)])
        self._put_all("itemTypes", [(at, name, None, 1) for at, name in enumerate(KINDS, 1)])
        self._put_all("fields", [(at, name, None) for at, name in enumerate(FIELDS, 1)])
        self._put_all("creatorTypes", [(at, name) for at, name in enumerate(CREATORS, 1)])

    def _put_all(self, table: str, rows: Sequence[tuple[object, ...]]) -> None:
        for row in rows:
            self.put(table, *row)

    def put(self, table: str, *row: object) -> int:
        """Insert a row; return its number."""
        marks = ", ".join("?" * len(row))
        return self.connection.execute(f"INSERT INTO {table} VALUES ({marks})", row).lastrowid or 0

    def item(self, key: str, kind: str = "journalArticle", **fields: str) -> int:
        """Add an item with fields by Zotero's names."""
        times = ("2024-01-01 00:00:00",) * 3
        item = self.put("items", None, KINDS.index(kind) + 1, *times, 1, key, 0, 0)
        for name, value in fields.items():
            known = self.connection.execute("SELECT valueID FROM itemDataValues WHERE value = ?", (value,)).fetchone()
            number = known[0] if known else self.put("itemDataValues", None, value)
            self.put("itemData", item, FIELDS.index(name) + 1, number)
        return item

    def attached(self, key: str, name: str, parent: int | None) -> Path:
        """Add an attachment; return where its file belongs."""
        item = self.item(key, "attachment", title="PDF")
        self.put("itemAttachments", item, parent, 0, "application/pdf", None, f"storage:{name}", 0, None, None)
        path = self.folder / "storage" / key / name
        path.parent.mkdir()
        return path

    def creator(self, item: int, given: str, family: str, kind: str = "author") -> None:
        """Add somebody who made an item, after the others."""
        (count,) = self.connection.execute("SELECT count(*) FROM itemCreators WHERE itemID = ?", (item,)).fetchone()
        creator = self.put("creators", None, given, family, 0 if given else 1)
        self.put("itemCreators", item, creator, CREATORS.index(kind) + 1, count)

    def tag(self, item: int, *names: str) -> None:
        """Tag an item."""
        for name in names:
            self.put("itemTags", item, self.put("tags", None, name), 0)

    def collection(self, name: str, *items: int, parent: int | None = None) -> int:
        """Add a collection with items in it."""
        made = self.put("collections", None, name, parent, "2024-01-01", 1, f"COLL{name[:4]}", 0, 0)
        for item in items:
            self.put("collectionItems", made, item, 0)
        return made


@contextlib.contextmanager
def open_zotero(folder: Path) -> Iterator[ZoteroFolder]:
    """A folder in use: closed, and its log put away, at the end."""
    made = ZoteroFolder(folder)
    try:
        yield made
    finally:
        made.connection.close()


def fill(made: ZoteroFolder) -> None:
    """Put a paper with all that is said of it into a folder, and a file of which nothing is."""
    said = {"title": "Tides of Orrin Skerry", "date": "2019-03-00 March 2019", "DOI": "10.1000/xyz"}
    item = made.item("ITEM2345", **said, publicationTitle="Journal of Tides", language="en")
    made.creator(item, "Ed", "Itor", "editor")
    made.creator(item, "Ann", "Lee")
    made.creator(item, "", "Harbour Office")
    made.tag(item, "tides", "to read")
    made.collection("Chapter 2", item, parent=made.collection("Thesis"))
    made.attached("FILE2345", "lee2019.txt", item).write_text("The tide rose by 3.1 metres at noon.")
    made.attached("ALNE2345", "alone.txt", None).write_text("Nobody knows who wrote this.")
