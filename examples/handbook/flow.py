"""Turns blocks into ReportLab's flowables. Owns how each kind of block is set; pages and their order are `pages`'."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from reportlab.lib.colors import white
from reportlab.platypus import Flowable, KeepTogether, Spacer, Table, TableStyle

from . import styles
from .blocks import Block, Code, Definition, Figure, Formula, Grid, Heading, Item, Prose
from .figures import FIGURES
from .inline import Inline, Resolver, render
from .numbering import Label
from .record import Record, RecordedParagraph, Source, recorded

# A table of more rows than this may be broken over a page; its header row is then repeated.
LONG_TABLE = 14


@dataclass(frozen=True)
class Setting:
    """What setting a block needs: the labels, how references read, the record, and whether to write an outline.

    `narrow` is true inside a chapter of two columns.
    """

    labels: dict[str, Label]
    resolver: Resolver
    record: Record
    outline: bool
    narrow: bool = False

    def paragraph(self, key: str, kind: str, text: str, style: Any, *, bullet: str | None = None) -> RecordedParagraph:
        """Return a recorded paragraph of inline markup."""
        return recorded(Source(key, kind, render(text, self.resolver), self.record), style, bullet=bullet)


class HeadingLine(RecordedParagraph):
    """A heading that sets a bookmark, and an outline entry where one is wanted."""

    level: int
    outline: bool

    def draw(self) -> None:
        """Draw, and set the bookmark just above the text."""
        super().draw()
        key = self.source.key
        _, y = self.canv.absolutePosition(0, self.height)
        self.canv.bookmarkPage(key, fit="XYZ", top=y + 8, left=0)
        if self.outline:
            self.canv.addOutlineEntry(self.source.inline.text, key, self.level - 1, closed=self.level == 2)


class Anchored(Flowable):
    """A flowable with a bookmark, written into the record under its key."""

    def __init__(self, key: str, kind: str, content: Flowable, record: Record) -> None:
        super().__init__()
        self.key, self.kind, self.content, self.record = key, kind, content, record
        self.hAlign = "CENTER"

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:  # noqa: N803 - ReportLab's own names
        """Return the content's size."""
        self.width, self.height = self.content.wrapOn(self.canv, aW, aH)
        return self.width, self.height

    def draw(self) -> None:
        """Draw the content and record it."""
        self.content.drawOn(self.canv, 0, 0)
        self.canv.bookmarkHorizontal(self.key, 0, self.height + 12)
        self.record.place(self.key, self.kind, self.canv, (self.width, self.height), "")


class RecordedTable(Table):
    """A table whose parts are recorded, one for each page it lies on."""

    key: str
    record: Record

    def split(self, aW: float, aH: float) -> list[Any]:  # noqa: N803 - ReportLab's own names
        """Split as a table does; both parts keep the key."""
        parts = super().split(aW, aH)
        for part in parts:
            part.key, part.record = self.key, self.record
        return parts

    def draw(self) -> None:
        """Draw the part and record it."""
        if self.key not in self.record.pages:
            self.canv.bookmarkHorizontal(self.key, 0, self._height + 16)
        super().draw()
        self.record.place(self.key, "table", self.canv, (self._width, self._height), "")


class CodeLines(Flowable):
    """A shaded panel of monospaced lines."""

    def __init__(self, key: str, lines: tuple[str, ...], record: Record) -> None:
        super().__init__()
        self.key, self.lines, self.record = key, lines, record
        self.spaceBefore, self.spaceAfter = 2, 10

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:  # noqa: N803 - ReportLab's own names
        """Return the column's width and the lines' height."""
        self.width, self.height = aW, len(self.lines) * styles.CODE_LEADING + 12
        return self.width, self.height

    def draw(self) -> None:
        """Draw the panel and its lines."""
        self.canv.setFillColor(styles.TINT)
        self.canv.setStrokeColor(styles.RULE)
        self.canv.setLineWidth(0.4)
        self.canv.rect(0, 0, self.width, self.height, fill=1, stroke=1)
        self.canv.setFillColor(styles.INK)
        self.canv.setFont("Courier", styles.CODE_SIZE)
        for number, line in enumerate(self.lines, start=1):
            self.canv.drawString(8, self.height - 5 - number * styles.CODE_LEADING + 2, line)
        self.record.place(self.key, "code", self.canv, (self.width, self.height), "\n".join(self.lines))


class FormulaLine(RecordedParagraph):
    """A centred formula with its number at the right margin."""

    number: str

    def draw(self) -> None:
        """Draw the formula and its number."""
        super().draw()
        self.canv.setFont("Times-Roman", 10.5)
        self.canv.drawRightString(self.width, 5, self.number)
        self.canv.bookmarkHorizontal(self.source.key, 0, self.height)


def flowables(block: Block, key: str, setting: Setting) -> list[Any]:
    """Return the flowables of one block; `key` names the block where it has no name of its own."""
    return _SETTERS[type(block)](block, key, setting)


