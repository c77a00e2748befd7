"""What the parts of a document are called in questions: "charts", "tables", "headings".

Owns the words for kinds of block. Knows nothing about what is asked of them.
"""

from __future__ import annotations

import re
from typing import Literal

KindName = Literal[
    "title", "heading", "paragraph", "list_item", "table", "figure", "chart", "formula", "caption", "footnote", "code"
]
"""Labels of the kinds of block that a question may ask for (`octavo.document.Kind.label`)."""

_WORDS: dict[str, tuple[KindName, ...]] = {
    r"tables?": ("table",),
    r"figures?|pictures?|images?|photos?|photographs?|illustrations?|screenshots?|logos?|icons?|maps?|drawings?": (
        "figure",
    ),
    r"charts?|graphs?|plots?|diagrams?|histograms?": ("chart", "figure"),
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
_COMPILED: tuple[tuple[re.Pattern[str], tuple[KindName, ...]], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), kinds) for words, kinds in _WORDS.items()
)


def kinds_named(text: str) -> tuple[KindName, ...]:
    """Return the kinds of block that the words of a text name, each once: "the bar charts" gives chart and figure."""
    found: list[KindName] = [kind for pattern, kinds in _COMPILED if pattern.search(text) for kind in kinds]
    return tuple(dict.fromkeys(found))


def kinds_meant(text: str) -> tuple[KindName, ...]:
    """Return the one kind of block that each word for a thing means first: "the bar charts" gives chart alone."""
    return tuple(dict.fromkeys(kinds[0] for pattern, kinds in _COMPILED if pattern.search(text)))
