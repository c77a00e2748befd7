"""A benchmark's published files as rows, and what it is to the loader: where its questions stand, how a row becomes
one.
"""

# pyright: reportMissingImports=false
from __future__ import annotations

import csv
import dataclasses
import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from octavo.errors import OctavoError, UsageError
from octavo_lab.metrics.overlap import parse_list
from octavo_lab.question import Place, Question

_ALIKE = 0.5
"""How alike two keys are, 0 to 1, for one to be taken for the other."""


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


class BadRow(OctavoError):
    """A row cannot be read as a question; the message names file, line and field."""


@dataclasses.dataclass(frozen=True)
class Row:
    """One row: its fields, and where it stands ("questions.jsonl:12")."""

    where: str
    fields: Mapping[str, Any]
    wrong: str = ""
    """Why the row as a whole cannot be read; empty when it can."""

    def bad(self, message: str) -> BadRow:
        """Return the error for this row."""
        return BadRow(f"{self.where}: {message}")

    def require(self) -> None:
        """Raise BadRow when the row as a whole cannot be read."""
        if self.wrong:
            raise self.bad(self.wrong)

    def get(self, *names: str) -> Any:
        """Return the first of these fields that is there and not null, None when none is."""
        return next((self.fields[name] for name in names if self.fields.get(name) is not None), None)

    def text(self, *names: str) -> str:
        """Return a field that must be a text with words in it, or a number, as text."""
        value = self.get(*names)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str) or not value.strip():
            raise self.bad(f"needs a text in '{names[0]}', not {_shown(value)}")
        return value

    def optional(self, *names: str) -> str:
        """Return a field as text, empty when it is not there."""
        value = self.get(*names)
        return "" if value is None else str(value)

    def items(self, *names: str) -> list[Any]:
        """Return a field that is a list, or a text that is a literal list; empty when it is not there."""
        value = self.get(*names)
        if isinstance(value, str):
            value = parse_list(value)
        if value is None and self.get(*names) is None:
            return []
        if not isinstance(value, (list, tuple)):
            raise self.bad(f"needs a list in '{names[0]}', not {_shown(self.get(*names))}")
        return list(cast(Sequence[Any], value))

    def texts(self, *names: str) -> tuple[str, ...]:
        """Return a list field as texts; nulls are left out."""
        return tuple(str(item) for item in self.items(*names) if item is not None)

    def pages(self, *names: str, first: int = 1) -> tuple[int, ...]:
        """Return a list field as 1-based page numbers; `first` is what the file calls the first page."""
        return tuple(sorted({self._page(item, names[0], first) for item in self.items(*names)}))

    def is_object(self, name: str) -> bool:
        """Whether a field is an object."""
        return isinstance(self.fields.get(name), dict)

    def places(self, name: str) -> tuple[Place, ...]:
        """Return a field that is an object of lists of page numbers by document; empty for any other."""
        if not self.is_object(name):
            return ()
        by_document = self.below(name, self.fields[name])
        return tuple((document, page) for document in by_document.fields for page in by_document.pages(document))

    def _page(self, item: Any, name: str, first: int) -> int:
        if isinstance(item, bool) or not isinstance(item, (int, float)) or item != int(item) or item < first:
            raise self.bad(f"needs page numbers from {first} in '{name}', not {_shown(item)}")
        return int(item) - first + 1

    def below(self, name: str, value: Any) -> Row:
        """Return a row for a part of this one, named after it."""
        where = f"{self.where}, {name}"
        return Row(where, cast(dict[str, Any], value)) if isinstance(value, dict) else Row(where, {}, "is no object")

    def parts(self, name: str) -> list[Row]:
        """Return a list field whose items are objects as rows, named after field and place."""
        return [self.below(f"{name} {at}", item) for at, item in enumerate(self.items(name), start=1)]


def read_json_lines(path: Path) -> Iterator[Row]:
    """Yield a row for each line that is not empty."""
    with _opened(path) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _row(f"{path.name}:{number}", line)


def read_json(path: Path) -> Any:
    """Return the value of a JSON file; raise UsageError when it is none."""
    with _opened(path) as file:
        try:
            return json.load(file)
        except (ValueError, RecursionError) as wrong:
            raise UsageError(f"{path} is not valid JSON: {wrong}") from wrong


