"""Headings and their levels."""

from __future__ import annotations

import pytest

from octavo_documents.document import Kind
from octavo_documents.parsing.content import OutlineEntry, PageContent, TextLine
from printed import line, outline, page, prose, rows, structured, text


def section(title: str, y: float, *, size: float = 10.0, bold: bool = True, words: int = 60) -> list[TextLine]:
    """A heading line and a paragraph under it."""
    seed = "".join(filter(str.isalpha, title)).lower()[:4] or "x"
    return [line(title, 72, y, size=size, bold=bold), *text(prose(words, seed=seed), 72, y + 2 * size, 468)]


def test_numbers_give_levels_even_in_one_type() -> None:
    first = page(
        [*section("1 Sites", 80), *section("1.1 Harbour", 220), *section("1.1.1 Pier", 360), *section("1.2 Hill", 500)]
    )
    second = page([*section("2 Boats", 80), *section("A Tide tables", 220)], 2)
    assert outline(structured(first, second)) == [
        (1, "1 Sites"), (2, "1.1 Harbour"), (3, "1.1.1 Pier"), (2, "1.2 Hill"), (1, "2 Boats"), (1, "A Tide tables"),
    ]  # fmt: skip


def test_type_gives_levels_where_there_are_no_numbers() -> None:
    pages = [
        page([*section("Weather", 80, size=18), *section("Rain", 220, size=14), *section("Drizzle", 380)]),
        page([*section("Ships", 80, size=18), *section("Ferries", 220, size=14)], 2),
        page(section("Crews", 80, size=18), 3),
    ]
    assert outline(structured(*pages)) == [
        (1, "Weather"), (2, "Rain"), (3, "Drizzle"), (1, "Ships"), (2, "Ferries"), (1, "Crews"),
    ]  # fmt: skip


def test_roman_and_lettered_sections_in_capitals_and_italics_are_two_levels() -> None:
    lines = [
        *section("I. INTRODUCTION", 80, bold=False), *section("II. METHODS", 220, bold=False),
        line("A. Sampling", 72, 370, italic=True), *text(prose(40, seed="aa"), 72, 390, 468),
        line("B. Counting", 72, 470, italic=True), *text(prose(40, seed="bb"), 72, 490, 468),
        line("C. Weighing", 72, 570, italic=True), *text(prose(40, seed="cc"), 72, 590, 468),
    ]  # fmt: skip
    closing = page(section("III. RESULTS", 80, bold=False), 2)
    assert [level for level, _ in outline(structured(page(lines), closing))] == [1, 1, 2, 2, 2, 1]


def test_parts_stand_over_chapters() -> None:
    pages = [
        page([*section("Part I", 80, size=20), *section("1 Sea", 200, size=14), *section("1.1 Waves", 400)]),
        page([*section("Part II", 80, size=20), *section("2 Land", 200, size=14), *section("2.1 Sand", 400)], 2),
    ]
    assert [level for level, _ in outline(structured(*pages))] == [1, 2, 3, 1, 2, 3]


def test_unnumbered_back_matter_has_the_level_of_the_numbered_sections_it_looks_like() -> None:
    first = page(
        [*section("1 Sites", 80, size=14), *section("1.1 Pier", 260, size=12), *section("2 Boats", 440, size=14)]
    )
    second = page(section("References", 80, size=14), 2)
    assert outline(structured(first, second))[-1] == (1, "References")


def test_the_outline_of_the_file_wins_over_type() -> None:
    entries = [OutlineEntry("Weather", 2, 1), OutlineEntry("Rain and  Snow", 1, 1), OutlineEntry("Ships", 2, 2)]
    pages = [
        page([*section("Weather", 80, size=18), *section("Rain and Snow", 260, size=14)]),
        page(section("Ships", 80, size=18), 2),
    ]
    assert outline(structured(*pages, outline=entries)) == [(2, "Weather"), (1, "Rain and Snow"), (2, "Ships")]


def test_the_outline_finds_a_heading_set_like_the_text_and_one_a_page_off() -> None:
    entries = [OutlineEntry("Harbour rules", 1, 1), OutlineEntry("Lights", 2, 1)]
    first = page([line("4.2 Harbour Rules", 72, 80), *text(prose(60), 72, 110, 468)])
    second = page([line("Lights", 72, 80), *text(prose(60, seed="light"), 72, 110, 468)], 2)
    assert outline(structured(first, second, outline=entries)) == [(1, "4.2 Harbour Rules"), (2, "Lights")]


