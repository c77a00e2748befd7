"""Examples as tokens. Only the reply is learnt, its end included."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from octavo.models.language import ModelFault
from octavo.models.torch_engine import Loaded
from octavo.training.example import Example, reply_of, request_for
from octavo.training.plan import TrainingPlan

_ROOMY = 1 << 20
"""A context in which nothing is cut: what is too long is left out, not shortened."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of an example; the last `reply` of them are what is learnt."""

    ids: tuple[int, ...]
    reply: int


def encode(loaded: Loaded, examples: Iterable[Example], plan: TrainingPlan) -> tuple[list[Tokens], int]:
    """Return the examples as tokens, and how many were longer than the plan's `max_tokens` and are not among them."""
    found, too_long = list[Tokens](), 0
    for example in examples:
        tokens = _encoded(loaded, example, instructions=plan.instructions)
        if tokens is None or len(tokens.ids) > plan.max_tokens:
            too_long += 1
        else:
            found.append(tokens)
    return found, too_long


def _encoded(loaded: Loaded, example: Example, *, instructions: bool) -> Tokens | None:
    try:
        request, is_whole = request_for(example.routing, _ROOMY)
    except ModelFault:
        return None
    if not is_whole:
        return None
    told = [{"role": "system", "content": request.instructions}] if instructions else []
    prompt = loaded.prompt([*told, *({"role": turn.role, "content": turn.text} for turn in request.turns)])
    reply = list(loaded.tokenizer(reply_of(example), add_special_tokens=False)["input_ids"])
    end = loaded.tokenizer.eos_token_id
    reply += [int(end)] if end is not None else []
    return Tokens((*prompt, *reply), len(reply))
