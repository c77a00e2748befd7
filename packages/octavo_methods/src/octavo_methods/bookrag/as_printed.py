"""BookRAG's planning and its Map and Reduce over many blocks, as the paper prints them (sections 5.2 and 5.3).

A question is classified first; only then a global one is given its filters, and a complex one its parts. Map analyses
the blocks that filters leave one by one, those that are seen as pictures; Reduce counts or lists them, or has a
decision make one answer out of what Map found.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from octavo.decisions.engine import Decided
from octavo.evidence import Answer, Citation, Evidence, Operation, Outcome, Query, Reach
from octavo.operators.columns import Columns
from octavo.operators.core import QueryStep, Run, Step
from octavo.operators.extractive.extractive_reader import nothing
from octavo.operators.keep import RELEVANCE
from octavo_documents.document import Kind
from octavo_methods.bookrag.decisions.analyze_block import ANALYZE_BLOCK, BlockAnalysis, BlockInput
from octavo_methods.bookrag.decisions.classify_question import CLASSIFY_QUESTION, ClassifyInput
from octavo_methods.bookrag.decisions.decompose_complex import DECOMPOSE_COMPLEX, DecomposeInput
from octavo_methods.bookrag.decisions.plan_filters import PLAN_FILTERS, FiltersInput
from octavo_methods.bookrag.plan import combined, evidence_of, item_citation, items_answer
from octavo_methods.bookrag.reasoning import content_of
from octavo_methods.bookrag.select import ITEM, pictures_of

_BATCH = 16
"""Blocks whose pictures are held at once."""
_KINDS = {"image": (Kind.FIGURE, Kind.CHART), "table": (Kind.TABLE,), "section": (Kind.HEADING,)}
_CONFIDENCE = 0.6
"""Of what was found in one block, a fixed figure: nothing weighs it."""


@dataclasses.dataclass(frozen=True)
class ClassifyQuestion(QueryStep):
    """Decide whether a question is single-hop, multi-hop or global (Table 2): the first step of planning."""

    declares: ClassVar[Columns] = Columns()

    def apply(self, value: Query, using: Run) -> Query:
        """Return the query with its reach."""
        decided = using.judge.decide(CLASSIFY_QUESTION, ClassifyInput(value.question)).output
        return dataclasses.replace(value, reach=Reach(decided.category))

    def details(self, result: Query, using: Run) -> Mapping[str, Any]:
        """Return the reach."""
        return {"reach": result.reach.value if result.reach else ""}


@dataclasses.dataclass(frozen=True)
class DecomposeComplex(Step[Query, tuple[Query, ...]]):
    """Take a complex question apart into those that are looked up, and remember how they go together (equation 2).

    Each is asked as it stands: who answers it is not told of the whole.
    """

    declares: ClassVar[Columns] = Columns()

    def apply(self, value: Query, using: Run) -> tuple[Query, ...]:
        """Return one query or more."""
        decided = using.judge.decide(DECOMPOSE_COMPLEX, DecomposeInput(value.question)).output
        parts = decided.retrieval
        # Without a word on how parts go together, it is the question itself that says so.
        together = decided.synthesis or tuple(value.question for _ in parts[1:2])
        using.query = dataclasses.replace(value, synthesis=together)
        return tuple(Query(question, value.limit, reach=Reach.SINGLE) for question in parts)


@dataclasses.dataclass(frozen=True)
class PlanFilters(QueryStep):
    """Decide the filters of a global question and the operation on what they leave (equation 8, Figure 12)."""

    declares: ClassVar[Columns] = Columns()

    def apply(self, value: Query, using: Run) -> Query:
        """Return the query with kinds, pages, sections and operation."""
        plan = using.judge.decide(PLAN_FILTERS, FiltersInput(value.question)).output
        return dataclasses.replace(
            value,
            kinds=tuple(kind for name in plan.kinds for kind in _KINDS[name]),
            pages=plan.pages,
            sections=plan.sections,
            operation=Operation(plan.operation),
        )

    def details(self, result: Query, using: Run) -> Mapping[str, Any]:
        """Return what is filtered by, and what is done with it."""
        told = {
            "kinds": [kind.label for kind in result.kinds],
            "pages": [f"{first}-{last}" for first, last in result.pages],
            "sections": list(result.sections),
            "operation": result.operation.value if result.operation else "",
        }
        return {name: value for name, value in told.items() if value}


@dataclasses.dataclass(frozen=True)
class Unranked(Step[Evidence, Evidence]):
    """Give every row the same score in the column `by`: filters leave a set and rank nothing."""

    by: str = RELEVANCE

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(writes={self.by})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows."""
        return value.with_score(self.by, np.ones(len(value)))


