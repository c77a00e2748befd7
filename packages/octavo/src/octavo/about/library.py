"""What all documents of a library are about, in columns, and which of them a question means."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from octavo.about.issuer_keys import called_of, issuers_of
from octavo.about.names import initials, is_legal_form, words_of
from octavo.about.profile import DocumentProfile
from octavo.about.question_names import DocumentsWith, NameWord, is_marked, names_in
from octavo.about.several import ALIKE, MOST_THINGS, Thing, grouped, periods_of_each, shared_out, times_apart
from octavo.evidence.meant_documents import SURELY, Floats, MeantDocuments
from octavo_documents.document.columns import Mask
from octavo_documents.text.document_kinds import kinds_asked
from octavo_documents.text.language_identification import language_of
from octavo_documents.text.names import likeness
from octavo_documents.text.periods import Period, periods_asked
from octavo_documents.text.relative_periods import years_asked
from octavo_documents.text.versions import age_wanted, names_every_version, version_order, versions_in

_SURE = 0.55
"""What the words that are named add up to from which a name counts in full."""
_PERIOD, _KIND, _VERSION, _RECENT = 0.9, 0.4, 0.6, 0.08
"""What the period, kind and version that a question names are worth beside the name, which is 1; and of documents of
one name, where no period is named, the latest."""
_ORDERED = 0.6
"""What being the newest is worth where that is asked for, or the oldest."""
_OUTRIGHT = 0.5
"""The part of it that is the newest document's alone; the rest is by how new each is."""
_NAMELESS = 0.2
"""Of these, what they are worth where no name is."""
_BESIDE = 0.7
"""What a year counts that a document speaks of beside the one it reports on."""
_ON_COVER = 0.9
"""Strength of the year that a cover says a report is of."""
_LESS = 0.8
"""What a document of a quarter or a day counts where a whole year is asked about."""
_OF_PART = frozenset({"quarterly report", "current report", "press release"})
_ONE_OF_TEN = float(np.log(10))
_FULL = 0.6
"""Strength from which a document is as much about a word as can be."""
_MOST_KEPT = 20_000
"""Words, periods, kinds and versions whose documents are remembered."""
_NAMED = 0.2
"""What a word speaks for a document, at least, for it to count as one of its names."""
_MORE = 0.15
"""What each other name that a document fits is worth beside the best."""
_SLIP, _BEGINNING = 0.8, 0.8
"""What a word counts that is a name but for a slip, or its beginning."""
_LONGEST_ENDING = 3
_SHORTEST_BEGINNING = 4
_IN_OTHER_TEXTS = 0.5
"""Power of the share of the texts with a word that are about it by which the word counts."""


@dataclass(frozen=True, eq=False)
class _Held:
    """The documents that have a word, period, kind or version, and how surely it is theirs (0..1)."""

    rows: npt.NDArray[np.int64]
    strengths: Floats


@dataclass(frozen=True, eq=False)
class _Name:
    """A name of a question: (n,) how well documents fit it, its words that are names here, and those of none."""

    gains: Floats
    named: Sequence[NameWord]
    strangers: Sequence[NameWord]


@dataclass(frozen=True)
class _Asked:
    """What a question says of the documents it means, beside their names."""

    question: str
    code: str
    """Of its language."""
    periods: Sequence[Period]
    kinds: Sequence[str]
    versions: Sequence[str]
    named: Collection[str] = ()
    """Its words that are names of documents, as it writes them."""


