"""Units and passages: what is matched with a question, and how much around it a person is shown."""

from __future__ import annotations

import dataclasses
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexed import view_of
from octavo.evidence import View
from octavo.operators.extractive.passages import expand_passage, render_passage
from octavo.operators.extractive.units import MOST_WORDS, Stream, stream_of, units_of
from octavo_documents.document import Document, Kind, LinkKind, LinkTable, TextColumn
from octavo_documents.document.grid import Grid
from synthetic import Row, document, with_tables

LEADERS = "4 Survey ........................ 12"
ACCOUNTS = [["", "2014", "2015"], ["Ferries:"], ["Fares", "410", "475"], ["Freight", "96", "88"], ["Wages", "7", "9"]]


def stream_with(source: Document, page: int = 0) -> tuple[View, Stream]:
    view = view_of(source)
    return view, stream_of(view, page)


def passage(source: Document, words: str) -> tuple[str, str]:
    """Return the passage around the first unit with some words, and the part of it that is emphasised."""
    view = view_of(source)
    for page in range(int(view.page_starts[-1])):
        stream = stream_of(view, page)
        for at in range(stream.start, stream.stop):
            if words in stream.units[at].shown:
                text, ((start, stop),) = render_passage(view, stream, expand_passage(view, stream, at), at)
                return text, text[start:stop]
    raise AssertionError(f"no unit has {words!r}")


def sentence(number: int, words: int) -> str:
    return f"Sentence {number} " + "ropes " * (words - 3) + "end."


def test_a_unit_is_a_whole_sentence_with_its_short_forms() -> None:
    text = "Dr. Weiss, i.e. the keeper, left at 5.30 a.m. on Monday. Was the ferry late? It was!"
    view, stream = stream_with(document([(Kind.PARAGRAPH, text, 1, 0)]))
    assert [unit.shown for unit in stream.units] == [
        "Dr. Weiss, i.e. the keeper, left at 5.30 a.m. on Monday.",
        "Was the ferry late?",
        "It was!",
    ]
    assert [view.blocks.text[0][unit.start : unit.stop].strip() for unit in stream.units] == [
        unit.shown for unit in stream.units
    ]


def test_lines_of_a_block_stay_apart_and_marks_alone_are_no_unit() -> None:
    text, emphasis = passage(
        document([(Kind.PARAGRAPH, "Open daily\n* * *\nClosed in May. Call first.", 1, 0)]), "Closed"
    )
    assert text == "Open daily\nClosed in May. Call first."
    assert emphasis == "Closed in May."


@pytest.mark.parametrize(
    "text",
    [
        "Messages such as < . . . > are shown in the box.",
        "The keeper waits . . . and goes on. Then he sleeps.",
        "The log ends. *** The next one begins.",
    ],
)
def test_signs_between_words_are_shown(text: str) -> None:
    view, stream = stream_with(document([(Kind.PARAGRAPH, text, 1, 0)]))
    shown, _ = render_passage(view, stream, expand_passage(view, stream, 0), 0)
    assert shown == text


def test_a_row_is_matched_with_its_heads_and_shown_as_printed() -> None:
    source = with_tables(document([(Kind.TABLE, "", 1, 0)]), {0: ACCOUNTS})
    rows = units_of(view_of(source), 0)
    assert [unit.shown for unit in rows] == ["Ferries:", "Fares | 410 | 475", "Freight | 96 | 88", "Wages | 7 | 9"]
    assert rows[1].text == "Ferries: Fares; 2014: 410; 2015: 475"
    assert {unit.heads for unit in rows} == {(" | 2014 | 2015",)}
    assert [unit.label for unit in rows] == ["", "Ferries:", "Ferries:", "Ferries:"]


def test_a_row_comes_with_its_caption_its_heads_and_the_label_of_its_group() -> None:
    long = [["", "2014", "2015"], ["Ferries:"], *([f"Line {at}", "1 " * 8, "2 " * 8] for at in range(40))]
    rows: list[Row] = [(Kind.CAPTION, "Table 1: What came in", 1, 0), (Kind.TABLE, "", 1, 0)]
    text, emphasis = passage(with_tables(document(rows), {1: long}, {1: 0}), "Line 30 ")
    lines = text.split("\n")
    assert lines[:4] == ["Table 1: What came in", " | 2014 | 2015", "… 28 more rows", "Ferries:"]
    assert lines[-1] == "… 7 more rows"
    assert emphasis in lines
    assert emphasis.startswith("Line 30 |")
    assert [line.split(" |")[0] for line in lines[4:-1]] == [f"Line {at}" for at in range(28, 33)]
    assert len(text.split()) <= MOST_WORDS + 8


