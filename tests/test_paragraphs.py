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
