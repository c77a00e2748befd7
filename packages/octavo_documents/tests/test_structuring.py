"""A parser's pages to a document."""

from __future__ import annotations

import dataclasses
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo_documents.document import Document, Kind, LinkKind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing import Limits, formats
from octavo_documents.parsing.content import Graphic, PageContent, SourceContent, Span, TextLine
from octavo_documents.parsing.fork_server import Caller
from octavo_documents.structuring import structure, worker
from printed import content, line, page, prose, rows, structured, text


def links(document: Document, kind: LinkKind) -> list[tuple[str, str]]:
    """(source text, target text) of the links of one kind."""
    table, blocks = document.links, document.blocks
    chosen = np.flatnonzero(table.kind == kind).tolist()
    return [(blocks.text[int(table.source[at])], blocks.text[int(table.target[at])]) for at in chosen]


# Any page at all

looks = st.tuples(st.sampled_from([6.0, 10.0, 10.0, 12.0, 24.0]), st.booleans(), st.booleans())
places = st.tuples(st.floats(-5, 600, width=32), st.floats(-5, 780, width=32), st.sampled_from([0, 0, 0, 0, 90, 270]))
starts = st.sampled_from(["", "", "", "1 ", "2.3 ", "• ", "(a) ", "Figure 2: ", "Table 1. ", "III. ", "12", "* "])


@st.composite
def sources(draw: st.DrawFn) -> SourceContent:
    """Pages of lines with a word of their own each, anywhere, in any look."""
    pages: list[PageContent] = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        lines: list[TextLine] = []
        for at in range(draw(st.integers(0, 25))):
            (size, bold, mono), (x, y, angle) = draw(looks), draw(places)
            words = f"{draw(starts)}w{number}x{at}q {'more ' * draw(st.integers(0, 12))}".strip()
            lines.append(line(words, x, y, size=size, bold=bold, mono=mono, angle=angle))
        shapes = [
            Graphic(draw(st.sampled_from(["image", "fill", "stroke", "line"])), (x, y, x + 80, y + 40))
            for x, y in draw(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 700)), max_size=6))
        ]
        pages.append(page(lines, number, graphics=shapes))
    return content(*pages)


@given(sources())
@settings(max_examples=120, deadline=None)
def test_every_line_lands_in_one_block_inside_its_page_and_the_table_is_well_formed(source: SourceContent) -> None:
    document = structure(source, name="any.pdf", digest="0" * 64)
    document.check()
    blocks = document.blocks
    for number, found in enumerate(source.pages, 1):
        texts = " ".join(blocks.text[document.on_page(number)]).split()
        for at in range(len(found.lines)):
            assert sum(word == f"w{number}x{at}q" or word.endswith(f"w{number}x{at}q") for word in texts) == 1
    assert (blocks.box >= 0).all()
    assert (blocks.box[:, 2] <= 612).all()
    assert (blocks.box[:, 3] <= 792).all()


@given(sources())
@settings(max_examples=25, deadline=None)
def test_the_same_pages_give_the_same_document(source: SourceContent) -> None:
    first, second = (structure(source, name="any.pdf", digest="0" * 64).to_bytes() for _ in range(2))
    assert first == second


def test_pages_without_text_are_a_document_without_blocks() -> None:
    document = structured(page([]), page([], 2))
    assert (len(document.blocks), len(document.pages)) == (0, 2)


def test_pages_without_size_and_lines_without_spans_are_taken_as_they_are() -> None:
    bare = TextLine("Alone", (0, 0, 10, 10), ())
    document = structured(page([bare], width=0, height=0), page([bare], 2, width=900, height=0))
    assert rows(document) == ["Alone", "Alone"]


def test_long_runs_of_dots_and_letters_take_no_long_time() -> None:
    started = time.process_time()
    lines = [line(". " * 20_000 + "x", 72, 80 + 12 * at, width=400) for at in range(6)]
    lines += [line("x" * 40_000 + "-", 72, 200 + 12 * at, width=400) for at in range(6)]
    structured(page(lines))
    assert time.process_time() - started < 5


def test_the_document_is_named_by_its_digest_and_keeps_what_is_known_of_the_file() -> None:
    document = structure(content(page([line("Hello there")]), title="Greetings"), name="a.pdf", digest="ab" * 32)
    assert (document.id, document.name, document.metadata.title) == ("sha256:" + "ab" * 32, "a.pdf", "Greetings")


# Paragraphs


def test_lines_of_a_paragraph_are_one_block_and_a_gap_starts_the_next() -> None:
    first, second = prose(60), prose(60, seed="next")
    assert rows(structured(page([*text(first, 72, 80, 468), *text(second, 72, 180, 468)]))) == [first, second]


