"""The planner without a model: cues in a question's words become the same tool calls that an agent would make.

Owns which words are cues for which look-ups. Knows nothing about documents or how a look-up is carried out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from octavo.decisions.investigate.turn import ToolCall, Turn
from octavo.decisions.plan_question import rule as plans
from octavo.decisions.rules.finance import statements_asked
from octavo.decisions.rules.references import Reference, references
from octavo.decisions.rules.things import THING, KindName, kinds_named

_SPELLINGS = {"figure": ("Figure {}", "Fig. {}", "Fig {}"), "table": ("Table {}",), "equation": ("Equation {}",)}
_PARTS = ("section", "chapter", "appendix")
_STATEMENTS = (
    *(f"statement{s} of {what}" for s in ("", "s") for what in ("income", "earnings", "operations", "cash flow")),
    "balance sheet",
    "statement of financial position",
    "income statement",
    "cash flow statement",
    "profit and loss account",
)
"""Titles of the primary statements: a measure may need one that it does not name, so all of them are looked up."""
_EVERY = re.compile(
    rf"\b(?:all|every|each)\s+(?:of\s+)?(?:the\s+|these\s+)?(?:[\w'-]+\s+){{0,2}}?"
    rf"(?P<things>(?:{THING})(?:\s+and\s+(?:{THING}))?)\b",
    re.IGNORECASE,
)
"""Words for all things of a kind: "among all charts", "each of the bar charts"."""
_TITLE_CHARACTERS = 150
"""A title of a statement, with the company and the unit that often stand in the same line."""
_TABLE_AFTER = 3
"""Blocks between the title of a statement and its table."""


def look_ups(question: str) -> list[ToolCall]:
    """Return the first calls for a question: a search for its words, and the symbolic queries that it cues."""
    found = [ToolCall(tool="neuro_semantic_search", query=question)]
    queries = {repr(query): query for query in _queries(question)}
    return found + [ToolCall(tool="symbolic_graph_query", query=query) for query in queries.values()]


def goes_through_all(question: str) -> bool:
    """Tell whether a question is about all things of a kind: counts or lists them, or speaks of all of them."""
    return plans.operation_of(question) != "NONE" or _EVERY.search(question) is not None


def turn(tools: Sequence[str], best: Sequence[str], *, is_first: bool) -> Turn:
    """Return what follows the look-ups: the best block is put in context, and the scores of all decide the rest."""
    if is_first and best and "contextualize" in tools:
        return Turn(plan="context of the best block", calls=[ToolCall(tool="contextualize", ids=list(best[:1]))])
    return Turn(plan="what scores best")


def _queries(question: str) -> Iterator[dict[str, Any]]:
    named = references(question)
    for reference in named:
        yield from _labelled(reference)
    sections = [name for reference in named for name in _sections(reference)]
    if sections:
        yield {"sections": sections}
    yield from _items(question)
    if statements_asked(question):
        yield {
            "kinds": ["title", "heading", "caption", "paragraph"],
            "contains": list(_STATEMENTS),
            "max_characters": _TITLE_CHARACTERS,
            "follow": ["next"],
            "hops": _TABLE_AFTER,
            "direction": "out",
            "reached": ["table"],
        }


def _labelled(reference: Reference) -> Iterator[dict[str, Any]]:
    """Yield the query for a figure or table by its label: its caption, itself, and what refers to it."""
    spellings = _SPELLINGS.get(reference.what, ())
    numbers = reference.numbers() if reference.relation in ("", "in") else ()
    words = [spelling.format(number) for number in numbers for spelling in spellings]
    if words:
        yield {"contains": words[:20], "follow": ["caption_of", "refers_to"], "hops": 1}


def _sections(reference: Reference) -> Iterator[str]:
    if reference.relation == "in":
        for one in references(reference.anchor):
            yield from _sections(one)
    elif reference.what in _PARTS and not reference.relation and (reference.title or reference.number):
        yield reference.title or f"{reference.what} {reference.number}"


def kinds_gone_through(question: str) -> tuple[KindName, ...]:
    """Return the kinds of block all of which a question is about: those it counts or lists, or says "all" of."""
    if plans.operation_of(question) != "NONE":
        return plans.kinds_asked(question)
    every = _EVERY.search(question)
    return kinds_named(every["things"]) if every else ()


def _items(question: str) -> Iterator[dict[str, Any]]:
    """Yield the query for all things of a kind that a question goes through."""
    kinds = kinds_gone_through(question)
    if kinds:
        counts = plans.operation_of(question) == "COUNT"
        yield {"kinds": [*kinds], "operation": "count" if counts else "select", "group_by": "page"}
