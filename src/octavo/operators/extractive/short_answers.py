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
from octavo.operators.extractive.clauses import Candidate, is_bound, is_change
from octavo.operators.extractive.matching import Matcher
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.extractive.units import Unit, caption_of, content_before
from octavo.operators.extractive.worked_out import is_worked_out
from octavo.question import VALUE_KINDS, Expects, Question, understand
from octavo.text.analyzer import analyze, is_function_word
from octavo.text.forms import same_terms
from octavo.text.marks import readable, without_notes
from octavo.text.measures import dimension, dimensions_asked, unit_after, unit_in_head, with_unit_of_head
from octavo.text.values import Value, ValueKind, plain, unit_of_measure, values_in, with_unit

Span = tuple[int, int, float]
"""[start, stop) in characters, and fit 0..1."""

_NAME = re.compile(
    r"(?<![\w'’])(?:[A-Z]\.(?=\s?[A-Z])|[A-Z][\w'’&-]*(?:\.[A-Z]\.?)?)"
    r"(?:(?:\s(?:of|the|and|for|de|van|von|der|&)){0,2}\s?(?:(?<=\.)|(?<=\s))(?:[A-Z]\.(?=\s?[A-Z])|[A-Z][\w'’&.-]*\b))*"
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
        if len(words) == 1 and _IN_PLACE.search(before) and not _BODY.search(name):
            return 0.0
        is_person = 2 <= len(words) <= 4 and all(word.upper() != word for word in words[::3])
        return (1.0 if _NAMING.search(before) else 0.85) if is_person and not _BODY.search(name) else 0.25
    if question.expects is Expects.PLACE:
        return 0.9 if _IN_PLACE.search(before) else 0.45
    return 0.65 if _NAMING.search(before) else 0.5


UNITS = 12
"""Units, the best ones, in which short answers are looked for."""
_SCALE = re.compile(
    r"\b(?:in|of)\s+(?:[\w.$€£¥]+\s+)?(thousands?|millions?|billions?)\b|\((thousands|millions|billions)\b"
    r"|(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF))\s?(thousand|million|billion|mn?\b|bn\b|k\b)s?|[$€£¥(]['’]?\s?(000)s?\b"
    r"|\b(?:in|mio\.?)\s+(?:EUR|USD|GBP|CHF)?\s?(mio\b|mrd\b|000s?\b)",
    re.I,
)
_SCALE_NAMES = {
    "m": "million",
    "mn": "million",
    "bn": "billion",
    "k": "thousand",
    "000": "thousand",
    "000s": "thousand",
}
_SCALE_NAMES |= {"mio": "million", "mrd": "billion"}
_PER_SHARE = re.compile(r"\bper\b", re.IGNORECASE)
"""A row of amounts for one of something, to which the scale of a statement does not apply."""
_CURRENCY = re.compile(r"[$€£¥]")
_CURRENCY_APART = re.compile(r"([$€£¥])\s+(?=[\d(])")
_BARE_NUMBER = re.compile(r"[-–−+]?\s?[$€£¥]?\s?\(?[\d,.]+(?:\^[-−]?\d+)?\)?")
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
_PART_BEFORE = re.compile(r"(?:[A-Z]\d*[-–]|\d\s?[-–—/]\s?|\d/)$")
_PART_AFTER = re.compile(r"/\d")
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
    is_bound: bool = True
    """Whether what the question says is bound to it, and to nothing beside it: else it is never stated."""

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
            ShortAnswer(
                without_notes(each.text), each.quote, one, each.fit, each.near, each.value, each.unsaid, each.is_bound
            )
            for each in cut(matcher, view, one)
            if each.fit > 0
        )
    return found


