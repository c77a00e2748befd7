"""The places that are read before all others because a model chose their pages over the map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from octavo.document import Evidence
from octavo.operators.score.refer import NAMED
from octavo.question import understand
from octavo.text.overlap import coverages

_MOST = 4
"""Pages that are sure to be read."""
_FEW_WORDS = 12


def read_first(value: Evidence, pages: Sequence[int], wanted: str) -> Evidence:
    """Return the evidence with a block of each of the first four page indices as if it was named by the question.

    It is the one that says most of what is wanted. Readers show what is named before all else.
    """
    terms = understand(wanted).terms
    on = value.view.page_index[value.rows]
    texts = [value.view.blocks.text[row] for row in value.rows.tolist()]
    shares = np.array(coverages(terms, texts))
    named = value.scores.get(NAMED, np.full(len(value), np.nan)).copy()
    for page in pages[:_MOST]:
        own = [at for at in np.flatnonzero(on == page).tolist() if texts[at].strip()]
        if own:
            named[max(own, key=lambda at: (shares[at], -at))] = 1.0
    return value.with_score(NAMED, named)


def hardly_in_words(value: Evidence) -> list[int]:
    """Return the page indices that are read first although they have hardly any words: to be looked at as a whole."""
    named = value.scores.get(NAMED)
    if named is None:
        return []
    view, found = value.view, list[int]()
    for page in dict.fromkeys(view.page_index[value.rows[named >= 1.0]].tolist()):
        span = view.page_rows(page)
        words = " ".join(view.blocks.text[row] for row in range(span.start, span.stop) if view.is_content[row])
        found += [page] if len(words.split()) < _FEW_WORDS else []
    return found
