"""The document map: documents, their sections, the pages of these, and the elements on each page (DMAP section 3.2).

A page belongs to every section that has a block on it, and to the sections above these. Where a document has no outline
its sections are stretches of pages about one topic, cut where the pages before and after are least alike (Hearst, 1997,
TextTiling: depth of valleys). The map of the paper's own plan has the outline that was grown page by page (layer
`document_map`). Pages are read in the order of the union of retrieval paths (equation 9), or as a model chose them.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from octavo.evidence import Evidence, View
from octavo.evidence.layer_tables import LayerTable
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.keep import READ_FIRST, RELEVANCE, best_of
from octavo.operators.read.image_evidence import LOCATED, NAMED_ELEMENT
from octavo.operators.score.fuse import FUSED, scaled
from octavo.operators.score.search import VISUAL
from octavo.operators.sentence_forms import Sentence, silent
from octavo.question import understand
from octavo_documents.document import Rows
from octavo_documents.text.analyzer import coverages
from octavo_documents.text.lines import on_one_line
from octavo_methods.dmap.grown_map import GrownMap

_LEAST_HEADINGS = 2
"""Fewer than so many headings are no outline."""
_TITLE_CHARACTERS = 120
Vectors = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]
_BESIDE = 2
"""Pages on either side of a gap that are compared."""
_LEAST = 2
"""Pages that a topic has."""
_LEAST_DEPTH = 0.05
"""Cosine that a valley must be deep, whatever the others are like."""


@dataclasses.dataclass(frozen=True, slots=True)
class Section:
    """A section of one document: its pages are page indices, both included; `depth` is 1 at the top.

    `row` is that of its heading, -1 where the section was told by topic; `parent` is the number of the section above
    in the map, -1 at the top. A section that an agent found has a `number`, and may go round some pages: `without`.
    """

    title: str
    first: int
    last: int
    depth: int = 1
    row: int = -1
    parent: int = -1
    number: str = ""
    without: frozenset[int] = frozenset[int]()

    @property
    def pages(self) -> Sequence[int]:
        """The page indices of the section."""
        every = range(self.first, self.last + 1)
        return [page for page in every if page not in self.without] if self.without else every


class DocumentMap:
    """Sections in reading order, each after the one above it, with the pages and elements they hold."""

    def __init__(self, view: View, sections: Sequence[Section]) -> None:
        """Take a view and the sections of its documents."""
        self.view = view
        self.sections = tuple(sections)

    @classmethod
    def of(cls, view: View) -> DocumentMap:
        """Return the map of a view, made once: of each document's outline, or its topics where it has none."""
        return view.derived(_map_of)

    @classmethod
    def grown(cls, view: View) -> DocumentMap:
        """Return the map as it was grown page by page (equation 5), made once; by topics where it has no outline."""
        return view.derived(_grown_map_of)

    @cached_property
    def first(self) -> Rows:
        """(n_sections,) int64 page index of each section's first page."""
        return np.array([section.first for section in self.sections], np.int64)

    @cached_property
    def last(self) -> Rows:
        """(n_sections,) int64 page index of each section's last page."""
        return np.array([section.last for section in self.sections], np.int64)

    @cached_property
    def depth(self) -> Rows:
        """(n_sections,) int64 depth of each section, 1 at the top."""
        return np.array([section.depth for section in self.sections], np.int64)

    def sections_on(self, page: int) -> list[int]:
        """Return the numbers of the sections a page belongs to, the deepest first, those above them included."""
        found = np.flatnonzero((self.first <= page) & (page <= self.last))
        ordered: list[int] = found[np.argsort(-self.depth[found], kind="stable")].tolist()
        return [number for number in ordered if page not in self.sections[number].without]

    def innermost(self, page: int) -> list[int]:
        """Return the sections of a page that have none inside them which the page belongs to."""
        found = self.sections_on(page)
        above = {self.sections[number].parent for number in found}
        return [number for number in found if number not in above]

    def number_of(self, row: int) -> int | None:
        """Return the number of the section whose heading is this row, None where there is none."""
        return self._numbers.get(row)

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {section.row: number for number, section in enumerate(self.sections) if section.row >= 0}

    # What is near

    def widened(self, pages: Iterable[int]) -> Iterator[tuple[str, list[int]]]:
        """Yield, step by step, the pages around some pages and what each step is called; pages given are left out.

        First those of the same sections, then of the sections above, and last the pages before and after.
        """
        known = sorted(set(pages))
        numbers = {number for page in known for number in self.innermost(page)}
        yield "section", self._others(numbers, known)
        while numbers := {self.sections[number].parent for number in numbers} - {-1}:
            yield "parent", self._others(numbers, known)
        yield "neighbours", self._beside(known)

    def _others(self, numbers: Iterable[int], known: Sequence[int]) -> list[int]:
        return sorted({page for number in numbers for page in self.sections[number].pages}.difference(known))

    def _beside(self, known: Sequence[int]) -> list[int]:
        starts = self.view.page_starts
        near = set[int]()
        for page in known:
            document, _ = self.view.locate_page(page)
            near.update(other for other in (page - 1, page + 1) if starts[document] <= other < starts[document + 1])
        return sorted(near.difference(known))


