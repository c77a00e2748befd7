"""How brief answers are: a metric of what a system said, whether it is right or wrong."""

from __future__ import annotations

from octavo_lab.question import Metric, ScoredResponse

_MOST = 5
"""Words of a brief answer."""


def brief(scored: ScoredResponse) -> float | None:
    """Return 1 for a brief answer and 0 for a long one; None where no answer was given."""
    response = scored.response
    return float(len(response.answer.split()) <= _MOST) if response.answerable else None


BRIEF = Metric("brief", "brief answers", f"share of answers given that have {_MOST} words at most", brief)
