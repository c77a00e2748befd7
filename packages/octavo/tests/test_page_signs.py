"""Signs on pages: what is asked to be shown speaks for a page, titles of sections elsewhere speak against it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from indexed import view_of
from octavo.evidence import View
from octavo.operators.score.page_features import page_signs, signposts
from octavo_documents.document import Kind
from synthetic import Row, document, documents

SECTIONS = ["Harbour fees", "Winter berths", "Storm signals", "Night watch", "Bread and salt", "Lost property"]
CONTENTS = "\n".join(f"{number}. {title} ....... {number + 1}" for number, title in enumerate(SECTIONS, 1))
HANDBOOK: list[Row] = [
    (Kind.PARAGRAPH, CONTENTS, 1, 0),
    *((Kind.HEADING, f"{number} {title}", number + 1, 1) for number, title in enumerate(SECTIONS, 1)),
    (Kind.CHART, "", 2, 0),
    (Kind.TABLE, "Length | Fee\n10 m | 12 crowns", 3, 0),
    (Kind.FIGURE, "", 4, 0),
    (Kind.PARAGRAPH, "See Night watch, page 5.", 6, 0),
    (Kind.PARAGRAPH, "Lost property\nHarbour fees", 7, 0),
]
ROWS = sorted(HANDBOOK, key=lambda row: row[2])
VIEW = View([document(ROWS)])
STATEMENT = ["Total current assets", "Total assets", "Total current liabilities", "Total liabilities", "Total equity"]
LINES = "\n".join(f"{line} | 12" for line in [*STATEMENT, "Inventories", "Goodwill", "Retained earnings"])


def best(question: str, view: View = VIEW) -> list[int]:
    """Return the pages that most speaks for."""
    signs = page_signs(question, view)
    return (1 + np.flatnonzero(signs == signs.max())).tolist()


def test_a_page_that_names_many_sections_that_begin_elsewhere_is_a_signpost() -> None:
    assert signposts(VIEW).tolist() == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2]


def test_a_title_counts_once_and_only_as_a_line_of_its_own() -> None:
    again: list[Row] = [*ROWS, (Kind.PARAGRAPH, "HARBOUR FEES\n1 Harbour fees\nHarbour fees 2", 7, 0)]
    assert signposts(View([document(again)]))[6] == 0.2


def test_titles_of_another_document_are_no_signpost() -> None:
    other = document([(Kind.PARAGRAPH, CONTENTS, 1, 0)], name="other.pdf")
    assert signposts(View([document(ROWS), other])).tolist()[-1] == 0.0


def test_a_document_without_sections_has_no_signposts() -> None:
    assert not signposts(View([document([(Kind.PARAGRAPH, CONTENTS, 1, 0)])])).any()


def test_the_kind_that_a_question_speaks_of_speaks_for_a_page() -> None:
    assert best("What does the chart of fees say?") == [2]
    assert best("What is the fee in the table?") == [3]


def test_all_things_of_a_kind_speak_for_their_pages() -> None:
    assert best("How many tables are in the document?") == [3]
    assert best("How many charts and tables are there in the document?") == [2, 3]


def test_a_question_about_headings_wants_the_table_of_contents_too() -> None:
    question = "How many sections are in the document?"
    assert page_signs(question, VIEW)[0] == 0.0
    assert page_signs("What does a berth cost?", VIEW)[0] < 0


def test_a_measure_wants_the_statements_even_one_that_it_does_not_name() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, "Prose.", 1, 0), (Kind.TABLE, LINES, 2, 0)]
    view = View([document(rows)])
    assert page_signs("What is the operating margin in 2021?", view).tolist() == [0.0, 1.0]
    assert not page_signs("Who wrote it?", view).any()


def test_a_collection_has_no_signs() -> None:
    view = view_of(document(ROWS), document(ROWS, name="other.pdf"))
    assert page_signs("How many charts are there?", view).tolist() == [0.0] * 14


@given(documents(), st.sampled_from(["How many tables are there?", "What is the return on assets?", "Who?"]))
def test_signs_are_bounded_for_any_document(drawn: object, question: str) -> None:
    view = View([drawn])  # pyright: ignore[reportArgumentType]
    signs = page_signs(question, view)
    assert signs.shape == (int(view.page_starts[-1]),)
    assert ((signs >= -1) & (signs <= 3)).all()
    assert ((signposts(view) >= 0) & (signposts(view) <= 1)).all()
