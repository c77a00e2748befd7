"""Lines to paragraphs: where they end, words broken over lines, drop caps."""

from __future__ import annotations

import pytest

from octavo_documents.document import Kind
from octavo_documents.parsing.content import Box, PageContent, Span, TextLine
from octavo_documents.structuring.lines import page_lines, with_initials
from printed import line, page, prose, rows, structured, text

CAP = (54.0, 79.4, 89.0, 128.1)


def entry(name: str, y: float, rest: str, *, ends: str = ".") -> list[TextLine]:
    """A full line and a second one, indented."""
    return [line(f"{name} {'a' * (90 - len(name))}{ends}", 72, y, width=468), line(rest, 86, y + 12)]


def test_the_second_line_of_a_hanging_entry_goes_on_after_a_full_stop() -> None:
    rests = ["Astrophysics 315", "J. Physics 498", "Nature 12", "Science 7"]
    lines = [one for at, rest in enumerate(rests) for one in entry("Bcdef", 80 + 30 * at, rest)]
    found = rows(structured(page(lines)))
    assert len(found) == len(rests)
    assert all(block.endswith(f". {rest}") for block, rest in zip(found, rests, strict=True))


def test_a_first_line_indent_after_a_full_line_still_opens_a_paragraph() -> None:
    lines = [
        line(
            f"{'Bc ' if at % 3 == 0 else 'd'}{'e' * 80}.",
            86 if at % 3 == 0 else 72,
            80 + 12 * at,
            width=468 - 14 * (at % 3 == 0),
        )
        for at in range(9)
    ]
    assert len(rows(structured(page(lines)))) == 3


def test_a_number_inside_the_text_of_an_item_opens_none() -> None:
    lines = [
        line("1. " + "a" * 80 + " pp. 532–", 72, 80, width=468),
        line("547. Tideware Press", 90, 92),
        line("2. next", 72, 104),
    ]
    assert rows(structured(page(lines))) == ["1. " + "a" * 80 + " pp. 532–547. Tideware Press", "2. next"]


def test_a_number_that_counts_on_inside_a_paragraph_opens_no_item() -> None:
    lines = [
        line("Three reasons: (1) it rains. (2) " + "a" * 50 + ".", 72, 80, width=468),
        line("(3) the tide is high.", 72, 92),
    ]
    assert len(rows(structured(page(lines)))) == 1


def test_numbers_set_far_left_of_their_items_belong_to_them() -> None:
    lines = [
        part
        for at in range(5)
        for part in (
            line(f"{at + 4}.", 72, 80 + 60 * at, width=10),
            *text(f"Notice {prose(40)}", 108, 80 + 60 * at, 430),
        )
    ]
    document = structured(page(lines))
    assert [item[:9] for item in rows(document, Kind.LIST_ITEM)] == [f"{at + 4}. Notice" for at in range(5)]


def letter(*openings: str) -> list[TextLine]:
    """Items of three lines each as letters set them: the first line indented, the rest flush; the last one short."""
    return [
        part
        for at, opening in enumerate(openings)
        for part in (
            line(f"{opening} {'a' * 74} of the", 108, 80 + 40 * at, width=432),
            line(f"Company {'b' * 84}", 72, 92 + 40 * at, width=468),
            line("ends here.", 72, 104 + 40 * at),
        )
    ]


def test_an_item_whose_first_line_alone_is_indented_stays_whole_and_outermost() -> None:
    document = structured(page(letter("(a)", "(b)", "(c)")))
    assert [item[:3] for item in rows(document)] == ["(a)", "(b)", "(c)"]
    assert {int(level) for level in document.blocks.level} == {1}


def test_a_paragraph_set_left_of_a_whole_item_is_one_of_its_own() -> None:
    item = [line("(a) " + "a" * 80 + ".", 108, 80, width=432), line("The company " + "b" * 70, 72, 92, width=468)]
    assert len(rows(structured(page(item)))) == 2


