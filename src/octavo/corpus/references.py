"""What people call documents: an id, the start of a hash, a name or a path; a folder, a file of many, or a pattern.

Owns the rules of matching, as SQL that touches no more rows than it must. Knows nothing about what is done with them.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from octavo.corpus.sources import INSIDE, absolute, article_key, path_key, shown, stored_text

_SHORTEST_PREFIX = 4
_PREFIX = "sha256:"
_HASH = re.compile(rf"[0-9a-f]{{{_SHORTEST_PREFIX},64}}")
_WILD = re.compile(r"[*?\[]")
_BELOW = (os.sep, INSIDE)
"""What follows a folder, or a file of many documents, in the key of a source."""


def of_one(connection: apsw.Connection, reference: str) -> list[int]:
    """Return the numbers of the documents of this id, else of this path, else of this name or start of a hash."""
    for sql, bindings in _exact(reference):
        found = sorted({int(row[0]) for row in connection.execute(sql, bindings)})
        if found:
            return found
    return []


def _exact(reference: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    digits = reference.lower().removeprefix(_PREFIX)
    yield "SELECT number FROM documents WHERE id = ?", (shown(reference),)
    for key in _keys(reference):
        yield "SELECT document FROM sources WHERE key = ?", (stored_text(key),)
    start = _PREFIX + digits if _HASH.fullmatch(digits) else "~"
    yield "SELECT number FROM documents WHERE name = ? OR id >= ? AND id < ?", (shown(reference), start, f"{start}~")


def _keys(reference: str) -> Iterator[str]:
    """Yield what the sources a reference may name as a path are stored under: a file, an article in a file."""
    yield path_key(absolute(reference))
    for mark in re.finditer("#", reference):
        yield article_key(absolute(reference[: mark.start()]), reference[mark.end() :])


def of_many(connection: apsw.Connection, reference: str) -> list[int]:
    """Return the numbers of the documents under a folder or in a file of many, else of those a pattern fits.

    A pattern has `*`, `?` or `[...]` and fits the whole of a name or of a path, or the end of a path after a separator.
    """
    found: set[int] = set()
    for mark in _BELOW:
        start = path_key(absolute(reference).rstrip(os.sep)) + mark
        ends = (stored_text(start), stored_text(start[:-1] + chr(ord(start[-1]) + 1)))
        rows = connection.execute("SELECT document FROM sources WHERE key >= ? AND key < ?", ends)
        found.update(int(row[0]) for row in rows)
    if not found and _WILD.search(reference):
        names = connection.execute("SELECT number FROM documents WHERE name GLOB ?", (shown(reference),))
        found.update(int(row[0]) for row in names)
        whole = reference if Path(reference).is_absolute() else f"*[{os.sep}]{reference}"
        paths = connection.execute("SELECT document FROM sources WHERE path GLOB ?", (shown(whole),))
        found.update(int(row[0]) for row in paths)
    return sorted(found)
