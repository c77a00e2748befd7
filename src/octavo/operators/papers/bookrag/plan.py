"""Planning a question, taking it apart into questions of one place each, and uniting what was found for the parts.

BookRAG section 5.2: the plan is equation 8, the parts are equation 2. What decides both is in `decisions`. A global
question goes through the blocks that nested filters leave, by place, by kind and by topic (equations 4 and 12).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

import numpy as np

from octavo.decisions.decompose_question import DECOMPOSE_QUESTION, DecomposeInput
from octavo.decisions.engine import shorten
from octavo.decisions.plan_question import PLAN_QUESTION, Plan, PlanInput
from octavo.decisions.satisfies_topic import SATISFIES_TOPIC, TopicItem, TopicQuestion
from octavo.document import KIND_BY_LABEL, Document, Evidence, FigureKind, Kind, Mask, Operation, Query, Reach, View
from octavo.operators.core import Run, Step
from octavo.operators.extractive.units import caption_of
from octavo.operators.papers.bookrag.reasoning import TEXT
from octavo.operators.score.refer import rows_with, spellings
from octavo.question import Question, understand
from octavo.text.analyzer import analyze
from octavo.text.things import canonical


@dataclasses.dataclass(frozen=True)
class PlanQuestion(Step[Query, Query]):
    """Decide how a question is to be answered; the planner is shown at most `titles` titles of main sections.

    Where a model fails the words of the question decide, and they find a question single-hop unless it plainly is not.
    """

    titles: int = 24

    def apply(self, value: Query, using: Run) -> Query:
        """Return the query with its reach, parts, entities, filters and operation."""
        asked = PlanInput(value.question, main_titles(using.view, self.titles))
        return planned(value, using.judge.decide(PLAN_QUESTION, asked).output)

    def told(self, result: Query, using: Run) -> Mapping[str, Any]:
        """Return the plan: what of it is not empty."""
        plan = {
            "reach": result.reach.value if result.reach else "",
            "operation": result.operation.value if result.operation else "",
            "kinds": [kind.label for kind in result.kinds],
            "pages": [f"{first}-{last}" for first, last in result.pages],
            "sections": list(result.sections),
            "topic": result.topic,
            "sub_questions": list(result.sub_questions),
            "entities": list(result.entities),
        }
        return {name: value for name, value in plan.items() if value}


def planned(query: Query, plan: Plan) -> Query:
    """Return a query that carries a plan."""
    reach = Reach(plan.category)
    return dataclasses.replace(
        query,
        reach=reach,
        sub_questions=tuple(plan.retrieval_questions) if reach is Reach.MULTI else (),
        synthesis=tuple(plan.synthesis_questions),
        entities=tuple(plan.entities),
        kinds=tuple(KIND_BY_LABEL[kind] for kind in plan.kinds),
        pages=plan.page_ranges,
        sections=tuple(plan.sections),
        topic=plan.topic,
        operation=None if plan.operation == "NONE" else Operation(plan.operation),
    )


def main_titles(view: View, count: int) -> tuple[str, ...]:
    """Return the titles of the first `count` sections that stand in no other."""
    rows = [int(row) for row in view.sections() if view.blocks.parent[row] < 0]
    return tuple(" ".join(text.split()) for text in view.blocks.text.take(rows[:count]))


@dataclasses.dataclass(frozen=True)
class Decompose(Step[Query, tuple[Query, ...]]):
    """Return the questions to look up: those of the plan, else by a decision; the question itself if it stays whole.

    Each keeps the page limit and, of the entities of the whole, those it names.
    """

    def apply(self, value: Query, using: Run) -> tuple[Query, ...]:
        """Return one query or more."""
        parts = value.sub_questions
        if not parts:
            decided = using.judge.decide(DECOMPOSE_QUESTION, DecomposeInput(value.question)).output
            parts = tuple(decided.retrieval_questions)
            using.query = dataclasses.replace(value, synthesis=tuple(decided.synthesis_questions))
        return tuple(_sub_query(value, question) for question in parts)


def _sub_query(whole: Query, question: str) -> Query:
    asked = question.casefold()
    return Query(
        question,
        whole.limit,
        reach=Reach.SINGLE,
        entities=tuple(entity for entity in whole.entities if entity.casefold() in asked),
        part_of=whole.question if question != whole.question else "",
    )


@dataclasses.dataclass(frozen=True)
class Merge(Step[tuple[Evidence, ...], Evidence]):
    """Unite evidence: all rows, each with the best of its scores. Columns must be on one scale, 0 to about 1."""

    def apply(self, value: tuple[Evidence, ...], using: Run) -> Evidence:
        """Return the rows of all."""
        return merged(using.view, value)


def merged(view: View, found: Sequence[Evidence]) -> Evidence:
    """Return the rows of all evidence, each with the best of its scores."""
    return reduce(lambda one, other: one | other, found, Evidence.of(view, ()))


ITEM = "item"
"""Source: blocks of a kind that the question goes through one by one."""
_MOST_TOKENS = 240
"""Of an item that is read."""
_CHAPTER = re.compile(r"\s*chapter\b", re.IGNORECASE)
"""How the heading of a chapter begins."""
_MAYBE_CHARTS = (FigureKind.OTHER, FigureKind.DIAGRAM)
"""Sorts of figure that may be a chart."""


@dataclasses.dataclass(frozen=True)
class Everything(Step[Query, Evidence]):
    """Take every content block of the view: what filters start from."""

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return all blocks but page headers and footers."""
        return Evidence.where(using.view, using.view.is_content)


