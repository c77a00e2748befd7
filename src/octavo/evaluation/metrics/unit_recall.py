"""unit@k: the answer can be read in one of the first k passages shown.

An acceptable answer stands in one of them, or every item where several are asked for, in whichever of them. What is
long is not better: of each passage the first 120 words are looked at. Questions of yes or no have no words to find.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.evaluation.metrics.right import PASSAGE_WORDS, holds, is_yes_or_no


def at(answers: Sequence[str], passages: Sequence[str], count: int, *, items: Sequence[str] = ()) -> float | None:
    """Return 1.0 or 0.0 for the first `count` passages, best first; None for a question without words to find."""
    if is_yes_or_no(answers) or not (answers or items):
        return None
    read = [" ".join(passage.split()[:PASSAGE_WORDS]) for passage in passages[:count]]
    return float(any(holds(answers, text) for text in read) or holds((), "\n\n".join(read), items=items))
