"""Sentences that tell a value of several periods: which of them may be stated of the period that is asked for."""

from __future__ import annotations

import pytest

from octavo.operators.extractive.clauses import ClauseCandidate, is_bound
from octavo.operators.extractive.parallels import told_alone
from octavo.question import understand
from octavo_documents.text.values import ValueKind, values_in

LISTED = (
    "Costs of the piers were $2.5 million, $2.6 million and $2.4 million in fiscal 2019, 2018 and 2017, respectively."
)
DATED = "As of April 30, 2019 and 2018, the harbour had $64,000 and $10,000, respectively, of debts outstanding."
TWICE = "In 2019 and 2018 the ferry earned $5 million and $4 million, and lost $2 million and $1 million, respectively."
BRACKETS = "The deposits of the harbour at 31 December 2019 totalled £13.0 million (2018: £12.4 million)."
UNDATED = "The deposits of the harbour amount to £13.0 million (2018: £12.4 million; 2017: £11.9 million)."
RATES = "The result differs from the standard rate of tax on piers of 19.0% (2017/18: 19.5%)."
PAIRS = "Income of the ferry rose to $299.3 million in 2019 compared to $148.6 million in 2018, mostly from freight."
SHORT = "Income of the ferry improved from $62.6 million in FY18 to $85.1 million in FY19."
ASIDE = "As of May 2019, we had $54.5 million of debt outstanding (including $0.7 million of costs) with our banks."
NEGATIVE = (
    "The adjustment of the harbour came to £(8.1m) and that of the pier to $(3.0) million (all figures of 2 piers)."
)
CLAUSE = (
    "The purchase of the pier, which was completed in May 2018 for $3 million, brought $25.7 million of sales in 2019."
)


def bound(question: str, text: str) -> list[str]:
    """Return the values of a sentence that may be stated."""
    read = understand(question)
    values = [one for one in values_in(text) if one.kind in (ValueKind.MONEY, ValueKind.PERCENT)]
    return [one.text for one in values if is_bound(read, text, ClauseCandidate(one.start, one.stop, one), (), ())]


@pytest.mark.parametrize(
    ("question", "text", "values"),
    [
        ("What were the costs of the piers in 2019?", LISTED, ["$2.5 million"]),
        ("What were the costs of the piers in 2017?", LISTED, ["$2.4 million"]),
        ("What were the costs of the piers in 2016?", LISTED, []),
        ("What were the costs of the piers?", LISTED, []),
        ("What were the costs of the piers in 2019 and 2018?", LISTED, []),
        ("How much debt was outstanding in 2018?", DATED, ["$10,000"]),
        ("How much did the ferry earn in 2018?", TWICE, ["$4 million"]),
        ("What were the deposits of the harbour in 2019?", BRACKETS, ["£13.0 million"]),
        ("What were the deposits of the harbour in 2018?", BRACKETS, ["£12.4 million"]),
        ("What were the deposits of the harbour in 2017?", BRACKETS, []),
        ("What are the deposits of the harbour?", BRACKETS, ["£13.0 million"]),
        ("What were the deposits of the harbour in 2019?", UNDATED, ["£13.0 million"]),
        ("What were the deposits of the harbour in 2018?", UNDATED, ["£12.4 million"]),
        ("What were the deposits of the harbour in 2017?", UNDATED, ["£11.9 million"]),
        ("What were the deposits of the harbour in 2021?", UNDATED, []),
        ("What is the standard rate of tax on piers?", RATES, ["19.0%"]),
        ("What was the income of the ferry in 2019?", PAIRS, ["$299.3 million"]),
        ("What was the income of the ferry in 2018?", PAIRS, ["$148.6 million"]),
        ("What was the income of the ferry in 2017?", PAIRS, []),
        ("What was the income of the ferry in FY19?", SHORT, ["$85.1 million"]),
        ("What was the income of the ferry in FY18?", SHORT, ["$62.6 million"]),
        ("How much debt was outstanding in 2019?", ASIDE, ["$54.5 million"]),
        ("How much of the debt are costs?", ASIDE, []),
        ("How much in sales did the purchase of the pier bring in 2019?", CLAUSE, ["$25.7 million"]),
    ],
)
def test_of_several_periods_the_value_of_the_one_that_is_asked_for_may_be_stated(
    question: str, text: str, values: list[str]
) -> None:
    assert bound(question, text) == values


def test_a_sentence_is_cut_down_to_one_period() -> None:
    def alone(question: str, text: str, value: str) -> tuple[str, str] | None:
        start = text.index(value)
        found = told_alone(understand(question), text, start, start + len(value))
        return (found[0], found[0][found[1] : found[1] + len(value)]) if found is not None else None

    assert alone("Costs in 2018?", LISTED, "$2.6 million") == (
        "Costs of the piers were $2.6 million in 2018.",
        "$2.6 million",
    )
    assert alone("Deposits in 2018?", BRACKETS, "£12.4 million") == (
        "The deposits of the harbour at 31 December 2018 totalled £12.4 million.",
        "£12.4 million",
    )
    assert alone("Income in 2018?", PAIRS, "$148.6 million") == (
        "Income of the ferry rose to $148.6 million in 2018, mostly from freight.",
        "$148.6 million",
    )
    assert alone("Adjustment of the harbour?", NEGATIVE, "£(8.1m)") == (
        "The adjustment of the harbour came to £(8.1m) and that of the pier to $(3.0) million.",
        "£(8.1m)",
    )
    assert alone("Income in 2018?", "The ferry earned $5 million.", "$5 million") == (
        "The ferry earned $5 million.",
        "$5 million",
    )


def test_what_was_provided_is_no_condition_and_the_number_of_a_note_is_no_rival() -> None:
    given = "Harbour Ltd has provided a guarantee of £3.5 million for the pier."
    assert bound("What guarantee has Harbour Ltd provided for the pier?", given) == ["£3.5 million"]
    assert bound("What does a berth cost?", "A berth costs £30, provided that the pier is open.") == []
    assert bound("What is the reserve of the pier?", "(2) The pier has a reserve of $1.1 million.") == ["$1.1 million"]


def test_a_number_is_not_cut_out_of_one_with_letters_after_its_decimals() -> None:
    assert [one.text for one in values_in("It was 386.1p, in all 2.5x; 3.6 of 4.")] == ["3.6", "4"]
