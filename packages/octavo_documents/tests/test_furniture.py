"""Running headers, footers and page numbers."""

from __future__ import annotations

from collections.abc import Callable

from octavo_documents.document import Document, Kind
from octavo_documents.parsing.content import PageContent, TextLine
from printed import line, page, prose, rows, structured, text

ROMAN = ["i", "ii", "iii", "iv", "v", "vi"]


def book(count: int, extra: Callable[[int], list[TextLine]]) -> Document:
    """A document of `count` pages of prose; `extra` adds lines to a page by its number."""
    return structured(*(_page(number, extra(number)) for number in range(1, count + 1)))


def _page(number: int, extra: list[TextLine]) -> PageContent:
    return page([*text(prose(120, seed=f"p{chr(96 + number)}"), 72, 150, 468), *extra], number)


def test_a_line_that_repeats_at_the_top_is_a_header_and_a_counting_number_a_footer() -> None:
    document = book(5, lambda number: [line("Annual Report", 72, 40), line(f"{number + 10}", 300, 750)])
    assert rows(document, Kind.PAGE_HEADER) == ["Annual Report"] * 5
    assert rows(document, Kind.PAGE_FOOTER) == ["11", "12", "13", "14", "15"]


def test_numbers_inside_a_running_footer_may_change() -> None:
    document = book(4, lambda number: [line(f"Page {number} of 4 | Draft 7", 72, 750)])
    assert len(rows(document, Kind.PAGE_FOOTER)) == 4


def test_roman_page_numbers_count_too() -> None:
    document = book(6, lambda number: [line(ROMAN[number - 1], 300, 750)])
    assert rows(document, Kind.PAGE_FOOTER) == ROMAN


def test_headers_that_differ_on_left_and_right_pages_are_headers() -> None:
    document = book(8, lambda number: [line("The Book" if number % 2 else "The Author", 72 + 300 * (number % 2), 40)])
    assert rows(document, Kind.PAGE_HEADER) == ["The Book", "The Author"] * 4


def test_what_shares_the_row_of_a_page_number_belongs_to_the_page() -> None:
    titles = ["Birds", "Fishes", "Trees", "Mosses"]
    document = book(4, lambda number: [line(titles[number - 1], 72, 40), line(str(number), 500, 40)])
    assert rows(document, Kind.PAGE_HEADER) == [part for at, title in enumerate(titles, 1) for part in (title, str(at))]


def test_a_page_number_right_under_the_text_of_a_page_that_ends_early_is_a_footer() -> None:
    document = book(4, lambda number: [line(str(number + 6), 300, 360 + 20 * number)])
    assert rows(document, Kind.PAGE_FOOTER) == ["7", "8", "9", "10"]


def test_a_number_that_does_not_count_with_the_pages_is_text() -> None:
    values = ["481", "12", "90", "3077"]
    document = book(4, lambda number: [line(values[number - 1], 300, 700)])
    assert not rows(document, Kind.PAGE_FOOTER, Kind.PAGE_HEADER)


def test_a_repeated_line_with_text_beyond_it_is_no_header() -> None:
    openings = ["Sand", "Clay", "Peat", "Loam"]
    document = book(4, lambda number: [line("Remember this", 72, 95), line(openings[number - 1], 72, 60)])
    assert not rows(document, Kind.PAGE_HEADER)


def test_two_pages_are_too_few_to_tell_and_lose_nothing() -> None:
    document = book(2, lambda number: [line("Minutes of the meeting", 72, 40)])
    assert not rows(document, Kind.PAGE_HEADER)
    assert sum("Minutes of the meeting" in block for block in rows(document)) == 2


def test_the_first_line_of_full_pages_is_text_although_it_stands_at_one_height() -> None:
    pages = [page(text(prose(300, seed=f"q{chr(96 + number)}"), 72, 72, 468), number) for number in range(1, 6)]
    assert not rows(structured(*pages), Kind.PAGE_HEADER, Kind.PAGE_FOOTER)


def test_a_large_title_that_comes_on_a_few_slides_is_no_header() -> None:
    titles = ["Plan", "Results (1)", "Results (2)", "Results (3)", "Costs", "Risks", "Team", "End"]
    slides = [
        page(
            [line(title, 40, 40, size=30), line(f"Point {prose(4, seed=title[:2].lower())}", 40, 150, size=18)],
            number,
            width=720,
            height=405,
        )
        for number, title in enumerate(titles, 1)
    ]
    assert not rows(structured(*slides), Kind.PAGE_HEADER)


def test_furniture_is_kept_out_of_sections_but_not_lost() -> None:
    document = book(4, lambda number: [line("Handbook", 72, 40), line(str(number), 300, 750)])
    assert len(rows(document)) == 4 * 3


def test_a_first_line_that_comes_twice_is_text_where_pages_of_text_start_at_one_height() -> None:
    openings = ["Loam here", "Costs of sales", "Clay there", "Costs of sales", "Peat and moss", "Sand and gravel"]
    document = book(6, lambda number: [line("Annual Report", 72, 40), line(openings[number - 1], 72, 80)])
    assert rows(document, Kind.PAGE_HEADER) == ["Annual Report"] * 6


def test_titles_that_change_by_chapter_are_headers() -> None:
    titles = ["Birds", "Birds", "Fishes", "Fishes", "Trees", "Trees"]
    document = book(6, lambda number: [line(titles[number - 1], 72, 40)])
    assert rows(document, Kind.PAGE_HEADER) == titles


def test_a_document_of_two_pages_has_page_numbers_too() -> None:
    document = book(2, lambda number: [line(str(number), 300, 760)])
    assert rows(document, Kind.PAGE_FOOTER) == ["1", "2"]
    assert rows(book(2, lambda number: [line(str(number + 6), 300, 760)]), Kind.PAGE_FOOTER) == []
