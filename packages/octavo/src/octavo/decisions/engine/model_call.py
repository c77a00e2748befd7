"""One decision asked of a model through the gateway: its reply is read, sent back once to be repaired, or given up."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable

from octavo.decisions.engine import (
    SETTING_FAULTS,
    By,
    Decided,
    Decision,
    DecisionFailure,
    In,
    Out,
    usage_of,
)
from octavo.decisions.engine.replies import InvalidReply, parse, schema_of
from octavo.errors import BudgetError, ModelError
from octavo.evidence import Usage
from octavo.models.gateway import Budget, Gateway, Settled, Spend, input_tokens
from octavo.models.language import FaultKind, LanguageModel, ModelFault, Request, Turn, estimate_tokens

_LEAST_ROOM = 256
_THOUGHTS = 4096
"""Tokens for thoughts that a model cannot be asked to leave out; what it does not use is not paid."""
_OVERHEAD = 64
_REPAIR = "{error}\n\nGive the corrected JSON object only."


def fixed_tokens(decision: Decision[In, Out]) -> int:
    """Return the tokens that a call takes beside its material: instructions, schema, and the longest reply."""
    said = estimate_tokens(decision.template.instructions) + estimate_tokens(schema_of(decision.output))
    return said + decision.max_output_tokens


def request_of(decision: Decision[In, Out], value: In, context_tokens: int) -> tuple[Request, int]:
    """Return the first request a model of so much context gets, and how many parts of the input did not fit.

    Raises ModelFault (`CONTEXT`) where the context has no room for the decision at all.
    """
    room = context_tokens - fixed_tokens(decision) - _OVERHEAD
    if room < _LEAST_ROOM:
        raise ModelFault(FaultKind.CONTEXT, f"a context of {context_tokens} tokens leaves no room for {decision.name}")
    filled = decision.render(value, room)
    request = Request(
        decision=decision.name,
        version=decision.version,
        instructions=decision.template.instructions,
        turns=(Turn("user", decision.template.fill(filled.values), filled.pictures),),
        schema="" if decision.is_plain else schema_of(decision.output),
        max_output_tokens=decision.max_output_tokens,
        lines=decision.lines(value) if decision.lines else (),
    )
    return request, filled.left_out


@dataclasses.dataclass(frozen=True)
class ModelCall:
    """A model, and everything a call to it passes through."""

    model: LanguageModel
    gateway: Gateway
    budget: Budget
    cancel: threading.Event
    on_text: Callable[[str], None] | None = None

    def ask(self, decision: Decision[In, Out], value: In) -> Decided[Out] | DecisionFailure:
        """Return the model's output, or why there is none. Raises ModelError when the key or the model is refused."""
        taken = _Taken()
        try:
            request, left_out = request_of(decision, value, self.model.context_tokens)
            output = self._converse(decision, value, request, taken)
        except BudgetError as error:
            return DecisionFailure(str(error), taken.usage, failed=taken.failures)
        except InvalidReply as error:
            why = f"the model's output stayed invalid: {_short(error)}"
            return DecisionFailure(why, taken.usage, failed=taken.failures, replied=True)
        except ModelFault as fault:
            if fault.kind in SETTING_FAULTS:
                raise ModelError(f"{self.model.id}: {fault}") from fault
            return DecisionFailure(f"{fault.kind.value}: {fault}", taken.usage, fault.kind.is_transient, taken.failures)
        chance = taken.settled[-1].reply.chance
        return Decided(output, taken.by, left_out=left_out, usage=taken.usage, failed=taken.failures, chance=chance)

    def _converse(self, decision: Decision[In, Out], value: In, request: Request, taken: _Taken) -> Out:
        """Return the model's output; what is invalid is sent back once with what is wrong with it.

        A reply that was cut before its first word went into the model's thoughts: it is asked for anew, with more room.
        """
        settled = self._call(request, taken)
        if settled.reply.finish == "length" and not settled.reply.text.strip():
            more = dataclasses.replace(request, max_output_tokens=request.max_output_tokens + self._spare(request))
            return _read(decision, value, self._call(more, taken))
        try:
            return _read(decision, value, settled)
        except InvalidReply as error:
            if decision.is_plain:  # what it says to a complaint tells nothing of how sure it was
                raise
            reply = Turn("assistant", settled.reply.text[: request.max_output_tokens * 8])
            turns = (*request.turns, reply, Turn("user", _REPAIR.format(error=error)))
            again = self._call(dataclasses.replace(request, turns=turns), taken)
            return _read(decision, value, again)

    def _spare(self, request: Request) -> int:
        """Return how many tokens a model may think before it replies: what its context has room for."""
        return max(0, min(_THOUGHTS, self.model.context_tokens - input_tokens(request) - request.max_output_tokens))

    def _call(self, request: Request, taken: _Taken) -> Settled:
        settled = self.gateway.call(
            self.model,
            request,
            self.budget,
            on_text=self.on_text,
            cancel=self.cancel,
            on_failed=taken.failed.append,
        )
        taken.settled.append(settled)
        if not settled.is_cached:
            taken.pictures.append(sum(len(turn.pictures) for turn in request.turns))
        return settled


@dataclasses.dataclass(frozen=True, slots=True)
class _Taken:
    """What one decision took so far."""

    settled: list[Settled] = dataclasses.field(default_factory=list[Settled])
    failed: list[Spend] = dataclasses.field(default_factory=list[Spend])
    pictures: list[int] = dataclasses.field(default_factory=list[int])
    """How many each reply was given for."""

    @property
    def usage(self) -> Usage:
        return dataclasses.replace(usage_of(self.settled, self.failed), pictures=sum(self.pictures))

    @property
    def failures(self) -> int:
        return sum(one.calls for one in self.failed)

    @property
    def by(self) -> By:
        return "cache" if all(one.is_cached for one in self.settled) else "model"


def _short(error: InvalidReply) -> str:
    """Return the first thing that is wrong, in one line."""
    head, _, rest = str(error).partition("\n")
    first = rest.partition("\n")[0].strip(" -")
    return f"{head} {first}".strip()


def _read(decision: Decision[In, Out], value: In, settled: Settled) -> Out:
    """Return the checked output of a reply; raise InvalidReply, or ModelFault for a refusal."""
    if settled.reply.finish == "refusal":
        raise ModelFault(FaultKind.REFUSED, "the model refused")
    is_cut = settled.reply.finish == "length"
    if is_cut and decision.is_plain:
        raise InvalidReply("The reply was cut off.")
    output = parse(settled.reply.text, decision.output, is_cut=is_cut, read=decision.read)
    if decision.check is None:
        return output
    try:
        return decision.check(value, output)
    except ValueError as error:
        raise InvalidReply(str(error)) from error
