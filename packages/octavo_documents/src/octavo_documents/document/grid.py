"""A table's cells: rows, columns, spans, boxes and headers, and the forms people and search read."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, cast

CellBox = tuple[float, float, float, float]


@dataclasses.dataclass(frozen=True, slots=True)
class Cell:
    """One cell: the row and column of its top left corner (0-based), how many of each it covers, and its text.

    `box` is in points, origin at the top left of the page; None where it is not known.
    """

    row: int
    column: int
    text: str
    rows: int = 1
    columns: int = 1
    box: CellBox | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Grid:
    """The cells of a table, or of the part of one that stands on a page, in reading order; empty cells are left out."""

    height: int
    """Rows, header rows among them."""
    width: int
    """Columns, header columns among them."""
    cells: tuple[Cell, ...]
    header_rows: int = 0
    header_columns: int = 0
    repeated: int = 0
    """Rows at the top that print the header of the part before again: no data."""
    carried: tuple[str, ...] = ()
    """Column headers of an earlier part, when this part prints none of its own."""
    origin: tuple[int, int] | None = None
    """Row and column (0-based) of its first cell in the sheet it stands in; None for what is in no sheet."""

    @property
    def range(self) -> str:
        """Where it stands in its sheet as spreadsheets name it, "B4:D9"; "" for what is in no sheet."""
        if self.origin is None:
            return ""
        row, column = self.origin
        first, last = address(row, column), address(row + self.height - 1, column + self.width - 1)
        return first if first == last else f"{first}:{last}"

    def cell_name(self, row: int, column: int) -> str:
        """Return how a spreadsheet names a cell of it, "B7"; "" for what is in no sheet."""
        return "" if self.origin is None else address(self.origin[0] + row, self.origin[1] + column)

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[str]], *, header_rows: int = 0, header_columns: int = 0) -> Grid:
        """Return the grid of plain rows of texts, without spans or boxes."""
        cells = tuple(
            Cell(row, column, text) for row, texts in enumerate(rows) for column, text in enumerate(texts) if text
        )
        width = max((len(texts) for texts in rows), default=0)
        return cls(len(rows), width, cells, header_rows, header_columns)

    def is_header(self, cell: Cell) -> bool:
        """Return whether a cell names its column or row."""
        return cell.row < self.header_rows or cell.column < self.header_columns

    def rows(self) -> list[list[str]]:
        """Return one text per column in each row; a spanning cell's text stands at its top left corner alone."""
        rows = [[""] * self.width for _ in range(self.height)]
        for cell in self.cells:
            rows[cell.row][cell.column] = cell.text
        return rows

    def rows_apart(self) -> list[list[str]]:
        """Return rows like `rows`, each to be read apart: the text of a cell over several stands in each of them."""
        rows = self.rows()
        for cell in self.cells:
            for row in range(max(cell.row + 1, self.header_rows), cell.row + cell.rows):
                rows[row][cell.column] = cell.text
        return rows

    def filled(self) -> list[list[str]]:
        """Return rows like `rows`, with the text of a spanning cell in every place it covers."""
        rows = [[""] * self.width for _ in range(self.height)]
        for cell in self.cells:
            for row in range(cell.row, cell.row + cell.rows):
                rows[row][cell.column : cell.column + cell.columns] = [cell.text] * cell.columns
        return rows

    def headers(self) -> list[str]:
        """Return one header per column: its header cells from top to bottom, or those of an earlier part."""
        if not self.header_rows:
            return [*self.carried, *[""] * (self.width - len(self.carried))][: self.width]
        rows = self.filled()[: self.header_rows]
        heads = [" ".join(dict.fromkeys(text for text in texts if text)) for texts in zip(*rows, strict=True)]
        return _in_groups(heads, rows[0]) if len(rows) > 1 else heads

    def linearised(self) -> list[str]:
        """Return one line per row, "header: value; header: value", so that a row says what it means when read alone.

        Lines are parallel to `rows`; those of header rows are empty. A row that has a label only heads the ones after
        it: `[["", "2024"], ["Costs"], ["Staff", "7"]]` gives `["", "Costs", "Costs: Staff; 2024: 7"]`.
        """
        headers = self.headers()
        lines: list[str] = []
        section = ""
        for at, texts in enumerate(self.filled()):
            if at < self.header_rows:
                lines.append("")
                continue
            if is_section(texts):
                section = texts[0].rstrip(": ")
                lines.append(texts[0])
                continue
            values = "; ".join(_named(headers, self._unspanned(texts)))
            lines.append(f"{section}: {values}" if section and values else values)
            if texts[0].lower().startswith("total"):
                section = ""
        return lines

    def _unspanned(self, texts: Sequence[str]) -> list[str]:
        """Blank the repeats of one long cell over several columns."""
        return [text if at == 0 or text != texts[at - 1] or len(text) < 40 else "" for at, text in enumerate(texts)]

    def text(self) -> str:
        """Return what people read: a line per row, cells parted by " | ", none for empty ones at the end."""
        return "\n".join(" | ".join(row).rstrip(" |") for row in self.rows())

    def words_beside(self, text: str) -> str:
        """Return what the text of a chart says besides the rows that were read from it, which stand at its end."""
        return text.removesuffix(self.text()).rstrip("\n")

    def to_json(self) -> str:
        """Return the grid as the block table stores it; `from_json` gives an equal one."""
        stored: dict[str, Any] = {
            "size": [self.height, self.width],
            "headers": [self.header_rows, self.header_columns],
        }
        if self.repeated:
            stored["repeated"] = self.repeated
        if self.carried:
            stored["carried"] = self.carried
        if self.origin is not None:
            stored["origin"] = self.origin
        stored["cells"] = [_stored(cell) for cell in self.cells]
        return json.dumps(stored, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, stored: str) -> Grid:
        """Return the stored grid, an empty one for what is none."""
        try:
            found: Any = json.loads(stored) if stored else None
            return _of_stored(cast("dict[str, Any]", found)) if isinstance(found, dict) else cls(0, 0, ())
        except (ValueError, TypeError, KeyError, RecursionError):
            return cls(0, 0, ())


