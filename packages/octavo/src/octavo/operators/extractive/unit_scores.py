"""Which units of the best pages fit a question, one linear score over named features, and pages ranked by them.

What needs no network chooses the units that are read. Where there is a passage scorer, it reads their passages with the
question; else units are compared with it word piece by word piece, the late interaction of ColBERT (Khattab and
Zaharia, SIGIR 2020, section 3.3): for each piece of the question the most similar one of the text.

`python benchmarks/units.py` fits the weights, with the documents of each question left out where they are measured.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.evidence import Evidence, View
from octavo.models.bert import token_spans
from octavo.models.ports import PassageScorer
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.extractive import units_in_languages as in_languages
from octavo.operators.extractive.passages import expand_passage, render_passage
from octavo.operators.extractive.shown_rows import AskedOfRow, part_of
from octavo.operators.extractive.units import Span, Stream, Unit, caption_of, stream_of
from octavo.operators.keep import (
    AS_FOUND,
    MEANT_ALONE,
    RELEVANCE,
    THING,
    each_first,
    pages_with,
    ranked_pages,
    things_of,
)
from octavo.operators.score.contents_lists import in_contents
from octavo.operators.score.page_features import in_bibliography
from octavo.operators.score.refer import is_asked_page
from octavo.operators.score.score_meant_alone import view_of
from octavo.operators.score.search import idf, terms_of
from octavo.operators.sentence_forms import Sentence, always
from octavo.question import VALUE_KINDS, Question, understand
from octavo_documents.document import Kind, Mask, Rows
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.forms import forms_in, months_in_figures
from octavo_documents.text.languages import language
from octavo_documents.text.values_by_language import values_of

Floats = npt.NDArray[np.float64]

FEATURES = ("page", "terms", "value", "numbers", "pieces_alone", "pieces", "pieces_around")
"""What a unit is scored by, each about 0..1:

page: the relevance of its page as a share of the best page's;
terms: the question's terms in its passage, the headings above it and the heads of its table, as a share of their
    weight (idf);
value: whether it has a value of the kind that is asked for, 0.5 where none is;
numbers: the share of the question's years and numbers in its passage, its headings and heads;
pieces_alone: for each word piece of the question the most similar one of the unit under its headings, averaged; each
    piece by itself, whatever stands around it;
pieces: the same, each piece as it reads in its text;
pieces_around: the same with all units of its passage.
"""
FIRST_WEIGHTS = np.array([5.2, 3.7, 1.8, 0.8, 7.2, 0.0, 0.0])
"""Weights by which units are chosen that are read by the network, fitted over all units of the best pages."""
WEIGHTS = np.array([3.4, 2.1, 1.3, 0.7, 0.0, 5.4, 6.1])
"""Weights of the score, fitted."""
SCORER_WEIGHTS = np.array([0.38, 0.24])
"""Weights of the score where a scorer reads: of the first score, and of what the scorer says of the passage; fitted."""
READ = 8
"""Passages that a scorer reads, 5.5 on average: none shares a unit with another. All that 24 units have found no
more."""
WEIGHTS_BY_WORDS = np.array([3.4, 6.0, 1.3, 0.7, 8.0, 0.0, 0.0])
"""Weights of both where the question is in a script that the network does not know: `pieces_alone` is the share of the
question's terms in the unit itself there. Chosen on XQuAD (`benchmarks/xquad.py`) in four such languages."""
_ALIKE_BY_WORDS = (0.35, 0.45)
"""What a unit there is taken to be like a question that shares no words with it, and what all its words add."""
_PAGES = 6
"""Pages whose units are scored, the best ones."""
COMPARED = 24
"""Units that are read by the network, those that the other features speak for; 64 found no more (docs/tried.md)."""
_FUNCTION_WEIGHT = 0.15
"""What a word piece of the question without content, such as "what", counts beside one with."""
_LONGEST_HEADING, _LONGEST_CAPTION, _LONGEST_TEXT = 50, 120, 300
"""Characters of each that are embedded with a unit."""
_HEADINGS = 2
"""Headings above a unit that are embedded with it, the last ones."""


