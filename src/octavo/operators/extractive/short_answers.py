"""Short answers in the best units: values, names, cells and lists, each with what speaks for it.

Names that may answer who, where or which are told by their capitals and by the words before them. Fits are chosen by
hand: `extractive_reader` learns how much they weigh. An answer, a model's or one cut from a document, becomes a typed
value.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from octavo.document import AnswerFormat, View
from octavo.document.answer import Value as TypedValue
from octavo.document.grid import Grid
from octavo.operators.extractive.matching import Matcher
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.extractive.units import Unit, caption_of, content_before
from octavo.operators.extractive.worked_out import is_worked_out
from octavo.question import VALUE_KINDS, Expects, Question, understand
from octavo.text.analyzer import analyze, is_function_word
from octavo.text.values import Value, ValueKind, plain, unit_of_measure, values_in, with_unit

Span = tuple[int, int, float]
"""[start, stop) in characters, and fit 0..1."""

_NAME = re.compile(
    r"(?<![\w'’])[A-Z][\w'’&-]*(?:\.[A-Z]\.?)?(?:(?:\s(?:of|the|and|for|de|van|von|der|&)){0,2}\s[A-Z][\w'’&.-]*\b)*"
)
_BODY = re.compile(
    r"\b(?:Inc|Ltd|LLC|Corporation|Corp|Company|University|College|School|Institute|Department|Association|Group|Party|"
    r"Award|Council|Committee|Society|Bank|Museum|League|Cup|Records|Pictures|Conference|Federation|Act|Street)\b\.?"
)
_IN_PLACE = re.compile(r"\b(?:in|at|near|from|to|of)\s+(?:the\s+)?$", re.IGNORECASE)
_NAMING = re.compile(r"\b(?:called|named|known as|by|is|are|was|were|to|from)\s+(?:the\s+|an?\s+)?$", re.IGNORECASE)
_TIME = re.compile(
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
    for found in _NAME.finditer(sentence):
        start = found.start() + _opening_words(found.group())
        name = sentence[start : found.end()]
        opens_sentence = found.start() == 0 and " " not in name
        if name and not opens_sentence and not _TIME.fullmatch(name):
            yield start, found.end(), _fit(question, name, sentence[:start])


def _opening_words(text: str) -> int:
    """Return how many characters of function words a text opens with: "The Tern" is called Tern."""
    at = 0
    for word in text.split():
        if not is_function_word(word):
            break
        at += len(word) + 1
    return at


def _fit(question: Question, name: str, before: str) -> float:
    words = name.split()
    if question.expects is Expects.PERSON:
        is_person = 2 <= len(words) <= 4 and all(word.upper() != word for word in words[::3])
        return (1.0 if _NAMING.search(before) else 0.85) if is_person and not _BODY.search(name) else 0.25
    if question.expects is Expects.PLACE:
        return 0.9 if _IN_PLACE.search(before) else 0.45
    return 0.65 if _NAMING.search(before) else 0.5


UNITS = 12
"""Units, the best ones, in which short answers are looked for."""
_SCALE = re.compile(
    r"\b(?:in|of)\s+(?:[\w.]+\s+)?(thousands|millions|billions)\b|\((thousands|millions|billions)\b", re.I
)
_PER_SHARE = re.compile(r"\bper\b", re.IGNORECASE)
"""A row of amounts for one of something, to which the scale of a statement does not apply."""
_CURRENCY = re.compile(r"[$€£¥]")
_CURRENCY_APART = re.compile(r"([$€£¥])\s+(?=[\d(])")
_BARE_NUMBER = re.compile(r"[$€£¥]?\s?\(?[\d,.]+\)?")
_IN_BRACKETS = re.compile(r"\([^)]*\)")
"""What a row's label adds in brackets, such as its unit, as does a single letter."""
_LONGEST_CELL = 80
"""Characters of a cell that may be a short answer."""
_MARK = re.compile(r"\s*(?:(?:\(?\d{1,3}[.)]|[•▪◦*–-])\s|\d{1,2}(?:\.\d{1,2})+\s+(?=[A-Z]))")
_HEADING_MARK = re.compile(r"\s*\d{1,2}\s+(?=[A-Z])")
_POINTS = re.compile(
    r"\b(?:figure|fig\.?|table|section|chapter|appendix|page|step|note|item|annex|no\.?)\s*$", re.IGNORECASE
)
_NAME_BEFORE = re.compile(r"\S\s+[A-Z][\w'’-]*[a-z]\s$")
"""What stands before the number of a name within a sentence: "on Highway 101"."""
_PART_BEFORE, _PART_AFTER = re.compile(r"(?:[A-Z]\d*[-–]|\d/)$"), re.compile(r"/\d")
"""What stands before or after a number that is part of a name or of another number: "F-16", "A4-17", "24/7"."""
_OTHER_KIND = 0.6
"""Fit of a value of a kind that may stand for the one asked for: 35 per cent as a charge."""
_MARK_FIT = 0.4
"""Share of its fit of a number of one or two digits where nothing says that a number is asked for."""
_SMALL = re.compile(r"\d{1,2}")
_BARE_FIT = 0.4
"""Fit of a number without the unit or sign that is asked for."""
_DIGIT = re.compile(r"\d")
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclasses.dataclass(frozen=True)
class ShortAnswer:
    """A possible short answer: `text` as it is told, cut from a unit, where it is found as `quote`.

    `fit` is how well its form answers the question and `near` how near the question's words stand to it, both 0..1;
    `unsaid` is the share of the words its row is called by that the question does not say, 0 for what is no cell.
    """

    text: str
    quote: str
    source: ScoredUnit
    fit: float
    near: float
    value: Value | None = None
    unsaid: float = 0.0

    @property
    def is_cell(self) -> bool:
        """Whether it is a cell of a table's row."""
        return self.source.unit.is_table_row


