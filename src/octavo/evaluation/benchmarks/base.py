"""What a benchmark's loader is: where its questions stand in a folder, and how a row becomes questions.

Owns the shape of a definition and the finding of its file. Knows no particular benchmark.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from octavo.errors import UsageError
from octavo.evaluation.benchmarks.rows import Row, read_json_lines
from octavo.evaluation.question import Question


@dataclasses.dataclass(frozen=True)
class Definition:
    """A benchmark: how its published files are read and what it is scored with.

    `files` are patterns of the question file's name, tried in order in the folder and one level below. `rows` yields
    the file's rows with where they stand; `questions` turns a row into questions or raises BadRow.
    """

    name: str
    title: str
    source: str
    files: tuple[str, ...]
    questions: Callable[[Row], Iterable[Question]]
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
