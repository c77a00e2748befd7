"""Units and questions in other languages than English, compared by a model of many languages where there is one.

The vectors that are stored with passages speak for the units in them; those that most speaks for are read themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.errors import CorpusError
from octavo.evidence import View
from octavo.operators.core import Run
from octavo.operators.extractive.units import Unit
from octavo.operators.meaning import passage_cosines, text_cosines, vectors_of
from octavo.question import Question
from octavo_documents.text.languages import ENGLISH

Floats = npt.NDArray[np.float64]

FIRST_WEIGHTS = np.array([2.4, 4.2, 1.0, 1.4, 2.6, 0.0, 6.1])
"""Weights of `FEATURES` by which units are chosen that are read, where `pieces_alone` is the share of the question's
terms in the unit itself, and `pieces_around` how near the stored passage is to the question. Like `WEIGHTS` fitted on
questions of XQuAD in German and Chinese about documents in these and in English, and in English about theirs."""
WEIGHTS = np.array([1.1, 2.8, 0.4, 1.2, 2.4, 12.7, 4.2])
"""Weights of the score, where `pieces` is how near the unit under its headings is, as `_ALIKE` has it."""
_ALIKE = (0.35, 0.6)
"""What a cosine of 0 is as likeness by word pieces, and what one of 1 adds."""
READ = 16
"""Units that are read; 24 found no more."""


def are_in_languages(question: Question, units: Sequence[Unit], using: Run) -> bool:
    """Return whether a question or any unit is in another language than English, and a model reads it."""
    is_so = question.language != ENGLISH or any(one.language != ENGLISH for one in units)
    return is_so and vectors_of(question.text, using).others is not None


def near_passages(question: Question, view: View, units: Sequence[Unit], using: Run) -> Floats:
    """Return (n,) how near the nearest stored passage with a row of each unit is to a question, 0 for none."""
    try:
        passages, cosines = view.passages, passage_cosines(question.text, using)
    except CorpusError:  # nothing is stored
        return np.zeros(len(units))
    nearest = np.zeros(len(view))
    for at in np.argsort(cosines).tolist():
        nearest[passages.start[at] : passages.stop[at]] = cosines[at]
    return nearest[[unit.row for unit in units]]


def near_texts(question: Question, texts: Sequence[str], using: Run) -> Floats:
    """Return (n,) how like texts are to a question that `are_in_languages` found to be read."""
    unlike, more = _ALIKE
    return unlike + more * text_cosines(question.text, texts, using)
