"""A judge that asks nobody: it notes what a model would be asked, and has the rules speak for it.

Owns the reckoning of such calls, which cost estimates are made of. Knows nothing about prices or layers.

A call is as long as the prompt would be, and its reply as long as what the rule says. What a model would say, and what
would then be asked about that, cannot be known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel

from octavo.decisions.base import Context, Decided, Decision, Failure, In, Item, ItemsDecision, Out, Verdict
from octavo.decisions.judge import Judge
from octavo.decisions.replies import schema_of
from octavo.decisions.verdicts import Batch
from octavo.document import Usage
from octavo.models.language import LanguageModel, estimate_tokens

Call = tuple[str, int, int]
"""A decision's name, input tokens and output tokens."""


class Rehearsal(Judge):
    """Has the models of another judge and calls none; `calls` are those there would be, in order."""

    def __init__(self, judge: Judge) -> None:
        """Take the judge that would decide; nothing is charged to its budget."""
        super().__init__(judge.models, workers=1)
        self.calls: list[Call] = []

    def _by_model(
        self,
        decision: Decision[In, Out],
        value: In,
        model: LanguageModel,
        on_text: Callable[[str], None] | None = None,
    ) -> Decided[Out] | Failure:
        """Note the call; what the rule says counts as the model's word."""
        said = decision.rule(value) if decision.rule is not None else None
        self._note_call(decision, value, model, _length(said))
        return Failure("rehearsed", Usage()) if said is None else Decided(said, "model")

    def _ask_once(
        self, decision: ItemsDecision[Context, Item, Verdict], context: Context, items: Sequence[Item]
    ) -> dict[int, Decided[Verdict]] | Failure:
        """Note the call for a group of items; the rule gives their verdicts."""
        verdicts = decision.rule(context, items)
        model = self.model_for(decision.name, decision.role)
        if model is not None:
            said = sum(_length(verdict) + _NUMBERED for verdict in verdicts)
            self._note_call(Batch(decision, context, items).as_decision(), None, model, said + _NUMBERED)
        return {at: Decided(verdict, "model") for at, verdict in enumerate(verdicts)}

    def _note_call(self, decision: Decision[Any, Any], value: Any, model: LanguageModel, written: int) -> None:
        template = decision.template
        fixed = estimate_tokens(template.instructions) + estimate_tokens(schema_of(decision.output))
        filled = decision.render(value, max(0, model.context_tokens - fixed - decision.max_output_tokens))
        read = estimate_tokens(f"{template.instructions}\n{template.fill(filled.values)}")
        self.calls.append((decision.name, read, min(written, decision.max_output_tokens)))


_NUMBERED = 6
"""Tokens of the number and marks around each verdict of a list."""


def _length(said: BaseModel | None) -> int:
    return estimate_tokens(said.model_dump_json()) if said is not None else 0
