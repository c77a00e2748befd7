"""How much of a question the documents know at all, wherever they say it.

Owns what is looked up for that: terms that stand together on a page, names, numbers, labelled things. Knows
nothing about candidates for an answer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo.document import View
from octavo.operators.score.lexical import TermIndex, terms_of
from octavo.operators.score.refer import page_scores
from octavo.question import Question, Reference

_STEM = 5
"""Letters that two spellings of a name begin with alike."""


@dataclasses.dataclass(frozen=True)
class Grounding:
    """What documents know of a question, each 0..1, 1 where it names nothing of the kind."""

    names: float
    """The share that occurs anywhere, in some spelling, of the terms of its names and of whose name it asks for."""
    numbers: float
    """The share of its numbers, years too, that occur anywhere, and of what it points at that is there."""


def grounding(question: Question, view: View) -> Grounding:
    """Return what the documents of a view know of a question; the view needs the layer `terms`."""
    index = terms_of(view)
    return Grounding(
        names=_share([is_known(index, term) for term in (*question.name_terms, question.role) if term]),
        numbers=_share(
            [*(bool(len(index.postings(term)[0])) for term in question.numbers), *_are_there(question, view)]
        ),
    )


def unknown_names(question: Question, view: View) -> list[str]:
    """Return the names of a question, as it writes them, where none occurs anywhere in the documents; else nothing."""
    index, names = terms_of(view), question.name_terms
    return [] if any(is_known(index, name) for name in names) else question.as_written(names)


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 1.0


def is_known(index: TermIndex, term: str) -> bool:
    """Tell whether a term occurs in the documents, in some spelling."""
    return bool(len(index.postings(term)[0])) or (len(term) >= _STEM and index.has_beginning(term[:_STEM]))


def _are_there(question: Question, view: View) -> list[bool]:
    """Return for each thing that is pointed at by number whether a document has it."""
    numbered = [one for one in question.references if one.number and not one.relation]
    return [_leads_somewhere(one, view) for one in numbered]


def _leads_somewhere(one: Reference, view: View) -> bool:
    return bool((page_scores([one], view) > 0).any())
