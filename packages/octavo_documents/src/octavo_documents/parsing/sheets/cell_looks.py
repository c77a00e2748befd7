"""How cells look whose values another reader gives: fonts of cells and of runs in them, what of a sheet is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from octavo_documents.parsing.inline_marks import marked, settled, struck
from octavo_documents.parsing.sheets.sheet import Sheet

_OUTLINE = 7
"""The bits of the level of a folded outline."""


@dataclass(frozen=True, slots=True)
class CellFont:
    """What a font says that is read here."""

    bold: bool = False
    struck: bool = False
    raised: bool = False
    white: bool = False


@dataclass(frozen=True, slots=True)
class CellLook:
    """How a cell looks: its font, whether it has another ground than white, and its number format."""

    font: CellFont = field(default_factory=CellFont)
    is_filled: bool = False
    code: str = ""

    @property
    def is_white_on_white(self) -> bool:
        """Whether its words cannot be seen."""
        return self.font.white and not self.is_filled


PLAIN = CellLook()


@dataclass(frozen=True, slots=True)
class Rich:
    """A text of several runs in UTF-16; each run has where it starts, in units of two bytes, and its font."""

    text: bytes
    runs: tuple[tuple[int, CellFont], ...]

    def plain(self) -> str:
        """Return the text without marks."""
        return self.text.decode("utf-16-le", "replace")

    def marked(self, font: CellFont, unseen: list[str] | None) -> str:
        """Return the text with the marks of its runs, `font` that of the cell, which holds up to the first of them.

        White runs are put into `unseen`; where there is none they are seen.
        """
        starts = [0, *(start for start, _ in self.runs)]
        stops = [*starts[1:], len(self.text) // 2]
        fonts = [font, *(font for _, font in self.runs)]
        found: list[str] = []
        for start, stop, one in zip(starts, stops, fonts, strict=True):
            text = _between(self.text, start, stop)
            if unseen is not None and one.white and text.strip():
                unseen.append(text.strip())
            else:
                found.append(marked(text, is_raised=one.raised, is_struck=one.struck))
        return settled("".join(found))


def _between(text: bytes, start: int, stop: int) -> str:
    return text[2 * start : 2 * stop].decode("utf-16-le", "replace")


@dataclass(slots=True)
class SheetLooks:
    """How the cells of a sheet look, by row and column, and what of it is hidden."""

    cells: dict[tuple[int, int], CellLook] = field(default_factory=dict[tuple[int, int], CellLook])
    """Those that look other than plain."""
    rich: dict[tuple[int, int], Rich] = field(default_factory=dict[tuple[int, int], Rich])
    """Cells whose runs look other than plain."""
    hidden_rows: set[int] = field(default_factory=set[int])
    hidden_columns: set[int] = field(default_factory=set[int])
    is_coloured: bool = False
    """Whether conditions or the looks of tables colour cells: nothing there is taken for white on white."""
    is_filtered: bool = False
    """Whether rows are hidden by a filter, which a click opens."""

    def put(self, row: int, column: int, look: CellLook) -> None:
        """Note how a cell looks."""
        if look != PLAIN:
            self.cells[row, column] = look

    def apply(self, sheet: Sheet) -> None:
        """Mark the words of a sheet, and take away those that are not shown."""
        sheet.hidden_columns |= self.hidden_columns
        sheet.hidden_rows |= set() if self.is_filtered else self.hidden_rows
        self._mark(sheet)
        for row, texts in list(sheet.rows.items()):
            gone = [column for column in texts if self._is_unseen(sheet, row, column)]
            sheet.unseen += filter(None, [texts.pop(column) for column in gone])
            if not texts:
                del sheet.rows[row]

    def _mark(self, sheet: Sheet) -> None:
        for row, column in {*self.cells, *self.rich}:
            texts = sheet.rows.get(row, {})
            if column not in texts:
                continue
            look, rich = self.cells.get((row, column), PLAIN), self.rich.get((row, column))
            font = look.font
            if font.bold:
                sheet.bold.add((row, column))
            if rich is not None and rich.plain().strip() == texts[column]:
                is_open = not self.is_coloured and not look.is_filled
                texts[column] = rich.marked(font, sheet.unseen if is_open else None).strip()
            elif font.struck:
                texts[column] = struck(texts[column])

    def _is_unseen(self, sheet: Sheet, row: int, column: int) -> bool:
        if not sheet.rows[row][column]:
            return True  # all its runs were unseen
        if row in sheet.hidden_rows or column in sheet.hidden_columns:
            return True
        return not self.is_coloured and self.cells.get((row, column), PLAIN).is_white_on_white


def font_of(flags: int, weight: int, script: int, *, is_white: bool) -> CellFont:
    """Return the font that a record of XLS or XLSB describes."""
    return CellFont(weight >= 600, bool(flags & 8), script == 1, is_white)


def hidden_columns(first: int, last: int, flags: int, *, most: int) -> range:
    """Return the columns that a record of XLS or XLSB hides; those of a folded outline are none."""
    is_hidden = flags & 1 and not flags >> 8 & _OUTLINE
    return range(first, min(last + 1, most)) if is_hidden else range(0)


def rich_or_none(text: bytes, runs: Sequence[tuple[int, int]], fonts: Sequence[CellFont]) -> Rich | None:
    """Return a text whose runs, by the numbers of their fonts, look other than plain or bold; None for others.

    One of which a cell may be struck out up to a run that is not is kept too.
    """
    found = tuple((start, fonts[at]) for start, at in runs if at < len(fonts))
    is_telling = any(font.struck or font.white for font in fonts) or any(font.raised or font.white for _, font in found)
    return Rich(text, found) if found and is_telling else None
