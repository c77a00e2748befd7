"""A folder that a corpus keeps up with: what is new or changed is added, what has gone is hidden and not deleted.

A look compares the folder with what the corpus knows of it. A file is taken once two looks found it the same, so that
one that is being written waits. A file that moved is the same document, with its id and what was set of it. One all of
whose files went gets the field `gone`: it is asked only where it is named, and comes back with a file of its bytes.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from octavo.about.description import GONE
from octavo.corpus.index import sources
from octavo.corpus.reports import AddReport
from octavo.errors import SourceError

if TYPE_CHECKING:
    from octavo.corpus import Corpus

_Look = tuple[int, int]
"""A file's size and when it was written, in nanoseconds."""


@dataclass
class FolderChanges:
    """What a look found and did. `waiting` are files that were still being written."""

    report: AddReport | None = None
    hidden: list[str] = field(default_factory=list[str])
    back: list[str] = field(default_factory=list[str])
    waiting: list[str] = field(default_factory=list[str])

    def __bool__(self) -> bool:
        return self.report is not None or bool(self.hidden or self.back)


class WatchedFolder:
    """A folder as a corpus last saw it."""

    def __init__(self, corpus: Corpus, folder: str | Path) -> None:
        """Take a folder, which is looked at by `look`."""
        self._corpus, self.folder = corpus, Path(folder).absolute()
        self._before: dict[str, _Look] | None = None
        self._taken: dict[str, _Look] = {}

    def look(self, add: Callable[[list[str]], AddReport], *, settled: bool = False) -> FolderChanges:
        """Look at the folder once, add by `add` what is new, and return what was done.

        With `settled` files are taken as they are. Raises SourceError (`missing`) where the folder is not there: then
        nothing is hidden, for a disk may only be unplugged.
        """
        if not self.folder.is_dir():
            raise SourceError("missing", f"{self.folder} is not there, or no folder: nothing was changed")
        found, changes = _found(self.folder), FolderChanges()
        new = {path: look for path, look in found.items() if self._taken.get(path) != look}
        if not settled:
            before = self._before or {}
            changes.waiting = [path for path, look in new.items() if before.get(path) != look]
        waiting = set(changes.waiting)
        ready = [path for path in new if path not in waiting]
        went = self._before is None or self._before.keys() - found.keys()
        self._before = found
        if ready:
            report = add(ready)
            lost = {
                one.path for one in report.failed if one.reason == "missing"
            }  # they went meanwhile, and may be back
            self._taken |= {path: new[path] for path in ready if path not in lost}
            changes.report = report if report.added or report.failed or report.copies else None
        if ready or went:
            self._compare(changes)
        return changes

    def gone(self) -> list[tuple[str, str]]:
        """Return (id, path) of the documents of this folder that are hidden because their files went."""
        hidden = self._hidden()
        return [(one, path) for one, paths in self._known().items() if one in hidden for path in paths[:1]]

    def _compare(self, changes: FolderChanges) -> None:
        """Hide documents whose files went, and show those that have one again."""
        hidden = self._hidden()
        for document, paths in self._known().items():
            is_here = any(not self._is_inside(path) or _is_there(path) for path in paths)
            if is_here and document in hidden:
                self._corpus.describe(document, {GONE: ""})
                changes.back.append(paths[0])
            elif not is_here and document not in hidden:
                self._corpus.describe(document, {GONE: datetime.date.today().isoformat()})
                changes.hidden.append(paths[0])

    def _hidden(self) -> set[str]:
        return self._corpus.hidden(self._corpus.list())

    def _known(self) -> dict[str, tuple[str, ...]]:
        """Return the files of the documents that have one in this folder, by id."""
        known = self._corpus.paths()
        return {one: paths for one, paths in known.items() if any(map(self._is_inside, paths))}

    def _is_inside(self, path: str) -> bool:
        return path.startswith(f"{self.folder}{os.sep}")


def _found(folder: Path) -> dict[str, _Look]:
    """Return how the documents in a folder look; a file that goes meanwhile is left out."""
    found: dict[str, Any] = {}
    for path in _documents(folder):
        try:
            status = Path(path).stat()
        except OSError:
            continue
        found[path] = status.st_size, status.st_mtime_ns
    return found


def _documents(folder: Path) -> Iterable[str]:
    try:
        yield from (one.path for one in sources.walk(str(folder)) if not one.left_out)
    except SourceError:  # it holds no document now
        return


def _is_there(path: str) -> bool:
    """Whether a file is there, or of an article the file that holds it."""
    return Path(path).exists() or ("#" in path and Path(path.split("#", 1)[0]).is_file())
