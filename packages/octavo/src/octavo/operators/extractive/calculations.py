"""Changes and averages of a row of a table over two years, worked out by rule where row and columns are sure.

A row is sure where it is called just as the question says, but for what stands over the table, and no other row is; a
column where its head names the year and no other, and no other column's does. Both values stand in the line quoted.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from octavo.evidence import View
from octavo.evidence.meant_documents import MeantDocuments
from octavo.operators.extractive.fits import ShortAnswer
from octavo.operators.extractive.meant_answers import is_of_meant
from octavo.operators.extractive.named_cells import LEAST_MARGIN, CellNamer, by_year, cells_of_thing, tables_of
from octavo.operators.extractive.passages import expand_passage
from octavo.operators.extractive.sure_answers import Surest
from octavo.operators.extractive.table_answers import source_of
from octavo.operators.extractive.table_cells import scaled
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.extractive.units import Unit, caption_of
from octavo.question import Arithmetic, Calculation, calculation_of
from octavo_documents.document.grid import Grid
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.marks import readable
from octavo_documents.text.values import Value, ValueKind, values_in
from octavo_documents.text.years import years_in

_IN_BRACKETS = re.compile(r"\([^)]*\)")
_NUMBERS = (ValueKind.NUMBER, ValueKind.MONEY, ValueKind.PERCENT, ValueKind.YEAR)


SURE = 0.9
"""The chance that what is worked out is right, chosen by hand: of 144 answers over notes of annual reports that the
rules were not made on 141 were."""


def calculated(question: str, view: View, units: Sequence[ScoredUnit], meant: MeantDocuments) -> Surest | None:
    """Return what is worked out of two years' values with its chance, where a question asks for such; else None."""
    calculation = calculation_of(question)
    if calculation is None:
        return None
    found = worked_out(calculation, view, units) or _of_cells(question, calculation, view, units)
    return Surest(found, SURE) if found is not None and is_of_meant(found, view, meant) else None


def worked_out(calculation: Calculation, view: View, units: Sequence[ScoredUnit]) -> ShortAnswer | None:
    """Return what a calculation gives, where one row alone is meant; None where none is, or rows disagree."""
    found: dict[tuple[float, float], ShortAnswer] = {}
    seen: set[int] = set()
    for one in units:
        if one.unit.is_table_row and one.unit.row not in seen:
            seen.add(one.unit.row)
            for pair, worked in _in_table(calculation, view, one):
                found.setdefault(pair, worked)
    return next(iter(found.values())) if len(found) == 1 else None


_MOST_UNSAID = 0.15
"""Of a row's label, the share that a question may leave unsaid where two of its cells are worked with."""


def _of_cells(question: str, calculation: Calculation, view: View, units: Sequence[ScoredUnit]) -> ShortAnswer | None:
    """Return what a calculation gives over the cells of both years that its words name, in one row and its heads."""
    namer = CellNamer(question, view, calculation.of, frozenset((calculation.earlier, calculation.later)))
    found = namer.among(tables_of(view, units))
    if not found or max(found[0].row_unsaid, found[0].column_unsaid) > _MOST_UNSAID:
        return None
    if found[0].elsewhere or found[0].unknown or not found[0].is_of_years:
        return None
    cells = by_year(cells_of_thing(namer, found, LEAST_MARGIN))
    first, second = cells.get(calculation.earlier), cells.get(calculation.later)
    if first is None or second is None or len(cells) > 2 or first.cell.row != second.cell.row:
        return None
    source = source_of(view, units, first.block, first.cell.row)
    if source is None:
        return None
    pair = [_operand(view, source.unit, one.cell.text) for one in (first, second)]
    if pair[0] is None or pair[1] is None or pair[0].scale != pair[1].scale:
        return None
    told = _told(calculation.operation, pair[0], pair[1])
    return ShortAnswer(told.text, source.unit.shown, source, 1.0, 1.0, told) if told is not None else None


