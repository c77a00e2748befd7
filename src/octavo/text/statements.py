"""The three primary financial statements: how their lines and titles are worded (IAS 1 and 7, annual reports)."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Mapping


class Statement(enum.Enum):
    """A primary financial statement."""

    INCOME = "income statement"
    POSITION = "balance sheet"
    CASH_FLOW = "cash flow statement"


_I, _P, _C = Statement.INCOME, Statement.POSITION, Statement.CASH_FLOW

TITLES: Mapping[Statement, re.Pattern[str]] = {
    _I: re.compile(
        r"statements? of (?:\w+ )?(?:earnings|income|operations|profit|comprehensive)|income statements?"
        r"|profit and loss",
        re.IGNORECASE,
    ),
    _P: re.compile(r"balance sheets?|statements? of (?:\w+ )?financial (?:position|condition)", re.IGNORECASE),
    _C: re.compile(r"statements? of (?:\w+ )?cash ?flows?|cash ?flow statements?", re.IGNORECASE),
}

_LINES: Mapping[Statement, str] = {
    _I: """
        revenue; revenues; sales; net sales; turnover; total revenue; total revenues; net revenue; net revenues;
            total net revenue; total net revenues; total net sales; net operating revenues
        cost of sales; cost of revenue; cost of revenues; cost of goods sold; cost of products sold; merchandise costs;
            total cost of revenue; total cost of sales
        gross profit; gross margin
        operating income; income from operations; operating profit; profit from operations; operating loss;
            operating earnings; loss from operations; operating income (loss)
        interest expense; interest expense, net; finance costs; interest expense and other
        income before income taxes; earnings before income taxes; income before taxes; profit before tax;
            earnings before taxes; income before provision for income taxes; earnings before income tax expense;
            loss before income taxes; profit before taxation
        income tax expense; provision for income taxes; income taxes; taxes on income; tax expense; taxation
        net income; net earnings; net loss; net income (loss); profit for the year; profit for the period; net profit;
            profit after tax
        selling, general and administrative; selling, general and administrative expenses;
            general and administrative; selling and marketing; sales and marketing
        research and development; research and development expenses
        basic; diluted; basic earnings per share; diluted earnings per share
    """,
    _P: """
        cash and cash equivalents; cash; cash and bank balances
        accounts receivable; receivables; receivables, net; trade receivables; accounts receivable, net
        inventories; merchandise inventories; inventory; inventories, net
        total current assets
        property and equipment; property, plant and equipment; property and equipment, net; net property and equipment;
            property, plant and equipment, net
        goodwill
        total assets
        accounts payable; trade payables; trade and other payables
        total current liabilities
        long-term debt; long-term debt, net; notes payable; borrowings
        total liabilities
        retained earnings; accumulated deficit; reserves
        total shareholders' equity; total stockholders' equity; total equity; shareholders' equity
        total liabilities and equity; total liabilities and shareholders' equity; total equity and liabilities;
            total liabilities and stockholders' equity
        additional paid-in capital; common stock; share capital
    """,
    _C: """
        depreciation and amortization; depreciation; depreciation, amortization and accretion
        stock-based compensation; share-based compensation; share-based payments
        net cash provided by operating activities; total cash provided by operating activities;
            net cash from operating activities; net cash provided by (used in) operating activities;
            net cash generated from operating activities; cash generated from operations
        capital expenditures; additions to property and equipment; purchases of property and equipment;
            purchases of property, plant and equipment; acquisition of property and equipment;
            purchase of property, plant and equipment
        net cash used in investing activities; total cash used in investing activities;
            net cash used for investing activities; net cash provided by (used for) investing activities;
            net cash provided by (used in) investing activities
        dividends paid; cash dividends paid; cash dividend payments; payment of dividends
        net cash used in financing activities; total cash used in financing activities;
            net cash used for financing activities; net cash provided by (used for) financing activities;
            net cash provided by (used in) financing activities
        cash and cash equivalents at beginning of year; cash and cash equivalents, beginning of year;
            cash and cash equivalents at beginning of period; cash and cash equivalents beginning of year
        cash and cash equivalents at end of year; cash and cash equivalents, end of year;
            cash and cash equivalents at end of period; cash and cash equivalents end of year
        repurchase of common stock; repurchases of common stock; purchase of treasury stock
    """,
}


def _lines() -> Iterator[tuple[str, tuple[Statement, str]]]:
    """Yield every spelling of a line with its statement and its first spelling; an indented line goes on a line."""
    for statement, text in _LINES.items():
        for entry in re.split(r"\n {8}(?! )", text.strip("\n ")):
            spellings = [" ".join(one.split()) for one in entry.split(";") if one.strip()]
            yield from ((spelling, (statement, spellings[0])) for spelling in spellings)


LINES: Mapping[str, tuple[Statement, str]] = dict(_lines())
"""The statement a row's label stands in and the line's usual name, by the label in lower case: "total assets"."""

_FIGURES = re.compile(r"\s*(?:\||:|\s[$€£¥]|(?<!\w)[(\[]?[$€£¥]?\d|\s[-–—.]{2,}).*")


def line_of(row: str) -> tuple[Statement, str] | None:
    """Return which line of which statement a row of a table is, None when it is none or has no figures."""
    if not any(character.isdigit() for character in row):
        return None
    label = label_of(row)
    return LINES.get(label) or LINES.get(_ADDED.sub("", label))


_ADDED = re.compile(r"\s*(?:\(.*\)|,? (?:and|before) equity in .*| attributable to .*|,? net of .*)$")
"""What some add to the usual label of a line."""


def label_of(row: str) -> str:
    """Return the label of a row of a table, in lower case, without its figures."""
    label = _FIGURES.sub("", row).casefold().replace("’", "'").strip(" .-–—")
    return " ".join(label.split())
