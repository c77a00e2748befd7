"""What a step of a trace did in a sentence, for people who watch an answer being found.

An operator has its sentence in `sentence`, which is given the step as the trace has it: no run is needed, so that
stored traces are told in the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from octavo.evidence import TraceStep
from octavo_documents.document import number_of

Sentence = Callable[[TraceStep], str | None]
"""Returns a sentence on a step, without a full stop; None for one that says nothing to a layman."""
_BY_RULE = "rule"


def plain(step: TraceStep) -> str | None:
    """Return what any step did: how many places it kept or found."""
    if not step.rows_out or step.rows_out == step.rows_in:
        return None
    return f"Kept {share(step)}" if step.rows_out < step.rows_in else f"Found {places(step.rows_out)}"


def silent(_step: TraceStep) -> None:
    """Return no sentence: for steps that only weigh what others found."""


def always(sentence: str) -> Sentence:
    """Return what says the same of every step."""
    return lambda _step: sentence


def found(sentence: str) -> Sentence:
    """Return what says a sentence with the places a step brought, nothing where it brought none."""
    return lambda step: f"{sentence} ({places(step.rows_out)})" if step.rows_out else None


def kept(sentence: str) -> Sentence:
    """Return what says a sentence with the places a step kept, nothing where it kept all."""
    return lambda step: f"{sentence} ({share(step)})" if 0 < step.rows_out < step.rows_in else None


def places(count: int) -> str:
    """Return a number of places in words."""
    return number_of(count, "place")


def share(step: TraceStep) -> str:
    """Return how many places came out of how many."""
    return f"{step.rows_out:,} of {places(step.rows_in)}"


def read_by(step: TraceStep) -> str:
    """Return what a reader did: who read, of how much, and how many quotes were found in their places."""
    has_model = any(one.parameters["decided_by"] != _BY_RULE for one in _decisions(step))  # the journal's replies too
    read = f"{'Had a model read' if has_model else 'Read'} the passages that fit best, of {places(step.rows_in)}"
    return f"{read}, and found {number_of(step.rows_out, 'quote')} in the text" if step.rows_out else read


def _decisions(step: TraceStep) -> Iterator[TraceStep]:
    for one in step.steps:
        if "decided_by" in one.parameters:
            yield one
        yield from _decisions(one)
