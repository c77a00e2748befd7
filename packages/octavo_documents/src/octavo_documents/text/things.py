"""What the parts of a document are called and how they are numbered: "the bar charts", "Fig. 3", "Chapter IV"."""

from __future__ import annotations

import re
from typing import Literal

from octavo_documents.lazy import lazy_regex

KindName = Literal[
    "title", "heading", "paragraph", "list_item", "table", "figure", "chart", "formula", "caption", "footnote", "code"
]
"""Labels of the kinds of block that a question may ask for (`octavo_documents.document.Kind.label`)."""

FIGURES = r"figures?|pictures?|images?|photos?|photographs?|illustrations?|screenshots?|logos?|icons?|maps?|drawings?"
CHARTS = r"charts?|graphs?|plots?|diagrams?|histograms?"
TABLES = r"tables?"
"""Patterns of the words for pictures, for charts, and for tables."""
_WORDS: dict[str, tuple[KindName, ...]] = {
    TABLES: ("table",),
    FIGURES: ("figure",),
    CHARTS: ("chart", "figure"),
    r"chapters?|(?:sub)?sections?|headings?|chapter (?:names?|titles?)|section (?:names?|titles?)": ("heading",),
    r"equations?|formulas?|formulae": ("formula",),
    r"footnotes?": ("footnote",),
    r"captions?": ("caption",),
    r"algorithms?|code (?:blocks?|listings?|snippets?)|listings?": ("code",),
    r"paragraphs?": ("paragraph",),
    r"bullet points?|list items?|bullets?": ("list_item",),
}
THING = "|".join(_WORDS)
"""Pattern of the words for things that stand in a document."""
_KINDS: tuple[tuple[re.Pattern[str], tuple[KindName, ...]], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), kinds) for words, kinds in _WORDS.items()
)


def kinds_named(text: str) -> tuple[KindName, ...]:
    """Return the kinds of block that the words of a text name, each once: "the bar charts" gives chart and figure."""
    found: list[KindName] = [kind for pattern, kinds in _KINDS if pattern.search(text) for kind in kinds]
    return tuple(dict.fromkeys(found))


def kinds_meant(text: str) -> tuple[KindName, ...]:
    """Return the one kind of block that each word for a thing means first: "the bar charts" gives chart alone."""
    return tuple(dict.fromkeys(kinds[0] for pattern, kinds in _KINDS if pattern.search(text)))


# Labels: a name with a number

What = Literal[
    "page",
    "figure",
    "table",
    "chart",
    "equation",
    "section",
    "chapter",
    "appendix",
    "part",
    "unit",
    "step",
    "box",
    "note",
    "item",
    "question",
    "example",
    "exhibit",
    "algorithm",
]
"""What a numbered name names."""

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
"""Pattern of any name of a numbered thing."""
NUMBER = (
    r"(?:(?:(?-i:[A-Z])[.-]?)?\d{1,4}(?:[.-]\d{1,3}){0,5}(?-i:[A-Za-h])?|(?-i:[A-Z])(?:[.-]\d{1,3})*"
    r"|(?-i:[IVXLC]{1,8}|[ivxlc]{2,8}|[ivx]))(?!\w|\.\d|-(?!(?:[ivxlc]+|\d+)\b))"
)
"""Pattern of a number in a label: "3", "2.1", "A-3", "iv", "B"."""
_SEEN_AS: dict[str, What] = {"image": "figure", "picture": "figure", "photo": "figure", "map": "figure"}
_BY_NAME: tuple[tuple[What, re.Pattern[str]], ...] = tuple(
    (what, lazy_regex(pattern, re.IGNORECASE)) for what, pattern in NAMES.items()
)


_ROMAN = lazy_regex(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_LETTERS = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}


def named(word: str) -> What:
    """Return what a word names: "Figs." gives figure, "slides" gives page."""
    singular = word.lower().removesuffix("s")
    if singular in _SEEN_AS:
        return _SEEN_AS[singular]
    for what, pattern in _BY_NAME:
        if pattern.fullmatch(word):
            return what
    return "section"


def canonical(number: str) -> str:
    """Return one form for the ways to print a number: "A-3", "A3" and "a.3" give "a.3", "IV" gives "iv"."""
    plain = number.strip().strip(".").lower().replace("–", "-").replace("-", ".")
    if len(plain) > 1 and plain[0].isalpha() and plain[1].isdigit():
        return f"{plain[0]}.{plain[1:]}"
    return plain


def number_value(number: str) -> int | None:
    """Return the value of a plain or Roman number, None for others: 3 for "3", 4 for "iv"."""
    if number.isdecimal() and len(number) <= 6:
        return int(number)
    if not number or not _ROMAN.fullmatch(number):
        return None
    return roman_value(number)


def roman_value(letters: str) -> int:
    """Return the value of a Roman number in letters of either case."""
    values = [_LETTERS[letter] for letter in letters.lower()]
    return sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))


def roman_numeral(value: int) -> str:
    """Return a number (1 to 3999) in small Roman letters."""
    written = ""
    for size, letters in zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
        strict=True,
    ):
        times, value = divmod(value, size)
        written += letters * times
    return written
