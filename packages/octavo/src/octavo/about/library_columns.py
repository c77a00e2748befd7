"""What the documents of a library are about, in columns: looked up by words of names, periods, kinds and versions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from octavo.about.issuer_keys import called_of, issuers_of
from octavo.about.names import initials, is_legal_form, words_of
from octavo.about.profile import DocumentProfile
from octavo.about.question_names import NameWord, is_marked
from octavo.evidence.meant_documents import Floats
from octavo_documents.document.columns import Mask
from octavo_documents.text.document_ages import Age
from octavo_documents.text.document_kinds import DRAFT
from octavo_documents.text.names import spelling_distance
from octavo_documents.text.periods import Period
from octavo_documents.text.versions import version_order

FULL = 0.6
"""Strength from which a document is as much about a word as can be."""
_SLIP, _BEGINNING = 0.8, 0.8
"""What a word counts that is a name but for a slip, or its beginning."""
_LONGEST_ENDING = 3
_SHORTEST_BEGINNING = 4
_SHORTEST_SLIP, _LONG = 5, 9
"""Letters of a name in which one, and two, may be wrong."""
_FAR = 3
_OUTRIGHT = 0.5
"""The part of being the newest that is the newest document's alone; the rest is by how new each is."""
_BESIDE = 0.7
"""What a year counts that a document speaks of beside the one it reports on."""
_ON_COVER = 0.9
"""Strength of the year that a cover says a report is of."""
_LESS = 0.8
"""What a document of a quarter or a day counts where a whole year is asked about."""
_OF_PART = frozenset({"quarterly report", "current report", "press release"})
_UNREADY = 1e-4
"""How much earlier a draft counts, in years, than what else is of its day."""
_ONE_OF_TEN = float(np.log(10))
_MOST_KEPT = 20_000
"""Words, periods, kinds and versions whose documents are remembered."""


@dataclass(frozen=True, eq=False)
class HeldBy:
    """The documents that have a word, period, kind or version, and how surely it is theirs (0..1)."""

    rows: npt.NDArray[np.int64]
    strengths: Floats


