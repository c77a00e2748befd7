"""What stands out on a page and is no heading."""

from __future__ import annotations

from dataclasses import replace

from octavo.document import Kind
from octavo.parsing.content import PageContent
from printed import line, outline, page, prose, rows, structured, text


def sections(*titles: str, number: int = 1, size: float = 12.0) -> PageContent:
    """A page of sections, each with a paragraph."""
    lines = [
        row
        for at, title in enumerate(titles)
        for row in (
            line(title, 72, 80 + 110 * at, size=size, bold=True),
            *text(prose(40, seed=f"p{chr(97 + number)}{chr(97 + at)}"), 72, 100 + 110 * at, 468),
        )
    ]
    return page(lines, number)


def titles(*pages: PageContent) -> list[str]:
    return [title for _, title in outline(structured(*pages))]


def test_a_stamp_up_the_margin_is_neither_title_nor_heading() -> None:
    stamp = line("repository 1234.5678 [cs] 4 Dec 2031", 16, 200, size=20, width=20, angle=90)
    stamp = replace(stamp, box=(16, 200, 36, 560))
    first = page([line("The Whole Book", 72, 50, size=18), *sections("1 Introduction", "2 Sites").lines, stamp])
    document = structured(first)
    assert rows(document, Kind.TITLE) == ["The Whole Book"]
    assert [title for _, title in outline(document)] == ["1 Introduction", "2 Sites"]


def test_warnings_and_labels_that_come_again_and_again_are_no_headings() -> None:
    labelled = [sections("Warning", "Example", "Note:", number=number, size=10.0) for number in range(2, 12)]
    assert titles(sections("1 Sites", "2 Boats"), *labelled) == ["1 Sites", "2 Boats"]


def test_a_numbered_title_may_be_a_few_letters_or_a_version() -> None:
    names = ["1 Models", "1.1 RPN", "1.2 C", "1.3 v2.18.0 (27/10/2021)"]
    assert titles(sections(*names)) == names


def test_a_number_of_several_parts_that_follows_no_other_is_an_amount() -> None:
    stray = [line("85.9 Tonnes of cod", 72, 500, size=10.7), *text(prose(60, seed="cod"), 72, 520, 468)]
    first = sections("1 Sites", "2 Boats", "3 Crews")
    assert "85.9 Tonnes of cod" not in titles(replace(first, lines=(*first.lines, *stray)))


def test_names_one_under_the_other_are_a_list_and_no_headings() -> None:
    names = [line(f"Captain {name}", 72, 520 + 26 * at, bold=True) for at, name in enumerate(["Ro", "Lu", "Ti", "Mo"])]
    first = sections("1 Sites", "2 Boats")
    closing = text(prose(40, seed="end"), 72, 640, 468)
    assert titles(replace(first, lines=(*first.lines, *names, *closing))) == ["1 Sites", "2 Boats"]


def test_words_in_a_style_of_their_own_between_numbered_sections_are_of_a_figure() -> None:
    names = ["Sites", "Boats", "Crews", "Tides", "Fish", "Ropes", "Lamps", "Walls", "Rules"]
    pages = [sections(*(f"{at + 1} {names[at]}" for at in range(of, of + 3)), number=of) for of in (0, 3, 6)]
    pages = [replace(each, number=number) for number, each in enumerate(pages, 1)]
    label = line("Reranker", 300, 540, size=15, bold=True)
    pages[1] = replace(pages[1], lines=(*pages[1].lines, label, *text(prose(40, seed="zz"), 72, 570, 468)))
    assert "Reranker" not in titles(*pages)
    assert len(titles(*pages)) == 9


def test_lines_of_a_cover_in_styles_of_their_own_are_no_sections() -> None:
    cover = [line("Annual Report", 72, 60, size=24), line("Northern Port Company", 72, 120, size=15)]
    first = page([*cover, *text(prose(120, seed="cover"), 72, 160, 468)])
    rest = [sections(f"Site {'abc'[at]}", f"Boat {'abc'[at]}", "Crew", number=at + 2) for at in range(3)]
    found = titles(first, *rest)
    assert "Northern Port Company" not in found
    assert len(found) == 9


def test_authors_under_a_title_are_no_heading() -> None:
    authors = line("Ann Lee1, Bo Chen2, Cy Dee1", 72, 90, bold=True, size=12)
    first = sections("Abstract", "1 Sites")
    above = [line("A Title", 72, 20, size=20), replace(authors, box=(72, 50, 300, 62))]
    assert titles(page([*above, *first.lines])) == ["Abstract", "1 Sites"]


def test_scraps_of_a_badly_read_page_are_no_headings() -> None:
    scraps = "TLHLL_;JK2U;—TRLDV4;II P0nT3;XTL1 n n n;+TWHLH+;P2.&P2;-BTX-;RST-+;~M‘f2#;WT;l1 x)"
    lines = [line(scrap, 72, 320 + 36 * at, size=18, bold=True) for at, scrap in enumerate(scraps.split(";"))]
    first = sections("LOCK BITS", "ERASURE")
    assert titles(replace(first, lines=(*first.lines, *lines))) == ["LOCK BITS", "ERASURE"]