def test_a_first_line_indent_starts_a_paragraph() -> None:
    lines = [line("a" * 93, 72, 80 + 12 * at) for at in range(3)]
    lines += [line("b" * 90, 90, 116), *(line("c" * 93, 72, 128 + 12 * at) for at in range(2))]
    assert [len(block.split()) for block in rows(structured(page(lines)))] == [3, 3]


def test_a_last_line_with_room_left_ends_its_paragraph() -> None:
    lines = [
        line("a" * 93, 72, 80),
        line("The end.", 72, 92),
        line("Another " + "b" * 85, 72, 104),
        line("c" * 93, 72, 116),
    ]
    assert [block[:1] for block in rows(structured(page(lines)))] == ["a", "A"]


def test_a_word_broken_at_a_line_end_is_whole_again() -> None:
    lines = [line("the tide and its measure-", 72, 80, width=200), line("ments at the pier", 72, 92)]
    assert rows(structured(page(lines))) == ["the tide and its measurements at the pier"]


def test_a_hyphen_that_the_document_writes_elsewhere_is_kept() -> None:
    lines = [line("it is a well-", 72, 80, width=200), line("known pier", 72, 92), line("A well-known fact.", 72, 300)]
    assert rows(structured(page(lines)))[0] == "it is a well-known pier"


def test_a_paragraph_that_goes_on_in_the_next_column_is_linked() -> None:
    left = [line("x" * 40, 72, 80 + 12 * at, width=220) for at in range(12)]
    right = [line("y" * 40, 320, 80 + 12 * at, width=220) for at in range(12)]
    assert len(links(structured(page([*left, *right])), LinkKind.CONTINUES)) == 1


def columns(end: str, begin: str, between: list[TextLine]) -> Document:
    """Return a page whose left column ends in a text and whose right one begins with another, under other lines."""
    left = [*(line("x" * 40, 72, 80 + 12 * at, width=220) for at in range(40)), line(end, 72, 560, width=220)]
    right = [line(begin, 320, 260, width=220)]
    right += [line("y" * 40, 320, 272 + 12 * at, width=220) for at in range(20)]
    return structured(page([*left, *between, *right]))


@pytest.mark.parametrize(
    ("end", "begin"),
    [
        ("and the depth of the water at the pier is", "less than it was in the winter of that"),
        ("and the depth of the water is told by", "Gauges that the crew has set along it"),
        ("the depth of the water at the pier (see", "Section 3) is less than it was before"),
    ],
)
def test_a_paragraph_goes_on_under_a_small_note_at_the_head_of_the_next_column(end: str, begin: str) -> None:
    note = [line("Depths in metres at low water", 320, 80 + 9 * at, size=7, width=150) for at in range(3)]
    assert len(links(columns(end, begin, note), LinkKind.CONTINUES)) == 1


@pytest.mark.parametrize(("stop", "is_over"), [("", False), ("，", False), ("。", True), ("：", True)])
def test_a_paragraph_in_a_script_without_capitals_goes_on_where_its_sentence_does(stop: str, is_over: bool) -> None:
    lines = [
        line("灯塔的水深由船员沿岸设置的标尺读出并且每天记录" * 2, 72, 80 + 12 * at, width=220) for at in range(40)
    ]
    left = [*lines, line("而码头的水深" * 6 + stop, 72, 560, width=220)]
    right = [line("比那年冬天的要浅因为泥沙已经堆积在码头的前面" * 2, 320, 80 + 12 * at, width=220) for at in range(20)]
    assert (links(structured(page([*left, *right])), LinkKind.CONTINUES) == []) is is_over


@pytest.mark.parametrize(
    ("end", "begin"),
    [
        ("and the depth of the water at the pier fell.", "less than it was in the winter of that"),
        ("and the depth of the water at the pier fell", "Gauges that the crew has set along it"),
    ],
)
def test_a_text_that_is_over_goes_on_nowhere(end: str, begin: str) -> None:
    assert links(columns(end, begin, []), LinkKind.CONTINUES) == []


# Lists, code, captions, footnotes


def test_list_items_are_blocks_with_their_nesting() -> None:
    lines = [line("• first", 72, 80), line("– inner", 92, 94), line("– second inner", 92, 108), line("• last", 72, 122)]
    document = structured(page(lines))
    assert rows(document, Kind.LIST_ITEM) == ["• first", "– inner", "– second inner", "• last"]
    assert document.blocks.level.tolist() == [1, 2, 2, 1]


