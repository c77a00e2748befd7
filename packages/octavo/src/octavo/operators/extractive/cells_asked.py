"""What a question asks of cells that it names: the value of one, those of several years, or the year of the most.

Stated is what has all that the question says in its row, its column and over its table, and no other cell as much.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.evidence import View
from octavo.evidence.meant_documents import MeantDocuments
from octavo.operators.extractive.fits import ShortAnswer
from octavo.operators.extractive.meant_answers import is_of_meant
from octavo.operators.extractive.named_cells import (
    LEAST_MARGIN,
    CellNamer,
    MeantCell,
    by_year,
    cells_of_thing,
    margin,
    tables_of,
)
from octavo.operators.extractive.sure_answers import Surest
from octavo.operators.extractive.table_answers import but_cells_compared, source_of, value_of
from octavo.operators.extractive.table_axes import amounts
from octavo.operators.extractive.table_cells import cell_fit, printed_cell, scaled
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.extractive.worked_out import is_worked_out
from octavo.question import VALUE_KINDS, Expects, PeriodChoice, Question
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.measures import unit_in_head

SURE = 0.9
"""The chance that such an answer is right, chosen by hand: of 117 over notes of annual reports that the rules
were not made on 110 were, by the authors' answers."""
_MOST_ROW_UNSAID = 0.4
_MOST_COLUMN_UNSAID = 0.34
_MOST_ELSEWHERE = 0.1
_MOST_MISSING, _MOST_UNKNOWN = 0.25, 0.1
"""From where on a cell is taken for the one that is named; chosen by hand on one half of TAT-QA's notes."""
_MOST_MISSING_OPEN = 0.2
"""The same, where nothing says that a value is asked for."""
_LEAST_FIT = 0.6
"""How well a cell fits that is asked for in per cent: a bare number may be a share of something else."""
_NO_VALUES = (Expects.YES_NO, Expects.LIST, Expects.DEFINITION, Expects.PERSON, Expects.PLACE)
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}


def named_answer(question: Question, view: View, units: Sequence[ScoredUnit], meant: MeantDocuments) -> Surest | None:
    """Return what the cells that a question names say, with its chance; None where no cell is sure."""
    if question.has_second_question:
        return None
    blocks = tables_of(view, units)
    choice = question.period_choice
    found = _chosen_period(choice, question, view, units, blocks) if choice else _value(question, view, units, blocks)
    if found is None or not but_cells_compared(question.text, view, [found]):
        return None
    return Surest(found, SURE) if is_of_meant(found, view, meant) else None


def _is_sure(one: MeantCell) -> bool:
    is_called = one.row_unsaid <= _MOST_ROW_UNSAID and one.column_unsaid <= _MOST_COLUMN_UNSAID
    is_told = one.missing <= _MOST_MISSING or (one.unknown <= _MOST_UNKNOWN and not one.row_unsaid)
    return one.is_of_years and is_called and is_told and one.elsewhere <= _MOST_ELSEWHERE


# The value of a cell


def _value(question: Question, view: View, units: Sequence[ScoredUnit], blocks: Sequence[int]) -> ShortAnswer | None:
    """Return the value of the cell that a question names, or of one for each of the years it names in turn."""
    if question.expects in _NO_VALUES or (question.expects is Expects.NAME and question.asks_which):
        return None
    if question.expects is Expects.PASSAGE and question.is_told_in_sentences:
        return None
    namer = CellNamer(question.text, view, question.without_turns)
    found = namer.among(blocks)
    if not found or not _is_sure(found[0]):
        return None  # where a cell of no year is named best, none of the year is sure
    best = found[0].cell
    called = analyze(" ".join((best.label, best.head, *best.over)))
    if is_worked_out(question.asked, analyze(f"{best.label} {best.head}")):
        return None
    if question.subject and {*question.subject}.isdisjoint(called):  # the version of a list is no number of gauges
        return None
    if len(namer.years) > 1 and best.years != namer.years:
        return _in_turn(question, namer, found, view, units) if question.without_turns != question.text else None
    return _told(question, found[0], view, units) if margin(found) >= LEAST_MARGIN else None


