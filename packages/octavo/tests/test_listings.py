"""What listings say is stated only where it is asked of them, and never where they are an example."""

from __future__ import annotations

import pytest

from indexed import searched
from octavo.operators.extractive.short_answers import short_answers
from octavo.operators.extractive.unit_scores import scored_units
from octavo.question import understand
from octavo_documents.document import Document, Kind
from synthetic import Row, document, with_tables


def stated(question: str, source: Document) -> set[str]:
    """Return the short answers that are bound to a question."""
    run, evidence = searched(question, source)
    read = understand(question)
    found = short_answers(read, run.view, scored_units(read, evidence, run))
    return {one.text for one in found if one.is_bound}


def listing(*lines: str, over: str = "The program tells this:", kind: Kind = Kind.CODE) -> Document:
    rows: list[Row] = [(Kind.HEADING, "3 Systems", 1, 1), (Kind.PARAGRAPH, over, 1, 0)]
    if kind == Kind.CODE:
        return document([*rows, (kind, "\n".join(lines), 1, 0)])
    return document([*rows, *((kind, line, 1, 0) for line in lines)])


def keys(*rows: list[str], over: str = "The program tells this:") -> Document:
    above: list[Row] = [(Kind.HEADING, "3 Systems", 1, 1), (Kind.PARAGRAPH, over, 1, 0)]
    return with_tables(document([*above, (Kind.TABLE, "", 1, 0)]), {2: [["Item", "Value"], *rows]})


@pytest.mark.parametrize("kind", [Kind.CODE, Kind.PARAGRAPH, Kind.LIST_ITEM])
def test_a_line_of_a_listing_answers_for_nothing_that_it_does_not_name(kind: Kind) -> None:
    source = listing("Mast height: 14 m", "Mooring port: 22", kind=kind)
    assert "14 m" in stated("What is the mast height?", source)
    assert stated("What is the mast height of the schooner?", source) == set()


@pytest.mark.parametrize("over", ["The following is an example run:", "A configuration may look like this:"])
def test_an_example_is_never_stated(over: str) -> None:
    assert stated("What is the mast height?", listing("Mast height: 14 m", over=over)) == set()
    assert stated("What is the codename?", keys(["Codename:", "heron"], ["Release:", "north"], over=over)) == set()


def test_what_is_so_under_a_condition_is_stated_only_where_that_is_asked() -> None:
    source = keys(["Codename:", "heron"], ["Release:", "north"], over="If you run it on a ferry you will get:")
    assert stated("What is the codename?", source) == set()
    assert stated("What is the codename on a ferry?", source) == set()  # neither line nor heading says ferry


@pytest.mark.parametrize("prompt", ["$ tell --all", "root@tern:~# tell", ">>> tell()", "C:\\tools> tell"])
def test_output_of_a_command_is_never_stated(prompt: str) -> None:
    assert stated("What is the mast height?", listing(prompt, "Mast height: 14 m")) == set()


def test_a_list_of_keys_answers_what_is_asked_of_it_alone() -> None:
    source = keys(["Codename:", "heron"], ["Release:", "north"], ["Draught:", "3 m"])
    assert "heron" in stated("What is the codename?", source)
    assert stated("What is the codename of the testing branch?", source) == set()
    assert "3 m" in stated("What is the draught of the systems?", source)  # the heading says so
