"""Search: from a question to the blocks of the passages that match it, by words (BM25) or by vectors.

Visual search goes to the pages and elements that look like the question (DMAP equation 8).

The formula of BM25 is Robertson and Zaragoza's (2009) with the idf that never is negative: sum over the question's
terms of `log(1 + (N - n + 0.5) / (n + 0.5)) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average))`.
"""

from __future__ import annotations

import bisect
import dataclasses
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from octavo.errors import CorpusError, ModelError, UsageError
from octavo.evidence import Evidence, PassageTable, PostingTable, Query, SummaryTable, TermTable, TraceStep, View
from octavo.evidence.layer_tables import DESCRIPTIONS_TABLE, LayerTable
from octavo.evidence.token_vectors import TokenVectors
from octavo.models.ports import LateInteraction, is_late
from octavo.operators.columns import NEW, Columns
from octavo.operators.core import Run, Step
from octavo.operators.meaning import passage_cosines
from octavo.operators.sentence_forms import Sentence, found, share
from octavo.question import understand
from octavo_documents.document.columns import damaged, unpack
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.forms import forms_in
from octavo_documents.text.languages import ENGLISH

Floats = npt.NDArray[np.float64]


class DocumentTerms(NamedTuple):
    """The terms of a document, which of its passages have them, how many passages it has, and their languages."""

    terms: TermTable
    postings: PostingTable
    passages: int
    languages: tuple[tuple[str, int], ...] = ()
    """Each with the first passage of a run in it; none where all are in English."""

    @property
    def by_passage(self) -> list[str]:
        """The language of each passage."""
        runs = self.languages or ((ENGLISH, 0),)
        ends = [first for _, first in runs[1:]] + [self.passages]
        return [code for (code, first), end in zip(runs, ends, strict=True) for _ in range(first, end)]


_PLACES = 256
"""Terms whose places are kept: those of the last questions."""


class TermIndex:
    """The postings of several documents, passages numbered through; statistics are those of all of them together."""

    def __init__(self, parts: Sequence[DocumentTerms]) -> None:
        self._parts = [(part.terms, part.postings) for part in parts]
        self._starts = np.cumsum([0, *(part.passages for part in parts)])
        self._documents = parts
        self._places: dict[str, list[int]] = {}
        self.languages = frozenset(code for part in parts for code, _ in part.languages or ((ENGLISH, 0),))
        """Those by which the passages were indexed."""

    def __len__(self) -> int:
        return int(self._starts[-1])

    @property
    def by_passage(self) -> list[str]:
        """The language of each passage."""
        return [code for part in self._documents for code in part.by_passage]

    @cached_property
    def lengths(self) -> Floats:
        """(n_passages,) float64: terms in each passage, heading path included."""
        lengths = np.zeros(len(self))
        for (_, postings), start in zip(self._parts, self._starts, strict=False):
            if len(postings):
                counted = np.bincount(postings.passage, weights=postings.count)
                lengths[start : start + len(counted)] = counted
        return lengths

    def postings(self, term: str) -> tuple[npt.NDArray[np.int64], Floats]:
        """Return (passages, counts) of a term, passages ascending."""
        passages: list[npt.NDArray[np.int64]] = [np.zeros(0, np.int64)]
        counts: list[Floats] = [np.zeros(0)]
        for (terms, postings), start, at in zip(self._parts, self._starts, self._places_of(term), strict=False):
            if at >= 0:
                span = slice(int(terms.first[at]), int(terms.first[at + 1]))
                passages.append(postings.passage[span] + start)
                counts.append(postings.count[span].astype(np.float64))
        return np.concatenate(passages), np.concatenate(counts)

    def documents_with(self, wanted: Sequence[str]) -> list[int]:
        """Return for each of some terms how many of the documents have it."""
        return [sum(at >= 0 for at in self._places_of(term)) for term in wanted]

    def _places_of(self, term: str) -> list[int]:
        """Return the row of a term among those of each document, -1 where it has none.

        A search asks for each of its terms half a dozen times, and looking one up reads a dozen others.
        """
        found = self._places.get(term)
        if found is None:
            found = [_row_of(term, terms) for terms, _ in self._parts]
            if len(self._places) >= _PLACES:
                self._places.clear()
            self._places[term] = found
        return found

    def has_beginning(self, letters: str) -> bool:
        """Say whether any term begins with these letters."""
        for terms, _ in self._parts:
            size = len(terms) - 1
            at = bisect.bisect_left(terms.term, letters, 0, size)
            if at < size and terms.term[at].startswith(letters):
                return True
        return False

    def one_letter_away(self, term: str) -> set[str]:
        """Return the terms that differ from one in a single letter: another one, one more or one less."""
        pieces = [(term[:at], term[at:]) for at in range(len(term) + 1)]
        letter = r"\w"
        others = [re.escape(left) + letter + re.escape(right[1:]) for left, right in pieces if right]
        longer = [re.escape(left) + letter + re.escape(right) for left, right in pieces]
        shorter = [re.escape(left + right[1:]) for left, right in pieces if right]
        pattern = re.compile("|".join((*others, *longer, *shorter)))
        return {one for terms, _ in self._parts for one in terms.term if one != term and pattern.fullmatch(one)}


