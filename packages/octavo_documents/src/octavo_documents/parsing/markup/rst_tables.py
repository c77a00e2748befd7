"""The tables of reStructuredText: grids, columns under rules, and lists of lists."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing.cell_places import GridBuilder

_GRID_RULE = re.compile(r"\+(?:[-=]+\+)+\s*\Z")
_SIMPLE_RULE = re.compile(r"=+(?: +=+)+\s*\Z")
_SPANNED = re.compile(r"-+(?: +-+)*\s*\Z")
_MOST_ROWS = 5000
_MOST_COLUMNS = 200
_FILLED = "\0"
"""What stands behind a character that is two columns wide, so that places in a line are columns of the page."""


def is_grid_rule(line: str) -> bool:
    """Whether a line is the edge of a grid."""
    return bool(_GRID_RULE.match(line))


def is_simple_rule(lines: Sequence[str], at: int) -> bool:
    """Whether a table of columns begins with a line."""
    return bool(_SIMPLE_RULE.match(lines[at])) and any(
        _SIMPLE_RULE.match(one) for one in lines[at + 1 : at + _MOST_ROWS]
    )


def grid_table(lines: Sequence[str], words: Callable[[str], str]) -> Grid:
    """Return the cells of a grid with their spans: edges between lines and columns say how far each reaches."""
    lines = lines[: 4 * _MOST_ROWS]
    lines = [_in_columns(line) for line in lines]
    width = max(map(len, lines))
    drawn = [line.ljust(width) for line in lines]
    edges = sorted({at for line in drawn if line.startswith("+") for at, sign in enumerate(line) if sign == "+"})
    edges = edges[: _MOST_COLUMNS + 1]
    rules = [at for at, line in enumerate(drawn) if line.startswith("+") or "+-" in line or "+=" in line]
    header = next((at for at, line in enumerate(drawn) if line.startswith("+=")), 0)
    cells: list[Cell] = []
    taken: set[tuple[int, int]] = set()
    for row in range(len(rules) - 1):
        for column in range(len(edges) - 1):
            if (row, column) in taken or not _is_edge(drawn, rules[row], edges[column], edges[column + 1]):
                continue
            across = next(
                (one for one in range(column + 1, len(edges)) if _is_side(drawn, rules[row] + 1, edges[one])),
                len(edges) - 1,
            )
            down = next(
                (
                    one
                    for one in range(row + 1, len(rules))
                    if _is_edge(drawn, rules[one], edges[column], edges[across])
                ),
                len(rules) - 1,
            )
            taken.update((y, x) for y in range(row, down) for x in range(column, across))
            inside = [
                drawn[one][edges[column] + 1 : edges[across]].strip() for one in range(rules[row] + 1, rules[down])
            ]
            text = _said(" ".join(inside), words)
            if text:
                cells.append(Cell(row, column, text, down - row, across - column))
    height = len(rules) - 1
    headers = rules.index(header) if header in rules else 0
    return Grid(max(height, 0), max(len(edges) - 1, 0), tuple(cells), min(headers, max(height, 0)))


def _is_edge(drawn: Sequence[str], row: int, left: int, right: int) -> bool:
    inside = drawn[row][left + 1 : right]
    return bool(inside) and all(sign in "-=+" for sign in inside)


def _is_side(drawn: Sequence[str], row: int, column: int) -> bool:
    return row < len(drawn) and drawn[row][column] in "|+"


def simple_table(lines: Sequence[str], at: int, words: Callable[[str], str]) -> tuple[Grid, int]:
    """Return the cells of a table of columns, and where it ends: after its last rule."""
    rules = [one for one in range(at, min(len(lines), at + _MOST_ROWS)) if _SIMPLE_RULE.match(lines[one])]
    end = rules[2] if len(rules) > 2 and _is_closed(lines, rules) else rules[min(1, len(rules) - 1)]
    starts = [match.start() for match in re.finditer("=+", lines[at])][:_MOST_COLUMNS]
    single = [(one, 1) for one in range(len(starts))]
    rows: list[tuple[list[str], list[tuple[int, int]]]] = []
    """The lines of each row, and its cells: the first column of each and how many it covers."""
    headers = 0
    for number in range(at + 1, end):
        line = _in_columns(lines[number])
        if _SIMPLE_RULE.match(line):
            headers = len(rows)
        elif line.strip() and _SPANNED.fullmatch(line):
            rows[-1:] = [(held, _spanned(line, starts) or cells) for held, cells in rows[-1:]]
        elif line.strip():
            if line[: starts[1]].strip() or not rows or headers == len(rows):
                rows.append(([line], single))
            else:
                rows[-1][0].append(line)
    builder = GridBuilder(len(rows))
    bounds = [*starts, 1 << 20]
    for number, (held, cells) in enumerate(rows):
        texts = ((" ".join(line[bounds[at] : bounds[at + across]] for line in held), across) for at, across in cells)
        builder.add(((_said(text, words), 1, across) for text, across in texts), is_header=number < headers < len(rows))
    return builder.grid(), end + 1


def _in_columns(line: str) -> str:
    if line.isascii():
        return line
    return "".join(sign + _FILLED if unicodedata.east_asian_width(sign) in ("W", "F") else sign for sign in line)


def _said(text: str, words: Callable[[str], str]) -> str:
    """Return the words of a cell; two dots alone, or a backslash, stand in one that is empty."""
    text = text.replace(_FILLED, "").strip()
    return "" if text in ("..", "\\") else words(text)


def _spanned(rule: str, starts: Sequence[int]) -> list[tuple[int, int]]:
    """Return the cells over a rule of dashes: the first column that each stroke runs under, and how many."""
    strokes = [match.span() for match in re.finditer("-+", rule)]
    under = ([at for at, start in enumerate(starts) if left <= start < right] for left, right in strokes)
    return [(columns[0], len(columns)) for columns in under if columns]


def _is_closed(lines: Sequence[str], rules: Sequence[int]) -> bool:
    """Whether the second rule is the one under the header: the text goes on right below it."""
    return rules[1] + 1 < len(lines) and bool(lines[rules[1] + 1].strip())


def rows_of_list(lines: Sequence[str]) -> list[list[str]]:
    """Return the cells of a list of lists: "* - one", "  - two"."""
    rows: list[list[str]] = []
    indent = 0
    for line in lines:
        row = re.match(r"\*\s+(?=-(?:\s|\Z))", line)
        if row:
            indent = row.end()
            rows.append([line[indent + 1 :].strip()])
        elif rows and re.match(rf"\s{{{indent}}}-(?:\s|\Z)", line):
            rows[-1].append(line.strip()[1:].strip())
        elif rows and line.strip():
            rows[-1][-1] += f" {line.strip()}"
    return rows


def rows_of_values(lines: Sequence[str], options: dict[str, str]) -> Iterator[list[str]]:
    """Yield the cells of a table of values between commas, or whatever parts them, with those of its head."""
    parting = {"tab": "\t", "space": " "}.get(options.get("delim", ""), options.get("delim", "")[:1]) or ","
    quote = options.get("quote", "")[:1] or '"'
    for held in ([options["header"]] if options.get("header") else (), lines):
        try:
            rows = csv.reader(held, delimiter=parting, quotechar=quote, skipinitialspace=True)
            yield from ([cell.strip() for cell in row] for row in rows if row)
        except (csv.Error, ValueError, TypeError):  # a value too long to be one, one sign for two things
            return
