"""What kind of question it is: how far it reaches, what is done with all things of a kind, which kinds these are."""

from __future__ import annotations

import re

from octavo.document import Operation, Reach
from octavo.question.form import without_examples
from octavo.question.names import phrases, quoted
from octavo.question.parts import split
from octavo.question.references import names_one_place, unread
from octavo.question.words import DOCUMENT, FRAME
from octavo.text.analyzer import analyze
from octavo.text.things import THING, KindName, kinds_named

_A_DOCUMENT = rf"(?:(?:whole|entire|full|present)\s+)?(?:{DOCUMENT})s?"
_THINGS = rf"(?P<things>(?:[\w'-]+\s+){{0,3}}?(?:{THING})(?:(?:\s+and|\s*,|\s+or)\s+(?:{THING}))*)"
_FOUND_IN = (
    rf"(?:\b(?:in|throughout|across|within|over)\s+(?:the|this|these|all)\s+(?:the\s+)?{_A_DOCUMENT}"
    rf"|\b(?:does|do|did)\s+(?:the|this|these)\s+{_A_DOCUMENT}\s+\w+|\bin\s+(?:total|all)\b)"
)
_CUES: tuple[tuple[Operation, str], ...] = (
    (
        Operation.SUMMARIZE,
        rf"\bsummari[sz]e\b|\b(?:give|write|provide)\b.*\b(?:summary|overview)\b|\bmain\s+(?:idea|topic|points?|message"
        rf"|findings|takeaways?)\s+of\s+(?:the|this)\s+(?:{_A_DOCUMENT}|chapter|section)|\bwhat\s+is\s+(?:the|this)\s+{_A_DOCUMENT}"
        r"\s+about\b",
    ),
    (Operation.COUNT, rf"\b(?:how\s+many|number\s+of|count(?:\s+of)?(?:\s+all)?(?:\s+the)?)\s+{_THINGS}(?<=s)\b"),
    (Operation.COUNT, r"\bhow\s+many\s+(?:pages|slides)\s+(?:contain|have|include|show|mention|are\s+about)\b"),
    (
        Operation.LIST,
        rf"\b(?:list|enumerate|name)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:(?:titles?|names?|pages?|labels?|captions?)\s+(?:of|with)"
        rf"\s+(?:all\s+)?(?:the\s+)?)?{_THINGS}(?<=s)\b",
    ),
    (
        Operation.LIST,
        rf"\b(?:what|which)\s+(?:(?:types?|kinds?)\s+of\s+)?{_THINGS}(?<=s)\s+(?:are|were|do|have|show|contain|mention)\b",
    ),
    (
        Operation.LIST,
        r"\b(?:list|enumerate|name)\s+all\b(?!\s+of\s+(?:them|these|those))|\bon\s+which\s+pages\b|\ball\s+(?:the\s+)?pages\s+(?:on|in|where|that)\b",
    ),
    (
        Operation.COUNT,
        rf"\bhow\s+many\s+(?:(?!\b(?:of|more|less|fewer)\b)[\w'-]+\s+){{1,3}}?(?:are|were|is)\b.*{_FOUND_IN}",
    ),
    (
        Operation.COUNT,
        rf"\bhow\s+many\s+(?:(?!\b(?:of|more|less|fewer)\b)[\w'-]+\s+){{1,3}}?(?:does|do|did)\s+(?:the|this|these)\s+{_A_DOCUMENT}\b",
    ),
    (Operation.ANALYZE, rf"\b(?:throughout|across)\s+(?:the|this|all)\s+(?:the\s+)?{_A_DOCUMENT}"),
)
_GLOBAL: tuple[tuple[Operation, re.Pattern[str]], ...] = tuple(
    (operation, re.compile(pattern, re.IGNORECASE)) for operation, pattern in _CUES
)
"""What is said of things to be gone through, tried in order."""
_EVERY = re.compile(
    rf"\b(?:all|every|each)\s+(?:of\s+)?(?:the\s+|these\s+)?(?:[\w'-]+\s+){{0,2}}?"
    rf"(?P<things>(?:{THING})(?:\s+and\s+(?:{THING}))?)\b",
    re.IGNORECASE,
)
"""Words for all things of a kind: "among all charts", "each of the bar charts"."""


def reach_of(question: str) -> Reach:
    """Return how far a question reaches: global where it goes through things, multi-hop where it comes apart."""
    if operation_of(question) is not None:
        return Reach.GLOBAL
    return Reach.MULTI if len(split(question).retrieval) > 1 else Reach.SINGLE


def operation_of(question: str) -> Operation | None:
    """Return what is done with all things of a kind; None for a question that one or a few places answer."""
    if names_one_place(question):
        return None
    return next((operation for operation, pattern in _GLOBAL if pattern.search(question)), None)


def kinds_asked(question: str) -> tuple[KindName, ...]:
    """Return the kinds of block that a question goes through, by the words after "how many", "list all", "which"."""
    found = next(filter(None, (_things(pattern, question) for _, pattern in _GLOBAL)), None)
    return kinds_named(found["things"]) if found else ()


def goes_through_all(question: str) -> bool:
    """Tell whether a question is about all things of a kind: counts or lists them, or speaks of all of them."""
    return operation_of(question) is not None or _EVERY.search(question) is not None


def kinds_gone_through(question: str) -> tuple[KindName, ...]:
    """Return the kinds of block all of which a question is about: those it counts or lists, or says "all" of."""
    if operation_of(question) is not None:
        return kinds_asked(question)
    every = _EVERY.search(question)
    return kinds_named(every["things"]) if every else ()


def topic(question: str) -> str:
    """Return what things must be about, "" when the question wants them all."""
    plain = without_examples(unread(question))
    found = next(filter(None, (_things(pattern, plain) for _, pattern in _GLOBAL)), None)
    if found:
        described, _, _ = found["things"].rpartition(" ")
        plain = f"{plain[: found.start('things')]}{described} {plain[found.end('things') :]}"
    told = [phrase for phrase in phrases(plain) if set(analyze(phrase)) - FRAME]
    return ", ".join(dict.fromkeys([*quoted(question), *told]))


def _things(pattern: re.Pattern[str], question: str) -> re.Match[str] | None:
    return pattern.search(question) if "things" in pattern.groupindex else None
