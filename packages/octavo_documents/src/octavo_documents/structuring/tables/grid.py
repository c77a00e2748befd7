"""The lines of a table to its grid: cells with spans and boxes, header rows and columns told."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from octavo_documents.document.grid import Cell, Grid, is_section
from octavo_documents.parsing.content import Box, Graphic
from octavo_documents.structuring.lines import PageLines
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.structuring.tables.bullets import with_bullets
from octavo_documents.structuring.tables.columns import Columns, Piece, column_edges, parts_of
from octavo_documents.structuring.tables.rows import Row, is_data, is_number, table_rows
from octavo_documents.structuring.tables.ruled import Rules, rules_of
from octavo_documents.structuring.tables.spans import Extent, centred_labels
from octavo_documents.text import sign_columns
from octavo_documents.text.line_joining import Words, joined


class _Span:
    """How cells span and headers end, chosen by hand."""

    # A tenth lower or higher moves F1 on ICDAR 2013 by .013 at most (`benchmarks/ablation.py --constants 0.1`).
    PARTIAL = 0.2  # share of a table's width of a rule that parts rows
    MOST_HEADER_ROWS = 6  # rows of a header
    UNDERLINED = 3  # rows from the top in which a rule under a header tells what it spans
    FILLED = 0.5  # share of columns with a header in a table without numbers
    CENTRED = 0.3  # share of a column's width by which a header may stand off the middle of those it spans
    FEWEST_LABELS = 4  # rows without rules between their first cells from which these may be labels
    MOSTLY_LABELS = 0.7  # share of such rows with a first cell, and of these that begin as labels do
    BESIDE = 0.4  # share of its height by which a raised mark overlaps the line it belongs to


_BROKEN = re.compile(r"[^\W\d_][-\u2010\u2011]$")

At = tuple[int, int]


@dataclass(slots=True)
class _Held:
    pieces: list[Piece]
    rows: int = 1
    last: int = 0
    """The last column it covers."""


def grid_of(page: PageLines, lines: Sequence[int], graphics: Sequence[Graphic], box: Box, words: Words) -> Grid:
    """Return the grid of a table made of `lines`, in the box in points; `graphics` are the page's.

    `words` are the document's, to close up those that are broken over the lines of a cell.
    """
    page, lines = with_bullets(page, lines)
    rules = rules_of(graphics, box)
    printed = row_groups(page.places, lines)
    parts = parts_of(page, printed)
    cells_in_rows = [[part for line in row for part in parts[line]] for row in printed]
    columns = Columns(page, parts, column_edges(cells_in_rows, rules.walls()))
    places = {line: columns.place(line) for line in lines}
    rows = table_rows(page, places, rules.partial_heights(_Span.PARTIAL))
    cells = _cells(page, columns, rules, rows)
    _span_by_rules(page, columns, rules, rows, cells)
    texts = _texts(page, cells, words)
    header_rows = _header_rows(page, rows, texts, len(columns))
    if not rules.walls() and _span_by_middle(page, cells, range(header_rows, len(rows)), len(columns)):
        texts = _texts(page, cells, words)
        header_rows = _header_rows(page, rows, texts, len(columns))
    if header_rows > 1:
        _span_by_centre(columns, rules.box, cells, header_rows)
        texts = _texts(page, cells, words)
    made = tuple(
        Cell(at[0], at[1], texts[at], held.rows, held.last - at[1] + 1, _box(page, held))
        for at, held in sorted(cells.items())
    )
    grid = Grid(len(rows), len(columns), made, header_rows, _header_columns(texts, header_rows, len(rows)))
    return sign_columns.joined(_trimmed(grid), between=" ")


def _cells(page: PageLines, columns: Columns, rules: Rules, rows: Sequence[Row]) -> dict[At, _Held]:
    cells: dict[At, _Held] = {}
    for at, row in enumerate(rows):
        for band in row.bands:
            below = rows[at + 1].bands[0] if at + 1 < len(rows) else None
            is_spanning = below is not None and at < 2 and not band.numbers and len(below.lines) > len(band.lines)
            may_part = not is_spanning and (len(band.lines) > 1 or len(columns) == 2)
            for line in band.lines:
                for piece in columns.placed(line, rules, may_part=may_part):
                    held = cells.setdefault((at, piece.first), _Held([], last=piece.first))
                    held.pieces.append(piece)
                    held.last = max(held.last, piece.last)
        _clip_spans(cells, at, len(columns))
    return cells


def _clip_spans(cells: dict[At, _Held], row: int, width: int) -> None:
    """End each cell of a row before the next one."""
    stop = width
    for column in range(width - 1, -1, -1):
        held = cells.get((row, column))
        if held:
            held.last = min(held.last, stop - 1)
            stop = column


def _span_by_rules(
    page: PageLines, columns: Columns, rules: Rules, rows: Sequence[Row], cells: dict[At, _Held]
) -> None:
    """Widen cells over walls that are missing beside them, and over the columns their own rule underlines."""
    walls = set(rules.walls())
    held_in: dict[int, list[int]] = {}
    for at, column in sorted(cells):
        held_in.setdefault(at, []).append(column)
    for at, row in enumerate(rows if walls else rows[: _Span.UNDERLINED]):
        middle = (row.bands[0].top + row.bands[-1].bottom) / 2
        for column in held_in.get(at, ()):
            held = cells[at, column]
            last = held.last
            while last < len(columns.edges) and columns.edges[last] in walls and (at, last + 1) not in cells:
                if rules.is_walled(columns.edges[last], middle):
                    break
                last += 1
            held.last = last
            if at < _Span.UNDERLINED and (under := _underlined(page, columns, rules, held)) is not None:
                held.last = max(last, under[1])
                if under[0] < column and not any((at, one) in cells for one in range(under[0], column)):
                    cells[at, under[0]] = cells.pop((at, column))
        for column in sorted((one for row, one in cells if row == at), reverse=True):
            _shift_to_span(columns, rules, cells, (at, column), middle, walls)
        _clip_spans(cells, at, len(columns))
    if walls:
        _join_down(page, columns, rules, rows, cells)


def _underlined(page: PageLines, columns: Columns, rules: Rules, held: _Held) -> tuple[int, int] | None:
    """Return the first and last column that the rule under a header cell covers, None without such a rule."""
    line = held.pieces[-1].line
    run = rules.under(page.places[line].tolist(), 0.7 * page.looks[line].size)
    if run is None or run[1] - run[0] > 0.9 * (rules.box[2] - rules.box[0]) or run[0] < rules.box[0] + 4:
        return None
    return columns.covered(*run)


def _shift_to_span(
    columns: Columns, rules: Rules, cells: dict[At, _Held], place: At, middle: float, walls: set[float]
) -> None:
    """Move a cell to the first of the columns it spans, where no wall stands before it."""
    row, first = place
    while first > 0 and columns.edges[first - 1] in walls and (row, first - 1) not in cells:
        if rules.is_walled(columns.edges[first - 1], middle):
            break
        first -= 1
    if first != place[1]:
        cells[row, first] = cells.pop(place)


def _join_down(page: PageLines, columns: Columns, rules: Rules, rows: Sequence[Row], cells: dict[At, _Held]) -> None:
    """Join cells over the rules between rows that stop short of them: cells over several rows."""
    middles = _middles(rules, columns)
    for column, x in enumerate(middles):
        spans = [[0, 0]]
        for at in range(1, len(rows)):
            rule = rows[at].rule
            if rule is None or rules.is_parted(rule, x):
                spans.append([at, at])
            elif _parts_others(rules, rule, columns, column):
                spans[-1].append(at)
        for top, _, *joined_rows in spans:
            if joined_rows and not _are_labels(page, cells, range(top, joined_rows[-1] + 1), column):
                for at in joined_rows:
                    _join(cells, top, at, column)


def _are_labels(page: PageLines, cells: dict[At, _Held], rows: range, column: int) -> bool:
    """Return whether the cells of several rows between which no rule is drawn are labels of a row each."""
    held = [cells[at, column] for at in rows if (at, column) in cells]
    if len(rows) < _Span.FEWEST_LABELS or len(held) < _Span.MOSTLY_LABELS * len(rows):
        return False
    begins = [page.texts[one.pieces[0].line][:1] for one in held if one.pieces]
    return sum(not text.islower() for text in begins) > _Span.MOSTLY_LABELS * len(begins)


def _parts_others(rules: Rules, rule: float, columns: Columns, column: int) -> bool:
    """Return whether a rule between rows passes the labels, here the last column; or most columns, up to a wall."""
    middles = _middles(rules, columns)
    if rules.is_parted(rule, middles[-1 if column == 0 else 0]):
        return True
    is_walled = all(rules.is_walled(edge, rule) for edge in columns.edges[max(column - 1, 0) : column + 1])
    return is_walled and 2 * sum(rules.is_parted(rule, x) for x in middles) > len(middles)


def _span_by_middle(page: PageLines, cells: dict[At, _Held], rows: range, width: int) -> bool:
    """Widen labels down to the rows that they stand in the middle of; tell whether there are any."""
    of_row: dict[int, list[tuple[int, _Held]]] = {}
    for (at, column), held in cells.items():
        if held.pieces:
            of_row.setdefault(at, []).append((column, held))

    def extent(lines: Sequence[int]) -> Extent:
        places: list[list[float]] = page.places[lines, 1:4:2].tolist()
        return min([top for top, _ in places]), max([bottom for _, bottom in places])

    def labels(column: int) -> dict[int, Extent]:
        found = [(at, held) for at in rows for other, held in of_row.get(at, ()) if other == column]
        return {at: extent([piece.line for piece in held.pieces]) for at, held in found if len(found) < len(rows)}

    def others(row: int, column: int) -> Extent | None:
        lines = [piece.line for other, held in of_row.get(row, ()) if other > column for piece in held.pieces]
        return extent(lines) if lines else None

    is_any = False
    for column, row, top, last in centred_labels(labels, others, rows, width):
        is_any = True
        held = cells.pop((row, column))
        held.rows = last - top + 1
        cells[top, column] = held
    return is_any


def _middles(rules: Rules, columns: Columns) -> list[float]:
    bounds = [rules.box[0], *columns.edges, rules.box[2]]
    return [(left + right) / 2 for left, right in itertools.pairwise(bounds)]


def _join(cells: dict[At, _Held], top: int, at: int, column: int) -> None:
    below = cells.pop((at, column), None)
    if below is None and (top, column) not in cells:
        return
    above = cells.setdefault((top, column), _Held([], last=column))
    if below:
        above.pieces.extend(below.pieces)
        above.last = max(above.last, below.last)
    above.rows = at - top + 1


def _span_by_centre(columns: Columns, box: Box, cells: dict[At, _Held], header_rows: int) -> None:
    """Widen the header cells over others to the columns they stand in the middle of."""
    bounds = [box[0], *columns.edges, box[2]]
    for row in range(header_rows - 1):
        places = sorted(column for at, column in cells if at == row)
        if len(places) >= sum(at == row + 1 for at, _ in cells):
            continue
        low = 0
        for number, column in enumerate(places):
            high = places[number + 1] - 1 if number + 1 < len(places) else len(columns) - 1
            held = cells.pop((row, column))
            first, last = (
                (column, held.last) if column == 0 else _centred(columns, bounds, held, (max(low, 1), column, high))
            )
            held.last = max(last, held.last)
            cells[row, first] = held
            low = held.last + 1


def _centred(columns: Columns, bounds: Sequence[float], held: _Held, range_: tuple[int, int, int]) -> tuple[int, int]:
    """Return the most columns whose middle is that of a cell, which starts in the second of (low, column, high)."""
    low, column, high = range_
    middle = (min(piece.x0 for piece in held.pieces) + max(piece.x1 for piece in held.pieces)) / 2
    best = (column, held.last)
    for first in range(low, column + 1):
        for last in range(held.last, high + 1):
            reach = _Span.CENTRED * (bounds[last + 1] - bounds[first]) / (last - first + 1)
            middles = ((bounds[first] + bounds[last + 1]) / 2, columns.middle(first, last))
            is_middle = min(abs(place - middle) for place in middles) < reach
            if is_middle and last - first > best[1] - best[0]:
                best = (first, last)
    return best


def _texts(page: PageLines, cells: dict[At, _Held], words: Words) -> dict[At, str]:
    return {at: _text(page, held.pieces, words) for at, held in cells.items()}


def _text(page: PageLines, pieces: Sequence[Piece], words: Words) -> str:
    """Return the text of a cell, its lines top to bottom; what closes a number follows it without a space."""
    order = _reading_order(page, sorted({piece.line for piece in pieces}))
    text = ""
    for piece in sorted(pieces, key=lambda piece: order.index(piece.line)):
        if _BROKEN.search(text[-2:]) and piece.text[:1].islower():
            text = joined((text, piece.text), words)
            continue
        is_closing = piece.text in (")", "%", ")%") and text[-1:].isdigit()
        text = f"{text}{'' if is_closing or not text or text.endswith('(') else ' '}{piece.text}"
    return text


def _reading_order(page: PageLines, lines: list[int]) -> list[int]:
    """Return the lines of a cell top to bottom; a raised mark stands beside the words it belongs to."""
    if len(lines) == 1:
        return lines
    boxes = {line: page.places[line].tolist() for line in lines}
    rows: list[list[int]] = []
    for line in sorted(lines, key=lambda line: boxes[line][3]):
        _, y0, _, y1 = boxes[line]
        below = rows[-1][-1] if rows else line
        shared = min(y1, boxes[below][3]) - max(y0, boxes[below][1])
        if rows and shared > _Span.BESIDE * min(y1 - y0, boxes[below][3] - boxes[below][1]):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda line: boxes[line][0])]


def _box(page: PageLines, held: _Held) -> Box:
    lines = [piece.line for piece in held.pieces]
    x0, y0, x1, y1 = page.hull(lines)
    if all(page.angles[line] == 0 for line in lines):
        x0, x1 = min(piece.x0 for piece in held.pieces), max(piece.x1 for piece in held.pieces)
    return x0, y0, x1, y1


def _header_rows(page: PageLines, rows: Sequence[Row], texts: dict[At, str], width: int) -> int:
    """Return how many rows from the top head the columns: those set bold, or those before the first with a number."""
    bold = [_is_bold(page, row) for row in rows]
    if bold[0] and not all(bold):
        return _until(texts, bold.index(False), width)
    numbered = [_has_data(texts, at, width) for at in range(len(rows))]
    if any(numbered):
        return _until(texts, numbered.index(True), width)
    filled = sum((0, column) in texts for column in range(width))
    return 1 if len(rows) > 2 and filled > _Span.FILLED * width else 0


def _until(texts: dict[At, str], stop: int, width: int) -> int:
    """Return how many of the first `stop` rows head columns: a label alone under others heads rows instead."""
    seen = False
    for at in range(min(stop, _Span.MOST_HEADER_ROWS)):
        row = [texts.get((at, column), "") for column in range(width)]
        if seen and is_section(row):
            return at
        seen = seen or sum(map(bool, row)) > 1 or not row[0]
    return stop if stop <= _Span.MOST_HEADER_ROWS else min(int(seen), stop)


def _is_bold(page: PageLines, row: Row) -> bool:
    return all(page.looks[line].bold for line in row.lines)


def _has_data(texts: dict[At, str], row: int, width: int) -> bool:
    values = [texts.get((row, column), "") for column in range(1, width)]
    return any(is_data(text) for text in values if text)


def _header_columns(texts: dict[At, str], header_rows: int, height: int) -> int:
    """Return 1 when the first column holds labels, else 0."""
    labels = [texts[at, 0] for at in range(header_rows, height) if (at, 0) in texts]
    return int(sum(is_number(label) for label in labels) < 0.5 * len(labels)) if labels else 0


def _trimmed(grid: Grid) -> Grid:
    """Leave out columns without any cell."""
    used = sorted({cell.column for cell in grid.cells})
    if len(used) == grid.width:
        return grid
    place = {column: at for at, column in enumerate(used)}
    cells = tuple(
        Cell(
            cell.row,
            place[cell.column],
            cell.text,
            cell.rows,
            sum(cell.column <= at < cell.column + cell.columns for at in used),
            cell.box,
        )
        for cell in grid.cells
    )
    return Grid(grid.height, len(used), cells, grid.header_rows, grid.header_columns)
