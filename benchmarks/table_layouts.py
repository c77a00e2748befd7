"""Layouts of tables drawn from a seed: rules, spans, cells of several lines, alignment, columns, page breaks, notes.

Owns what a layout may have, and the drawing of one as a PDF. Knows nothing about reading it back.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Spacer
from reportlab.platypus import Table as Drawn

RULED = ("full", "horizontal", "booktabs", "boxed")
UNRULED = ("none", "striped")
SMALLEST = 5.0
WORDS = (
    "harbour", "lantern", "gravel", "bridge", "winter", "ledger", "pilot", "copper", "meadow", "signal",
    "orchard", "anchor", "timber", "river", "market", "engine", "valley", "summer", "paper", "garden", "window",
    "iron", "sugar", "station", "captain", "forest", "glass", "storm", "weather", "cable", "rope", "mill",
    "tower",
)  # fmt: skip
ITEMS = ("Rent", "Wages", "Fuel", "Insurance", "Repairs", "Freight", "Interest", "Deposits", "Licences", "Training")


@dataclasses.dataclass(frozen=True)
class Layout:
    """One way to set a table. `rules` is one of RULED or UNRULED; `content` is `numbers`, `words` or `mixed`."""

    number: int
    rules: str
    content: str
    rows: int
    columns: int
    spanning_header: bool = False
    spanning_labels: bool = False
    sections: bool = False
    several_lines: bool = False
    narrow: bool = False
    page_columns: int = 1
    page_break: bool = False
    header_repeated: bool = True
    note: bool = False
    currency: bool = False
    size: float = 9.0

    def features(self) -> list[str]:
        """Return the names of what is special about it."""
        names = ("spanning_header", "spanning_labels", "sections", "several_lines", "narrow", "page_break", "note")
        found = [name.replace("_", " ") for name in (*names, "currency") if getattr(self, name)]
        return [*found, f"content {self.content}", f"{self.page_columns} page columns"]


@dataclasses.dataclass(frozen=True)
class Table:
    """What is truly in a table: texts by (row, column) of their top left corner."""

    cells: dict[tuple[int, int], str]
    spans: dict[tuple[int, int], tuple[int, int]]
    header_rows: int
    note: str


def layouts(count: int, seed: int) -> Iterator[Layout]:
    """Yield layouts, ruled and unruled in turn, their features drawn at random."""
    chance = random.Random(seed)
    kinds = [*RULED, *UNRULED, "none", "striped"]
    for number in range(count):
        yield _layout(chance, number, kinds[number % len(kinds)])


def _layout(chance: random.Random, number: int, rules: str) -> Layout:
    columns = chance.choice((3, 3, 4, 5, 6, 7))
    page_columns = 2 if chance.random() < 0.2 else 1
    page_break = page_columns == 1 and chance.random() < 0.15
    content = chance.choice(("numbers", "numbers", "mixed", "words"))
    if page_columns == 2:
        columns = 3
    spanning_labels = rules == "full" and chance.random() < 0.3
    return Layout(
        number=number,
        rules=rules,
        content=content,
        rows=chance.randint(4, 14) + (20 if page_break else 0),
        columns=columns,
        spanning_header=columns > 3 and chance.random() < 0.3,
        spanning_labels=spanning_labels,
        sections=content == "numbers" and not spanning_labels and chance.random() < 0.3,
        several_lines=chance.random() < 0.4,
        narrow=chance.random() < 0.25,
        page_columns=page_columns,
        page_break=page_break,
        header_repeated=chance.random() < 0.7,
        note=chance.random() < 0.4,
        currency=content == "numbers" and chance.random() < 0.3,
        size=chance.choice((7.5, 8.0)) if page_columns == 2 else chance.choice((7.5, 8.0, 9.0, 10.0)),
    )


def drawn(layout: Layout, path: Path) -> Table:
    """Write the PDF of a layout and return what is in its table."""
    chance = random.Random(1000 + layout.number)
    table = _content(layout, chance)
    layout = _fitted(layout, table)
    body = ParagraphStyle("body", fontName="Times-Roman", fontSize=10, leading=12.5, spaceAfter=6)
    small = ParagraphStyle("small", parent=body, fontSize=7.5, leading=9)
    lead = 6 if layout.page_break else 2
    story: list[Any] = [Paragraph(_prose(chance, 70), body) for _ in range(lead)]
    story.append(Paragraph(f"Table {layout.number + 1}. {_prose(chance, 7)}", body))
    story.append(_flowable(layout, table))
    story.append(Spacer(1, 4))
    if table.note:
        story.append(Paragraph(table.note, small))
    story.extend(Paragraph(_prose(chance, 80), body) for _ in range(3))
    _write(path, layout.page_columns, story)
    return table


def _fitted(layout: Layout, table: Table) -> Layout:
    """Return the layout in type small enough for its table to stand on the page."""
    while _flowable(layout, table).wrap(A4[0], A4[1])[0] > _width(layout.page_columns) and layout.size > SMALLEST:
        layout = dataclasses.replace(layout, size=layout.size - 0.5)
    return layout


def _width(columns: int) -> float:
    return (A4[0] - 120 - 18 * (columns - 1)) / columns


def _write(path: Path, columns: int, story: list[Any]) -> None:
    width = _width(columns)
    frames = [Frame(60 + at * (width + 18), 60, width, A4[1] - 120, 0, 0, 0, 0) for at in range(columns)]
    document = BaseDocTemplate(str(path), pagesize=A4, invariant=True)
    document.addPageTemplates(PageTemplate(frames=frames))
    document.build(story)


def _prose(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(count)).capitalize() + "."


def _content(layout: Layout, chance: random.Random) -> Table:
    cells: dict[tuple[int, int], str] = {}
    spans: dict[tuple[int, int], tuple[int, int]] = {}
    top = 0
    if layout.spanning_header:
        half = 1 + (layout.columns - 1) // 2
        cells[0, 1], spans[0, 1] = "Planned budget", (1, half - 1)
        cells[0, half], spans[0, half] = "Actual figures", (1, layout.columns - half)
        top = 1
    header_rows = top + 1
    for column in range(layout.columns):
        cells[top, column] = _header(layout, chance, column)
    for row in range(header_rows, header_rows + layout.rows):
        _row(layout, chance, row, row - header_rows, cells, spans)
    note = f"Note: {_prose(chance, 14)}" if layout.note else ""
    return Table(cells, spans, header_rows, note)


def _header(layout: Layout, chance: random.Random, column: int) -> str:
    if column == 0:
        return chance.choice(("Item", "Station", "Line of work"))
    if layout.content == "numbers":
        return str(2014 + column) if not layout.several_lines else f"Year ended\n{2014 + column}"
    return chance.choice(("State", "Owner", "Use", "Place", "Origin", "Share")) + f" {'ABCDEFG'[column]}"


def _row(
    layout: Layout,
    chance: random.Random,
    row: int,
    number: int,
    cells: dict[tuple[int, int], str],
    spans: dict[tuple[int, int], tuple[int, int]],
) -> None:
    if layout.sections and number % 5 == 0 and number + 1 < layout.rows:
        cells[row, 0] = f"{chance.choice(WORDS).capitalize()} costs:"
        if layout.rules == "full":
            spans[row, 0] = (1, layout.columns)
        return
    if layout.spanning_labels:
        if number % 2 == 0:
            cells[row, 0] = _label(layout, chance, number)
            if number + 1 < layout.rows:
                spans[row, 0] = (2, 1)
    else:
        cells[row, 0] = _label(layout, chance, number)
    for column in range(1, layout.columns):
        cells[row, column] = _value(layout, chance, column)


def _label(layout: Layout, chance: random.Random, number: int) -> str:
    name = f"{ITEMS[number % len(ITEMS)]} {chance.choice(WORDS)}"
    if layout.several_lines and chance.random() < 0.35:
        return f"{name} and all {chance.choice(WORDS)}\n{chance.choice(WORDS)} work"
    return name


def _value(layout: Layout, chance: random.Random, column: int) -> str:
    if layout.content == "words" or (layout.content == "mixed" and column % 2):
        wanted = chance.randint(1, 2)
        text = " ".join(chance.choice(WORDS) for _ in range(wanted))
        if layout.several_lines and chance.random() < 0.4:
            text = f"{text}\n{' '.join(chance.choice(WORDS) for _ in range(chance.randint(1, 2)))}"
        return text
    amount = chance.choice((chance.uniform(0, 10), chance.uniform(10, 9e3), chance.uniform(1e4, 3e6)))
    if chance.random() < 0.05:
        return "–"
    text = f"{amount:,.1f}" if amount < 1000 else f"{amount:,.0f}"
    if chance.random() < 0.12:
        return f"({text})"
    return f"$ {text}" if layout.currency else text


def _flowable(layout: Layout, table: Table) -> Drawn:
    height = 1 + max(row for row, _ in table.cells)
    texts = [[table.cells.get((row, column), "") for column in range(layout.columns)] for row in range(height)]
    pad = 2 if layout.narrow else 5 if layout.page_columns == 2 else 9
    style: list[Any] = [
        ("FONT", (0, 0), (-1, -1), "Helvetica", layout.size, layout.size * 1.2),
        ("FONT", (0, 0), (-1, table.header_rows - 1), "Helvetica-Bold", layout.size, layout.size * 1.2),
        ("VALIGN", (0, 0), (-1, -1), ("TOP", "MIDDLE", "BOTTOM")[layout.number % 3]),
        ("LEFTPADDING", (0, 0), (-1, -1), pad),
        ("RIGHTPADDING", (0, 0), (-1, -1), pad),
        ("TOPPADDING", (0, 0), (-1, -1), 2.5),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.5),
        *_rules(layout, table),
    ]
    style.extend(("SPAN", (at[1], at[0]), (at[1] + w - 1, at[0] + h - 1)) for at, (h, w) in table.spans.items())
    if table.spans:
        style.append(("ALIGN", (1, 0), (-1, 0), "CENTER"))
    if layout.content == "numbers":
        style.append(("ALIGN", (1, table.header_rows - 1), (-1, -1), "RIGHT"))
    elif layout.number % 2:
        style.append(("ALIGN", (1, 0), (-1, -1), "CENTER"))
    repeat = table.header_rows if layout.header_repeated else 0
    return Drawn(texts, style=style, repeatRows=repeat, hAlign=("LEFT", "CENTER")[layout.number % 2])


def _rules(layout: Layout, table: Table) -> list[Any]:
    last = table.header_rows - 1
    grey = colors.Color(0.4, 0.4, 0.4)
    if layout.rules == "full":
        return [("GRID", (0, 0), (-1, -1), 0.5, grey)]
    if layout.rules == "horizontal":
        return [("LINEBELOW", (0, 0), (-1, -1), 0.5, grey), ("LINEABOVE", (0, 0), (-1, 0), 0.8, grey)]
    if layout.rules == "booktabs":
        ends = [("LINEABOVE", (0, 0), (-1, 0), 1, colors.black), ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black)]
        return [*ends, ("LINEBELOW", (0, last), (-1, last), 0.5, colors.black)]
    if layout.rules == "boxed":
        inner = ("LINEAFTER", (0, 0), (-2, -1), 0.5, grey)
        return [("BOX", (0, 0), (-1, -1), 0.8, grey), ("LINEBELOW", (0, last), (-1, last), 0.8, grey), inner]
    if layout.rules == "striped":
        return [("ROWBACKGROUNDS", (0, table.header_rows), (-1, -1), [None, colors.Color(0.88, 0.92, 0.97)])]
    return []
