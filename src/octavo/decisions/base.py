"""What a decision is: a question to a model with a typed input, a prompt, a typed output, and a rule.

Owns the declaration of decisions and what comes back from one. Knows nothing about how a model is called.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from octavo.decisions.template import Template
from octavo.document import Usage
from octavo.errors import OctavoError
from octavo.models.language import Picture

if TYPE_CHECKING:
    from pydantic import BaseModel

In = TypeVar("In")
Out = TypeVar("Out", bound="BaseModel")
Context = TypeVar("Context")
Item = TypeVar("Item")
Verdict = TypeVar("Verdict", bound="BaseModel")

By = Literal["model", "cache", "rule"]
ModelRole = Literal["language", "vision"]


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
    pictures: Callable[[Item], tuple[Picture, ...]] | None = None
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
