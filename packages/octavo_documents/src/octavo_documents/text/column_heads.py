"""Which columns of a table a head belongs to, told by where it stands and by what it says.

A period or a unit that stands alone over one column of several heads them all; heads over groups of columns head their
groups, whether they stand over the first column of each, the last or the middle. Knows nothing about files and pages.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from octavo_documents.document.grid import Cell, Grid, is_section
from octavo_documents.lazy import lazy_regex

_YEAR = lazy_regex(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_WORDS = lazy_regex(r"[^\W\d_]+")
_NUMBERS = lazy_regex(r"\d+")
_QUARTER = lazy_regex(r"(?:\b[1-4][QTSH]|\b[QTSH][1-4]|\bFY)(?:\s?['’]?\d{2,4})?\b", re.IGNORECASE)
_MONTHS = frozenset(
    """jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august
        september october november december januar jänner februar märz mai juni juli oktober
        dezember janvier février mars avril juin juillet août septembre octobre novembre décembre
        enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
        gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre janeiro fevereiro
        março maio junho julho setembro outubro novembro dezembro januari februari maart mei
        augustus""".split()  # noqa: SIM905
)
_STRETCHES = frozenset(
    """months month weeks week quarter quarters half year years days monate wochen quartal halbjahr jahr
        geschäftsjahr mois trimestre semestre exercice année meses mesi ejercicio esercizio
        exercício maanden kwartaal halfjaar boekjaar period kvartal""".split()  # noqa: SIM905
)
_BESIDE_PERIODS = frozenset(
    """a al as at am and ab am audited au aux bis by chiuso clos close cierre concluídos dal de del den der
        des die du e el en end ended ending endend erstes erste drittes viertes zweites ersten et
        fiscal for first fourth fy from il in la le les nine of on per primer primo restated second
        six sechs neun drei the third three through till to tot twelve und une unaudited until vom y
        zum zwölf terminado terminados terminé six neuf neuf trois seis nueve tres premier calendar
        th st nd rd financial reported comparable""".split()  # noqa: SIM905
)
_SCALE = (
    r"(?:thousands?|millions?|billions?|mio|mrd|tsd|tausend|millionen|milliarden|milliers|milliards|miles|millones|"
    r"migliaia|milioni|miliardi|milhares|milhões|duizend|miljoen|miljard|mln|mn|bn|'?000s?|’000s?)"
)
_MONEY = r"(?:[A-Z]{0,3}[$€£¥₹]|[A-Z]{3}|(?:us\s)?dollars?|euros?|pounds?|francs?|crowns?)"
_UNIT = lazy_regex(
    rf"\(?(?:(?:(?:all|dollar)\s+)?(?:amounts?|figures?|values?|dollars?|expressed|stated)\s+)?"
    rf"(?:(?:in|en|em)\s+(?:\S+\s+){{0,2}}{_SCALE}\b.{{0,40}}|{_MONEY}\s?(?:{_SCALE}|[mk])\b\.?|"
    rf"{_SCALE}\.?\s+(?:(?:of|de|di|d['’])\s?)?\S+(?:\s\S+)?)\)?\.?",
    re.IGNORECASE,
)
_AMOUNT = lazy_regex(
    r"[-+−–(~<>≈±]{0,2}\s?(?:[A-Z]{0,3}[$€£¥₹]|[A-Z]{3}\s)?\s?[-+−–(]{0,2}\s?\d[\d.,'’\u00a0\u202f ]*"
    r"\s?(?:%|‰|[$€£¥]|bn|[mMkKB])?\s?\)?\s?%?[*†‡]?|[-–—]+|n/?[am]\.?",
    re.IGNORECASE,
)
_LONGEST = 60
"""Characters of a head that is a period or a unit."""
MOST_HEADER_ROWS = 6
"""Rows that head a table's columns, at most."""
_END = 6.0
"""Points between the end of a head and that of the columns it ends at."""
_FILLING = 0.3
_MIDDLE = 0.1
_MOSTLY = 0.6
_ALIKE = 0.75
_KNOWN = 4096
"""Texts that are kept in mind: those of one table are asked for again and again."""


@lru_cache(maxsize=_KNOWN)
def is_period(text: str) -> bool:
    """Return whether a head is a time and no more: "2023", "January–June 2022", "Three months ended June 30,"."""
    if len(text) > _LONGEST:
        return False
    rest = _QUARTER.sub(" ", text)
    words = [word.lower() for word in _WORDS.findall(rest)]
    if any(word not in _MONTHS and word not in _STRETCHES and word not in _BESIDE_PERIODS for word in words):
        return False
    rest = _YEAR.sub(" ", rest)
    if any(len(number) > 2 for number in _NUMBERS.findall(rest)) or any(sign in rest for sign in "%$€£"):
        return False
    is_stretch = len(words) > 1 and any(word in _STRETCHES for word in words)
    is_day = any(word in _MONTHS for word in words) and bool(_NUMBERS.search(rest))
    return bool(_YEAR.search(text) or _QUARTER.search(text)) or is_stretch or is_day


