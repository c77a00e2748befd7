"""Whether what a question says is bound to one value or name of a sentence, and to no rival beside it.

A sentence with several values of the kind asked for is cut into clauses, one a value. A value may be stated where the
question's words that set the clauses apart (a year, a name, a subject, an attribute) stand in its own clause, and none
of them in another; where that is not clear, the passage is shown instead.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from octavo.operators.extractive.fits import measured_in
from octavo.operators.extractive.joined_names import is_joined
from octavo.operators.extractive.parallels import told_alone
from octavo.question import Expects, Question
from octavo.question.words import MEASURE_NOUNS
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze, is_function_word
from octavo_documents.text.bounds import is_bound_of_condition
from octavo_documents.text.conditions import condition_in
from octavo_documents.text.forms import same_terms
from octavo_documents.text.measures import ATTRIBUTES, WEIGHING, attribute_words, dimension, unit_after
from octavo_documents.text.values import Value, ValueKind, values_in
from octavo_documents.text.years import is_of_two_years, years_in

_PAST = (
    r"(?:began|begun|bore|born|bought|broke|brought|built|burnt|came|cost|cut|drew|fell|felt|found|gave|got|grew|held|"
    r"hit|kept|laid|led|left|lent|lost|made|met|paid|put|ran|rose|sank|sent|set|shut|sold|spent|stood|struck|taught|"
    r"told|took|went|won|wrote)"
)
_VERB = rf"(?:is|are|was|were|has|have|had|does|do|did|will|would|can|may|must|shall|{_PAST}|\w{{2,}}ed|\w{{3,}}s)"
_STRONG = lazy_regex(
    r"\s*;\s*|[,\s]+(?:but|while|whereas|although|though|against|versus|vs\.?|compared (?:with|to)|rather than"
    r"|instead of|and not|followed by)\s+|,\s+(?:which|who|whose|where|when)\s+|\s[–—]\s",
    re.IGNORECASE,
)
"""Where a clause ends whatever stands beside it."""
_LIST = (
    re.compile(r",\s+(?:and|or)\s+|,\s+", re.IGNORECASE),
    re.compile(r"\s+(?:and|or|then|later)\s+", re.IGNORECASE),
    re.compile(r"\s+(?:up |down )?to\s+", re.IGNORECASE),
)
"""Where it ends between two values, the surest first."""
_JOINED = lazy_regex(rf",?\s+and\s+(?=(?:\w+ly\s+|later\s+|then\s+|also\s+)?{_VERB}\b)", re.IGNORECASE)
"""Where a second predicate begins."""
_DENIAL = lazy_regex(
    r"\b(?:not|no|never|without|neither|nor|unless|except|excluding|cannot|hardly|failed to|instead of|rather than)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_LIMIT = lazy_regex(
    r"\b(?:not|never|n['’]t)\s+(?:be\s+)?(?:exceed\w*|more than|less than|later than|earlier than|above|below|over|"
    r"under|higher than|lower than|longer than|larger than|before|until)\b"
    r"|\bno\s+(?:more|less|fewer|later|earlier|longer|higher|lower)\s+than\b|\bnot only\b",
    re.IGNORECASE,
)
"""A denial that sets a limit says what the limit is."""
_CHANGE_BEFORE = lazy_regex(
    r"\b(?:(?:ris|rose|risen|rais|increas|grow|grew|fall|fell|fallen|drop|decreas|declin|reduc|lower|chang|cut|up|"
    r"down|gain|widen|deepen|extend|shorten|lengthen)\w*\s+(?:\w+\s+){0,2}?by"
    r"|(?:increased|decreased|rose|fell|grew|declined|dropped)|(?:rise|increase|growth|fall|drop|"
    r"decrease|decline|reduction|change|cut) of|by (?:a further|another|an additional|about|some|around))"
    r"\s+(?:about\s+|some\s+|nearly\s+|almost\s+|around\s+)?$",
    re.IGNORECASE,
)
_CHANGE_AFTER = lazy_regex(
    r"\s*(?:\w+\s+){0,3}?(?:more|less|fewer|higher|lower|greater|longer|shorter|wider|deeper|better|worse|above|below|"
    r"up|down)\s+(?:than|on)\b",
    re.IGNORECASE,
)
_EXAMPLE = lazy_regex(r"(?:\b(?:for example|for instance|e\.g\.|such as)|\bexample:)[^.;]*$", re.IGNORECASE)
_RESPECTIVELY = lazy_regex(r"\brespectively\b", re.IGNORECASE)
_FROM_EVENT = lazy_regex(
    r"\b(?:days?|weeks?|months?|years?|hours?|minutes?)\s+(?:\w+\s+){0,2}?"
    r"(?:after|before|from|following|prior to|of|since)\s+(?:\w+\s+){0,6}$",
    re.IGNORECASE,
)
"""What stands before a date that a time is counted from: "30 days after 14 June"."""
_NUMBERING = lazy_regex(r"\s*\(?\d{1,3}[.)]\s")
"""The number of a note or an item, which a sentence begins with."""
_COUNTED = lazy_regex(r"\s([^\W\d_]{3,})(?!\w)")
_DASH = lazy_regex(r"\s?[-–—]\s?")
_COMMA = lazy_regex(r",\s+(?!\d)")
_OPENING = 15
"""Characters of a sentence in which a value may stand before what it is of: "Founded in 1954, the firm ..."."""
_CAPITAL = lazy_regex(r"(?<![.!?:]\s)(?<!^)\b[A-Z][\w'’-]+")
_TOLD_APART = """
    old new former present previous current earlier later original revised first second third last next final initial
    prior used now today north south east west northern southern eastern western upper lower left right front rear
    inner outer maximum minimum average planned actual budget forecast estimated gross net summer winter spring autumn
    morning evening weekday weekend adult child senior junior men women boys girls domestic foreign small large big
    short long high low heavy light minor major begin end start open close
