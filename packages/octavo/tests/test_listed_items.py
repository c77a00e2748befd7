"""Items of long lists are found by the numbers that a question names, whole and with what the list is of."""

from __future__ import annotations

import pytest

from indexed import run_over, searched
from octavo.operators.extractive.extractive_reader import ExtractiveReader
from octavo.operators.read.passage_choice import named_rows
from octavo.operators.score.listed_items import items_named
from octavo.question import understand
from octavo_documents.document import Document, Kind
from synthetic import Row, document

LEAD = "The service takes two hours. Carry out these steps in order:"
PARTS = ("pump", "tank", "belt", "filter", "gauge", "sump", "guard", "valve", "cover", "latch")


def steps(first: int, last: int, form: str = "{n}. {said}") -> list[Row]:
    """Return the items of a list, each with a word of its own."""
    said = "Open the {part} of the engine, clean it with a cloth, and note in the logbook as entry {n} that it is done."
    return [
        (Kind.LIST_ITEM, form.format(n=n, said=said.format(part=PARTS[n % len(PARTS)], n=n)), 1, 1)
        for n in range(first, last + 1)
    ]


def handbook(*lists: list[Row], lead: str = LEAD) -> Document:
    rows: list[Row] = [(Kind.HEADING, "Overview", 1, 1), (Kind.PARAGRAPH, "The engine is inspected each month.", 1, 0)]
    for at, items in enumerate(lists):
        rows += [(Kind.HEADING, f"Service {at + 1}", 1, 1), (Kind.PARAGRAPH, lead, 1, 0), *items]
    return document([*rows, (Kind.HEADING, "Records", 1, 1), (Kind.PARAGRAPH, "Keep the logbook for years.", 1, 0)])


def passages(question: str, source: Document) -> list[str]:
    run, evidence = searched(question, source)
    return [one.text for one in ExtractiveReader()(evidence, run).passages]


@pytest.mark.parametrize("form", ["{n}. {said}", "({n}) {said}", "{n}) {said}", "Step {n}: {said}", "{n} {said}"])
@pytest.mark.parametrize("start", [1, 31])
def test_the_first_passage_has_the_item_that_is_asked_for_and_what_the_list_is_of(form: str, start: int) -> None:
    source = handbook(steps(start, start + 24, form))
    first = passages(f"What is step {start + 11}?", source)[0]
    assert first.startswith(LEAD)
    assert f"as entry {start + 11} that it is done." in first


def test_the_items_after_one_come_in_order_without_a_gap() -> None:
    found = passages("What are the steps after step 12?", handbook(steps(1, 25)))
    shown = [n for n in range(1, 26) if any(f"as entry {n} that" in one for one in found[:2])]
    assert shown[0] == 13
    assert shown == [*range(13, 13 + len(shown))]
    assert "… 12 more items" in found[0]
    named = items_named(understand("What are the steps after step 12?"), run_over(handbook(steps(1, 25))).view)
    assert [len(rows) for rows in named] == [13]


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("What do steps 4 to 6 say?", range(4, 7)),
        ("What comes before step 3?", range(1, 3)),
        ("What follows after item 23?", range(24, 26)),
        ("What is step 40?", range(0)),
        ("What step comes first?", range(0)),
    ],
)
def test_ranges_and_what_stands_before_and_after(question: str, numbers: range) -> None:
    view = run_over(handbook(steps(1, 25))).view
    rows = [row for found in items_named(understand(question), view) for row in found]
    assert [view.blocks.text[row].split(".")[0] for row in rows] == [*map(str, numbers)]


def test_what_stands_between_two_items_belongs_to_the_first() -> None:
    first, second = steps(1, 1), steps(2, 4)
    source = handbook([*first, *second[:1], (Kind.CODE, "engine --stop", 1, 0), *second[1:]])
    view = run_over(source).view
    (found,) = items_named(understand("What is step 2?"), view)
    assert [view.blocks.text[row] for row in found][1:] == ["engine --stop"]
    assert "engine --stop" in passages("What is step 2?", source)[0]


def test_of_several_lists_the_likeliest_comes_first_and_of_many_none_is_taken() -> None:
    two = handbook(
        steps(1, 5), [(kind, text.replace("engine", "winch"), page, level) for kind, text, page, level in steps(1, 5)]
    )
    assert "winch" in passages("What is step 4 for the winch?", two)[0]
    many = run_over(handbook(*(steps(1, 5) for _ in range(5)))).view
    assert items_named(understand("What is step 4?"), many) == []


def test_a_number_that_begins_an_entry_of_another_list_is_no_number_of_it() -> None:
    eggs: list[Row] = [(Kind.LIST_ITEM, text, 1, 1) for text in ("2 eggs", "300 g of flour", "3 spoons of sugar")]
    view = run_over(handbook(eggs, steps(1, 4))).view
    (found,) = items_named(understand("What is step 2?"), view)
    assert view.blocks.text[found[0]].startswith("2. ")


def test_a_model_is_shown_the_item() -> None:
    view = run_over(handbook(steps(1, 25))).view
    assert [view.blocks.text[row][:3] for row in named_rows(view, "What is step 12?")] == ["12."]


def test_steps_of_a_list_are_not_left_out_between_two_passages() -> None:
    found = passages("What are the steps of the service of the engine?", handbook(steps(1, 20)))
    shown = [n for n in range(1, 21) if any(f"as entry {n} that" in one for one in found)]
    assert shown == [*range(shown[0], shown[-1] + 1)]
