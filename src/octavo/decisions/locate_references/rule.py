"""What a question points at, by the grammar; and whether the grammar can have missed something.

Knows nothing about documents or models.
"""

from __future__ import annotations

import re

from octavo.decisions.rules.references import Reference, references, unread
from octavo.decisions.rules.references.words import NAMES, POSITION

_PLACE = "|".join(NAMES[what] for what in ("page", "figure", "table", "chart", "section", "chapter", "appendix"))
_TURN = (
    r"next|previous|following|preceding|before|after|above|below|between|until|half|middle|beginning|end"
    rf"|{POSITION}|\d+"
)
_MISSED = re.compile(
    rf"\b(?:{_TURN})\s+(?:\w+\s+){{0,2}}(?:{_PLACE})\b|(?<![\w.])(?:{_PLACE})\s+(?:\w+\s+){{0,2}}(?:{_TURN})\b", re.I
)
MOST = 40


def located(question: str) -> list[Reference]:
    """Return the references of a question in order of mention, 40 at most."""
    return references(question)[:MOST]


def is_settled(question: str) -> bool:
    """Tell whether the grammar has read every word that looks like a reference, so that nobody need be asked."""
    return not _MISSED.search(unread(question))
