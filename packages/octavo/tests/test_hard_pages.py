"""Pages as scanners, slides, brochures, releases and filings set them, which read wrong by the simplest rules."""

from __future__ import annotations

import dataclasses
import itertools
import random
from collections.abc import Sequence

import pytest

from octavo.models.ports import RecognizedLine
from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.content import Graphic, PageContent, TextLine
from octavo_documents.parsing.recognition import recognized_lines, with_recognized
from printed import HEIGHT, WIDTH, line, outline, page, prose, rows, structured, text


def tables(document: Document) -> list[list[list[str]]]:
    """The cells of each table, row by row."""
    grids = [document.blocks.grid[row] for row in range(len(document.blocks)) if document.blocks.grid[row]]
    return [Grid.from_json(grid).rows() for grid in grids]


def flat(x0: float, y: float, x1: float) -> Graphic:
    return Graphic("line", (x0, y, x1, y + 0.5))


def upright(x: float, y0: float, y1: float) -> Graphic:
    return Graphic("line", (x, y0, x + 0.5, y1))


# Scans


def strips(count: int, box: Sequence[float] = (0.0, 0.0, WIDTH, HEIGHT)) -> list[Graphic]:
    """A picture cut into strips across the page."""
    x0, y0, x1, y1 = box
    step = (y1 - y0) / count
    return [Graphic("image", (x0, y0 + at * step, x1, y0 + (at + 1) * step)) for at in range(count)]


@pytest.mark.parametrize("box", [(0.0, 0.0, WIDTH, HEIGHT), (60.0, 90.0, 560.0, 620.0)])
def test_strips_of_a_picture_behind_text_are_its_background(box: tuple[float, float, float, float]) -> None:
    columns = [*text(prose(120, seed="left"), 72, 100, 220), *text(prose(120, seed="right"), 320, 100, 220)]
    document = structured(page(columns, graphics=strips(22, box)))
    assert not rows(document, Kind.FIGURE)
    assert [block.split()[0] for block in rows(document, Kind.PARAGRAPH)] == ["leftaa", "rightaa"]


def test_strips_of_a_picture_beside_text_are_one_figure() -> None:
    document = structured(page(text(prose(120), 72, 400, 468), graphics=strips(8, (100.0, 80.0, 500.0, 360.0))))
    assert len(rows(document, Kind.FIGURE)) == 1


def double_spaced(number: int, heading: str, dice: random.Random) -> PageContent:
    """A page read by OCR: sizes scatter, lines stand two type sizes apart, the heading is centred and underlined."""
    x = WIDTH / 2 - 3 * len(heading)
    lines = [line(heading, x, 80, size=12)]
    rule = flat(x, 92.5, x + 6 * len(heading))
    y = 104.0
    for part in range(3):
        for at, row in enumerate(text(prose(50, seed=f"p{chr(96 + part + number)}") + ".", 72, y, 468, size=12)):
            words, indent = (row.text.capitalize(), 36) if at == 0 else (row.text, 0)
            size = 12 + dice.choice((-1.0, -0.5, 0.0, 0.5, 1.0))
            width = row.box[2] - row.box[0] - indent
            read = line(words, 72 + indent, y + dice.uniform(-1, 1), size=size, width=width)
            lines.append(dataclasses.replace(read, confidence=0.95))
            y += 24
    return page(lines, number, graphics=[rule])


def test_double_spaced_lines_are_paragraphs_under_their_underlined_headings() -> None:
    dice, titles = random.Random(3), ["INTRODUCTION", "ARGUMENT", "DISCUSSION", "CONCLUSION"]
    document = structured(*(double_spaced(at, title, dice) for at, title in enumerate(titles, start=1)))
    assert [title for _, title in outline(document)] == titles
    assert [block.count(" ") for block in rows(document, Kind.PARAGRAPH)] == [49] * 12


def read_line(words: str, x0: float, y0: float, x1: float, y1: float) -> RecognizedLine:
    return RecognizedLine(words, (x0, y0, x1, y1), 0.99)


def test_a_stamp_in_the_text_layer_that_ocr_reads_too_is_there_once() -> None:
    stamp = [line("Case 3:12-cv-00123", 72, 20, width=120), line("Document 8", 230, 20, width=80)]
    found = recognized_lines(
        [read_line("Case 3:12-cv-00123 Document 8", 70, 17, 314, 34), read_line("The matter", 72, 100, 200, 114)],
        scale=1.0,
    )
    assert [item.text for item in with_recognized(stamp, found)] == ["Case 3:12-cv-00123", "Document 8", "The matter"]


def test_signs_read_as_ideographs_are_bullets_where_all_else_is_letters() -> None:
    found = [
        read_line(words, 0, 0, 9, 9) for words in ("口 Install the pump", "一", "Then open the valve and wait for it")
    ]
    assert [item.text for item in recognized_lines(found, scale=1.0)] == [
        "• Install the pump", "•", "Then open the valve and wait for it",
    ]  # fmt: skip


# Slides