def _under(path: Path, keys: Sequence[str]) -> Any:
    """Return the value of a JSON file, of what stands there under each of `keys` in turn that there is."""
    value = read_json(path)
    for key in keys:
        if isinstance(value, dict) and key in value:
            value = cast(dict[str, Any], value)[key]
    return cast(Any, value)


def json_list(*keys: str) -> Callable[[Path], Iterator[Row]]:
    """Return a reader of a JSON file whose rows are a list, at the top or under the first of `keys` that is there."""

    def rows(path: Path) -> Iterator[Row]:
        value = _under(path, keys)
        if not isinstance(value, list):
            raise UsageError(f"{path} needs a list of questions{f' under {keys[0]!r}' if keys else ''}")
        yield from _numbered(path, cast("list[Any]", value))

    return rows


def list_or_lines(path: Path) -> Iterator[Row]:
    """Yield the rows of JSON lines, or of a JSON file that is a list, by the file's suffix."""
    return read_json_lines(path) if path.suffix == ".jsonl" else json_list()(path)


def json_object(*keys: str) -> Callable[[Path], Iterator[Row]]:
    """Return a reader of a JSON file whose rows are an object's values; a row's key is its field `_key`."""

    def rows(path: Path) -> Iterator[Row]:
        value = _under(path, keys)
        if not isinstance(value, dict):
            raise UsageError(f"{path} needs an object of questions")
        for name, fields in cast(dict[str, Any], value).items():
            where = f"{path.name}:{name}"
            if isinstance(fields, dict):
                yield Row(where, {**cast(dict[str, Any], fields), "_key": name})
            else:
                yield Row(where, {"_key": name, "_value": fields})

    return rows


def parts_of(documents: Iterable[Row], name: str) -> Iterator[Row]:
    """Yield the parts of each row's list as rows of their own, which keep the row's key."""
    for document in documents:
        try:
            parts = document.parts(name)
        except BadRow as bad:
            yield Row(document.where, {}, str(bad).removeprefix(f"{document.where}: "))
            continue
        for part in parts:
            yield dataclasses.replace(part, fields={**part.fields, "_key": document.get("_key")})


def piped_lines(path: Path) -> Iterator[Row]:
    """Yield the rows of a file with a header and bars between its cells, numbered by line."""
    with _opened(path) as file:
        reader = csv.DictReader(file, delimiter="|")
        for fields in reader:
            known = {name: value for name, value in fields.items() if name}
            yield Row(f"{path.name}:{reader.line_num}", known)


def hub_rows(name: str, split: str) -> Iterator[Row]:
    """Yield the rows of a set on the hub, through the package `datasets`.

    Raises UsageError when the package is not there or the set cannot be had.
    """
    try:
        from datasets import load_dataset  # pyright: ignore[reportUnknownVariableType]
    except ImportError as missing:
        raise UsageError(
            f"the folder holds no questions, and reading {name} from the hub needs the package 'datasets': "
            "pip install 'octavo[datasets]'"
        ) from missing
    try:
        loaded = cast(Iterable[Any], load_dataset(name, split=split))
    except (OSError, ValueError, RuntimeError) as wrong:
        raise UsageError(f"{name} cannot be read from the hub: {str(wrong).splitlines()[0]}") from wrong
    for number, fields in enumerate(loaded, start=1):
        yield Row(f"{name}, row {number}", dict(fields))


def _numbered(path: Path, values: list[Any]) -> Iterator[Row]:
    for number, value in enumerate(values, start=1):
        where = f"{path.name}, row {number}"
        yield Row(where, cast(dict[str, Any], value)) if isinstance(value, dict) else Row(where, {}, "is no object")


def _row(where: str, line: str) -> Row:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as wrong:
        return Row(where, {}, f"is not valid JSON: {wrong}")
    return Row(where, cast(dict[str, Any], value)) if isinstance(value, dict) else Row(where, {}, "is no JSON object")


def _opened(path: Path) -> Any:
    try:
        return path.open(encoding="utf-8-sig", errors="replace", newline="")
    except OSError as wrong:
        raise UsageError(f"{path} cannot be read: {wrong.strerror}") from wrong


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


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
