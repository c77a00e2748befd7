"""Composing: a plan of operators for one question, chosen by its kind and by the shape of what it is asked about.

Owns which operators go together for each way a question can be taken, and the plan as a value: an expression that
prints, reads back (`octavo.operators.core.plan_parser`) and runs again. Knows nothing about how ways are told apart.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.plan_question import PLAN_QUESTION, PlanInput
from octavo.document import Evidence, Query, TraceStep
from octavo.operators.auto.add_best_section import UNIT, AddBestSection
from octavo.operators.auto.document_standing import STANDING, DocumentStanding
from octavo.operators.auto.every_kind import EVERY, SHOWN, EveryKind
from octavo.operators.auto.keep_by_chance import KeepByChance
from octavo.operators.auto.keep_named import KeepNamed
from octavo.operators.auto.openings import OPENING, Openings
from octavo.operators.auto.part_pages import PART, PartPages
from octavo.operators.auto.question_kinds import Chosen, Way, by_plan, by_rule, kinds_shown
from octavo.operators.core.base import Operator, decisions_of
from octavo.operators.core.run import Run
from octavo.operators.keep.pages import RELEVANCE, RankPages
from octavo.operators.keep.rank_by_units import RankByUnits
from octavo.operators.score.add_page_bonuses import AddPageBonuses
from octavo.operators.score.fuse import FUSED
from octavo.operators.score.page_features import SIGNS, PageSigns
from octavo.operators.score.refer import page_scores
from octavo.operators.score.shape import Shape, main_titles
from octavo.question import understand
from octavo.text.things import KindName

_TITLES = 24
_APART = 10
"""Pages at least where the first few pages cannot tell that enough was found: over articles, and over statements."""
_NEIGHBOUR = 0.06
# What a document's standing is worth changes little between 0.4 and 1, for questions over 4 documents and over 32, and
# what signs are worth changes little between 0.15 and 0.35.
_GAINS = ((UNIT, 0.05), (EVERY, 0.4), (SHOWN, 0.2), (PART, 0.3), (OPENING, 0.5), (STANDING, 0.6), (SIGNS, 0.25))
"""What a page gains by what was found on it beside its own score, which is 1 to 3 for the best page."""


@dataclasses.dataclass(frozen=True)
class Compose(Operator[Query, Evidence]):
    """Choose a plan for the question and carry it out.

    A rule chooses where the question's words leave no doubt; else, where a model is there, one decision does.
    `search` scores everything in the column `fused`. Leaving parts out: `planned` false takes every question as one
    that a passage answers, `sized` false fills the question's limit, `completed` false does without the unit of the
    best block, `stands` false without the standing of whole documents, `signed` false without what pages show, and
    `asks` false never asks a model.
    """

    search: Operator[Query, Evidence]
    planned: bool = True
    sized: bool = True
    completed: bool = True
    stands: bool = True
    signed: bool = True
    asks: bool = True

    def needs(self) -> frozenset[str]:
        """Return what the search needs: plans read nothing else."""
        return self.search.needs()

    def __call__(self, value: Query, using: Run) -> Evidence:
        """Return what the plan finds; the trace has the plan, then its steps."""
        started, before = using.clock(), len(using.judge.records)
        shape = Shape.of(using.view)
        chosen, saved = self._chosen(value, shape, using)
        plan = self.plan(chosen, kinds_shown(value.question, shape) if self.planned else ())
        using.note(
            TraceStep(
                step="Compose",
                parameters={
                    "way": chosen.way.value,
                    "because": chosen.because,
                    "shape": shape.told(),
                    "saved": saved,
                    "planned": repr(plan),
                },
                rows_in=len(using.view),
                rows_out=len(using.view),
                seconds=round(using.clock() - started, 6),
                steps=decisions_of(using.judge.records[before:]),
            ).taking(using.judge.usage(before))
        )
        return plan(value, using)

    def _chosen(self, value: Query, shape: Shape, using: Run) -> tuple[Chosen, str]:
        """Return the way, and what asking nobody saved."""
        if not self.planned:
            return Chosen(Way.PASSAGE, "every question is taken so"), ""
        names_page = bool((page_scores(understand(value.question).references, using.view) >= 1.0).any())
        rule = by_rule(value.question, shape, names_page=names_page)
        has_model = self.asks and using.judge.has_model(PLAN_QUESTION.name, PLAN_QUESTION.role)
        if rule.is_sure or not has_model:
            return rule, "a call to plan: the rule is sure" if has_model else ""
        asked = PlanInput(value.question, main_titles(using.view, _TITLES))
        decided = using.judge.decide(PLAN_QUESTION, asked)
        return (rule if decided.by == "rule" else by_plan(decided.output, rule, shape)), ""

    def plan(self, chosen: Chosen, shown: tuple[KindName, ...] = ()) -> Operator[Query, Evidence]:
        """Return the expression for a way: what is searched, what belongs together, what is credited, how much.

        `shown` are kinds of block that the question says its answer is in.
        """
        beside = self._beside(chosen)
        if shown:
            beside[SHOWN] = EveryKind(shown, SHOWN)
        found = self.search
        for one in beside.values():
            found = found | one
        whole = found >> AddBestSection(FUSED) if self.completed else found
        columns = {*beside, UNIT} if self.completed else {*beside}
        if chosen.way is Way.COLLECTION:
            if self.stands:
                whole, columns = whole >> DocumentStanding(FUSED), {*columns, STANDING}
        elif self.signed:
            whole, columns = whole >> PageSigns(), {*columns, SIGNS}
        ranked = whole >> AddPageBonuses(FUSED, _NEIGHBOUR, tuple(gain for gain in _GAINS if gain[0] in columns))
        if not self.sized:
            return ranked >> RankPages(RELEVANCE)
        if chosen.way is Way.PLACE:
            return ranked >> KeepNamed() >> RankByUnits()
        least = _APART if chosen.way in (Way.COLLECTION, Way.MEASURE) else KeepByChance.least
        enough = KeepByChance(every=chosen.way in (Way.EVERY, Way.OVERVIEW), least=least)
        return ranked >> enough >> RankByUnits()

    def _beside(self, chosen: Chosen) -> dict[str, Operator[Query, Evidence]]:
        """Return what a way looks for beside the search, by the column it adds."""
        if chosen.way is Way.EVERY and chosen.kinds:
            return {EVERY: EveryKind(chosen.kinds)}
        if chosen.way is Way.PARTS:
            return {PART: PartPages(chosen.parts, self.search)}
        return {OPENING: Openings()} if chosen.way is Way.OVERVIEW else {}
