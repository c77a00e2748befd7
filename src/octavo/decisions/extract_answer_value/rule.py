"""Final answers out of free responses.

Owns the rule that reads the short answer a response gives, in the format that the question asks for. It sees the
question and the response only: no function here takes a gold answer. Formats are those of MMLongBench-Doc.
"""

from __future__ import annotations

import dataclasses
import re

from octavo.decisions.rules.numbers import number_words, numerals

FAIL = "Fail to answer"
NOT_ANSWERABLE = "Not answerable"

_REFUSAL = re.compile(
    r"\b(?:not answerable|unanswerable|cannot be (?:answered|determined|found)|can't be (?:answered|determined)|"
    r"no (?:answer|information|evidence|mention)|(?:does|do|did) not (?:mention|specify|contain|state|provide|include)|"
    r"not (?:mentioned|specified|stated|provided|found|available))\b",
    re.IGNORECASE,
)
_UNREADABLE = re.compile(
    r"\b(?:cannot|can not|can't|unable to|could not|couldn't) (?:read|see|view|open|access|understand)\b", re.IGNORECASE
)
_LEAD = re.compile(r"^(?:the |final |extracted )*answer\s*(?:is\s*:?|:)\s*", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.)])\s+(.*\S)", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?:(?<=[\w)%'\"]{2}[.!?])|(?<=\s\d[.!?]))\s+(?=[A-Z\"'*])")
"""A stop after a single letter ends an initial, not a sentence."""

# A run of spaces is tried from its start alone.
_BETWEEN = re.compile(r"(?:(?<!\s)\s+)?[;\n]\s*|(?:(?<!\s)\s+)?,\s+(?:and\s+)?|(?<!\s)\s+and\s+")
_AMOUNT_FIGURE = re.compile(r"-?\$?\d[\d,]*(?:\.\d+)?\s?%?")

LONGEST_POINT = 8
"""Words of a point in a list written as a sentence."""

_COUNT = re.compile(r"\b(?:how many|number of|count of)\b", re.IGNORECASE)
_AMOUNT = re.compile(
    r"\b(?:how much|percent|percentage|ratio|average|mean|difference|proportion|rate|total (?:revenue|amount|cost))\b"
    r"|%",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:list|enumerate|which (?:two|three|four|five|\w+s)\b|what are|who are|names? of (?:all|the \w+s)|all of the)",
    re.IGNORECASE,
)


@dataclasses.dataclass(frozen=True, slots=True)
class Extraction:
    """A final answer and the format it was read as: Int, Float, Str, List or None."""

    answer: str
    format: str


def expected_format(question: str) -> str:
    """Return the format a question asks for, by its words."""
    for pattern, name in ((_COUNT, "Int"), (_AMOUNT, "Float"), (_SEVERAL, "List")):
        if pattern.search(question):
            return name
    return "Str"


def extract(question: str, response: str, *, answer_format: str | None = None) -> Extraction:
    """Return the final answer of a response; a given format overrules the one the question's words ask for."""
    text = response.strip()
    if not text:
        return Extraction(FAIL, "None")
    first = _SENTENCE_END.split(text, maxsplit=1)[0]
    if _UNREADABLE.search(first):
        return Extraction(FAIL, "None")
    if _REFUSAL.search(first):
        return Extraction(NOT_ANSWERABLE, "None")
    wanted = answer_format if answer_format in _READERS else expected_format(question)
    return _READERS[wanted](_LEAD.sub("", text))


def _whole_number(text: str) -> Extraction:
    found = numerals(text)
    if found:
        return Extraction(found[0].split(".")[0] if float(found[0]).is_integer() else found[0], "Int")
    words = number_words(text)
    return Extraction(str(int(words[0])), "Int") if words else _text(text)


def _decimal_number(text: str) -> Extraction:
    found = _AMOUNT_FIGURE.search(text)
    if not found:
        return _whole_number(text)
    return Extraction(found.group().replace(",", "").replace("$", "").replace(" ", ""), "Float")


def _listing(text: str) -> Extraction:
    """Return the points of a list; a sentence with commas is a list only where what they part is short."""
    if text.startswith("["):
        return Extraction(text, "List")
    points = [_short(item) for item in _BULLET.findall(text)]
    if len(points) < 2:
        listed = _BETWEEN.split(_short(text.partition(":")[2] or text))
        points = [part.strip().rstrip(".") for part in listed if part.strip(" .")]
        if len(points) < 2 or any(len(part.split()) > LONGEST_POINT for part in points):
            return _text(text)
    return Extraction(repr(points), "List")


def _text(text: str) -> Extraction:
    return Extraction(_short(text), "Str")


def _short(text: str) -> str:
    """Return the first sentence without its full stop and without emphasis."""
    sentence = _SENTENCE_END.split(text.strip(), maxsplit=1)[0].split("\n\n")[0]
    return sentence.strip().strip("*").rstrip(".").strip()


_READERS = {"Int": _whole_number, "Float": _decimal_number, "List": _listing, "Str": _text, "None": _text}