def slide(title: str, number: int) -> PageContent:
    lines = [line(title, 60, 30, size=32)]
    for at in range(3):
        y = 130 + 60 * at
        lines += [line("\uf0a7", 60, y, size=20, width=10), line(f"Bold point number {at}", 84, y, size=24, bold=True)]
        lines += [
            line("–", 100, y + 30, size=16, width=8),
            line(f"what is said of it in slide {number}", 120, y + 30, size=18),
        ]
    return page(lines, number, width=960.0, height=540.0)


def test_titles_of_slides_that_repeat_stay_in_the_outline_and_bullets_are_items() -> None:
    titles = ["Review", "Results", "Results", "Results", "Agenda", "Results", "Results", "Results", "Agenda", "Results"]
    document = structured(*(slide(title, at) for at, title in enumerate(titles, start=1)))
    assert [title for _, title in outline(document)] == titles[1:]
    assert rows(document, Kind.TITLE) == titles[:1]
    assert not rows(document, Kind.PAGE_HEADER, Kind.TABLE)
    items = rows(document, Kind.LIST_ITEM)
    assert items[:2] == ["\uf0a7 Bold point number 0", "– what is said of it in slide 1"]
    assert len(items) == 60


# Brochures

HEADS = ("Model", "Length", "Width", "Weight", "Price")


def full_page_table(number: int) -> PageContent:
    lines = [line(head, 60 + 100 * at, 40, bold=True) for at, head in enumerate(HEADS)]
    for row in range(20):
        cells = [f"K{number}{row}", *(str(100 * row + 7 * at + number) for at in range(1, 5))]
        lines += [line(cell, 60 + 100 * at, 60 + 34 * row) for at, cell in enumerate(cells)]
    return page(lines, number, graphics=[flat(55, 54 + 34 * row, 560) for row in range(20)])


def test_heads_of_a_table_that_fills_every_page_are_no_page_headers() -> None:
    document = structured(*map(full_page_table, range(1, 5)))
    assert not rows(document, Kind.PAGE_HEADER, Kind.PAGE_FOOTER)
    found = tables(document)
    assert [len(table) for table in found] == [21] * 4
    assert all(tuple(table[0]) == HEADS for table in found)


def test_a_header_between_rules_of_cells_belongs_to_the_table() -> None:
    def form(number: int) -> PageContent:
        lines = [line("Exhibit 300", 250, 20)]
        walls = [72, 192, 312, 432]
        for row in range(12):
            cells = HEADS[:3] if row == 0 else tuple(f"cell {number} {row} {at}" for at in range(3))
            lines += [line(cell, wall + 6, 52 + 24 * row) for cell, wall in zip(cells, walls, strict=False)]
        floors = [flat(walls[0], 46 + 24 * row, walls[-1]) for row in range(13)]
        return page(lines, number, graphics=[*floors, *(upright(wall, 46, 46 + 24 * 12) for wall in walls)])

    document = structured(*map(form, range(1, 6)))
    assert rows(document, Kind.PAGE_HEADER) == ["Exhibit 300"] * 5
    assert [table[0] for table in tables(document)] == [list(HEADS[:3])] * 5


def test_one_sentence_over_three_lines_is_one_heading() -> None:
    title = ["How a garden comes", "to life with flowers", "that last all summer"]
    lines = [line(words, 72, 200 + 40 * at, size=20, color=0x2255AA) for at, words in enumerate(title)]
    document = structured(
        page(text(prose(300), 72, 100, 468), 1),
        page([*text(prose(60), 72, 72, 468), *lines, *text(prose(200), 72, 340, 468)], 2),
    )
    assert [found for _, found in outline(document)] == ["How a garden comes to life with flowers that last all summer"]


# Releases

STATEMENT = (
    ("Revenue", "46,298", "51,761"), ("Cost of sales", "36,386", "40,121"), ("Gross profit", "9,912", "11,640"),
    ("Contingencies (Note 13)",), ("Equity",), ("Shareholders' equity:",), ("Preferred stock", "22", "23"),
    ("Paid-in capital", "21", "17"), ("Retained earnings", "2,430", "2,668"), ("Total equity", "2,795", "3,020"),
)  # fmt: skip


def statement(top: float, *, x: float = 72.0) -> list[TextLine]:
    lines = [line("2023", 352, top - 14, bold=True), line("2022", 452, top - 14, bold=True)]
    for at, (label, *values) in enumerate(STATEMENT):
        lines.append(line(label, x, top + 14 * at))
        lines += [
            line(value, right - 5 * len(value), top + 14 * at) for right, value in zip((372, 472), values, strict=False)
        ]
    return lines


def test_painted_rows_are_one_table_though_some_have_labels_alone() -> None:
    paint = [Graphic("fill", (70, 98 + 28 * at, 500, 112 + 28 * at), 0xCCDDFF) for at in range(5)]
    sums = [flat(x, 98 + 14 * row, x + 40) for x in (340.0, 440.0) for row in (2, 9, 10)]
    document = structured(page(statement(100), graphics=[*paint, *sums]))
    assert not rows(document, Kind.FIGURE, Kind.CHART, Kind.PARAGRAPH, Kind.HEADING)
    (table,) = tables(document)
    assert [row[0] for row in table[1:]] == [label for label, *_ in STATEMENT]


