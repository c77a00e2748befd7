"""Short texts that stand for pages, sections, elements and clusters; several parts in one call.

The rule takes the sentences nearest to the centre of a text, in their order, under its heading path: each is scored by
the cosine of its term counts with those of the whole, as in centroid-based summarisation, early ones a little more, and
one that repeats another is passed over.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Sequence

from pydantic import BaseModel, Field, field_validator

from octavo.decisions.engine import ItemsDecision, Template, inert
from octavo_documents.text.analyzer import analyze, sentence_spans
from octavo_documents.text.lines import on_one_line

LONGEST_SUMMARY = 800
"""Characters; a longer one is no summary."""
_SENTENCES = 2
_LONGEST_SENTENCE = 260
"""Characters of a sentence that are kept."""
_LEAST_TERMS = 3
_READ = 200
"""Sentences looked at, the first ones."""
_FIRST = 0.15
"""What the first sentence gains; later ones gain less, none after the tenth."""
_SAME = 0.8
"""Cosine from which a sentence repeats another."""


@dataclasses.dataclass(frozen=True, slots=True)
class SummaryContext:
    """The document the parts belong to: its title or name."""

    document: str


@dataclasses.dataclass(frozen=True, slots=True)
class SummaryPart:
    """What is summed up: `where` is its heading path or page, `text` what stands there."""

    kind: str
    where: str
    text: str


class PartSummary(BaseModel):
    """One or two sentences."""

    summary: str = Field(min_length=1, max_length=4 * LONGEST_SUMMARY)

    @field_validator("summary")
    @classmethod
    def _one_line(cls, value: str) -> str:
        return on_one_line(value)[:LONGEST_SUMMARY]


def _context(context: SummaryContext) -> dict[str, str]:
    return {"document": inert(context.document)}


def _item(item: SummaryPart) -> str:
    return f"({item.kind}; {item.where})\n{item.text}" if item.where else f"({item.kind})\n{item.text}"


def _rule(_context: SummaryContext, items: Sequence[SummaryPart]) -> list[PartSummary]:
    return [PartSummary(summary=central_summary(item.where, item.text) or item.kind) for item in items]


def central_summary(where: str, text: str) -> str:
    """Return the path and the most central sentences of a text; the path alone when there is none."""
    chosen = _central(text)
    body = " ".join(
        one if len(one) <= _LONGEST_SENTENCE else one[: _LONGEST_SENTENCE - 1].rsplit(" ", 1)[0] + "…" for one in chosen
    )
    return ": ".join(part for part in (where, body) if part)


def in_one_sentence(text: str) -> str:
    """Return the sentence that stands for a text best, cut at 260 characters; "" for a text without words."""
    best = next(iter(_central(text, most=1)), "")
    return best if len(best) <= _LONGEST_SENTENCE else best[: _LONGEST_SENTENCE - 1].rsplit(" ", 1)[0] + "…"


def _central(text: str, *, most: int = _SENTENCES) -> list[str]:
    """Return the sentences that stand for a text best, in their order."""
    found = [on_one_line(text[start:stop]) for start, stop in sentence_spans(text)][:_READ]
    terms = [Counter(analyze(one)) for one in found]
    whole = Counter[str]()
    for own in terms:
        whole.update(own)
    length = _length(whole)
    scores = [
        _cosine(own, whole, length) + _FIRST * max(0.0, 1 - at / 10) if _is_worded(own) else -1.0
        for at, own in enumerate(terms)
    ]
    chosen: list[int] = []
    for at in sorted(range(len(found)), key=lambda one: (-scores[one], one)):
        if len(chosen) == most or scores[at] < 0:
            break
        if all(_cosine(terms[at], terms[other], _length(terms[other])) < _SAME for other in chosen):
            chosen.append(at)
    return [found[at] for at in sorted(chosen)] or found[:1]


def _is_worded(terms: Counter[str]) -> bool:
    """Return whether a text is a sentence, and no row of numbers and no word or two."""
    return sum(1 for term in terms if not term[0].isdigit()) >= _LEAST_TERMS


def _cosine(left: Counter[str], right: Counter[str], right_length: float) -> float:
    shared = sum(count * right[term] for term, count in left.items())
    return shared / (_length(left) * right_length) if shared else 0.0


def _length(terms: Counter[str]) -> float:
    return math.sqrt(sum(count * count for count in terms.values()))


SUMMARIZE: ItemsDecision[SummaryContext, SummaryPart, PartSummary] = ItemsDecision(
    name="summarize",
    version="1",
    template=Template.beside(__file__),
    verdict=PartSummary,
    render_context=_context,
    render_item=_item,
    rule=_rule,
    per_call=6,
    item_tokens=1200,
    verdict_tokens=110,
)
