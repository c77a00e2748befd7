"""Short answers in the best units: values, names, cells and lists, each with what speaks for it.

Names that may answer who, where or which are told by their capitals and by the words before them. Fits are chosen by
hand: `extractive_reader` learns how much they weigh. An answer, a model's or one cut from a document, becomes a typed
value.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from octavo.evidence import AnswerFormat, View
from octavo.evidence.answer_shapes import Value as TypedValue
from octavo.operators.extractive.clauses import ClauseCandidate, is_bound, is_change
from octavo.operators.extractive.filled_gaps import filling, in_gap
from octavo.operators.extractive.fits import ShortAnswer, news, value_fit
from octavo.operators.extractive.listings import is_illustration, is_listed, says_all
from octavo.operators.extractive.matching import Matcher, unknown_things
from octavo.operators.extractive.table_cells import from_row
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.extractive.units import Unit
from octavo.operators.extractive.whole_names import is_nobody, is_whole, may_be_meant
from octavo.question import VALUE_KINDS, Expects, Question, understand
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze, is_function_word
from octavo_documents.text.bounds import bounded_span
from octavo_documents.text.document_ages import is_told_by_another
from octavo_documents.text.languages import ENGLISH, language
from octavo_documents.text.marks import readable
from octavo_documents.text.measures import unit_after
from octavo_documents.text.values import (
    MONTH,
    Value,
    ValueKind,
    is_raised_to,
    may_be_flat_power,
    plain,
    unit_of_measure,
    values_in,
    with_unit,
)
from octavo_documents.text.values_by_language import values_of

Span = tuple[int, int, float]
"""[start, stop) in characters, and fit 0..1."""
_NAME = lazy_regex(
    r"(?<![\w'’])(?:[A-Z]\.(?=\s?[A-Z])|[A-Z][\w'’&-]*(?:\.[A-Z]\.?)?)"
    r"(?:(?:\s(?:of|the|and|for|de|van|von|der|&)){0,2}\s?(?:(?<=\.)|(?<=\s))(?:[A-Z]\.(?=\s?[A-Z])|[A-Z][\w'’&.-]*\b))*"
)
_BODY = lazy_regex(
    r"\b(?:Inc|Ltd|LLC|Corporation|Corp|Company|University|College|School|Institute|Department|Association|Group|Party|"
    r"Award|Council|Committee|Society|Bank|Museum|League|Cup|Records|Pictures|Conference|Federation|Act|Street)\b\.?"
)
_IN_PLACE = lazy_regex(r"\b(?:in|at|near|from|to|of)\s+(?:the\s+)?$", re.IGNORECASE)
_NAMING = lazy_regex(r"\b(?:called|named|known as|by|is|are|was|were|to|from)\s+(?:the\s+|an?\s+)?$", re.IGNORECASE)
_BY = lazy_regex(r"\bby\s+(?:the\s+)?$", re.IGNORECASE)
"""What stands before who does something: no place."""
_TIME = lazy_regex(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?: \d{1,2})?"
)


def named_spans(question: Question, sentence: str) -> Iterator[Span]:
    """Yield the names that a question for a person, a place or one of several things may mean.

    "What is an ombudsman?" asks for no name.
    """
    if question.expects is Expects.NAME and not question.asks_which:
        return
    if question.expects not in (Expects.PERSON, Expects.PLACE, Expects.NAME):
        return
    mark = _MARK.match(sentence)
    opening = mark.end() if mark else 0
    reached = 0
    for found in _NAME.finditer(sentence):
        if found.start() < reached:
            continue
        start = found.start() + _opening_words(found.group())
        stop = found.end() + bool(_INITIALS.search(found.group()) and sentence[found.end() : found.end() + 1] == ".")
        if question.expects is Expects.PLACE and (around := _AROUND.match(sentence, stop)):
            stop = reached = around.end()
        name, span = sentence[start:stop], (start, stop)
        if name and not (is_whole(sentence, *span) and may_be_meant(question, sentence, *span)):
            continue
        # Every first word has a capital, also behind the mark of an item.
        opens_sentence = " " not in name and (found.start() <= opening or bool(_OPENS.search(sentence[:start])))
        if name and not opens_sentence and not _TIME.fullmatch(name):
            yield start, stop, _fit(question, name, sentence[:start])


_AROUND = lazy_regex(
    r",\s[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+){0,2}(?=[.;)]|,\s[a-z]|\s(?:in|at|on|from|since|for|with|by)\s|$)"
)
"""What a place lies in, after its name: "San Diego, California"."""
_INITIALS = lazy_regex(r"(?:^|[\s.])[A-Z]\.[A-Z]$")
"""The end of "U.S", whose last point belongs to it."""
_OPENS = lazy_regex(r"(?:[“\"]|[:;]\s)$")
"""What a capital may follow that is only that of a first word."""
_OPENING_PREPOSITIONS = frozenset(
    ("After", "Before", "During", "Since", "Until", "Under", "Despite", "Following", "Throughout", "Within", "Near")
)


def _opening_words(text: str) -> int:
    """Return how many characters of function words a text opens with: "The Tern" is called Tern."""
    at = 0
    for word in text.split():
        if not is_function_word(word) and word not in _OPENING_PREPOSITIONS:
            break
        at += len(word) + 1
    return at


def _fit(question: Question, name: str, before: str) -> float:
    words = name.split()
    if question.expects is Expects.PERSON:
        if len(words) == 1 and _IN_PLACE.search(before) and not _BODY.search(name):
            return 0.0
        is_person = 2 <= len(words) <= 4 and all(word.upper() != word for word in words[::3])
        return (1.0 if _NAMING.search(before) else 0.85) if is_person and not _BODY.search(name) else 0.25
    if question.expects is Expects.PLACE and _BY.search(before):
        return 0.0
    if question.expects is Expects.PLACE:
        return 0.9 if _IN_PLACE.search(before) else 0.45
    return 0.65 if _NAMING.search(before) else 0.5


UNITS = 12
"""Units, the best ones, in which short answers are looked for."""
_MARK = lazy_regex(r"\s*(?:(?:\(?\d{1,3}[.)]|[•▪◦*–-])\s|\d{1,2}(?:\.\d{1,2})+\s+(?=[A-Z]))")
_HEADING_MARK = lazy_regex(r"\s*\d{1,2}\s+(?=[A-Z])")
_POINTS = lazy_regex(
    r"\b(?:figure|fig\.?|table|section|chapter|appendix|page|step|note|item|annex|no\.?)\s*$", re.IGNORECASE
)
_NAME_BEFORE = lazy_regex(r"\S\s+[A-Z][\w'’-]*[a-z]\s$")
"""What stands before the number of a name within a sentence: "on Highway 101"."""
_PART_BEFORE = lazy_regex(r"(?:[A-Z]\d*[-–]|\d\s?[-–—/]\s?|\d/)$")
_PART_AFTER = lazy_regex(r"/\d")
"""What stands before or after a number that is part of a name or of another number: "F-16", "A4-17", "24/7"."""


def short_answers(question: Question, view: View, units: Sequence[ScoredUnit]) -> list[ShortAnswer]:
    """Return the possible short answers in the best units; none for questions that sentences answer.

    Nor for one about what took another's place, which is mostly told of the other where the two are named.
    """
    is_told = question.expects in (Expects.PASSAGE, Expects.DEFINITION) and question.is_told_in_sentences
    if is_told or question.has_second_question or is_told_by_another(question.text):
        return []
    matcher = Matcher.of(question, view)
    found: list[ShortAnswer] = []
    for one in units[:UNITS]:
        cut = from_row if one.unit.is_table_row else _from_sentence
        found.extend(_as_read(view, each) for each in cut(matcher, view, one) if each.fit > 0)
    return found


def _as_read(view: View, one: ShortAnswer) -> ShortAnswer:
    """Return a short answer, never stated where OCR or a note's mark may have made another number of it."""
    if one.value is None or one.value.kind is not ValueKind.NUMBER:
        return one
    if is_raised_to(one.source.unit.text, one.value):
        return dataclasses.replace(one, is_bound=False)
    document, number = view.locate_page(int(view.page_index[one.source.unit.row]))
    is_scanned = bool(view.documents[document].pages.is_scanned[number - 1])
    is_unsure = is_scanned and may_be_flat_power(one.source.unit.text, one.value)
    return dataclasses.replace(one, is_bound=False) if is_unsure else one


