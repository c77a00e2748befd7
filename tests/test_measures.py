"""Financial measures: read from a question, worked out of the statements, every row they rest on quoted."""

from __future__ import annotations

import dataclasses

import pytest

from indexed import run_over
from octavo.decisions.rules.measures import Asked, Measure, measure_asked, worked_out
from octavo.document import Answer, Document, Kind, Query, TextColumn
from octavo.document.grid import Grid
from octavo.systems import get, run_ask
from synthetic import document

EQUITY = "total shareholders' equity"


def formula(measure: Measure) -> tuple[str, str]:
    def terms(parts: tuple[tuple[int, str], ...]) -> str:
        return " ".join(f"{'-' if sign < 0 else '+'}{line}" for sign, line in parts)

    return terms(measure.over), terms(measure.under)


FORMULAS = [
    ("What is the return on assets?", "+net income", "+total assets"),
    ("What was ROCE in 2020?", "+operating income", "+total assets -total current liabilities"),
    ("What is the quick ratio?", "+total current assets -inventories", "+total current liabilities"),
    ("What is EBITDA?", "+operating income +depreciation and amortization", ""),
    ("What is the EBITDA margin?", "+operating income +depreciation and amortization", "+revenue"),
    ("What was the free cash flow?", "+net cash provided by operating activities -capital expenditures", ""),
    ("What is gross profit to total assets?", "+gross profit", "+total assets"),
    ("What is the current liabilities to total liabilities ratio?", "+total current liabilities", "+total liabilities"),
    ("What is invested capital, defined as total assets less goodwill?", "+total assets -goodwill", ""),
    ("By what percentage did net sales grow from 2019 to 2020?", "+revenue", ""),
]


@pytest.mark.parametrize(("question", "over", "under"), FORMULAS)
def test_a_question_names_its_formula(question: str, over: str, under: str) -> None:
    asked = measure_asked(question)
    assert asked is not None
    assert formula(asked.measure) == (over, under)


UNKNOWN = [
    "What is the debt to EBITDA ratio?",
    "What is the cash flow to total debt ratio?",
    "What is the quick ratio, taking quick assets as cash alone?",
    "Compare the gross margin with the net margin.",
    "What is the gross margin, defined as sales less whatever it took?",
    "Who chairs the audit committee?",
]


@pytest.mark.parametrize("question", UNKNOWN)
def test_what_is_not_known_for_sure_is_not_worked_out(question: str) -> None:
    assert measure_asked(question) is None


def asked(question: str) -> Asked:
    found = measure_asked(question)
    assert found is not None
    return found


def test_years_averages_rounding_and_units_are_read_from_the_question() -> None:
    assert asked("What was ROA in FY19?").years == ("2019",)
    assert asked("What is the return on average equity?").is_averaged
    assert asked("What is the FY2015 - FY2017 3 year average net margin?").years == ("2017", "2016", "2015")
    assert asked("What is the FY2015 - FY2017 3 year average net margin?").is_mean
    assert asked("What is the change of the gross margin from 2019 to 2020?").is_change
    assert asked("What was the net sales growth in 2020?").years == ("2020", "2019")
    assert asked("What is the current ratio? Round to two decimal places.").places == 2
    assert asked("What is EBITDA in millions?").unit == 1e6


def figure(line: str, year: str) -> float | None:
    return {("net income", "2020"): 10.0, (EQUITY, "2020"): 40.0, (EQUITY, "2019"): 60.0}.get((line, year))


def test_a_formula_is_worked_out_of_figures() -> None:
    assert worked_out(asked("What is ROE?"), "2020", None, figure) == 0.25
    assert worked_out(asked("What is the return on average equity?"), "2020", "2019", figure) == 0.2


def test_a_missing_line_or_year_and_a_zero_below_give_nothing() -> None:
    assert worked_out(asked("What is ROA?"), "2020", None, figure) is None
    assert worked_out(asked("What is the return on average equity?"), "2020", None, figure) is None
    assert worked_out(asked("What is ROE?"), "2020", None, lambda line, _: 0.0 if line == EQUITY else 1.0) is None


# Out of documents