def short_answers(question: Question, view: View, units: Sequence[ScoredUnit]) -> list[ShortAnswer]:
    """Return the possible short answers in the best units; none for questions that sentences answer."""
    is_told = question.expects in (Expects.PASSAGE, Expects.DEFINITION) and question.is_told_in_sentences
    if is_told or question.has_second_question:
        return []
    matcher = Matcher.of(question, view)
    found: list[ShortAnswer] = []
    for one in units[:UNITS]:
        cut = _from_row if one.unit.is_table_row else _from_sentence
        found.extend(
            ShortAnswer(text, quote, one, fit, near, value, unsaid)
            for text, quote, fit, near, value, unsaid in cut(matcher, view, one.unit)
            if fit > 0
        )
    return found


_OPEN_FIT = 0.4
"""Fit of a cell where nothing says what kind of value is asked for."""
Cut = tuple[str, str, float, float, Value | None, float]
"""Text, quote, fit, nearness, value and the share of its label that is not said, of a possible answer."""


def _from_sentence(matcher: Matcher, view: View, unit: Unit) -> Iterator[Cut]:
    question, text = matcher.question, unit.text
    for value in values_in(text):
        fit = (
            0.0
            if _is_mark(value, text, in_heading=unit.row == unit.section) or _is_of_name(value, text)
            else _value_fit(question, value, text, unit=unit_of_measure(text, value))
        )
        if fit:
            printed = with_unit(text, value)
            yield printed, value.text, fit, matcher.nearness(text, value.start, value.stop), value, 0.0
    for start, stop, fit in named_spans(question, text):
        name = text[start:stop]
        yield name, name, fit * _news(question, name), matcher.nearness(text, start, stop), None, 0.0


