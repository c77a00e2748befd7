"""Financial measures a question asks for, and the statements they are worked out of.

A question for a return on assets shares hardly a word with the pages it needs, the balance sheet and the income
statement: this is what a reader of accounts knows and a search for words does not.
"""

from __future__ import annotations

import re
from functools import cache

from octavo.text.statements import Statement

_I, _P, _C = Statement.INCOME, Statement.POSITION, Statement.CASH_FLOW

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
