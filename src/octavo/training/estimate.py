"""What a training would take, before anything is done.

Reckoned from examples where they are there, and from what is usual where they are not. No model is loaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from octavo.models.language import ModelFault, estimate_tokens
from octavo.training.example import Example, read_all, reply_of, request_for
from octavo.training.files import Folder
from octavo.training.plan import TrainingPlan

_PER_QUESTION = 5
"""Examples a question usually gives: two runs over a few documents, some with a second step."""
_CONTEXT = 1 << 20
"""Tokens of a context in which nothing is cut."""


def estimate(folder: Folder, questions: int, share: float, plan: TrainingPlan, *, is_labelled: bool) -> dict[str, Any]:
    """Return how many examples and steps there would be, and tokens: learnt from, and read by a labelling model.

    Examples that are curated already are counted as they are; else `questions` are reckoned with.
    """
    known = _known(folder)
    count = len(known) or round(_PER_QUESTION * questions * (1 - share))
    length = _length(known, plan) if known else None
    asked = 0 if known or not is_labelled else _PER_QUESTION * questions
    steps = plan.steps(count)
    return {
        "questions": questions,
        "examples": count,
        "counted": "as curated" if known else "estimated",
        "labelling_calls": asked,
        "steps": steps,
        "tokens_per_example": length,
        "tokens_trained": None if length is None else steps * plan.batch * length,
    }


def _known(folder: Folder) -> Sequence[Example]:
    is_there = folder.train.is_file() and folder.train.stat().st_size
    return read_all(folder.train) if is_there else ()


def _length(examples: Sequence[Example], plan: TrainingPlan) -> int:
    """Return about how many tokens an example has, prompt and reply."""
    sizes: list[int] = []
    for one in examples:
        try:
            request, _ = request_for(one.routing, _CONTEXT)
        except ModelFault:
            continue
        told = request.instructions if plan.instructions else ""
        sizes.append(sum(map(estimate_tokens, (told, *(turn.text for turn in request.turns), reply_of(one)))))
    return round(sum(sizes) / len(sizes)) if sizes else 0