def _from_row(matcher: Matcher, view: View, unit: Unit) -> Iterator[Cut]:
    """Yield the cells of a table's row, each near by its column's head and its row's label."""
    question = matcher.question
    grid = Grid.from_json(view.blocks.grid[unit.row])
    cells, headers = [" ".join(cell.split()) for cell in grid.rows()[unit.start]], grid.headers()
    label = next(filter(None, cells), "")
    over = matcher.terms(" ".join((unit.label, *view.blocks.section_path(unit.row)[-2:])))
    # What heads a column speaks for its own cells alone, even where the section is called so too.
    around = {*matcher.terms(label), *over}.difference(*map(matcher.terms, headers))
    called = {term for term in matcher.terms(_IN_BRACKETS.sub(" ", label)) if len(term) > 1}
    unsaid = 1 - len(called & matcher.weights.keys()) / len(called) if called else 0.0
    told = [at for at, text in enumerate(cells) if text and text != label]
    chosen = _told_by_head([matcher.share(set(matcher.terms(headers[at])) - around) for at in told])
    for at in (told[one] for one in chosen):
        text, head = cells[at], headers[at]
        if len(text) > _LONGEST_CELL or is_worked_out(question.asked, {*analyze(f"{label} {head}"), *over}):
            continue
        fit, value = _cell_fit(question, text, f"{head} {label}")
        printed = _scaled(text, view, unit, value)
        if question.expects is Expects.MONEY and printed == text and not _CURRENCY.search(unit.shown + head):
            continue
        yield printed, text, fit, matcher.share({*around, *matcher.terms(head)}), value, unsaid
    yield from _from_label(matcher, cells, headers)


def _from_label(matcher: Matcher, cells: Sequence[str], headers: Sequence[str]) -> Iterator[Cut]:
    """Yield what a row is called, where the question asks which one it is by the head of that column."""
    at = next(at for at, text in enumerate(cells) if text)
    head = set(matcher.terms(headers[at]))
    others = {term for text in cells[at + 1 :] for term in matcher.terms(text)}
    if matcher.question.expects is Expects.NAME and matcher.share(head) and len(cells[at]) <= _LONGEST_CELL:
        yield (
            cells[at],
            cells[at],
            _OPEN_FIT * _news(matcher.question, cells[at]),
            matcher.share(head | others),
            None,
            0.0,
        )


def _told_by_head(shares: Sequence[float]) -> list[int]:
    """Return which cells of a row may answer: the only one, else the one whose head says more of the question."""
    if len(shares) < 2:
        return list(range(len(shares)))
    most = max(shares)
    first = [at for at, share in enumerate(shares) if share == most]
    return first if most > 0 and len(first) == 1 else []


def _cell_fit(question: Question, text: str, around: str) -> tuple[float, Value | None]:
    """Return how well a cell's form answers a question, and the value that it is; any cell may answer a bare phrase."""
    values = values_in(text)
    value = values[0] if len(values) == 1 and 2 * len(values[0].text) >= len(text) else None
    if question.expects in VALUE_KINDS:
        unit = "%" if "%" in around else unit_of_measure(text, value) if value else ""
        fit = _value_fit(question, value, text, unit=unit, around=around) if value else 0.0
        return fit, value
    if question.expects in (Expects.YES_NO, Expects.LIST, Expects.DEFINITION):
        return 0.0, value
    return _OPEN_FIT * _news(question, text) * (_MARK_FIT if _SMALL.fullmatch(text) else 1.0), value


def _news(question: Question, text: str) -> float:
    """Return the share of a text's terms that the question does not say itself."""
    terms = analyze(text)
    return sum(term not in question.asked for term in terms) / len(terms) if terms else 0.0


