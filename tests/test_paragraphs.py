"""Where a paragraph goes on although a line looks like a new one."""

from __future__ import annotations

from octavo.document import Kind
from octavo.parsing.content import TextLine
from printed import line, page, prose, rows, structured, text


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
