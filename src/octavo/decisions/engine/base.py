"""What a decision is, and what comes back from one: the output, who decided, and what the calls took."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from octavo.decisions.engine.prompt import Template
from octavo.document import Usage
from octavo.errors import OctavoError
from octavo.models.language import FaultKind, Picture

if TYPE_CHECKING:
    from pydantic import BaseModel

    from octavo.models.gateway import Settled, Spend

In = TypeVar("In")
Out = TypeVar("Out", bound="BaseModel")
Context = TypeVar("Context")
Item = TypeVar("Item")
Verdict = TypeVar("Verdict", bound="BaseModel")

By = Literal["model", "cache", "rule"]
ModelRole = Literal["language", "vision"]

SETTING_FAULTS = frozenset({FaultKind.AUTH, FaultKind.UNKNOWN_MODEL})
"""Faults that only who set up the model can mend: they are raised, and no rule decides instead."""


@dataclasses.dataclass(frozen=True, slots=True)
class Filled:
    """What a decision puts into its template. `left_out` counts the parts of the input that did not fit."""

    values: dict[str, str]
    pictures: tuple[Picture, ...] = ()
    left_out: int = 0


@dataclasses.dataclass(frozen=True)
class Decision(Generic[In, Out]):
    """A judgement about one input.

    `render` gets the input and how many tokens there is room for, and trims by its own stated rule; `rule` decides
    without a model; `check` compares an output with its input: it returns it, mended where that is plain, or raises
    ValueError with a message that the model is shown once. `read` is tried on a reply before it is taken for JSON: it
    returns None for a reply that is not of the decision's own format. `version` changes with the prompt.
    """

    name: str
    version: str
    template: Template
    output: type[Out]
    render: Callable[[In, int], Filled]
    rule: Callable[[In], Out] | None = None
    check: Callable[[In, Out], Out] | None = None
    read: Callable[[str], Out | None] | None = None
    role: ModelRole = "language"
    max_output_tokens: int = 512


@dataclasses.dataclass(frozen=True)
class ItemsDecision(Generic[Context, Item, Verdict]):
    """The same judgement about many small items, several in a call.

    The template has a place `$items`; the others are filled by `render_context`. An item is shown as the text that
    `render_item` gives, under a number of its own; verdicts come back under these numbers, and items without one are
    asked about again once. `rule` returns a verdict for each item. An item longer than `item_tokens` is trimmed.
    """

    name: str
    version: str
    template: Template
    verdict: type[Verdict]
    render_context: Callable[[Context], dict[str, str]]
    render_item: Callable[[Item], str]
    rule: Callable[[Context, Sequence[Item]], list[Verdict]]
    per_call: int = 10
    item_tokens: int = 600
    verdict_tokens: int = 60
    role: ModelRole = "language"


@dataclasses.dataclass(frozen=True, slots=True)
class Decided(Generic[Out]):
    """An output and who decided. `why` says why a rule did although a model was there; "" when that needs no word."""

    output: Out
    by: By
    why: str = ""
    left_out: int = 0
    """Parts of the input that did not fit the model's context."""
    usage: Usage = dataclasses.field(default_factory=Usage)
    failed: int = 0
    """Attempts that brought no reply and may have been billed."""
    replied: bool = False
    """Whether a model did reply where the rule decided: with nothing that could be taken."""


@dataclasses.dataclass(frozen=True, slots=True)
class DecisionRecord:
    """What a decision took, for traces and reports."""

    name: str
    by: By
    why: str = ""
    left_out: int = 0
    usage: Usage = dataclasses.field(default_factory=Usage)
    failed: int = 0
    """Attempts that brought no reply and may have been billed."""


@dataclasses.dataclass(frozen=True, slots=True)
class Failure:
    """Why the model did not decide, and what was spent on it."""

    why: str
    usage: Usage
    is_unreachable: bool = False
    """Whether the fault lies with the provider or the way there, and not with this input."""
    failed: int = 0
    replied: bool = False
    """Whether there was a reply, with nothing that could be taken."""


class Undecided(OctavoError):
    """No model gave a valid output and the decision has no rule."""


def usage_of(taken: Sequence[Settled], failed: Sequence[Spend] = ()) -> Usage:
    """Return what calls took together: a cached one nothing, `failed` attempts what they may have been billed."""
    paid = [Usage(cached_calls=1) if one.is_cached else _paid(one) for one in taken]
    return total([*paid, *(Usage(one.calls, one.input_tokens, one.output_tokens, cost=one.cost) for one in failed)])


def _paid(settled: Settled) -> Usage:
    return Usage(
        calls=1,
        input_tokens=settled.reply.input_tokens,
        output_tokens=settled.reply.output_tokens,
        seconds=settled.seconds,
        cost=settled.cost,
    )


def total(usages: Sequence[Usage]) -> Usage:
    """Return the sum. The cost is None when no calls were made, or the price of one is not known."""
    paid = [usage for usage in usages if usage.calls]
    is_priced = bool(paid) and all(usage.cost is not None for usage in paid)
    return Usage(
        calls=sum(usage.calls for usage in usages),
        input_tokens=sum(usage.input_tokens for usage in usages),
        output_tokens=sum(usage.output_tokens for usage in usages),
        cached_calls=sum(usage.cached_calls for usage in usages),
        seconds=sum(usage.seconds for usage in usages),
        cost=sum(usage.cost or 0.0 for usage in paid) if is_priced else None,
    )