"""
_CONTRASTS = frozenset(analyze(_TOLD_APART))
"""Words that tell one of two things from the other."""
_OPPOSITES = tuple(
    tuple(frozenset(analyze(side)) for side in pair.split("|"))
    for pair in (
        "earn earned profit gain gained income made|lose lost loss losses deficit",
        "rise rose increase grow grew growth up|fall fell decrease decline drop dropped reduction down",
        "open opened opening|close closed closure shut",
        "buy bought purchase|sell sold sale",
        "begin began start starts commence|end ends ended finish expire expires",
        "arrive arrives arrival|leave leaves depart departs departure",
        "hire hired recruit joined join|dismissed dismiss left leave retired",
        "win won|lost lose",
        "import imports imported|export exports exported",
        "receive received|pay paid send sent",
        "build built erected|demolished destroyed burnt removed",
        "minimum least lowest|maximum most highest greatest largest",
        "first earliest|last latest final",
        "new current present|old former previous",
        "gross|net",
        "deposit deposits|withdraw withdrawal",
        "born birth|died death dead",
    )
)


@dataclasses.dataclass(frozen=True, slots=True)
class ClauseCandidate:
    """A value or a name at characters `[start, stop)` of a sentence that may answer; `value` is None for a name."""

    start: int
    stop: int
    value: Value | None = None


def is_bound(
    question: Question, text: str, one: ClauseCandidate, others: Sequence[ClauseCandidate], beside: Sequence[str]
) -> bool:
    """Return whether a candidate of a sentence may be stated as the answer to a question.

    `others` are the candidates of the same sentence, `beside` the sentences before and after it in its block.
    """
    if one.value is not None:
        alone = told_alone(question, text, one.start, one.stop)
        if alone is None:
            return False
        text, one = alone[0], _moved(one, one.value, alone[1] - one.start)
    elif _RESPECTIVELY.search(text) or is_joined(text, one.start, one.stop):
        return False
    if _EXAMPLE.search(text[: one.start]) or _is_conditional(question, text, one):
        return False
    rivals = _rivals(question, text, one, others)
    if rivals is None:
        return False
    return (
        _is_of_attribute(question, text, one)
        and _binds(question, _clauses(text, one, rivals), beside)
        and not _has_rival_beside(question, text, one, beside)
        and not _has_rival_rate(question, (text, *beside))
    )


def _moved(one: ClauseCandidate, value: Value, by: int) -> ClauseCandidate:
    moved = dataclasses.replace(value, start=value.start + by, stop=value.stop + by)
    return ClauseCandidate(one.start + by, one.stop + by, moved)


def _is_conditional(question: Question, text: str, one: ClauseCandidate) -> bool:
    """Return whether a sentence says something only under a condition that the question does not name."""
    if one.value is not None and is_bound_of_condition(text, one.start, one.stop):
        return True
    found = condition_in(text)
    if found is None:
        return False
    start, stop = found
    if start <= one.start < stop:
        return not question.is_conditional
    return not set(analyze(text[start:stop])) & set(question.terms)


def is_change(question: Question, text: str, value: Value) -> bool:
    """Return whether a value is by how much something changed or differs, where the question asks how much it is."""
    if question.asks_change:
        return False
    return bool(_CHANGE_BEFORE.search(text[: value.start]) or _CHANGE_AFTER.match(text, value.stop))


def _rivals(
    question: Question, text: str, one: ClauseCandidate, others: Iterable[ClauseCandidate]
) -> list[tuple[int, int]] | None:
    """Return where the rivals of a candidate stand; None where one is in its way for sure."""
    if one.value is None:
        return [(other.start, other.stop) for other in others if other.start != one.start]
    found: list[tuple[int, int]] = []
    numbering = _NUMBERING.match(text)
    begins = numbering.end() if numbering else 0
    for value in values_in(text):
        if value.stop <= begins:
            continue
        is_same = value.start < one.stop and one.start < value.stop
        if is_same or not _is_alike(text, one.value, value) or is_change(question, text, value):
            continue
        is_asked = any(value.number is not None and value.number == asked.number for asked in question.values)
        if is_asked or _DASH.fullmatch(text[one.stop : value.start]):  # the end of a range belongs to its beginning
            continue
        found.append((value.start, value.stop))
    return found


def _is_alike(text: str, one: Value, other: Value) -> bool:
    """Return whether two values of a text may answer the same question: of one kind, in units of one measure."""
    dates = (ValueKind.DATE, ValueKind.YEAR)
    if one.kind in dates or other.kind in dates:
        return one.kind is other.kind or (one.kind in dates and other.kind in dates and not _is_inside(one, other))
    mine, theirs = _measured(text, one), _measured(text, other)
    return mine == theirs or not (mine and (theirs or _counts(text, other)))


def _counts(text: str, value: Value) -> bool:
    """Return whether a value says how many of something there are: what comes after it is no unit or small word."""
    found = _COUNTED.match(text, value.stop)
    return found is not None and not is_function_word(found[1])


def _measured(text: str, value: Value) -> str:
    return measured_in(value, unit_after(text, value.stop))


def _is_inside(one: Value, other: Value) -> bool:
    return one.start <= other.start < one.stop or other.start <= one.start < other.stop


@dataclasses.dataclass(frozen=True)
class _Clauses:
    """A sentence in clauses; `own` is that of the candidate, `rivals` are those with another one."""

    texts: tuple[str, ...]
    own: int
    rivals: tuple[int, ...]
    is_shared: bool
    """Whether a rival stands in the candidate's own clause."""
    candidate: str