def _value_fit(question: Question, value: Value, text: str, *, unit: str, around: str = "") -> float:
    """Return how well a value's form answers a question; 0 for another kind, and for what the question says itself.

    `around` is the head and the label of a table's cell.
    """
    is_cell = bool(around)
    kinds = VALUE_KINDS.get(question.expects, ())
    is_year = value.kind is ValueKind.YEAR or bool(_YEAR.fullmatch(value.text))
    if value.kind not in kinds or (is_year and ValueKind.YEAR not in kinds):
        return 0.0
    if any(value.text == asked.text or (value.number == asked.number is not None) for asked in question.values):
        return 0.0
    if question.expects is Expects.COUNT:
        beside = _DIGIT.split(text[value.stop : value.stop + 40])[0]  # what comes after a number is counted by that
        return _count_fit(question, value, around if is_cell else beside)
    if question.expects is Expects.NUMBER:
        return _measure_fit(question, value, unit)
    if value.kind is kinds[0] or (is_cell and (unit == "%" or question.expects is not Expects.PERCENT)):
        return 1.0
    return _OTHER_KIND if value.kind is not ValueKind.NUMBER else _BARE_FIT


def _count_fit(question: Question, value: Value, beside: str) -> float:
    """Return 1 for a whole number that what is counted stands beside, right after it or over its column; else 0."""
    words = re.findall(r"\w+", beside.lower())
    is_whole = value.number is not None and value.number == int(value.number)
    return float(is_whole and any(_begins_alike(word, term) for word in words for term in question.subject))


def _measure_fit(question: Question, value: Value, unit: str) -> float:
    """Return 1 for a value in the units asked for, less for one without a unit, little for one in other units."""
    if not question.units:
        return 1.0 if unit or value.kind is not ValueKind.NUMBER else _OTHER_KIND
    if re.fullmatch(question.units, unit, re.IGNORECASE):
        return 1.0
    return _BARE_FIT if not unit and value.kind is ValueKind.NUMBER else 0.0


def _scaled(text: str, view: View, unit: Unit, value: Value | None) -> str:
    """Return a cell with the currency and scale that its table states: 961, in millions of dollars, as $961 million."""
    if value is None or value.kind not in (ValueKind.NUMBER, ValueKind.MONEY) or not _BARE_NUMBER.fullmatch(text):
        return text
    said = " ".join((*unit.heads, _before(view, unit.row)))
    scale = _SCALE.search(said)
    is_excepted = value.kind is not ValueKind.MONEY and "except" in said.lower()  # "in millions, except store counts"
    if not scale or "%" in said or is_excepted or _PER_SHARE.search(unit.text):
        return text
    name = (scale[1] or scale[2]).lower().removesuffix("s")
    currency = _CURRENCY.search(text) or _CURRENCY.search(said)
    sign = currency[0] if currency and not _CURRENCY.search(text) else ""
    return f"{sign}{_CURRENCY_APART.sub(lambda found: found[1], text)} {name}"


def _before(view: View, row: int) -> str:
    """Return a table's caption and the text right before it: where the scale of its numbers is told."""
    caption, before = caption_of(view, row), content_before(view, row)
    told = view.blocks.text[caption] if caption >= 0 else ""
    return f"{told} {view.blocks.text[before][-200:]}" if before >= 0 and before != caption else told


def _begins_alike(word: str, term: str) -> bool:
    return len(term) > 2 and word.startswith(term[:5])


def _is_of_name(value: Value, text: str) -> bool:
    """Say whether a number without a unit is the last word of a name."""
    is_bare = value.kind is ValueKind.NUMBER and not unit_of_measure(text, value)
    return is_bare and bool(_NAME_BEFORE.search(text, 0, value.start))


def _is_mark(value: Value, text: str, *, in_heading: bool) -> bool:
    """Say whether a number only numbers a list item, a section or a figure, or is part of a name or another number."""
    before = text[: value.start]
    mark = _MARK.match(text) or (in_heading and _HEADING_MARK.match(text))
    is_part = _PART_BEFORE.search(before) or _PART_AFTER.match(text, value.stop)
    return bool((mark and value.stop <= mark.end()) or _POINTS.search(before) or is_part)


_ITEMS = re.compile(r"\s*(?:;|\n\s*(?:[-*•]|\d+[.)])?)\s*")
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