def _map_of(view: View) -> DocumentMap:
    return DocumentMap(view, [*_sections(view)])


def _grown_map_of(view: View) -> DocumentMap:
    return DocumentMap(view, [*_grown_sections(view)])


def _sections(view: View) -> Iterator[Section]:
    count = 0
    headings = view.sections()
    for at in range(len(view.documents)):
        rows = view.rows_of(at)
        own = headings[(headings >= rows.start) & (headings < rows.stop)]
        found = _outlined(view, own, count) if len(own) >= _LEAST_HEADINGS else _sections_by_topic(view, at)
        yield from found
        count += len(found)


def _outlined(view: View, headings: Rows, count: int) -> list[Section]:
    """Return the sections that the headings of one document open; those before it in the map are `count`."""
    blocks, page = view.blocks, view.page_index
    numbers: dict[int, int] = {}
    found: list[Section] = []
    for row in headings.tolist():
        parent = numbers.get(int(blocks.parent[row]), -1)
        depth = 1 if parent < 0 else found[parent - count].depth + 1
        title = on_one_line(blocks.text[row])
        numbers[row] = count + len(found)
        found.append(Section(title, int(page[row]), int(page[blocks.end[row] - 1]), depth, row, parent))
    return found


_GROWN: LayerTable[list[GrownMap]] = LayerTable("document_map", GrownMap.from_bytes, lambda each, _first: each)


def grown_maps(view: View) -> list[GrownMap]:
    """Return the map of each document as it was grown page by page."""
    return view.layer(_GROWN)


def _grown_sections(view: View) -> Iterator[Section]:
    count = 0
    for at, grown in enumerate(grown_maps(view)):
        found = _as_grown(grown, int(view.page_starts[at]), count) or _sections_by_topic(view, at)
        yield from found
        count += len(found)


def _as_grown(grown: GrownMap, start: int, count: int) -> list[Section]:
    """Return the sections of one document's map; `start` is the index of its first page, `count` those before it."""
    numbers = {one.path: at for at, one in enumerate(grown.sections, count)}
    found: list[Section] = []
    for one in grown.sections:
        above = (numbers[one.path[:depth]] for depth in range(len(one.path) - 1, 0, -1) if one.path[:depth] in numbers)
        parent = next(above, -1)
        pages = [start + page - 1 for page in one.pages]
        around = frozenset(range(pages[0], pages[-1] + 1)).difference(pages)
        depth = 1 if parent < 0 else found[parent - count].depth + 1
        found.append(Section(one.title, pages[0], pages[-1], depth, -1, parent, one.number, around))
    return found


def _sections_by_topic(view: View, document: int) -> list[Section]:
    """Return the stretches of pages about one topic, each called by what is printed largest on its first page."""
    start = int(view.page_starts[document])
    return [
        Section(_largest(view, start + first), start + first, start + last)
        for first, last in topics_of(_page_vectors(view, document))
    ]


def _page_vectors(view: View, document: int) -> npt.NDArray[np.float32]:
    """Return (n_pages, dimension) the sum of the vectors of the passages on each page of a document."""
    vectors, passages = view.vectors("vectors"), view.passages
    page = view.page_index[passages.start] - view.page_starts[document]
    count = len(view.documents[document].pages)
    own = (page >= 0) & (page < count)
    summed = np.zeros((count, vectors.shape[1] if vectors.ndim == 2 else 0), np.float32)
    np.add.at(summed, page[own], vectors[own])
    return summed


def _largest(view: View, page: int) -> str:
    """Return the words printed largest on a page, shortened; the first where several are alike."""
    span = view.page_rows(page)
    rows = [row for row in range(span.start, span.stop) if view.is_content[row] and view.blocks.text[row].strip()]
    if not rows:
        return f"page {view.locate_page(page)[1]}"
    best = max(rows, key=lambda row: (float(view.blocks.size[row]), -row))
    return on_one_line(view.blocks.text[best])[:_TITLE_CHARACTERS]


def topics_of(vectors: Vectors) -> list[tuple[int, int]]:
    """Return (first, last) rows of each stretch about one topic, both included, that together cover all rows.

    Args:
        vectors: (n, dimension), a row for each page in order; a row of zeros, for a page without words, is like any.
    """
    count = len(vectors)
    if not count:
        return []
    starts = [0, *_cuts(_depths(_likeness(vectors))), count]
    return [(first, after - 1) for first, after in itertools.pairwise(starts)]


