"""References in questions: what pages, figures, tables and sections words point at, in many phrasings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.question import Reference, understand
from octavo_documents.text.things import canonical, number_value, roman_numeral


def told(question: str) -> list[str]:
    """Return references as short texts: "page 3..7", "table #-1 in Section 4", "section 'Results'"."""
    return [short(one) for one in understand(question).references]


def short(one: Reference) -> str:
    words: list[str] = [one.what]
    if one.number:
        words.append(f"{one.number}..{one.to}" if one.to else one.number)
    if one.part:
        words.append(f"({one.part})")
    if one.position:
        words.append(f"#{one.position}" + (f" x{one.count}" if one.count > 1 else ""))
    if one.title:
        words.append(f"'{one.title}'")
    if one.relation:
        words.append(f"{one.relation} {one.anchor}")
    return " ".join(words)


PHRASINGS: dict[str, list[str]] = {
    # pages by number
    "What is on page 5?": ["page 5"],
    "what does PAGE 12 show": ["page 12"],
    "the map on p. 14": ["page 14"],
    "see p.12": ["page 12"],
    "the quote on pg. 7": ["page 7"],
    "on page number 8": ["page 8"],
    "on page no. 4": ["page 4"],
    "what is on slide #9": ["page 9"],
    "How many colors are in the slide 14?": ["page 14"],
    "the figure at the top of page 6985": ["page 6985"],
    "page 3 of 10": ["page 3"],
    "who is on page five": ["page 5"],
    # lists and ranges
    "pages 3 to 7 and 9": ["page 3..7", "page 9"],
    "Summarise pages 12, 14 and 20-22.": ["page 12", "page 14", "page 20..22"],
    "pp. 3-7": ["page 3..7"],
    "pages 3–7": ["page 3..7"],
    "between pages 3 and 7": ["page 3..7"],
    "from page 3 to page 7": ["page 3..7"],
    "pages 10 through 12": ["page 10..12"],
    "slide 14 and slide 16": ["page 14", "page 16"],
    "pages 2 & 3": ["page 2", "page 3"],
    "on page 5, 2015 revenue was what?": ["page 5"],
    # Roman numbers and labels
    "on page iv": ["page iv"],
    "on p. iv of the preface": ["page iv in preface"],
    "pages iv-vi": ["page iv..vi"],
    "pages ii to v": ["page ii..v"],
    "Page A-3": ["page a.3"],
    # pages by position
    "the first page": ["page #1"],
    "the first ten pages": ["page #1 x10"],
    "the first 10 slides": ["page #1 x10"],
    "the last slide": ["page #-1"],
    "on the final page": ["page #-1"],
    "the last three slides of the deck": ["page #-1 x3"],
    "the second to last page": ["page #-2"],
    "the penultimate slide": ["page #-2"],
    "the last but one page": ["page #-2"],
    "the page before the last": ["page #-2"],
    "the 3rd slide": ["page #3"],
    "on the eleventh page": ["page #11"],
    "the first and last pages": ["page #1", "page #-1"],
    "the cover page": ["page #1"],
    "What is on the back cover?": ["page #-1"],
    "the opening slide": ["page #1"],
    # inside of something
    "page 5 of the appendix": ["page 5 in appendix"],
    "page 2 of Appendix B": ["page 2 in Appendix B"],
    "the first page of chapter 3": ["page #1 in chapter 3"],
    "the last page of the report": ["page #-1"],
    "the last table in Section 4": ["table #-1 in Section 4"],
    # figures, tables and the like
    "Fig. 2(b)": ["figure 2 (b)"],
    "Fig 2b": ["figure 2 (b)"],
    "the red box of Figure 3 (left)": ["figure 3 (left)"],
    "Figures 3 and 4": ["figure 3", "figure 4"],
    "Figs. 2-4": ["figure 2..4"],
    "According to Table II": ["table ii"],
    "according to table II": ["table ii"],
    "Table A.1": ["table a.1"],
    "table A1": ["table a.1"],
    "figure 3 and table 4": ["figure 3", "table 4"],
    "the first bar chart": ["chart #1"],
    "Equation (3)": ["equation 3"],
    "Algorithm 1": ["algorithm 1"],
    "Exhibit 10.1": ["exhibit 10.1"],
    "Item 1A": ["item 1a"],
    "under unit-8": ["unit 8"],
    "in units 4, 5, and 6 combined": ["unit 4", "unit 5", "unit 6"],
    # sections
    "Section 2.1": ["section 2.1"],
    "sections 2.1 to 2.4": ["section 2.1..2.4"],
    "in § 3.2": ["section 3.2"],
    "Chapter 3": ["chapter 3"],
    "chapter three": ["chapter 3"],
    "Chapter IV": ["chapter iv"],
    "the second chapter": ["chapter #2"],
    "Appendices A and C": ["appendix a", "appendix c"],
    "listed in Annex 1": ["appendix 1"],
    "Part II": ["part ii"],
    "in the introduction": ["section 'introduction'"],
    "In the Leadership program section, how many": ["section 'Leadership program'"],
    'the section "Mooring fees"': ["section 'Mooring fees'"],
    'the chapter titled "Winter"': ["chapter 'Winter'"],
    # told from something else
    "the table on the next page after Figure 3": ["table next page Figure 3"],
    "the chart on the previous page before Section 2": ["chart previous page Section 2"],
    "the page after Table 2": ["page #1 after Table 2"],
    "two pages before Figure 4": ["page #2 before Figure 4"],
    "the chart below Figure 2": ["chart #1 after Figure 2"],
    "the figure on the same page as Table 1": ["figure same page Table 1"],
    # nothing is pointed at
    "How many pages are there?": [],
    "In 2015, on slides": [],
    "the table I saw": [],
    "Which chart shows the tides?": [],
    "Is a page from the log shown?": [],
    "What is the step size of 5?": [],
    "List the pages, formatted like ['Page 2', 'Page 4'].": [],
    "the front cover of a video game": [],
}


@pytest.mark.parametrize(("question", "expected"), PHRASINGS.items())
def test_a_phrasing_points_where_a_reader_would_look(question: str, expected: list[str]) -> None:
    assert told(question) == expected


@pytest.mark.parametrize(
    ("one", "numbers"),
    [
        (Reference("", "page", "3", "5"), ("3", "4", "5")),
        (Reference("", "page", "iv", "vi"), ("iv", "v", "vi")),
        (Reference("", "section", "2.1", "2.3"), ("2.1", "2.2", "2.3")),
        (Reference("", "appendix", "a", "c"), ("a", "b", "c")),
        (Reference("", "page", "9", "3"), ("9", "3")),
        (Reference("", "page", "1", "9000"), ("1", "9000")),
        (Reference("", "page", position=-1), ()),
    ],
)
def test_a_range_is_spelled_out_unless_it_is_too_wide_or_uneven(one: Reference, numbers: tuple[str, ...]) -> None:
    assert one.numbers() == numbers


@given(st.integers(1, 3999))
def test_a_roman_number_is_read_as_it_is_written(value: int) -> None:
    assert number_value(roman_numeral(value)) == value


@pytest.mark.parametrize("word", ["mix", "iix", "vx", "", "abc"])
def test_letters_that_are_no_number_have_no_value(word: str) -> None:
    assert number_value(word) in (None, 1009)
    assert canonical("A-3") == canonical("a.3") == canonical("A3") == "a.3"


@given(st.text(alphabet="page fig table 3-7,and()IVix.§\"'of the last first", max_size=120))
def test_what_is_read_is_words_of_the_question(question: str) -> None:
    found = understand(question).references
    assert all(one.words.strip() and one.words in question for one in found)
    assert len(understand(question).without_references) <= len(question) + 2 * len(found) + 1


@pytest.mark.parametrize(
    ("question", "is_read"),
    [
        ("What is on page 5?", True),
        ("Who wrote the report?", True),
        ("What is in the lower half of the page that faces Table 2?", False),
        ("Which word ends the page halfway before the middle?", False),
    ],
)
def test_a_model_is_worth_asking_only_where_the_grammar_can_have_missed_something(question: str, is_read: bool) -> None:
    assert understand(question).is_settled == is_read


@pytest.mark.parametrize("word", ["²", "①", "1²", "٣²"])
def test_raised_and_circled_figures_are_no_numbers(word: str) -> None:
    assert number_value(word) is None


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("Which pages show a boat (first page = 1)?", ()),
        ("Which slides show a boat? The first slide is 1.", ()),
        ("Which pages show a boat, counting the cover as page 1?", ()),
        ("Which charts are red, with PDF page 1 being the cover?", ()),
        ("Which maps are blue? Number them with the first page of the file as page 1.", ()),
        ("Which charts are red, counting from the first page?", ()),
        ("How many charts are on pages 3 to 7 (page 1 is the cover)?", ("3-7",)),
        ("What does page 1 say?", ("1",)),
        ("Is the cover page 1?", ("1",)),
        ("What is on PDF page 1 being the cover?", ("1",)),
        ("What is on the first page: 1 chart or two?", ("1",)),
        ("Which charts are red, counting from page 1 to page 5?", ("1-5",)),
        ("What does the cover page as one picture show?", ("1",)),
    ],
)
def test_how_pages_are_numbered_points_at_no_page(question: str, pages: tuple[str, ...]) -> None:
    asked = understand(question)
    assert asked.pages == pages
    assert asked.is_settled or pages
