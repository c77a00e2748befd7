"""Where an answer may stand: sections that the graph, the outline or a search leads to, and blocks that filters leave.

BookRAG equations 3 (entities linked by normal form, acronym and vectors) and 5 (selectors). A selector returns the
content blocks of whole sections, marked with the source `selected`. A global question goes through the blocks that
nested filters leave, by place, by kind and by topic (equations 4 and 12).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from octavo.decisions.engine import shorten
from octavo.decisions.select_sections import SELECT_SECTIONS, OutlineLine, SectionsInput
from octavo.evidence import Evidence, Query, View
from octavo.models.language import Picture, is_small
from octavo.operators.columns import NEW, Columns, Given
from octavo.operators.core import Operator, QueryStep, Run, Step
from octavo.operators.extractive.units import caption_of
from octavo.operators.read.image_evidence import ELEMENTS, drawn, graphic_of, is_axis
from octavo.operators.score.fuse import FUSED
from octavo.operators.score.refer import rows_with, spellings
from octavo.operators.sentence_forms import Sentence, always, found, kept
from octavo.question import Question, understand
from octavo_documents.document import BlockTable, Document, FigureKind, Kind, Mask, Rows
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.names import is_short_for, normal_form
from octavo_documents.text.things import canonical
from octavo_methods.bookrag.decisions.extract_question_entities import EXTRACT_QUESTION_ENTITIES, EntitiesInput
from octavo_methods.bookrag.decisions.satisfies_topic import SATISFIES_TOPIC, TopicItem, TopicQuestion
from octavo_methods.bookrag.reasoning import ENTITIES, TEXT, NamedGraph, vectors_of

SELECTED = "selected"
"""Source: rows that a selector let through."""
_VALUES = ("date", "quantity")
"""Types of entities that are values and name nothing."""
_MOST_LOOKED_AT = 400
"""Blocks from which sections are taken: what scores lower promises nothing."""


@dataclasses.dataclass(frozen=True)
class Extract(QueryStep):
    """Link the entities of the plan, else those a decision extracts, to entities of the graph (equation 3).

    A name is linked to the entities that have it, else to those it is short for or that are short for it; dates and
    quantities are no named entities and link to nothing. What a question says without naming it is caught by the
    `nearest` entities to the question itself, whose vectors have a cosine of `least` or more with it. `graph` is the
    layer of the graph.
    """

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = always("Looked up the names in the question among those of the document")

    nearest: int = 3
    least: float = 0.3
    graph: str = ENTITIES

    def needs(self) -> frozenset[str]:
        """Return the layers of the graph."""
        return frozenset({self.graph, *([vectors_of(self.graph)] if self.nearest else [])})

    def apply(self, value: Query, using: Run) -> Query:
        """Return the query with its entities, and the rows of those found in the graph."""
        graph = NamedGraph.of(using.view, self.graph)
        if not len(graph.graph):
            return dataclasses.replace(value, linked=(), near=())
        names = value.entities or _entities_in(value.question, using)
        types = graph.graph.entities.type
        rows = [row for name in names for row in entities_named(graph, name) if types[row] not in _VALUES]
        near = self._near(value.question, using) if self.nearest else []
        return dataclasses.replace(
            value, entities=tuple(names), linked=tuple(dict.fromkeys(rows)), near=tuple(dict.fromkeys(near))
        )

    def details(self, result: Query, using: Run) -> Mapping[str, Any]:
        """Return the names of the entities that were found, by name and by nearness."""
        names = NamedGraph.of(using.view, self.graph).graph.entities.name
        near = {"near": [names[row] for row in result.near]} if result.near else {}
        return {"found": [names[row] for row in result.linked], **near}

    def _near(self, question: str, using: Run) -> list[int]:
        cosines = using.view.vectors(vectors_of(self.graph)) @ using.vectors([question])[0]
        best = np.argsort(-cosines, kind="stable")[: self.nearest]
        return [int(row) for row in best if cosines[row] >= self.least]


def entities_named(graph: NamedGraph, name: str) -> list[int]:
    """Return the entities that have a name: equal normal forms, else an acronym and what it is short for."""
    exact = graph.by_form.get(normal_form(name), [])
    return exact or list(_by_initials(graph, name))


def _by_initials(graph: NamedGraph, name: str) -> Iterator[int]:
    """Yield the entities that a name in capitals is short for, or that are short for a name of several words."""
    letter = name[:1].casefold()
    if " " in name:
        yield from (row for row, other in graph.shorts.get(letter, ()) if is_short_for(other, name))
    elif name.isupper() and len(name) > 1:
        yield from (row for row, other in graph.longs.get(letter, ()) if is_short_for(name, other))


def _entities_in(question: str, using: Run) -> tuple[str, ...]:
    return using.judge.decide(EXTRACT_QUESTION_ENTITIES, EntitiesInput(question)).output.all


@dataclasses.dataclass(frozen=True)
class SelectByEntity(Step[Query, Evidence]):
    """Select the subtrees of the sections that mention the linked entities; none when nothing is linked.

    The section of a block is its nearest section, or, for a `depth` of 1 or more, the one at that depth above it,
    counted in sections from the outside. Blocks in no section stand for themselves.
    """

    declares: ClassVar[Columns] = Columns(keeps=NEW)
    sentence: ClassVar[Sentence] = found("Went to the sections that speak of these names")

    depth: int = 0
    graph: str = ENTITIES

    def needs(self) -> frozenset[str]:
        """Return the layer of the graph."""
        return frozenset({self.graph})

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the content blocks of the sections."""
        view = using.view
        linked = np.array(value.linked, np.int64)
        mentioned = NamedGraph.of(view, self.graph).blocks_of(linked) if len(linked) else linked
        roots = section_of(view.blocks, mentioned, self.depth)
        return Evidence.where(view, view.within(roots.tolist()) & view.is_content, source=SELECTED)