def test_an_indent_of_one_em_between_full_lines_opens_a_paragraph() -> None:
    first = [line("Bcd" + "a" * 80, 72, 80 + 12 * at, width=230) for at in range(3)]
    second = [line("Opened " + "a" * 70, 82, 116, width=220), line("Bcd" + "a" * 80, 72, 128, width=230)]
    assert len(rows(structured(page([*first, *second])))) == 2


def test_an_area_code_opens_no_item_and_a_bracketed_number_does() -> None:
    assert not rows(structured(page([line("(408) 536-6000", 72, 80)])), Kind.LIST_ITEM)
    entries = [part for at in (1, 2) for part in (line(f"[{at}]", 72, 80 * at), line("Ab, C.: Sea.", 90, 80 * at))]
    assert rows(structured(page(entries)), Kind.LIST_ITEM) == ["[1] Ab, C.: Sea.", "[2] Ab, C.: Sea."]


def test_a_number_at_the_start_of_an_earlier_line_is_counted_on_too() -> None:
    lines = [
        line("Three reasons: " + "a" * 60, 72, 80, width=468),
        line("(1) it rains. " + "b" * 60 + ".", 72, 92, width=468),
        line("(2) the tide is high.", 72, 104),
    ]
    assert "(2) the tide is high." not in rows(structured(page(lines)))


def test_a_title_centred_under_the_label_of_a_table_is_its_caption_and_a_paragraph_is_not() -> None:
    label = line("TABLE II", 286, 80, width=40)
    titled = [
        label,
        line("DEPTHS OF THE HARBOUR IN METRES", 220, 92, width=172),
        line("AND OF PIERS", 262, 104, width=88),
    ]
    found = structured(page([*titled, *text(prose(60), 72, 300, 468)]))
    assert rows(found, Kind.CAPTION) == ["TABLE II DEPTHS OF THE HARBOUR IN METRES AND OF PIERS"]
    apart = structured(page([line("TABLE II", 72, 80, width=40), *text(prose(60), 72, 92, 468)]))
    assert rows(apart, Kind.CAPTION) == ["TABLE II"]


def test_a_title_of_two_lines_in_capitals_ends_before_what_is_said_of_it() -> None:
    lines = [
        line("HARBOUR TRADING COMPANY", 222, 80, bold=True, width=168),
        line("STATEMENT OF DEPTHS", 228, 93, bold=True, width=156),
        line("(in metres, except of piers)", 190, 106, bold=True, width=232),
    ]
    found = rows(structured(page([*lines, *text(prose(60), 72, 300, 468)])))
    assert found[:2] == ["HARBOUR TRADING COMPANY STATEMENT OF DEPTHS", "(in metres, except of piers)"]


def test_the_rest_of_a_broken_word_is_no_word_of_the_document() -> None:
    lines = [line("see acl.com for com-", 72, 80, width=200), line("monsense facts", 72, 92)]
    assert rows(structured(page(lines))) == ["see acl.com for commonsense facts"]


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        ("ten of us in all, nearly six-in-", "ten people", "ten of us in all, nearly six-in-ten people"),
        ("to the end an end-", "to-end model", "to the end an end-to-end model"),
        ("a state with state-", "sponsored banks", "a state with state-sponsored banks"),
        ("Tideware by TIDE-", "WARE Limited", "Tideware by TIDEWARE Limited"),
        ("some dif\u2011", "ferences remain", "some differences remain"),
        ("at https://a.org/best-", "practices/new", "at https://a.org/best-practices/new"),
        ("it can-", "not do so, yet it can and will not", "it cannot do so, yet it can and will not"),
        ("a cross-bureau agency and a cross-", "agency one", "a cross-bureau agency and a cross-agency one"),
        ("the task of DE-", "TECTIVE work", "the task of DETECTIVE work"),
        ("the GAAP and NON-", "GAAP figures, GAAP first", "the GAAP and NON-GAAP figures, GAAP first"),
        ("run demo/demo.", "jpg now", "run demo/demo.jpg now"),
        ("in the src/octavo/", "corpus folder", "in the src/octavo/corpus folder"),
        ("boats and/or ships.", "one more", "boats and/or ships. one more"),
        ("on pages 635–", "646 of it", "on pages 635–646 of it"),
    ],
)
def test_hyphens_at_line_ends_that_belong_to_the_text_are_kept(first: str, second: str, whole: str) -> None:
    assert rows(structured(page([line(first, 72, 80, width=200), line(second, 72, 92)]))) == [whole]