def heading_text(block: Heading, labels: dict[str, Label]) -> str:
    """Return the heading as printed: number, two spaces, title."""
    number = labels[block.key].number
    return f"{number}  {block.title}" if number else block.title


def _heading(block: Heading, key: str, setting: Setting) -> list[Any]:
    style = styles.HEADINGS[block.level]
    inline = Inline(heading_text(block, setting.labels).replace("&", "&amp;"), heading_text(block, setting.labels))
    line = HeadingLine(inline.xml, style)
    line.source = Source(block.key, "heading", inline, setting.record)
    line.level, line.outline = block.level, setting.outline
    return [line]


def _prose(block: Prose, key: str, setting: Setting) -> list[Any]:
    look = "column" if setting.narrow and block.role == "paragraph" else block.role
    return [setting.paragraph(key, block.role, block.text, styles.PROSE[look])]


def _item(block: Item, key: str, setting: Setting) -> list[Any]:
    return [setting.paragraph(key, "item", block.text, styles.ITEMS[block.depth], bullet=block.marker)]


def _definition(block: Definition, key: str, setting: Setting) -> list[Any]:
    return [setting.paragraph(key, "definition", f"**{block.term}**  {block.text}", styles.DEFINITION)]


def _grid(block: Grid, key: str, setting: Setting) -> list[Any]:
    number = setting.labels[block.key].number
    printed = f"**{number}**  {block.caption}" if number else block.caption
    caption = setting.paragraph(f"{block.key}/caption", "caption", printed, styles.CAPTION)
    looks = [styles.HEADER_CELLS, *([styles.CELLS] * len(block.rows))]
    cells = [
        [
            setting.paragraph(f"{block.key}/{row}/{column}", "cell", text, look[side])
            for column, (text, (side, _)) in enumerate(zip(line, block.columns, strict=True))
        ]
        for row, (line, look) in enumerate(zip((block.header, *block.rows), looks, strict=True))
    ]
    table = RecordedTable(cells, colWidths=[width for _, width in block.columns], repeatRows=1)
    table.key, table.record = block.key, setting.record
    table.setStyle(TableStyle([*_PADDING, *_LOOKS[block.look], *_gaps(block)]))
    table.spaceAfter = 12
    parts = [Spacer(1, 4), caption, table]
    return parts if len(block.rows) > LONG_TABLE else [KeepTogether(parts)]


def _gaps(block: Grid) -> list[Any]:
    """Return wider padding where a left-aligned column follows a right-aligned one, whose words would touch."""
    sides = [side for side, _ in block.columns]
    pairs = enumerate(pairwise(sides), start=1)
    return [("LEFTPADDING", (column, 0), (column, -1), 14) for column, pair in pairs if pair == ("r", "l")]


def _figure(block: Figure, key: str, setting: Setting) -> list[Any]:
    number = setting.labels[block.key].number
    caption = setting.paragraph(
        f"{block.key}/caption", "caption", f"**{number}**  {block.caption}", styles.FIGURE_CAPTION
    )
    drawing = Anchored(block.key, "figure", FIGURES[block.drawing](), setting.record)
    return [KeepTogether([Spacer(1, 6), drawing, caption])]


def _code(block: Code, key: str, setting: Setting) -> list[Any]:
    return [CodeLines(key, block.lines, setting.record)]


def _formula(block: Formula, key: str, setting: Setting) -> list[Any]:
    inline = render(block.text, setting.resolver)
    line = FormulaLine(inline.xml, styles.FORMULA)
    line.source = Source(block.key, "formula", inline, setting.record)
    line.number = f"({setting.labels[block.key].number.removeprefix('Equation ')})"
    return [line]


_PADDING = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ("TOPPADDING", (0, 0), (-1, -1), 2.5),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 3),
    ("LEFTPADDING", (0, 0), (-1, -1), 4),
    ("RIGHTPADDING", (0, 0), (-1, -1), 4),
]
_LOOKS: dict[str, list[Any]] = {
    "ruled": [
        ("GRID", (0, 0), (-1, -1), 0.4, styles.RULE),
        ("BACKGROUND", (0, 0), (-1, 0), styles.SHADE),
        ("ROWBACKGROUNDS", (0, 1), (-1, -1), [white]),
    ],
    "lines": [
        ("LINEABOVE", (0, 0), (-1, 0), 1, styles.INK),
        ("LINEBELOW", (0, 0), (-1, 0), 0.5, styles.INK),
        ("LINEBELOW", (0, "splitlast"), (-1, "splitlast"), 0.5, styles.RULE),
        ("LINEBELOW", (0, -1), (-1, -1), 1, styles.INK),
    ],
    "plain": [],
}
_SETTERS: dict[type[Block], Callable[[Any, str, Setting], list[Any]]] = {
    Heading: _heading,
    Prose: _prose,
    Item: _item,
    Definition: _definition,
    Grid: _grid,
    Figure: _figure,
    Code: _code,
    Formula: _formula,
}
