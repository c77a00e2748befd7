"""What is in a corpus, asked for piece by piece: some documents, some parts, counts.

These are the questions to a store that must not touch every document. An engine answers them with queries of its own;
what people call documents is understood here, the same for all.
"""

from __future__ import annotations

import itertools
import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from octavo.corpus.store import references
from octavo.corpus.store.checksums import Numbers
from octavo.corpus.store.paths import ends_apart, place_of, shown, source_name
from octavo.corpus.store.protocol import DocumentInfo, StoredPart
from octavo.errors import AmbiguousDocumentError, UnknownDocumentError

Sort: TypeAlias = Literal["path", "title", "newest", "pages"]
"""What documents are listed by: where they were found; what they are called, numbers in it as numbers; when they were
indexed, the last one first; how long they are, the longest first."""
_DIGITS = re.compile(r"(\d+)")
_NAMED = 8
"""Documents that a message names at most: it stays a few lines."""
_CANDIDATES = 20
"""Documents that an ambiguous reference may mean, told with the error."""
_MOST_APART = 1_000
"""Documents of one name that are told apart by their paths."""
BATCH = 500
"""Documents that are read at once: a listing begins before it is whole."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the visible documents."""

    documents: int
    pages: int
    passages: int


@dataclass(frozen=True, slots=True)
class Holding:
    """What one place brought into the corpus: a folder, or a file that holds many documents."""

    path: str
    documents: int
    pages: int
    passages: int
    size_bytes: int


class Stamp(NamedTuple):
    """A state of a store: its identity, how often its documents changed, and a token of the last change.

    The token tells two histories apart, as of a store that was put back to an older state and went on from there.
    """

    identity: str
    generation: int
    token: str


@dataclass(frozen=True, slots=True)
class CatalogueState:
    """What there is to search at one moment: the stamp of the store, and the parts to be searched.

    `terms` and `vectors` are (n, 2) int64: number and mark of each visible part of that name. A mark is an int64 that
    tells a part from every other one, as its number does within one history of the store.
    """

    stamp: Stamp
    terms: Numbers
    vectors: Numbers
    changed: Numbers | None = None
    """(n,) numbers of the documents that changed or went since the generation asked for, where only these were read."""