def _in_groups(heads: list[str], top: Sequence[str]) -> list[str]:
    """Return heads with what heads their group, where several columns have one and nothing else tells them apart.

    A head over a group of columns may stand over the first of them, not joined with the cells at its right.
    """
    counts = Counter(heads)
    told, group = [*heads], ""
    for column, head in enumerate(heads):
        group = (top[column] or group) if head else ""
        if counts[head] > 1 and group and not top[column]:
            told[column] = f"{group} {head}"
    if len(set(told)) - len(set(heads)) != sum(count - 1 for head, count in counts.items() if head and count > 1):
        return heads
    return told


def without_cells(stored: str) -> Grid:
    """Return what a stored grid says of itself, without its cells: they take most of the time of reading one."""
    head, cells, _ = stored.partition(',"cells":[')  # in a text its quotes are escaped
    return Grid.from_json(f"{head}{cells}]}}") if cells else Grid.from_json(stored)


def address(row: int, column: int) -> str:
    """Return a cell's row and column (0-based) as spreadsheets name it: "B4"."""
    letters, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def is_section(texts: Sequence[str]) -> bool:
    """Return whether a row has nothing but a label: it heads the rows after it."""
    filled = {text for text in texts if text}
    return len(filled) == 1 and bool(texts[0]) and any(letter.isalpha() for letter in texts[0])


def _named(headers: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    for header, text in zip(headers, texts, strict=True):
        if text:
            yield f"{header.rstrip(':')}: {text}" if header and header != text else text


def _stored(cell: Cell) -> list[Any]:
    box = [round(value, 1) for value in cell.box] if cell.box else []
    return [cell.row, cell.column, cell.rows, cell.columns, cell.text, *box]


def _of_stored(found: dict[str, Any]) -> Grid:
    height, width = (int(count) for count in found["size"])
    cells = tuple(_cell(entry) for entry in found["cells"])
    if any(not (0 <= cell.row <= height - cell.rows and 0 <= cell.column <= width - cell.columns) for cell in cells):
        raise ValueError("a cell lies outside its table")
    header_rows, header_columns = (int(count) for count in found["headers"])
    carried = tuple(str(text) for text in found.get("carried", ()))
    first = found.get("origin")
    origin = (max(int(first[0]), 0), max(int(first[1]), 0)) if first else None
    return Grid(height, width, cells, header_rows, header_columns, int(found.get("repeated", 0)), carried, origin)


def _cell(entry: list[Any]) -> Cell:
    row, column, rows, columns = (int(value) for value in entry[:4])
    box = cast("CellBox", tuple(float(value) for value in entry[5:9])) if len(entry) == 9 else None
    return Cell(row, column, str(entry[4]), max(rows, 1), max(columns, 1), box)
