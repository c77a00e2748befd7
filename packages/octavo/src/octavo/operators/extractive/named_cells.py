"""Cells of tables by what a question calls them: the words of their row, of their column's heads, and their period.

A cell is scored by how much of the question its row and column say, and by what these say that the question does not;
what another cell has as much of is not stated.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

from octavo.evidence import View
from octavo.operators.extractive.matching import Matcher
from octavo.operators.extractive.table_axes import CalledCell, TableAxes, axes_of, years_named
from octavo.operators.extractive.table_cells import CALENDAR
from octavo.operators.extractive.unit_scores import ScoredUnit
from octavo.operators.extractive.units import caption_of, content_after, content_before, lead_before
from octavo.operators.score.search import idf, terms_of
from octavo.question import understand
from octavo_documents.document.grid import Grid
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.years import is_of_two_years

_EXCUSED = frozenset(
    analyze(
        "value amount level number figure balance fiscal financial year years period ended end ending company "
        "group firm business entity reported recorded recognised recognized stated given shown table "
        "million thousand billion"
    )
)
"""Terms of a question, or of a label, that need not be said of a cell."""
_WEAK = 0.15
"""What an excused term counts beside others: it tells two rows apart that nothing else does."""
_TOTAL, _TOTAL_WEIGHT = frozenset(analyze("total totals overall")), 0.6
"""A total has the words of what it is the total of: it counts where a row beside it lacks the word, and for little."""
_TELLING = frozenset(("other", "others", "before", "after", "without", "excluding", "including", "non", "not", "per"))
"""Small words of labels that say which of two rows is meant, though they say nothing of what it is about."""
_IN_BRACKETS = lazy_regex(r"\([^()]*\)")


_TABLES = 4
"""Tables that a question is tried on, those of the best units."""
LEAST_MARGIN = 0.08
"""What the score of the cell that is named is ahead of all others; chosen by hand on one half of TAT-QA's notes."""


def tables_of(view: View, units: Sequence[ScoredUnit]) -> list[int]:
    """Return the blocks of the tables of the best units, each once, the first few; none that was read in a picture."""
    blocks = list(dict.fromkeys(one.unit.row for one in units if one.unit.is_table_row))[:_TABLES]
    places = [view.locate_page(int(view.page_index[block])) for block in blocks]
    return [
        block
        for block, (document, number) in zip(blocks, places, strict=True)
        if not view.documents[document].pages.is_scanned[number - 1]
    ]


@dataclasses.dataclass(frozen=True)
class MeantCell:
    """A cell that a question may mean, and what speaks for it, each 0..1.

    `said`: the share of the question that its row, its column and what stands over the table say;
    `row_unsaid` and `column_unsaid`: the share of its label, of what tells its heads from others, that is not asked;
    `aside_unsaid`: the share of the rows over it, and of what its label has in brackets, that is not asked;
    `elsewhere`: the share of the question that other rows or columns of its table say, and not its own;
    `missing`: the share that nothing of the table says, and `unknown` what of it the text beside it does not say.
    """

    block: int
    cell: CalledCell
    said: float
    row_unsaid: float
    column_unsaid: float
    aside_unsaid: float
    elsewhere: float
    missing: float
    unknown: float
    is_of_years: bool
    """Whether it is of the years asked for; one that is may be told by a row or a column of no year."""

    @property
    def score(self) -> float:
        """How well it is named, about -1 to 1."""
        return self.said - 0.5 * self.row_unsaid - 0.4 * self.column_unsaid - 0.1 * self.aside_unsaid