def test_an_outline_about_something_else_is_not_believed() -> None:
    entries = [OutlineEntry(f"Slide {number}", 1, 1) for number in range(1, 6)]
    assert outline(
        structured(page(section("Weather", 80, size=18)), page(section("Ships", 80, size=18), 2), outline=entries)
    )


def contents_page() -> PageContent:
    titles = ["1 Sites", "1.1 Pier", "2 Boats", "3 Crews", "References"]
    entries = [
        line(f"{title} ........................ {at + 2}", 72, 120 + 16 * at, bold=True)
        for at, title in enumerate(titles)
    ]
    return page([line("Contents", 72, 80, size=16, bold=True), *entries])


def test_entries_of_a_printed_table_of_contents_are_no_headings() -> None:
    body = page([*section("1 Sites", 80, size=14), *section("2 Boats", 260, size=14)], 2)
    titles = [title for _, title in outline(structured(contents_page(), body))]
    assert titles == ["Contents", "1 Sites", "2 Boats"]


def test_a_table_of_contents_vouches_for_weak_headings() -> None:
    weak = [line("References", 72, 400, italic=True), *text(prose(40, seed="ref"), 72, 430, 468)]
    body = page([*section("1 Sites", 80, size=14), *weak], 2)
    assert "References" in [title for _, title in outline(structured(contents_page(), body))]


def test_bold_sentences_dates_labels_and_contacts_are_no_headings() -> None:
    bold = ["This sentence is set in bold because it matters a great deal to everyone.", "12 May 2031", "Table 4",
            "ask@example.org", "• first point", "and the end of a line"]  # fmt: skip
    lines = [line(words, 72, 80 + 60 * at, bold=True) for at, words in enumerate(bold)]
    between = [row for at in range(6) for row in text(prose(20, seed=f"s{chr(97 + at)}"), 72, 100 + 60 * at, 468)]
    assert outline(structured(page([*lines, *between, *text(prose(200, seed="zz"), 72, 480, 468)]))) == []


def test_words_in_a_table_are_no_headings() -> None:
    cells = [
        line(f"{name}{row}", x, 200 + 20 * row, bold=row == 0)
        for row in range(5)
        for name, x in (("Year", 72), ("Sales", 250), ("Cost", 420))
    ]
    assert outline(structured(page([*text(prose(90), 72, 80, 468), *cells]))) == []


def test_a_document_without_any_heading_is_one_run_of_paragraphs() -> None:
    document = structured(page(text(prose(200), 72, 80, 468)), page(text(prose(200, seed="more"), 72, 80, 468), 2))
    assert outline(document) == []
    assert (document.blocks.parent == -1).all()


def test_the_largest_line_of_the_first_page_is_the_title_and_no_section() -> None:
    document = structured(page([line("The Whole Book", 72, 80, size=24), *section("1 Sites", 200, size=14)]))
    assert rows(document, Kind.TITLE) == ["The Whole Book"]
    assert outline(document) == [(1, "1 Sites")]


def test_every_slide_has_one_title_at_level_one() -> None:
    names = ["Why", "What we saw", "How it went", "Next steps"]
    slides = [
        page(
            [
                line(f"{name} then", 40, 40, size=30, bold=True),
                line(f"A bold claim about {name}", 60, 120, size=22, bold=True),
                *(line(f"{name} detail {at}", 60, 180 + 40 * at, size=18) for at in range(3)),
            ],
            number,
            width=720,
            height=405,
        )
        for number, name in enumerate(names, 1)
    ]
    document = structured(*slides)
    assert rows(document, Kind.TITLE) == ["Why then"]
    assert outline(document) == [(1, f"{name} then") for name in names[1:]]


def test_a_chapter_s_own_list_of_sections_is_not_taken_for_the_sections() -> None:
    names = ["1.1 Pier", "1.2 Hill", "1.3 Well", "1.4 Mast"]
    opening = page(
        [
            line("1 Sites", 72, 80, size=16, bold=True),
            *(line(name, 72, 120 + 30 * at, bold=True) for at, name in enumerate(names)),
        ]
    )
    rest = page([row for at, name in enumerate(names) for row in section(name, 80 + 160 * at, words=50)], 2)
    assert [title for _, title in outline(structured(opening, rest))] == ["1 Sites", *names]


