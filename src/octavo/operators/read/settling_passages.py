"""Which passages a reader is shown: those that are likeliest to settle the question, in as much room as it needs.

Owns how passages are weighed against each other and how many are enough. Knows nothing about prompts, or how the
evidence was found.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np
import numpy.typing as npt

from octavo.document import Mask, Query
from octavo.models.language import estimate_tokens
from octavo.operators.core.run import Run
from octavo.operators.extractive.matching import Matcher
from octavo.operators.read.packing import Packed
from octavo.operators.score.contents_pages import signposts
from octavo.question import Expects, understand

ONE_PLACE, SEVERAL = 3_000, 6_000
"""Tokens of passages for a question that one place answers, and for one that needs several."""
_FRAME = 12
"""Tokens around a passage's text."""
_SHARE = 4
"""A passage takes at most this part of a model's context: of a small one the passages are fewer."""
_COMPARED = 80
_PAGE = 0.4
_BESIDE = 0.25
"""What the page's rank counts, and what the best passage of a page does for the others of it."""
_SIGNPOST = 0.5
"""What a page loses that only says where things stand, such as a table of contents."""
_UNCHOSEN = 6
"""Beside what an agent chose, all else takes at most this part of the room."""
_NEXT = 0.25
"""What a passage gains there, of the best one's weight, that stands next to one which was chosen."""
_TINY = 1e-9

Floats = npt.NDArray[np.float64]


def room_for(query: Query, context_tokens: int) -> int:
    """Return how many tokens of passages a question needs, within a quarter of the model's context."""
    return min(SEVERAL if needs_several(query) else ONE_PLACE, context_tokens // _SHARE)


def passage_tokens(packed: Packed) -> int:
    """Return how many tokens of room a passage takes."""
    return estimate_tokens(packed.shown.text) + _FRAME


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


def settling(
    packed: Sequence[Packed],
    using: Run,
    *,
    tokens: int,
    first: Container[int] = (),
    chosen: Container[int] = (),
) -> list[Packed]:
    """Return the passages to show within `tokens`, best first; those with a row of `first` before all others.

    A passage is weighed by what it shares with the question in words and in meaning, by its page's rank, and by the
    best of its page. The less it weighs, the less room may be taken before it: a passage half as good as the best
    comes only into the first half, for a question of several places into all of it. Beside passages with a row of
    `chosen`, which an agent picked, others get a small part of the room, those next to them before their like.
    """
    if not packed:
        return []
    weights = _weights(packed, using)
    is_chosen = np.array([any(row in chosen for row in one.rows) for one in packed])
    is_first = is_chosen | np.array([any(row in first for row in one.rows) for one in packed])
    likely = weights + _NEXT * weights.max() * _beside(packed, is_chosen)
    order: list[int] = np.lexsort((-likely, ~is_first, ~is_chosen)).tolist()
    share = weights / max(float(weights.max()), _TINY)
    if needs_several(using.query):
        share = np.clip(2.0 * share, 0.5, 1.0)
    kept: list[Packed] = []
    taken = spent = 0
    for at in order:
        size = passage_tokens(packed[at])
        if is_first[at]:
            fits = taken + size <= tokens
        elif is_chosen.any():
            fits = spent + size <= min(tokens // _UNCHOSEN, tokens - taken)
        else:
            fits = taken + size <= tokens * share[at]
        if fits or not kept:
            kept.append(packed[at])
            taken += size
            spent += 0 if is_first[at] else size
    return kept


def _beside(packed: Sequence[Packed], chosen: Mask) -> Mask:
    """Return (n_passages,) bool, true for passages right before or after one that was chosen."""
    rows = {row for one, is_chosen in zip(packed, chosen, strict=True) if is_chosen for row in one.rows}
    around = {row + step for row in rows for step in (-1, 1)}
    return np.array([not around.isdisjoint(one.rows) for one in packed])


def _weights(packed: Sequence[Packed], using: Run) -> Floats:
    matcher = Matcher.of(understand(using.query.question), using.view)
    words = np.array(
        [matcher.coverage(matcher.terms(one.shown.text), matcher.terms(one.shown.where)) for one in packed]
    )
    own = words + _meaning(packed, words, using)
    page = np.array([int(using.view.page_index[one.rows[0]]) for one in packed])
    best = np.zeros(int(page.max()) + 1)
    np.maximum.at(best, page, own)
    weights = own + _BESIDE * best[page] + _PAGE * _scaled(np.array([one.score for one in packed]))
    return weights * (1.0 - _SIGNPOST * signposts(using.view)[page])


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
