"""Judged accuracy: whether a response is complete and correct.

MDocAgent, DMAP (section 4.1.4) and FinanceBench let a model judge that reads question, gold and response. The rule here
stands in for one: yes and no must agree, the numbers that lead the gold must be in the response (1 % tolerance, any
scale), and where there are none, half of its words must.
"""

from __future__ import annotations

import math

from octavo.evaluation.metrics.normal import is_refusal, tokens
from octavo.evaluation.metrics.overlap import includes
from octavo.text.values import numbers_in

SCALES = (1e-9, 1e-6, 1e-3, 1e-2, 1.0, 1e2, 1e3, 1e6, 1e9)
LEADING = 2
"""Numbers of a gold sentence that must be met; the later ones are mostly how it was worked out."""


def by_rule(answer: str, response: str) -> bool:
    """Return the verdict of the rule described above."""
    if is_refusal(answer) or is_refusal(response):
        return is_refusal(answer) and is_refusal(response)
    if _polarity(answer) and _polarity(response) and _polarity(answer) != _polarity(response):
        return False
    wanted = numbers_in(answer)[:LEADING]
    if wanted:
        given = numbers_in(response)
        return all(any(_same(number, other) for other in given) for number in wanted)
    return includes(response, answer) or _words_met(answer, response)


def _polarity(text: str) -> str:
    words = tokens(text)
    return words[0] if words and words[0] in ("yes", "no") else ""


def _same(wanted: float, given: float) -> bool:
    return any(math.isclose(wanted * scale, given, rel_tol=0.01) for scale in SCALES)


def _words_met(answer: str, response: str) -> bool:
    wanted = set(tokens(answer))
    return bool(wanted) and len(wanted & set(tokens(response))) >= 0.5 * len(wanted)