def _clauses(text: str, one: ClauseCandidate, rivals: Sequence[tuple[int, int]]) -> _Clauses:
    differences = [(v.start, v.stop) for v in values_in(text) if _CHANGE_AFTER.match(text, v.stop)]
    held = sorted({(one.start, one.stop), *rivals, *(span for span in differences if span[0] >= one.stop)})
    cuts = [found.span() for found in _STRONG.finditer(text) if not _within(found.start(), held)]
    if not rivals:
        comma = _COMMA.search(text, one.stop)
        if comma and one.start > _OPENING:
            cuts.append(comma.span())
        cuts += [found.span() for found in _JOINED.finditer(text) if not _within(found.start(), held)]
    for (_, stop), (start, _) in pairwise(held):
        if not any(stop <= cut[0] < start for cut in cuts):
            between = text[stop:start]
            found = next((last for pattern in _LIST for last in [*pattern.finditer(between)][-1:]), None)
            if found is not None:
                cuts.append((stop + found.start(), stop + found.end()))
    spans = _parted(text, sorted(cuts))
    own = _at(spans, one.start)
    where = tuple(_at(spans, start) for start, _ in rivals)
    return _Clauses(
        tuple(text[start:stop] for start, stop in spans),
        own,
        tuple(at for at in where if at != own),
        is_shared=own in where,
        candidate=text[one.start : one.stop],
    )


