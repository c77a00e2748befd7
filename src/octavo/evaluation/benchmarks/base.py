"""What a benchmark is to the loader: where its questions stand in a folder, and how a row becomes a question."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Iterator
from pathlib import Path

from octavo.errors import UsageError
from octavo.evaluation.benchmarks.rows import Row, read_json_lines
from octavo.evaluation.question import Question

_ALIKE = 0.5
"""How alike two keys are, 0 to 1, for one to be taken for the other."""


@dataclasses.dataclass(frozen=True)
class Definition:
    """A benchmark: how its published files are read and what it is scored with.

    `files` are patterns of the question file's name, tried in order in the folder and one level below. `rows` yields
    the file's rows with where they stand; `question` reads one that is sound as a whole, None for one without gold, and
    raises BadRow.
    """

    name: str
    title: str
    source: str
    files: tuple[str, ...]
    question: Callable[[Row], Question | None]
    metrics: tuple[str, ...]
    rows: Callable[[Path], Iterator[Row]] = read_json_lines
    hub: tuple[str, str] | None = None
    """Name and split on the hub, where rows there have the same fields."""
    keys: tuple[str, ...] = ()
    """The keys of a row that are read, where people write the rows themselves and may misspell them."""

    def find(self, folder: Path) -> Path:
        """Return the file of questions in a benchmark folder; raise UsageError that names what was looked for."""
        if folder.is_file():
            return folder
        if not folder.is_dir():
            raise UsageError(f"there is no folder {folder}; --documents names the folder of the benchmark")
        for pattern in self.files:
            for found in (*sorted(folder.glob(pattern)), *sorted(folder.glob(f"*/{pattern}"))):
                return found
        raise UsageError(f"{folder} holds no questions of {self.title}: looked for {', '.join(self.files)}")


class UnknownKeys:
    """Notes the keys that are not among the known ones; each is told once, where it stands first."""

    def __init__(self, known: tuple[str, ...]) -> None:
        """Take the keys that are read; none when any key may stand in the file."""
        self._known = known
        self._told: set[str] = set()

    def warnings(self, row: Row) -> Iterator[str]:
        """Yield one line for each key of the row that is neither known nor was told before."""
        for key in row.fields if self._known else ():
            if key in self._known or key in self._told:
                continue
            self._told.add(key)
            meant = _nearest(key, self._known)
            yield f"{row.where}: {key!r} is not read{f'; did you mean {meant!r}?' if meant else ''}"


def _nearest(key: str, known: tuple[str, ...]) -> str | None:
    """Return the known key that was most likely meant: one that goes on, one with this word in it, or one like it."""
    plain = key.lower().replace("-", "_")
    word = plain.rstrip("s")
    longer = [name for name in known if name.startswith(word)] or [name for name in known if f"_{word}" in name]
    close = difflib.get_close_matches(plain, longer or known, n=1, cutoff=0.0 if longer else _ALIKE)
    return close[0] if close else None