def test_a_row_without_a_caption_comes_with_the_line_before_its_table() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, "(in thousands of dollars)", 1, 0), (Kind.TABLE, "", 1, 0)]
    long = [["", "2014"], *([f"Line {at}", "1 " * 30] for at in range(9))]
    text, _ = passage(with_tables(document(rows), {1: long}), "Line 7 ")
    assert text.startswith("(in thousands of dollars)\n | 2014\n… 6 more rows\nLine ")


def test_a_row_comes_with_the_line_between_its_caption_and_its_table() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "The fares rose.", 1, 0),
        (Kind.CAPTION, "Table 1: What came in", 1, 0),
        (Kind.PARAGRAPH, "(in thousands)", 1, 0),
        (Kind.TABLE, "", 1, 0),
    ]
    long = [["", "2014"], *([f"Line {at}", "1 " * 30] for at in range(9))]
    text, _ = passage(with_tables(document(rows), {3: long}, {3: 1}), "Line 7 ")
    assert text.startswith("Table 1: What came in\n(in thousands)\n | 2014\n… 6 more rows\nLine ")
    short, _ = passage(with_tables(document(rows), {3: long[:3]}, {3: 1}), "Line 1 ")
    assert short.startswith("The fares rose.\nTable 1: What came in\n(in thousands)\n | 2014\nLine 0")


def test_a_row_of_a_table_without_heads_comes_with_its_caption_and_label() -> None:
    long = Grid.of_rows([["Ferries:"], *([f"Line {at}", "1 " * 30] for at in range(9))])
    rows: list[Row] = [(Kind.CAPTION, "Table 1: What came in", 1, 0), (Kind.TABLE, "", 1, 0)]
    text, _ = passage(with_tables(document(rows), {1: long}, {1: 0}), "Line 7 ")
    assert text.startswith("Table 1: What came in\n… 6 more rows\nFerries:\nLine ")


def test_the_heads_of_an_earlier_part_of_a_table_are_shown_with_its_rows() -> None:
    rest = Grid.of_rows([["Fares", "410", "475"]])
    carried = Grid(rest.height, rest.width, rest.cells, carried=("", "2014", "2015"))
    text, _ = passage(with_tables(document([(Kind.TABLE, "", 1, 0)]), {0: carried}), "Fares")
    assert text == " | 2014 | 2015\nFares | 410 | 475"


def test_heads_that_go_on_over_a_page_are_shown_once() -> None:
    rest = Grid.of_rows([["Wages", "7", "9"]])
    tables = {0: ACCOUNTS[:1] + ACCOUNTS[2:4], 1: Grid(1, 3, rest.cells, carried=("", "2014", "2015"))}
    source = with_tables(document([(Kind.TABLE, "", 1, 0), (Kind.TABLE, "", 2, 0)]), tables)
    text, emphasis = passage(source, "Wages")
    assert text == " | 2014 | 2015\nFares | 410 | 475\nFreight | 96 | 88\nWages | 7 | 9"
    assert emphasis == "Wages | 7 | 9"


def test_the_row_after_a_total_is_not_of_its_group() -> None:
    rows = [["", "2014"], ["Ferries:"], ["Fares", "410"], ["Total ferries", "506"], ["Museum", "12"]]
    view = view_of(with_tables(document([(Kind.TABLE, "", 1, 0)]), {0: rows}))
    assert [unit.label for unit in units_of(view, 0)] == ["", "Ferries:", "Ferries:", ""]


def test_a_change_of_group_within_a_passage_is_told() -> None:
    rows = [["", "2014"], ["Ferries:"], ["Fares", "410"], ["Museum:"], ["Tickets", "12"], ["Gifts", "3"]]
    text, emphasis = passage(with_tables(document([(Kind.TABLE, "", 1, 0)]), {0: rows}), "Tickets")
    assert text == " | 2014\nFerries:\nFares | 410\nMuseum:\nTickets | 12\nGifts | 3"
    assert emphasis == "Tickets | 12"


def test_an_item_comes_with_what_the_list_is_of_and_how_many_are_left_out() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "3 Safety", 1, 1),
        (Kind.PARAGRAPH, "Every visitor needs the following:", 1, 0),
        *((Kind.LIST_ITEM, f"• Thing {at} " + "rope " * 24, 1, 1) for at in range(12)),
    ]
    text, emphasis = passage(document(rows), "Thing 9")
    assert text.startswith("Every visitor needs the following:\n… 8 more items\n• Thing ")
    assert emphasis.startswith("• Thing 9 rope")
    short, _ = passage(document([*rows[:2], *((Kind.LIST_ITEM, f"• Thing {at}", 1, 1) for at in range(3))]), "Thing 2")
    assert short == "Every visitor needs the following:\n• Thing 0\n• Thing 1\n• Thing 2"