def test_the_lines_of_an_item_hang_together() -> None:
    lines = [line("1. " + "a" * 85, 72, 80), line("and on it goes", 84, 92), line("2. next", 72, 104)]
    assert rows(structured(page(lines)), Kind.LIST_ITEM) == ["1. " + "a" * 85 + " and on it goes", "2. next"]


def test_code_keeps_its_lines_and_indents() -> None:
    lines = [line("def tide(x):", 72, 80, mono=True), line("return x", 96, 92, mono=True)]
    assert rows(structured(page(lines)), Kind.CODE) == ["def tide(x):\n    return x"]


def test_a_caption_is_linked_to_its_picture_and_a_sentence_about_a_figure_is_none() -> None:
    picture = Graphic("image", (150, 200, 450, 400))
    lines = [
        *text(f"Figure 3 shows the pier. {prose(40)}", 72, 80, 468),
        line("Figure 3: The pier at dawn", 150, 410),
        *text(prose(40, seed="after"), 72, 460, 468),
    ]
    document = structured(page(lines, graphics=[picture]))
    assert rows(document, Kind.CAPTION) == ["Figure 3: The pier at dawn"]
    assert links(document, LinkKind.CAPTION_OF) == [("Figure 3: The pier at dawn", "")]


def test_small_marked_text_at_the_foot_is_a_footnote_of_the_block_that_bears_the_mark() -> None:
    box = (72.0, 80.0, 400.0, 90.0)
    marked = TextLine(
        "The barrel is empty1 since then", box,
        (Span(0, 19, box, "Body", 10, False, False, 0), Span(19, 20, box, "Body", 6, False, False, 0),
         Span(20, 31, box, "Body", 10, False, False, 0)),
    )  # fmt: skip
    lines = [marked, *text(prose(200), 72, 120, 468), line("1 By mutual consent of both.", 72, 700, size=7)]
    document = structured(page(lines))
    assert rows(document, Kind.FOOTNOTE) == ["1 By mutual consent of both."]
    assert links(document, LinkKind.FOOTNOTE_OF)[0][1].startswith("The barrel")


# Tables and drawings

CELLS = [["Site", "Built", "Area"], ["Main house", "1998", "412"], ["Workshop", "1961", "138"], ["Mast", "2010", "12"]]


def table_lines(cells: list[list[str]], top: float) -> list[TextLine]:
    return [line(cell, 80 + 150 * at, top + 18 * row) for row, one in enumerate(cells) for at, cell in enumerate(one)]


def test_rows_of_short_pieces_are_a_table_read_row_by_row() -> None:
    lines = [*text(prose(60), 72, 80, 468), *table_lines(CELLS, 250), *text(prose(60, seed="on"), 72, 400, 468)]
    document = structured(page(lines))
    row = int(np.flatnonzero(document.blocks.kind == Kind.TABLE)[0])
    assert Grid.from_json(document.blocks.grid[row]).rows() == CELLS
    assert document.blocks.text[row].splitlines()[1] == "Main house | 1998 | 412"


def test_rules_make_a_table_of_cells_with_several_lines() -> None:
    lines = [
        line("Amber", 80, 205), line("No work below the wall;", 200, 205), line("shutters closed", 200, 217),
        line("Red", 80, 245), line("All indoors; hooks are", 200, 245), line("counted every hour", 200, 257),
        line("State", 80, 180, bold=True), line("What to do", 200, 180, bold=True),
    ]  # fmt: skip
    rules = [Graphic("line", (72, y, 500, y + 1)) for y in (172, 198, 238, 280)]
    uprights = [Graphic("line", (x, 172, x + 1, 280)) for x in (72, 190, 500)]
    document = structured(page([*text(prose(60), 72, 80, 468), *lines], graphics=[*rules, *uprights]))
    row = int(np.flatnonzero(document.blocks.kind == Kind.TABLE)[0])
    assert Grid.from_json(document.blocks.grid[row]).rows() == [
        ["State", "What to do"],
        ["Amber", "No work below the wall; shutters closed"],
        ["Red", "All indoors; hooks are counted every hour"],
    ]


def test_a_table_that_goes_on_over_the_page_is_linked() -> None:
    first = page([*text(f"{prose(60)}.", 72, 80, 468), *table_lines(CELLS, 640)])
    second = page([*table_lines([CELLS[0], *CELLS[2:]], 80), *text(prose(60, seed="on"), 72, 300, 468)], 2)
    assert len(links(structured(first, second), LinkKind.CONTINUES)) == 1


