"""Tables beside each other are parted by captions, rules, heads or a wide gap; one table with a gap stays one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring import structure

HEIGHT = 842
STEP = 14
WIDTHS = (70, 45, 45)
Rows = Sequence[Sequence[str]]


def rows_of(names: str, heads: str = "Region 2019 2020", seed: int = 1) -> Rows:
    first, *others = heads.split()
    return [
        [first, *others],
        *(
            [name, *(f"{97 * seed * (at + 3 * n) % 883:,}" for n in range(len(others)))]
            for at, name in enumerate(names.split(), 2)
        ),
    ]


REGIONS = rows_of("North South East West Central Islands")
VESSELS = rows_of("Ferry Yacht Barge Tug Skiff Canoe", "Vessel Count Fees", 2)
TOWNS = rows_of("Alba Brion Corta Delma Evora Faro", seed=3)


def put(canvas: Canvas, x: float, y: float, rows: Rows, widths: Sequence[float], rules: str) -> None:
    """Draw a table from its top left corner, numbers ranged right."""
    for at, row in enumerate(rows):
        canvas.setFont("Helvetica" if at else "Helvetica-Bold", 9)
        left = x
        for column, (text, width) in enumerate(zip(row, widths, strict=True)):
            if column:
                canvas.drawRightString(left + width - 4, HEIGHT - y - STEP * at, text)
            else:
                canvas.drawString(left + 2, HEIGHT - y - STEP * at, text)
            left += width
    heights = {"none": [], "book": [0, 1, len(rows)], "full": range(len(rows) + 1)}[rules]
    for at in heights:
        canvas.line(x, HEIGHT - y + 10 - STEP * at, x + sum(widths), HEIGHT - y + 10 - STEP * at)
    for at in range(len(widths) + 1) if rules == "full" else ():
        left = x + sum(widths[:at])
        canvas.line(left, HEIGHT - y + 10, left, HEIGHT - y + 10 - STEP * len(rows))


def tables(path: Path, draw: Callable[[Canvas], None]) -> list[Grid]:
    canvas = Canvas(str(path), pagesize=(595, HEIGHT))
    canvas.setFont("Helvetica", 10)
    canvas.drawString(
        60, HEIGHT - 80, "The board of the harbour met in spring and looked at the figures of the year before."
    )
    draw(canvas)
    canvas.save()
    blocks = structure(extract(path), name="a.pdf", digest="0" * 64).blocks
    found = zip(blocks.kind.tolist(), blocks.grid, strict=True)
    return [Grid.from_json(str(grid)) for kind, grid in found if kind == Kind.TABLE]


def both(left: Rows, right: Rows, rules: str, at: float = 320, caption: str = "") -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        if caption:
            canvas.drawString(62, HEIGHT - 115, f"{caption} 1: Passengers")
            canvas.drawString(at + 2, HEIGHT - 115, f"{caption} 2: Vessels")
        put(canvas, 60, 140, left, WIDTHS, rules)
        put(canvas, at, 140, right, WIDTHS, rules)

    return draw


@pytest.mark.parametrize("rules", ["none", "book", "full"])
@pytest.mark.parametrize(
    ("left", "right"),
    [(REGIONS, VESSELS), (REGIONS, TOWNS), ([*REGIONS, *TOWNS[1:3]], VESSELS[:5])],
    ids=["others", "heads again", "one is longer"],
)
def test_two_tables_are_two(tmp_path: Path, left: Rows, right: Rows, rules: str) -> None:
    found = tables(tmp_path / "a.pdf", both(left, right, rules))
    assert sorted(grid.rows() for grid in found) == sorted([[*map(list, left)], [*map(list, right)]])


@pytest.mark.parametrize(("rules", "caption"), [("book", ""), ("full", ""), ("none", "Table"), ("none", "Tabelle")])
def test_where_they_are_close_captions_or_rules_part_them(tmp_path: Path, rules: str, caption: str) -> None:
    found = tables(tmp_path / "a.pdf", both(REGIONS, VESSELS, rules, at=250, caption=caption))
    assert [grid.rows() for grid in found] == [[*map(list, REGIONS)], [*map(list, VESSELS)]]


def test_heads_that_come_again_part_three(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for at, part in enumerate((REGIONS, TOWNS, rows_of("Gala Hove Ilse Jura Kolm Lund", seed=5))):
            put(canvas, 40 + 178 * at, 140, part, WIDTHS, "none")

    assert [grid.width for grid in tables(tmp_path / "a.pdf", draw)] == [3, 3, 3]


@pytest.mark.parametrize("rules", ["none", "book", "full"])
@pytest.mark.parametrize(
    ("heads", "widths"),
    [
        ("Region 2017 2018 2019 2020", (90, 60, 60, 60, 60)),
        ("Region 2019 2020 2019 2020", (90, 50, 50, 150, 50)),
        ("Region 2019 2020 Passengers Crew", (90, 50, 50, 170, 60)),
    ],
    ids=["years", "a gap", "other heads after a gap"],
)
def test_one_table_with_a_gap_is_one(tmp_path: Path, heads: str, widths: Sequence[float], rules: str) -> None:
    rows = rows_of("North South East West Central Islands", heads)
    found = tables(tmp_path / "a.pdf", lambda canvas: put(canvas, 60, 140, rows, widths, rules))
    assert [grid.rows() for grid in found] == [[*map(list, rows)]]


def test_rules_under_columns_part_nothing(tmp_path: Path) -> None:
    rows = rows_of("North South East West Central Islands", "Region 2017 2018 2019 2020")

    def draw(canvas: Canvas) -> None:
        put(canvas, 60, 140, rows, (90, 60, 60, 60, 60), "none")
        for x in (165, 225, 285, 345):
            for y in (144, 144 + 5 * STEP, 144 + 6 * STEP):
                canvas.line(x, HEIGHT - y, x + 40, HEIGHT - y)

    assert [grid.width for grid in tables(tmp_path / "a.pdf", draw)] == [5]


WRAPPED = (
    "The board of the harbour met in spring and looked",
    "at the figures of the year. More passengers came,",
    "and the income rose too. New ships were bought in",
    "the autumn of the year and the old one was sold.",
)
LABELS = ("Ferries of the northern line", "Yachts", "Barges with a crew of their own", "Tugs")


@pytest.mark.parametrize(
    ("texts", "is_apart", "is_left"), [(WRAPPED, True, True), (WRAPPED, True, False), (LABELS, False, True)]
)
def test_a_paragraph_beside_a_table_is_no_part_of_it(
    tmp_path: Path, texts: Sequence[str], is_apart: bool, is_left: bool
) -> None:
    def draw(canvas: Canvas) -> None:
        put(canvas, 320 if is_left else 60, 140, REGIONS[:5], WIDTHS, "none")
        for at, text in enumerate(texts, 1):
            canvas.drawString(60 if is_left else 250, HEIGHT - 140 - STEP * at, text)

    (found,) = tables(tmp_path / "a.pdf", draw)
    assert found.width == (3 if is_apart else 4)
    assert found.rows()[0][-3 if is_apart or is_left else 0 :][:3] == ["Region", "2019", "2020"]


def test_each_cell_may_have_a_frame_of_its_own(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        for left, rows in ((60, REGIONS), (60 + sum(WIDTHS) + 6, VESSELS)):
            put(canvas, left, 140, rows, WIDTHS, "none")
            for at in range(len(rows)):
                for column, width in enumerate(WIDTHS):
                    x, y = left + sum(WIDTHS[:column]), HEIGHT - 144 - STEP * at
                    canvas.rect(x, y, width, STEP)
                    canvas.rect(x + 0.5, y + 0.5, width - 1, STEP - 1)

    assert [grid.width for grid in tables(tmp_path / "a.pdf", draw)] == [3, 3]