def section_of(blocks: BlockTable, rows: Rows, depth: int = 0) -> Rows:
    """Return the distinct sections that rows stand in, ascending.

    For a depth of 1 or more it is the ancestor at that depth, or the nearest section where that is higher up.
    """
    nearest = np.unique(nearest_sections(blocks, rows))
    if depth < 1:
        return nearest
    paths = ([*blocks.ancestors(row), row] for row in nearest.tolist())
    return np.unique(np.array([path[min(depth, len(path)) - 1] for path in paths], np.int64))


def nearest_sections(blocks: BlockTable, rows: Rows) -> Rows:
    """Return (n,) the heading over each row, a heading's own row, and the row itself where it is in no section."""
    above = blocks.parent[rows].astype(np.int64)
    return np.where((blocks.kind[rows] == Kind.HEADING) | (above < 0), rows, above)


@dataclasses.dataclass(frozen=True)
class SelectBySection(Step[Query, Evidence]):
    """Select the subtrees of the sections, `limit` at most, that a decision chooses; everything without an outline."""

    declares: ClassVar[Columns] = Columns(keeps=NEW)
    sentence: ClassVar[Sentence] = found("Chose sections whose titles fit the question")

    limit: int = 5

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the content blocks of the chosen sections, or of the whole view."""
        view = using.view
        outline = outline_of(view)
        if not outline:
            return Evidence.where(view, view.is_content, source=SELECTED)
        chosen = using.judge.decide(SELECT_SECTIONS, SectionsInput(value.question, outline, self.limit)).output.sections
        return Evidence.where(view, view.within(chosen) & view.is_content, source=SELECTED)


def outline_of(view: View) -> tuple[OutlineLine, ...]:
    """Return every section of the view with its row as id, its depth counted in sections, and its pages."""
    blocks, depths, lines = view.blocks, dict[int, int](), list[OutlineLine]()
    for row in view.sections().tolist():
        depths[row] = depths.get(int(blocks.parent[row]), 0) + 1
        last = int(blocks.page[int(blocks.end[row]) - 1])
        title = on_one_line(blocks.text[row])
        lines.append(OutlineLine(row, title, depths[row], int(blocks.page[row]), last))
    return tuple(lines)


@dataclasses.dataclass(frozen=True)
class SelectByScent(Operator[Query, Evidence]):
    """Select the subtrees of the `count` sections in which the best blocks of a search stand, by the column `by`."""

    declares: ClassVar[Columns] = Columns(keeps=NEW)
    sentence: ClassVar[Sentence] = found("Chose the sections that most likely hold the answer")

    search: Operator[Query, Evidence]
    count: int = 16
    by: str = FUSED

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

    def after(self, given: Given = None) -> Given:
        """Return no column; the search has to give the one that ranks."""
        Columns(reads={self.by}).after(type(self).__name__, self.search.after({}))
        return super().after(given)

    def __call__(self, value: Query, using: Run) -> Evidence:
        """Return the content blocks of the sections; the search is inside this step in the trace."""
        timer = using.timer()
        inner = dataclasses.replace(using, trace=[], on_step=None)
        view, found = using.view, self.search(value, inner)
        best = found.rows[found.ranking(self.by)[:_MOST_LOOKED_AT]] if len(found) else found.rows
        sections = list(dict.fromkeys(nearest_sections(view.blocks, best).tolist()))[: self.count]
        selected = view.within(sections) & view.is_content
        evidence = Evidence.where(view, selected, source=SELECTED)
        told = {"count": self.count, "by": self.by}
        using.note(timer.step("SelectByScent", told, (len(view), len(evidence)), inner.trace))
        return evidence


RANGED = "ranged"
"""Source: blocks of a range, all of which are read."""
ITEM = "item"
"""Source: blocks of a kind that the question goes through one by one."""
IN_PART = "in_part"
"""Source: items beside which there are others that nobody looked at."""
_MOST_TOKENS = 240
"""Of an item that is read."""
_CHAPTER = re.compile(r"\s*chapter\b", re.IGNORECASE)
"""How the heading of a chapter begins."""
_DIVISIONS = ("section", "chapter")
_MAYBE_CHARTS = (FigureKind.OTHER, FigureKind.DIAGRAM)
"""Sorts of figure that may be a chart."""


@dataclasses.dataclass(frozen=True)
class Everything(Step[Query, Evidence]):
    """Take every content block of the view: what filters start from."""

    declares: ClassVar[Columns] = Columns(keeps=NEW)

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return all blocks but page headers and footers."""
        return Evidence.where(using.view, using.view.is_content)


