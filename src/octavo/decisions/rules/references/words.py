"""The words that references are made of: names of things, numbers, ordinals.

Owns these patterns and what they stand for. Knows nothing about whole references.
"""

from __future__ import annotations

import re

from octavo.decisions.rules.references.reference import What
from octavo.decisions.rules.values import NUMBER_WORDS

NAMES: dict[What, str] = {
    "page": r"pages?|pgs?\.?|pp?\.|slides?|sheets?",
    "figure": r"figures?|figs?\.?",
    "table": r"tables?|tabs?\.",
    "chart": r"charts?|graphs?|plots?|diagrams?",
    "equation": r"equations?|eqn?s?\.|eqn?s?|formulae?|formulas",
    "section": r"(?:sub)*sections?|secs?\.|§{1,2}",
    "chapter": r"chapters?|chaps?\.|ch\.",
    "appendix": r"appendix|appendices|appendixes|annex(?:es)?|app\.",
    "part": r"parts?",
    "unit": r"units?|modules?|lessons?",
    "step": r"steps?",
    "box": r"box(?:es)?",
    "note": r"(?:foot|end)?notes?",
    "item": r"items?",
    "question": r"questions?",
    "example": r"examples?",
    "exhibit": r"exhibits?",
    "algorithm": r"algorithms?|listings?",
}
NAME = "(?:" + "|".join(NAMES.values()) + ")"
SEEN = (
    r"(?:tables?|figures?|charts?|graphs?|plots?|diagrams?|images?|pictures?|photos?|maps?|equations?|text|paragraphs?)"
)
_SEEN_AS: dict[str, What] = {"image": "figure", "picture": "figure", "photo": "figure", "map": "figure"}
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)
_SPELLED = sorted((word for word, number in NUMBER_WORDS.items() if number), key=len, reverse=True)
SPELLED = rf"(?:{'|'.join(_SPELLED)})\b"
ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th))"
LAST = r"(?:very last|last|final|closing|concluding)"
BACK = (
    rf"(?:(?:{ORDINAL})[\s-]+(?:to[\s-]+|from[\s-]+)?(?:the[\s-]+)?last|last[\s-]but[\s-]one|penultimate"
    r"|next[\s-]to[\s-](?:the[\s-])?last)"
)
OPENING = r"(?:very first|opening|initial)"
POSITION = rf"(?:{BACK}|{LAST}|{OPENING}|{ORDINAL})"
NUMBER = (
    r"(?:(?:(?-i:[A-Z])[.-]?)?\d{1,4}(?:[.-]\d{1,3}){0,5}(?-i:[A-Za-h])?|(?-i:[A-Z])(?:[.-]\d{1,3})*"
    r"|(?-i:[IVXLC]{1,8}|[ivxlc]{2,8}|[ivx]))(?!\w|\.\d|-(?!(?:[ivxlc]+|\d+)\b))"
)
_BY_NAME: tuple[tuple[What, re.Pattern[str]], ...] = tuple(
    (what, re.compile(pattern, re.IGNORECASE)) for what, pattern in NAMES.items()
)


def named(word: str) -> What:
    """Return what a word names: "Figs." gives figure, "slides" gives page."""
    singular = word.lower().removesuffix("s")
    if singular in _SEEN_AS:
        return _SEEN_AS[singular]
    for what, pattern in _BY_NAME:
        if pattern.fullmatch(word):
            return what
    return "section"


def position_of(words: str) -> int:
    """Return where "third", "2nd", "last" or "second to last" stands: 3, 2, -1, -2."""
    plain = " ".join(re.split(r"[\s-]+", words.lower()))
    if re.fullmatch(LAST, plain):
        return -1
    if re.fullmatch(OPENING, plain):
        return 1
    if plain == "penultimate" or "but one" in plain or plain.startswith("next to"):
        return -2
    number = _ordinal(plain.split()[0])
    return -number if plain.endswith("last") else number


def _ordinal(word: str) -> int:
    return _ORDINALS.index(word) + 1 if word in _ORDINALS else int(re.sub(r"\D", "", word) or 1)


def count_of(words: str) -> int:
    """Return the number that digits or a word stand for: "10" and "ten" give 10."""
    return int(words) if words.isdigit() else NUMBER_WORDS[words.lower()]