@dataclasses.dataclass(frozen=True)
class FilterRange(Step[Evidence, Evidence]):
    """Keep the blocks on the pages and in the sections the question names (Filter_Range).

    Pages are numbered as they are printed where the whole range is printed on pages, else as they are counted; "the
    first ten pages" are counted. A filter that is empty, or names nothing there is, lets everything through.
    """

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows in range."""
        query, view = using.query, value.view
        inside = np.ones(len(view), np.bool_)
        for mask in (on_named_pages(view, query), in_named_sections(view, query.sections)):
            if mask.any():
                inside &= mask
        return value.keep(inside[value.rows])


@dataclasses.dataclass(frozen=True)
class FilterModal(Step[Evidence, Evidence]):
    """Keep the blocks of the kinds the question goes through, as items (Filter_Modal); none when it names no kind.

    A chart is one of the figures. For charts, figures of no told sort stand in where nothing is told to be a chart. Of
    chapters and sections, the outermost ones in range are kept, of subsections those right inside them.
    """

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the rows of the kinds, with the source `item`; nothing when there is no such block."""
        kinds, question = using.query.kinds, understand(using.query.question)
        if kinds == (Kind.HEADING,):
            kept = _outline(value, question)
        elif Kind.CHART in kinds and not question.says_pictures:
            kept = value.of_kind(*(kind for kind in kinds if kind is not Kind.FIGURE))
            kept = kept if len(kept.of_kind(Kind.CHART)) else kept | value.keep(_may_be_chart(value))
        else:
            kept = value.of_kind(*kinds, *([Kind.CHART] if question.says_figures else []))
        return dataclasses.replace(kept, sources={**kept.sources, ITEM: np.ones(len(kept), np.bool_)})


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

    A title counts when it has every word of the name.
    """
    blocks = view.blocks
    labels = {
        label
        for one in understand(name).references
        for number in one.numbers()
        if one.what in ("section", "chapter", "appendix")
        for label in spellings(one.what, number)
    }
    rows = [row for row in rows_with(blocks, labels) if blocks.kind[row] == Kind.HEADING]
    if rows:
        return rows
    wanted = set(analyze(name)) - {"section", "chapter"}
    terms = {int(row): set(analyze(blocks.text[int(row)])) for row in blocks.headings()}
    rows = [row for row, own in terms.items() if wanted and wanted <= own]
    return [row for row in rows if terms[row] == wanted] or rows


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

    At most `most` items are judged, those with the best scores in the column `by`; the others are dropped.
    """

    most: int = 60
    by: str = TEXT

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the items that satisfy the topic; none when none does."""
        query = using.query
        if not query.topic or not len(value) or ITEM not in value.sources:
            return value
        judged = value.top(self.most, self.by)
        items = [_item(judged, int(row)) for row in judged.rows]
        asked = TopicQuestion(query.question, query.topic)
        verdicts = using.judge.decide_items(SATISFIES_TOPIC, asked, items)
        return judged.keep(np.array([one.output.satisfies for one in verdicts], np.bool_))


def _item(evidence: Evidence, row: int) -> TopicItem:
    view = evidence.view
    section = " > ".join(view.blocks.section_path(row))
    return TopicItem(_item_text(view, row), Kind(int(view.blocks.kind[row])).label, section)


def _item_text(view: View, row: int) -> str:
    """Return what is read of an item: its caption and the beginning of its text."""
    caption = caption_of(view, row)
    parts = [view.blocks.text[caption] if caption >= 0 else "", view.blocks.text[row]]
    return shorten("\n".join(filter(None, parts)), _MOST_TOKENS)[0]