def may_lead(question: Question, view: View, found: Sequence[ShortAnswer]) -> list[ShortAnswer]:
    """Return the short answers without those of a sentence or table where another one is the one that is meant.

    None may where the question names something that stands nowhere: no other thing tells of it.
    """
    if not found or unknown_things(question, view):
        return []
    bound = Counter(_place(one) for one in found if one.is_bound)
    return [one for one in found if one.is_bound or bound[_place(one)] != 1]


def _place(one: ShortAnswer) -> tuple[int, int]:
    """Return what tells the sentence or the table of a short answer from all others."""
    unit = one.source.unit
    return (unit.row, -1) if one.is_cell else unit.key


def _from_sentence(matcher: Matcher, view: View, one: ScoredUnit) -> list[ShortAnswer]:
    question = matcher.question
    text = readable(one.unit.text)
    if not question.language == one.unit.language == ENGLISH:
        found = _lone_values(matcher, text, one)
        may_be_stated = _may_be_stated(matcher, view, one.unit)
        return found if may_be_stated else [dataclasses.replace(cut, is_bound=False) for cut in found]
    gap = question.gap if question.expects in _NAMED else None
    filled = filling(question, gap, text) if gap is not None else None
    cuts = [*_values_of(matcher, text, one), *_names_of(matcher, text, one, filled)]
    beside = [readable(told) for told in _beside(one)]
    candidates = [candidate for _, candidate in cuts]
    may_be_stated = _may_be_stated(matcher, view, one.unit)
    return [
        dataclasses.replace(
            cut,
            is_bound=may_be_stated
            and not (candidate.value is None and is_nobody(question, text, candidate.start, candidate.stop))
            and _is_in_gap(question, text, candidate)
            and is_bound(question, text, candidate, candidates, beside),
        )
        for cut, candidate in cuts
    ]


