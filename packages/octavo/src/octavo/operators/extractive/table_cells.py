"""Cells of tables as short answers: each by its column's head and its row's label, with the unit these tell.

A cell is stated only where nothing that the question says speaks for another column or row.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from octavo.evidence import View
from octavo.operators.extractive.fits import OPEN_FIT, ShortAnswer, news, value_fit
from octavo.operators.extractive.listings import EXCUSED, is_illustration, is_list_of_keys, over_all
from octavo.operators.extractive.matching import Matcher
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.extractive.units import Unit, caption_of, content_before
from octavo.operators.extractive.worked_out import is_worked_out
from octavo.question import VALUE_KINDS, Expects, Question
from octavo_documents.document.grid import Grid
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.forms import DAYS, MONTHS, same_terms
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.marks import readable
from octavo_documents.text.measures import dimension, unit_in_head, with_unit_of_head
from octavo_documents.text.values import Value, ValueKind, unit_of_measure, values_in
from octavo_documents.text.years import is_of_two_years, years_in

_SCALE = lazy_regex(
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
    "mio": "million",
    "mrd": "billion",
}
_PER_SHARE = lazy_regex(r"\bper\b", re.IGNORECASE)
"""A row of amounts for one of something, to which the scale of a statement does not apply."""
_CURRENCY = lazy_regex(r"[$€£¥]")
_CURRENCY_WORD = lazy_regex(
    r"(?:\bof\s|\bin\s|illions?\s|thousands?\s)\s*(euros|dollars|pounds|francs|EUR|USD|GBP|CHF)\b", re.I
)
_CURRENCY_APART = lazy_regex(r"([$€£¥])\s+(?=[\d(])")
_BARE_NUMBER = lazy_regex(r"[-–−+]?\s?[$€£¥]?\s?\(?[\d,.]+(?:\^[-−]?\d+)?\)?")
_IN_BRACKETS = lazy_regex(r"\([^)]*\)")
"""What a row's label adds in brackets, such as its unit, as does a single letter."""
_LONGEST_CELL = 80
"""Characters of a cell that may be a short answer."""
_MARK_FIT = 0.4
"""Share of its fit of a number of one or two digits where nothing says that a number is asked for."""
_SMALL = lazy_regex(r"\d{1,2}")


def from_row(matcher: Matcher, view: View, one: ScoredUnit) -> list[ShortAnswer]:
    """Return the cells of a table's row, each near by its column's head and its row's label."""
    question, unit = matcher.question, one.unit
    grid = Grid.from_json(view.blocks.grid[unit.row])
    stored, headers = grid.rows(), [_GLUED.sub(r"\1 ", head) for head in grid.headers()]
    cells = [on_one_line(readable(cell)) for cell in stored[unit.start]]
    label = next(filter(None, cells), "")
    if not label:
        return []
    over = matcher.terms(" ".join((unit.label, *view.blocks.section_path(unit.row)[-2:])))
    # What heads a column speaks for its own cells alone, even where the section is called so too.
    around = {*matcher.terms(label), *over}.difference(*map(matcher.terms, headers))
    called = {term for term in matcher.terms(_IN_BRACKETS.sub(" ", label)) if len(term) > 1}
    unsaid = 1 - len(called & matcher.weights.keys()) / len(called) if called else 0.0
    told = [at for at, text in enumerate(cells) if text and text != label]
    chosen = _singled_out_by_head([matcher.share(set(matcher.terms(headers[at])) - around) for at in told])
    row = _Row(matcher, view, unit, cells, headers, label, frozenset((*around, *over)), grid.header_rows)
    cuts: list[ShortAnswer] = []
    for at in (told[place] for place in chosen):
        text, head = cells[at], headers[at]
        if len(text) > _LONGEST_CELL or is_worked_out(question.asked, {*analyze(f"{label} {head}"), *over}):
            continue
        unit_told = row.unit_of(at)
        fit, value = cell_fit(question, text, f"{head} {label}", unit_told)
        printed = scaled(text, view, unit, value)
        first = next(
            (line[at] for line in stored[grid.header_rows :] if line[at].strip()), ""
        )  # may have the sign for all
        if question.expects is Expects.MONEY and printed == text and not _CURRENCY.search(unit.shown + head + first):
            continue
        if printed == text and value is not None and unit_told and _BARE_NUMBER.fullmatch(text):
            printed = with_unit_of_head(text, unit_told)
        near = matcher.share({*around, *matcher.terms(head)})
        called = (unit.label, label, head)
        cuts.append(ShortAnswer(printed, text, one, fit, near, value, unsaid, row.binds(at, stored), called))
    return [*cuts, *_from_label(matcher, one, cells, headers)]


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
        """Return whether what the question says stands over or beside a cell, and nothing of it at another alone."""
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
        is_unsaid = bool(asked - told - EXCUSED - set(terms(over_all(self.view, self.unit.row))))
        lists_keys = is_list_of_keys(stored, self.header_rows)
        if is_unsaid and (lists_keys or self._has_rival(at)):
            return False  # what is asked of is told of no cell: it may choose the column, or mean another list of keys
        if lists_keys and is_illustration(self.view, self.unit, asked):
            return False
        return self._is_of_time(" ".join((self.label, self.headers[at], *self._keys(at))), stored)

    def _has_rival(self, at: int) -> bool:
        """Return whether another cell of the row has a value as this one does."""
        others = (text for place, text in enumerate(self.cells) if place != at and text)
        return bool(values_in(self.cells[at])) and any(_BARE_NUMBER.fullmatch(text) for text in others)

    def _keys(self, at: int) -> list[str]:
        """Return the cells of the row that stand before one: what the row is of may take several columns."""
        return [text for place, text in enumerate(self.cells[:at]) if text and not self._is_number(place)]

    def _is_number(self, at: int) -> bool:
        return _BARE_NUMBER.fullmatch(self.cells[at]) is not None

    def _is_of_time(self, own: str, stored: Sequence[Sequence[str]]) -> bool:
        """Return whether a cell is of the year, month or day asked for, where the table tells such."""
        if is_of_two_years(own, self.matcher.question.text):
            return False
        for times in (years_in, _months_and_days):
            asked, mine = times(self.matcher.question.text), times(own)
            if not asked or asked <= mine:
                continue
            if mine or any(times(cells[0]) for cells in stored if cells) or any(map(times, self.headers)):
                return False
        return True