def _row_of(term: str, terms: TermTable) -> int:
    size = len(terms) - 1
    at = bisect.bisect_left(terms.term, term, 0, size)
    return at if at < size and terms.term[at] == term else -1


def read_terms(data: bytes) -> DocumentTerms:
    """Return the terms of a document from the bytes of the layer; raise CorpusError (`damaged`)."""
    arrays, header = unpack(data)
    try:
        terms = TermTable.of_arrays(arrays, "terms")
        postings = PostingTable.of_arrays(arrays, "postings")
        languages = tuple((str(code), int(first)) for code, first in header.get("languages", ()))
        return DocumentTerms(terms, postings, _checked(terms, postings, header), languages)
    except (ValueError, TypeError, KeyError) as wrong:
        raise damaged(str(wrong)) from wrong


def _checked(terms: TermTable, postings: PostingTable, header: dict[str, Any]) -> int:
    """Return the number of passages; raise ValueError when the tables point outside each other."""
    passages = int(header["passages"])
    first = terms.first
    if not len(first) or first[0] != 0 or first[-1] != len(postings) or bool((np.diff(first) < 0).any()):
        raise ValueError("terms and postings do not fit")
    if len(postings) and not (postings.passage.min() >= 0 and postings.passage.max() < passages):
        raise ValueError("a posting leads outside the passages")
    return passages


_TERMS: LayerTable[TermIndex] = LayerTable("terms", read_terms, lambda each, _first: TermIndex(each))


def terms_of(view: View) -> TermIndex:
    """Return the view's term index, loaded once."""
    return view.layer(_TERMS)


def idf(index: TermIndex, term: str) -> float:
    """Return how much a term tells passages apart: near 0 for one that all hold, high for a rare or unknown one."""
    return _idf(len(index), len(index.postings(term)[0]))


def _idf(units: int, held: int) -> float:
    return float(np.log1p((units - held + 0.5) / (held + 0.5)))


def bm25(
    index: TermIndex,
    terms: Sequence[str],
    *,
    units: npt.NDArray[np.int64] | None = None,
    k1: float = 1.2,
    b: float = 0.75,
) -> Floats:
    """Return (n,) float64 BM25 scores, 0 for a unit with none of the terms; a repeated term counts once.

    Args:
        index: The terms of all passages.
        terms: The question's terms.
        units: (n_passages,) what each passage is part of, for instance its page, 0 to n - 1; None scores passages.
        k1: How soon repeats of a term stop counting.
        b: How much long units are held back, 0..1.
    """
    unit = np.arange(len(index)) if units is None else units
    size = int(unit.max()) + 1 if len(unit) else 0
    scores = np.zeros(size)
    if not size:
        return scores
    lengths = np.bincount(unit, weights=index.lengths, minlength=size)
    filled = max(int(np.count_nonzero(lengths)), 1)
    norm = k1 * (1 - b + b * lengths / max(float(lengths.sum()) / filled, 1e-9))
    for term in dict.fromkeys(terms):
        passages, counts = index.postings(term)
        held = np.bincount(unit[passages], weights=counts, minlength=size)
        scores += _idf(filled, int(np.count_nonzero(held))) * held * (k1 + 1) / (held + norm)
    return scores


def _as_indexed(index: TermIndex, question: str) -> list[str]:
    """Return the terms of a question, those that stand nowhere in the forms that do: february as feb."""
    code = understand(question).language
    said = forms_in(question, code, index.languages)
    found: list[str] = []
    for term in analyze(question, code):
        # In a document of another language a term has another form beside it, and not in place of it.
        is_there = len(index.postings(term)[0]) and index.languages <= {code}
        forms = [] if is_there else sorted(said.get(term, ()))
        found += [form for form in forms if len(index.postings(form)[0])] or [term]
        found += [term] if found[-1] != term and len(index.postings(term)[0]) else []
    return found


def _bm25(query: Query, using: Run) -> Floats:
    """Return (n_passages,) BM25 scores, nan where no term matches."""
    index = terms_of(using.view)
    scores = bm25(index, _as_indexed(index, query.question))
    return np.where(scores > 0, scores, np.nan)


def _bm25_page(query: Query, using: Run) -> Floats:
    """Return (n_passages,) BM25 scores of the passages' pages as wholes, nan where no term matches."""
    view = using.view
    page = view.page_index[view.passages.start]
    index = terms_of(view)
    scores = bm25(index, _as_indexed(index, query.question), units=page)[page]
    return np.where(scores > 0, scores, np.nan)


