"""Which passages a reader is shown: those that are likeliest to settle the question, in as much room as it needs.

Owns how passages are weighed against each other and how many are enough. Knows nothing about prompts, or how the
evidence was found.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np
import numpy.typing as npt

from octavo.document import Query
from octavo.models.language import estimate_tokens
from octavo.operators.core.run import Run
from octavo.operators.extractive.matching import Matcher
from octavo.operators.read.packing import Packed
from octavo.question import Expects, understand

ONE_PLACE, SEVERAL = 3_000, 6_000
"""Tokens of passages for a question that one place answers, and for one that needs several."""
_SHARE = 4
"""A passage takes at most this part of a model's context: of a small one the passages are fewer."""
_COMPARED = 80
_PAGE = 0.4
_BESIDE = 0.25
"""What the page's rank counts, and what the best passage of a page does for the others of it."""
_NEAR = 0.4
"""Of one place passages that weigh less than this part of the best get half the room: they might have to do with it."""

Floats = npt.NDArray[np.float64]


def room_for(query: Query, context_tokens: int) -> int:
    """Return how many tokens of passages a question needs, within a quarter of the model's context."""
    return min(SEVERAL if needs_several(query) else ONE_PLACE, context_tokens // _SHARE)


def needs_several(query: Query) -> bool:
    """Tell whether a question needs more than one place: it counts, lists, compares, sums up."""
    question = understand(query.question)
    if question.names_one_place:
        return False
    return (
        len(query.sub_questions) > 1
        or question.goes_through_all
        or question.expects is Expects.LIST
        or len(question.parts) > 1
    )


def settling(packed: Sequence[Packed], using: Run, *, tokens: int, first: Container[int] = ()) -> list[Packed]:
    """Return the passages to show within `tokens`, best first; those with a row of `first` before all others.

    A passage is weighed by what it shares with the question in words and in meaning, by its page's rank, and by the
    best of its page.
    """
    if not packed:
        return []
    weights = _weights(packed, using)
    chosen = np.array([any(row in first for row in one.rows) for one in packed])
    order: list[int] = np.lexsort((-weights, ~chosen)).tolist()
    kept: list[Packed] = []
    left, spared = tokens, 0 if needs_several(using.query) else tokens // 2
    for at in order:
        size = estimate_tokens(packed[at].shown.text) + 12
        is_likely = bool(chosen[at]) or weights[at] >= _NEAR * weights.max()
        if not kept or size <= left - (0 if is_likely else spared):
            kept.append(packed[at])
            left -= size
    return kept


def _weights(packed: Sequence[Packed], using: Run) -> Floats:
    matcher = Matcher.of(understand(using.query.question), using.view)
    words = np.array(
        [matcher.coverage(matcher.terms(one.shown.text), matcher.terms(one.shown.where)) for one in packed]
    )
    own = words + _meaning(packed, words, using)
    page = np.array([int(using.view.page_index[one.rows[0]]) for one in packed])
    best = np.zeros(int(page.max()) + 1)
    np.maximum.at(best, page, own)
    return own + _BESIDE * best[page] + _PAGE * _scaled(np.array([one.score for one in packed]))


def _meaning(packed: Sequence[Packed], words: Floats, using: Run) -> Floats:
    """Return how near each passage is to the question in meaning; 0 for those that share least with it in words."""
    found = np.zeros(len(packed))
    likely = np.argsort(-words, kind="stable")[:_COMPARED]
    places: list[int] = likely.tolist()
    texts = [f"{packed[at].shown.where}\n{packed[at].shown.text}" for at in places]
    vectors = using.vectors([using.query.question, *texts])
    found[likely] = vectors[1:] @ vectors[0]
    return found


def _scaled(scores: Floats) -> Floats:
    low, high = float(scores.min()), float(scores.max())
    return (scores - low) / (high - low) if high > low else np.ones(len(scores))
