"""What a question is about, and the sections in which its answer may stand: by the graph, the outline, or a search.

BookRAG equations 3 (entities linked by normal form, acronym and vectors) and 5 (selectors). A selector returns the
content blocks of whole sections, marked with the source `selected`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from octavo.decisions.extract_question_entities import EXTRACT_QUESTION_ENTITIES, EntitiesInput
from octavo.decisions.select_sections import SELECT_SECTIONS, OutlineLine, SectionsInput
from octavo.document import BlockTable, Evidence, Kind, Query, Rows, View
from octavo.operators.core import Operator, Run, Step
from octavo.operators.papers.bookrag.reasoning import RESOLVED, NamedGraph
from octavo.operators.score.fuse import FUSED
from octavo.text.names import is_short_for, normal_form

SELECTED = "selected"
"""Source: rows that a selector let through."""
_MOST_LOOKED_AT = 400
"""Blocks from which sections are taken: what scores lower promises nothing."""


@dataclasses.dataclass(frozen=True)
class Extract(Step[Query, Query]):
    """Link the entities of the plan, else those a decision extracts, to entities of the graph.

    A name is linked to the entities that have it, else to those it is short for or that are short for it. What a
    question says without naming it is caught by the `nearest` entities to the question itself, whose vectors have a
    cosine of `least` or more with it. `names` is which graph: see `named_graph`.
    """

    nearest: int = 3
    least: float = 0.3
    names: str = RESOLVED

    def needs(self) -> frozenset[str]:
        """Return the layers of the graph."""
        return frozenset({"entities", "entity_vectors"})

    def apply(self, value: Query, using: Run) -> Query:
        """Return the query with its entities, and the rows of those found in the graph."""
        graph = NamedGraph.of(using.view, self.names)
        if not len(graph.graph):
            return dataclasses.replace(value, linked=())
        names = value.entities or _entities_in(value.question, using)
        rows = [
            *(row for name in names for row in entities_named(graph, name)),
            *self._near(graph, value.question, using),
        ]
        return dataclasses.replace(value, entities=tuple(names), linked=tuple(dict.fromkeys(rows)))

    def told(self, result: Query, using: Run) -> Mapping[str, Any]:
        """Return the names of the entities that were found."""
        names = NamedGraph.of(using.view, self.names).graph.entities.name
        return {"found": [names[row] for row in result.linked]}

    def _near(self, graph: NamedGraph, question: str, using: Run) -> list[int]:
        cosines = using.view.vectors("entity_vectors")[graph.origin] @ using.vectors([question])[0]
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

    depth: int = 0
    names: str = RESOLVED

    def needs(self) -> frozenset[str]:
        """Return the layer of the graph."""
        return frozenset({"entities"})

    def apply(self, value: Query, using: Run) -> Evidence:
        """Return the content blocks of the sections."""
        view = using.view
        linked = np.array(value.linked, np.int64)
        mentioned = NamedGraph.of(view, self.names).blocks_of(linked) if len(linked) else linked
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
        title = " ".join(blocks.text[row].split())
        lines.append(OutlineLine(row, title, depths[row], int(blocks.page[row]), last))
    return tuple(lines)


@dataclasses.dataclass(frozen=True)
class SelectByScent(Operator[Query, Evidence]):
    """Select the subtrees of the `count` sections in which the best blocks of a search stand, by the column `by`."""

    search: Operator[Query, Evidence]
    count: int = 16
    by: str = FUSED

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

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
