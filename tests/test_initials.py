"""Drop caps: joined to the word they begin, and only they."""

from __future__ import annotations

from octavo.parsing.content import Box, PageContent, Span, TextLine
from octavo.structuring.lines import page_lines, with_initials


def line(text: str, box: Box, size: float = 10.0) -> TextLine:
    return TextLine(text, box, (Span(0, len(text), box, "Serif", size, bold=False, italic=False, color=0),))


def texts(*lines: TextLine) -> list[str]:
    page = with_initials(page_lines(PageContent(1, "1", 612, 792, lines)))
    return [text for text in page.texts if text]


CAP = (54.0, 79.4, 89.0, 128.1)
BESIDE = (
    line("ebaha the first line", (92.5, 82.4, 294, 92.4)),
    line("and the second line of it", (92.5, 95.6, 294, 105.6)),
    line("and the third", (92.5, 108.8, 294, 118.8)),
)


def test_a_drop_cap_is_joined_to_its_word_and_the_lines_beside_start_where_it_does() -> None:
    page = with_initials(page_lines(PageContent(1, "1", 612, 792, (line("C", CAP, 48.7), *BESIDE))))
    assert page.texts[1] == "Cebaha the first line"
    assert page.boxes[1:, 0].tolist() == [54.0] * 3


def test_a_letter_that_is_a_word_stays_one() -> None:
    beside = (line("line to begin", BESIDE[0].box), *BESIDE[1:])
    assert texts(line("A", CAP, 48.7), *beside)[0] == "A line to begin"
    assert texts(line("A", CAP, 48.7), line("s the first line", BESIDE[0].box), *BESIDE[1:])[0] == "As the first line"


def test_large_letters_with_nothing_level_beside_them_stand_alone() -> None:
    assert texts(line("C", CAP, 48.7), line("far off", (140, 82, 294, 92)))[0] == "C"
    assert texts(line("C", CAP, 48.7), line("in the middle", (92.5, 97, 294, 107)))[0] == "C"
    assert texts(line("C", (54, 82, 60, 92), 10.0), *BESIDE)[0] == "C"
