"""Systems: named ways to answer a question.

A system is two expressions over operators, for searching and for answering, with the column that ranks and how much a
question may open. Adding one is a module, a row in `SYSTEMS` and a sentence in `ABOUT`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, MutableMapping
from types import ModuleType
from typing import TYPE_CHECKING, cast

from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence, PageRead, Query, Result, Substitute, TraceStep, Usage
from octavo.operators.columns import Columns
from octavo.operators.core import Operator
from octavo.operators.keep import RELEVANCE
from octavo_documents import plugins
from octavo_documents.lazy import LazyTable

if TYPE_CHECKING:
    from octavo.operators.core import Run


@dataclasses.dataclass(frozen=True)
class System:
    """A way to answer: `retrieve` is what search runs, `answer` what ask runs; `by` is the column that ranks.

    `rest` ranks, by the same column, the pages that a system which chooses their number left out. It is run when
    systems are measured and at no other time; None where `retrieve` fills the question's limit.
    """

    name: str
    retrieve: Operator[Query, Evidence]
    answer: Operator[Query, Answer]
    by: str = RELEVANCE
    rest: Operator[Query, Evidence] | None = None
    limit: int = 10
    """Pages where nobody says how many: their number for retrievers of fixed size, the most for those that choose."""

    opens: int = 24
    """The most documents one question looks into; of more, a first stage picks the best."""

    paper: tuple[tuple[str, str], ...] = ()
    """Of a published system's own plan: (role, what the paper used) for each part that something else stands for here.

    The roles are those of `ROLES`. Empty for all other systems.
    """

    looks: bool = False
    """Whether its plan shows pictures to a model that sees, in a step of its own."""

    about: str = ""
    """One sentence for whoever chooses: what it does, and what for."""

    filters_sections: bool = False
    """Whether adding documents for it by a model has the model decide doubtful headings (BookRAG section 4.2.2)."""

    by_type: bool = False
    """Whether its reader asks by the type of the answer, which a caller may fix (`answering_as`)."""

    def __post_init__(self) -> None:
        """Raise UsageError where a step reads a column that nothing before it writes, or no step writes `by`."""
        for ranked in (self.retrieve, self.rest):
            if ranked is not None:
                Columns(reads={self.by}).after(f"{self.name}, which ranks pages,", ranked.after({}))
        self.answer.after({})

    def answering_as(self, form: str) -> System:
        """Return the system with the type of its answers fixed: "Str", "Int", "Float", "List" or "None".

        Raises UsageError for another type, and where its reader does not ask by type.
        """
        from octavo.operators.read.answer_as import AnswerAs

        fixed = AnswerAs(form)
        if not self.by_type:
            raise UsageError(f"{self.name} does not ask by the type of the answer: choose mmrag-paper")
        return dataclasses.replace(self, retrieve=fixed >> self.retrieve, answer=fixed >> self.answer)

    def rankings(self) -> tuple[System, ...]:
        """Return the systems that, searched one after the other, rank all pages: this one, then one for its `rest`."""
        return (self,) if self.rest is None else (self, dataclasses.replace(self, retrieve=self.rest))

    def needs(self) -> frozenset[str]:
        """Return the layers that answering needs."""
        needs = self.retrieve.needs() | self.answer.needs()
        return needs if self.rest is None else needs | self.rest.needs()


def _found(module: ModuleType, name: str) -> System:
    """Return the system of a name that a module defines, by itself or in a tuple."""
    values = vars(module).values()
    listed = [one for value in values if isinstance(value, tuple) for one in cast("tuple[object, ...]", value)]
    return next(one for one in (*values, *listed) if isinstance(one, System) and one.name == name)


def _table(modules: Mapping[str, str], group: str) -> MutableMapping[str, System]:
    """Return systems by name, each with the module beside this one that defines it, and those of other packages."""
    return LazyTable({name: f"{__name__}.{module}" for name, module in modules.items()}, _found, group)


ROLES = ("parser", "embedder", "late_interaction", "reranker", "image_text", "model", "vision")
"""What stands for parts of a published system: who reads files, embeds, reranks, embeds pictures, decides, sees."""

ABOUT = {
    "auto": "Searches by words and by meaning, and reads what fits best. The one to begin with.",
    "bm25": "Finds passages that share the question's words.",
    "dense": "Finds passages that mean the same in other words.",
    "hybrid": "Finds passages by words and by meaning.",
    "raptor": "Searches summaries of groups of passages too; for questions about a whole document.",
}
"""What our systems say of themselves (`System.about`), beside their names: nothing is imported to list them."""
_ABOUT_GROUP = "octavo.about_systems"

SYSTEMS: MutableMapping[str, System] = _table(
    {
        "auto": "auto",
        "bm25": "baselines",
        "dense": "baselines",
        "hybrid": "baselines",
        "raptor": "baselines",
    },
    "octavo.systems",
)
PAPER_PLANS: MutableMapping[str, System] = _table({}, "octavo.paper_plans")
"""The five published systems as their papers print them: their operators, numbers and order, and nothing else."""
ABLATIONS: MutableMapping[str, System] = _table(
    {
        "auto-no-units": "auto",
        "auto-no-preference": "auto",
        "auto-no-standing": "auto",
        "auto-read-once": "auto",
    },
    "octavo.ablations",
)
"""Systems with a part left out, to be measured beside the whole; each is named after its system."""


_METHODS = frozenset({"bookrag", "ladrag", "dmap", "mmrag", "rdr2"})
"""The systems that octavo-methods brings."""


def get(name: str | System) -> System:
    """Return the system called `name`, or the one given; raise UsageError naming those there are."""
    if isinstance(name, System):
        return name
    system = SYSTEMS.get(name) or PAPER_PLANS.get(name) or ABLATIONS.get(name)
    if system is None:
        if name.partition("-")[0] in _METHODS and name.partition("-")[0] not in SYSTEMS:
            raise UsageError(f"{name} needs another package: pip install 'octavo[methods]'")
        raise UsageError(f"There is no system called {name!r}: choose one of {', '.join(SYSTEMS)}")
    return system


def about(name: str) -> str:
    """Return what a system says of itself; it is imported for that only where it does not say so beside its name."""
    if name in ABOUT:
        return ABOUT[name]
    return str(plugins.load(_ABOUT_GROUP, name)) if name in plugins.names(_ABOUT_GROUP) else SYSTEMS[name].about


def from_plan(text: str) -> System:
    """Return a system that carries out a plan as `--trace` prints it, and reads as `auto` does.

    The text is an expression from a question to evidence; raise UsageError when it is none.
    """
    from octavo.operators.plan_parser import read_plan
    from octavo.systems.auto import replayed

    return replayed(read_plan(text))


def run_search(system: System, query: Query, run: Run, *, shows: bool = False) -> Result:
    """Return the evidence a system finds: blocks of at most `query.limit` pages, ranked by its column.

    With `shows` the result has the passages that a person is shown.
    """
    run.query = query
    started = _started(run)
    _tell_blind(system, run)
    evidence = system.retrieve(query, run)
    passages = ()
    if shows and RELEVANCE in evidence.scores:
        from octavo.operators.extractive.extractive_reader import best_passages

        passages = best_passages(query.question, evidence, run)
    return Result(
        question=query.question,
        system=system.name,
        evidence=evidence,
        by=system.by,
        usage=_usage(run, started),
        decided_by=dict(run.decided_by),
        stopped=run.judge.stopped,
        trace=tuple(run.trace),
        passages=passages,
    )


def run_ask(system: System, query: Query, run: Run) -> Answer:
    """Return a system's answer, its usage and trace filled in; `stopped` names the cap that ended it early."""
    from octavo.operators.extractive.extractive_reader import shown_with

    run.query = query
    started = _started(run)
    _tell_blind(system, run)
    answer = shown_with(system.answer(query, run), run)
    return dataclasses.replace(
        answer,
        question=query.question,
        system=system.name,
        usage=_usage(run, started),
        decided_by=dict(run.decided_by),
        stopped=run.judge.stopped,
        trace=tuple(run.trace),
        pages_read=_read_in(run),
        substitutes=substitutes(system, run),
    )


