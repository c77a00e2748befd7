"""What people call documents: an id, the start of a hash, a name or part of it, a path; a folder, a file, a pattern.

What is asked of a store touches no more rows than it must; only what nothing is called in full is compared with every
name.
"""

from __future__ import annotations

import contextlib
import difflib
import itertools
import os
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import TypeAlias

from octavo.corpus.store.paths import INSIDE, absolute, article_key, is_address, path_key, shown, source_name
from octavo_documents.parsing.formats import SUFFIXES

Names: TypeAlias = str | Path | Sequence[str | Path]
"""One document or several, as people call them."""

_SHORTEST_PREFIX = 4
"""Digits of a hash that name a document, at least; as git has it."""
_PREFIX = "sha256:"
_HASH = re.compile(rf"[0-9a-f]{{{_SHORTEST_PREFIX},64}}")
_WILD = re.compile(r"[*?\[]")
_SHORTEST_PART = 3
"""Letters of a part of a name that means the whole, at least."""
MOST_COMPARED = 10_000
"""Names that a misspelt one is compared with at most, which takes a third of a second."""
_BELOW = (os.sep, INSIDE)
"""What follows a folder, or a file of many documents, in the key of a source."""


def listed(names: Names) -> list[str]:
    """Return one name or several as texts: a text is one name, not a sequence of letters."""
    return [str(name) for name in ([names] if isinstance(names, str | Path) else names)]


class Lookups(ABC):
    """How the documents of a store are found by what is stored of them; each returns numbers, in any order."""

    @abstractmethod
    def with_id(self, document_id: str) -> Iterable[int]:
        """Return the document of an id."""

    @abstractmethod
    def with_key(self, key: str) -> Iterable[int]:
        """Return the document that the source of this key leads to."""

    @abstractmethod
    def with_keys(self, first: str, after: str) -> Iterable[int]:
        """Return the documents that sources with keys from one up to another lead to."""

    @abstractmethod
    def with_name(self, name: str, first: str, after: str) -> Iterable[int]:
        """Return the documents of a name, and those with ids from one up to another."""

    @abstractmethod
    def with_names(self, names: Iterable[str]) -> Iterable[tuple[int, str]]:
        """Return number and name of the documents that have any of some names."""

    @abstractmethod
    def fitting(self, name: str, path: str) -> Iterable[int]:
        """Return the documents whose name or whose path fits a pattern with `*`, `?` and `[...]`."""

    @abstractmethod
    def called(self) -> Iterable[tuple[int, str, str]]:
        """Yield number, name and title of every document, by number."""

    @abstractmethod
    def shared(self, numbers: Iterable[int] | None = None) -> Iterable[tuple[int, str, str]]:
        """Return number, path and key of the files of documents that several lead to, of all or some documents."""

    @abstractmethod
    def some_names(self, most: int) -> Iterable[str]:
        """Return the names of documents, of so many at most."""


def meant(lookups: Lookups, reference: str, *, in_full: bool = False) -> list[int]:
    """Return the numbers of the documents a reference means, ascending; a part of a name will do unless `in_full`."""
    numbers = of_one(lookups, reference) or of_many(lookups, reference)
    return numbers or ([] if in_full else of_part(lookups, reference))


def of_one(lookups: Lookups, reference: str) -> list[int]:
    """Return the numbers of the documents of this id, else of this path, else of this name or start of a hash."""
    return next((found for numbers in _exact(lookups, reference) if (found := sorted({*numbers}))), list[int]())


def _exact(lookups: Lookups, reference: str) -> Iterator[Iterable[int]]:
    digits = reference.lower().removeprefix(_PREFIX)
    yield lookups.with_id(shown(reference))
    for key in _keys(reference):
        yield lookups.with_key(key)
    start = _PREFIX + digits if _HASH.fullmatch(digits) else "~"
    named = lookups.with_name(shown(reference), start, f"{start}~")
    yield [*named, *(number for number, path, key in lookups.shared() if _is_named(reference, path, key))]


def _is_named(name: str, path: str, key: str) -> bool:
    return shown(source_name(path, key)) == shown(name)


def _keys(reference: str) -> Iterator[str]:
    """Yield what the sources a reference may name as a path are stored under: a file, an article in a file.

    After the path as it is given comes the one without links.
    """
    yield from _given(reference)
    yield from _target(reference)


def _given(reference: str) -> Iterator[str]:
    yield path_key(absolute(reference))
    for mark in re.finditer("#", reference):
        yield article_key(absolute(reference[: mark.start()]), reference[mark.end() :])


def _target(reference: str) -> Iterator[str]:
    if not is_address(reference):
        with contextlib.suppress(OSError, ValueError):  # links in a ring, a sign that no path has
            yield path_key(os.path.realpath(absolute(reference)))


class Fit(IntEnum):
    """How a reference means a file that was indexed, the surest first."""

    PATH = 0
    TARGET = 1
    """Its path is what the one that is given links to."""
    NAME = 2
    PLACE = 3
    """Below a folder, in a file of many, or as a pattern says."""
    PART = 4
    """A part of its name will do."""