@dataclasses.dataclass(frozen=True)
class FilterRange(Step[Evidence, Evidence]):
    """Keep the blocks on the pages and in the sections the question names (Filter_Range, equation 4).

    Pages are numbered as they are printed where the whole range is printed on pages, else as they are counted; "the
    first ten pages" are counted. A filter that is empty lets everything through, and so does one that names nothing
    there is, unless `strict`.
    """

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = kept("Kept what stands on the pages asked for")

    strict: bool = False

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows in range."""
        query, view = using.query, value.view
        inside = np.ones(len(view), np.bool_)
        filters = (
            (query.pages, on_named_pages(view, query)),
            (query.sections, in_named_sections(view, query.sections)),
        )
        for named, mask in filters:
            if mask.any() or (self.strict and named):
                inside &= mask
        return value.keep(inside[value.rows])


@dataclasses.dataclass(frozen=True)
class WholeRange(Step[Evidence, Evidence]):
    """Take every block on the pages and in the sections a question names, for a model that goes through all of them.

    Nothing where it names none, and where no model reads, or only a small one: a rule reads what is likeliest.
    """

    declares: ClassVar[Columns] = Columns()

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows in range with the source `ranged`, or none."""
        model = using.judge.model_for("answer_from_evidence")
        if model is None or is_small(model) or not (using.query.pages or using.query.sections):
            return value.keep(np.zeros(len(value), np.bool_))
        kept = FilterRange(strict=True).apply(value, using)
        return dataclasses.replace(kept, sources={**kept.sources, RANGED: np.ones(len(kept), np.bool_)})


