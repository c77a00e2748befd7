"""Names in a sentence that may answer who, where or which.

They are told by their capitals and by the words before them. Fits are chosen by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo.question import Expects, Question
from octavo.text.analyzer import is_function_word

Span = tuple[int, int, float]
"""[start, stop) in characters, and fit 0..1."""

_NAME = re.compile(
    r"(?<![\w'’])[A-Z][\w'’&-]*(?:\.[A-Z]\.?)?(?:(?:\s(?:of|the|and|for|de|van|von|der|&)){0,2}\s[A-Z][\w'’&.-]*\b)*"
)
_BODY = re.compile(
    r"\b(?:Inc|Ltd|LLC|Corporation|Corp|Company|University|College|School|Institute|Department|Association|Group|Party|"
    r"Award|Council|Committee|Society|Bank|Museum|League|Cup|Records|Pictures|Conference|Federation|Act|Street)\b\.?"
)
_IN_PLACE = re.compile(r"\b(?:in|at|near|from|to|of)\s+(?:the\s+)?$", re.IGNORECASE)
_NAMING = re.compile(r"\b(?:called|named|known as|by|is|are|was|were|to|from)\s+(?:the\s+|an?\s+)?$", re.IGNORECASE)
_TIME = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)(?: \d{1,2})?"
)


def named_spans(question: Question, sentence: str) -> Iterator[Span]:
    """Yield the names that a question for a person, a place or one of several things may mean.

    "What is an ombudsman?" asks for no name.
    """
    if question.expects is Expects.NAME and not question.asks_which:
        return
    if question.expects not in (Expects.PERSON, Expects.PLACE, Expects.NAME):
        return
    for found in _NAME.finditer(sentence):
        start = found.start() + _opening_words(found.group())
        name = sentence[start : found.end()]
        opens_sentence = found.start() == 0 and " " not in name
        if name and not opens_sentence and not _TIME.fullmatch(name):
            yield start, found.end(), _fit(question, name, sentence[:start])


def _opening_words(text: str) -> int:
    """Return how many characters of function words a text opens with: "The Tern" is called Tern."""
    at = 0
    for word in text.split():
        if not is_function_word(word):
            break
        at += len(word) + 1
    return at


def _fit(question: Question, name: str, before: str) -> float:
    words = name.split()
    if question.expects is Expects.PERSON:
        is_person = 2 <= len(words) <= 4 and all(word.upper() != word for word in words[::3])
        return (1.0 if _NAMING.search(before) else 0.85) if is_person and not _BODY.search(name) else 0.25
    if question.expects is Expects.PLACE:
        return 0.9 if _IN_PLACE.search(before) else 0.45
    return 0.65 if _NAMING.search(before) else 0.5