class Meaning:
    """What one reference says of a file: whether it is one that is meant."""

    def __init__(self, reference: str) -> None:
        self._reference, self._given, self._target = reference, {*_given(reference)}, {*_target(reference)}
        below = path_key(absolute(reference).rstrip(os.sep))
        self._below = tuple(below + mark for mark in _BELOW)
        self._pattern = _pattern(reference)

    @property
    def is_id(self) -> bool:
        """Whether it can only be an id in full."""
        return bool(re.fullmatch(f"{_PREFIX}[0-9a-f]{{64}}", self._reference))

    def fit(self, path: str, key: str) -> Fit | None:
        """Return how a file of this path and key is meant, None where it is not."""
        name = source_name(path, key)
        if key in self._given:
            return Fit.PATH
        if key in self._target:
            return Fit.TARGET
        if _is_named(self._reference, path, key) or (_is_end(self._reference) and self._ends(path)):
            return Fit.NAME
        fits = self._pattern is not None and any(
            self._pattern[at].fullmatch(text) for at, text in enumerate((name, path))
        )
        if fits or key.startswith(self._below):
            return Fit.PLACE
        return Fit.PART if _fit(_spelled(self._reference), _spelled(name), "") < _NONE else None

    def _ends(self, path: str) -> bool:
        return path.replace(os.sep, "/").endswith(f"/{self._reference}")


def sureness(meanings: Iterable[Meaning], path: str, key: str) -> int:
    """Return how surely any of some references means a file: a `Fit`, or more where none does."""
    fits = (meaning.fit(path, key) for meaning in meanings)
    return min((fit for fit in fits if fit is not None), default=len(Fit))


def _pattern(reference: str) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    """Return what fits names and what fits paths, None for a reference that is no pattern."""
    if not _WILD.search(reference):
        return None
    try:
        return re.compile(expression_of(reference), re.S), re.compile(expression_of(_whole(reference)), re.S)
    except re.error:  # a range from back to front, which fits nothing
        return None


def _is_end(reference: str) -> bool:
    """Whether a reference may be the end of a path, from a folder on, as documents of one name are told apart."""
    return "/" in reference.strip("/") and not _WILD.search(reference) and not is_address(reference)


def _whole(reference: str) -> str:
    return reference if Path(reference).is_absolute() or is_address(reference) else f"*[{os.sep}]{reference}"


_CLASS = re.compile(r"\[\^?\]?[^\]]*\]")


def expression_of(pattern: str) -> str:
    """Return a pattern with `*`, `?` and `[...]`, as SQLite's GLOB has it, as a regular expression."""
    made: list[str] = []
    at = 0
    while at < len(pattern):
        found = _CLASS.match(pattern, at)
        if found:
            inner = found[0][1:-1].replace("\\", "\\\\").replace("[", "\\[")
            made.append(f"[{inner}]")
        else:
            made.append({"*": ".*", "?": "."}.get(pattern[at]) or re.escape(pattern[at]))
        at = found.end() if found else at + 1
    return f"^{''.join(made)}$"


def of_many(lookups: Lookups, reference: str) -> list[int]:
    """Return the numbers of the documents under a folder or in a file of many, else of those a pattern fits.

    A pattern has `*`, `?` or `[...]` and fits the whole of a name or of a path, or the end of a path after a separator.
    """
    found: set[int] = set()
    for mark in _BELOW:
        start = path_key(absolute(reference).rstrip(os.sep)) + mark
        found.update(lookups.with_keys(start, start[:-1] + chr(ord(start[-1]) + 1)))
    if not found and _WILD.search(reference):
        found.update(lookups.fitting(shown(reference), shown(_whole(reference))))
    return sorted(found)


def of_part(lookups: Lookups, reference: str) -> list[int]:
    """Return the numbers of the documents that a name or title means, case aside; of a name the ending may lack.

    Names and titles in full go before those it is a part of. A name that ends as a file does is no part of another:
    "plan.pdf" does not mean "floorplan.pdf". The end of a path goes before all: "north/report.pdf".
    """
    if _is_end(reference) and (ends := sorted({*lookups.fitting(shown(reference), shown(_whole(reference)))})):
        return ends
    wanted = _spelled(reference)
    fitting: list[list[int]] = [[] for _ in range(_NONE + 1)]
    for number, name, title in lookups.called():
        fitting[_fit(wanted, _spelled(name), _spelled(title))].append(int(number))
    for number, path, key in lookups.shared():
        fitting[_fit(wanted, _spelled(source_name(path, key)), "")].append(int(number))
    fitting = [sorted({*numbers}) for numbers in fitting]
    return next(filter(None, fitting[:_NONE]), list[int]())


def holding(lookups: Lookups, text: str) -> list[int]:
    """Return the numbers of the documents that a text means, and of all whose name or title has it, case aside."""
    wanted = _spelled(text)
    having = {number for number, *called in lookups.called() if any(wanted in _spelled(one) for one in called)}
    files = {number for number, path, key in lookups.shared() if wanted in _spelled(source_name(path, key))}
    return sorted({*meant(lookups, text)} | having | files)


_FULL, _ENDLESS, _TITLE, _PART, _NONE = range(5)


def _fit(wanted: str, name: str, title: str) -> int:
    if wanted == name:
        return _FULL
    if wanted == _without_ending(name):
        return _ENDLESS
    if wanted and wanted == title:
        return _TITLE
    is_part = len(wanted) >= _SHORTEST_PART and not wanted.endswith(SUFFIXES) and (wanted in name or wanted in title)
    return _PART if is_part else _NONE


def near(reference: str, names: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """Return names like one that nothing is called: those it is a part of, then those that read most like it."""
    wanted = _spelled(reference)
    spellings = {
        spelling: name
        for name in itertools.islice(names, MOST_COMPARED)
        for spelling in (_spelled(name), _without_ending(_spelled(name)))
    }
    holding = [spelling for spelling in spellings if len(wanted) >= _SHORTEST_PART and wanted in spelling]
    found = [*holding, *difflib.get_close_matches(wanted, spellings, n=2 * most)]
    return tuple(dict.fromkeys(spellings[spelling] for spelling in found))[:most]


def _spelled(name: str) -> str:
    return unicodedata.normalize("NFC", name.strip()).casefold()


def _without_ending(name: str) -> str:
    return next((name[: -len(ending)] for ending in SUFFIXES if name.endswith(ending)), name)