@dataclasses.dataclass(frozen=True)
class ScoredUnit:
    """A unit with the passage it grows into, its features as in `FEATURES`, and the score they add up to."""

    stream: Stream
    at: int
    span: Span
    page: int
    """Index of its page in the view."""
    text: str
    """The unit under its headings, as it is embedded."""
    features: Floats
    score: float = 0.0
    answers: float | None = None
    """What the passage scorer says of the passage it is read in, about -11 to 11; None where there is no scorer."""
    asked: AskedOfRow | None = dataclasses.field(default=None, compare=False, repr=False)
    """What of the question is looked for where a row is shown in part."""

    @property
    def unit(self) -> Unit:
        """The unit itself."""
        return self.stream.units[self.at]

    @property
    def pieces(self) -> float:
        """The feature `pieces`: how like the unit is to the question, word piece by word piece."""
        return float(self.features[FEATURES.index("pieces")])

    @property
    def units(self) -> Sequence[Unit]:
        """The units of its passage."""
        return self.stream.units[self.span.first : self.span.last + 1]

    def overlaps(self, other: ScoredUnit) -> bool:
        """Return whether the passages of both share a unit."""
        mine, theirs = self.units, other.units
        return mine[0].key <= theirs[-1].key and theirs[0].key <= mine[-1].key


def scored_units(question: Question, evidence: Evidence, using: Run) -> list[ScoredUnit]:
    """Return the units of the evidence's best pages, best first; ties in reading order."""
    found, scorer = first_scored(question, evidence, using)[:COMPARED], using.passage_scorer()
    if in_languages.are_in_languages(question, [one.unit for one in found], using):
        return _best_first(_compared_in_languages(question, found, using))
    if scorer is not None and scorer.reads(question.text):
        read = _best_first(read_by(scorer, question, evidence.view, found))
        return read if len({one.answers for one in read}) > 1 else _told_apart(question, read, using)
    return _best_first(compared(question, found, using))


def _told_apart(question: Question, read: Sequence[ScoredUnit], using: Run) -> list[ScoredUnit]:
    """Return the units of one passage, of which a scorer says one thing, by what else tells them apart.

    They exchange their scores as they are, which mean what they do for other passages that are read.
    """
    alike = _best_first(compared(question, read, using))
    return [dataclasses.replace(one, score=other.score) for one, other in zip(alike, read, strict=True)]