def test_a_list_that_goes_on_over_a_page_keeps_what_it_is_of() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "Every visitor needs the following:", 1, 0),
        *((Kind.LIST_ITEM, f"• Thing {at} " + "rope " * 24, 1, 1) for at in range(6)),
        (Kind.PAGE_FOOTER, "Harbour report", 1, 0),
        *((Kind.LIST_ITEM, f"• Thing {at} " + "rope " * 24, 2, 1) for at in range(6, 12)),
    ]
    text, _ = passage(document(rows), "Thing 9")
    assert text.startswith("Every visitor needs the following:\n… 8 more items\n• Thing ")


def test_a_long_text_before_a_list_is_not_what_it_is_of() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, "The pier " + "is long and " * 30 + "old.", 1, 0),
        *((Kind.LIST_ITEM, f"• Thing {at} " + "rope " * 50, 1, 1) for at in range(4)),
    ]
    assert passage(document(rows), "Thing 3")[0].startswith("… 2 more items\n• Thing 2 rope")


def test_growth_stops_at_another_section() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "1 Staff", 1, 1),
        (Kind.PARAGRAPH, sentence(1, 35), 1, 0),
        (Kind.PARAGRAPH, sentence(2, 35), 1, 0),
        (Kind.HEADING, "2 Finance", 1, 1),
        (Kind.PARAGRAPH, "It pays.", 1, 0),
    ]
    text, emphasis = passage(document(rows), "Sentence 2")
    assert text == f"{sentence(1, 35)}\n{sentence(2, 35)}"
    assert emphasis == sentence(2, 35)


def test_a_short_passage_goes_on_over_headings_of_its_own_section_alone() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "1 Staff", 1, 1),
        (Kind.PARAGRAPH, "420 people.", 1, 0),
        (Kind.HEADING, "1.1 Crews", 1, 2),
        (Kind.PARAGRAPH, "Six each.", 1, 0),
        (Kind.HEADING, "2 Finance", 1, 1),
        (Kind.PARAGRAPH, "It pays.", 1, 0),
    ]
    assert passage(document(rows), "420")[0] == "420 people.\n1.1 Crews\nSix each."
    assert passage(document(rows), "Six")[0] == "Six each."


def test_a_slide_is_read_over_its_headings_and_never_with_the_next() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "Staff", 1, 1),
        (Kind.PARAGRAPH, "420 people.", 1, 0),
        (Kind.HEADING, "Finance", 1, 1),
        (Kind.PARAGRAPH, "It pays.", 1, 0),
        (Kind.PARAGRAPH, "Since 1999.", 2, 0),
    ]
    source = document(rows)
    turned = dataclasses.replace(source.pages, width=source.pages.height, height=source.pages.width)
    assert passage(dataclasses.replace(source, pages=turned), "420")[0] == "420 people.\nFinance\nIt pays."
    labelled = dataclasses.replace(source.pages, label=TextColumn.of(["slide 1", "slide 2"]))
    assert passage(dataclasses.replace(source, pages=labelled), "pays")[0] == "It pays."
    parts = dataclasses.replace(source.pages, label=TextColumn.of(["part 1", "part 2"]))
    assert passage(dataclasses.replace(source, pages=parts), "pays")[0] == "It pays.\nSince 1999."


def test_a_short_table_or_list_is_whole_whatever_row_is_asked_for() -> None:
    rows = [["Wood", "Price"], *([f"Wood {at}", "1 " * 5] for at in range(12))]
    table = with_tables(document([(Kind.PARAGRAPH, sentence(1, 100), 1, 0), (Kind.TABLE, "", 1, 0)]), {1: rows})
    for at in (0, 6, 11):
        text, emphasis = passage(table, f"Wood {at} ")
        assert [line.split(" |")[0] for line in text.split("\n")] == ["Wood", *(f"Wood {at}" for at in range(12))]
        assert emphasis.startswith(f"Wood {at} |")
    steps: list[Row] = [(Kind.LIST_ITEM, f"{at}. Turn " + "slowly " * 15, 1, 1) for at in range(1, 7)]
    before: Row = (Kind.PARAGRAPH, sentence(1, 100), 1, 0)
    text, _ = passage(document([before, (Kind.PARAGRAPH, "Do this:", 1, 0), *steps]), "6. Turn")
    assert [line.split()[0] for line in text.split("\n")] == ["Do", *(f"{at}." for at in range(1, 7))]


