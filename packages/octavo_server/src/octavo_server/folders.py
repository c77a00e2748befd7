"""The folders that documents of a corpus came from, by as much of their paths as tells them apart."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from octavo.corpus import Corpus
from octavo.corpus.location import is_upload

if TYPE_CHECKING:
    from octavo_server.responses import FolderShape

_MOST = 200
"""Folders that are told: those with most documents."""
_WILD = re.compile(r"([*?[])")


def folders(corpus: Corpus) -> list[FolderShape]:
    """Return the folders with documents in them, by name, each with a pattern that names what is in and under it.

    There is none where all came from one folder, or were sent. A pattern that would mean others too is left out.
    """
    found = {PurePath(one.path): one for one in corpus.holdings()}
    held = {path: one for path, one in found.items() if not is_upload(corpus.path, str(path / "sent"))}
    if len(held) < 2:
        return []
    common = PurePath(os.path.commonpath([*map(str, held)]))
    told: list[FolderShape] = []
    for folder in sorted(held, key=lambda one: -held[one].documents)[:_MOST]:
        under = [path for path in held if path.is_relative_to(folder)]
        end = _end(folder.relative_to(common.parent).parts, under, [*found])
        if end:
            name = str(folder.relative_to(common)) if folder != common else common.name
            documents, pages = (sum(getattr(held[one], field) for one in under) for field in ("documents", "pages"))
            pattern = "/".join([*(_WILD.sub(r"[\1]", part) for part in end), "*"])
            told.append({"name": name, "pattern": pattern, "documents": documents, "pages": pages})
    return sorted(told, key=lambda one: one["name"].casefold())


def _end(parts: Sequence[str], under: Sequence[PurePath], held: Sequence[PurePath]) -> Sequence[str]:
    """Return the shortest end of a folder's path that stands in no path but those under it; none where each does."""
    for kept in range(1, len(parts) + 1):
        end = f"/{'/'.join(parts[-kept:])}/"
        if sum(end in f"{one.as_posix()}/" for one in held) == len(under):
            return parts[-kept:]
    return ()
