"""The format of an answer, by the words of its question: what it asks to be given, else what it asks for.

Knows nothing about answers or documents.
"""

from __future__ import annotations

import re

from octavo.decisions.rules.question import Expects, read_question
from octavo.document import AnswerFormat

_GIVEN: tuple[tuple[AnswerFormat, str], ...] = (
    (
        AnswerFormat.LIST,
        r"\b(?:in|as|with) (?:a |the )?(?:python )?list(?: format)?\b|\blist format\b|\[\s*[\"'“\d]|\brespectively\b",
    ),
    (
        AnswerFormat.FLOAT,
        r"\bfloat(?: format)?\b|\b(?:\w+|\d) decimals?(?: places?)?\b|\bin percentage terms?\b"
        r"|\ban?n?swer in (?:(?:us|usd) )?(?:thousand|million|billion|percent)s?\b",
    ),
    (
        AnswerFormat.INT,
        r"\b(?:an?|in|as)(?: \w+)? int\b|\binteger\b|\bint format\b|\bwhole number\b|\brounded to the nearest\b",
    ),
    (AnswerFormat.STR, r"\b(?:in|as) (?:a )?(?:str|string)(?: format)?\b|\byes or no\b|\bdirectly answer ['\"]"),
)
_COMPILED = tuple((form, re.compile(pattern, re.IGNORECASE)) for form, pattern in _GIVEN)
_ASKED: dict[Expects, AnswerFormat] = {
    Expects.COUNT: AnswerFormat.INT,
    Expects.PERCENT: AnswerFormat.FLOAT,
    Expects.MONEY: AnswerFormat.FLOAT,
    Expects.NUMBER: AnswerFormat.FLOAT,
    Expects.LIST: AnswerFormat.LIST,
}


def demanded_format(question: str) -> AnswerFormat | None:
    """Return the format that the question's own words demand ("in list format"); None when they demand none."""
    return next((form for form, pattern in _COMPILED if pattern.search(question)), None)


def answer_format(question: str) -> AnswerFormat:
    """Return the format a question demands, else that of what it expects. Never NONE."""
    return demanded_format(question) or _ASKED.get(read_question(question).expects, AnswerFormat.STR)
