"""Several things that a question asks about at once: names, times or versions that have documents of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence, Set
from itertools import combinations

import numpy as np

from octavo.evidence.meant_documents import Floats, Groups
from octavo_documents.document.columns import Mask
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.periods import Period, periods_asked

ALIKE = 0.6
"""Share of the best fit to a name from which a document is one that may be meant by it."""
MOST_THINGS = 8
"""Things that have their places among what is found, at most."""
_OF_THING = 0.3
"""How far behind the best document of a thing another one of it is, at most: of the same time, if not of that kind."""
_YEARS_APART = 2
"""From one year to another that have documents of their own: the report of one year has the year before too."""


@dataclasses.dataclass(frozen=True, eq=False)
class Thing:
    """One of several things that a question asks about."""

    fit: Floats
    """(n,) how well documents fit its name, 1 for those that do best."""
    own: Mask
    """(n,) the documents that it has for itself."""
    periods: Sequence[Period] = ()
    versions: Sequence[str] = ()


def shared_out(gains: Sequence[Floats], words: Sequence[Set[str]], codes: Sequence[bool] = ()) -> list[Mask]:
    """Return for each name the documents that fit it; one that fits several is of the name that fewer fit.

    So "Norwick Rail" has its documents although they fit "Norwick Energy" as well. Names without a word in common that
    fit the same document are names of one thing, not of several: then none has any. Of two `codes`, "LS-3000" and
    "LS-4000", each is a thing, and what fits both, such as a catalogue, is of neither where each has more.
    """
    masks = [gain >= ALIKE * gain.max() for gain in gains]
    are_codes = codes or [False] * len(masks)
    none = np.zeros(len(gains[0]) if gains else 0, np.bool_)
    shared = none
    for one, other in combinations(range(len(masks)), 2):
        both = masks[one] & masks[other]
        if are_codes[one] and are_codes[other]:
            shared = shared | both
        elif words[one].isdisjoint(words[other]) and both.any():
            return [none] * len(masks)
    if shared.any() and all((mask & ~shared).any() for mask in masks):
        masks = [mask & ~shared for mask in masks]
    own, taken = [none] * len(masks), none
    for at in sorted(range(len(masks)), key=lambda at: int(masks[at].sum())):
        own[at] = masks[at] & ~taken
        taken = taken | masks[at]
    return own


def periods_of_each(question: str, starts: Sequence[int], code: str = ENGLISH) -> list[list[Period]] | None:
    """Return the periods of each of several names, by where these begin; None where not each has some of its own.

    "Harbor's in 2020 or Summit's in 2023" gives each its year.
    """
    ends = [*starts[1:], len(question)]
    found = [periods_asked(question[start:end], code) for start, end in zip(starts, ends, strict=True)]
    before = periods_asked(question[: starts[0]], code) if starts else []
    return found if all(found) and not before else None


def times_apart(periods: Sequence[Period]) -> list[Period]:
    """Return the times among some periods that have documents of their own, in order; none or one where they do not.

    They are days, months or quarters that are not the same; years only where the last is two or more after the first.
    """
    parts = [period for period in dict.fromkeys(periods) if period.year and (period.quarter or period.month)]
    if len(parts) > 1:
        return parts
    years = sorted({period.year for period in periods if period.year})
    return [Period(year) for year in years] if years and years[-1] - years[0] >= _YEARS_APART else []


def grouped(things: Sequence[Thing], score_of: Callable[[Thing], Floats]) -> tuple[Floats, Groups]:
    """Return (n,) how far each document is behind the best of the thing that it fits best, and which that is.

    A document that is further behind is of no thing: -1.
    """
    behind, groups = np.full(len(things[0].own), -np.inf), np.full(len(things[0].own), -1)
    for at, thing in enumerate(things):
        score = score_of(thing)
        own = np.minimum(score - score[thing.own].max(), 0.0)
        is_nearest = own > behind
        groups[is_nearest] = np.where(thing.own & (own > -_OF_THING), at, -1)[is_nearest]
        behind = np.maximum(behind, own)
    return behind, groups
