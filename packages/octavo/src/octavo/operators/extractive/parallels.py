"""Sentences that tell one thing of several periods, cut down to what they tell of the period that is asked for.

"Costs were $5 million and $4 million in 2019 and 2018, respectively", "costs were $5 million (2018: $4 million)" and
"costs were $5 million in 2019 compared to $4 million in 2018" all say, asked of 2018, that costs were $4 million in
2018. What remains is a sentence with one value, of which `clauses` tells whether the question means it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from octavo.question import Question
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.values import Value, ValueKind, values_in, with_unit

_YEAR = r"(?:(?<!\d)(?:19|20)\d\d(?:[/–-]\d\d)?(?!\d)|\bFY?\s?['’]?\d\d(?!\d))"
_DATED = rf"(?:(?:the\s+)?(?:fiscal|financial|calendar)\s+(?:years?\s+)?)?(?:[A-Z][a-z]+\s\d{{1,2}},?\s)?{_YEAR}"
_YEARS_APART = lazy_regex(_YEAR)
_YEAR_LIST = lazy_regex(rf"{_DATED}(?:(?:\s*,\s*|\s+)(?:(?:and|or)\s+)?{_DATED})+")
_SEPARATOR = lazy_regex(r"\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+")
_RESPECTIVELY = lazy_regex(r",?\s*\brespectively\b,?", re.IGNORECASE)
_OF_PERIOD = lazy_regex(
    rf"\s+(?:in|for|at|during|as\s+(?:of|at)|on)\s+[^,;()\d]{{0,40}}?(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s)?(?:[A-Z][a-z]+\s)?"
    rf"(?P<year>{_YEAR})"
)
"""What stands right after a value that is told of a period: "in 2019", "at 31 December 2019"."""
_BETWEEN = lazy_regex(
    r"(?:[\s,]|\b(?:as|compared|comparison|relative|to|with|from|and|versus|vs|against|up|down|in|by|an?|increase|decrease"
    r")\b\.?)+",
    re.IGNORECASE,
)
"""What may stand between two values, each with its period."""
_BRACKETS = lazy_regex(r"\s*\(([^()]*)\)")
_RELATIVE = lazy_regex(r",\s+(?:which|who|whose|where)\s[^,;()]*,(?=\s)")
"""A clause between commas that says something else of what stands before it."""
_WORD = lazy_regex(r"[^\W\d_]{2}")
_OF_ANOTHER = lazy_regex(rf"\s*(?:[\w\s,]{{0,20}}?)(?P<year>{_YEAR})\s*:\s*")
"""How what stands in brackets begins: "(2018: ", "(31 December 2018: "."""
_TIMES = (ValueKind.YEAR, ValueKind.DATE)
Cuts = list[tuple[int, int]]
"""Characters [start, stop) that are taken out."""


def told_alone(question: Question, text: str, start: int, stop: int) -> tuple[str, int] | None:
    """Return what a sentence tells of the value at characters [start, stop) alone, and where the value stands there.

    That is the sentence as it is where it tells of no other period. None where the value is of another period than the
    one asked for, or where nothing tells which it is of.
    """
    asked = _years(question.text)
    text, cuts = _of_brackets(question, text, start, stop, asked)
    if cuts is None:
        return None
    text, start, stop = _without(text, cuts, start, stop)
    found = _of_lists(text, start, asked) if _RESPECTIVELY.search(text) else _of_pairs(text, start, asked)
    if found is None:
        return None
    text, start, _ = _without(text, found, start, stop)
    return text, start


def _years(text: str) -> frozenset[str]:
    """Return the years that a text names, in four digits: 2019 of FY19."""
    return frozenset(_in_full(found) for found in _YEARS_APART.findall(text))


def _in_full(year: str) -> str:
    found = re.sub(r"\D.*", "", year)
    return found if found else f"20{year[-2:]}"


def _without(text: str, cuts: Iterable[tuple[int, int]], start: int, stop: int) -> tuple[str, int, int]:
    """Return a text without some of its characters, and where a stretch that is kept stands in it."""
    kept, at, before = "", 0, 0
    for first, last in sorted(cuts):
        if first < at:
            continue
        kept, at = kept + text[at:first], last
        before += (last - first) * (last <= start)
    return kept + text[at:], start - before, stop - before


def _of_brackets(
    question: Question, text: str, start: int, stop: int, asked: frozenset[str]
) -> tuple[str, Cuts | None]:
    """Return a text, and what to take out of it: asides in brackets, and what these tell of other periods."""
    cuts: Cuts = []
    for found in _BRACKETS.finditer(text):
        said, first, last = found[1], *found.span()
        rest = text[:first] + text[last:]
        begins = _OF_ANOTHER.match(said)
        is_inside = found.start(1) <= start < found.end(1)
        is_own = start < last and first < stop  # "£(8.1m)" is a value, in brackets as accountants write it
        if begins is not None and (main := _value_before(text, first)) is not None:
            if is_inside:
                return _of_inside(text, found, main, (start, stop), asked)
            if main[0] == start and not _is_of_main(_years(said), _years(rest), asked):
                return text, None
            cuts.append((first, last))
        elif not is_own and _is_aside(question, said, rest):
            cuts.append((first, last))
    for found in _RELATIVE.finditer(text):
        first, last = found.span()
        if not first <= start < last and _is_aside(question, found[0], text[:first] + text[last:]):
            cuts.append((first, last))
    return text, cuts


def _is_aside(question: Question, said: str, rest: str) -> bool:
    """Return whether a part of a text has values of its own and nothing that is asked for and not in the rest."""
    return bool(_WORD.search(said)) and bool(values_in(said)) and not (_said(question, said) - _said(question, rest))


def _said(question: Question, text: str) -> set[str]:
    return set(question.terms) & set(analyze(text))


def _value_before(text: str, at: int) -> tuple[int, int] | None:
    """Return where the value stands that ends, with its unit, right before a place."""
    for value in values_in(text):
        stop = _end(text, value)
        if value.kind not in _TIMES and value.start < at and not text[min(stop, at) : at].strip(" *"):
            return value.start, stop
    return None


def _end(text: str, value: Value) -> int:
    return value.start + max(len(with_unit(text, value)), value.stop - value.start)


def _is_of_main(others: frozenset[str], around: frozenset[str], asked: frozenset[str]) -> bool:
    """Return whether a question means a value and not those of other periods in brackets after it."""
    if asked & others:
        return False
    return not asked or asked <= around or (not around and asked == frozenset((str(int(max(others)) + 1),)))


def _of_inside(
    text: str, found: re.Match[str], main: tuple[int, int], own: tuple[int, int], asked: frozenset[str]
) -> tuple[str, Cuts | None]:
    """Return a text that tells the value in brackets in the place of the one before them, as told of its period."""
    before = list(_YEARS_APART.finditer(text, found.start(1), own[0]))
    year = _in_full(before[-1][0]) if before else ""
    if asked != frozenset((year,)):
        return text, None
    told = text[before[-1].end() : own[0]].strip(" :")
    latest = max(_years(found[1]))
    current = str(int(latest) + 1)
    rest = _years(text[: found.start()] + text[found.end() :])
    if told or (asked <= rest) or (rest and current not in rest):
        return text, None
    replaced = f"{text[: found.start()].replace(current, year)}{found[0]}{text[found.end() :].replace(current, year)}"
    return replaced, [(main[0], own[0]), (own[1], found.end())]


def _of_lists(text: str, start: int, asked: frozenset[str]) -> Cuts | None:
    """Return what to take out of a text that tells values and periods in the same order; None where it cannot tell."""
    years = next(_YEAR_LIST.finditer(text), None)
    if years is None or len(asked) != 1:
        return None
    named = list(re.finditer(_DATED, years[0]))
    places = [at for at, one in enumerate(named) if _years(one[0]) == asked]
    runs = [run for run in _runs(text) if len(run) == len(named)]
    if len(places) != 1 or not any(run[places[0]][0] == start for run in runs):
        return None
    cuts = [found.span() for found in _RESPECTIVELY.finditer(text)]
    spans = [(years.start() + one.start(), years.start() + one.end()) for one in named]
    for run in (*runs, spans):
        (first, _), (kept, end), (_, last) = run[0], run[places[0]], run[-1]
        cuts += [(first, kept), (end, last)]
    return [cut for cut in cuts if cut[0] < cut[1]]


def _runs(text: str) -> Iterator[list[tuple[int, int]]]:
    """Yield the values that are listed, each with its unit: "$5, $4 and $3 million"."""
    values = [(value.start, _end(text, value)) for value in values_in(text) if value.kind not in _TIMES]
    run = values[:1]
    for one, other in pairwise(values):
        if not _SEPARATOR.fullmatch(text[one[1] : other[0]]):
            yield run
            run = []
        run.append(other)
    if run:
        yield run


def _of_pairs(text: str, start: int, asked: frozenset[str]) -> Cuts | None:
    """Return what to take out of a text that tells values each with its period; None for a value of another one."""
    for run in _paired(text):
        own = [at for at, (first, _, _) in enumerate(run) if first == start]
        years = [frozenset((year,)) for _, _, year in run]
        if not own or len(asked) != 1 or years.count(asked) != 1:
            continue
        if years[own[0]] != asked:
            return None
        first, last, _ = run[own[0]]
        return [cut for cut in ((run[0][0], first), (last, run[-1][1])) if cut[0] < cut[1]]
    return []


def _paired(text: str) -> Iterator[Sequence[tuple[int, int, str]]]:
    """Yield runs of two or more values, each told of a period right after it, and that year."""
    run: list[tuple[int, int, str]] = []
    for value in values_in(text):
        if value.kind in _TIMES or (run and value.start < run[-1][1]):
            continue
        period = _OF_PERIOD.match(text, _end(text, value))
        if period is None or (run and not _BETWEEN.fullmatch(text[run[-1][1] : value.start])):
            if len(run) > 1:
                yield run
            run = []
        if period is not None:
            run.append((value.start, period.end(), _in_full(period["year"])))
    if len(run) > 1:
        yield run