@dataclasses.dataclass(frozen=True)
class MapBlocks(Step[Evidence, tuple[Answer, ...]]):
    """Analyse each block by itself: whether it has to do with the question, and what it says or shows of it (Map).

    A model that sees is shown figures, charts and tables as pictures; all else is read. A caption is told with what it
    is of, and blocks without words or picture say nothing.
    """

    declares: ClassVar[Columns] = Columns()

    def apply(self, value: Evidence, using: Run) -> tuple[Answer, ...]:
        """Return an answer for each block, in document order: not answerable where it has nothing to do with it."""
        rows, view = value.rows.tolist(), value.view
        captions = {caption for row in rows for caption in view.captions.get(row, ())}
        rows = [row for row in rows if row not in captions]
        answers: list[Answer] = []
        for start in range(0, len(rows), _BATCH):
            answers += self._analysed(rows[start : start + _BATCH], value, using)
        return tuple(answers)

    def _analysed(self, rows: Sequence[int], evidence: Evidence, using: Run) -> list[Answer]:
        view, question = evidence.view, using.query.question
        seen = pictures_of(view, rows, using, ANALYZE_BLOCK.name)
        shown = [
            (row, text) for row in rows if (text := content_of(view, row)) or row in seen or ITEM in evidence.sources
        ]
        asked = [
            BlockInput(
                question,
                view.blocks.kind_of(row).label,
                text,
                " > ".join(view.blocks.section_path(row)),
                int(view.blocks.page[row]),
                seen.get(row),
            )
            for row, text in shown
        ]
        decided = using.judge.map(lambda value: _decide(value, using), asked)
        answers: list[Answer] = []
        for (row, _), one in zip(shown, decided, strict=True):
            by_model = one.by != "rule"
            if by_model:
                using.note_read([row])
            answer = _answer(evidence, row, one.output, using)
            answers.append(dataclasses.replace(answer, is_seen=answer.answerable and by_model and row in seen))
        return answers


def _decide(value: BlockInput, using: Run) -> Decided[BlockAnalysis]:
    """Return what is decided of a block, by a model that sees where there is a picture."""
    decision = dataclasses.replace(ANALYZE_BLOCK, role="vision") if value.picture else ANALYZE_BLOCK
    return using.judge.decide(decision, value)


def _answer(evidence: Evidence, row: int, found: BlockAnalysis, using: Run) -> Answer:
    alone = evidence.keep(evidence.rows == row)
    place = f"{evidence.view.blocks.kind_of(row).label}, page {int(evidence.view.blocks.page[row])}"
    if not found.relevant:
        return nothing(using.query.question, alone)
    cited: tuple[Citation, ...] = (item_citation(evidence.view, row),)
    return Answer(
        question=place,
        system="",
        text=found.finding,
        outcome=Outcome.ANSWER,
        evidence=alone,
        by=RELEVANCE,
        citations=cited,
        confidence=_CONFIDENCE,
    )


@dataclasses.dataclass(frozen=True)
class ReduceBlocks(Step[tuple[Answer, ...], Answer]):
    """Make one answer of what Map found: how many blocks count or which, else what a decision combines (Reduce)."""

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE}, writes={RELEVANCE})

    def apply(self, value: tuple[Answer, ...], using: Run) -> Answer:
        """Return the answer; that there is nothing where no block has to do with the question."""
        query = using.query
        found = [part for part in value if part.answerable]
        evidence = evidence_of(value, using)
        are_items = all(ITEM in part.evidence.sources for part in found)
        if are_items and query.operation in (Operation.COUNT, Operation.LIST):
            return items_answer(found, evidence, query)
        return (combined(found, evidence, using) if found else None) or nothing(query.question, evidence)