def test_a_table_with_a_number_of_its_own_goes_on_from_none_with_another() -> None:
    head = [*text(f"{prose(60)}.", 72, 80, 468), line("Table 1: Buildings in use", 80, 620), *table_lines(CELLS, 640)]
    for caption, count in (("Table 2: Buildings no longer in use", 0), ("Table 1: Buildings in use (continued)", 1)):
        foot = [line(caption, 80, 80), *table_lines(CELLS, 100), *text(prose(60, seed="on"), 72, 300, 468)]
        assert len(links(structured(page(head), page(foot, 2)), LinkKind.CONTINUES)) == count


def test_painted_rows_are_a_table_and_no_drawing() -> None:
    stripes = [Graphic("fill", (72, 214 + 24 * at, 500, 226 + 24 * at), 0xCCDDFF) for at in range(4)]
    cells = [[f"Item {chr(65 + at)}", str(100 + at), str(700 + at)] for at in range(8)]
    rows_of_cells = [
        line(cell, 80 + 150 * at, 204 + 12 * row) for row, one in enumerate(cells) for at, cell in enumerate(one)
    ]
    document = structured(page([*text(prose(60), 72, 80, 468), *rows_of_cells], graphics=stripes))
    assert not rows(document, Kind.FIGURE, Kind.CHART)
    assert [len(block.splitlines()) for block in rows(document, Kind.TABLE)] == [8]


def test_labels_in_a_chart_stay_with_it() -> None:
    bars = [Graphic("fill", (120 + 40 * at, 300 - 15 * at, 145 + 40 * at, 360), 0x3366AA) for at in range(6)]
    axis = Graphic("line", (110, 360, 360, 361))
    labels = [line(f"{2020 + at}", 122 + 40 * at, 364, size=7) for at in range(6)]
    values = [line(f"{30 + at}", 125 + 40 * at, 288 - 15 * at, size=7) for at in range(6)]
    lines = [*text(prose(60), 72, 80, 468), *labels, *values, *text(prose(60, seed="on"), 72, 450, 468)]
    document = structured(page(lines, graphics=[*bars, axis]))
    assert len(rows(document, Kind.CHART)) == 1
    assert "2023" in rows(document, Kind.CHART)[0]
    assert len(rows(document, Kind.PARAGRAPH)) == 2


def test_a_coloured_panel_behind_text_is_no_drawing() -> None:
    panel = [Graphic("fill", (60, 70, 560, 300), 0xEEF2F7)]
    document = structured(page(text(prose(150), 72, 80, 468), graphics=panel))
    assert {Kind(int(kind)) for kind in document.blocks.kind} == {Kind.PARAGRAPH}


def test_text_turned_on_its_side_comes_last() -> None:
    lines = [TextLine("arXiv stamp", (20, 200, 32, 500), (), angle=90), *text(prose(60), 72, 80, 468)]
    assert rows(structured(page(lines)))[-1] == "arXiv stamp"


def test_a_format_with_pages_is_a_module_and_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slides = SimpleNamespace(extract=lambda *_, **__: content(page([line("Tides of the harbour", 72, 72)])))
    monkeypatch.setitem(sys.modules, "octavo_documents.parsing.slides", cast("ModuleType", slides))
    monkeypatch.setattr(formats, "PAGED", (*formats.PAGED, formats.PagedFormat("slides", (".slides",))))
    path = tmp_path / "talk.slides"
    path.write_bytes(b"whatever slides are made of")

    options = {
        "path": str(path),
        "name": path.name,
        "digest": "0" * 64,
        "limits": dataclasses.asdict(Limits()),
        "password": None,
        "ocr": "never",
        "has_recognizer": False,
        "layout_dpi": 0.0,
        "may_open": True,
    }
    caller = SimpleNamespace(progress=None, figures=None, opens=None)
    (packed,) = worker.parse(options, cast("Caller", caller))

    assert list(Document.from_bytes(packed).blocks.text) == ["Tides of the harbour"]


def test_a_table_whose_values_stand_in_boxes_is_no_chart() -> None:
    places = (72.0, 230.0, 312.0, 394.0)
    table = (
        ("Region", "2021", "2022", "2023"),
        ("North", "12", "13", "14"),
        ("South and islands", "22", "23", "24"),
        ("West", "32", "33", "34"),
        ("East", "42", "43", "44"),
    )
    lines = [line(text, places[at] + 4, 103 + 18 * y) for y, row in enumerate(table) for at, text in enumerate(row)]
    boxes = [
        Graphic("stroke", (x, 100.0 + 18 * y, x + 80, 115.0 + 18 * y), 0xDDDDEE)
        for y in range(1, len(table))
        for x in places[1:]
    ]
    document = structured(page(lines, graphics=boxes))
    assert rows(document, Kind.CHART, Kind.FIGURE) == []
    (found,) = document.tables
    assert [tuple(row) for row in found.grid.rows()] == [*table]
