"""A plan by the words of the question: global when it goes through things of a kind, else split or whole.

Knows nothing about documents or models.
"""

from __future__ import annotations

import re

from octavo.decisions.decompose_question.rule import split
from octavo.decisions.extract_question_entities import rule as entity_rule
from octavo.decisions.plan_question.plan import Operation, Plan
from octavo.decisions.rules.examples import without_examples
from octavo.decisions.rules.references import Reference, references, unread
from octavo.decisions.rules.things import THING, KindName, kinds_named
from octavo.models.analyzer import analyze

_DOCUMENT = (
    r"(?:(?:whole|entire|full|present)\s+)?(?:document|report|paper|article|book|guidebook|handbook|manual|slides?|deck"
    r"|presentation|file|pdf|brochure|text|filing|course)s?"
)
_THINGS = rf"(?P<things>(?:[\w'-]+\s+){{0,3}}?(?:{THING})(?:(?:\s+and|\s*,|\s+or)\s+(?:{THING}))*)"
_FOUND_IN = (
    rf"(?:\b(?:in|throughout|across|within|over)\s+(?:the|this|these|all)\s+(?:the\s+)?{_DOCUMENT}"
    rf"|\b(?:does|do|did)\s+(?:the|this|these)\s+{_DOCUMENT}\s+\w+|\bin\s+(?:total|all)\b)"
)
_CUES: tuple[tuple[Operation, str], ...] = (
    (
        "SUMMARIZE",
        rf"\bsummari[sz]e\b|\b(?:give|write|provide)\b.*\b(?:summary|overview)\b|\bmain\s+(?:idea|topic|points?|message"
        rf"|findings|takeaways?)\s+of\s+(?:the|this)\s+(?:{_DOCUMENT}|chapter|section)|\bwhat\s+is\s+(?:the|this)\s+{_DOCUMENT}"
        r"\s+about\b",
    ),
    ("COUNT", rf"\b(?:how\s+many|number\s+of|count(?:\s+of)?(?:\s+all)?(?:\s+the)?)\s+{_THINGS}(?<=s)\b"),
    ("COUNT", r"\bhow\s+many\s+(?:pages|slides)\s+(?:contain|have|include|show|mention|are\s+about)\b"),
    (
        "LIST",
        rf"\b(?:list|enumerate|name)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:(?:titles?|names?|pages?|labels?|captions?)\s+(?:of|with)"
        rf"\s+(?:all\s+)?(?:the\s+)?)?{_THINGS}(?<=s)\b",
    ),
    (
        "LIST",
        rf"\b(?:what|which)\s+(?:(?:types?|kinds?)\s+of\s+)?{_THINGS}(?<=s)\s+(?:are|were|do|have|show|contain|mention)\b",
    ),
    (
        "LIST",
        r"\b(?:list|enumerate|name)\s+all\b(?!\s+of\s+(?:them|these|those))|\bon\s+which\s+pages\b|\ball\s+(?:the\s+)?pages\s+(?:on|in|where|that)\b",
    ),
    (
        "COUNT",
        rf"\bhow\s+many\s+(?:(?!\b(?:of|more|less|fewer)\b)[\w'-]+\s+){{1,3}}?(?:are|were|is)\b.*{_FOUND_IN}",
    ),
    (
        "COUNT",
        rf"\bhow\s+many\s+(?:(?!\b(?:of|more|less|fewer)\b)[\w'-]+\s+){{1,3}}?(?:does|do|did)\s+(?:the|this|these)\s+{_DOCUMENT}\b",
    ),
    ("ANALYZE", rf"\b(?:throughout|across)\s+(?:the|this|all)\s+(?:the\s+)?{_DOCUMENT}"),
)
_GLOBAL: tuple[tuple[Operation, re.Pattern[str]], ...] = tuple(
    (operation, re.compile(pattern, re.IGNORECASE)) for operation, pattern in _CUES
)
"""What is said of things to be gone through, tried in order."""
_FRAME = frozenset(
    analyze(
        "how many number count list enumerate name all page pages slide slides title document report paper article "
        "book whole entire full in total altogether include included contain contained shown show appear present "
        "there give summarize summarise summary overview main idea topic point finding following type kind handbook "
        "guidebook deck presentation file provide appeared figures tables charts graphs sections chapters images"
    )
)
_ONE_PLACE = ("page", "figure", "table", "chart")