class LibraryColumns:
    """Looks up which of some documents have a word among their names, a period, a kind or a version."""

    def __init__(self, profiles: Sequence[DocumentProfile]) -> None:
        """Take what each document is about."""
        self.profiles = profiles
        self._found: dict[tuple[str, str], HeldBy | None] = {}
        """What was looked for: to read all words of thousands of documents takes longer than to look some up."""

    def __len__(self) -> int:
        return len(self.profiles)

    def held(self, sort: str, key: str) -> HeldBy | None:
        """Return the documents that have a name's word, a period, a kind or a version; None for none."""
        try:
            return self._found[sort, key]
        except KeyError:
            rows = [(row, strength) for row, strength in enumerate(self._strengths(sort, key)) if strength]
        held = HeldBy(*(np.array(each) for each in zip(*rows, strict=True))) if rows else None
        if len(self._found) > _MOST_KEPT:
            self._found.clear()
        self._found[sort, key] = held
        return held

    def _strengths(self, sort: str, key: str) -> list[float]:
        """Return for each document how surely something is its, 0 where it is not."""
        if sort == "kind":
            return [(1.0 if key == one.kinds[0] else 0.5) if key in one.kinds else 0.0 for one in self.profiles]
        if sort == "version":
            return [float(one.version == key) for one in self.profiles]
        if sort == "month":
            return [float(one.date.startswith(key)) for one in self.profiles]
        if sort == "period":
            return [_of_period(one, key) for one in self.profiles]
        own = [one.words.get(key, 0.0) for one in self.profiles]
        called = self.aliases.get(key)
        if not called:
            return own
        return [
            max(strength, FULL) if issuer in called else strength
            for strength, issuer in zip(own, self.issuers, strict=True)
        ]

    @cached_property
    def issuers(self) -> list[str]:
        """Who issued each document, as names are compared, by the newest name; "" where it does not say."""
        return issuers_of(self.profiles)

    @cached_property
    def aliases(self) -> dict[str, set[str]]:
        """The issuers by the words of the short forms that any of their documents defines: all are called so."""
        return called_of(self.profiles, self.issuers)

    @cached_property
    def strong(self) -> dict[str, list[str]]:
        """Words that surely are names, by their first letter."""
        words = {word for one in self.profiles for word, strength in one.words.items() if strength >= _SLIP}
        found: dict[str, list[str]] = defaultdict(list)
        for word in sorted(words.union(self.aliases)):
            if len(word) >= _SHORTEST_BEGINNING:
                found[word[0]].append(word)
        return found

    @cached_property
    def recency(self) -> Floats:
        """(n,) when each document is of, as a year, later versions after earlier ones; nan for one without a date."""
        return np.array(
            [_year_of(one) + _later(one.version) - _UNREADY * (DRAFT in one.kinds) for one in self.profiles]
        )

    @cached_property
    def have_version(self) -> Mask:
        """(n,) whether each document is a version of something."""
        return np.array([bool(profile.version) for profile in self.profiles], np.bool_)

    def are_first(self, kinds: Collection[str]) -> Floats:
        """Return (n,) 1 for documents that are first of all of one of some kinds, or drafts where these are one."""
        firsts = {*kinds}
        own = (profile.kinds[:1] + ((DRAFT,) if DRAFT in profile.kinds else ()) for profile in self.profiles)
        return np.array([float(not firsts.isdisjoint(each)) for each in own])

    def of_other_versions(self, asked: Collection[str]) -> frozenset[int]:
        """Return the rows of documents that are of a version of the sort of one that is asked, and of none that is."""
        sorts = {version.partition(" ")[0] for version in asked}
        return frozenset(
            row
            for row, profile in enumerate(self.profiles if asked else ())
            if profile.version and profile.version not in asked and profile.version.partition(" ")[0] in sorts
        )

    def is_of_one_issuer(self, candidates: Mask) -> bool:
        """Return whether one issuer's documents are asked: its times and versions are things without its name."""
        issuers = {issuer for issuer, is_one in zip(self.issuers, candidates, strict=True) if is_one}
        return len(issuers) == 1 and "" not in issuers

    def is_of_any(self, periods: Sequence[Period]) -> Mask:
        """Return (n,) whether each document is of any of some times; see `is_of`."""
        return np.any([self.is_of(period) for period in periods], axis=0)

    def is_of(self, period: Period) -> Mask:
        """Return (n,) whether a year or quarter is what each document reports on, or a month or day its date."""
        if not (period.month or period.quarter):
            return np.array([profile.period[:4] == str(period.year) for profile in self.profiles], np.bool_)
        found = np.zeros(len(self), np.bool_)
        if period.month:
            day = f"-{period.day:02}" if period.day else ""
            date = f"{period.year}-{period.month:02}{day}"
            found |= np.array([profile.date.startswith(date) for profile in self.profiles], np.bool_)
        if period.quarter:
            key = period.keys[1]
            found |= np.array([key in (one.period, *one.years) for one in self.profiles], np.bool_)
        return found

    def spread(self, documents: float) -> float:
        """Return 1 for what one document has, or one of ten, less for what more have, 0 for what all have."""
        full = min(np.log(len(self)), _ONE_OF_TEN)
        return float(np.clip(np.log(len(self) / max(documents, 1.0)) / full, 0.0, 1.0))

    @cached_property
    def _names(self) -> frozenset[str]:
        """The words of who issued documents, of short forms, and of the initials of issuers."""
        found = {*self.aliases}
        for issuer in {profile.issuer for profile in self.profiles}:
            found.update(word for word, _ in words_of(issuer) if not is_legal_form(word))
            found |= initials(issuer)
        return frozenset(found)

    def is_name(self, word: str) -> bool:
        """Whether a word is of the name of who issued a document, or a short form of it."""
        return word in self._names

    def by_key(self, sort: str, asked: Sequence[str]) -> Floats:
        """Return (n,) how surely each document has one of some kinds or versions, less where many have."""
        fits = self.summed(sort, dict.fromkeys(asked, 1.0))
        return fits * self.spread(float((fits > 0).sum()))

    def summed(self, sort: str, worth: Mapping[str, float]) -> Floats:
        """Return (n,) what several periods, kinds or versions together speak for each document."""
        fits = np.zeros(len(self))
        for key, weight in worth.items():
            held = self.held(sort, key)
            if held is not None:
                fits[held.rows] += held.strengths * weight
        return fits

    def by_age(self, candidates: Mask, age: Age) -> Floats:
        """Return (n,) 1 for the document of some that is of an age, less for others, 0 for those without a date.

        The next newest is clearly less even where many years lie before both.
        """
        years = np.where(candidates, self.recency, np.nan)
        if not np.isfinite(years).any():  # no document has a date: versions alone tell
            versions = np.array([_later(profile.version) or np.nan for profile in self.profiles])
            years = np.where(candidates, versions, np.nan)
        told = np.unique(years[np.isfinite(years)])
        if len(told) < 2:
            return np.zeros(len(self))
        if age is Age.PREVIOUS:
            return (years == told[-2]).astype(np.float64)
        share = np.nan_to_num((years - told[0] if age is Age.NEWEST else told[-1] - years) / (told[-1] - told[0]))
        return (1 - _OUTRIGHT) * share + _OUTRIGHT * (share == 1)

    def nearest(self, named: NameWord) -> tuple[str, float]:
        """Return the name that a word begins, or is but for a slip, and what it counts; "" for none.

        A word in small letters that texts have begins none: "exam" is no "Example".
        """
        word = named.key
        strong = self.strong.get(word[0], [])
        if len(word) >= _SHORTEST_BEGINNING and (is_marked(named.written) or not named.is_known):
            longer = [name for name in strong if name.startswith(word) and len(name) - len(word) <= _LONGEST_ENDING]
            if longer:
                return min(longer, key=len), _BEGINNING
        if named.is_known:
            return "", 0.0
        if any(map(str.isdigit, word)):  # every sign of a code counts, but how it is parted
            return next(((name, 1.0) for name in strong if name.replace("-", "") == word.replace("-", "")), ("", 0.0))
        near = [(spelling_distance(word, name), name) for name in strong if abs(len(name) - len(word)) < 2]
        distance, name = min(near, default=(_FAR, ""))
        return (name, _SLIP) if distance <= _most_slips(word, name) else ("", 0.0)