_NAMED = (Expects.PERSON, Expects.PLACE, Expects.NAME)


def _is_in_gap(question: Question, text: str, one: ClauseCandidate) -> bool:
    """Return whether a name stands where the question's gap is; where its verb is not, whether its noun stands there.

    "Which battle" is answered by a sentence that says "battle", or has what was fought where the question leaves it.
    """
    if one.value is not None:
        return True
    spans = set[tuple[int, int]]() if question.gap is None else in_gap(question.gap, text)
    if spans:
        return any(start < one.stop and one.start < stop for start, stop in spans)
    noun = question.noun_asked if question.expects is Expects.NAME else ""
    return not noun or noun in analyze(text)


def _may_be_stated(matcher: Matcher, view: View, unit: Unit) -> bool:
    """Return whether what a unit says may be stated: of a listing only what is asked of it alone, and no example."""
    if not is_listed(view, unit):
        return True
    asked = matcher.weights.keys()
    return says_all(view, unit, asked, matcher.terms) and not is_illustration(view, unit, asked)


def _lone_values(matcher: Matcher, text: str, one: ScoredUnit) -> list[ShortAnswer]:
    """Return the values of a sentence in another language than English; those of a kind that are alone may be stated.

    Which clause a value belongs to is told by English words.
    """
    kinds = Counter(value.kind for value in values_of(text, one.unit.language))
    return [
        dataclasses.replace(cut, is_bound=cut.value is not None and kinds[cut.value.kind] == 1)
        for cut, _ in _values_of(matcher, text, one)
    ]