BALANCE = [
    ["", "December 31, 2020", "December 31, 2019"],
    ["Cash and cash equivalents", "$ 10", "$ 12"],
    ["Inventories", "20", "30"],
    ["Total current assets", "60", "70"],
    ["Goodwill", "5", "5"],
    ["Total assets", "$ 200", "$ 240"],
    ["Total current liabilities", "40", "35"],
    ["Total shareholders’ equity", "80", "120"],
]
EARNED = [
    ["Net sales", "$ 500", "$ 400", "$ 320"],
    ["Cost of sales", "(300)", "(250)", "(210)"],
    ["Operating income", "50", "44", "30"],
    ["Interest expense", "(10)", "(11)", "(12)"],
    ["Income before income taxes", "40", "33", "18"],
    ["Income tax expense", "8", "7", "4"],
    ["Net income", "$ 32", "$ 26", "$ 14"],
]


def report(*, header: int = 1) -> Document:
    """A balance sheet whose table has its years, and earnings whose years stand above the table."""
    tables = {3: Grid.of_rows(BALANCE, header_rows=header), 6: Grid.of_rows(EARNED)}
    made = document(
        [
            (Kind.TITLE, "Annual report 2020", 1, 0),
            (Kind.HEADING, "Balance sheets", 2, 1),
            (Kind.PARAGRAPH, "(in thousands)", 2, 0),
            (Kind.TABLE, tables[3].text(), 2, 0),
            (Kind.HEADING, "Statements of earnings", 3, 1),
            (Kind.PARAGRAPH, "2020 2019 2018", 3, 0),
            (Kind.TABLE, tables[6].text(), 3, 0),
        ]
    )
    grids = [tables[row].to_json() if row in tables else "" for row in range(len(made.blocks))]
    return dataclasses.replace(made, blocks=dataclasses.replace(made.blocks, grid=TextColumn.of(grids)))


def answer(question: str, source: Document | None = None) -> Answer:
    return run_ask(get("hybrid"), Query(question), run_over(source or report()))


WORKED_OUT = [
    ("What is the return on assets for 2020?", "0.16", ["Net income", "Total assets"]),
    ("What is the return on average assets in FY2020? Round to two decimal places.", "0.15", ["Total assets"]),
    ("What was the current ratio in 2019?", "2", ["Total current assets", "Total current liabilities"]),
    ("What is the effective tax rate in 2020?", "20%", ["Income tax expense", "Income before income taxes"]),
    ("What was the interest coverage in 2020?", "5", ["Operating income", "Interest expense"]),
    ("What is the gross margin for 2020 in percent?", "40%", ["Net sales", "Cost of sales"]),
    ("By what percentage did net sales grow from 2019 to 2020?", "25%", ["Net sales"]),
    ("What is the 2018 to 2020 average net margin, in percent?", "5.8%", ["Net income", "Net sales"]),
    ("What is working capital in 2020, in millions?", "0.02", ["Total current assets"]),
]


@pytest.mark.parametrize(("question", "text", "rows"), WORKED_OUT)
def test_a_measure_is_worked_out_and_every_row_is_quoted(question: str, text: str, rows: list[str]) -> None:
    found = answer(question)
    assert found.text == text
    assert found.answerable
    quoted = [citation.quote for citation in found.citations]
    assert all(any(quote.startswith(row) for quote in quoted) for row in rows)


def test_a_year_the_statements_do_not_have_is_not_made_up() -> None:
    assert "0." not in answer("What is the return on assets for 2011?").text


def test_a_question_for_yes_or_no_is_not_answered_by_a_ratio() -> None:
    assert answer("Is the current ratio improving?").text in ("Yes", "No") or not answer("Is it improving?").answerable


def test_columns_are_told_by_their_years_or_not_at_all() -> None:
    rows = [[label, *reversed(cells)] for label, *cells in EARNED]
    made = report()
    grids = ["" for _ in range(len(made.blocks))]
    grids[6] = Grid.of_rows(rows).to_json()
    blocks = dataclasses.replace(
        made.blocks,
        grid=TextColumn.of(grids),
        text=TextColumn.of(
            Grid.of_rows(rows).text() if row == 6 else "" if row == 5 else text
            for row, text in enumerate(made.blocks.text)
        ),
    )
    found = answer("What is the net margin for 2020?", dataclasses.replace(made, blocks=blocks))
    assert found.text != str(round(14 / 320, 3))
