"""Footnotes and the nesting of lists."""

from __future__ import annotations

from octavo_documents.document import Kind, LinkKind
from octavo_documents.parsing.content import Span, TextLine
from printed import line, page, prose, rows, structured, text


def table(y: float) -> list[TextLine]:
    """Four rows of a label and two numbers, from `y` down."""
    return [
        line(words, x, y + 14 * at, width=width)
        for at in range(4)
        for words, x, width in (
            (f"{prose(2, seed=chr(97 + at))}", 72, 90),
            (f"{at}1.5", 300, 20),
            (f"{at}2.7", 400, 20),
        )
    ]


def test_small_marked_text_under_a_table_is_a_footnote_of_the_table() -> None:
    notes = [
        line("(1) Stores closed in the year are left out.", 72, 160, size=8),
        line("(2) Unaudited.", 72, 171, size=8),
    ]
    document = structured(page([*table(100), *notes, *text(prose(80), 72, 200, 468)]))
    assert rows(document, Kind.FOOTNOTE) == [note.text for note in notes]
    links = document.links
    tied = [int(links.target[at]) for at in range(len(links)) if links.kind_of(at) == LinkKind.FOOTNOTE_OF]
    assert {document.blocks.kind_of(row) for row in tied} == {Kind.TABLE}
    assert len(tied) == 2


def test_a_list_in_the_size_of_the_text_under_a_table_is_a_list() -> None:
    document = structured(page([*table(100), line("(1) Open the valve.", 72, 165), line("(2) Close it.", 72, 179)]))
    assert rows(document, Kind.LIST_ITEM) == ["(1) Open the valve.", "(2) Close it."]


def test_the_small_numbers_of_an_axis_are_no_footnote() -> None:
    lines = [*text(prose(120), 72, 100, 468), line("07  08  09  10  11", 72, 700, size=8)]
    assert not rows(structured(page(lines)), Kind.FOOTNOTE)


def test_a_list_that_goes_on_in_the_next_column_keeps_its_levels() -> None:
    left = [*text(prose(120), 72, 100, 220), line("• first " + prose(5), 72, 345, width=200)]
    right = [line("• second " + prose(5), 330, 100, width=200), *text(prose(110, seed="r"), 330, 130, 220)]
    document = structured(page([*left, *right]))
    levels = [
        int(document.blocks.level[row]) for row in range(len(document.blocks)) if document.blocks.kind_of(row) == 3
    ]
    assert levels == [1, 1]


def test_ticked_boxes_are_bullets_as_empty_ones_are() -> None:
    document = structured(page([line("⊠ painted", 72, 100), line("☑ dried", 72, 114), line("□ hung", 72, 128)]))
    assert rows(document, Kind.LIST_ITEM) == ["⊠ painted", "☑ dried", "□ hung"]


def test_notes_that_count_on_are_notes_of_their_own() -> None:
    notes = [line(f"{at}https://harbour.example/{at}", 72, 700 + 9 * at, size=8) for at in (1, 2, 3)]
    document = structured(page([*text(prose(300), 72, 80, 468), *notes]))
    assert rows(document, Kind.FOOTNOTE) == [note.text for note in notes]


def marked(words: str, mark: str, x: float, y: float) -> TextLine:
    """Return a line of text that ends with a small raised mark."""
    box, at = (x, y, x + 220, y + 10), len(words)
    body = Span(0, at, box, "Body", 10, bold=False, italic=False, color=0)
    small = Span(at, at + len(mark), box, "Body", 6, bold=False, italic=False, color=0)
    return TextLine(words + mark, box, (body, small))


def test_a_note_belongs_to_the_bearer_of_its_mark_in_its_own_column() -> None:
    left = [marked("Ewan Rask and Niall Rask", "1", 72, 90), *text(prose(250), 72, 130, 220)]
    right = [*text(prose(60, seed="r"), 330, 130, 220), marked("The barrel is empty", "1", 330, 420)]
    note = line("1 By mutual consent of both.", 330, 700, size=7, width=150)
    document = structured(page([*left, *right, note]))
    links = document.links
    [target] = links.target[links.kind == LinkKind.FOOTNOTE_OF].tolist()
    assert "barrel" in document.blocks.text[target]
