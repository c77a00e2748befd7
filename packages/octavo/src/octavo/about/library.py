"""Which documents of a library a question means, by what they are about."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from octavo.about.library_columns import FULL, LibraryColumns
from octavo.about.longer_names import of_longer_names
from octavo.about.profile import DocumentProfile
from octavo.about.question_names import DocumentsWith, NameWord, is_marked, names_in, numbered_names
from octavo.about.several import ALIKE, MOST_THINGS, Thing, grouped, periods_of_each, shared_out, times_apart
from octavo.evidence.meant_documents import SURELY, Floats, MeantDocuments
from octavo_documents.document.columns import Mask
from octavo_documents.text.document_ages import Age, age_wanted
from octavo_documents.text.document_kinds import kinds_asked, kinds_put_aside
from octavo_documents.text.language_identification import language_of
from octavo_documents.text.periods import Period, periods_asked
from octavo_documents.text.relative_periods import years_asked
from octavo_documents.text.versions import names_every_version, version_order, versions_in

_SURE = 0.55
"""What the words that are named add up to from which a name counts in full."""
_PERIOD, _KIND, _VERSION, _RECENT = 0.9, 0.6, 0.6, 0.08
"""What the period, kind and version that a question names are worth beside the name, which is 1; and of documents of
one name, where no period is named, the latest."""
_QUARTER_BY_MONTHS = 4.0
"""What the last month of a quarter counts where its months are named: fiscal quarters have other numbers."""
_ORDERED = 0.8
"""What being the newest is worth where that is asked for, or the oldest."""
_NAMELESS = 0.2
"""Of these, what they are worth where no name is."""
_ASIDE = 0.8
"""What a document is behind of a kind that is put aside, or of a draft where what is final is asked for."""
_LONGER = 0.45
"""What a document is behind whose name goes on where others bear the name that is asked as it is."""
_MOST_COMPARED = 1_000
"""Documents of a name whose names are compared with it, at most: among more it is no single one's."""
_NAMED = 0.2
"""What a word speaks for a document, at least, for it to count as one of its names."""
_MORE = 0.15
"""What each other name that a document fits is worth beside the best."""
_IN_OTHER_TEXTS = 0.5
"""Power of the share of the texts with a word that are about it by which the word counts."""


@dataclass(frozen=True, eq=False)
class _Name:
    """A name of a question: (n,) how well documents fit it, its words, those that are names here, and those of none."""

    gains: Floats
    words: Sequence[NameWord]
    named: Sequence[NameWord]
    strangers: Sequence[NameWord]
    beside: Sequence[NameWord] = ()
    """Words with a capital that stand among these and are no name of any document."""


@dataclass(frozen=True)
class _Asked:
    """What a question says of the documents it means, beside their names."""

    question: str
    code: str
    """Of its language."""
    periods: Sequence[Period]
    kinds: Sequence[str]
    versions: Sequence[str]
    aside: Sequence[str] = ()
    """Kinds that it puts aside: "before the amendment"."""
    named: Collection[str] = ()
    """Its words that are names of documents, as it writes them."""


