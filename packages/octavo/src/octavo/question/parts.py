"""Splitting a question that needs several places, by how it is phrased, and how the answers of its parts go together.

A question that one place answers stays whole. The parts to be looked up do not depend on each other: each is found by
its own words. Parts that a question enumerates are told and not split: they may rest on what stands before them.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Sequence
from typing import Literal

from octavo.question.references import ONE_PLACE, names_one_place, references
from octavo.question.words import LESS, MORE
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.things import kinds_named

Choice = Literal["most", "least"]
_DIFFERENCE = re.compile(
    rf"\bdifference\b|\b(?:how much|how many|by (?:how much|what))\b.*\b(?:{MORE}|{LESS})\b", re.IGNORECASE
)
_SUM = re.compile(
    r"\b(?:sum|combined|together|altogether|added up)\b|\b(?:in total|total of|total number)\b", re.IGNORECASE
)
_SAME = re.compile(r"\b(?:same|equal|identical|share|agree)\b", re.IGNORECASE)
_CHOOSING = lazy_regex(rf"\b(?:which|who|what|whose|where)\b.*\b(?P<how>{MORE}|{LESS})\b", re.IGNORECASE)
_WHICH_OR = re.compile(rf"\b(?:which|who|what|whose|where)\b.*\b(?:{MORE}|{LESS})\b.*\bor\b", re.IGNORECASE)
_IS_LESS = lazy_regex(LESS, re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True)
class Split:
    """Questions to be looked up, independent of each other, and those that put their answers together."""

    retrieval: tuple[str, ...]
    synthesis: tuple[str, ...] = ()


_UPPER = r"[A-Z0-9À-ÞĀ-Ž“\"']"
_NAME = (
    rf"(?:the\s+)?{_UPPER}[\w’'&.-]*"
    rf"(?:\s+(?:(?:of|from|for|in|and)(?:\s+the)?|the|de|la|von|van|del|(?:{_UPPER}|\()[\w’'&.)-]*))*"
)
_VERB = r"(?:Are|Were|Is|Was|Do|Did|Have|Has)"
_BOTH = lazy_regex(
    rf"^\s*{_VERB}\s+(?P<one>{_UPPER}.+?)\s+and\s+(?P<two>(?:the\s+)?{_UPPER}.+?)\s+both\s+(?P<rest>.+)$"
)
_ALIKE = lazy_regex(
    rf"^\s*{_VERB}\s+(?:both\s+)?(?P<one>{_NAME})\s+and\s+(?P<two>{_NAME})\s+"
    r"(?P<rest>.*\b(?:same|also|each|members|[a-z]+s)\b.*)$"
)
_EITHER = lazy_regex(
    rf"^(?P<asked>(?:Which|Who|What|Whose|In which|{_VERB}|Does)\b.*?)[,:]?\s+(?P<one>{_NAME}),?\s+or\s+"
    rf"(?:was\s+|is\s+)?(?P<two>{_NAME})\s*[?.]?\s*$"
)
_BETWEEN = lazy_regex(rf"^\s*(?:Between|Among|Out of|Of)\s+(?P<one>{_NAME})\s+and\s+(?P<two>{_NAME}),\s*(?P<asked>.+)$")
_DIFFER = lazy_regex(
    r"^\s*(?:How|In what (?:way|respect)s?)\s+(?P<verb>do|does|did|is|are|was|were)\s+(?P<one>.+?)\s+"
    r"(?:differ|differs|different)\s+from\s+(?P<two>.+?)(?:\s+(?:in|when|with respect to|regarding)\s+(?P<rest>[^?]+))?"
    r"\s*\?*\s*$",
    re.IGNORECASE,
)
_DIFFERENCE_BETWEEN = lazy_regex(
    r"^\s*What\s+(?:is|are|was|were)\s+the\s+(?:main\s+)?differences?\s+(?:(?:in|of)\s+(?P<rest>[^?]+?)\s+)?"
    r"between\s+(?P<both>[^?]+?)\s*\?*\s*$",
    re.IGNORECASE,
)
_NAMED_AFTER = lazy_regex(
    r"^(?P<asked>.*\b(?:which|who|what|whose)\b[^?]*)\?\s+(?P<one>[^?,]+?),?\s+or\s+(?P<two>[^?]+?)\s*\?*\s*$",
    re.IGNORECASE,
)
_BRACKETED = lazy_regex(r"\([^()]*\)")
_COMMON = lazy_regex(rf"^\s*What\s+(?:do|did)\s+(?P<one>{_NAME})\s+and\s+(?P<two>{_NAME})\s+have\s+in\s+common\b")
_NOUN = (
    r"(?P<noun>(?!(?:statement|fact|claim|idea|belief|view)s?\b)(?:[\w'’-]+\s+){0,3}?[\w'’-]+(?<!ed))\s+"
    r"(?P<link>(?:in|on|at|for|to|of|from|by)\s+which|where|who|whose|that|which"
    r"|(?<=year\s)when|(?<=time\s)when|(?<=day\s)when|(?<=month\s)when|(?<=era\s)when|(?<=period\s)when)"
)
_TEXT = r"(?:[^,?;.]|\.(?!\s|$)|,(?=\d))+"
_CLAUSE = lazy_regex(
    r"(?P<before>^.*\b(?:of|in|on|at|for|by|to|from|with|does|did|is|was|has|have))\s+the\s+"
    rf"{_NOUN}\s+(?P<clause>{_TEXT})(?P<after>[,?;].*|\.\s*)?$"
)
_OPENING_CLAUSE = lazy_regex(
    rf"^\s*(?:In|On|At|For|From|During)\s+the\s+{_NOUN}\s+(?P<clause>{_TEXT}),\s*(?P<rest>.+)$", re.IGNORECASE
)
_LISTED = lazy_regex(r"^,(?!.*\b(?:is|was|were|are|did|do|does|how|what|which|who|has|have)\b).*$")


# Atomic up to the first letter: from another the same ends would be tried again.
_SECOND = lazy_regex(
    r"^(?P<one>(?>.*?[^\d\W]).*?)(?:\?\s+|,?\s+and\s+(?:also\s+)?(?=(?:how many|how much|what|which|who|when|where)\b))"
    r"(?P<two>(?:how|what|which|who|when|where|is|are|was|were|did|does|do)\b.*)$",
    re.IGNORECASE,
)
_POINTS_BACK = lazy_regex(
    r"\b(?:it|its|they|them|their|he|his|she|her|this|that|these|those|one|each|both|respectively|there|same|difference|whose|who['’]s)\b",
    re.IGNORECASE,
)
_MARK = lazy_regex(r"(?<!\S)(?<!\d\s)\(?(?P<mark>[a-h]|[1-8]|i{1,3}|iv|v)\)(?=\s)", re.IGNORECASE)
_ORDERS = (tuple("abcdefgh"), tuple("12345678"), ("i", "ii", "iii", "iv", "v"))
_LONGEST = 1000
"""Characters; what is longer is no single question, and phrasings are not looked for in it."""
_LEAST_TERMS = 2
_LEAST_CLAUSE = 3


def split(question: str) -> Split:
    """Return the parts of a question; the question itself, alone, when one place answers it."""
    text = on_one_line(question)
    if len(text) > _LONGEST:
        return Split((question,))
    if sum(reference.what in ONE_PLACE for reference in references(text)) == 1:
        return Split((question,))
    terms = set(analyze(text))
    for read in _READERS:
        found = read(text)
        if found is not None:
            asks = all(not terms.isdisjoint(analyze(part)) for part in found.retrieval)
            return found if asks or not terms else Split((question,))
    return Split((question,))


def _both(text: str) -> Split | None:
    return _of_each(_BOTH.match(text) or _ALIKE.match(text), "rest")


def _either(text: str) -> Split | None:
    return _of_each(_EITHER.match(text) or _BETWEEN.match(text), "asked")


def _of_each(match: re.Match[str] | None, asked: str) -> Split | None:
    """Return what is asked, which a group of a match tells, of each of its two things."""
    if not match:
        return None
    rest = match[asked].strip(" ?.,")
    return Split(tuple(f"{match[name]}: {rest}?" for name in ("one", "two")), (match.string,))


def _differ(text: str) -> Split | None:
    """Split "How does A differ from B in C?" and "What is the difference in C between A and B?"."""
    match = _DIFFER.match(text)
    if match:
        one, two, asked = match["one"], match["two"], "What is said of {} in {}?"
    elif match := _DIFFERENCE_BETWEEN.match(text):
        (one, two), asked = _joined(match["both"]), "What is said of {} in its {}?"
    else:
        return None
    if not _is_thing(one) or not _is_thing(two):
        return None
    rest = (match["rest"] or "").strip()
    asked = asked if rest else "What is said of {}?"
    return Split((asked.format(one.strip(), rest), asked.format(two.strip(), rest)), (text,))


def _joined(both: str) -> tuple[str, str]:
    """Return what the last "and" outside brackets joins; "" twice where there is none."""
    plain = _BRACKETED.sub(lambda found: "_" * len(found[0]), both)
    at = plain.rfind(" and ")
    return (both[:at], both[at + 5 :]) if at > 0 else ("", "")


def _is_thing(name: str) -> bool:
    """Return whether a text has a place of its own, as a name or several words have, and is no value beside others."""
    words = _BRACKETED.sub("", name).split()
    return (len(words) > 1 or any(map(str.isupper, name))) and not any(map(str.isdigit, name))


def _named_after(text: str) -> Split | None:
    """Split "Which one is greater? A, or B?"."""
    match = _NAMED_AFTER.match(text)
    if not match or not _is_thing(match["one"]) or not _is_thing(match["two"]):
        return None
    asked = match["asked"].strip(" ?,.")
    return Split(tuple(f"{match[name]}: {asked}?" for name in ("one", "two")), (text,))


def _common(text: str) -> Split | None:
    match = _COMMON.match(text)
    if not match:
        return None
    return Split(tuple(f"What is said about {match[name]}?" for name in ("one", "two")), (text,))


def _clause(text: str) -> Split | None:
    """Split "the population of the city where the first mill stood": which city, and the population of a city."""
    opening = _OPENING_CLAUSE.match(text)
    match = opening or _CLAUSE.match(text)
    if not match:
        return None
    noun, clause, after = match["noun"], match["clause"].strip(), "" if opening else match["after"] or "?"
    if kinds_named(noun):
        return None  # the thing described is shown in one place
    if _LISTED.match(after):
        clause, after = clause + after.rstrip(" ?."), "?"
    rest = match["rest"] if opening else f"{match['before']} the {noun}{after}"
    if len(set(analyze(clause))) < _LEAST_CLAUSE or len(set(analyze(rest)) - set(analyze(noun))) < _LEAST_TERMS:
        return None
    return Split((_asking(noun, match["link"].lower(), clause), rest.strip()), (text,))


def _asking(noun: str, link: str, clause: str) -> str:
    """Return a question for the thing that a relative clause tells: "whose name is" gives "Which town's name is"."""
    if link == "whose":
        return f"Which {noun}'s {clause}?"
    if " " in link:
        return f"{link.split()[0].capitalize()} which {noun} {clause}?"
    return f"In which {noun} {clause}?" if link in ("where", "when") else f"Which {noun} {clause}?"


def _two_questions(text: str) -> Split | None:
    """Split two questions in one, unless the second speaks of what the first is about."""
    match = _SECOND.match(text)
    if not match or _POINTS_BACK.search(match["two"]):
        return None
    parts = (match["one"].strip(" ,?") + "?", match["two"].strip())
    if any(len(set(analyze(part))) < _LEAST_TERMS for part in parts):
        return None
    return Split(parts, (text,))


_READERS: tuple[Callable[[str], Split | None], ...] = (
    _both,
    _either,
    _named_after,
    _differ,
    _common,
    _clause,
    _two_questions,
)
"""Tried in order; the first that applies decides."""


def enumerated(question: str) -> tuple[str, ...]:
    """Return the parts that a question puts marks before, in order: "(a) when it opened, (b) who built it".

    None where it has fewer than two, where one place answers it, or where marks have no words of their own: "panels (a)
    and (b)". A mark after a number belongs to that: "Table 3 (a)".
    """
    if names_one_place(question):
        return ()
    marks = [*_MARK.finditer(question)]
    return next(filter(None, (_parts_under(question, marks, order) for order in _ORDERS)), ())


def _parts_under(question: str, marks: Sequence[re.Match[str]], order: Sequence[str]) -> tuple[str, ...]:
    """Return what stands under the first marks that follow each other in an order; none where one has no words."""
    found: list[re.Match[str]] = []
    for mark in marks:
        if len(found) < len(order) and mark["mark"].lower() == order[len(found)]:
            found.append(mark)
    ends = [*(mark.start() for mark in found[1:]), len(question)]
    parts = [question[mark.end() : end].strip(" \n,;:.?") for mark, end in zip(found, ends, strict=False)]
    return tuple(parts) if len(parts) > 1 and all(map(analyze, parts)) else ()


def asks_difference(question: str) -> bool:
    """Return whether a question asks by how much things differ."""
    return _DIFFERENCE.search(question) is not None


def asks_sum(question: str) -> bool:
    """Return whether a question asks what things come to together."""
    return _SUM.search(question) is not None


def asks_same(question: str) -> bool:
    """Return whether a question asks if things agree."""
    return _SAME.search(question) is not None


def choice_of(question: str) -> Choice | None:
    """Return whether a question asks for the thing with the most or the least; None where it asks for neither."""
    found = _CHOOSING.search(question)
    if found is None:
        return None
    return "least" if _IS_LESS.fullmatch(found["how"]) else "most"


def needs_every_part(question: str) -> bool:
    """Return whether a question asks what the answer to no part can tell alone."""
    return any(pattern.search(question) for pattern in (_DIFFERENCE, _SUM, _SAME, _WHICH_OR))