def _likeness(vectors: Vectors) -> Floats:
    """Return (n - 1,) the cosine of the pages before each gap with those after; nan where either has no words."""
    found = np.full(max(len(vectors) - 1, 0), np.nan)
    for gap in range(len(found)):
        before = vectors[max(gap + 1 - _BESIDE, 0) : gap + 1].sum(axis=0)
        after = vectors[gap + 1 : gap + 1 + _BESIDE].sum(axis=0)
        length = float(np.linalg.norm(before) * np.linalg.norm(after))
        if length > 0:
            found[gap] = float(before @ after) / length
    return np.nan_to_num(found, nan=float(np.nanmean(found)) if not np.isnan(found).all() else 1.0)


def _depths(likeness: Floats) -> Floats:
    """Return (n,) how far each value lies under the peaks that rise from it on both sides, together."""
    depths = np.zeros(len(likeness))
    for at, value in enumerate(likeness):
        left = right = at
        while left > 0 and likeness[left - 1] >= likeness[left]:
            left -= 1
        while right < len(likeness) - 1 and likeness[right + 1] >= likeness[right]:
            right += 1
        depths[at] = likeness[left] + likeness[right] - 2 * value
    return depths


def _cuts(depths: Floats) -> list[int]:
    """Return the rows that begin a topic: after gaps deeper than most, the deepest first where two are too near."""
    least = max(float(depths.mean() + depths.std() / 2), _LEAST_DEPTH) if len(depths) else 0.0
    chosen: list[int] = []
    for gap in np.argsort(-depths, kind="stable").tolist():
        start = gap + 1
        is_apart = all(abs(start - other) >= _LEAST for other in (*chosen, 0, len(depths) + 1))
        if depths[gap] > least and is_apart:
            chosen.append(start)
    return sorted(chosen)


_MOST = 4
"""Pages that are sure to be read."""
_FEW_WORDS = 12


@dataclasses.dataclass(frozen=True)
class InterleaveRankings(Step[Evidence, Evidence]):
    """Rank the pages that have a score in any column: all of the column `first`, then by turns the best of the others.

    The column `relevance` counts down from the number of pages; within a page blocks are ordered by the column
    `within`, those the question names itself first. The question's limit caps the pages.
    """

    sentence: ClassVar[Sentence] = silent

    first: str = LOCATED
    others: tuple[str, ...] = (RELEVANCE, VISUAL)
    within: str = FUSED

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(uses={self.first, *self.others, self.within}, writes={RELEVANCE})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows on the chosen pages, with their relevance."""
        page = value.view.page_index[value.rows]
        pages = [*_ranked(value, self.first), *_by_turns([_ranked(value, name) for name in self.others])]
        order = list(dict.fromkeys(pages))[: max(using.query.limit, 0)]
        place = np.full(int(value.view.page_starts[-1]), -1)
        place[order] = np.arange(len(order), 0, -1)
        chosen = place[page] > 0
        return value.with_score(RELEVANCE, place[page] + 0.9 * self._own(value)).keep(chosen)

    def _own(self, value: Evidence) -> npt.NDArray[np.float64]:
        """Return (n,) what puts blocks of one page in order, 0..1."""
        own = np.nan_to_num(scaled(value.scores[self.within])) if self.within in value.scores else np.zeros(len(value))
        return np.where(value.sources.get(NAMED_ELEMENT, np.zeros(len(value), np.bool_)), 1.0, own)


def _ranked(value: Evidence, column: str) -> list[int]:
    """Return the pages with a score in a column, best first."""
    if column not in value.scores:
        return []
    best = best_of(value, np.nan_to_num(value.scores[column], nan=-np.inf), missing=-np.inf)
    return np.argsort(-best, kind="stable")[: np.count_nonzero(best > -np.inf)].tolist()


def _by_turns(lists: Sequence[Sequence[int]]) -> Iterator[int]:
    for at in range(max(map(len, lists), default=0)):
        yield from (ranked[at] for ranked in lists if at < len(ranked))


def read_first(value: Evidence, pages: Sequence[int], wanted: str) -> Evidence:
    """Return the evidence with a block of each of the first four page indices to be read first.

    It is the one that says most of what is wanted.
    """
    terms = understand(wanted).terms
    on = value.view.page_index[value.rows]
    texts = [value.view.blocks.text[row] for row in value.rows.tolist()]
    shares = np.array(coverages(terms, texts))
    first = value.scores.get(READ_FIRST, np.full(len(value), np.nan)).copy()
    for page in pages[:_MOST]:
        own = [at for at in np.flatnonzero(on == page).tolist() if texts[at].strip()]
        if own:
            first[max(own, key=lambda at: (shares[at], -at))] = 1.0
    return value.with_score(READ_FIRST, first)


def hardly_in_words(value: Evidence) -> list[int]:
    """Return the page indices that are read first although they have hardly any words: to be looked at as a whole."""
    first = value.scores.get(READ_FIRST)
    if first is None:
        return []
    view, found = value.view, list[int]()
    for page in dict.fromkeys(view.page_index[value.rows[~np.isnan(first)]].tolist()):
        span = view.page_rows(page)
        words = " ".join(view.blocks.text[row] for row in range(span.start, span.stop) if view.is_content[row])
        found += [page] if len(words.split()) < _FEW_WORDS else []
    return found