def is_unit(text: str) -> bool:
    """Return whether a head says the scale of amounts and nothing else: "€ million", "(in thousands)"."""
    return len(text) <= _LONGEST and bool(_UNIT.fullmatch(text.strip()))


@lru_cache(maxsize=_KNOWN)
def is_amount(text: str) -> bool:
    """Return whether it is a cell of the body: a number that is no year, or the dash that stands for none."""
    text = text.strip()
    return bool(text) and bool(_AMOUNT.fullmatch(text)) and not _YEAR.fullmatch(text)


def guessed_header_rows(grid: Grid) -> int:
    """Return how many rows at the top of a table that names none head its columns: those before the first amounts."""
    rows = grid.filled()
    numbered = [any(is_amount(text) for text in row[1:]) for row in rows]
    if not any(numbered) or sum(numbered) < 2 or sum(numbered) * 2 < len(rows):
        return 0
    first = numbered.index(True)
    while first and is_section(rows[first - 1]):
        first -= 1
    if not 0 < first <= MOST_HEADER_ROWS:
        return 0
    if first > 1 and is_headed_by_first(rows):
        first = 1
    over = {column for row in rows[:first] for column, text in enumerate(row) if column and text}
    values = {column for row in rows[first:] for column, text in enumerate(row) if column and is_amount(text)}
    return first if 2 * len(over & values) > len(values) else 0