class Library:
    """What some documents are about, and which of them a question means."""

    def __init__(self, ids: Sequence[str], profiles: Sequence[DocumentProfile]) -> None:
        """Take the documents' ids and what each is about, in the same order."""
        self.ids, self.profiles = ids, profiles
        self.rows = {document_id: row for row, document_id in enumerate(ids)}
        self._in = LibraryColumns(profiles)

    def __len__(self) -> int:
        return len(self.profiles)

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
        wanted = names_in(question, documents_with, self._in.spread, self._in.is_name)
        said = {word.key.replace("-", "") for words in wanted for word in words}
        numbered = [word for word in numbered_names(question) if word.key not in said]
        wanted += [[word] for word in numbered if self._in.held("name", word.key) is not None]
        names = [self._fitting(words) for words in wanted]
        fit, confidence = _united([name.gains for name in names], len(self))
        fit = fit - _LONGER * confidence * self._of_longer_names(names, fit, confidence)
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
            beside=tuple(dict.fromkeys(word.written for name in names for word in name.beside)),
            uncovered=self._uncovered(asked.periods, candidates) if confidence >= SURELY else (),
            confidence=confidence,
            rows=self.rows,
            scores=scores,
            groups=groups,
            other_versions=self._in.of_other_versions(asked.versions),
        )

    def _of_longer_names(self, names: Sequence[_Name], fit: Floats, confidence: float) -> Floats:
        """Return (n,) 1 for documents whose name goes on behind one of the question where others bear it as it is."""
        found = np.zeros(len(self))
        asked = {word.key for name in names for word in name.words}
        for name in names if confidence >= SURELY else ():
            rows = np.flatnonzero((name.gains > 0) & (fit >= ALIKE * confidence)).tolist()
            for word in name.named if len(rows) <= _MOST_COMPARED else ():
                found[[*of_longer_names(self.profiles, rows, word.key, asked)]] = 1.0
        return found

    def _with_years_told(self, asked: _Asked, candidates: Mask, confidence: float) -> _Asked:
        """Return what is asked with the years that it tells from the newest one: "last year", "since 2021".

        The newest is that of the annual reports of who is surely named, or of their other documents.
        """
        told = years_asked(asked.question, asked.code)
        if told is None or not (confidence >= SURELY or self._in.is_of_one_issuer(candidates)):
            return asked
        reports = candidates & (self._in.summed("kind", {"annual report": 1.0}) == 1)
        among = np.flatnonzero(reports if reports.any() else candidates).tolist()
        years = [int(self.profiles[row].period[:4]) for row in among if self.profiles[row].period]
        quarters = [period.quarter for period in asked.periods if period.quarter and not period.year] or [0]
        periods = [Period(year, quarter) for year in told.resolved(max(years)) for quarter in quarters] if years else []
        return dataclasses.replace(asked, periods=periods or asked.periods)

    def _score(self, asked: _Asked, thing: Thing, confidence: float) -> tuple[Floats, str]:
        """Return (n,) how well documents fit a thing and what is said of it; the age that told, "" for none."""
        bonus = self._bonus(thing.periods, asked.kinds, thing.versions, thing.own)
        # A document of another name is not meant for its year.
        counts = np.where(thing.own, 1.0, np.maximum(np.minimum(thing.fit, 1.0), 1.0 - confidence))
        score = thing.fit + max(confidence, _NAMELESS) * counts * bonus
        if asked.aside:
            score = score - _ASIDE * self._in.are_first(asked.aside)
        by_age, age = self._by_age(asked, thing, confidence)
        return score + by_age, age if by_age.any() else ""

    def _bonus(
        self, periods: Sequence[Period], kinds: Sequence[str], versions: Sequence[str], candidates: Mask
    ) -> Floats:
        """Return (n,) what the period, kind and version that a question names speak for each document."""
        bonus = np.zeros(len(self))
        for part, worth, least in (
            (self._by_period(periods), _PERIOD, 0.5),
            (self._in.by_key("kind", kinds), _KIND, 1.0),
            (self._in.by_key("version", versions), _VERSION, 1.0),
        ):
            top = float(part[candidates].max(initial=0.0))
            if top > 0:
                bonus += worth * np.minimum(part / max(top, least), 1.0) ** 2
        return bonus

    def _uncovered(self, periods: Sequence[Period], candidates: Mask) -> tuple[str, ...]:
        """Return the years that are asked about and that none of some documents speaks of."""
        years = dict.fromkeys(str(period.year) for period in periods if period.year)
        spoken = {year: self._in.held("period", year) for year in years}
        return tuple(year for year, held in spoken.items() if held is None or not candidates[held.rows].any())

    def _things(self, asked: _Asked, names: Sequence[_Name], whole: Thing, confidence: float) -> list[Thing]:
        """Return the things that are asked about which have documents of their own; `whole` where it is one.

        They are several names, or times or versions of one name, the newest first.
        """
        sure = [name for name in names if self._is_of_thing(name) and name.gains.max(initial=0.0) >= SURELY * _SURE]
        own = shared_out(
            [name.gains for name in sure],
            [{word.key for word in name.named} for name in sure],
            [any(word.is_code for word in name.named) for name in sure],
        )
        things = [
            Thing(confidence * name.gains / name.gains.max(), has, asked.periods, asked.versions)
            for name, has in zip(sure, own, strict=True)
            if has.any()
        ]
        if len(things) < 2:
            is_one = bool(sure) or self._in.is_of_one_issuer(whole.own)
            return self._by_version(asked, whole) or self._by_time(whole) if is_one else [whole]
        starts = [name.named[0].start for name, has in zip(sure, own, strict=True) if has.any()]
        each = [
            dataclasses.replace(thing, periods=periods)
            for thing, periods in zip(things, periods_of_each(asked.question, starts, asked.code) or (), strict=False)
        ]
        if each and all((thing.own & self._in.is_of_any(thing.periods)).any() for thing in each):
            things = each
        by_time = [part for thing in things for part in self._by_time(thing)]
        return by_time if len(by_time) <= MOST_THINGS else things[:MOST_THINGS]

    def _is_of_thing(self, name: _Name) -> bool:
        """Whether a name is that of who issued documents, or a code."""
        return any(self._in.is_name(word.key) or word.is_code for word in name.named)

    def _by_time(self, thing: Thing) -> list[Thing]:
        """Return a thing at each of the times it is asked about that have documents of their own, the newest first."""
        times = sorted(times_apart(thing.periods), reverse=True)
        parts = [dataclasses.replace(thing, own=thing.own & self._in.is_of(time), periods=[time]) for time in times]
        held = [part for part in parts if part.own.any()]
        return held[:MOST_THINGS] if len(held) > 1 else [thing]

    def _by_version(self, asked: _Asked, thing: Thing) -> list[Thing]:
        """Return the versions of a thing where several are asked about, the newest first; none where one is."""
        if len(asked.versions) < 2 and not names_every_version(asked.question):
            return []
        of_kind = thing.own & (self._in.by_key("kind", asked.kinds) > 0)
        among = of_kind if of_kind.any() else thing.own
        there = {self.profiles[row].version for row in np.flatnonzero(among).tolist()} - {""}
        wanted = sorted(there.intersection(asked.versions or there), key=version_order, reverse=True)
        parts = [
            dataclasses.replace(thing, own=among & (self._in.summed("version", {version: 1.0}) > 0), versions=[version])
            for version in wanted[:MOST_THINGS]
        ]
        return parts if len(parts) > 1 else []

    def _fitting(self, words: Sequence[NameWord]) -> _Name:
        """Return how well documents fit a name of a question."""
        gains, named, strangers, beside = np.zeros(len(self)), list[NameWord](), list[NameWord](), list[NameWord]()
        words = [self._as_spelt(word) for word in words]
        for word in {word.key: word for word in words}.values():  # "Cash & Cash Equivalents" says it once
            gained = self._gain(word)
            if gained.max() > _NAMED:
                named.append(word)
            elif word.is_proper and gained.max() == 0:
                strangers.append(word)
            elif word.start and is_marked(word.written):
                beside.append(word)
            gains += gained
        for first, second in pairwise(words):
            joined = self._in.held("name", first.key + second.key)  # "Best Buy" as in BESTBUY_2017.pdf
            if joined is not None:
                gained = np.zeros(len(self))
                gained[joined.rows] = joined.strengths * min(1.0, first.sure + second.sure)
                gains, named = np.maximum(gains, gained), [*named, first, second]
        return _Name(gains, words, named, strangers, beside if named else ())

    def _as_spelt(self, word: NameWord) -> NameWord:
        """Return a word as the name that it is but for a slip, or begins, which is less sure; else as it is."""
        if word.sure < _NAMED or self._in.held("name", word.key) is not None:
            return word
        other, worth = self._in.nearest(word)
        return dataclasses.replace(word, key=other, sure=word.sure * worth) if other else word

    def _gain(self, word: NameWord) -> Floats:
        """Return (n,) what a word of the question speaks for each document.

        One that names nobody who issued a document, or is written small, says less the more texts have it that are not
        about it.
        """
        held, sure = self._in.held("name", word.key), word.sure
        gained = np.zeros(len(self))
        if held is not None and word.is_code and 0 < word.count <= len(held.rows):
            gained[held.rows] = self._in.spread(len(held.rows))  # no other document has it anywhere
        elif held is not None:
            whole = float(held.strengths.sum())
            if not (self._in.is_name(word.key) and is_marked(word.written)):
                sure *= min(1.0, whole / max(word.count, 1)) ** _IN_OTHER_TEXTS
            gained[held.rows] = np.minimum(held.strengths / FULL, 1.0) * self._in.spread(whole) * sure
        return gained

    def _by_period(self, asked: Sequence[Period]) -> Floats:
        keys = dict.fromkeys(key for period in asked for key in period.keys)
        latest = max((int(key[:4]) for key in keys), default=0)
        months = {
            f"{one.year}-{one.month:02}": _QUARTER_BY_MONTHS if one.quarter else 2.0
            for one in asked
            if one.month and not one.day
        }
        return self._in.summed("period", {key: _worth(key, latest) for key in keys}) + self._in.summed("month", months)

    def _by_age(self, asked: _Asked, thing: Thing, confidence: float) -> tuple[Floats, str]:
        """Return (n,) what a question for an age speaks for each document, and which it is: the newest, the one before.

        Where it asks for neither, and for no period, the newest of a name is worth a little more.
        """
        wanted = age_wanted(asked.question, asked.code, asked.named)
        if wanted:
            of_kind = thing.own & (self._in.by_key("kind", asked.kinds) > 0)
            if wanted is Age.PREVIOUS and not asked.kinds:
                of_kind = thing.own & self._in.have_version
            return _ORDERED * self._in.by_age(of_kind if of_kind.any() else thing.own, wanted), wanted
        if thing.periods or confidence < 0.5:
            return np.zeros(len(self)), ""
        return confidence * _RECENT * self._in.by_age(thing.own, Age.NEWEST), Age.NEWEST


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
    versions, aside = versions_in(question, code, bare=True), kinds_put_aside(question, code)
    return _Asked(question, code, periods_asked(question, code), own, versions, aside)


def _worth(key: str, latest: int) -> float:
    """Return what a period of a question counts: a report of its last year holds those before, days say most."""
    return (1.0 if int(key[:4]) == latest else 0.3) * (2.0 if len(key) > 4 else 1.0)