def plan(question: str) -> Plan:
    """Return the plan that a question's own words give."""
    named = references(question)
    pages, sections = [page for one in named for page in _pages(one)], [name for one in named for name in _section(one)]
    operation = operation_of(question)
    parts = split(question)
    is_split = operation == "NONE" and len(parts.retrieval) > 1
    return Plan(
        category="global" if operation != "NONE" else "multi-hop" if is_split else "single-hop",
        retrieval_questions=list(parts.retrieval) if is_split else [question],
        synthesis_questions=list(parts.synthesis) if is_split else [],
        entities=entities(question),
        kinds=list(kinds_asked(question)) if operation != "NONE" else [],
        pages=pages,
        sections=sections,
        topic=topic(question) if operation != "NONE" else "",
        operation=operation,
    )


def operation_of(question: str) -> Operation:
    """Return what is done with all things of a kind; NONE for a question that one or a few places answer."""
    if stays_at_one_place(question):
        return "NONE"
    for operation, pattern in _GLOBAL:
        if pattern.search(question):
            return operation
    return "NONE"


def stays_at_one_place(question: str) -> bool:
    """Tell whether a question names one page, figure, table or chart, and so must not be taken apart."""
    named = [one for one in references(question) if one.what in _ONE_PLACE]
    return len(named) == 1 and named[0].count == 1 and len(named[0].numbers()) <= 1


def kinds_asked(question: str) -> tuple[KindName, ...]:
    """Return the kinds of block that a question goes through, by the words after "how many", "list all", "which"."""
    for _, pattern in _GLOBAL:
        found = pattern.search(question)
        if found and "things" in pattern.groupindex:
            return kinds_named(found["things"])
    return ()


def topic(question: str) -> str:
    """Return what things must be about, "" when the question wants them all."""
    plain = without_examples(unread(question))
    found = next(filter(None, (_things(pattern, plain) for _, pattern in _GLOBAL)), None)
    if found:
        described, _, _ = found["things"].rpartition(" ")
        plain = f"{plain[: found.start('things')]}{described} {plain[found.end('things') :]}"
    phrases = [phrase for phrase in entity_rule.phrases(plain) if set(analyze(phrase)) - _FRAME]
    return ", ".join(dict.fromkeys([*entity_rule.quoted(question), *phrases]))


def _things(pattern: re.Pattern[str], question: str) -> re.Match[str] | None:
    return pattern.search(question) if "things" in pattern.groupindex else None


def entities(question: str) -> list[str]:
    """Return what the question is about, most telling first."""
    found = [*entity_rule.quoted(question), *entity_rule.names(question), *entity_rule.acronyms(question)]
    return list(dict.fromkeys(found)) or entity_rule.phrases(question)


def _pages(reference: Reference) -> list[str]:
    """Return a page or range of pages as plans write them; what is told by position from the back is left to others."""
    if reference.what != "page" or reference.relation:
        return []
    if reference.position > 0:
        last = reference.position + reference.count - 1
        return [f"{reference.position}-{last}" if reference.count > 1 else str(last)]
    return [f"{reference.number}-{reference.to}" if reference.to else reference.number]


def _section(reference: Reference) -> list[str]:
    if reference.relation == "in":
        return [name for one in references(reference.anchor) for name in _section(one)]
    if reference.what not in ("section", "chapter", "appendix") or reference.relation:
        return []
    return [reference.title or f"{reference.what} {reference.number}"] if reference.title or reference.number else []
