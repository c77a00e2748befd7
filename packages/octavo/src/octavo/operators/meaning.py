"""How near passages and texts are to a question in meaning, whichever of two models made their vectors.

A question in English is compared with passages in English as if there were no other language. What is in another
language goes by a model of many languages, where it is there, its cosines brought to the same scale.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.models.question_vectors import QuestionVectors, question_vectors
from octavo.operators.core import Run
from octavo.question import understand
from octavo_documents.text.languages import ENGLISH

Floats = npt.NDArray[np.float64]


def passage_cosines(question: str, using: Run) -> Floats:
    """Return (n_passages,) how near each passage of the view is to a question."""
    view = using.view
    places, vectors = view.multilingual
    if not len(places) and is_in_english(question):
        return view.cosines("vectors", using.vectors([question])[0])
    asked = vectors_of(question, using)
    found = view.cosines("vectors", asked.own)
    near = asked.cosines(vectors) if len(places) else np.zeros(0)
    found[places[: len(near)]] = near
    return found


def text_cosines(question: str, texts: Sequence[str], using: Run) -> Floats:
    """Return (n,) how near texts are to a question by the model of many languages, none where it is not there."""
    asked, model = vectors_of(question, using), using.multilingual()
    if model is None or asked.others is None:
        return np.zeros(0)
    new = [text for text in dict.fromkeys(texts) if text not in using.in_languages]
    using.in_languages.update(zip(new, model.embed(new), strict=True))
    return asked.cosines(np.stack([using.in_languages[text] for text in texts]))


def vectors_of(question: str, using: Run) -> QuestionVectors:
    """Return the vectors of a question by both models, once in a run."""
    if question not in using.questions:
        own = using.vectors([question])[0]
        using.questions[question] = question_vectors(
            question, own, using.multilingual, is_english=is_in_english(question)
        )
    return using.questions[question]


def is_in_english(question: str) -> bool:
    """Return whether a question is in English, as far as its words tell."""
    return understand(question).language == ENGLISH
