"""Questions that are answered yes or no by figures: whether a measure rose, fell, changed, or is above zero.

Owns the reading of which way is asked about. Knows nothing about documents.
"""

from __future__ import annotations

import dataclasses
import enum
import re

from octavo.decisions.rules.measures import Asked, line_asked, measure_asked


class Way(enum.Enum):
    """What is asked about a measure."""

    UP = "up"
    DOWN = "down"
    CHANGED = "changed"
    POSITIVE = "positive"
    NEGATIVE = "negative"


@dataclasses.dataclass(frozen=True, slots=True)
class Trend:
    """A measure, and what is asked about it."""

    asked: Asked
    way: Way

    @property
    def is_over_time(self) -> bool:
        """Whether two years are compared."""
        return self.way not in (Way.POSITIVE, Way.NEGATIVE)


_WAYS: tuple[tuple[Way, re.Pattern[str]], ...] = tuple(
    (way, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for way, words in (
        (Way.POSITIVE, "positive|above zero"),
        (Way.NEGATIVE, "negative|below zero"),
        (Way.DOWN, "declin(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|drop(?:s|ped|ping)?|falls?|fallen|falling|fell|"
            "worsen(?:s|ed|ing)?|shrinks?|shrunk|deteriorat(?:e|es|ed|ing)|reduc(?:ed|tion)"),
        (Way.UP, "improv(?:e|es|ed|ing|ement)|increas(?:e|es|ed|ing)|grow(?:s|n|ing|th)?|grew|rise|rises|risen|rising|"
            "rose|expand(?:s|ed|ing)?"),
        (Way.CHANGED, "changed?"),
    )
)  # fmt: skip
_COMPARED = re.compile(
    r"\b(?:q[1-4]|quarters?|months|than|accelerat\w*|slow\w*|faster|expected|forecast|due to|because)\b", re.IGNORECASE
)
"""Words of questions for more than one figure against an earlier one."""
_OWED = ("total liabilities", "long-term debt")
"""Lines of which less is an improvement."""


def trend_asked(question: str) -> Trend | None:
    """Return what a yes-or-no question asks about one measure, None where it asks about none or about more."""
    ways = [way for way, words in _WAYS if words.search(question)]
    asked = None if len(ways) != 1 or _COMPARED.search(question) else measure_asked(question) or line_asked(question)
    if asked is None:
        return None
    is_owed = any(line in _OWED for _, line in asked.measure.over)
    return None if is_owed and ways[0] is Way.UP and "improv" in question.lower() else Trend(asked, ways[0])


def holds(way: Way, later: float, earlier: float) -> bool:
    """Tell whether a measure went a way; for its sign only the later value counts."""
    return {
        Way.UP: later > earlier,
        Way.DOWN: later < earlier,
        Way.CHANGED: later != earlier,
        Way.POSITIVE: later > 0,
        Way.NEGATIVE: later < 0,
    }[way]
