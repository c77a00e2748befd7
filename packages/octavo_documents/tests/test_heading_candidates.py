"""Which blocks are headings: what speaks against one, and those cut out of a block."""

from __future__ import annotations

from dataclasses import replace

from octavo_documents.document import Kind
from octavo_documents.parsing.content import OutlineEntry, PageContent, Span, TextLine
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


def test_heads_of_columns_beside_each_other_are_no_headings() -> None:
    heads = [line(word, x, 500, bold=True) for word, x in (("Name", 130), ("Age", 230), ("Position held", 360))]
    cells = [line(word, x, 514 + 14 * at) for at in range(2) for word, x in (("Ann Lee", 80), ("61", 230))]
    first = sections("1 Sites", "2 Boats")
    assert titles(replace(first, lines=(*first.lines, *heads, *cells))) == ["1 Sites", "2 Boats"]


def test_headings_of_two_columns_may_stand_on_one_line() -> None:
    columns = [
        row
        for at, x in enumerate((72, 320))
        for row in (
            line(("Harbours", "Anchors")[at], x, 90, size=10, bold=True),
            *text(prose(150, seed=f"c{at}"), x, 103, 220),
        )
    ]
    found = titles(sections("Sites", "Boats", "Crews", size=10), page(columns, 2))
    assert found == ["Sites", "Boats", "Crews", "Harbours", "Anchors"]


def test_periods_bracketed_units_and_forms_to_fill_in_are_no_headings() -> None:
    words = [
        "Year Ended December 31, 2018",
        "Balance at December 31, 2020",
        "Three months ended July 2, 2023 and July 3, 2022",
        "(In thousands, except per share data)",
        "For the period from ______ to ______",
    ]
    assert titles(sections("1 Sites", "2 Boats"), sections(*words, number=2)) == ["1 Sites", "2 Boats"]


def test_numbers_of_exhibits_are_no_sections_of_items() -> None:
    exhibits = [line(f"10.{at} Form of Agreement {at}", 72, 80 + 40 * at) for at in range(1, 6)]
    names = ["Item 9. Sites", "Item 10. Boats", "Item 11. Crews"]
    assert titles(sections(*names), page(exhibits, 2)) == names


def test_what_stands_on_the_cover_before_the_contents_is_no_heading() -> None:
    cover = sections("Delaware", "Harbour Street 14")
    names = ["Rivers", "Lakes", "Coasts", "Canals", "Ponds"]
    entries = [line(f"{name} {'.' * 40} {at}", 72, 120 + 14 * at) for at, name in enumerate(names, 3)]
    body = [sections(*names, number=at) for at in (3, 4)]
    found = titles(cover, page([line("Contents", 72, 80, size=12, bold=True), *entries], 2), *body)
    assert found == ["Contents", *names, *names]


def test_a_title_said_again_over_a_table_or_as_continued_is_said_once() -> None:
    cells = [line(f"{word}{at}", 72 + 120 * at, 390 + 14 * row) for row, word in enumerate("abcd") for at in range(4)]
    over = [line("Boats", 72, 370, size=12, bold=True), *cells]
    first = sections("Boats", number=2)
    again = replace(first, lines=(*first.lines, *over, line("Crews", 72, 500, size=12, bold=True)))
    further = sections("Crews (continued)", "Sites", number=3)
    assert titles(sections("Sites", "Rivers"), again, further) == ["Sites", "Rivers", "Boats", "Crews", "Sites"]


def test_contents_that_go_on_over_the_page_are_no_headings_from_their_first_line() -> None:
    names = ["Rivers", "Lakes", "Coasts", "Canals", "Ponds", "Springs", "Marshes", "Deltas"]
    entries = [line(f"{name} {'.' * 40} {at}", 72, 120 + 14 * at) for at, name in enumerate(names, 3)]
    first = page([line("ANNUAL REPORT 2031 TABLE OF CONTENTS", 72, 80, size=12, bold=True), *entries[:4]])
    second = page([line("PART II", 72, 80, size=12, bold=True), *entries[4:]], 2)
    body = [sections(*names[:4], number=3), sections(*names[4:], number=4)]
    assert titles(first, second, *body) == names