def _dense(query: Query, using: Run) -> Floats:
    """Return (n_passages,) cosines with the question."""
    return passage_cosines(query.question, using)


def _dense_page(query: Query, using: Run) -> Floats:
    """Return (n_passages,) mean cosine with the question of the passages on each one's page."""
    page = using.view.page_index[using.view.passages.start]
    totals, counts = np.bincount(page, weights=_dense(query, using)), np.bincount(page)
    return (totals / np.maximum(counts, 1))[page]


def _coverage(query: Query, using: Run) -> Floats:
    """Return (n_passages,) share of the question's terms in each passage, weighed by idf, 0..1; nan for none."""
    index = terms_of(using.view)
    held, total = np.zeros(len(index)), 0.0
    for term in dict.fromkeys(_as_indexed(index, query.question)):
        weight = idf(index, term)
        held[index.postings(term)[0]] += weight
        total += weight
    return np.where(held > 0, held / total if total else 0.0, np.nan)


@dataclasses.dataclass(frozen=True)
class _Kind:
    score: Callable[[Query, Run], Floats]
    needs: frozenset[str]


KINDS: dict[str, _Kind] = {
    "bm25": _Kind(_bm25, frozenset({"passages", "terms"})),
    "bm25_page": _Kind(_bm25_page, frozenset({"passages", "terms"})),
    "coverage": _Kind(_coverage, frozenset({"passages", "terms"})),
    "dense": _Kind(_dense, frozenset({"passages", "vectors"})),
    "dense_page": _Kind(_dense_page, frozenset({"passages", "vectors"})),
}


_SENTENCES = {
    "bm25": "Searched for the question's words",
    "dense": "Searched for what means the same in other words",
}
"""What is said of searches, by kind; the others look at the same again, by whole pages."""


def _search_sentence(step: TraceStep) -> str | None:
    said = _SENTENCES.get(str(step.parameters.get("kind")))
    return f"{said}, and found {share(step)} that fit" if said and step.rows_out else None


