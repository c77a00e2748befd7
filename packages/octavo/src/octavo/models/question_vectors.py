"""A question as passages are compared with it, whichever of two models made their vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from octavo.errors import ModelError
from octavo.models.ports import MultilingualEmbedder, Vectors


@dataclass(frozen=True, eq=False)
class QuestionVectors:
    """A question by the model of English, `own`, and by one of many languages, `others`, None where nothing needs it.

    A product with `others` and `shift` together are worth what a product with `own` is.
    """

    own: npt.NDArray[np.float32]
    others: npt.NDArray[np.float32] | None = None
    shift: float = 0.0

    def cosines(self, vectors: Vectors) -> npt.NDArray[np.float64]:
        """Return (n,) how near passages are that the model of many languages read; none where it is not there."""
        if self.others is None:
            return np.zeros(0)
        return (vectors @ self.others).astype(np.float64) + self.shift


def question_vectors(
    question: str,
    own: npt.NDArray[np.float32],
    multilingual: Callable[[], MultilingualEmbedder | None],
    *,
    is_english: bool,
) -> QuestionVectors:
    """Return the vectors of a question of which `own` is known; it is another one where the question is not English."""
    model = multilingual()
    try:
        found = None if model is None else model.embed_questions([question])[0]
    except ModelError:  # no engine computes it
        found = None
    if model is None or found is None:
        return QuestionVectors(own)
    slope, shift = model.scale
    own = own if is_english else model.as_english(found[None])[0]
    return QuestionVectors(own, found * np.float32(slope), shift)
