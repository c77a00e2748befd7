"""Tables of RTF: rows of cells that say where they end, and with which they are joined."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from octavo.document.grid import Cell, Grid

MOST_COLUMNS = 500


@dataclass(slots=True)
class Row:
    """What is said of a row before its cells."""

    edges: list[int] = field(default_factory=list[int])
    joined: list[str] = field(default_factory=list[str])
    """For each cell how it is joined with others: "mgf", "mrg", "vmgf", "vmrg" or ""."""
    is_header: bool = False


def grid_of(rows: list[tuple[Row, list[str]]]) -> Grid:
    """Return the cells of a table: columns are told by the right edges of the cells of all rows."""
    edges = sorted({edge for row, _ in rows for edge in row.edges})[:MOST_COLUMNS]
    places = {edge: at for at, edge in enumerate(edges)}
    width = max(len(edges), max(len(cells) for _, cells in rows))
    cells: list[Cell] = []
    above: dict[int, int] = {}
    for number, (row, texts) in enumerate(rows):
        column = 0
        for at, text in enumerate(texts):
            end = places.get(row.edges[at], width - 1) + 1 if at < len(row.edges) else column + 1
            across = max(min(end, width) - column, 1)
            kind = row.joined[at] if at < len(row.joined) else ""
            if column >= width:
                break
            if kind == "mrg" and cells and cells[-1].row == number:
                cells[-1] = replace(cells[-1], columns=cells[-1].columns + across)
            elif kind == "vmrg" and column in above:
                held = cells[above[column]]
                cells[above[column]] = replace(held, rows=number + 1 - held.row)
            elif text or kind:
                above[column] = len(cells)
                cells.append(Cell(number, column, text, 1, across))
            column += across
    headers = next((at for at, (row, _) in enumerate(rows) if not row.is_header), len(rows))
    return Grid(len(rows), width, tuple(cell for cell in cells if cell.text), min(headers, len(rows) - 1))