@dataclasses.dataclass(frozen=True)
class Search(Step[Query, Evidence]):
    """Score every passage against the question; a block takes the score of its best passage, in the column `kind`.

    Kinds: `bm25` (passages), `bm25_page` (their pages as wholes), `coverage` (share of the question's terms), `dense`
    (cosine of vectors), `dense_page` (mean over the passages of a page).
    """

    sentence: ClassVar[Sentence] = _search_sentence

    kind: str

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"There is no search called {self.kind!r}: choose one of {', '.join(KINDS)}")

    def needs(self) -> frozenset[str]:
        """Return the layers this kind of search reads."""
        return KINDS[self.kind].needs

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(writes={self.kind}, keeps=NEW)

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the blocks of all passages that have a score."""
        return spread(using.view, self.kind, KINDS[self.kind].score(value, using))


def spread(view: View, name: str, scores: Floats, among: PassageTable | SummaryTable | None = None) -> Evidence:
    """Return the content blocks of passages with their best score, in column `name`; nan scores are left out.

    `among` are other runs of blocks than the view's passages.
    """
    passages = view.passages if among is None else among
    if len(scores) != len(passages):
        raise damaged(f"{len(scores)} scores for {len(passages)} passages")
    chosen = np.flatnonzero(~np.isnan(scores))
    start, stop = passages.start[chosen].astype(np.int64), passages.stop[chosen].astype(np.int64)
    sizes = stop - start
    # Row numbers of every passage one after the other: each run counts up from its own start.
    rows = np.repeat(start - np.cumsum(sizes) + sizes, sizes) + np.arange(int(sizes.sum()))
    inside = view.is_content[rows]
    return Evidence.of(view, rows[inside], source=name, **{name: np.repeat(scores[chosen], sizes)[inside]})


VISUAL = "visual"
"""The column of blocks on pages that look like the question: the cosine of the page, or of its best element."""
SEEN = "seen"
"""The source of the figures, charts and tables that were found themselves, and not as parts of their page."""


@dataclasses.dataclass(frozen=True)
class VisualSearch(Step[Evidence, Evidence]):
    """Find the `count` pages that, or elements of which, come nearest to the question in an image-text model's space.

    Without such a model, or where pictures were not embedded with it, nothing is found; a step "skipped" says why.
    """

    declares: ClassVar[Columns] = Columns(writes={VISUAL})
    sentence: ClassVar[Sentence] = found("Searched for pages whose picture fits the question")

    count: int = 4

    def __post_init__(self) -> None:
        if self.count < 1:
            raise UsageError("VisualSearch takes a count of one or more")

    def needs(self) -> frozenset[str]:
        """Return the layer of pictures' vectors, which is only there where an image-text model is named."""
        return frozenset({"visual_vectors"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the content blocks of these pages with the column `visual`, and the columns they came with."""
        view = value.view
        cosines = visual_cosines(view, using)
        pages, elements = view.visuals if len(cosines) else (np.zeros(0, np.int64),) * 2
        best = np.full(int(view.page_starts[-1]), -np.inf)
        seen: list[int] = []
        for at in np.argsort(-cosines, kind="stable").tolist():
            page = int(pages[at])
            is_new = not np.isfinite(best[page])
            if np.isnan(cosines[at]) or (is_new and np.count_nonzero(np.isfinite(best)) == self.count):
                break
            best[page] = max(best[page], cosines[at])
            seen += [int(elements[at])] if elements[at] >= 0 else []
        return _evidence(value, best, seen)


def _evidence(value: Evidence, best: npt.NDArray[np.float64], seen: list[int]) -> Evidence:
    view = value.view
    rows = np.flatnonzero(np.isfinite(best[view.page_index]) & view.is_content)
    found = Evidence.of(view, rows, source=VISUAL, **{VISUAL: best[view.page_index[rows]]})
    found = dataclasses.replace(found, sources={**found.sources, SEEN: np.isin(rows, seen)})
    return found | value.keep(np.isin(value.rows, rows))


def visual_cosines(view: View, using: Run) -> npt.NDArray[np.float64]:
    """Return (n,) the cosine of each of `View.visuals` with the question, nan for what was not drawn.

    None at all where there is no image-text model, or nothing was embedded with it: a step "skipped" says why.
    """
    if using.image_text is None:
        return _skipped(using, "no image-text model is configured")
    try:
        model = using.image_text()
        if is_late(model):
            return _max_sim(view.token_vectors("visual_vectors"), len(view.visuals[0]), model, using)
        vectors = view.vectors("visual_vectors")
        question = model.embed_texts([using.query.question])[0]
    except (CorpusError, ModelError) as fault:
        return _skipped(using, str(fault))
    if vectors.shape != (len(view.visuals[0]), len(question)):
        return _skipped(using, _OTHER)
    return np.where(np.any(vectors != 0, axis=1), (vectors @ question).astype(np.float64), np.nan)


_OTHER = "this was embedded with another model: index the documents again"


def _max_sim(stored: TokenVectors, count: int, model: LateInteraction, using: Run) -> npt.NDArray[np.float64]:
    """Return (count,) how near each item is to the question by late interaction, nan for those without vectors."""
    question = model.embed_questions([using.query.question])[0]
    if len(stored) != count or (len(stored.values) and stored.dimension != question.shape[1]):
        return _skipped(using, _OTHER)
    return stored.max_sim(question)


LATE = "late"
"""The column of blocks: how near their passage is to the question by late interaction, -1..1."""


@dataclasses.dataclass(frozen=True)
class LateSearch(Step[Query, Evidence]):
    """Score blocks by the late interaction of question and passage, as ColBERT does, in the column `late`.

    Without such a model, or where passages were not embedded with it, `otherwise` scores them in its place, in the same
    column; a step "skipped" says why.
    """

    declares: ClassVar[Columns] = Columns(writes={LATE}, keeps=NEW)

    otherwise: str = "dense"

    def needs(self) -> frozenset[str]:
        """Return the layer of passages' many vectors, only there where a model is named, and what stands in for it."""
        return frozenset({"passages", "passage_token_vectors"}) | Search(self.otherwise).needs()

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return all content blocks of passages with the column `late`: a block's best passage."""
        view = using.view
        scores = late_scores(view, using)
        if not len(scores):
            found = Search(self.otherwise).apply(value, using)
            return Evidence.of(view, found.rows, source=LATE, **{LATE: found.scores[self.otherwise]})
        return spread(view, LATE, scores)


def late_scores(view: View, using: Run, *, of_elements: bool = False) -> npt.NDArray[np.float64]:
    """Return (n_passages,) how near each passage is to the question by late interaction, -1..1; none without a model.

    With `of_elements` it is (n_descriptions,) how near what is said of each element is. A step "skipped" says why there
    is none.
    """
    if using.late_interaction is None:
        return _skipped(using, "no model of late interaction is configured")
    layer, count = "passage_token_vectors", len(view.passages)
    if of_elements:
        layer, count = "element_token_vectors", len(view.layer(DESCRIPTIONS_TABLE))
    try:
        return _max_sim(view.token_vectors(layer), count, using.late_interaction(), using)
    except (CorpusError, ModelError) as fault:
        return _skipped(using, str(fault))


def _skipped(using: Run, why: str) -> npt.NDArray[np.float64]:
    using.note(TraceStep(step="skipped", parameters={"why": why}, rows_in=0, rows_out=0, seconds=0.0))
    return np.zeros(0)