def run_in(lead: str, rest: str, y: float, *, bold: bool = True) -> TextLine:
    """A line that starts in bold or italic and goes on plain."""
    whole = f"{lead} {rest}"
    plain = line(whole, 72, y, width=468)
    middle, (x0, y0, x1, y1) = len(lead) + 1, plain.box
    split = x0 + (x1 - x0) * middle / len(whole)
    spans = (
        Span(0, middle, (x0, y0, split, y1), "Bold", 10.0, bold=bold, italic=not bold, color=0),
        Span(middle, len(whole), (split, y0, x1, y1), "Body", 10.0, bold=False, italic=False, color=0),
    )
    return TextLine(whole, plain.box, spans)


def paragraph(lead: str, y: float, *, bold: bool = True) -> list[TextLine]:
    seed = "".join(filter(str.isalpha, lead)).lower()[:5]
    return [run_in(lead, prose(9, seed=seed), y, bold=bold), *text(prose(20, seed=f"{seed}x"), 72, y + 12, 468)]


def test_numbered_run_in_headings_that_count_on_are_sections_and_their_paragraphs_stay_whole() -> None:
    leads = ["1) Data Structure:", "2) Granularity:", "3) Reranking:"]
    lines = [row for at, lead in enumerate(leads) for row in paragraph(lead, 100 + 80 * at, bold=False)]
    document = structured(page(lines))
    assert [title for _, title in outline(document)] == leads
    assert [words.split()[0] for words in rows(document, Kind.PARAGRAPH)] == ["datasaa", "granuaa", "reranaa"]


def test_a_single_lead_or_one_without_numbers_stays_in_its_paragraph() -> None:
    lines = [*paragraph("1) Data Structure:", 100), *paragraph("Granularity.", 200), *paragraph("Reranking.", 300)]
    assert outline(structured(page(lines))) == []


def test_an_abstract_that_starts_its_paragraph_is_a_section() -> None:
    lines = [line("A Title", 72, 60, size=20), *paragraph("Abstract—", 100), *text(prose(90), 72, 200, 468)]
    assert [title for _, title in outline(structured(page(lines)))] == ["Abstract—"]


def test_a_title_of_the_outline_is_cut_out_of_the_paragraph_it_opens() -> None:
    first = page([line("Sites", 72, 60, size=18), *paragraph("Harbour rules.", 100)])
    entries = [OutlineEntry("Sites", 1, 1), OutlineEntry("Harbour rules", 2, 1)]
    document = structured(first, outline=entries)
    assert outline(document) == [(1, "Sites"), (2, "Harbour rules.")]
    assert rows(document, Kind.PARAGRAPH)[0].startswith("harboaa")


def test_a_title_of_the_outline_on_a_line_inside_a_paragraph_parts_it_in_two() -> None:
    lines = [*text(prose(40), 72, 100, 468), line("Lights at night", 72, 136, width=468)]
    after = text(prose(40, seed="light"), 72, 148, 468)
    document = structured(page([*lines, *after]), outline=[OutlineEntry("Lights at night", 1, 1)])
    assert outline(document) == [(1, "Lights at night")]
    assert "".join(rows(document)).count("light") > 10
    assert rows(document).index("Lights at night") == 1


def test_a_title_that_a_paragraph_only_mentions_is_not_cut_out_of_it() -> None:
    lines = text(f"lights at night {prose(40)}", 72, 100, 468)
    entries = [OutlineEntry("Lights at night", 1, 1), OutlineEntry("Sites", 1, 2)]
    document = structured(page(lines), page([line("Sites", 72, 60, size=18)], 2), outline=entries)
    assert outline(document) == [(1, "Sites")]