BLIND = "Blind"
"""The step that tells, before all others, that a plan which shows pictures has no model that sees."""


def _tell_blind(system: System, run: Run) -> None:
    """Note that the pictures of a plan will be seen by nobody, where its other decisions go to a model."""
    judge = run.judge
    if system.looks and any(judge.models.values()) and not judge.has_model("answer_from_pictures", "vision"):
        run.note(TraceStep(BLIND, {"why": "this plan shows pictures, and the model does not see"}, 0, 0, 0.0))


def _read_in(run: Run) -> tuple[PageRead, ...]:
    """Return the pages that a model which answered was shown, in document order."""
    places = [run.view.locate_page(page) for page in sorted(run.pages_read)]
    view = run.view
    return tuple(PageRead(view.names[at], view.documents[at].id, page) for at, page in places)


def substitutes(system: System, run: Run) -> tuple[Substitute, ...]:
    """Return what stands for the parts that a paper used, for the paper's own plan; nothing for other systems."""
    return tuple(Substitute(role, used, _stands_for(role, run)) for role, used in system.paper)


def _stands_for(role: str, run: Run) -> str:
    """Return what stands for a part of a published system; by default a rule."""
    if role == "parser":
        return "Octavo's own"
    if role in ("model", "vision"):
        name = "answer_from_pictures" if role == "vision" else "answer_from_evidence"
        model = run.judge.model_for(name, _ROLE[role])
        return "none, by rule" if model is None else model.id
    late = run.late_interaction or run.embedder
    makes = {"embedder": run.embedder, "late_interaction": late, "reranker": run.reranker, "image_text": run.image_text}
    found = makes[role]
    return "none, by rule" if found is None else found().name


_ROLE: Mapping[str, str] = {"model": "language", "vision": "vision"}


def _started(run: Run) -> float:
    """Return when the work on a question began: what was done before its run, as its trace tells, counts too."""
    return run.clock() - sum(step.seconds for step in run.trace)


def _usage(run: Run, started: float) -> Usage:
    """Return what the decisions of a run took, and the seconds of the whole."""
    return dataclasses.replace(run.judge.usage(), seconds=run.clock() - started)


__all__ = [
    "ABLATIONS",
    "ABOUT",
    "BLIND",
    "PAPER_PLANS",
    "ROLES",
    "SYSTEMS",
    "System",
    "about",
    "from_plan",
    "get",
    "run_ask",
    "run_search",
    "substitutes",
]
