"""What people call documents: an id, the start of a hash, a name or part of it, a path; a folder, a file, a pattern.

What is asked of a store touches no more rows than it must; only what nothing is called in full is compared with every
name.
"""

from __future__ import annotations

import difflib
import itertools
import os
import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from octavo.corpus.store.paths import INSIDE, absolute, article_key, is_address, path_key, shown
from octavo.parsing.formats import SUFFIXES

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
    def fitting(self, name: str, path: str) -> Iterable[int]:
        """Return the documents whose name or whose path fits a pattern with `*`, `?` and `[...]`."""

    @abstractmethod
    def called(self) -> Iterable[tuple[int, str, str]]:
        """Yield number, name and title of every document, by number."""

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
    yield lookups.with_name(shown(reference), start, f"{start}~")


def _keys(reference: str) -> Iterator[str]:
    """Yield what the sources a reference may name as a path are stored under: a file, an article in a file."""
    yield path_key(absolute(reference))
    for mark in re.finditer("#", reference):
        yield article_key(absolute(reference[: mark.start()]), reference[mark.end() :])


def of_many(lookups: Lookups, reference: str) -> list[int]:
    """Return the numbers of the documents under a folder or in a file of many, else of those a pattern fits.

    A pattern has `*`, `?` or `[...]` and fits the whole of a name or of a path, or the end of a path after a separator.
    """
    found: set[int] = set()
    for mark in _BELOW:
        start = path_key(absolute(reference).rstrip(os.sep)) + mark
        found.update(lookups.with_keys(start, start[:-1] + chr(ord(start[-1]) + 1)))
    if not found and _WILD.search(reference):
        whole = reference if Path(reference).is_absolute() or is_address(reference) else f"*[{os.sep}]{reference}"
        found.update(lookups.fitting(shown(reference), shown(whole)))
    return sorted(found)


def of_part(lookups: Lookups, reference: str) -> list[int]:
    """Return the numbers of the documents that a name or title means, case aside; of a name the ending may lack.

    Names and titles in full go before those it is a part of. A name that ends as a file does is no part of another:
    "plan.pdf" does not mean "floorplan.pdf".
    """
    wanted = _spelled(reference)
    fitting: list[list[int]] = [[] for _ in range(_NONE + 1)]
    for number, name, title in lookups.called():
        fitting[_fit(wanted, _spelled(name), _spelled(title))].append(int(number))
    return next(filter(None, fitting[:_NONE]), list[int]())


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