def _values_of(matcher: Matcher, text: str, source: ScoredUnit) -> Iterator[tuple[ShortAnswer, ClauseCandidate]]:
    question = matcher.question
    in_heading = source.unit.row == source.unit.section
    apart = [found.span() for found in _NUMBER_OF_CALLS.finditer(text)]
    for value in values_of(text, source.unit.language):
        is_part = any(start <= value.start < stop for start, stop in apart)
        is_part = is_part or _is_mark(value, text, in_heading=in_heading) or _is_of_name(value, text)
        is_part = is_part or _is_day(value, text, source.unit.language)
        if is_part or _is_of_compound(question, value, text) or _is_compared(question, value, text):
            continue
        fit = value_fit(question, value, text, unit=unit_of_measure(text, value))
        if not fit or is_change(question, text, value):
            continue
        printed = _with_bound(text, value, _whole_range(text, value) or with_unit(text, value), source.unit.language)
        near = matcher.nearness(text, value.start, value.stop)
        yield (
            ShortAnswer(printed, value.text, source, fit, near, value),
            ClauseCandidate(value.start, value.stop, value),
        )


def _with_bound(text: str, value: Value, printed: str, code: str) -> str:
    """Return a value as printed with the words that make it a bound: "up to 9 members" are not nine."""
    stop = max(value.start + len(printed), value.stop)
    start, end = bounded_span(text, value.start, stop, code)
    return printed if (start, end) == (value.start, stop) else text[start:end]


def _names_of(
    matcher: Matcher, text: str, source: ScoredUnit, filled: tuple[int, int] | None
) -> Iterator[tuple[ShortAnswer, ClauseCandidate]]:
    """Yield the names of a sentence that may answer; of what fills the question's gap that alone."""
    question = matcher.question
    spans = list(named_spans(question, text))
    within = [span for span in spans if filled is not None and filled[0] <= span[0] and span[1] <= filled[1]]
    if filled is not None:
        is_meant = is_whole(text, *filled) and may_be_meant(question, text, *filled)
        spans = [(*(within[-1][:2] if within else filled), 1.0)] if within or is_meant else spans
    for start, stop, fit in spans:
        name = text[start:stop]
        worth = fit * news(question, name)
        if worth > 0:
            near = matcher.nearness(text, start, stop)
            yield ShortAnswer(name, name, source, worth, near), ClauseCandidate(start, stop)


def _beside(one: ScoredUnit) -> list[str]:
    """Return the sentences before and after a unit in its block."""
    units = one.stream.units
    around = [units[at] for at in (one.at - 1, one.at + 1) if 0 <= at < len(units)]
    return [unit.text for unit in around if unit.row == one.unit.row]


_NUMBER_OF_CALLS = lazy_regex(
    r"(?<![\w.,])(?:\+\d[\d\s()/.-]{6,}\d|\(?0\d{1,5}\)?[\s/-]\d[\d\s/-]{3,}\d|\d{2,4}(?:[-/]\d{2,5}){2,})(?!\w)"
)
"""A telephone number, an account or the like: numbers with spaces that are one."""
_DIGITS_OF_YEAR = 4
_COMPOUND = lazy_regex(r"[-–](?P<of>[a-z]+)")
_COMPARES = lazy_regex(r"\b(?:[a-z]{2,}est|most|least|best|worst|peak\w*|record)\b", re.IGNORECASE)
_RANGE = lazy_regex(r"\s?[-–—]\s?(?=\d)")


def _whole_range(text: str, value: Value) -> str:
    """Return the range that a value begins, with its unit: "20-25 MB"; "" for none."""
    dash = _RANGE.match(text, value.stop)
    if value.kind not in (ValueKind.NUMBER, ValueKind.PERCENT, ValueKind.MONEY) or not dash:
        return ""
    end = re.compile(r"\d[\d,.]*(?<=\d)").match(text, dash.end())
    if end is None:
        return ""
    unit = unit_after(text, end.end())
    stop = text.find(unit, end.end()) + len(unit) if unit else end.end()
    return text[value.start : stop]


def _is_of_name(value: Value, text: str) -> bool:
    """Say whether a number without a unit is the last word of a name."""
    is_bare = value.kind is ValueKind.NUMBER and not unit_of_measure(text, value)
    return is_bare and bool(_NAME_BEFORE.search(text, 0, value.start))


