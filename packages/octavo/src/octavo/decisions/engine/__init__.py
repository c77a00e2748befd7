"""How a decision is taken: the model is asked through the gateway and its reply read, else the rule decides.

Here is what a decision is, with the prompt it is filled into, and what comes back: the output, who decided, what it
took.

A prompt is instructions that never change, a line of three dashes, and the input with `$names` to fill. What is filled
in is never read as a template again. Material is cut at a sentence end, the texts kept that fit, or the room shared
fairly; a mark or a count says how much is missing.
"""

from __future__ import annotations

import dataclasses
import re
import string
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar

from octavo.errors import OctavoError
from octavo.evidence import Usage
from octavo.models.language import FaultKind, Picture, estimate_tokens

if TYPE_CHECKING:
    from pydantic import BaseModel

    from octavo.models.gateway import Settled, Spend


_TAG = re.compile(r"<(?=/?[A-Za-z]|\s*/\s*[A-Za-z])")
_SMUGGLED = re.compile("[\u202a-\u202e\u2066-\u2069\U000e0000-\U000e0fff]")
"""Tags and selectors that spell words without a form, and what turns a line round."""
_SEPARATOR = "\n---\n"
_PREAMBLE = Path(__file__).parent / "preamble.md"
_SENTENCE_END = re.compile(r"[.!?。！？]['\")\]]*\s")
_MARK = "\n[... {words} words left out here ...]"
_MARK_TOKENS = 16


def inert(text: str) -> str:
    """Return material without anything that looks like one of our tags: it cannot end the place it stands in.

    Letters that nobody sees and that models read all the same are left out; a quote never needs them.
    """
    return _TAG.sub("\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", _SMUGGLED.sub("", text))


@dataclasses.dataclass(frozen=True, slots=True)
class Template:
    """A prompt: `instructions` are the stable prefix of every call, `body` is what a call adds."""

    instructions: str
    body: string.Template

    @classmethod
    def beside(cls, module_file: str, *, is_bare: bool = False) -> Template:
        """Return the template beside a module, of its name; a package's is `prompt.md`. Pass `__file__`.

        Instructions begin with what holds for every decision, but for those of a bare one.
        """
        path = Path(module_file)
        beside = path.with_name("prompt.md") if path.stem == "__init__" else path.with_suffix(".md")
        return _load(beside, is_bare=is_bare)

    @property
    def names(self) -> frozenset[str]:
        """Return what must be filled in."""
        return frozenset(self.body.get_identifiers())

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the body with every name filled. Raises KeyError for a missing name, ValueError for a needless one."""
        needless = values.keys() - self.names
        if needless:
            raise ValueError(f"the prompt has no place for {', '.join(sorted(needless))}")
        return self.body.substitute(values).strip()


@cache
def _load(path: Path, *, is_bare: bool) -> Template:
    text = path.read_text(encoding="utf-8")
    instructions, separator, body = text.partition(_SEPARATOR)
    if not separator:
        raise ValueError(f"{path} has no line of three dashes between instructions and input")
    preamble = "" if is_bare else _PREAMBLE.read_text(encoding="utf-8")
    return Template(f"{preamble.strip()}\n\n{instructions.strip()}".strip(), string.Template(body.strip()))


def shorten(text: str, tokens: int) -> tuple[str, int]:
    """Return the text, cut to at most `tokens` at the last sentence end (else word end) that fits, and the words cut.

    A cut text ends with a mark that says how many words are missing; 0 means the text is whole.
    """
    if estimate_tokens(text) <= tokens:
        return text, 0
    room = max(0, tokens - _MARK_TOKENS) * 3
    head = text.encode("utf-8", "surrogatepass")[:room].decode("utf-8", "ignore")
    ends = [found.end() for found in _SENTENCE_END.finditer(head)]
    at = ends[-1] if ends and ends[-1] > len(head) // 2 else head.rfind(" ") + 1
    kept = head[:at].rstrip() if at > 0 else head
    words = max(1, len(text[len(kept) :].split()))
    return kept + _MARK.format(words=words), words


def first_that_fit(texts: Sequence[str], tokens: int) -> tuple[list[str], int]:
    """Return the longest run of first texts that fits, and how many texts were left out.

    Texts come best first. When not even the first fits it is shortened, so that there is always something to judge.
    """
    kept: list[str] = []
    room = tokens
    for text in texts:
        size = estimate_tokens(text) + 1
        if size > room:
            break
        kept.append(text)
        room -= size
    if not kept and texts:
        kept.append(shorten(texts[0], tokens)[0])
    return kept, len(texts) - len(kept)


def share(texts: Sequence[str], tokens: int) -> tuple[list[str], int]:
    """Return all texts, the longest ones shortened to a common length, and how many were shortened.

    Short texts stay whole and leave their room to the long ones.
    """
    sizes = sorted(estimate_tokens(text) for text in texts)
    room, cap = tokens, tokens
    for at, size in enumerate(sizes):
        cap = room // (len(sizes) - at)
        if size > cap:
            break
        room -= size
    fitted = [shorten(text, cap) for text in texts]
    return [text for text, _ in fitted], sum(1 for _, cut in fitted if cut)


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


class HasQuestion(Protocol):
    """An input with a question."""

    @property
    def question(self) -> str:
        """The question in its words."""
        ...


def question_alone(value: HasQuestion, tokens: int) -> Filled:
    """Return what a decision puts in that is shown the question and nothing else."""
    question, cut = shorten(value.question, tokens)
    return Filled({"question": inert(question)}, left_out=int(bool(cut)))


@dataclasses.dataclass(frozen=True)
class Decision(Generic[In, Out]):
    """A judgement about one input.

    `render` gets the input and how many tokens there is room for, and trims by its own stated rule; `rule` decides
    without a model; `check` compares an output with its input: it returns it, mended where that is plain, or raises
    ValueError with a message that the model is shown once. `read` is tried on a reply before it is taken for JSON: it
    returns None for a reply that is not of the decision's own format, whose lines may begin as `lines` says. With
    `is_plain` no JSON is asked for, and `read` takes any reply. `version` changes with the prompt. One that `finds`
    makes a question whole, says which evidence is found, or puts together what was read: small models are left out.
    """

    name: str
    version: str
    template: Template
    output: type[Out]
    render: Callable[[In, int], Filled]
    rule: Callable[[In], Out] | None = None
    check: Callable[[In, Out], Out] | None = None
    read: Callable[[str], Out | None] | None = None
    lines: Callable[[In], tuple[str, ...]] | None = None
    is_plain: bool = False
    role: ModelRole = "language"
    max_output_tokens: int = 512
    finds: bool = False


@dataclasses.dataclass(frozen=True)
class ItemsDecision(Generic[Context, Item, Verdict]):
    """The same judgement about many small items, several in a call.

    The template has a place `$items`; the others are filled by `render_context`. An item is shown as the text that
    `render_item` gives, under a number of its own; verdicts come back under these numbers, and items without one are
    asked about again once. `rule` returns a verdict for each item. An item longer than `item_tokens` is trimmed.
    `picture_of` gives the picture that goes with an item, None for one without. `finds` as in `Decision`.
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
    picture_of: Callable[[Item], Picture | None] | None = None
    finds: bool = False


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
    chance: float | None = None
    """The probability (0..1) that the model gave the first token of a plain reply; None where it tells none."""


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
class DecisionFailure:
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
        pictures=sum(usage.pictures for usage in usages),
    )