def _best_first(scored: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    return sorted(scored, key=lambda one: -one.score)


def first_scored(question: Question, evidence: Evidence, using: Run) -> list[ScoredUnit]:
    """Return the units of the best pages with the features that need no network, the best by these first."""
    view = evidence.view
    if not len(evidence):
        return []
    relevance, order = ranked_pages(_as_found(evidence))
    words = QuestionTerms.of(question, weighed_by(evidence))
    best = float(relevance[order[0]])
    found: list[ScoredUnit] = []
    is_asked_for = is_asked_page(question, view)[order]
    asked_for = order[is_asked_for]  # "What does page 5 say?" is answered by page 5 alone
    things = things_of(evidence, order.tolist())
    order, most = order[each_first(things)], max(_PAGES, max(things) + 1)
    for page in (asked_for if len(asked_for) else order)[:most].tolist():
        share = float(relevance[page]) / best if best > 0 else 1.0
        found.extend(_on_page(words, view, page, share, alone=len(asked_for) > 0))
    if in_languages.are_in_languages(question, [one.unit for one in found], using):
        return _first_in_languages(question, view, found, using)
    model = None if not found or is_by_words(question) else using.token_embedder()
    if model is None:
        return sorted(map(_by_words, found), key=lambda one: -one.score)
    alike = using.most_alike(question.text, [one.text for one in found], model)
    alone = alike @ _piece_weights(question)[: alike.shape[1]]
    for at, one in enumerate(found):
        one.features[FEATURES.index("pieces_alone")] = alone[at]
        found[at] = dataclasses.replace(one, score=float(one.features @ FIRST_WEIGHTS))
    return sorted(found, key=lambda one: -one.score)


def _as_found(evidence: Evidence) -> Evidence:
    """Return evidence with the relevance it had before units ranked its pages; rows found since have their own."""
    if AS_FOUND not in evidence.scores:
        return evidence
    before, now = evidence.scores[AS_FOUND], evidence.scores[RELEVANCE]
    return evidence.with_score(RELEVANCE, np.where(np.isnan(before), now, before))


def weighed_by(evidence: Evidence) -> View:
    """Return the documents that say how rare the question's terms are: those surely meant, where any are."""
    view = evidence.view
    if MEANT_ALONE not in evidence.scores:
        return view
    rows = evidence.rows[~np.isnan(evidence.scores[MEANT_ALONE])]
    return view.derived(view_of, tuple(np.unique(view.document[rows]).tolist())) if len(rows) else view


@dataclasses.dataclass(frozen=True)
class _Page:
    """What is known of the units of a page of a document whatever the question."""

    spans: tuple[Span, ...]
    """What each unit of the page grows into."""
    texts: tuple[str, ...]
    """Each unit of the page as it is embedded."""
    terms: tuple[tuple[str, ...], ...]
    """The terms of each unit of the stream."""
    over: tuple[tuple[str, ...], ...]
    """The terms of the headings above each unit of the page, and of the heads of its table."""

    @classmethod
    def of(cls, document: View, page: int) -> _Page:
        """Read a page, by its index, of a view of one document."""
        stream = stream_of(document, page)
        path = document.blocks.section_path
        own = stream.units[stream.start : stream.stop]
        return cls(
            spans=tuple(expand_passage(document, stream, at) for at in range(stream.start, stream.stop)),
            texts=tuple(under_headings(document, unit) for unit in own),
            terms=tuple(
                tuple({*analyze(unit.text, unit.language), *months_in_figures(unit.text)}) for unit in stream.units
            ),
            over=tuple(tuple({*analyze("\n".join((*path(unit.row), *unit.heads)), unit.language)}) for unit in own),
        )


def _on_page(
    words: QuestionTerms, view: View, page: int, relevance: float, *, alone: bool = False
) -> Iterator[ScoredUnit]:
    """Yield the units of a page; `alone` their passages end where the page ends."""
    stream = stream_of(view, page)
    document, number = view.locate_page(page)
    part = view.parts[document]
    known = part.derived(_Page.of, number - 1)
    is_left_out = np.zeros(len(view), np.bool_)
    if not words.question.asks_for_sources:
        is_left_out |= in_bibliography(view)
    if not words.question.asks_where_it_stands:
        is_left_out |= in_contents(view)
    held = [words.held(terms) for terms in known.terms]
    for own, at in enumerate(range(stream.start, stream.stop)):
        unit, span = stream.units[at], known.spans[own]
        if alone:
            span = Span(max(span.first, stream.start), min(span.last, stream.stop - 1))
        if is_left_out[unit.row]:
            continue
        said = words.held(known.over[own]).union(*held[span.first : span.last + 1])
        features = np.zeros(len(FEATURES))
        features[:4] = relevance, words.share(said), words.value_in(unit), words.numbers_in(said)
        features[FEATURES.index("pieces_alone")] = words.share(held[at])  # by words, until a network tells
        text = known.texts[own]
        if unit.has_long_cell:
            text = under_headings(part, unit.shifted(-int(view.row_starts[document])), words.of_row)
        yield ScoredUnit(stream, at, span, page, text, features, asked=words.of_row)


def _first_in_languages(question: Question, view: View, found: list[ScoredUnit], using: Run) -> list[ScoredUnit]:
    near = in_languages.near_passages(question, view, [one.unit for one in found], using)
    scored: list[ScoredUnit] = []
    for one, passage in zip(found, near.tolist(), strict=True):
        features = one.features.copy()
        features[-1] = passage
        scored.append(dataclasses.replace(one, features=features, score=float(features @ in_languages.FIRST_WEIGHTS)))
    return _best_first(scored)


def _compared_in_languages(question: Question, found: Sequence[ScoredUnit], using: Run) -> list[ScoredUnit]:
    chosen = found[: in_languages.READ]
    near = in_languages.near_texts(question, [one.text for one in chosen], using)
    scored: list[ScoredUnit] = []
    for one, own in zip(chosen, near.tolist(), strict=True):
        features = one.features.copy()
        features[-2] = own
        scored.append(dataclasses.replace(one, features=features, score=float(features @ in_languages.WEIGHTS)))
    return scored


def compared(question: Question, found: Sequence[ScoredUnit], using: Run) -> list[ScoredUnit]:
    """Return the units with the features of meaning, and their score."""
    if in_languages.are_in_languages(question, [one.unit for one in found], using):
        return _compared_in_languages(question, found, using)
    model = None if not found or is_by_words(question) else using.token_embedder()
    if model is None:
        return list(found)
    texts = list(dict.fromkeys(one.text for one in found))
    states = using.states([question.text, *texts], model)
    asked, weights = states[0], _piece_weights(question)[: len(states[0])]
    alike = dict(zip(texts, (_most_alike(asked, own) for own in states[1:]), strict=True))
    by_key = {one.unit.key: alike[one.text] for one in found}
    scored: list[ScoredUnit] = []
    for one in found:
        own = by_key[one.unit.key]
        around = np.max([own, *(by_key[unit.key] for unit in one.units if unit.key in by_key)], axis=0)
        features = one.features.copy()
        features[-2:] = own @ weights, around @ weights
        scored.append(dataclasses.replace(one, features=features, score=float(features @ WEIGHTS)))
    return scored


def read_by(scorer: PassageScorer, question: Question, view: View, found: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """Return the units with what a scorer says of their passages, and their score; those of other passages are left.

    A passage that shares a unit with one that is read is not read itself: it has the best score of those.
    """
    chosen: list[ScoredUnit] = []
    read_in: list[tuple[ScoredUnit, list[int]]] = []
    for one in found:
        places = [at for at, other in enumerate(chosen) if one.overlaps(other)]
        if not places and len(chosen) < READ:
            places = [len(chosen)]
            chosen.append(one)
        if places:
            read_in.append((one, places))
    said = scorer.scores(question.text, [passage_under_headings(view, one) for one in chosen]).tolist()
    scored: list[ScoredUnit] = []
    for one, places in read_in:
        answers = max(said[at] for at in places)
        scored.append(dataclasses.replace(one, answers=answers, score=float(SCORER_WEIGHTS @ (one.score, answers))))
    return scored


def best_of_passage(question: Question, evidence: Evidence, one: ScoredUnit, using: Run) -> ScoredUnit:
    """Return the passage of a unit with the unit in it that fits best, by its own likeness and value alone.

    What a scorer says is of the passage. What a rule says is of the passage too, in part, and not all its units were
    compared.
    """
    places = [at for at in range(one.span.first, one.span.last + 1) if not one.stream.units[at].is_heading]
    is_other = in_languages.are_in_languages(question, [one.unit], using)
    if len(places) < 2 or is_other or is_by_words(question):
        return one
    words = QuestionTerms.of(question, weighed_by(evidence))
    own: list[ScoredUnit] = []
    for at in places:
        unit, features = one.stream.units[at], one.features.copy()
        features[FEATURES.index("value")] = words.value_in(unit)
        own.append(dataclasses.replace(one, at=at, text=under_headings(evidence.view, unit), features=features))
    best = max(compared(question, own, using), key=lambda found: (found.score, found.at == one.at))
    return dataclasses.replace(one, at=best.at)


def passage_under_headings(view: View, one: ScoredUnit) -> str:
    """Return the passage of a unit as a scorer reads it: under its last headings."""
    path = _last_headings(view, one.unit)
    text, _ = render_passage(view, one.stream, one.span, one.at, one.asked)
    return f"{path}: {text}" if path else text


def is_by_words(question: Question) -> bool:
    """Return whether units are compared with a question by words alone: in a script that the network does not know."""
    return language(question.language).script != "latin"


def _by_words(one: ScoredUnit) -> ScoredUnit:
    """Return a unit with its score by words, and what stands for its likeness."""
    features = one.features.copy()
    features[-2:] = _ALIKE_BY_WORDS[0] + _ALIKE_BY_WORDS[1] * features[FEATURES.index("pieces_alone")]
    return dataclasses.replace(one, features=features, score=float(features @ WEIGHTS_BY_WORDS))


def _most_alike(asked: npt.NDArray[np.float32], own: npt.NDArray[np.float32]) -> Floats:
    """Return (n_pieces,) for each word piece of the question how alike the most similar one of a text is, -1..1."""
    return (asked @ own.T).max(axis=1, initial=0.0).astype(np.float64)


def _piece_weights(question: Question) -> Floats:
    """Return (n_pieces,) what each word piece of a question counts; together 1."""
    pieces = [question.text[start:stop] for start, stop in token_spans(question.text)]
    weights = np.array([_piece_weight(piece, question.language) for piece in pieces])
    return weights / max(float(weights.sum()), 1e-12)


def _piece_weight(piece: str, code: str) -> float:
    if not any(map(str.isalnum, piece)):
        return 0.0
    return 1.0 if analyze(piece, code) else _FUNCTION_WEIGHT


def under_headings(view: View, unit: Unit, asked: AskedOfRow | None = None) -> str:
    """Return the text of a unit as it is embedded: under its last headings, of a table's row under its caption.

    Of a long row that is the part with most of what is `asked`.
    """
    blocks = view.blocks
    path = _last_headings(view, unit)
    caption = caption_of(view, unit.row) if blocks.kind_of(unit.row) in (Kind.TABLE, Kind.FIGURE, Kind.CHART) else -1
    over = f"{blocks.text[caption][:_LONGEST_CAPTION]} | " if caption >= 0 else ""
    text = part_of(unit.text, asked, unit.language) if asked is not None else unit.text[:_LONGEST_TEXT]
    return f"{path}: {over}{text}" if path else f"{over}{text}"


def _last_headings(view: View, unit: Unit) -> str:
    return " > ".join(title[:_LONGEST_HEADING] for title in view.blocks.section_path(unit.row)[-_HEADINGS:])


@dataclasses.dataclass(frozen=True)
class QuestionTerms:
    """What of a question is looked for word by word: its terms, by how rare they are in the documents of a view."""

    question: Question
    weights: dict[str, float]
    numbers: tuple[str, ...]
    said_as: dict[str, str]
    """The question's term by each term that says the same: february by feb."""

    @classmethod
    def of(cls, question: Question, view: View) -> QuestionTerms:
        """Weigh the terms of a question by the documents of a view."""
        index = terms_of(view)
        forms = forms_in(question.text, question.language, index.languages)
        weights = {term: min(idf(index, one) for one in (term, *forms[term])) for term in question.terms}
        numbers = tuple(term for term in question.terms if term[0].isdigit())
        said_as = {form: term for term in question.terms for form in forms[term]}
        return cls(question, weights, numbers, said_as | {term: term for term in question.terms})

    @cached_property
    def of_row(self) -> AskedOfRow:
        """What is looked for in a row that is shown in part."""
        return AskedOfRow(self.weights, self.said_as)

    def held(self, terms: Sequence[str]) -> frozenset[str]:
        """Return the question's terms among others."""
        return frozenset(self.said_as[term] for term in terms if term in self.said_as)

    def share(self, terms: frozenset[str]) -> float:
        """Return how much (0..1) of the question's terms these are."""
        total = sum(self.weights.values())
        return sum(weight for term, weight in self.weights.items() if term in terms) / total if total else 0.0

    def numbers_in(self, terms: frozenset[str]) -> float:
        """Return the share (0..1) of the question's numbers that are among these terms; 1 where it has none."""
        return sum(number in terms for number in self.numbers) / len(self.numbers) if self.numbers else 1.0

    def value_in(self, unit: Unit) -> float:
        """Return 1 where a value of the kind asked for stands in a unit, else 0; 0.5 where none is asked for."""
        kinds = VALUE_KINDS.get(self.question.expects, ())
        if not kinds:
            return 0.5
        found = values_of(unit.text, unit.language)
        return float(any(value.kind in kinds and value.text not in self.question.text for value in found))


def _within(is_meant: Mask, ranked: Rows) -> Rows:
    """Return places as they are ranked, those that are meant on the places that meant ones had, and so the others."""
    order = np.empty_like(ranked)
    for group in (is_meant, ~is_meant):
        order[group] = ranked[group[ranked]]
    return order


@dataclasses.dataclass(frozen=True)
class RankByUnits(Step[Evidence, Evidence]):
    """Rank the pages whose units are compared with the question anew; the others keep their places behind them.

    A page counts by its best unit, whose score has the page's relevance in it: the first page is the one of the passage
    that is shown first, and a page that is asked for by itself is before all others. The pages exchange their relevance
    as they are, so that gaps between scores keep their meaning; those of documents that are surely meant among
    themselves, and so the others: units tell pages of a document apart, not one document from another with the same
    wording. Where several things are asked about, the best page of each is before all others.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE}, uses={MEANT_ALONE, THING}, writes={RELEVANCE, AS_FOUND})
    sentence: ClassVar[Sentence] = always("Ranked the pages by the sentences and table rows on them")

    def needs(self) -> frozenset[str]:
        """Return the layers that weigh the question's terms."""
        return frozenset({"passages", "terms"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows, their relevance shifted page by page."""
        if not len(value):
            return value
        question = understand(using.query.question)
        best_unit: dict[int, float] = {}
        for one in scored_units(question, value, using):
            best_unit.setdefault(one.page, one.score)
        relevance, order = ranked_pages(value)
        has_asked = bool(is_asked_page(question, value.view)[order].any())
        pages = [page for page in order.tolist() if has_asked or page in best_unit]
        if len(pages) < 2:
            return value
        worth = np.array([best_unit.get(page, -np.inf) for page in pages])
        shift = np.zeros(len(relevance))
        ranked = _within(pages_with(value, MEANT_ALONE)[pages], np.argsort(-worth, kind="stable"))
        first = each_first(things_of(value, [pages[at] for at in ranked]))
        for place, at in enumerate(ranked[first].tolist()):
            shift[pages[at]] = relevance[pages[place]] - relevance[pages[at]]
        before = value.scores[RELEVANCE]
        moved = value.with_score(AS_FOUND, before)
        return moved.with_score(RELEVANCE, before + shift[value.view.page_index[value.rows]])