class CellNamer:
    """What a question calls the cells of tables by: its terms, but for years and what asks, with their weights.

    `years` are those a cell may be of, all where there are none; `of` are the question's words that name cells.
    """

    def __init__(self, question: str, view: View, of: str | None = None, years: frozenset[str] | None = None) -> None:
        self.view, self.index, self.question = view, terms_of(view), question
        self._weights: dict[str, float] = {}
        self._told_beside: dict[int, frozenset[str]] = {}
        self.matcher = Matcher.of(understand(question), view)
        self.years = years_named(question) if years is None else years
        text = question if of is None else of
        said = years_named(text)
        self.asked = {term: self._weight(term) for term in self._terms(text) if term not in said}
        self.total = sum(self.asked.values())

    def _weight(self, term: str) -> float:
        if term not in self._weights:
            is_weak = term in _EXCUSED or term in CALENDAR
            known = 0.0 if is_weak else idf(self.index, term)
            least = _TOTAL_WEIGHT if term in _TOTAL else 1.0 if term in _TELLING else 0.3
            self._weights[term] = _WEAK if is_weak else least if term in _TOTAL else max(known, least)
        return self._weights[term]

    def _terms(self, text: str) -> list[str]:
        small = [word for word in re.findall(r"[a-z]+", text.lower()) if word in _TELLING]
        return [*self.matcher.terms(text), *small]

    def terms(self, text: str) -> frozenset[str]:
        """Return the terms of a label or head, years left out."""
        years = years_named(text)
        return frozenset(term for term in self._terms(text) if term not in years)

    def share(self, terms: Iterable[str]) -> float:
        """Return the weight of the question's terms among these, 0..1 of all."""
        return sum(self.asked.get(term, 0.0) for term in terms) / self.total if self.total else 0.0

    def unsaid(self, terms: Iterable[str]) -> float:
        """Return the weight of terms that the question does not say, 0..1 of all of them."""
        weights = {term: self._weight(term) for term in terms}
        every = sum(weights.values())
        return sum(weight for term, weight in weights.items() if term not in self.asked) / every if every else 0.0

    def among(self, blocks: Sequence[int]) -> list[MeantCell]:
        """Return the cells of several tables that a question may mean, the best named first."""
        return sorted((one for block in blocks for one in self.named(block)), key=lambda one: -one.score)

    def named(self, block: int) -> list[MeantCell]:
        """Return the cells of a table's block that a question may mean, the best named first."""
        axes = axes_of(Grid.from_json(self.view.blocks.grid[block]))
        over = self.over(block, axes)
        told = {text for one in axes.cells for text in (one.label, one.head, *one.over)}
        every = frozenset[str]().union(*map(self.terms, told))
        cells = self._of_years(axes, over)
        shared = {at: self._shared(cells, at) for at in {cell.row for cell in cells}}
        found = [self._named(block, cell, over, every, shared[cell.row]) for cell in cells]
        return sorted(found, key=lambda one: -one.score)

    def over(self, block: int, axes: TableAxes) -> str:
        """Return what stands over a table: its headings, caption and corner, and what its document is called."""
        view = self.view
        document = view.documents[int(view.document[block])]
        beside = [row for row in (caption_of(view, block), lead_before(view, block)) if row >= 0]
        told = (document.name, document.title, *view.blocks.section_path(block), axes.corner)
        return "\n".join((*told, *(view.blocks.text[row] for row in beside)))

    def _beside(self, block: int) -> frozenset[str]:
        """Return the terms of the blocks right before and after a table."""
        if block not in self._told_beside:
            found = [content_before(self.view, block), content_after(self.view, block)]
            told = "\n".join(self.view.blocks.text[row] for row in found if row >= 0)
            self._told_beside[block] = self.terms(told)
        return self._told_beside[block]

    def _of_years(self, axes: TableAxes, over: str) -> list[CalledCell]:
        """Return the cells of the years that are asked for, and those of none; all where none is asked for."""
        if not self.years:
            return list(axes.cells)
        told = years_named(over)
        if is_of_two_years(over, self.question):
            return []
        return [
            cell
            for cell in axes.cells
            if (cell.years or told) <= self.years and not is_of_two_years(f"{cell.head} {cell.label}", self.question)
        ]

    def _shared(self, cells: Sequence[CalledCell], row: int) -> frozenset[str]:
        """Return the terms that all heads over a row have: they tell none of its cells apart."""
        heads = [self.terms(cell.head) for cell in cells if cell.row == row]
        return heads[0].intersection(*heads[1:]) if heads else frozenset()

    def _named(
        self, block: int, cell: CalledCell, over: str, every: frozenset[str], shared: frozenset[str]
    ) -> MeantCell:
        label, head, above = self.terms(cell.label), self.terms(cell.head), self.terms(" ".join(cell.over))
        called = self.terms(_without_brackets(cell.label)) or label
        own = label | head | above | self.terms(over)
        asked = frozenset(self.asked)
        nowhere = asked - own - every - _EXCUSED
        return MeantCell(
            block,
            cell,
            self.share(own),
            self.unsaid(named_apart(called)),
            self.unsaid(named_apart(head - shared)),
            self.unsaid(named_apart(above | (label - called))),
            self.share((asked & every) - own),
            self.share(nowhere),
            self.share(nowhere - self._beside(block)),
            not self.years or bool(cell.years or years_named(over)),
        )

    def thing(self, cell: CalledCell) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """Return what a cell is of, whatever its period: its row, its column and the rows over it, as terms."""
        return (
            named_apart(self.terms(cell.label)),
            named_apart(self.terms(cell.head)),
            self.terms(" ".join(cell.over)),
        )


def _without_brackets(label: str) -> str:
    """Return a label without what it has in brackets, brackets within them too."""
    while (shorter := _IN_BRACKETS.sub(" ", label)) != label:
        label = shorter
    return label


def named_apart(terms: frozenset[str]) -> frozenset[str]:
    """Return terms without those of dates."""
    return frozenset(term for term in terms if term not in CALENDAR and not term.isdigit())


def cells_of_thing(namer: CellNamer, found: Sequence[MeantCell], least: float) -> list[MeantCell]:
    """Return the cells of one thing over periods, in one row or column; none where another is named nearly as well."""
    best = found[0]
    thing = namer.thing(best.cell)
    alike = [one for one in found if namer.thing(one.cell) == thing]
    rows = [one for one in alike if (one.block, one.cell.row) == (best.block, best.cell.row)]
    columns = [one for one in alike if (one.block, one.cell.column) == (best.block, best.cell.column)]
    group = rows if len(rows) > 1 else columns
    own = {id(one) for one in group}
    rival = max((one.score for one in found if id(one) not in own), default=-1.0)
    return group if best.score - rival >= least else []


def by_year(group: Sequence[MeantCell]) -> dict[str, MeantCell]:
    """Return cells by the one year that each is of; none where two are of one, or one is of several or of none."""
    found = {next(iter(one.cell.years)): one for one in group if len(one.cell.years) == 1}
    return found if len(found) == len(group) else {}


def margin(found: Sequence[MeantCell]) -> float:
    """Return what the best cell is ahead of the next with another text, at most 1."""
    best = found[0]
    others = [one.score for one in found[1:] if one.cell.text != best.cell.text]
    return min(best.score - max(others), 1.0) if others else 1.0
