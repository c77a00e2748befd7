"""Whether a short answer is right, as a person with the gold in hand would say.

Owns that rule for questions with acceptable answers, with items that must all be there, and of yes or no. Knows
nothing about systems: it reads what was answered, and whether a model did.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.evaluation.metrics.wording import item_stands_in, same_value, stands_in, tokens

TIMES, MORE = 3, 12
"""An answer that no model gave may have so many times the tokens of the longest acceptable answer, and so many more."""
PASSAGE_WORDS = 120
"""Words of a passage that are looked at, and the most that an answer with several items may have."""
_YES_OR_NO = ("yes", "no")


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
    longest = max(map(_length, (*answers, " ".join(items))), default=0)
    most = max(TIMES * longest + MORE, PASSAGE_WORDS if items else 0)
    return (by_model or _length(given) <= most) and holds(answers, given, items=items)


def score(
    answers: Sequence[str], given: str, *, items: Sequence[str] = (), by_model: bool = False, claimed: bool = True
) -> float | None:
    """Return 1.0 or 0.0 for a question that has an answer, None for one that has none.

    Args:
        answers: Acceptable answers.
        given: What was answered.
        items: What must all be there.
        by_model: Whether a model wrote it.
        claimed: Whether it was given as an answer to rely on; passages in its place are not right, nor wrong.
    """
    if not (answers or items):
        return None
    return float(claimed and is_right(answers, given, items=items, by_model=by_model))


def holds(answers: Sequence[str], text: str, *, items: Sequence[str] = ()) -> bool:
    """Return whether an acceptable answer stands in a text or, where there are items, every one of them."""
    told = bool(items) and all(item_stands_in(item, text) for item in items)
    return told or any(stands_in(answer, text) for answer in answers)


def is_yes_or_no(answers: Sequence[str]) -> bool:
    """Return whether all of the acceptable answers, and there are some, begin with yes or no."""
    return bool(answers) and all(first_word(answer) in _YES_OR_NO for answer in answers)


def first_word(text: str) -> str:
    """Return the first word in its normal form, empty for a text without one."""
    found = tokens(text)
    return found[0].text if found else ""


def _length(text: str) -> int:
    return len(tokens(text))
