"""The three primary financial statements: how their lines and titles are worded (IAS 1 and 7, annual reports).

And the financial measures that questions ask for, with the statements they are worked out of. A question for a return
on assets shares hardly a word with the pages it needs, the balance sheet and the income statement: this is what a
reader of accounts knows and a search for words does not.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Mapping
from functools import cache

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.lines import on_one_line


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
            spellings = [on_one_line(one) for one in entry.split(";") if one.strip()]
            yield from ((spelling, (statement, spellings[0])) for spelling in spellings)


LINES: Mapping[str, tuple[Statement, str]] = dict(_lines())
"""The statement a row's label stands in and the line's usual name, by the label in lower case: "total assets"."""

_FIGURES = lazy_regex(r"\s*(?:\||:|\s[$€£¥]|(?<!\w)[(\[]?[$€£¥]?\d|\s[-–—.]{2,}).*")


def line_of(row: str) -> tuple[Statement, str] | None:
    """Return which line of which statement a row of a table is, None when it is none or has no figures."""
    if not any(character.isdigit() for character in row):
        return None
    label = label_of(row)
    return LINES.get(label) or LINES.get(_ADDED.sub("", label))


_ADDED = lazy_regex(r"\s*(?:\(.*\)|,? (?:and|before) equity in .*| attributable to .*|,? net of .*)$")
"""What some add to the usual label of a line."""


def label_of(row: str) -> str:
    """Return the label of a row of a table, in lower case, without its figures."""
    label = _FIGURES.sub("", row).casefold().replace("’", "'").strip(" .-–—")
    return on_one_line(label)


STATEMENT_TITLES = (
    *(f"statement{s} of {what}" for s in ("", "s") for what in ("income", "earnings", "operations", "cash flow")),
    "balance sheet",
    "statement of financial position",
    "income statement",
    "cash flow statement",
    "profit and loss account",
)
"""Titles of the primary statements: a measure may need one that it does not name, so all of them are looked up."""
_MEASURES: tuple[tuple[str, tuple[Statement, ...]], ...] = (
    # named themselves
    (r"income statements?|statements? of (?:\w+ )?(?:operations|income|earnings|profit)|profit and loss|p&l", (_I,)),
    (r"balance sheets?|statements? of (?:\w+ )?financial position", (_P,)),
    (r"cash ?flow statements?|statements? of (?:\w+ )?cash ?flows?", (_C,)),
    # over two statements
    (r"returns? on (?:\w+ ){0,3}(?:assets|equity|capital|investments?)|ro(?:a|e|ce|ic|ta|te)", (_I, _P)),
    (
        r"(?:inventory|stock|assets?|receivables?|payables?|capital) turnover|days (?:of )?(?:sales|payables?)",
        (_I, _P),
    ),
    (r"d[sipo]o|days (?:sales|payable|inventory) outstanding|cash conversion cycle", (_I, _P)),
    (
        r"(?:profit|income|earnings|sales|revenues?|expenses?|interest|costs?) to (?:\w+ ){0,3}"
        r"(?:assets|equity|debt|capital|inventory|liabilities)",
        (_I, _P),
    ),
    (r"ebitda(?: margin)?", (_I, _C)),
    (r"(?:operating )?cash ?flow (?:ratio|to (?:\w+ ){0,2}(?:debt|liabilities))|cash flow coverage", (_C, _P)),
    (
        r"payout ratio|(?:free )?cash ?flow (?:conversion|margin)|quality of (?:earnings|income)",
        (_C, _I),
    ),
    (r"(?:capital|fixed asset|asset) intensity", (_I, _P)),
    # the income statement
    (r"ebit|operating (?:income|profit|margin|earnings|loss|ratio)|gross (?:profit|margin)s?", (_I,)),
    (r"(?:net|pre-?tax|profit|ebit|after-tax) (?:\w+ )?margins?|effective (?:\w+ ){0,2}tax(?: rate| ratio)?", (_I,)),
    (r"interest coverage|times interest earned|cost of (?:goods sold|sales|revenues?)|cogs|sg&a", (_I,)),
    (r"(?:basic |diluted )?earnings per share|eps|net (?:income|earnings|loss|sales|revenues?)", (_I,)),
    (r"total (?:net )?(?:revenues?|sales)|revenue growth|income tax(?:es)?(?: expense)?|interest expense", (_I,)),
    # the balance sheet
    (r"(?:current|quick|cash|acid[- ]test|debt|equity|solvency|capitali[sz]ation|gearing|leverage) ratios?", (_P,)),
    (r"acid[- ]test|(?:net )?working capital|(?:financial )?leverage|gearing|invested capital|capital employed", (_P,)),
    (r"(?:\w+ )?debt[- ]to[- ](?:\w+ )?(?:equity|assets?|capital)|(?:total|net|long[- ]term) debt|net worth", (_P,)),
    (r"total (?:current )?(?:assets|liabilities|equity)|current (?:assets|liabilities)|goodwill|book value", (_P,)),
    (r"cash (?:and|&) cash equivalents|accounts (?:payable|receivable)|inventor(?:y|ies)|retained earnings", (_P,)),
    (r"(?:net )?(?:pp&?n?e|property,? plant,? and equipment)|tangible (?:\w+ )?(?:assets|equity)", (_P,)),
    (r"(?:share|stock)holders['’]? equity", (_P,)),
    # the cash flow statement
    (r"free cash ?flows?|fcf|capital expenditures?|capex|operating cash ?flows?", (_C,)),
    (r"cash ?flows? (?:provided |used |generated )?(?:from|by|in) (?:\w+ ){0,2}activities|dividends? paid", (_C,)),
    (r"depreciation|amorti[sz]ation|(?:share|stock)(?:-based compensation| (?:repurchases?|buybacks?))", (_C,)),
)


@cache
def _asks() -> tuple[tuple[re.Pattern[str], tuple[Statement, ...]], ...]:
    return tuple((re.compile(rf"\b(?:{words})(?!\w)", re.IGNORECASE), asked) for words, asked in _MEASURES)


def statements_asked(question: str) -> frozenset[Statement]:
    """Return the statements that hold what a question asks for; none when it names no financial measure."""
    return frozenset(one for pattern, asked in _asks() if pattern.search(question) for one in asked)