def test_a_label_over_the_title_of_a_chapter_belongs_to_it() -> None:
    pages = [
        page([line(word, 72, 60, size=14, bold=True) if word else line("", 72, 60)
              for word in ["CHAPTER"]] + [line(count, 72, 80, size=14, bold=True)]
             + section(title, 110, size=24) + section(f"{at}.1 Pier", 400, size=14), at)
        for at, (count, title) in enumerate([("ONE", "GETTING ASHORE"), ("TWENTYTWO", "LEAVING")], 1)
    ]  # fmt: skip
    assert outline(structured(*pages)) == [
        (1, "CHAPTER ONE GETTING ASHORE"), (2, "1.1 Pier"), (1, "CHAPTER TWENTYTWO LEAVING"), (2, "2.1 Pier"),
    ]  # fmt: skip


@pytest.mark.parametrize("label", ["KAPITEL {}", "Глава {}", "Chương {}", "第{}章"])
def test_a_label_over_a_title_belongs_to_it_in_other_languages(label: str) -> None:
    pages = [
        page([line(label.format(at), 72, 60, size=14, bold=True), *section(title, 90, size=24)], at)
        for at, title in enumerate(("Ankunft", "Abreise"), 1)
    ]
    expected = [(1, f"{label.format(1)} Ankunft"), (1, f"{label.format(2)} Abreise")]
    assert outline(structured(*pages)) == expected


def test_what_heads_a_remark_is_no_heading_in_other_languages() -> None:
    names = ["ANMERKUNG", "Внимание", "注意", "Cảnh báo:"]
    notices = [row for at, name in enumerate(names) for row in section(name, 200 + 110 * at, size=12, words=30)]
    pages = page([*section("1 Anker", 60, size=14), *notices]), page(section("2 Boote", 80, size=14), 2)
    assert [title for _, title in outline(structured(*pages))] == ["1 Anker", "2 Boote"]


def test_what_an_outline_leaves_out_goes_below_what_it_lists() -> None:
    names = ["ash", "elm", "oak"]
    pages = [
        page(
            [
                *section(f"{at} Site {name}", 80, size=14),
                *section(f"On {name}", 240, size=12),
                *section(f"Off {name}", 400, size=12),
            ],
            at,
        )
        for at, name in enumerate(names, 1)
    ]
    entries = [OutlineEntry(f"{at} Site {name}", 2, at) for at, name in enumerate(names, 1)]
    assert [level for level, _ in outline(structured(*pages, outline=entries))] == [2, 3, 3] * 3


def test_a_title_the_outline_names_is_no_running_header() -> None:
    pages = [page([line("4 Sites", 72, 40), *text(prose(300, seed=f"w{at}"), 72, 90, 468)], at) for at in (1, 2, 3)]
    pages.append(page([line("5 Boats", 72, 40), *text(prose(300, seed="boat"), 72, 90, 468)], 4))
    found = outline(structured(*pages, outline=[OutlineEntry("5 Boats", 1, 4)]))
    assert found == [(1, "5 Boats")]


def test_entries_of_printed_contents_lead_to_physical_pages() -> None:
    """Two pages stand before page 1, and a title stands in the running text of another page too."""
    names = ["Sites", "Boats", "Crews", "Tides"]
    entries = [line(f"{name} ........................ {at}", 72, 120 + 20 * at) for at, name in enumerate(names, 1)]
    front = page([line("Contents", 72, 80, size=16, bold=True), *entries], 1)
    body = [page([line(name, 72, 80), *text(prose(90, seed=name.lower()), 72, 120, 468)], at + 3)
            for at, name in enumerate(names)]  # fmt: skip
    blank = page(text(prose(90, seed="front"), 72, 80, 468), 2)
    assert [title for _, title in outline(structured(front, blank, *body))] == ["Contents", *names]