def test_rules_drawn_cell_by_cell_are_whole_and_part_no_columns() -> None:
    edges = [70.0, 250.0, 330.0, 345.0, 430.0, 500.0]
    rules = [flat(x0, y, x1) for y in (80, 97, 241) for x0, x1 in itertools.pairwise(edges)]
    document = structured(page(statement(100), graphics=rules))
    (table,) = tables(document)
    assert table[0] == ["", "2023", "2022"]
    assert [row[0] for row in table[1:]] == [label for label, *_ in STATEMENT]


def test_cells_of_running_words_between_walls_are_a_table() -> None:
    walls, floors = [72.0, 192.0, 332.0, 540.0], [100.0, 160.0, 230.0, 300.0, 370.0, 430.0]
    lines: list[TextLine] = []
    for x0, x1 in itertools.pairwise(walls):
        for at, y in enumerate(floors[:-1]):
            lines += text(prose(8, seed=f"c{chr(97 + at)}"), x0 + 5, y + 6, x1 - x0 - 10)
    rules = [flat(walls[0], y, walls[-1]) for y in floors] + [upright(x, floors[0], floors[-1]) for x in walls]
    document = structured(page(lines, graphics=rules))
    (table,) = tables(document)
    assert [len(row) for row in table] == [3] * 5
    assert not rows(document, Kind.PARAGRAPH, Kind.LIST_ITEM)


# Filings


def section(title: str, y: float, *, caps: bool = False, words: int = 60) -> list[TextLine]:
    heading = line(title.upper() if caps else title, 72, y, bold=True)
    return [heading, *text(prose(words), 72, y + 20, 468)]


def filing() -> list[PageContent]:
    names = [(f"Item {at}.", title) for at, title in enumerate(("Business", "Properties", "Proceedings"), start=1)]
    pages = [
        page([row for at, (item, title) in enumerate(names) for row in section(f"{item} {title}", 72 + 200 * at)], 1)
    ]
    report = section("Item 8. Financial Statements", 72) + section(
        "Report of Independent Registered Public Accounting Firm", 250, caps=True
    )
    pages.append(page([*report, *section("Definition and Limitations", 450)], 2))
    for number, title in ((3, "Consolidated Balance Sheets"), (4, "Consolidated Statements of Earnings")):
        unit = line("$ in millions, except per share", 72, 92, italic=True)
        pages.append(page([line(title, 72, 80, bold=True), unit, *statement(140)], number))
    pages.append(page(section("Item 9. Controls", 72) + section("Item 10. Directors", 300), 5))
    return pages


def test_statements_stand_under_their_item_and_not_under_the_auditor_s_report() -> None:
    document = structured(*filing())
    levels = {title: level for level, title in outline(document)}
    own = levels["Item 8. Financial Statements"] + 1
    assert levels["REPORT OF INDEPENDENT REGISTERED PUBLIC ACCOUNTING FIRM"] == own
    assert levels["Consolidated Balance Sheets"] == levels["Consolidated Statements of Earnings"] == own
    assert levels["Definition and Limitations"] == own + 1
    assert levels["Item 9. Controls"] == own - 1


def test_contents_without_a_title_are_told_by_page_numbers_that_never_fall() -> None:
    entries = [line(f"Chapter about subject {chr(65 + at)}", 72, 100 + 20 * at, bold=True) for at in range(10)]
    numbers = [line(str(4 + 3 * at), 530, 100 + 20 * at, width=10) for at in range(10)]
    document = structured(page([*entries, *numbers], 1), page(text(prose(300), 72, 100, 468), 2))
    assert not outline(document)
    assert rows(document, Kind.LIST_ITEM) == [f"Chapter about subject {chr(65 + at)} {4 + 3 * at}" for at in range(10)]


def test_the_name_and_office_under_a_signature_are_no_headings() -> None:
    signed = [line("/s/ MARTHA JONES", 300, 500), line("Martha Jones", 300, 520, bold=True)]
    office = line("Chief Financial Officer", 300, 545, bold=True)
    body = section("Part of the agreement", 72) + section("Another part of it", 250)
    document = structured(page([*body, *signed, office]))
    assert [title for _, title in outline(document)] == ["Part of the agreement", "Another part of it"]


# Lines


def test_a_line_that_goes_on_small_belongs_to_the_one_above_whatever_its_colour() -> None:
    first = line("the public identified as independents, and for more on this over time see our", 72, 100, width=460)
    link = line("report on parties and what they stand for in these years.", 72, 114, color=0xCC7700)
    assert len(rows(structured(page([first, link])), Kind.PARAGRAPH)) == 1


def test_labels_of_two_columns_are_not_joined_row_by_row() -> None:
    left, right = ["Any social", "channel that", "drives traffic"], ["Letters and", "parcels and", "calls at home"]
    lines = [
        line(words, x, 100 + 14 * at) for x, words_ in ((72, left), (400, right)) for at, words in enumerate(words_)
    ]
    found = " | ".join(rows(structured(page(lines)), Kind.PARAGRAPH))
    assert "Any social Letters" not in found
    assert "and channel" not in found