_OPEN_FIT = 0.4
"""Fit of a cell where nothing says what kind of value is asked for."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Cut:
    """A possible answer cut from a unit: its parts are those of a `ShortAnswer`."""

    text: str
    quote: str
    fit: float
    near: float
    value: Value | None = None
    unsaid: float = 0.0
    is_bound: bool = True


def _from_sentence(matcher: Matcher, view: View, one: ScoredUnit) -> list[_Cut]:
    question, unit = matcher.question, one.unit
    text = readable(unit.text)
    in_heading = unit.row == unit.section
    cuts = [*_values_of(matcher, text, in_heading=in_heading), *_names_of(matcher, text)]
    beside = [readable(told) for told in _beside(one)]
    candidates = [candidate for _, candidate in cuts]
    return [
        dataclasses.replace(cut, is_bound=is_bound(question, text, candidate, candidates, beside))
        for cut, candidate in cuts
    ]


def _values_of(matcher: Matcher, text: str, *, in_heading: bool) -> Iterator[tuple[_Cut, Candidate]]:
    question = matcher.question
    apart = [found.span() for found in _NUMBER_OF_CALLS.finditer(text)]
    for value in values_in(text):
        is_part = any(start <= value.start < stop for start, stop in apart)
        if is_part or _is_mark(value, text, in_heading=in_heading) or _is_of_name(value, text):
            continue
        fit = _value_fit(question, value, text, unit=unit_of_measure(text, value))
        if not fit or is_change(question, text, value):
            continue
        printed = _whole_range(text, value) or with_unit(text, value)
        near = matcher.nearness(text, value.start, value.stop)
        yield _Cut(printed, value.text, fit, near, value), Candidate(value.start, value.stop, value)


def _names_of(matcher: Matcher, text: str) -> Iterator[tuple[_Cut, Candidate]]:
    question = matcher.question
    for start, stop, fit in named_spans(question, text):
        name = text[start:stop]
        worth = fit * _news(question, name)
        if worth > 0:
            yield _Cut(name, name, worth, matcher.nearness(text, start, stop)), Candidate(start, stop)


def _beside(one: ScoredUnit) -> list[str]:
    """Return the sentences before and after a unit in its block."""
    units = one.stream.units
    around = [units[at] for at in (one.at - 1, one.at + 1) if 0 <= at < len(units)]
    return [unit.text for unit in around if unit.row == one.unit.row]


_NUMBER_OF_CALLS = re.compile(
    r"(?<![\w.,])(?:\+\d[\d\s()/.-]{6,}\d|\(?0\d{1,5}\)?[\s/-]\d[\d\s/-]{3,}\d|\d{2,4}(?:[-/]\d{2,5}){2,})(?!\w)"
)
"""A telephone number, an account or the like: numbers with spaces that are one."""
_RANGE = re.compile(r"\s?[-–—]\s?(?=\d)")


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


def _from_row(matcher: Matcher, view: View, one: ScoredUnit) -> list[_Cut]:
    """Return the cells of a table's row, each near by its column's head and its row's label."""
    question, unit = matcher.question, one.unit
    grid = Grid.from_json(view.blocks.grid[unit.row])
    stored, headers = grid.rows(), grid.headers()
    cells = [" ".join(readable(cell).split()) for cell in stored[unit.start]]
    label = next(filter(None, cells), "")
    if not label:
        return []
    over = matcher.terms(" ".join((unit.label, *view.blocks.section_path(unit.row)[-2:])))
    # What heads a column speaks for its own cells alone, even where the section is called so too.
    around = {*matcher.terms(label), *over}.difference(*map(matcher.terms, headers))
    called = {term for term in matcher.terms(_IN_BRACKETS.sub(" ", label)) if len(term) > 1}
    unsaid = 1 - len(called & matcher.weights.keys()) / len(called) if called else 0.0
    told = [at for at, text in enumerate(cells) if text and text != label]
    chosen = _told_by_head([matcher.share(set(matcher.terms(headers[at])) - around) for at in told])
    row = _Row(matcher, view, unit, cells, headers, label, frozenset((*around, *over)), grid.header_rows)
    cuts: list[_Cut] = []
    for at in (told[place] for place in chosen):
        text, head = cells[at], headers[at]
        if len(text) > _LONGEST_CELL or is_worked_out(question.asked, {*analyze(f"{label} {head}"), *over}):
            continue
        unit_told = row.unit_of(at)
        fit, value = _cell_fit(question, text, f"{head} {label}", unit_told)
        printed = _scaled(text, view, unit, value)
        if question.expects is Expects.MONEY and printed == text and not _CURRENCY.search(unit.shown + head):
            continue
        if printed == text and value is not None and unit_told and _BARE_NUMBER.fullmatch(text):
            printed = with_unit_of_head(text, unit_told)
        near = matcher.share({*around, *matcher.terms(head)})
        cuts.append(_Cut(printed, text, fit, near, value, unsaid, row.binds(at, stored)))
    return [*cuts, *_from_label(matcher, cells, headers)]


