"""Documents that share a name are told apart to a reader as they are to people."""

from __future__ import annotations

import pytest

from octavo.evidence.view import View
from octavo.operators.read.packing import where
from octavo.operators.read.wanted import to_search
from octavo_documents.document import Kind
from synthetic import document

NAMES = ("2021/report.pdf", "2022/report.pdf")


@pytest.fixture
def view() -> View:
    """Two documents of one name."""
    reports = [document([(Kind.PARAGRAPH, text, 1, 0)], name="report.pdf") for text in ("Staff: 40.", "Staff: 50.")]
    return View(reports, names=NAMES)


def test_a_passage_says_which_of_two_it_is_from(view: View) -> None:
    assert [where(view, row) for row in range(2)] == ["2021/report.pdf; page 1", "2022/report.pdf; page 1"]


def test_what_is_missing_is_searched_without_the_name_it_is_called_by(view: View) -> None:
    assert to_search(view, ["the chart on page 5 of 2022/report.pdf"]) == to_search(view, ["the chart on page 5 of "])