_GLUED = lazy_regex(rf"\b((?:{'|'.join(MONTHS)})\.?)(?=\d)", re.IGNORECASE)
"""A month right before a number, as some tables print their heads: "December31, 2019"."""
_UNIT_COLUMN = lazy_regex(r"\W*(?:units?|einheit|unité|unidad)\b.{0,20}", re.IGNORECASE)
_AFTER_NOTE = lazy_regex(r"\s*\[\d+\]\s*$")
CALENDAR = frozenset(analyze(" ".join((*MONTHS, *DAYS))))


def _months_and_days(text: str) -> frozenset[str]:
    """Return the months and days of the week that a text names, in their long form, as terms."""
    return frozenset(long for term in analyze(text) for long in ({term} | same_terms(term)) & CALENDAR)


def _from_label(
    matcher: Matcher, source: ScoredUnit, cells: Sequence[str], headers: Sequence[str]
) -> Iterator[ShortAnswer]:
    """Yield what a row is called, where the question asks which one it is by the head of that column."""
    at = next(at for at, text in enumerate(cells) if text)
    head = set(matcher.terms(headers[at]))
    if not matcher.question.language == source.unit.language == ENGLISH:  # what heads all columns names none of them
        head = head.difference(*(matcher.terms(other) for other in headers[at + 1 :]))
    others = {term for text in cells[at + 1 :] for term in matcher.terms(text)}
    if matcher.question.expects is Expects.NAME and matcher.share(head) and len(cells[at]) <= _LONGEST_CELL:
        fit = OPEN_FIT * news(matcher.question, cells[at])
        near = matcher.share(head | others)
        yield ShortAnswer(cells[at], cells[at], source, fit, near, called=(source.unit.label, cells[at], ""))


def _singled_out_by_head(shares: Sequence[float]) -> list[int]:
    """Return which cells of a row may answer: the only one, else the one whose head says more of the question."""
    if len(shares) < 2:
        return list(range(len(shares)))
    most = max(shares)
    first = [at for at, share in enumerate(shares) if share == most]
    return first if most > 0 and len(first) == 1 else []


def cell_fit(question: Question, text: str, around: str, told: str) -> tuple[float, Value | None]:
    """Return how well a cell's form answers a question, and the value that it is; any cell may answer a bare phrase.

    `told` is the unit that its head or its row tells.
    """
    values = values_in(text)
    value = values[0] if len(values) == 1 and 2 * len(values[0].text) >= len(text) else None
    if question.expects in VALUE_KINDS:
        unit = (unit_of_measure(text, value) or told or ("%" if "%" in around else "")) if value else ""
        fit = value_fit(question, value, text, unit=unit, around=around) if value else 0.0
        return fit, value
    if question.expects in (Expects.YES_NO, Expects.LIST, Expects.DEFINITION):
        return 0.0, value
    if question.expects in (Expects.PERSON, Expects.PLACE) and not _is_name(text):
        return 0.0, value
    return OPEN_FIT * news(question, text) * (_MARK_FIT if _SMALL.fullmatch(text) else 1.0), value


def _is_name(text: str) -> bool:
    """Return whether a cell may hold names: it begins with a capital and has no digits."""
    return text[:1].isupper() and not any(map(str.isdigit, text))


def scaled(text: str, view: View, unit: Unit, value: Value | None) -> str:
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
    word = _CURRENCY_WORD.search(said, scale.start()) if not currency else None
    return f"{sign}{_CURRENCY_APART.sub(lambda found: found[1], text)} {name}{f' {word[1]}' if word else ''}"


def printed_cell(text: str, view: View, unit: Unit, value: Value | None, *, head: str) -> str:
    """Return a cell as it is told alone: with the scale of its table, or the unit in the head of its column."""
    printed, told = scaled(text, view, unit, value), unit_in_head(head)
    is_bare = value is not None and printed == text and _BARE_NUMBER.fullmatch(text)
    return with_unit_of_head(text, told) if is_bare and told else printed


def _before(view: View, row: int) -> str:
    """Return a table's caption and the text right before it: where the scale of its numbers is told."""
    caption, before = caption_of(view, row), content_before(view, row)
    told = view.blocks.text[caption] if caption >= 0 else ""
    return f"{told} {view.blocks.text[before][-200:]}" if before >= 0 and before != caption else told
