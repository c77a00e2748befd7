"""A first look at a document of a corpus: what there is in it, and questions that it answers where they were made from.

Each question was asked of it; no model is asked.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from octavo.about.first_look import BriefSection, ListedElement, Proposed, brief_sections, elements, proposed
from octavo.errors import OctavoError
from octavo.evidence import Answer, Citation, Outcome, Passage
from octavo.models.gateway import Caps
from octavo_documents.text.lines import on_one_line

if TYPE_CHECKING:
    from octavo.corpus.corpus import Corpus

_QUESTIONS = 3
_MOST_ASKED = 12
"""Questions that are tried."""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question that a document answers, and the place that answers it."""

    question: str
    place: Citation | Passage


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What there is in a document. Of `section_count` sections those of the highest level are told."""

    document_id: str
    sections: tuple[BriefSection, ...]
    section_count: int
    elements: tuple[ListedElement, ...]
    questions: tuple[AnsweredQuestion, ...]


def first_look(corpus: Corpus, reference: str, *, asks: bool = True) -> FirstLook:
    """Return a first look at a document; questions where it `asks`, which takes longest. Raises as `Corpus.resolve`."""
    info = corpus.resolve(reference)
    document = corpus.document(info.id)
    tried = islice(proposed(document), _MOST_ASKED if asks else 0)
    answered = (found for one in tried if (found := _asked(corpus, info.id, one)) is not None)
    return FirstLook(
        info.id,
        tuple(brief_sections(document)),
        len(document.blocks.headings()),
        tuple(elements(document)),
        tuple(islice(answered, _QUESTIONS)),
    )


def _asked(corpus: Corpus, document: str, wanted: Proposed) -> AnsweredQuestion | None:
    """Ask a question of its document; return it where the first place that comes is the one it was made from."""
    with contextlib.suppress(OctavoError):  # what the question lacks is no fault of the document
        answer = corpus.ask(wanted.question, documents=[document], caps=Caps(calls=0))
        place = _first_place(answer)
        if place is not None and place.page == wanted.page and on_one_line(wanted.answer) in _said(place, answer):
            return AnsweredQuestion(wanted.question, place)
    return None


def _first_place(answer: Answer) -> Citation | Passage | None:
    if answer.outcome is Outcome.NOTHING:
        return None
    return next(iter((*answer.citations, *answer.passages)), None)


def _said(place: Citation | Passage, answer: Answer) -> str:
    """Return what is read at a place: the words that are cited, with the passages that show them."""
    texts = [place.quote if isinstance(place, Citation) else place.text]
    texts += [one.text for one in answer.passages if (one.document_id, one.page) == (place.document_id, place.page)]
    return " ".join(map(on_one_line, texts))