def test_an_index_at_the_back_makes_no_headings() -> None:
    words = ["Harbour", "Lantern", "Mooring", "Pilot", "Quay"]
    body = [
        page(
            [
                *section(f"{at} Part {word[:2]}", 80, size=14),
                line(word, 72, 400),
                *text(prose(60, seed=word.lower()), 72, 440, 468),
            ],
            at,
        )
        for at, word in enumerate(words, 1)
    ]
    entries = [line(f"{word} ........................ {at}", 72, 120 + 20 * at) for at, word in enumerate(words, 1)]
    back = page([line("Index", 72, 80, size=14, bold=True), *entries], 6)
    found = [title for _, title in outline(structured(*body, back))]
    assert found == [*(f"{at} Part {word[:2]}" for at, word in enumerate(words, 1)), "Index"]


def test_plain_numbers_count_inside_items() -> None:
    first = page([*section("Item 1. Statements", 80), *section("1. Basis", 220), *section("2. Debt", 360)])
    second = page([*section("3. Tax", 80), *section("Item 2. Results", 220)], 2)
    assert [level for level, _ in outline(structured(first, second))] == [1, 2, 2, 2, 1]


def test_steps_that_start_again_in_every_section_are_below_it() -> None:
    pages = [
        page([*section(f"{at}.{at} Mooring {name}", 80, size=14), *section(f"1. Slow down by {name}", 240, size=11),
              *section(f"2. Throw a rope to {name}", 400, size=11)], at)
        for at, name in enumerate(["ash", "elm", "oak"], 1)
    ]  # fmt: skip
    levels = [level for level, _ in outline(structured(*pages))]
    assert levels[0] < levels[1] == levels[2]
    assert levels == levels[:3] * 3


def test_contents_with_a_column_of_page_numbers_are_no_headings() -> None:
    names = ["Harbour", "Lantern", "Mooring", "Pilot", "Quay"]
    entries = [
        row
        for at, name in enumerate(names)
        for row in (line(name, 72, 120 + 60 * at, size=14, bold=True), line(str(at + 2), 500, 121 + 60 * at))
    ]
    front = page([line("Contents", 72, 80, size=16, bold=True), *entries])
    body = [page(section(name, 80, size=14), at) for at, name in enumerate(names, 2)]
    assert [title for _, title in outline(structured(front, *body))] == ["Contents", *names]


def test_a_number_left_of_its_title_in_a_column_of_its_own_belongs_to_it() -> None:
    names = [("ITEM 1.", "BUSINESS"), ("ITEM 1A.", "RISKS"), ("ITEM 2.", "PROPERTIES")]
    pages = [
        page(
            [
                line(label, 72, 80, size=12, bold=True),
                line(title, 150, 80, size=12, bold=True),
                *text(prose(60, seed=f"s{at}"), 72, 100, 468),
            ],
            at,
        )
        for at, (label, title) in enumerate(names, 1)
    ]
    assert outline(structured(*pages)) == [(1, f"{label} {title}") for label, title in names]


def test_notes_to_accounts_stand_under_their_head_and_hold_what_is_set_smaller() -> None:
    def part(title: str, y: float, *, size: float = 12.0) -> list[TextLine]:
        return [line(title, 72, y, size=size, bold=True), *text(prose(30, seed=title[-4:]), 72, y + 20, 468)]

    first = [*part("Item 1. Sites", 80), *part("Item 2. Boats", 200), *part("Notes to the Financial Statements", 320)]
    names = ["Rivers", "Lakes", "Coasts"]
    notes = [
        [*part(f"Note {at}. {title}", 80), *part("Basis", 200, size=10), *part("A. Method", 320, size=10)]
        for at, title in enumerate(names, 1)
    ]
    last = part("Item 3. Crews", 80)
    found = outline(structured(page(first), *(page(lines, at) for at, lines in enumerate(notes, 2)), page(last, 5)))
    assert found == [
        (1, "Item 1. Sites"),
        (1, "Item 2. Boats"),
        (2, "Notes to the Financial Statements"),
        *(
            entry
            for at, title in enumerate(names, 1)
            for entry in ((3, f"Note {at}. {title}"), (4, "Basis"), (4, "A. Method"))
        ),
        (1, "Item 3. Crews"),
    ]


def test_a_letter_that_is_a_roman_number_too_goes_on_with_the_letters() -> None:
    names = [f"{letter}. Rivers {letter.lower() * 3}" for letter in "GHIJ"]
    lines = [
        row
        for at, name in enumerate(names)
        for row in (
            line(name, 72, 80 + 110 * at, size=12, bold=True),
            *text(prose(40, seed=f"l{at}"), 72, 100 + 110 * at, 468),
        )
    ]
    assert outline(structured(page(lines))) == [(1, name) for name in names]


