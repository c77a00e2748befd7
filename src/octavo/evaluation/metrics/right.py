"""Whether an answer is right: as a person with the gold in hand would say, and by a coarse rule for long responses."""

from __future__ import annotations

import math
from collections.abc import Sequence

from octavo.evaluation.metrics import normal
from octavo.evaluation.metrics.overlap import includes
from octavo.evaluation.metrics.wording import item_stands_in, same_value, stands_in, tokens
from octavo.text.values import numbers_in

TIMES, MORE = 3, 12
"""An answer that no model gave may have so many times the tokens of the longest acceptable answer, and so many more."""
PASSAGE_WORDS = 120
"""Words of a passage that are looked at, and the most that an answer with several items may have."""
_YES_OR_NO = ("yes", "no")
_SCALES = (1e-9, 1e-6, 1e-3, 1e-2, 1.0, 1e2, 1e3, 1e6, 1e9)
_LEADING = 2
"""Numbers of a gold sentence that must be met; the later ones are mostly how it was worked out."""


def is_right(answers: Sequence[str], given: str, *, items: Sequence[str] = (), by_model: bool = False) -> bool:
    """Return whether an answer is right.

    Args:
        answers: Acceptable answers, any of which will do. Where all say yes or no first, the first word decides.
        given: What was answered.
        items: What must all be there, where the question asks for several things.
        by_model: Whether a model wrote it, whose words may explain; else a whole paragraph that happens to hold the
            answer is no answer.
    """
    if is_yes_or_no(answers):
        return first_word(given) in {first_word(answer) for answer in answers}
    if any(same_value(answer, given) for answer in answers):
        return True
    longest = max(len(tokens(text)) for text in (*answers, " ".join(items)))
    most = max(TIMES * longest + MORE, PASSAGE_WORDS if items else 0)
    return (by_model or len(tokens(given)) <= most) and holds(answers, given, items=items)


def holds(answers: Sequence[str], text: str, *, items: Sequence[str] = ()) -> bool:
    """Return whether an acceptable answer stands in a text or, where there are items, every one of them."""
    told = bool(items) and all(item_stands_in(item, text) for item in items)
    return told or any(stands_in(answer, text) for answer in answers)


def in_passages(answers: Sequence[str], passages: Sequence[str], *, items: Sequence[str] = ()) -> float | None:
    """Return 1.0 when the answer can be read in one of the passages, else 0.0; None where there are no words to find.

    An acceptable answer stands in one of them, or every item where several are asked for, in whichever of them. What is
    long is not better: of each passage the first 120 words are looked at. Questions of yes or no have no words to find.
    """
    if is_yes_or_no(answers) or not (answers or items):
        return None
    read = [" ".join(passage.split()[:PASSAGE_WORDS]) for passage in passages]
    return float(any(holds(answers, text) for text in read) or holds((), "\n\n".join(read), items=items))


def is_yes_or_no(answers: Sequence[str]) -> bool:
    """Return whether all of the acceptable answers, and there are some, begin with yes or no."""
    return bool(answers) and all(first_word(answer) in _YES_OR_NO for answer in answers)


def first_word(text: str) -> str:
    """Return the first word in its normal form, empty for a text without one."""
    found = tokens(text)
    return found[0].text if found else ""


def is_complete(answer: str, response: str) -> bool:
    """Return whether a response is complete and correct, by a rule that stands in for a model that judges.

    MDocAgent, DMAP (section 4.1.4) and FinanceBench let a model judge that reads question, gold and response. Here yes
    and no must agree, the numbers that lead the gold must be in the response (1 % tolerance, any scale), and where
    there are none, half of its words must.
    """
    if normal.is_refusal(answer) or normal.is_refusal(response):
        return normal.is_refusal(answer) and normal.is_refusal(response)
    if _polarity(answer) and _polarity(response) and _polarity(answer) != _polarity(response):
        return False
    wanted = numbers_in(answer)[:_LEADING]
    if wanted:
        given = numbers_in(response)
        return all(any(_same(number, other) for other in given) for number in wanted)
    return includes(response, answer) or _words_met(answer, response)


def _polarity(text: str) -> str:
    words = normal.tokens(text)
    return words[0] if words and words[0] in ("yes", "no") else ""


def _same(wanted: float, given: float) -> bool:
    return any(math.isclose(wanted * scale, given, rel_tol=0.01) for scale in _SCALES)


def _words_met(answer: str, response: str) -> bool:
    wanted = set(normal.tokens(answer))
    return bool(wanted) and len(wanted & set(normal.tokens(response))) >= 0.5 * len(wanted)