def set_line(text: str, box: Box, size: float = 10.0) -> TextLine:
    return TextLine(text, box, (Span(0, len(text), box, "Serif", size, bold=False, italic=False, color=0),))


def texts(*lines: TextLine) -> list[str]:
    set_page = with_initials(page_lines(PageContent(1, "1", 612, 792, lines)))
    return [text for text in set_page.texts if text]


BESIDE = (
    set_line("ebaha the first line", (92.5, 82.4, 294, 92.4)),
    set_line("and the second line of it", (92.5, 95.6, 294, 105.6)),
    set_line("and the third", (92.5, 108.8, 294, 118.8)),
)


def test_a_drop_cap_is_joined_to_its_word_and_the_lines_beside_start_where_it_does() -> None:
    set_page = with_initials(page_lines(PageContent(1, "1", 612, 792, (set_line("C", CAP, 48.7), *BESIDE))))
    assert set_page.texts[1] == "Cebaha the first line"
    assert set_page.boxes[1:, 0].tolist() == [54.0] * 3


def test_a_letter_that_is_a_word_stays_one() -> None:
    beside = (set_line("line to begin", BESIDE[0].box), *BESIDE[1:])
    assert texts(set_line("A", CAP, 48.7), *beside)[0] == "A line to begin"
    assert (
        texts(set_line("A", CAP, 48.7), set_line("s the first line", BESIDE[0].box), *BESIDE[1:])[0]
        == "As the first line"
    )


def test_large_letters_with_nothing_level_beside_them_stand_alone() -> None:
    assert texts(set_line("C", CAP, 48.7), set_line("far off", (140, 82, 294, 92)))[0] == "C"
    assert texts(set_line("C", CAP, 48.7), set_line("in the middle", (92.5, 97, 294, 107)))[0] == "C"
    assert texts(set_line("C", (54, 82, 60, 92), 10.0), *BESIDE)[0] == "C"


def run_in(label: str, rest: str, y: float) -> TextLine:
    """A line that opens with a bold heading in smaller type and goes on in the text's own."""
    plain = line(f"{label} {rest}", 72, y)
    x0, y0, x1, y1 = plain.box
    stop = len(label)
    middle = x0 + (x1 - x0) * stop / len(plain.text)
    spans = (
        Span(0, stop, (x0, y0, middle, y1), "Bold", 8.0, True, False, 0, False),
        Span(stop + 1, len(plain.text), (middle, y0, x1, y1), "Body", 10.0, False, False, 0, False),
    )
    return TextLine(plain.text, plain.box, spans)


def test_a_heading_that_runs_in_stays_with_the_text_it_opens_and_begins_a_paragraph() -> None:
    first = text("The agency proposes a rule. " + prose(30) + " on these products.", 72, 80, 300)
    top = first[-1].box[1] + 12
    dates = [
        run_in("DATES:", "The agency must receive what you have to say", top),
        line("by the first of May.", 72, top + 12),
    ]
    contact = [
        run_in("FOR FURTHER INFORMATION AND ALL QUESTIONS CONTACT:", "Ian", top + 24),
        line("Vance, manager of the branch, at the address given over this.", 72, top + 36),
    ]
    document = structured(page([*first, *dates, *contact]))
    texts = [document.blocks.text[at] for at in range(len(document.blocks))]
    assert len(texts) == 3
    assert texts[1] == "DATES: The agency must receive what you have to say by the first of May."
    assert texts[2].endswith("CONTACT: Ian Vance, manager of the branch, at the address given over this.")