def test_what_is_left_out_of_a_list_is_told_on_both_sides() -> None:
    steps: list[Row] = [(Kind.LIST_ITEM, f"{at}. Turn " + "slowly " * 28, 1, 1) for at in range(1, 10)]
    text, _ = passage(document([(Kind.PARAGRAPH, "Do this:", 1, 0), *steps]), "4. Turn")
    lines = text.split("\n")
    assert lines[:2] == ["Do this:", "… 2 more items"]
    assert [line.split()[0] for line in lines[2:-1]] == ["3.", "4.", "5."]
    assert lines[-1] == "… 4 more items"


def test_rows_on_other_pages_of_a_table_are_counted() -> None:
    part = Grid.of_rows([[f"Line {at}", "1 " * 30] for at in range(9)])
    rest = Grid(part.height, part.width, part.cells, carried=("", "2014"))
    source = with_tables(document([(Kind.TABLE, "", page, 0) for page in (1, 2, 3)]), {0: part, 1: rest, 2: rest})
    continues = LinkTable(
        source=np.array([1, 2], np.int32),
        target=np.array([0, 1], np.int32),
        kind=np.full(2, LinkKind.CONTINUES, np.uint8),
        weight=np.ones(2, np.float32),
        text=TextColumn.of(["", ""]),
    )
    text, _ = passage(dataclasses.replace(source, links=continues), "Line 4 ")
    assert text.startswith("… 3 more rows\nLine 3 |")
    assert text.endswith("\n… 21 more rows")


def test_a_caption_comes_with_rows_of_its_table() -> None:
    rows: list[Row] = [
        (Kind.PARAGRAPH, sentence(1, 80), 1, 0),
        (Kind.CAPTION, "Table 1: What came in", 1, 0),
        (Kind.TABLE, "", 1, 0),
    ]
    table = [["", "2014"], *([f"Line {at}", "1 " * 12] for at in range(30))]
    text, emphasis = passage(with_tables(document(rows), {2: table}, {2: 1}), "What came in")
    assert emphasis == "Table 1: What came in"
    assert text.startswith("Table 1: What came in\n | 2014\nLine 0 |")
    assert text.count("Line ") >= 6
    assert text.endswith("more rows")


def test_a_block_that_has_no_room_is_cut_at_sentences_and_nothing_else_is_added() -> None:
    long = " ".join(sentence(at, 30) for at in range(8))
    source = document([(Kind.PARAGRAPH, "Before it.", 1, 0), (Kind.PARAGRAPH, long, 1, 0)])
    text, emphasis = passage(source, "Sentence 4")
    assert text == " ".join(sentence(at, 30) for at in (3, 4, 5, 6))
    assert emphasis == sentence(4, 30)


def test_what_goes_on_on_the_next_page_is_read_too() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "1 Staff", 1, 1),
        (Kind.PARAGRAPH, "The company employs", 1, 0),
        (Kind.PAGE_FOOTER, "Harbour report 1", 1, 0),
        (Kind.PAGE_HEADER, "Staff", 2, 0),
        (Kind.PARAGRAPH, "420 people.", 2, 0),
        (Kind.PARAGRAPH, "Half work at night.", 3, 0),
    ]
    _, stream = stream_with(document(rows), 1)
    assert [unit.shown for unit in stream.units[stream.start : stream.stop]] == ["420 people."]
    assert passage(document(rows), "420")[0] == "The company employs\n420 people.\nHalf work at night."


def test_pages_of_another_document_are_not_beside() -> None:
    one, other = (document([(Kind.PARAGRAPH, text, 1, 0)], name=text) for text in ("First text.", "Second text."))
    view = view_of(one, other)
    assert [[unit.shown for unit in stream_of(view, page).units] for page in (0, 1)] == [
        ["First text."],
        ["Second text."],
    ]


def test_the_words_of_a_figure_are_one_unit() -> None:
    rows: list[Row] = [(Kind.CHART, "Ferry fares\n2014 2015\n410\n475", 1, 0)]
    (unit,) = units_of(view_of(document(rows)), 0)
    assert unit.text == "Ferry fares 2014 2015 410 475"
    assert unit.shown == rows[0][1]


def test_many_words_of_a_figure_are_parted_at_lines() -> None:
    lines = [f"Mark {at} " + "m " * 18 for at in range(7)]
    units = units_of(view_of(document([(Kind.FIGURE, "\n".join(lines), 1, 0)])), 0)
    assert [unit.text.count("Mark") for unit in units] == [3, 3, 1]