def _within(at: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= at < stop for start, stop in spans)


def _parted(text: str, cuts: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    starts, stops = [0, *(stop for _, stop in cuts)], [*(start for start, _ in cuts), len(text)]
    return [(start, stop) for start, stop in zip(starts, stops, strict=True) if start < stop] or [(0, len(text))]


def _at(spans: Sequence[tuple[int, int]], place: int) -> int:
    return next((at for at, (_, stop) in enumerate(spans) if place < stop), len(spans) - 1)


def _binds(question: Question, clauses: _Clauses, beside: Sequence[str]) -> bool:
    """Return whether the words of a question that set clauses apart stand in the candidate's own."""
    if clauses.is_shared:
        return False
    asked, terms = _asked(question), [_terms(text) for text in clauses.texts]
    own = terms[clauses.own]
    later = set[str]().union(*terms[clauses.own + 1 :])
    earlier = set[str]().union(*terms[: clauses.own])
    text = clauses.texts[clauses.own]
    extra = own - asked - set(analyze(clauses.candidate)) - _units_of(clauses)
    if _is_denied(question, text) or _is_opposite(asked, own) or _is_of_another_year(question, clauses, beside):
        return False
    if (asked & later) - own - earlier:
        return False
    if (asked & earlier) - own and _says_more(extra):
        return False
    if not extra and _is_opposite(asked, own | earlier):  # what is said before goes on
        return False
    return all(_is_apart(question, asked, terms, clauses, rival, extra) for rival in clauses.rivals)


def _is_apart(
    question: Question, asked: set[str], terms: Sequence[set[str]], clauses: _Clauses, rival: int, extra: set[str]
) -> bool:
    """Return whether the question means the candidate's clause and not that of a rival."""
    own, other = terms[clauses.own], terms[rival]
    only = (asked & own) - other
    told = {*_strong(question.text), *(asked & _CONTRASTS)}
    is_marked = _strong(clauses.texts[clauses.own]) - asked - set(analyze(clauses.candidate))
    if is_marked or extra & _CONTRASTS:
        return False
    if only & told:
        return not ((asked & other) - own & told)
    rest = other - asked - _units_of(clauses) - {term for term in other if term[0].isdigit()}
    return bool(only) and not extra and (rival < clauses.own or _says_more(rest) or bool(_strong(clauses.texts[rival])))


def _asked(question: Question) -> set[str]:
    """Return the question's terms, each with those that say the same."""
    terms = set(question.terms)
    words = attribute_words(question.attribute)
    nouns = (noun for term in terms for noun in (*MEASURE_NOUNS.get(term, ()), *_SAID_OF.get(term, ())))
    forms = (form for term in terms for form in same_terms(term))
    return {*terms, *forms, *nouns, *(term for word in words for term in analyze(word))}


_SAID_OF = {
    "heavi": ("weigh",),
    "long": ("last", "take", "run"),
    "cost": ("price", "pay", "charg"),
    "price": ("cost",),
    "weight": ("weigh",),
    "mani": ("total",),
    "located": ("lie", "stand"),
}
"""Verbs that say what a question's adjective or noun asks for."""


def _terms(text: str) -> set[str]:
    return set(analyze(text))


def _units_of(clauses: _Clauses) -> set[str]:
    """Return the terms of units and scales in a sentence, which set nothing apart."""
    words = (word for text in clauses.texts for word in re.findall(r"[^\W\d_]+|[%°]", text))
    scales = {"million", "thousand", "billion", "mn", "bn", "hundr", "only", "about", "around", "near", "almost"}
    return {term for word in words if dimension(word) for term in analyze(word)} | scales


def _says_more(extra: set[str]) -> bool:
    return any(not term[0].isdigit() for term in extra)


def _strong(text: str) -> set[str]:
    """Return the terms of names, years and numbers: what sets two values of a sentence apart most surely."""
    words = [*_CAPITAL.findall(text), *(value.text for value in values_in(text) if value.kind is ValueKind.YEAR)]
    dates = [value.text for value in values_in(text) if value.kind is ValueKind.DATE]
    return {term for word in (*words, *dates) for term in analyze(word)}


def _is_denied(question: Question, clause: str) -> bool:
    """Return whether a clause denies what the question takes for so."""
    return bool(_DENIAL.search(_LIMIT.sub(" ", clause))) and not question.is_negated


def _is_opposite(asked: set[str], own: set[str]) -> bool:
    """Return whether a clause says the opposite of what is asked for, and not that."""
    return any(
        asked & side and own & other and not own & side
        for one, two in _OPPOSITES
        for side, other in ((one, two), (two, one))
    )


_RATE = lazy_regex(r"(\d[\d,.]*)\s?[^\s\d]{0,12}\s(?:per|an?|each|every)\s+([^\W\d_]+)", re.IGNORECASE)
_WHEN = frozenset({Expects.DATE, Expects.YEAR})


def _is_of_another_year(question: Question, clauses: _Clauses, beside: Sequence[str]) -> bool:
    """Return whether the candidate is told of a year, and not of the one that is asked for."""
    if question.expects in _WHEN:
        return False
    asked = question.years
    own = years_in(clauses.texts[clauses.own].replace(clauses.candidate, " "))
    if not asked:
        return False
    if is_of_two_years(clauses.texts[clauses.own], question.text):
        return True
    if own:
        return not asked <= own
    around = {year for text in (*clauses.texts, *beside) for year in years_in(text)}
    return bool(around) and not asked <= around


def _is_of_attribute(question: Question, text: str, one: ClauseCandidate) -> bool:
    """Return whether a length is that of the attribute asked for: no length answers how deep something is."""
    if one.value is None:
        return True
    before, after = text[: one.start], text[one.stop :]
    if question.expects in _WHEN and _FROM_EVENT.search(before):
        return False
    attribute = question.attribute
    wanted = attribute_words(attribute)
    if not wanted:
        return not _is_of_other_measure(question, text, one.value)
    if attribute == "long" and dimension(unit_after(text, one.stop)) == "time":
        return True
    said = _words_beside(before, after, ATTRIBUTES)
    if said & wanted:
        return True
    if any(said & words for words in ATTRIBUTES if words is not wanted):
        return False
    return bool(wanted & set(re.findall(r"[a-z]+", text.lower())))


def _is_of_other_measure(question: Question, text: str, value: Value) -> bool:
    """Return whether a sentence gives a value as another measure than the one asked for, which it does not name.

    What weighs 86 kg has no capacity of 86 kg.
    """
    if question.expects is not Expects.NUMBER or question.dimensions:
        return False
    measures = {"length": ATTRIBUTES, "mass": (WEIGHING,)}.get(_measured(text, value), ())
    said = _words_beside(text[: value.start], text[value.stop :], measures)
    return bool(said) and not set(question.terms) <= _terms(text)


def _words_beside(before: str, after: str, attributes: Iterable[frozenset[str]]) -> set[str]:
    """Return the words right after a value, else those before it up to the next one: what it measures."""
    after_words = re.findall(r"[a-z]+", after.lower())[:3]
    named = {word for words in attributes for word in words}
    first = next((word for word in after_words if word in named), "")
    if first:
        return {first}
    back = re.split(r"[\d,;]|\band\b", before.lower())[-1]
    return set(re.findall(r"[a-z]+", back)) & named


def _has_rival_rate(question: Question, texts: Iterable[str]) -> bool:
    """Return whether sentences tell several rates per the unit that a question asks for: "45p a mile, then £0.25"."""
    if not question.rate_units:
        return False
    rates = (found for text in texts for found in _RATE.finditer(text))
    return len({found[1] for found in rates if not question.rate_units.isdisjoint(analyze(found[2]))}) > 1


def _has_rival_beside(question: Question, text: str, one: ClauseCandidate, beside: Sequence[str]) -> bool:
    """Return whether the sentence before or after has a rival value, and more of what is asked than this one."""
    if one.value is None:
        return False
    asked = _asked(question)
    own = _terms(text) & asked
    for other in beside:
        is_rival = any(
            value.text != one.value.text
            and value.kind is one.value.kind
            and _measured(text, one.value) == _measured(other, value)
            for value in values_in(other)
        )
        theirs = _terms(other) & asked
        if is_rival and (theirs - own) & ({*_strong(question.text)} | _CONTRASTS):
            return True
        if is_rival and theirs > own and not _says_more(_terms(text) - asked - _terms(one.value.text)):
            return True
    return False