@dataclasses.dataclass(frozen=True)
class FilterModal(Step[Evidence, Evidence]):
    """Keep the blocks of the kinds the question goes through, as items (Filter_Modal); none when it names no kind.

    A chart is one of the figures. For charts, figures of no told sort stand in where nothing is told to be a chart, and
    come along where a model that sees judges them. Of
    chapters and sections, the outermost ones in range are kept, of subsections those right inside them. With `strict`
    it is equation 4: the kinds are taken as they are planned, and where none is, every row stays.
    """

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = kept("Kept the tables, figures or texts asked for")

    strict: bool = False

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows of the kinds, with the source `item`; nothing when there is no such block."""
        kinds, question = using.query.kinds, understand(using.query.question)
        if self.strict:
            return _as_items(value.of_kind(*kinds)) if kinds else value
        if kinds == (Kind.HEADING,):
            kept = _outline(value, question)
        elif Kind.CHART in kinds and not question.says_pictures:
            kept = value.of_kind(*(kind for kind in kinds if kind is not Kind.FIGURE))
            if not len(kept.of_kind(Kind.CHART)) or using.judge.has_model(SATISFIES_TOPIC.name, "vision"):
                kept |= value.keep(_may_be_chart(value))
        else:
            kept = value.of_kind(*kinds, *([Kind.CHART] if question.says_figures else []))
        return _as_items(kept)


def _as_items(evidence: Evidence) -> Evidence:
    return dataclasses.replace(evidence, sources={**evidence.sources, ITEM: np.ones(len(evidence), np.bool_)})


# Pages and sections


def on_named_pages(view: View, query: Query) -> Mask:
    """Return (n_rows,) bool: on the pages of a query, in every document."""
    counted = understand(query.question).pages_by_place
    mask = np.zeros(len(view), np.bool_)
    for at, document in enumerate(view.documents):
        for first, last in query.pages:
            mask |= view.on_pages(_physical(document, first, last, counted=counted), document=at)
    return mask


def _physical(document: Document, first: int, last: int, *, counted: bool) -> Sequence[int]:
    """Return the physical pages of a range: by printed numbers when both its ends are printed, else counted."""
    printed = {canonical(label): page for page, label in reversed(list(enumerate(document.pages.label, 1)))}
    ends = printed.get(str(first)), printed.get(str(last))
    if counted or ends[0] is None or ends[1] is None or ends[0] > ends[1]:
        return range(first, last + 1)
    return range(ends[0], ends[1] + 1)


def in_named_sections(view: View, names: Sequence[str]) -> Mask:
    """Return (n_rows,) bool: inside the sections with these titles or numbers."""
    return view.within(row for name in names for row in sections_named(view, name))


def sections_named(view: View, name: str) -> list[int]:
    """Return the headings of a section by number ("Section 4", "chapter 2") or title; those that say no more first.

    A title counts when it has every word of the name. A number is found where it opens a heading and nowhere else: no
    "A.2" is section 2.
    """
    blocks = view.blocks
    numbered = [one for one in understand(name).references if one.what in ("section", "chapter", "appendix")]
    numbers = [(one.what, number) for one in numbered for number in one.numbers()]
    rows: list[int] = []
    for called in (None, *_DIVISIONS):  # a chapter may be called a section
        labels = {label for what, number in numbers for label in spellings(_called(what, called), number)}
        rows = rows or [row for row in rows_with(blocks, labels) if blocks.kind_of(row) == Kind.HEADING]
    opening = {number for _, number in numbers}
    rows = rows or [int(row) for row in blocks.headings() if _opening(blocks.text[int(row)]) in opening]
    wanted = {term for term in analyze(name) if term not in ("section", "chapter") and term not in opening}
    if rows or not wanted or (numbers and not any(term.isalpha() for term in wanted)):
        return rows
    terms = {int(row): set(analyze(blocks.text[int(row)])) for row in blocks.headings()}
    rows = [row for row, own in terms.items() if wanted <= own]
    return [row for row in rows if terms[row] == wanted] or rows


def _called(what: str, called: str | None) -> str:
    return called if called and what in _DIVISIONS else what


def _opening(title: str) -> str:
    """Return the first word of a heading as a number is written, "a.2" of "A.2: Prompts"."""
    return canonical((title.split() or [""])[0].rstrip(".:)"))


# Kinds


def _may_be_chart(value: Evidence) -> Mask:
    blocks = value.view.blocks
    is_figure = blocks.kind[value.rows] == Kind.FIGURE
    return is_figure & np.isin(blocks.figure[value.rows], _MAYBE_CHARTS)


def _outline(value: Evidence, question: Question) -> Evidence:
    """Return the headings a question about chapters, sections, subsections or headings means."""
    headings = value.of_kind(Kind.HEADING)
    if not question.says_sections and not question.says_subsections:
        return headings
    texts = value.view.blocks.text
    chapters = np.array([bool(_CHAPTER.match(texts[int(row)])) for row in headings.rows], np.bool_)
    if question.says_chapters and chapters.any() and not question.says_subsections:
        return headings.keep(chapters)
    depth = _depths(headings)
    # A single heading over all others is the title of what is counted.
    first = 1 if np.count_nonzero(depth == 0) == 1 and (depth == 1).any() else 0
    return headings.keep(depth == first + question.says_subsections)


def _depths(headings: Evidence) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return (n,) how many of the other headings each stands in."""
    ends = np.sort(headings.view.blocks.end[headings.rows])
    # Sections nest: of those that began before a heading it stands in all that have not ended.
    return np.arange(len(headings)) - np.searchsorted(ends, headings.rows, side="right")