def _is_of_compound(question: Question, value: Value, text: str) -> bool:
    """Return whether a number is part of a word that is no count: two in "a two-step test".

    Where steps are counted it is one; where cases are, nine of "nine-litre cases" is none.
    """
    compound = _COMPOUND.match(text, value.stop)
    if question.expects is Expects.COUNT:
        return compound is not None and {*question.subject}.isdisjoint(analyze(compound["of"]))
    return compound is not None and value.kind is ValueKind.NUMBER and not unit_of_measure(text, value)


def _is_day(value: Value, text: str, code: str) -> bool:
    """Return whether a number is the first day of a span whose month stands behind the last: "from 4 to 9 December"."""
    is_number = value.kind is ValueKind.NUMBER and value.text.isdigit() and len(value.text) < _DIGITS_OF_YEAR
    return is_number and _first_day(code).match(text, value.stop) is not None


@cache
def _first_day(code: str) -> re.Pattern[str]:
    months = "|".join([MONTH, *(re.escape(form) for forms in language(code).months for form in forms)])
    return re.compile(
        rf"(?:st|nd|rd|th|\.|º)?\s*(?:to|until|and|or|through|bis|und|au|et|al|a|e|y|tot|en|do|i|[-–])\s*"
        rf"\d{{1,2}}(?:st|nd|rd|th|\.|º)?\s+(?:of\s+|de\s+)?(?:{months})",
        re.IGNORECASE,
    )


def _is_compared(question: Question, value: Value, text: str) -> bool:
    """Return whether a question wants the period of the most or least, and a sentence only tells the periods apart."""
    if value.kind not in (ValueKind.DATE, ValueKind.YEAR) or question.period_choice is None:
        return False
    return not _COMPARES.search(text)


def _is_mark(value: Value, text: str, *, in_heading: bool) -> bool:
    """Say whether a number only numbers a list item, a section or a figure, or is part of a name or another number."""
    before = text[: value.start]
    mark = _MARK.match(text) or (in_heading and _HEADING_MARK.match(text))
    is_part = _PART_BEFORE.search(before) or _PART_AFTER.match(text, value.stop)
    return bool((mark and value.stop <= mark.end()) or _POINTS.search(before) or is_part)


_ITEMS = lazy_regex(r"\s*(?:;|\n\s*(?:[-*•]|\d+[.)])?)\s*")
_LONGEST_VALUE = 60
"""Characters of an answer that is a value with its unit; a longer one is prose."""


def typed_answer(question: str, answer: str, form: AnswerFormat | None = None) -> tuple[TypedValue, AnswerFormat]:
    """Return the value of an answer and its format; `form` overrules what the question's words ask for."""
    text = answer.strip()
    if form is AnswerFormat.LIST or (form is None and _is_list(question, text)):
        return [item for item in _ITEMS.split(text) if item], AnswerFormat.LIST
    number = _number(text)
    asks_number = form in (AnswerFormat.INT, AnswerFormat.FLOAT) or (form is None and _asks_value(question))
    if number is None or not asks_number:
        return text, AnswerFormat.STR
    if form is AnswerFormat.FLOAT or isinstance(number, float):
        return float(number), AnswerFormat.FLOAT
    return number, AnswerFormat.INT


def typed(question: Question, best: ShortAnswer) -> tuple[TypedValue, AnswerFormat]:
    """Return the value of a short answer and its format: a number as printed, or the text."""
    value = best.value
    if value is None or value.number is None or value.kind is ValueKind.DATE:
        return best.text, AnswerFormat.STR
    number = plain(value.number)
    if question.expects in (Expects.PERCENT, Expects.MONEY) or isinstance(number, float):
        return float(number), AnswerFormat.FLOAT
    return number, AnswerFormat.INT


def _is_list(question: str, text: str) -> bool:
    return understand(question).expects is Expects.LIST and len(_ITEMS.split(text)) > 1


def _asks_value(question: str) -> bool:
    expects = understand(question).expects
    return expects in VALUE_KINDS and expects is not Expects.DATE


def _number(text: str) -> int | float | None:
    found = [value for value in values_in(text) if value.number is not None and value.kind is not ValueKind.DATE]
    if len(found) != 1 or len(text) > _LONGEST_VALUE or found[0].number is None:
        return None
    return plain(found[0].number)