class Catalogue(references.Lookups, ABC):
    """Reads the visible documents of a store. Thread-safe. Raises CorpusError as `Store` does."""

    # Documents

    @abstractmethod
    def count(self) -> int:
        """Return how many documents there are."""

    @abstractmethod
    def totals(self) -> Totals:
        """Return how many documents, pages and passages there are."""

    @abstractmethod
    def found(self, numbers: Iterable[int]) -> dict[int, DocumentInfo]:
        """Return the documents of these numbers, by number; those that have gone are left out."""

    def documents(self, numbers: Sequence[int]) -> list[DocumentInfo]:
        """Return the documents of these numbers, in their order; those that have gone are left out."""
        found = self.found(numbers)
        return [found[number] for number in numbers if number in found]

    @abstractmethod
    def names(self, numbers: Iterable[int]) -> dict[int, str]:
        """Return what the documents of these numbers are called, by number."""

    @abstractmethod
    def ordered(
        self, numbers: Iterable[int] | None, limit: int | None, sort: Literal["path", "newest", "pages"]
    ) -> list[int]:
        """Return documents in an order: all or some, and no more than `limit`."""

    @abstractmethod
    def path(self, document_id: str) -> str:
        """Return the file a document was first found in, "" when there is no such document."""

    @abstractmethod
    def layers(self) -> Mapping[str, int]:
        """Return how many documents have each layer."""

    @abstractmethod
    def held(self) -> Iterable[tuple[str, str, int, int, int]]:
        """Yield where each document comes from: holder, key of its first source, pages, passages and bytes."""

    def listing(
        self, numbers: Iterable[int] | None = None, *, limit: int | None = None, sort: Sort = "path"
    ) -> Iterator[DocumentInfo]:
        """Yield documents in an order: all or those of some numbers, and no more than `limit`."""
        ordered = self._by_title(numbers)[:limit] if sort == "title" else self.ordered(numbers, limit, sort)
        for at in range(0, len(ordered), BATCH):
            yield from self.documents(ordered[at : at + BATCH])

    def _by_title(self, numbers: Iterable[int] | None) -> list[int]:
        wanted = None if numbers is None else {*numbers}
        called = ((_natural(title or name), number) for number, name, title in self.called())
        return [number for _, number in sorted(called) if wanted is None or number in wanted]

    def holdings(self) -> list[Holding]:
        """Return what each folder and each file of many documents brought in, by path."""
        found: dict[str, list[int]] = {}
        places: dict[str, str] = {}
        for holder, key, *counts in self.held():
            sums = found.setdefault(places.setdefault(place_of(key), holder), [0, 0, 0, 0])
            for at, count in enumerate([1, *counts]):
                sums[at] += count
        return [Holding(shown(path), *found[path]) for path in sorted(found)]

    # What people call them

    def resolve(self, reference: str, *, in_full: bool = False) -> int:
        """Return the number of the one document a reference means: an id, the start of a hash, a name or a path.

        A title or part of a name or title will do, case aside, unless it is to be given in full. Raises CorpusError
        (`unknown`) when there is none, with the names that are near, and UsageError when there are several.
        """
        numbers = references.meant(self, reference, in_full=in_full)
        if not numbers:
            names = itertools.chain(
                (source_name(path, key) for _, path, key in self.shared()), self.some_names(references.MOST_COMPARED)
            )
            raise UnknownDocumentError(reference, references.near(reference, names))
        if len(numbers) > 1:
            raise self.ambiguous(reference, numbers)
        return numbers[0]

    def ambiguous(self, reference: str, numbers: Sequence[int]) -> AmbiguousDocumentError:
        """Return the error for a reference that means several documents, with what tells them apart."""
        return AmbiguousDocumentError(
            f"{reference!r} means {len(numbers):,} documents: {self._named(numbers, reference)}; "
            "give more of the name, the path or the hash",
            tuple((info.id, info.path) for info in self.as_named(numbers[:_CANDIDATES], reference)),
        )

    def check_name(self, name: str) -> None:
        """Raise AmbiguousDocumentError for a bare name that several documents have, wherever this process runs."""
        numbers = sorted({*self.with_name(shown(name), "~", "~")})
        if len(numbers) > 1:
            raise self.ambiguous(name, numbers)

    def names_apart(self, names: Collection[str]) -> dict[str, dict[str, str]]:
        """Return, by name and by document id, as much of the paths of documents that share one as tells them apart.

        Of a name that one document has, or more than a thousand, there is nothing.
        """
        numbers = defaultdict[str, list[int]](list)
        for number, name in self.with_names(names) if names else ():
            numbers[name].append(number)
        found = {name: dict[str, str]() for name in names}
        for name, alike in numbers.items():
            if 1 < len(alike) <= _MOST_APART:
                infos = [*self.found(sorted(alike)).values()]
                ends = ends_apart([info.path for info in infos])
                found[name] = {info.id: end for info, end in zip(infos, ends, strict=True)}
        return found

    def _named(self, numbers: Sequence[int], reference: str) -> str:
        """Return what tells documents apart: their names where those differ, else their paths."""
        infos = self.as_named(numbers[:_NAMED], reference)
        names = [info.name for info in infos]
        listed = names if len({*names}) == len(names) else [f"{info.path} ({info.id[7:15]})" for info in infos]
        return ", ".join(sorted(listed)) + (f" and {len(numbers) - _NAMED:,} more" if len(numbers) > _NAMED else "")

    def numbers_of(self, reference: str, *, in_full: bool = False) -> list[int]:
        """Return the numbers of all documents a reference means, ascending.

        That is one document as `resolve` has it, all that a folder or a file of many documents brought in, or all
        whose name or path fits a pattern with `*`, `?` and `[...]`. Raises as `resolve` does.
        """
        one = references.of_one(self, reference)
        if len(one) == 1:
            return one
        return references.of_many(self, reference) or [self.resolve(reference, in_full=in_full)]

    def scope(self, names: references.Names, *, in_full: bool = False) -> list[int]:
        """Return the numbers of the documents that names mean, in the order of the names. Raises as `resolve` does."""
        found = (number for name in references.listed(names) for number in self.numbers_of(name, in_full=in_full))
        return [*dict.fromkeys(found)]

    def as_named(self, numbers: Sequence[int], names: references.Names | None) -> list[DocumentInfo]:
        """Return documents in their order, each under the name and the path of the file that names mean.

        A document of several files that none of the names tells apart has those of the first.
        """
        found = self.found(numbers)
        meanings = [references.Meaning(name) for name in ([] if names is None else references.listed(names))]
        meanings = [meaning for meaning in meanings if not meaning.is_id]
        files: dict[int, list[tuple[str, str]]] = {}
        for number, path, key in self.shared(numbers) if meanings else ():
            files.setdefault(number, []).append((path, key))
        found |= {number: _under(found[number], files[number], meanings) for number in files.keys() & found.keys()}
        return [found[number] for number in numbers if number in found]

    # What is searched and read

    @abstractmethod
    def stamp(self) -> Stamp:
        """Return the state the store is in."""

    @abstractmethod
    def state(self, since: Stamp | None = None) -> CatalogueState:
        """Return what there is to search, all of one moment; of what changed `since` a stamp, where that is known."""

    @abstractmethod
    def owners(self, parts: Numbers) -> list[tuple[int, str, int]]:
        """Return (number, id, passages) of the visible documents that have any of these parts, by number."""

    @abstractmethod
    def load(self, ids: Iterable[str], names: Iterable[str]) -> Iterable[StoredPart]:
        """Yield the visible parts of some names of some documents. Raises CorpusError (`damaged`)."""


def _under(
    info: DocumentInfo, files: Sequence[tuple[str, str]], meanings: Sequence[references.Meaning]
) -> DocumentInfo:
    """Return a document under that of its files which some names mean most surely, the first found where none does."""
    path, key = min(files, key=lambda file: references.sureness(meanings, *file))
    return replace(info, name=shown(source_name(path, key)), path=shown(path))


def _natural(name: str) -> list[str | int]:
    """Return what a name is sorted by: case aside, and "part 2" before "part 10"."""
    return [int(part) if part.isdecimal() else part.casefold() for part in _DIGITS.split(name)]
