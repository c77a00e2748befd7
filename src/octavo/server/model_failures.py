"""What became of models in an answer: where one failed, why, in words for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from octavo.document import TraceStep

_RULE = "rule"
_WHY = {
    "connection": "The connection to the model broke",
    "timeout": "The model took too long",
    "rate limit": "The provider of the model took no more calls",
    "overloaded": "The model's server had too much to do",
    "server error": "The model's server failed",
    "malformed reply": "The model's reply was cut short or could not be read",
    "empty reply": "The model's reply was empty",
    "input too long": "The question and its passages were too long for the model",
    "refused": "The model refused to answer",
}
"""Sentences for kinds of faults, as `FaultKind` names them."""
_LEFT_ALONE = "is not asked again"
_OTHERWISE = "The model's replies could not be used"


def model_failures(trace: Iterable[TraceStep]) -> list[str]:
    """Return why rules decided what models were asked for, a sentence for each kind of failure, in order."""
    return [*dict.fromkeys(sentence for step in _decided(trace) if (sentence := _sentence(step)))]


def _sentence(step: TraceStep) -> str | None:
    why = str(step.parameters.get("why", ""))
    if why.endswith(_LEFT_ALONE):
        return "The model failed again and again, and is left alone for now"
    return _WHY.get(why.partition(":")[0], _OTHERWISE if step.parameters.get("failed") else None)


def _decided(trace: Iterable[TraceStep]) -> Iterator[TraceStep]:
    """Yield decisions that rules took."""
    for step in trace:
        if step.parameters.get("decided_by") == _RULE:
            yield step
        yield from _decided(step.steps)
