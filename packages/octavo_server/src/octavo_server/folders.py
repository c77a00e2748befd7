"""The folders that documents of a corpus came from, by as much of their paths as tells them apart."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
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
    inside = sorted((_begins(path), path) for path in held)
    texts = [text for text, _ in inside]
    with_part: dict[str, list[str]] = {}
    for path in found:
        for part in {*path.parts}:
            with_part.setdefault(part, []).append(_begins(path))
    told: list[FolderShape] = []
    for folder in sorted(held, key=lambda one: -held[one].documents)[:_MOST]:
        first = bisect_left(texts, _begins(folder))
        under = inside[first : bisect_left(texts, f"{_begins(folder)}\U0010ffff")]
        end = _end(folder.relative_to(common.parent).parts, len(under), with_part.get(folder.name, []))
        if end:
            name = str(folder.relative_to(common)) if folder != common else common.name
            documents, pages = (sum(getattr(held[one], field) for _, one in under) for field in ("documents", "pages"))
            pattern = "/".join([*(_WILD.sub(r"[\1]", part) for part in end), "*"])
            told.append({"name": name, "pattern": pattern, "documents": documents, "pages": pages})
    return sorted(told, key=lambda one: one["name"].casefold())


def _begins(path: PurePath) -> str:
    """Return what the paths of all that is in and under a folder begin with."""
    return f"{path.as_posix().rstrip('/')}/"


def _end(parts: Sequence[str], under: int, held: Sequence[str]) -> Sequence[str]:
    """Return the shortest end of a folder's path that stands in none of the paths `held` but the `under` it has.

    Those without its name need not be among them. Empty where each end stands in others.
    """
    for kept in range(1, len(parts) + 1):
        end = f"/{'/'.join(parts[-kept:])}/"
        if sum(end in one for one in held) == under:
            return parts[-kept:]
    return ()
