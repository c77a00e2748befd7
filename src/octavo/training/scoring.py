"""Asking a router about examples.

Owns that a router is measured on its first word: no repair, no rule that stands in. Knows nothing about metrics.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from octavo.decisions.engine.judge import Judge
from octavo.decisions.engine.replies import InvalidReply, parse
from octavo.decisions.route_document import Actions, Routing, from_tags, route_by_scores
from octavo.errors import ModelError
from octavo.models.language import FaultKind, LanguageModel, ModelFault
from octavo.training.example import Example
from octavo.training.prompts import request_for

Router = Callable[[Routing], Actions]
"""Says what to do with a document; Actions() for nothing that can be understood."""
REPLY_TOKENS = 256


def by_rule(routing: Routing) -> Actions:
    """Route as without a model."""
    return route_by_scores(routing)


def by_model(model: LanguageModel, judge: Judge, reply_tokens: int = REPLY_TOKENS) -> Router:
    """Return the router a model is, asked through a judge's gateway and within its budget.

    It raises BudgetError at a cap, and ModelError when the model cannot be had.
    """

    def route(routing: Routing) -> Actions:
        try:
            request, _ = request_for(routing, model.context_tokens)
            asked = dataclasses.replace(request, max_output_tokens=reply_tokens)
            reply = judge.gateway.call(model, asked, judge.budget).reply
        except ModelFault as fault:
            if fault.kind in (FaultKind.UNKNOWN_MODEL, FaultKind.AUTH):
                raise ModelError(f"{model.id}: {fault}") from fault
            return Actions()
        return understood(reply.text, is_cut=reply.finish == "length")

    return route


def understood(text: str, *, is_cut: bool = False) -> Actions:
    """Return the actions in a reply, in tags or JSON; no action where there are none in it."""
    said = from_tags(text)
    if said is not None:
        return said
    try:
        return parse(text, Actions, is_cut=is_cut)
    except InvalidReply:
        return Actions()


def routed(router: Router, examples: Sequence[Example], advance: Callable[[], None] | None = None) -> list[Actions]:
    """Return what a router does for each example; `advance` is called after each."""
    found: list[Actions] = []
    for one in examples:
        found.append(router(one.routing))
        if advance:
            advance()
    return found