TEXTS = st.sampled_from(
    [
        "",
        " \n ",
        "• • •",
        LEADERS,
        "One rope.",
        "Item one\nItem two. It is new! Is it?",
        sentence(1, 20),
        " ".join(sentence(at, 25) for at in range(7)),
        "mast " * 150,
        f" \n{'mast ' * 61}\n{'sail ' * 40}",
    ]
)
GRIDS = st.sampled_from(
    [
        Grid.of_rows(ACCOUNTS, header_rows=1),
        Grid.of_rows([["Goods:"], ["Rope", "7 " * 30], ["Nets:"], ["Fine", "8 " * 30], ["Total", "15"], ["Rest", "1"]]),
        Grid.of_rows([["a " * 20, "b " * 20], ["1", "2"], ["3 " * 90, "4"]], header_rows=1),
        Grid.of_rows([["a", "b"]], header_rows=1),
        Grid(2, 2, Grid.of_rows([["x", "1"], ["y", "2"]]).cells, carried=("Name", "Count " * 30)),
        Grid(0, 0, ()),
    ]
)
BLOCKS = [Kind.HEADING, Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.TABLE, Kind.CAPTION, Kind.FIGURE, Kind.CHART]


@st.composite
def layouts(draw: st.DrawFn) -> Document:
    """Documents of any blocks in any order, some of their tables with grids and captions."""
    kinds = draw(st.lists(st.sampled_from([*BLOCKS, Kind.PAGE_HEADER, Kind.PAGE_FOOTER]), max_size=14))
    page, rows = 1, list[Row]()
    for kind in kinds:
        page += draw(st.sampled_from([0, 0, 0, 1]))
        is_furniture = kind in (Kind.PAGE_HEADER, Kind.PAGE_FOOTER)
        rows.append((kind, "Running head" if is_furniture else draw(TEXTS), page, 1 if kind == Kind.HEADING else 0))
    tables = {at: draw(GRIDS) for at, row in enumerate(rows) if row[0] == Kind.TABLE and draw(st.booleans())}
    captions = {at: at - 1 for at in tables if at and rows[at - 1][0] == Kind.CAPTION}
    return with_tables(document(rows), tables, captions)


@given(layouts())
def test_units_part_the_content_of_a_page_in_reading_order(source: Document) -> None:
    view = view_of(source)
    for page in range(int(view.page_starts[-1])):
        units = units_of(view, page)
        stream = stream_of(view, page)
        assert tuple(stream.units[stream.start : stream.stop]) == units
        assert all(before.key < after.key for before, after in pairwise(units))
        assert all(before.row < after.row or before.stop <= after.start for before, after in pairwise(units))
        assert all(unit.shown and unit.text and "Running head" not in unit.shown for unit in units)
        assert all("....." not in unit.shown for unit in units)
        held = {unit.row for unit in units}
        for row in range(len(view))[view.page_rows(page)]:
            text = view.blocks.text[row]
            has_words = any(map(str.isalnum, text)) and text != LEADERS
            assert (row in held) == (has_words and bool(view.is_content[row])) or view.blocks.grid[row]


@given(layouts())
def test_every_word_of_a_text_is_in_one_unit(source: Document) -> None:
    view = view_of(source)
    for page in range(int(view.page_starts[-1])):
        units = units_of(view, page)
        for row in {unit.row for unit in units if not unit.is_table_row}:
            words = " ".join(unit.shown for unit in units if unit.row == row).split()
            assert (
                words == [word for word in view.blocks.text[row].split() if word != "•"] or "•" in view.blocks.text[row]
            )


@given(layouts())
def test_a_passage_of_several_units_has_120_words_at_most_and_marks_its_unit(source: Document) -> None:
    view = view_of(source)
    for page in range(int(view.page_starts[-1])):
        stream = stream_of(view, page)
        for at in range(stream.start, stream.stop):
            span = expand_passage(view, stream, at)
            text, emphasis = render_passage(view, stream, span, at)
            assert span.first <= at <= span.last
            words = " ".join(line for line in text.split("\n") if not line.startswith("… ")).split()
            assert span.first == span.last or len(words) <= MOST_WORDS
            # A heading that comes first is told as the section.
            first = span.first + int(stream.units[span.first].is_heading and span.first < span.last)
            assert [text[start:stop] for start, stop in emphasis] == [stream.units[at].shown] * (at >= first)
            assert not stream.units[span.last].is_heading or span.last == at
            assert "Running head" not in text
            assert "....." not in text
            assert all(stream.units[one].shown in text for one in range(first, span.last + 1))
