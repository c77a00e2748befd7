"""How much of what a question says stands in a text and near a place of it, and anywhere in the documents."""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from octavo.evidence import View
from octavo.operators.score.refer import page_scores
from octavo.operators.score.search import TermIndex, idf, terms_of
from octavo.question import Question
from octavo.question.words import MEASURE_NOUNS
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.forms import MONTH_TERMS, PHRASES, forms_in, months_in_figures, same_terms
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.segmentation import word_spans

_CONTEXT_SHARE = 0.6
"""What a term counts when it stands in the headings, caption or header above a text instead of in it."""
_REACH = 6.0
"""Words between a term and a value at which the term's nearness has halved."""
Mentions = tuple[list[int], list[int], list[tuple[str, int]]]
"""Starts and ends of words, and the question's terms with the number of the word they stand in."""
_STEM = 5
"""Letters that two spellings of a name begin with alike."""


@dataclasses.dataclass(frozen=True)
class Matcher:
    """A question's terms with their weights (idf in the view) and the stretches of text they are looked for in."""

    question: Question
    weights: Mapping[str, float]
    _mentions: dict[str, Mentions] = dataclasses.field(default_factory=dict[str, "Mentions"], compare=False, repr=False)
    _terms: dict[str, tuple[str, ...]] = dataclasses.field(
        default_factory=dict[str, tuple[str, ...]], compare=False, repr=False
    )
    _said_as: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str], repr=False)
    """Terms that count as one of the question's: the height of something says how tall it is."""

    @classmethod
    def of(cls, question: Question, view: View) -> Matcher:
        """Weigh the terms of a question by how rare they are in the view."""
        index = terms_of(view)
        forms = forms_in(question.text, question.language, index.languages)
        said_as = {form: term for term in question.terms for form in (*MEASURE_NOUNS.get(term, ()), *forms[term])}
        said_as |= {term: term for term in question.terms}
        weights = {
            term: min(idf(index, one) for one in (term, *MEASURE_NOUNS.get(term, ()), *forms[term]))
            for term in question.terms
        }
        return cls(question, weights, _said_as=said_as)

    @cached_property
    def total(self) -> float:
        """Sum of all weights."""
        return sum(self.weights.values())

    def terms(self, text: str) -> tuple[str, ...]:
        """Return the terms of a text as the question says them, analysed once."""
        found = self._terms.get(text)
        if found is None:
            found = self._terms[text] = tuple(
                self._said_as.get(term, term) for term in analyze(text, self.question.language)
            )
        return found

    def share(self, terms: Iterable[str]) -> float:
        """Return the weight of the question's terms among `terms`, 0..1 of all."""
        return sum(self.weights.get(term, 0.0) for term in set(terms)) / self.total if self.total else 0.0

    def coverage(self, terms: Iterable[str], context: Iterable[str] = ()) -> float:
        """Return how much of the question is in a text, 0..1; terms only in its context count for less."""
        inside = set(terms)
        return self.share(inside) + _CONTEXT_SHARE * self.share(set(context) - inside)

    def nearness(self, text: str, start: int, stop: int) -> float:
        """Return how near the question's terms stand to characters [start, stop) of a text, 0..1.

        Each term counts with its weight, less the more words are between its nearest mention and the stretch.
        """
        if not self.total or self.weights.keys().isdisjoint(self.terms(text)):
            return 0.0
        starts, ends, mentions = self._mentioned(text)
        first, last = bisect.bisect_right(ends, start), bisect.bisect_left(starts, stop) - 1
        nearest: dict[str, float] = {}
        for term, at in mentions:
            away = max(first - at, at - last, 0)
            nearest[term] = min(nearest.get(term, float("inf")), away)
        return sum(self.weights[term] / (1 + away / _REACH) for term, away in nearest.items()) / self.total

    def _mentioned(self, text: str) -> Mentions:
        """Return where the words of a text start and end, and (term, word) of each of the question's terms in it."""
        if text not in self._mentions:
            words = word_spans(text)
            mentions = [
                (term, at)
                for at, (start, stop) in enumerate(words)
                for term in self.terms(text[start:stop])
                if term in self.weights
            ]
            self._mentions[text] = ([start for start, _ in words], [stop for _, stop in words], mentions)
        return self._mentions[text]


# Grounding: what the documents know of a question


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
    if question.language not in index.languages:  # a name may be another one there
        return []
    is_there = any(is_known(index, name) for name in names) or _is_dated(view, names)
    return [] if is_there else question.as_written(names)


def unknown_name_terms(question: Question, view: View) -> list[str]:
    """Return the terms of a question's names that occur nowhere in the documents, in any spelling or form."""
    index = terms_of(view)
    return [term for term in question.name_terms if not is_known(index, term) and not _is_dated(view, [term])]


def unknown_words(question: Question, view: View) -> list[str]:
    """Return the words a question is asked with where none of them occurs anywhere, in any form; else nothing.

    What points at a page or a table, or asks of the document itself, is not looked for by its words.
    """
    index = terms_of(view)
    if question.language != ENGLISH or ENGLISH not in index.languages:  # what is alike in meaning is not known
        return []
    terms = [term for term in question.terms if term not in MEASURE_NOUNS]  # "heavy" is printed as a weight
    if not terms or question.references or any(is_known(index, term) for term in terms) or _is_dated(view, terms):
        return []
    return question.words_as_written(question.terms)


def unknown_things(question: Question, view: View) -> list[str]:
    """Return the terms of names that stand nowhere, names written small too: mongolia in "capital of mongolia"."""
    index = terms_of(view)
    if question.language not in index.languages:
        return []
    named = [*question.name_terms, *(term for term in question.last_words if term in question.terms)]
    return [term for term in dict.fromkeys(named) if not is_known(index, term)]


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 1.0


def is_known(index: TermIndex, term: str) -> bool:
    """Return whether a term occurs in the documents, in any spelling or form: february as Feb, UK as United Kingdom."""
    return (
        _stands(index, term)
        or any(len(index.postings(form)[0]) for form in same_terms(term))
        or _is_spelt_out(index, term)
    )


def _is_dated(view: View, terms: Iterable[str]) -> bool:
    """Return whether a date in figures may be of a month among these terms: 2008-02-01 of February."""
    months = MONTH_TERMS.keys() & set(terms)
    return bool(months) and any(not months.isdisjoint(months_in_figures(text)) for text in view.blocks.text)


def _stands(index: TermIndex, term: str) -> bool:
    return bool(len(index.postings(term)[0])) or (len(term) >= _STEM and index.has_beginning(term[:_STEM]))


def _is_spelt_out(index: TermIndex, term: str) -> bool:
    return term in PHRASES and all(len(index.postings(word)[0]) for word in PHRASES[term])


def _are_there(question: Question, view: View) -> list[bool]:
    """Return for each thing that is pointed at by number whether a document has it."""
    numbered = [one for one in question.references if one.number and not one.relation]
    return [bool((page_scores([one], view) > 0).any()) for one in numbered]
