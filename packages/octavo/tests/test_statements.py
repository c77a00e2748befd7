"""Financial measures lead to the statements they are worked out of, told by their lines and titles."""

from __future__ import annotations

import pytest

from indexed import run_over
from octavo.evidence import Query
from octavo.operators.score.page_features import STATEMENT, FinancialStatementPages
from octavo_documents.document import Document, Kind
from octavo_documents.text.statements import LINES, Statement, line_of
from synthetic import document

INCOME, POSITION, CASH_FLOW = Statement.INCOME, Statement.POSITION, Statement.CASH_FLOW

ROWS = [
    ("Total assets | 15,803 | 17,504", POSITION),
    ("Total shareholders’ equity  2,795", POSITION),
    ("NET EARNINGS $ 1,419", INCOME),
    ("Cost of sales .......... 36,386", INCOME),
    ("Additions to property and equipment (930)", CASH_FLOW),
    ("Total assets", None),
    ("Total assets of the northern region | 12", None),
    ("", None),
]


@pytest.mark.parametrize(("row", "statement"), ROWS)
def test_a_row_with_figures_is_a_line_by_its_whole_label(row: str, statement: Statement | None) -> None:
    found = line_of(row)
    assert (found[0] if found else None) is statement


def test_every_statement_has_lines_enough_and_no_label_stands_in_two() -> None:
    numbers = {statement: {line for one, line in LINES.values() if one is statement} for statement in Statement}
    assert {statement: len(lines) >= 10 for statement, lines in numbers.items()} == dict.fromkeys(Statement, True)
    assert all(label == label.casefold() for label in LINES)


BALANCE = "\n".join(f"{label} | 10 | 20" for label in ("Goodwill", "Total assets", "Inventories", "Total liabilities"))
ASSETS = BALANCE + "\nTotal current assets | 3 | 4\nAccounts payable | 1 | 2"
EARNINGS = "\n".join(
    f"{label} | 5 | 6" for label in ("Net sales", "Cost of sales", "Gross profit", "Net income", "Basic")
)
SUMMARY = "Net sales | 5 | 6\nTotal assets | 10 | 20\nNet income | 1 | 2"


def filing() -> Document:
    return document(
        [
            (Kind.TITLE, "Annual report", 1, 0),
            (Kind.PARAGRAPH, "Our returns grew again, as did total assets.", 1, 0),
            (Kind.TABLE, SUMMARY, 2, 0),
            (Kind.HEADING, "Consolidated Balance Sheets", 3, 1),
            (Kind.TABLE, ASSETS, 3, 0),
            (Kind.TABLE, EARNINGS, 4, 0),
            (Kind.PAGE_FOOTER, "Total assets 3", 5, 0),
        ],
        pages=5,
    )


def pages(question: str, source: Document) -> dict[int, float]:
    run = run_over(source)
    found = FinancialStatementPages()(Query(question), run)
    return dict(zip(run.view.blocks.page[found.rows].tolist(), found.scores[STATEMENT].tolist(), strict=True))


def test_the_pages_of_the_statements_are_found_and_summaries_are_not() -> None:
    assert pages("What is the return on assets?", filing()) == {3: 1.0, 4: 1.0}
    assert pages("What is the current ratio?", filing()) == {3: 1.0}


def test_no_statement_is_made_out_of_a_few_lines() -> None:
    assert pages("What is the return on assets?", document([(Kind.TABLE, SUMMARY, 1, 0)])) == {}


def test_a_question_without_a_measure_finds_none() -> None:
    assert pages("Who signed the report?", filing()) == {}


def test_each_document_of_a_view_has_statements_of_its_own() -> None:
    run = run_over(filing(), document([(Kind.PARAGRAPH, "Nothing here.", 1, 0)], name="other.pdf"), filing_of_another())
    found = FinancialStatementPages()(Query("What is the current ratio?"), run)
    assert sorted(set(run.view.document[found.rows].tolist())) == [0, 2]


def filing_of_another() -> Document:
    return document([(Kind.TABLE, ASSETS, 1, 0)], name="another.pdf")