# Topic


@dataclasses.dataclass(frozen=True)
class FilterTopic(Step[Evidence, Evidence]):
    """Keep the items that are about the topic of the question; all where it has none, or what is left are no items.

    At most `most` items are judged, those with the best scores in the column `by`; the others are dropped, and what is
    kept has the source `in_part`. A model that sees is shown the figures, charts and tables among them.
    """

    sentence: ClassVar[Sentence] = kept("Kept what is on the topic asked for")

    most: int = 60
    by: str = TEXT

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(reads={self.by})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the items that satisfy the topic; none when none does."""
        query = using.query
        if not query.topic or not len(value) or ITEM not in value.sources:
            return value
        judged = value.top(self.most, self.by)
        seen = pictures_of(judged.view, judged.rows.tolist(), using, SATISFIES_TOPIC.name)
        items = [_item(judged, int(row), seen.get(int(row))) for row in judged.rows]
        asked = TopicQuestion(query.question, query.topic)
        decision = dataclasses.replace(SATISFIES_TOPIC, role="vision") if seen else SATISFIES_TOPIC
        verdicts = using.judge.decide_items(decision, asked, items)
        using.note_read(seen)
        kept = judged.keep(np.array([one.output.satisfies for one in verdicts], np.bool_))
        if len(judged) == len(value):
            return kept
        return dataclasses.replace(kept, sources={**kept.sources, IN_PART: np.ones(len(kept), np.bool_)})


def _item(evidence: Evidence, row: int, picture: Picture | None) -> TopicItem:
    view = evidence.view
    section = " > ".join(view.blocks.section_path(row))
    return TopicItem(_item_text(view, row), view.blocks.kind_of(row).label, section, picture=picture)


def pictures_of(view: View, rows: Sequence[int], using: Run, decision: str) -> dict[int, Picture]:
    """Return the pictures of the figures, charts and tables among rows, for a decision that a model which sees takes.

    Parts of one graphic have the same picture, of the whole. Nothing where none does, or nothing can be drawn.
    """
    if using.pictures is None or not using.judge.has_model(decision, "vision"):
        return {}
    elements = (row for row in rows if view.blocks.kind_of(row) in ELEMENTS and not is_axis(view, row))
    spots = {row: graphic_of(view, row) for row in elements}
    seen = {spot: one.picture for spot, one in drawn(view, list(dict.fromkeys(spots.values())), using)}
    return {row: seen[spot] for row, spot in spots.items() if spot in seen}


def _item_text(view: View, row: int) -> str:
    """Return what is read of an item: its caption and the beginning of its text."""
    caption = caption_of(view, row)
    parts = [view.blocks.text[caption] if caption >= 0 else "", view.blocks.text[row]]
    return shorten("\n".join(filter(None, parts)), _MOST_TOKENS)[0]