def _most_slips(word: str, name: str) -> int:
    """Return how many letters may differ between a word and the name that is meant."""
    letters = max(len(word), len(name))
    return 0 if letters < _SHORTEST_SLIP else 1 if letters < _LONG else 2


def _of_period(profile: DocumentProfile, key: str) -> float:
    """Return how surely a document is of a year, quarter or day: what its cover says is as sure as its file's name."""
    strength = min(1.0, profile.years.get(key, 0.0) / _ON_COVER)
    if profile.period[:4] not in ("", key[:4]):
        return strength * _BESIDE
    is_of_part = len(key) == len("2023") and ("Q" in profile.period or not _OF_PART.isdisjoint(profile.kinds[:1]))
    return strength * (_LESS if is_of_part else 1.0)


def _year_of(profile: DocumentProfile) -> float:
    """Return the date of a document, or the end of what it reports on, as a year."""
    text = profile.date or profile.period
    if not text[:4].isdigit():
        return float("nan")
    month = int(text[5:7]) if text[5:7].isdigit() else 3 * int(text[-1]) if "Q" in text else 12
    return int(text[:4]) + month / 12


def _later(version: str) -> float:
    """Return what a version counts as an age in years: little, so that dates decide first."""
    if not version:
        return 0.0
    numbers, letter = version_order(version)
    return 1e-3 * (
        float(numbers[0]) + (numbers[1] / 100 if len(numbers) > 1 else 0.0) if numbers else ord(letter[0]) - 96
    )
