"""Where a rule stood in for a model that was asked and gave nothing usable, as the traces of responses tell.

Owns the reading of reasons out of traces. Knows nothing about scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from octavo.evaluation.question import Response
from octavo.models.language import FaultKind

GIVEN_UP = "given up"
_KINDS = {kind.value for kind in FaultKind}
_SKIPPED = "skipped"
"""Begins the reason of a step that had no model to ask."""
_UNREACHED = frozenset(
    {
        GIVEN_UP,
        *(
            kind.value
            for kind in (
                FaultKind.RATE_LIMIT,
                FaultKind.OVERLOADED,
                FaultKind.SERVER,
                FaultKind.CONNECTION,
                FaultKind.TIMEOUT,
            )
        ),
    }
)
"""Kinds that say nothing about the question: the model may well answer it another time."""


def kinds(response: Response) -> Counter[str]:
    """Return how often a rule stood in, by why: a kind of fault, "given up" after several, or "unusable reply"."""
    return Counter(_kind(why) for why in _reasons(response.trace))


def is_unreached(response: Response) -> bool:
    """Whether a model could not be reached for some of an answer, so that it is worth asking again."""
    return not _UNREACHED.isdisjoint(kinds(response))


def stood_in(responses: Iterable[Response]) -> dict[str, Any]:
    """Return how many questions a rule stood in for a model at, and the decisions by why."""
    of_each = [kinds(response) for response in responses]
    return {"questions": sum(bool(found) for found in of_each), "why": dict(sum(of_each, Counter[str]()))}


def _reasons(trace: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for step in trace:
        why = str(step["parameters"].get("why", ""))
        if step["parameters"].get("decided_by") == "rule" and why and not why.startswith(_SKIPPED):
            yield why
        yield from _reasons(step.get("steps", ()))


def _kind(why: str) -> str:
    if "times in a row" in why:
        return GIVEN_UP
    first = why.partition(":")[0]
    return first if first in _KINDS else "unusable reply"