class Library:
    """What some documents are about, looked up by the words of their names, their periods, kinds and versions."""

    def __init__(self, ids: Sequence[str], profiles: Sequence[DocumentProfile]) -> None:
        """Take the documents' ids and what each is about, in the same order."""
        self.ids, self.profiles = ids, profiles
        self.rows = {document_id: row for row, document_id in enumerate(ids)}
        self._found: dict[tuple[str, str], _Held | None] = {}
        """What was looked for: to read all words of thousands of documents takes longer than to look some up."""

    def __len__(self) -> int:
        return len(self.profiles)

    def _held(self, sort: str, key: str) -> _Held | None:
        """Return the documents that have a name's word, a period, a kind or a version; None for none."""
        try:
            return self._found[sort, key]
        except KeyError:
            rows = [(row, strength) for row, strength in enumerate(self._strengths(sort, key)) if strength]
        held = _Held(*(np.array(each) for each in zip(*rows, strict=True))) if rows else None
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
        called = self._aliases.get(key)
        if not called:
            return own
        return [
            max(strength, _FULL) if issuer in called else strength
            for strength, issuer in zip(own, self._issuers, strict=True)
        ]

    @cached_property
    def _issuers(self) -> list[str]:
        """Who issued each document, as names are compared, by the newest name; "" where it does not say."""
        return issuers_of(self.profiles)

    @cached_property
    def _aliases(self) -> dict[str, set[str]]:
        """The issuers by the words of the short forms that any of their documents defines: all are called so."""
        return called_of(self.profiles, self._issuers)

    @cached_property
    def _strong(self) -> dict[str, list[str]]:
        """Words that surely are names, by their first letter."""
        words = {word for one in self.profiles for word, strength in one.words.items() if strength >= _SLIP}
        found: dict[str, list[str]] = defaultdict(list)
        for word in sorted(words.union(self._aliases)):
            if len(word) >= _SHORTEST_BEGINNING:
                found[word[0]].append(word)
        return found

    @cached_property
    def _recency(self) -> Floats:
        """(n,) when each document is of, as a year, later versions after earlier ones; nan for one without a date."""
        return np.array([_year_of(profile) + _later(profile.version) for profile in self.profiles])

    def within(self, ids: Collection[str]) -> Library:
        """Return the library of those among some documents; it is this one where they are all of its documents."""
        rows = sorted(self.rows[one] for one in ids if one in self.rows)
        if len(rows) == len(self):
            return self
        return Library([self.ids[row] for row in rows], [self.profiles[row] for row in rows])

    def meant(self, question: str, documents_with: DocumentsWith) -> MeantDocuments:
        """Return how well documents fit the names, periods, kinds and versions of a question.

        Takes milliseconds for 10,000 documents.
        """
        if len(self) < 2:
            return MeantDocuments()
        names = [self._fitting(words) for words in names_in(question, documents_with, self._spread, self._is_name)]
        fit, confidence = _united([name.gains for name in names], len(self))
        candidates = fit >= ALIKE * confidence if confidence >= 0.5 else np.ones(len(self), np.bool_)
        asked = dataclasses.replace(_asked(question), named=[word.written for name in names for word in name.named])
        asked = self._with_years_told(asked, candidates, confidence)
        things = self._things(asked, names, Thing(fit, candidates, asked.periods, asked.versions), confidence)
        ages = dict[str, None]()

        def score_of(thing: Thing) -> Floats:
            score, age = self._score(asked, thing, confidence)
            ages[age] = None
            return score

        if len(things) > 1:
            scores, groups = grouped(things, score_of)
        else:
            scores = score_of(things[0])
            scores, groups = scores - float(scores.max()), np.full(len(self), -1)
        named = {word.written: None for name in names for word in name.named}
        return MeantDocuments(
            named=tuple(named),
            periods=tuple(dict.fromkeys(key for period in asked.periods for key in period.keys)),
            kinds=tuple(asked.kinds),
            versions=tuple(asked.versions),
            age=next(filter(None, ages), ""),
            strangers=tuple(word.written for name in names for word in name.strangers if word.written not in named),
            uncovered=self._uncovered(asked.periods, candidates) if confidence >= SURELY else (),
            confidence=confidence,
            rows=self.rows,
            scores=scores,
            groups=groups,
        )

    def _with_years_told(self, asked: _Asked, candidates: Mask, confidence: float) -> _Asked:
        """Return what is asked with the years that it tells from the newest one: "last year", "since 2021".

        The newest is that of the annual reports of who is surely named, or of their other documents.
        """
        told = years_asked(asked.question, asked.code)
        if told is None or not (confidence >= SURELY or self._is_of_one_issuer(candidates)):
            return asked
        reports = candidates & (self._summed("kind", {"annual report": 1.0}) == 1)
        among = np.flatnonzero(reports if reports.any() else candidates).tolist()
        years = [int(self.profiles[row].period[:4]) for row in among if self.profiles[row].period]
        quarters = [period.quarter for period in asked.periods if period.quarter and not period.year] or [0]
        periods = [Period(year, quarter) for year in told.resolved(max(years)) for quarter in quarters] if years else []
        return dataclasses.replace(asked, periods=periods or asked.periods)

    def _score(self, asked: _Asked, thing: Thing, confidence: float) -> tuple[Floats, str]:
        """Return (n,) how well documents fit a thing and what is said of it; "newest" or "oldest" where that told."""
        bonus = self._bonus(thing.periods, asked.kinds, thing.versions, thing.own)
        # A document of another name is not meant for its year.
        counts = np.where(thing.own, 1.0, np.maximum(np.minimum(thing.fit, 1.0), 1.0 - confidence))
        score = thing.fit + max(confidence, _NAMELESS) * counts * bonus
        by_age, age = self._by_age(asked, thing, confidence)
        return score + by_age, age if by_age.any() else ""

    def _bonus(
        self, periods: Sequence[Period], kinds: Sequence[str], versions: Sequence[str], candidates: Mask
    ) -> Floats:
        """Return (n,) what the period, kind and version that a question names speak for each document."""
        bonus = np.zeros(len(self))
        for part, worth, least in (
            (self._by_period(periods), _PERIOD, 0.5),
            (self._by_key("kind", kinds), _KIND, 1.0),
            (self._by_key("version", versions), _VERSION, 1.0),
        ):
            top = float(part[candidates].max(initial=0.0))
            if top > 0:
                bonus += worth * np.minimum(part / max(top, least), 1.0) ** 2
        return bonus

    def _uncovered(self, periods: Sequence[Period], candidates: Mask) -> tuple[str, ...]:
        """Return the years that are asked about and that none of some documents speaks of."""
        years = dict.fromkeys(str(period.year) for period in periods if period.year)
        spoken = {year: self._held("period", year) for year in years}
        return tuple(year for year, held in spoken.items() if held is None or not candidates[held.rows].any())

    def _things(self, asked: _Asked, names: Sequence[_Name], whole: Thing, confidence: float) -> list[Thing]:
        """Return the things that are asked about which have documents of their own; `whole` where it is one.

        They are several names, or times or versions of one name, the newest first.
        """
        of_issuers = [name for name in names if any(self._is_name(word.key) for word in name.named)]
        sure = [name for name in of_issuers if name.gains.max(initial=0.0) >= SURELY * _SURE]
        own = shared_out([name.gains for name in sure], [{word.key for word in name.named} for name in sure])
        things = [
            Thing(confidence * name.gains / name.gains.max(), has, asked.periods, asked.versions)
            for name, has in zip(sure, own, strict=True)
            if has.any()
        ]
        if len(things) < 2:
            is_one = bool(sure) or self._is_of_one_issuer(whole.own)
            return self._by_version(asked, whole) or self._by_time(whole) if is_one else [whole]
        starts = [name.named[0].start for name, has in zip(sure, own, strict=True) if has.any()]
        each = [
            dataclasses.replace(thing, periods=periods)
            for thing, periods in zip(things, periods_of_each(asked.question, starts, asked.code) or (), strict=False)
        ]
        if each and all((thing.own & self._is_of_any(thing.periods)).any() for thing in each):
            things = each
        by_time = [part for thing in things for part in self._by_time(thing)]
        return by_time if len(by_time) <= MOST_THINGS else things[:MOST_THINGS]

    def _by_time(self, thing: Thing) -> list[Thing]:
        """Return a thing at each of the times it is asked about that have documents of their own, the newest first."""
        times = sorted(times_apart(thing.periods), reverse=True)
        parts = [dataclasses.replace(thing, own=thing.own & self._is_of(time), periods=[time]) for time in times]
        held = [part for part in parts if part.own.any()]
        return held[:MOST_THINGS] if len(held) > 1 else [thing]

    def _by_version(self, asked: _Asked, thing: Thing) -> list[Thing]:
        """Return the versions of a thing where several are asked about, the newest first; none where one is."""
        if len(asked.versions) < 2 and not names_every_version(asked.question):
            return []
        of_kind = thing.own & (self._by_key("kind", asked.kinds) > 0)
        among = of_kind if of_kind.any() else thing.own
        there = {self.profiles[row].version for row in np.flatnonzero(among).tolist()} - {""}
        wanted = sorted(there.intersection(asked.versions or there), key=version_order, reverse=True)
        parts = [
            dataclasses.replace(thing, own=among & (self._summed("version", {version: 1.0}) > 0), versions=[version])
            for version in wanted[:MOST_THINGS]
        ]
        return parts if len(parts) > 1 else []

    def _is_of_one_issuer(self, candidates: Mask) -> bool:
        """Return whether one issuer's documents are asked: its times and versions are things without its name."""
        issuers = {issuer for issuer, is_one in zip(self._issuers, candidates, strict=True) if is_one}
        return len(issuers) == 1 and "" not in issuers

    def _is_of_any(self, periods: Sequence[Period]) -> Mask:
        return np.any([self._is_of(period) for period in periods], axis=0)

    def _is_of(self, period: Period) -> Mask:
        """Return (n,) whether a year or quarter is what each document reports on, or a month or day its date."""
        if period.month:
            day = f"-{period.day:02}" if period.day else ""
            date = f"{period.year}-{period.month:02}{day}"
            return np.array([profile.date.startswith(date) for profile in self.profiles], np.bool_)
        if period.quarter:
            key = period.keys[-1]
            return np.array([key in (one.period, *one.years) for one in self.profiles], np.bool_)
        return np.array([profile.period[:4] == str(period.year) for profile in self.profiles], np.bool_)

    def _spread(self, documents: float) -> float:
        """Return 1 for what one document has, or one of ten, less for what more have, 0 for what all have."""
        full = min(np.log(len(self)), _ONE_OF_TEN)
        return float(np.clip(np.log(len(self) / max(documents, 1.0)) / full, 0.0, 1.0))

    @cached_property
    def _names(self) -> frozenset[str]:
        """The words of who issued documents, of short forms, and of the initials of issuers."""
        found = {*self._aliases}
        for issuer in {profile.issuer for profile in self.profiles}:
            found.update(word for word, _ in words_of(issuer) if not is_legal_form(word))
            found |= initials(issuer)
        return frozenset(found)

    def _is_name(self, word: str) -> bool:
        return word in self._names

    def _fitting(self, words: Sequence[NameWord]) -> _Name:
        """Return how well documents fit a name of a question."""
        gains, named, strangers = np.zeros(len(self)), list[NameWord](), list[NameWord]()
        for word in {word.key: word for word in words}.values():  # "Cash & Cash Equivalents" says it once
            gained = self._gain(word)
            if gained.max() > _NAMED:
                named.append(word)
            elif word.is_proper and gained.max() == 0:
                strangers.append(word)
            gains += gained
        for first, second in pairwise(words):
            joined = self._held("name", first.key + second.key)  # "Best Buy" as in BESTBUY_2017.pdf
            if joined is not None:
                gained = np.zeros(len(self))
                gained[joined.rows] = joined.strengths * min(1.0, first.sure + second.sure)
                gains, named = np.maximum(gains, gained), [*named, first, second]
        return _Name(gains, named, strangers)

    def _gain(self, word: NameWord) -> Floats:
        """Return (n,) what a word of the question speaks for each document.

        One that names nobody who issued a document, or is written small, says less the more texts have it that are not
        about it.
        """
        held, sure = self._held("name", word.key), word.sure
        if held is None and sure >= _NAMED:
            other, worth = self._nearest(word)
            held, sure = self._held("name", other), sure * worth
        gained = np.zeros(len(self))
        if held is not None and word.is_code and 0 < word.count <= len(held.rows):
            gained[held.rows] = self._spread(len(held.rows))  # no other document has it anywhere
        elif held is not None:
            whole = float(held.strengths.sum())
            if not (self._is_name(word.key) and is_marked(word.written)):
                sure *= min(1.0, whole / max(word.count, 1)) ** _IN_OTHER_TEXTS
            gained[held.rows] = np.minimum(held.strengths / _FULL, 1.0) * self._spread(whole) * sure
        return gained

    def _nearest(self, named: NameWord) -> tuple[str, float]:
        """Return the name that a word begins, or is but for a slip, and what it counts; "" for none.

        A word in small letters that texts have begins none: "exam" is no "Example".
        """
        word = named.key
        strong = self._strong.get(word[0], [])
        if len(word) >= _SHORTEST_BEGINNING and (is_marked(named.written) or not named.is_known):
            longer = [name for name in strong if name.startswith(word) and len(name) - len(word) <= _LONGEST_ENDING]
            if longer:
                return min(longer, key=len), _BEGINNING
        if named.is_known:
            return "", 0.0
        alike = [(likeness(word, name), name) for name in strong if abs(len(name) - len(word)) < 2]
        best = max(alike, default=(0.0, ""))
        return (best[1], _SLIP) if best[0] >= 0.85 else ("", 0.0)

    def _by_period(self, asked: Sequence[Period]) -> Floats:
        keys = dict.fromkeys(key for period in asked for key in period.keys)
        latest = max((int(key[:4]) for key in keys), default=0)
        months = {f"{one.year}-{one.month:02}": 2.0 for one in asked if one.month and not one.day}
        return self._summed("period", {key: _worth(key, latest) for key in keys}) + self._summed("month", months)

    def _by_key(self, sort: str, asked: Sequence[str]) -> Floats:
        fits = self._summed(sort, dict.fromkeys(asked, 1.0))
        return fits * self._spread(float((fits > 0).sum()))

    def _summed(self, sort: str, worth: Mapping[str, float]) -> Floats:
        """Return (n,) what several periods, kinds or versions together speak for each document."""
        fits = np.zeros(len(self))
        for key, weight in worth.items():
            held = self._held(sort, key)
            if held is not None:
                fits[held.rows] += held.strengths * weight
        return fits

    def _by_age(self, asked: _Asked, thing: Thing, confidence: float) -> tuple[Floats, str]:
        """Return (n,) what a question for the newest or the oldest speaks for each document, and which it is.

        Where it asks for neither, and for no period, the newest of a name is worth a little more.
        """
        wanted = age_wanted(asked.question, asked.code, asked.named)
        if wanted:
            of_kind = thing.own & (self._by_key("kind", asked.kinds) > 0)
            found = _ORDERED * self._newest(of_kind if of_kind.any() else thing.own, oldest=wanted < 0)
            return found, "newest" if wanted > 0 else "oldest"
        if thing.periods or confidence < 0.5:
            return np.zeros(len(self)), ""
        return confidence * _RECENT * self._newest(thing.own), "newest"

    def _newest(self, candidates: Mask, *, oldest: bool = False) -> Floats:
        """Return (n,) 1 for the newest, or `oldest`, of some documents, less for others, 0 for those without a date.

        The next newest is clearly less even where many years lie before both.
        """
        years = np.where(candidates, self._recency, np.nan)
        if not np.isfinite(years).any():  # no document has a date: versions alone tell
            versions = np.array([_later(profile.version) or np.nan for profile in self.profiles])
            years = np.where(candidates, versions, np.nan)
        if not np.isfinite(years).any():
            return np.zeros(len(self))
        latest, first = np.nanmax(years), np.nanmin(years)
        if latest <= first:
            return np.zeros(len(self))
        share = np.nan_to_num((latest - years if oldest else years - first) / (latest - first))
        return (1 - _OUTRIGHT) * share + _OUTRIGHT * (share == 1)


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


def _united(gains: Sequence[Floats], count: int) -> tuple[Floats, float]:
    """Return (n,) how well documents fit any of several names, a little more for several, and how sure the best is."""
    fits, confidences = list[Floats](), list[float]()
    for gain in gains:
        best = float(gain.max(initial=0.0))
        confidences.append(min(1.0, best / _SURE))
        fits.append(confidences[-1] * gain / best if best > 0 else gain)
    if not fits:
        return np.zeros(count), 0.0
    most = np.max(fits, axis=0)
    united = most + _MORE * (np.sum(fits, axis=0) - most)
    return united, max(confidences)


def _asked(question: str) -> _Asked:
    """Return what a question says beside names; of kinds, "report" beside another says nothing more."""
    code = language_of(question)
    kinds = kinds_asked(question, code)
    own = [kind for kind in kinds if kind != "report"] or kinds
    return _Asked(question, code, periods_asked(question, code), own, versions_in(question, code, bare=True))


def _worth(key: str, latest: int) -> float:
    """Return what a period of a question counts: a report of its last year holds those before, days say most."""
    return (1.0 if int(key[:4]) == latest else 0.3) * (2.0 if len(key) > 4 else 1.0)