@dataclasses.dataclass(frozen=True)
class _Row:
    """A table's row with what is told of it: the heads of its columns, its label and the terms over the table."""

    matcher: Matcher
    view: View
    unit: Unit
    cells: Sequence[str]
    headers: Sequence[str]
    label: str
    over: frozenset[str]
    header_rows: int

    def unit_of(self, at: int) -> str:
        """Return the unit of a cell that its head, its row or the table's caption tells; "" for none or for two."""
        beside = [text for text, head in zip(self.cells, self.headers, strict=True) if _UNIT_COLUMN.fullmatch(head)]
        told = [unit_in_head(self.headers[at]), unit_in_head(_AFTER_NOTE.sub("", self.label))]
        told += [text for text in beside if dimension(text)]
        units = list(dict.fromkeys(filter(None, told)))
        if units:
            return units[0] if len(units) == 1 else ""
        caption = caption_of(self.view, self.unit.row)
        return unit_in_head(self.view.blocks.text[caption]) if caption >= 0 else ""

    def binds(self, at: int, stored: Sequence[Sequence[str]]) -> bool:
        """Tell whether what the question says stands over or beside a cell, and nothing of it at another one alone."""
        terms, asked = self.matcher.terms, self.matcher.weights.keys()
        own = {*terms(self.label), *terms(self.headers[at]), *self.over, *terms(" ".join(self._keys(at)))}
        # Columns of words before it say what the row is of, their heads too.
        heads = [terms(head) for place, head in enumerate(self.headers) if place > at or self._is_number(place)]
        others = (cells for number, cells in enumerate(stored) if self.header_rows <= number != self.unit.start)
        labels = [terms(next(filter(None, cells), "")) for cells in others]
        caption = caption_of(self.view, self.unit.row)
        told = own | set(terms(self.view.blocks.text[caption])) if caption >= 0 else own
        if any((asked & set(other)) - told for other in (*heads, *labels)):
            return False
        return self._is_of_time(" ".join((self.label, self.headers[at], *self._keys(at))), stored)

    def _keys(self, at: int) -> list[str]:
        """Return the cells of the row that stand before one: what the row is of may take several columns."""
        return [text for place, text in enumerate(self.cells[:at]) if text and not self._is_number(place)]

    def _is_number(self, at: int) -> bool:
        return _BARE_NUMBER.fullmatch(self.cells[at]) is not None

    def _is_of_time(self, own: str, stored: Sequence[Sequence[str]]) -> bool:
        """Tell whether a cell is of the year, month or day asked for, where the table tells such."""
        for times in (_years, _months_and_days):
            asked, mine = times(self.matcher.question.text), times(own)
            if not asked or asked <= mine:
                continue
            if mine or any(times(cells[0]) for cells in stored if cells) or any(map(times, self.headers)):
                return False
        return True


_UNIT_COLUMN = re.compile(r"\W*(?:units?|einheit|unité|unidad)\b.{0,20}", re.IGNORECASE)
_AFTER_NOTE = re.compile(r"\s*\[\d+\]\s*$")
_YEAR_SAID = re.compile(r"(?<![\d.,])(?:1[5-9]|20)\d\d(?![\d.,]*\d)")
_MONTHS_AND_DAYS = """
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
"""
_CALENDAR = frozenset(analyze(_MONTHS_AND_DAYS))


def _years(text: str) -> set[str]:
    return set(_YEAR_SAID.findall(text))


def _months_and_days(text: str) -> set[str]:
    """Return the months and days of the week that a text names, in their long form, as terms."""
    return {long for term in analyze(text) for long in ({term} | same_terms(term)) & _CALENDAR}


def _from_label(matcher: Matcher, cells: Sequence[str], headers: Sequence[str]) -> Iterator[_Cut]:
    """Yield what a row is called, where the question asks which one it is by the head of that column."""
    at = next(at for at, text in enumerate(cells) if text)
    head = set(matcher.terms(headers[at]))
    others = {term for text in cells[at + 1 :] for term in matcher.terms(text)}
    if matcher.question.expects is Expects.NAME and matcher.share(head) and len(cells[at]) <= _LONGEST_CELL:
        fit = _OPEN_FIT * _news(matcher.question, cells[at])
        yield _Cut(cells[at], cells[at], fit, matcher.share(head | others))