def is_headed_by_first(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first of two rows names every column, and the second has data: no units, periods, one word."""
    first, second = rows[0], rows[1]
    beside = [text for text in second[1:] if text]
    are_units = all(text.startswith("(") or is_unit(text) for text in beside)
    are_periods = not second[0] and all(map(is_period, beside))
    are_alike = len({*beside}) < min(len(beside), 2) and not second[0][:1].isdigit()
    return all(first) and len({*first}) == len(first) and not (are_units or are_periods or are_alike)


def headed(grid: Grid, *, is_printed: bool = False) -> Grid:
    """Return a table whose heads over several columns span them.

    `is_printed`: it comes from a page, where one head of several lines takes several rows, so that words above others
    say nothing about the columns beside them.
    """
    values = _value_columns(grid)
    if len(values) < 2 or not grid.header_rows:
        return grid
    cells = {(cell.row, cell.column): cell for cell in grid.cells}
    for row in range(min(grid.header_rows, grid.height)):
        for cell, first, last in _spread(grid, row, values, is_printed=is_printed):
            if _is_free(grid, cell, first, last):
                del cells[cell.row, cell.column]
                cells[row, first] = dataclasses.replace(cell, column=first, columns=last - first + 1)
    return dataclasses.replace(grid, cells=tuple(cells[place] for place in sorted(cells)))


def _value_columns(grid: Grid) -> list[int]:
    """Return the columns from the first of amounts on, those without any cell left out."""
    held: dict[int, list[str]] = {}
    for cell in grid.cells:
        if cell.row >= grid.header_rows and cell.columns == 1:
            held.setdefault(cell.column, []).append(cell.text)
    first = max(grid.header_columns, 1)
    amounts = [
        column
        for column, texts in held.items()
        if column >= first and sum(map(is_amount, texts)) >= _MOSTLY * len(texts)
    ]
    return [column for column in sorted(held) if column >= min(amounts)] if amounts else []


def _spread(grid: Grid, row: int, values: Sequence[int], *, is_printed: bool) -> Iterator[tuple[Cell, int, int]]:
    """Yield the heads of a row that belong to more columns than they stand over, each with its first and last one."""
    heads = [cell for cell in grid.cells if cell.row == row and cell.column + cell.columns > values[0]]
    covered = {column for cell in heads for column in range(cell.column, cell.column + cell.columns)}
    if not heads or covered.issuperset(values):
        return
    if len(heads) == 1:
        if _is_alone(grid, heads[0], values):
            yield heads[0], values[0], values[-1]
        return
    for cell, (first, last) in zip(heads, _groups(grid, heads, values, is_printed=is_printed), strict=False):
        yield cell, first, last


def _is_alone(grid: Grid, head: Cell, values: Sequence[int]) -> bool:
    """Return whether a period or unit is over all columns: none has a head of that kind, and it ends no other head."""
    is_head = is_period(head.text) or is_unit(head.text)
    if not is_head or (head.columns > 1 and not _is_wide(grid, head, values)):
        return False
    own = set(range(head.column, head.column + head.columns))
    others = [cell for cell in grid.cells if cell.row < grid.header_rows and cell.row != head.row]
    beside = [cell for cell in others if cell.column >= values[0] and own.isdisjoint(_across(cell))]
    if _YEAR.fullmatch(head.text) and not beside:
        return False  # one of years that stand elsewhere
    is_rival = is_unit if is_unit(head.text) else _has_year if _has_year(head.text) else _is_stretch
    above = [cell for cell in others if cell.row == head.row - 1 and cell.column >= values[0]]
    ends_another = len(above) == 1 and set(_across(above[0])) <= own and not is_period(above[0].text)
    under = [cell.text for cell in others if cell.row == head.row + 1 and not own.isdisjoint(_across(cell))]
    goes_on = any(text[:1].islower() for text in under) and not all(
        cell.text[:1].islower() for cell in beside if cell.row == head.row + 1
    )
    return not (any(is_rival(cell.text) for cell in beside) or ends_another or goes_on)


def _is_wide(grid: Grid, head: Cell, values: Sequence[int]) -> bool:
    """Return whether a head covers columns by its own width alone: one at either end, or in the middle of all."""
    held = [cell.box for cell in grid.cells if cell.row >= grid.header_rows and cell.column >= values[0] and cell.box]
    if head.box is None or not held:
        return False
    left, right = min(box[0] for box in held), max(box[2] for box in held)
    own = [
        cell.box for cell in grid.cells if cell.row >= grid.header_rows and cell.column in _across(head) and cell.box
    ]
    width = max((box[2] for box in own), default=right) - min((box[0] for box in own), default=left)
    is_at_end = abs(head.box[2] - right) < _END or abs(head.box[0] - left) < _END
    is_filling = head.box[2] - head.box[0] > _FILLING * width
    is_in_middle = abs((head.box[0] + head.box[2]) - (left + right)) < _MIDDLE * (right - left)
    return (is_at_end and is_filling) or is_in_middle


def _across(cell: Cell) -> range:
    return range(cell.column, cell.column + cell.columns)


def _has_year(text: str) -> bool:
    return bool(_YEAR.search(text))


def _is_stretch(text: str) -> bool:
    return is_period(text) and not _has_year(text)


Groups = Sequence[tuple[int, int]]


def _groups(grid: Grid, heads: Sequence[Cell], values: Sequence[int], *, is_printed: bool) -> Groups:
    """Return the first and last column of the group of each of several heads; nothing where no such groups are seen."""
    are_times = all(is_period(cell.text) or is_unit(cell.text) for cell in heads)
    for groups in (_repeated(grid, heads, values), _runs(values), _equal(heads, values, are_times=are_times)):
        fits = len(groups) == len(heads) and all(
            first <= cell.column and cell.column + cell.columns - 1 <= last
            for cell, (first, last) in zip(heads, groups, strict=True)
        )
        if fits and (are_times or not is_printed):
            return groups
    return _from_the_first(heads, values) if are_times or not is_printed else ()


def _repeated(grid: Grid, heads: Sequence[Cell], values: Sequence[int]) -> Groups:
    """Return the groups in which a lower row of heads repeats itself."""
    size = len(values) // len(heads)
    if size < 2 or size * len(heads) != len(values):
        return ()
    for texts in grid.rows()[heads[0].row + 1 : grid.header_rows]:
        said = [texts[column] for column in values]
        if all(said) and all(text == said[at % size] for at, text in enumerate(said)):
            return _sized(values, size)
    return ()


def _sized(values: Sequence[int], size: int) -> Groups:
    return [(values[at], values[at + size - 1]) for at in range(0, len(values), size)]


def _runs(values: Sequence[int]) -> Groups:
    """Return the runs of columns between those without any cell."""
    runs: list[tuple[int, int]] = []
    for column in values:
        if runs and runs[-1][1] == column - 1:
            runs[-1] = (runs[-1][0], column)
        else:
            runs.append((column, column))
    return runs


def _equal(heads: Sequence[Cell], values: Sequence[int], *, are_times: bool) -> Groups:
    """Return groups of one size, where each head stands at the same place of its own; words at the first alone."""
    size = len(values) // len(heads)
    if size < 2 or size * len(heads) != len(values):
        return ()
    places = [values.index(cell.column) - at * size for at, cell in enumerate(heads) if cell.column in values]
    is_same = len(places) == len(heads) and len({*places}) == 1 and 0 <= places[0] < size
    return _sized(values, size) if is_same and (are_times or places[0] == 0) else ()


def _from_the_first(heads: Sequence[Cell], values: Sequence[int]) -> Groups:
    """Return groups that each begin under their head: of one size, the last of that or less."""
    places = [values.index(cell.column) for cell in heads if cell.column in values]
    if len(places) != len(heads) or places[0] != 0:
        return ()
    stops = [*places[1:], len(values)]
    sizes = [stop - start for start, stop in zip(places, stops, strict=True)]
    if sizes[0] < 2 or len({*sizes[:-1]}) > 1 or sizes[-1] > sizes[0]:
        return ()
    return [(values[start], values[stop - 1]) for start, stop in zip(places, stops, strict=True)]


def _is_free(grid: Grid, head: Cell, first: int, last: int) -> bool:
    """Return whether no other cell lies where a head would reach, and that it loses no column."""
    if first > head.column or last < head.column + head.columns - 1:
        return False
    rows = range(head.row, head.row + head.rows)
    return not any(
        cell is not head
        and cell.column <= last
        and first < cell.column + cell.columns
        and any(cell.row <= row < cell.row + cell.rows for row in rows)
        for cell in grid.cells
    )


def parts(grid: Grid) -> list[Grid]:
    """Return a table in parts, each from a row on that heads its columns anew; one that does so nowhere as it is."""
    starts = list(_starts(grid))
    if not starts:
        return [grid]
    found = [rows_of(grid, 0, starts[0][0], grid.header_rows)]
    stops = [*(start for start, _ in starts[1:]), grid.height]
    found.extend(rows_of(grid, start, stop, heads) for (start, heads), stop in zip(starts, stops, strict=True))
    return found


def rows_of(grid: Grid, start: int, stop: int, header_rows: int) -> Grid:
    """Return the rows [start, stop) of a table as one of its own with so many rows of heads."""
    cells = tuple(
        dataclasses.replace(cell, row=cell.row - start, rows=min(cell.rows, stop - cell.row))
        for cell in grid.cells
        if start <= cell.row < stop
    )
    origin = (grid.origin[0] + start, grid.origin[1]) if grid.origin else None
    repeated, carried = (grid.repeated, grid.carried) if not start else (0, ())
    return dataclasses.replace(
        grid, height=stop - start, cells=cells, header_rows=header_rows, repeated=repeated, carried=carried,
        origin=origin,
    )  # fmt: skip


def _starts(grid: Grid) -> Iterator[tuple[int, int]]:
    """Yield the first row of each later part, and how many rows head it."""
    values = _value_columns(grid) if grid.header_rows else []
    if len(values) < 2:
        return
    rows = grid.rows()
    heads = _last_heads(rows[: grid.header_rows], values)
    begun = grid.header_rows
    for at in range(grid.header_rows + 1, grid.height - 1):
        is_head = _says_again(rows[at], heads, values) or _is_of_years(rows[at], values)
        if not is_head or not any(is_amount(text) for row in rows[begun:at] for text in row[1:]):
            continue
        if at + 1 < grid.height and _says_again(rows[at + 1], heads, values):
            continue
        first = at
        while first > begun + 1 and _heads_too(rows[first - 1], rows[: grid.header_rows], values):
            first -= 1
        yield first, at - first + 1
        begun = at + 1


def _last_heads(rows: Sequence[Sequence[str]], values: Sequence[int]) -> Mapping[int, str]:
    """Return the lowest row of heads over two columns or more."""
    for texts in reversed(rows):
        said = {column: texts[column] for column in values if texts[column]}
        if len(said) > 1:
            return said
    return {}


def _says_again(texts: Sequence[str], heads: Mapping[int, str], values: Sequence[int]) -> bool:
    said = {column: texts[column] for column in values if texts[column]}
    same = sum(heads.get(column) == text for column, text in said.items())
    return same > 1 and same >= _ALIKE * max(len(said), len(heads)) and not any(map(is_amount, said.values()))


def _is_of_years(texts: Sequence[str], values: Sequence[int]) -> bool:
    """Return whether a row has other periods over all columns, and no label but a unit."""
    said = [texts[column] for column in values]
    label = next((text for text in texts[: values[0]] if text), "")
    return (
        all(said)
        and all(_has_year(text) and is_period(text) for text in said)
        and len({*said}) > 1
        and (not label or is_unit(label) or is_period(label))
    )


def _without_digits(texts: Sequence[str]) -> list[str]:
    return [_NUMBERS.sub("", text) for text in texts if text]


def _heads_too(texts: Sequence[str], heads: Sequence[Sequence[str]], values: Sequence[int]) -> bool:
    """Return whether the row before heads is one too: a label alone, a period, or heads but for digits."""
    if not any(texts) or any(is_amount(text) for text in texts[1:]):
        return False
    said = [texts[column] for column in values if texts[column]]
    is_again = _without_digits(texts) in map(_without_digits, heads)
    return is_section(texts) or is_again or (bool(said) and all(is_period(text) or is_unit(text) for text in said))