def _in_table(
    calculation: Calculation, view: View, source: ScoredUnit
) -> Iterator[tuple[tuple[float, float], ShortAnswer]]:
    """Yield the two values, and what is worked out of them, of each row of a table that the question means."""
    table = source.unit.row
    grid = Grid.from_json(view.blocks.grid[table])
    headers = grid.headers()
    columns = [_only_column(headers, year) for year in (calculation.earlier, calculation.later)]
    if None in columns:
        return
    earlier, later = (at for at in columns if at is not None)
    caption = caption_of(view, table)
    document = view.documents[int(view.document[table])]
    over = [*view.blocks.section_path(table), document.name, document.title, *(headers[at] for at in (earlier, later))]
    over += [view.blocks.text[caption]] if caption >= 0 else []
    around = set(analyze("\n".join(over)))
    asked = set(calculation.quantity)
    rows = grid.rows()
    for at, unit in enumerate(source.stream.units):
        if unit.row != table or not unit.is_table_row:
            continue
        cells = [on_one_line(readable(cell)) for cell in rows[unit.start]]
        label = next(filter(None, cells), "")
        called = set(analyze(_IN_BRACKETS.sub(" ", label))) or set(analyze(label))
        is_meant = called <= asked and asked <= called | set(analyze(f"{label} {unit.label}")) | around
        if not called or not is_meant:
            continue
        first, second = _operand(view, unit, cells[earlier]), _operand(view, unit, cells[later])
        if first is not None and second is not None and first.scale == second.scale:
            told = _told(calculation.operation, first, second)
            if told is not None:
                own = dataclasses.replace(source, at=at, span=expand_passage(view, source.stream, at))
                yield (first.number, second.number), ShortAnswer(told.text, unit.shown, own, 1.0, 1.0, told)


def _only_column(headers: Sequence[str], year: str) -> int | None:
    """Return the column whose head names a year and no other; None where none does, or several do."""
    found = [at for at, head in enumerate(headers) if years_in(head) == frozenset((year,))]
    return found[0] if len(found) == 1 else None


@dataclasses.dataclass(frozen=True)
class _Operand:
    """A cell that is a number: as it is printed, its number, and the scale that the table tells of it: " million"."""

    printed: str
    number: float
    scale: str

    @property
    def places(self) -> int:
        """How many digits it has behind its point."""
        found = re.search(r"\d\.(\d+)", self.printed)
        return len(found[1]) if found else 0


def _operand(view: View, unit: Unit, cell: str) -> _Operand | None:
    """Return the number that a cell is; None where it is no single one."""
    values = [value for value in values_in(cell) if value.kind in _NUMBERS]
    if len(values) != 1 or values[0].number is None or 2 * len(values[0].text) < len(cell):
        return None
    tail = re.split(r"[\d)]", scaled(cell, view, unit, values[0]))[-1]
    return _Operand(cell, float(values[0].number), tail)


_OPERATIONS: Mapping[Arithmetic, tuple[Callable[[float, float], float], str]] = {
    Arithmetic.CHANGE: (lambda first, second: second - first, "{second} − {first}"),
    Arithmetic.PERCENT: (lambda first, second: 100 * (second - first) / first, "({second} − {first}) / {first}"),
    Arithmetic.AVERAGE: (lambda first, second: (first + second) / 2, "({first} + {second}) / 2"),
}


def _told(operation: Arithmetic, first: _Operand, second: _Operand) -> Value | None:
    """Return the result, told with its formula; None for a share of nothing or of less."""
    if operation is Arithmetic.PERCENT and first.number <= 0:
        return None
    work, formula = _OPERATIONS[operation]
    places = max(2, first.places, second.places)
    number = round(work(first.number, second.number), places)
    shown = f"{number:,.{places}f}".rstrip("0").rstrip(".")
    scale = "%" if operation is Arithmetic.PERCENT else first.scale
    text = f"{shown}{scale} = {formula.format(first=first.printed, second=second.printed)}"
    return Value(ValueKind.NUMBER, text, 0, len(text), number)