def _told_by_head(shares: Sequence[float]) -> list[int]:
    """Return which cells of a row may answer: the only one, else the one whose head says more of the question."""
    if len(shares) < 2:
        return list(range(len(shares)))
    most = max(shares)
    first = [at for at, share in enumerate(shares) if share == most]
    return first if most > 0 and len(first) == 1 else []


def _cell_fit(question: Question, text: str, around: str, told: str) -> tuple[float, Value | None]:
    """Return how well a cell's form answers a question, and the value that it is; any cell may answer a bare phrase.

    `told` is the unit that its head or its row tells.
    """
    values = values_in(text)
    value = values[0] if len(values) == 1 and 2 * len(values[0].text) >= len(text) else None
    if question.expects in VALUE_KINDS:
        unit = (unit_of_measure(text, value) or told or ("%" if "%" in around else "")) if value else ""
        fit = _value_fit(question, value, text, unit=unit, around=around) if value else 0.0
        return fit, value
    if question.expects in (Expects.YES_NO, Expects.LIST, Expects.DEFINITION):
        return 0.0, value
    if question.expects in (Expects.PERSON, Expects.PLACE) and not _is_name(text):
        return 0.0, value
    return _OPEN_FIT * _news(question, text) * (_MARK_FIT if _SMALL.fullmatch(text) else 1.0), value


def _is_name(text: str) -> bool:
    """Tell whether a cell may hold names: it begins with a capital and has no digits."""
    return text[:1].isupper() and not any(map(str.isdigit, text))


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
    if question.expects in (Expects.MONEY, Expects.PERCENT) and _measured(value, unit) not in _MEASURED_AS:
        return 0.0
    if value.kind is kinds[0] or (is_cell and (unit == "%" or question.expects is not Expects.PERCENT)):
        return 1.0
    return _OTHER_KIND if value.kind is not ValueKind.NUMBER else _BARE_FIT


_MEASURED_AS = ("", "money", "share")
"""What a value of money or a share may be measured in."""


def _count_fit(question: Question, value: Value, beside: str) -> float:
    """Return 1 for a whole number that what is counted stands beside, right after it or over its column; else 0."""
    words = re.findall(r"\w+", beside.lower())
    is_whole = value.number is not None and value.number == int(value.number)
    return float(is_whole and any(_begins_alike(word, term) for word in words for term in question.subject))


def _measure_fit(question: Question, value: Value, unit: str) -> float:
    """Return 1 for a value in units that measure what is asked for, less for one without a unit, 0 in other units."""
    asked, measured = dimensions_asked(question.text), _measured(value, unit)
    if asked:
        if measured:
            return float(measured in asked)
        return _BARE_FIT if value.kind is ValueKind.NUMBER and not unit else 0.0
    if not question.units:
        return 1.0 if unit or value.kind is not ValueKind.NUMBER else _OTHER_KIND
    if re.fullmatch(question.units, unit, re.IGNORECASE):
        return 1.0
    return _BARE_FIT if not unit and value.kind is ValueKind.NUMBER else 0.0


def _measured(value: Value, unit: str) -> str:
    """Return what a value with its unit measures; "" where nothing tells."""
    if value.kind is ValueKind.PERCENT:
        return "share"
    if value.kind is ValueKind.MONEY:
        return "money"
    last = value.text.split()[-1]
    return dimension(unit) or (dimension(last) if not last[0].isdigit() else "")


def _scaled(text: str, view: View, unit: Unit, value: Value | None) -> str:
    """Return a cell with the currency and scale that its table states: 961, in millions of dollars, as $961 million."""
    if value is None or value.kind not in (ValueKind.NUMBER, ValueKind.MONEY) or not _BARE_NUMBER.fullmatch(text):
        return text
    said = " ".join((*unit.heads, _before(view, unit.row)))
    scale = _SCALE.search(said)
    is_excepted = value.kind is not ValueKind.MONEY and "except" in said.lower()  # "in millions, except store counts"
    if not scale or "%" in said or is_excepted or _PER_SHARE.search(unit.text):
        return text
    name = next(filter(None, scale.groups())).lower()
    name = _SCALE_NAMES.get(name, name.removesuffix("s"))
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