def _told(question: Question, one: MeantCell, view: View, units: Sequence[ScoredUnit]) -> ShortAnswer | None:
    """Return a cell as a short answer, with the unit and scale that its table tells; None for what does not fit."""
    cell, value = one.cell, value_of(one.cell.text)
    source = source_of(view, units, one.block, cell.row)
    if source is None or value is None:
        return None
    unit = unit_in_head(cell.head) or unit_in_head(cell.label)
    fit = cell_fit(question, cell.text, f"{cell.head} {cell.label}", unit)[0]
    if fit <= 0 or (question.expects is Expects.PERCENT and fit < _LEAST_FIT):
        return None
    if question.expects not in VALUE_KINDS and one.missing > _MOST_MISSING_OPEN:
        return None
    head = cell.head if unit_in_head(cell.head) else cell.label
    printed = printed_cell(cell.text, view, source.unit, value, head=head)
    return ShortAnswer(printed, cell.text, source, fit, one.said, value, called=(*cell.over, cell.label, cell.head))


def _in_turn(
    question: Question, namer: CellNamer, found: Sequence[MeantCell], view: View, units: Sequence[ScoredUnit]
) -> ShortAnswer | None:
    """Return the values of the years that a question names, in its order; None unless each has one."""
    cells = by_year(cells_of_thing(namer, found, LEAST_MARGIN))
    if cells.keys() != namer.years:
        return None
    order = sorted(cells, key=question.text.find)
    told = list(filter(None, (_told(question, cells[year], view, units) for year in order)))
    if len(told) < len(order) or len({one.source.unit.key for one in told}) > 1:
        return None
    text = "; ".join(f"{one.text} ({year})" for one, year in zip(told, order, strict=True))
    first = told[0]
    return ShortAnswer(text, first.quote, first.source, first.fit, first.near, called=first.called)


# The period of the most


def _chosen_period(
    choice: PeriodChoice, question: Question, view: View, units: Sequence[ScoredUnit], blocks: Sequence[int]
) -> ShortAnswer | None:
    """Return the year, or years, of which what is compared holds; None where not all years can be compared."""
    namer = CellNamer(question.text, view, choice.of)
    found = namer.among(blocks)
    if not found or not _is_sure(found[0]):
        return None
    cells = by_year(cells_of_thing(namer, found, LEAST_MARGIN))
    told = amounts([one.cell for one in cells.values()])
    is_whole = 1 < len(cells) == len(told) and all(number >= 0 for _, number in told)
    if not is_whole or (choice.of_two and len(cells) != 2) or (namer.years and cells.keys() != namer.years):
        return None
    years = list(cells)
    chosen = _compared(choice, [number for _, number in told], _scale(cells[years[0]], view, units))
    if not chosen:
        return None
    first = cells[years[chosen[0]]]
    source = source_of(view, units, first.block, first.cell.row)
    text = "; ".join(sorted(years[at] for at in chosen))
    return ShortAnswer(text, first.cell.text, source, 1.0, first.said) if source is not None else None


def _scale(one: MeantCell, view: View, units: Sequence[ScoredUnit]) -> float:
    """Return what the numbers of a cell's table are in: 1,000,000 of millions; 1 where it does not say."""
    source, value = source_of(view, units, one.block, one.cell.row), value_of(one.cell.text)
    printed = scaled(one.cell.text, view, source.unit, value) if source is not None else ""
    return next((scale for word, scale in _SCALES.items() if word in printed), 1.0)


def _compared(choice: PeriodChoice, numbers: Sequence[float], scale: float) -> list[int]:
    """Return the places of the numbers that a question asks for; none where two tie, or scales leave it open."""
    if choice.than is None:
        best = max(numbers) if choice.is_most else min(numbers)
        first = [at for at, number in enumerate(numbers) if number == best]
        return first if len(first) == 1 else []
    limits = {choice.than * choice.scale / scale}
    if scale == 1.0 or choice.scale == 1.0:  # either may leave its scale unsaid
        limits |= {choice.than}
    held = {
        tuple(at for at, number in enumerate(numbers) if (number > limit if choice.is_most else number < limit))
        for limit in limits
    }
    some = [one for one in held if 0 < len(one) < len(numbers)]  # what is true of all or of none is not asked
    return list(some[0]) if len(some) == 1 else []
