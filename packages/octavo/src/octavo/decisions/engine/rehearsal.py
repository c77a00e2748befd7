"""A judge that asks nobody: it notes what a model would be asked, and has the rules speak for it.

Cost estimates are made of such calls. A call is as long as the prompt would be, and its reply as long as what the rule
says. What a model would say, and what would then be asked about that, cannot be known.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import BaseModel

from octavo.decisions.engine import Context, Decided, Decision, In, Item, ItemsDecision, Out, Verdict
from octavo.decisions.engine.judge import Judge
from octavo.decisions.engine.model_call import fixed_tokens
from octavo.decisions.engine.replies import Batch, split
from octavo.models.language import LanguageModel, estimate_tokens

Call = tuple[str, int, int]
"""A decision's name, input tokens and output tokens."""


class Rehearsal(Judge):
    """Has the models of another judge and calls none; `calls` are those there would be, in order."""

    def __init__(self, judge: Judge, reply_tokens: int | None = None) -> None:
        """Take the judge that would decide; nothing is charged to its budget.

        `reply_tokens` is how long a reply is where the decision has no rule of its own; None: such calls are not noted.
        """
        super().__init__(judge.models, workers=1)
        self.calls: list[Call] = []
        self._reply_tokens = reply_tokens

    def decide(
        self,
        decision: Decision[In, Out],
        value: In,
        *,
        rule: Callable[[In], Out] | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> Decided[Out]:
        """Note the call; what the decision's own rule says counts as the model's word.

        One without a rule is left to nobody: as without a model.
        """
        model = self.model_for(decision.name, decision.role)
        if model is not None and decision.rule is None and self._reply_tokens is not None:
            self._note_call(decision, value, model, self._reply_tokens)
        if model is None or decision.rule is None:
            return Judge().decide(decision, value, rule=rule, on_text=on_text)
        said = decision.rule(value)
        self._note_call(decision, value, model, _length(said))
        return Decided(said, "model")

    def decide_items(
        self, decision: ItemsDecision[Context, Item, Verdict], context: Context, items: Sequence[Item]
    ) -> list[Decided[Verdict]]:
        """Note the calls, several items in each; the rule gives the verdicts."""
        model = self.model_for(decision.name, decision.role)
        if model is None or not items:
            return Judge().decide_items(decision, context, items)
        verdicts = decision.rule(context, items)
        fixed = fixed_tokens(Batch(decision, context, ()).as_decision())
        for group in split(decision, items, model.context_tokens - fixed):
            batch = Batch(decision, context, [items[at] for at in group]).as_decision()
            said = sum(_length(verdicts[at]) + _NUMBERED for at in group)
            self._note_call(batch, None, model, said + _NUMBERED)
        return [Decided(verdict, "model") for verdict in verdicts]

    def _note_call(self, decision: Decision[Any, Any], value: Any, model: LanguageModel, written: int) -> None:
        template = decision.template
        filled = decision.render(value, max(0, model.context_tokens - fixed_tokens(decision)))
        read = estimate_tokens(f"{template.instructions}\n{template.fill(filled.values)}")
        self.calls.append((decision.name, read, min(written, decision.max_output_tokens)))


_NUMBERED = 6
"""Tokens of the number and marks around each verdict of a list."""


def _length(said: BaseModel) -> int:
    return estimate_tokens(said.model_dump_json())
