"""How far a question reaches and what its answer stands in, by its words.

Knows nothing about documents or models.
"""

from __future__ import annotations

import re
from typing import Literal

from octavo.decisions.decompose_question.rule import split
from octavo.decisions.plan_question.rule import operation_of, stays_at_one_place
from octavo.decisions.rules.question import Expects, read_question
from octavo.decisions.rules.references import references

Reach = Literal["single place", "many places", "whole document"]
Modality = Literal["text", "table", "figure", "layout"]

_MANY = re.compile(
    r"\b(?:compare[ds]?|comparing|comparison|contrast|both|versus|vs|differ|differences? between|list all|each of)\b",
    re.IGNORECASE,
)
_CUES: tuple[tuple[Modality, str], ...] = (
    (
        "figure",
        r"\b(?:charts?|graphs?|plots?|diagrams?|figures?|fig|pictures?|photos?|photographs?|images?|illustrat\w+|logos?"
        r"|icons?|maps?|screenshots?|colou?r(?:s|ed)?|red|blue|green|yellow|purple|orange|arrows?|bars?|legend|axis"
        r"|wearing|shapes?|drawn|depict\w*)\b",
    ),
    ("table", r"\b(?:tables?|tabular|rows?|columns?|cells?|balance sheet|income statement|cash flow statement)\b"),
    (
        "layout",
        r"\b(?:headers?|footers?|font|highlighted|underlined|bold|italic|margins?|(?:cover|title) page"
        r"|table of contents"
        r"|how many (?:\w+ )?(?:pages|slides|chapters|sections|subsections|tables|figures|charts|appendices)"
        r"|(?:top|bottom|left|right|middle|cent(?:er|re)) (?:of|side of|corner of) (?:the )?(?:page|slide)"
        r"|subsections?|which (?:pages?|chapters?|sections?))\b",
    ),
)
_SHOWS = tuple((modality, re.compile(pattern, re.IGNORECASE)) for modality, pattern in _CUES)
_PREFERRED: tuple[Modality, ...] = ("layout", "table", "figure")


def reach(question: str) -> Reach:
    """Return how many places have to be seen."""
    if operation_of(question) != "NONE":
        return "whole document"
    if stays_at_one_place(question):
        return "single place"
    several = len(references(question)) > 1 or _MANY.search(question) or read_question(question).expects is Expects.LIST
    return "many places" if several or len(split(question).retrieval) > 1 else "single place"


def modality(question: str) -> Modality:
    """Return what the answer most likely stands in: the kind whose words the question has most of, else text."""
    counts = {kind: len(pattern.findall(question)) for kind, pattern in _SHOWS}
    best = max(_PREFERRED, key=lambda kind: counts[kind])
    return best if counts[best] else "text"