def test_entries_of_contents_run_together_are_entries_all_the_same() -> None:
    names = ["Rivers", "Lakes", "Coasts", "Canals", "Ponds"]
    entries = [line(f"{name} {'.' * 90} {at}", 72, 120 + 12 * at, width=468) for at, name in enumerate(names, 2)]
    listed = [line("Contents", 72, 80, size=14, bold=True), line("PART I", 72, 100, size=12, bold=True), *entries]
    body = [
        [line(name, 72, 80, size=12, bold=True), *text(prose(60, seed=f"b{at}"), 72, 100, 468)]
        for at, name in enumerate(names)
    ]
    found = outline(structured(page(listed), *(page(lines, at) for at, lines in enumerate(body, 2))))
    assert [title for _, title in found] == ["Contents", *names]


def test_italic_lines_that_stand_over_text_again_and_again_are_headings() -> None:
    titles = ["Harbour fees", "Mooring", "Winter storage", "Repairs"]
    lines = [
        part
        for at, title in enumerate(titles)
        for part in (
            line(title, 72, 80 + 130 * at, italic=True),
            *text(f"Here {prose(60, seed=title[:2].lower())}", 72, 95 + 130 * at, 468),
        )
    ]
    assert [title for _, title in outline(structured(page(lines)))] == titles
    once = [*lines[:1], *text(f"Here {prose(60)}", 72, 95, 468)]
    assert outline(structured(page(once))) == []


def test_bold_sentences_each_over_its_text_are_headings_where_they_recur() -> None:
    titles = [
        f"We may lose {thing} and our results may suffer." for thing in ("ships", "crews", "ports", "fuel", "tides")
    ]
    lines = [
        part
        for at, title in enumerate(titles)
        for part in (
            line(title, 72, 60 + 130 * at, bold=True),
            *text(prose(60, seed=title[12:14]), 72, 75 + 130 * at, 468),
        )
    ]
    assert [title for _, title in outline(structured(page(lines)))] == titles


def concluded(*, opens: bool) -> list[tuple[str, str]]:
    """(title, bold sentence) of pages whose sentence stands between two texts, or right under the title (`opens`)."""
    names = ("Ships", "Crews", "Ports", "Fuel", "Tides", "Rules")
    pairs = [(f"How safe are {name.lower()} here", f"{name} were not kept as they are to be kept.") for name in names]
    pages = []
    for number, (title, sentence) in enumerate(pairs, 1):
        seed = title[13:15]
        first = [] if opens else text(prose(60, seed=seed), 72, 95, 468)
        under = 95 if opens else 110 + 12 * len(first)
        rest = text(prose(60, seed=f"{seed}x"), 72, under + 15, 468)
        lines = [line(title, 72, 76, size=12, bold=True), *first, line(sentence, 72, under, bold=True), *rest]
        pages.append(page(lines, number))
    found = {title for _, title in outline(structured(*pages))}
    return (
        [pair for pair in pairs if found.issuperset(pair)]
        if opens
        else [pair for pair in pairs if pair[0] in found and pair[1] not in found]
    )


def test_bold_sentences_that_end_what_titles_open_are_no_headings_but_those_under_titles_are() -> None:
    assert len(concluded(opens=False)) == 6
    assert len(concluded(opens=True)) == 6


def test_no_level_is_left_out_everywhere() -> None:
    pages = [
        page([*section("I. Boats", 80, size=12), line("A.1 Sails", 72, 330), *section("1.1.1 Masts", 360)]),
        page([*section("II. Ports", 80, size=12), *section("1.1.2 Piers", 360)], 2),
    ]
    levels = [level for level, _ in outline(structured(*pages))]
    assert set(levels) == set(range(1, max(levels) + 1))
    assert len(levels) >= 4


def test_the_name_over_a_signature_is_no_heading() -> None:
    lines = [*section("Signature", 80), line("HARBOUR, INC.", 72, 300, bold=True), line("By: /s/ A. Mole", 72, 330)]
    assert [title for _, title in outline(structured(page(lines)))] == ["Signature"]
