"""From what a corpus answers to a response that can be kept and scored, and what its trace tells of models that failed.

Citations are checked here against the blocks they cite.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from octavo.document import Answer, Citation, Evidence, Passage, Result, TraceStep, View
from octavo.evaluation.metrics.base import RANKED
from octavo.evaluation.question import CheckedCitation, PageScore, Response, ShownPassage
from octavo.models.language import FaultKind

KEPT_BLOCKS = 300
GIVEN_UP = "given up"
_FAULTS = {kind.value for kind in FaultKind}
_SKIPPED = "skipped"
"""Begins the reason of a step that had no model to ask."""
_UNREACHED = frozenset(
    {
        GIVEN_UP,
        FaultKind.RATE_LIMIT.value,
        FaultKind.OVERLOADED.value,
        FaultKind.SERVER.value,
        FaultKind.CONNECTION.value,
        FaultKind.TIMEOUT.value,
    }
)
"""Kinds that say nothing about the question: the model may well answer it another time."""


def response_of(answer: Answer, ranked: Sequence[Result]) -> Response:
    """Return what is kept of an answer; `ranked` are searches for more pages, each going on where those before end."""
    pages = _pages(answer.evidence, answer.by)
    rest = (page for result in ranked for page in _pages(result.evidence, result.by))
    ranking = dict.fromkeys((page.document, page.page) for page in (*pages, *rest))
    return Response(
        pages=pages,
        ranking=tuple(ranking)[:RANKED],
        blocks=_blocks(answer.evidence, answer.by),
        outcome=answer.outcome,
        answer=answer.text,
        value=answer.value,
        passages=tuple(map(_shown, answer.passages)),
        citations=tuple(_checked(cited, answer.evidence.view) for cited in answer.citations),
        usage=dataclasses.asdict(answer.usage),
        decided_by=dict(answer.decided_by),
        trace=tuple(map(_step, answer.trace)),
        stopped=answer.stopped,
    )


def _pages(evidence: Evidence, by: str) -> tuple[PageScore, ...]:
    documents = evidence.view.documents
    return tuple(
        PageScore(documents[hit.document].name, hit.page, round(hit.score, 6) if math.isfinite(hit.score) else 0.0)
        for hit in (evidence.pages(by) if len(evidence) else ())
    )


def _blocks(evidence: Evidence, by: str) -> tuple[tuple[str, str], ...]:
    view = evidence.view
    rows = evidence.ranked(by)[:KEPT_BLOCKS] if len(evidence) else ()
    return tuple((view.documents[int(view.document[row])].id, view.block_id(int(row))) for row in rows)


def _shown(passage: Passage) -> ShownPassage:
    return ShownPassage(
        passage.document, passage.page, passage.block, passage.kind, passage.text, round(float(passage.score), 6)
    )


def _checked(cited: Citation, view: View) -> CheckedCitation:
    text = next(
        (block_text(view, at, cited.block) for at, it in enumerate(view.documents) if it.id == cited.document_id), ""
    )
    verbatim = bool(cited.quote) and cited.quote in text
    return CheckedCitation(cited.document, cited.page, cited.block, cited.quote, verbatim)


def block_text(view: View, document: int, block: str) -> str:
    """Return the text of a block by its id ("b12"), empty for one that the document does not have."""
    blocks, row = view.documents[document].blocks, block.removeprefix("b")
    return blocks.text[int(row)] if row.isdecimal() and int(row) < len(blocks) else ""


def _step(step: TraceStep) -> dict[str, Any]:
    """Return a step as it is kept: the same before and after it was written as JSON."""
    flat = dataclasses.asdict(dataclasses.replace(step, steps=()))
    return {**flat, "parameters": _plain(step.parameters), "steps": [_step(inner) for inner in step.steps]}


def _plain(parameters: dict[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in parameters.items()}


def rule_fallbacks(response: Response) -> Counter[str]:
    """Return how often a rule stood in, by why: a kind of fault, "given up" after several, or "unusable reply"."""
    return Counter(_reason(why) for why in _whys(response.trace))


def is_unreached(response: Response) -> bool:
    """Whether a model could not be reached for some of an answer, so that it is worth asking again."""
    return not _UNREACHED.isdisjoint(rule_fallbacks(response))


def stood_in(responses: Iterable[Response]) -> dict[str, Any]:
    """Return how many questions a rule stood in for a model at, and the decisions by why."""
    of_each = [rule_fallbacks(response) for response in responses]
    return {"questions": sum(bool(found) for found in of_each), "why": dict(sum(of_each, Counter[str]()))}


def _whys(trace: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for step in trace:
        why = str(step["parameters"].get("why", ""))
        if step["parameters"].get("decided_by") == "rule" and why and not why.startswith(_SKIPPED):
            yield why
        yield from _whys(step.get("steps", ()))


def _reason(why: str) -> str:
    if "times in a row" in why:
        return GIVEN_UP
    first = why.partition(":")[0]
    return first if first in _FAULTS else "unusable reply"
