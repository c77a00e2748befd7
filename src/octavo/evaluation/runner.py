"""Runs systems side by side over a benchmark.

Owns the order of work: documents are indexed where they are not yet, then every question is put to every system, with
what the journal knows left out. A system is given the question's words, the documents in scope and a page limit;
nothing else of the benchmark reaches it.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from octavo.corpus import AddReport, Corpus, DocumentInfo, Progress
from octavo.errors import BudgetError, OctavoError, UsageError
from octavo.evaluation import journal as journals
from octavo.evaluation import memory
from octavo.evaluation.assessor import Assessor, RuleAssessor
from octavo.evaluation.metrics.base import RANKED, Scored
from octavo.evaluation.outcomes import block_text, outcome_of
from octavo.evaluation.question import Benchmark, Outcome, Question
from octavo.evaluation.scoring import scored
from octavo.models.gateway import Budget, Caps

if TYPE_CHECKING:
    from octavo.systems import System


class Watcher(Protocol):
    """Is told how far an evaluation is."""

    def asking(self, total: int, known: int) -> None:
        """Questions begin: `total` in all, for all systems, `known` of them from the journal."""
        ...

    def asked(self, system: str, failed: str | None) -> None:
        """A question was put to a system; `failed` says why it could not be answered."""
        ...


class Unwatched:
    """A watcher that looks away."""

    def asking(self, total: int, known: int) -> None:
        """Ignore it."""

    def asked(self, system: str, failed: str | None) -> None:
        """Ignore it."""


@dataclasses.dataclass(frozen=True)
class Options:
    """How an evaluation is run; `limit` is the pages a fixed-size retriever hands to its reader."""

    limit: int = 10
    ocr: Literal["auto", "always", "never"] = "auto"
    layout_model: Path | None = None
    workers: int | None = None
    stop_on_error: bool = False
    give_format: bool = False
    """Whether answer extraction is told the gold's answer format; systems never are."""
    caps: Caps | None = None
    """The most that the models of one question may take."""
    total_caps: Caps | None = None
    """The most that the models of the whole run may take."""


@dataclasses.dataclass(frozen=True)
class SystemRun:
    """One system's rows, in the order of the questions, and its plan."""

    name: str
    plan: str
    rows: tuple[Scored, ...]


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """What was measured: rows per system, the documents, and what each run into the same folder took, this one last."""

    benchmark: Benchmark
    options: Options
    runs: tuple[SystemRun, ...]
    documents: Mapping[str, DocumentInfo]
    """By file name."""
    took: tuple[journals.Took, ...]
    failures: tuple[str, ...]
    """Documents that could not be indexed, one line each."""
    models: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    """Names of the language models that decided, by what they decide; empty for the rules."""
    assessor: str = "rule"
    """Who read short answers out of responses and judged them."""


def evaluate(
    corpus: Corpus,
    benchmark: Benchmark,
    names: Sequence[str],
    out: Path,
    *,
    options: Options | None = None,
    assessor: Assessor | None = None,
    progress: Progress | None = None,
    watcher: Watcher | None = None,
) -> Evaluation:
    """Run systems over a benchmark and return what they made of it; the journal is kept in the folder `out`.

    Raises UsageError for an unknown system, BudgetError when the caps of the whole run end it (what was answered is
    kept), and with `stop_on_error` the error of the first document or question that fails. Without it a failed question
    counts with each metric's default.
    """
    assesses = assessor or RuleAssessor()
    chosen = options or Options()
    systems = _systems(names)
    started = time.perf_counter()
    report = corpus.add(
        list(benchmark.documents),
        ocr=chosen.ocr,
        layout_model=chosen.layout_model,
        workers=chosen.workers,
        progress=progress,
    )
    if chosen.stop_on_error and report.failed:
        raise UsageError(f"{report.failed[0].message}; without --on-error stop its questions count as failed")
    documents = _documents(corpus, benchmark.documents, report)
    ready = time.perf_counter()
    with journals.Journal(out) as journal:
        asking = _Asking(corpus, benchmark, documents, report, journal, chosen, assesses, watcher or Unwatched())
        try:
            runs = asking.run(systems)
        finally:
            took = journal.end(asking.took(indexing=ready - started, asking=time.perf_counter() - ready))
    failures = tuple(failure.message for failure in report.failed)
    return Evaluation(benchmark, chosen, runs, documents, took, failures, corpus.models, assesses.name)


def _systems(names: Sequence[str]) -> dict[str, System]:
    from octavo.systems import get

    return {name: get(name) for name in names}


def _documents(corpus: Corpus, paths: Sequence[Path], report: AddReport) -> dict[str, DocumentInfo]:
    """Return the documents by file name; the same bytes under two names are one document."""
    failed = {Path(failure.path).name for failure in report.failed}
    infos = {info.name: info for info in (*report.added, *report.unchanged)}
    return {path.name: infos.get(path.name) or corpus.resolve(str(path)) for path in paths if path.name not in failed}


@dataclasses.dataclass(frozen=True)
class _Task:
    question: Question
    system: str
    plan: str
    ids: tuple[str, ...]
    key: str
    wrong: str = ""


class _Asking:
    """Puts the questions of one evaluation."""

    def __init__(
        self,
        corpus: Corpus,
        benchmark: Benchmark,
        documents: Mapping[str, DocumentInfo],
        report: AddReport,
        journal: journals.Journal,
        options: Options,
        assessor: Assessor,
        watcher: Watcher,
    ) -> None:
        self._corpus, self._benchmark, self._documents = corpus, benchmark, documents
        self._journal, self._options, self._assessor, self._watcher = journal, options, assessor, watcher
        self._total = Budget(options.total_caps) if options.total_caps or options.caps else None
        self._answers = self._known = 0
        self._index = corpus.fingerprints()
        self._failed = {Path(failure.path).name: failure.message for failure in report.failed}

    def took(self, *, indexing: float, asking: float) -> journals.Took:
        """Return what the run took so far; times are seconds."""
        return journals.Took(round(indexing, 2), round(asking, 2), self._answers, self._known, memory.peak())

    def run(self, systems: Mapping[str, System]) -> tuple[SystemRun, ...]:
        """Return each system's rows."""
        tasks = [
            self._task(question, name, repr(system.answer))
            for question in self._benchmark.questions
            for name, system in systems.items()
        ]
        self._known = sum(self._journal.get(task.key) is not None for task in tasks)
        self._watcher.asking(len(tasks), self._known)
        rows: dict[str, list[Scored]] = {name: [] for name in systems}
        for task in tasks:
            rows[task.system].append(self._row(task))
            self._answers += 1
        return tuple(SystemRun(name, repr(system.answer), tuple(rows[name])) for name, system in systems.items())

    def _task(self, question: Question, system: str, plan: str) -> _Task:
        """Return what is to be asked; a document that is not there makes the question fail."""
        names = question.documents or tuple(self._documents)
        missing = next((name for name in names if name not in self._documents), None)
        if missing is not None:
            why = self._failed.get(missing, f"the document {missing} is not in the benchmark's folder")
            return _Task(question, system, plan, (), "", f"question {question.id}: {why}")
        infos = [self._documents[name] for name in names]
        key = journals.key(
            question=question.question,
            documents=[f"{info.id} {self._index[info.id]}" for info in infos],
            plan=plan,
            limit=self._options.limit,
            models=self._corpus.models,
        )
        return _Task(question, system, plan, tuple(dict.fromkeys(info.id for info in infos)), key)

    def _row(self, task: _Task) -> Scored:
        known = self._journal.get(task.key)
        outcome = known or self._ask(task)
        if known is None:
            self._watcher.asked(task.system, outcome.error)
            if outcome.error is None and outcome.stopped is None:
                self._journal.put(task.key, outcome, system=task.system, question=task.question.id)
        return scored(
            task.question,
            outcome,
            self._texts,
            metrics=self._benchmark.metrics,
            give_format=self._options.give_format,
            assessor=self._assessor,
        )

    def _ask(self, task: _Task) -> Outcome:
        if task.wrong and self._options.stop_on_error:
            raise UsageError(task.wrong)
        if task.wrong:
            return Outcome(error=task.wrong)
        try:
            return self._answered(task)
        except BudgetError:
            raise
        except OctavoError as wrong:
            return self._failure(task, str(wrong), wrong)
        except Exception as wrong:  # noqa: BLE001 - one question must not end a run of hours: it is counted and shown
            return self._failure(task, f"{type(wrong).__name__}: {wrong}", wrong)

    def _answered(self, task: _Task) -> Outcome:
        words, limit = task.question.question, self._options.limit
        given: dict[str, Any] = {"documents": task.ids, "system": task.system}
        if self._total is not None:
            given["caps"] = Budget(self._options.caps, parent=self._total)
        answer = self._corpus.ask(words, limit=limit, **given)
        if self._total is not None and self._total.stopped is not None:
            raise BudgetError(f"the budget of the run ended it ({self._total.stopped}) at question {task.question.id}")
        ranked = self._corpus.search(words, limit=max(RANKED, limit), **given)
        return outcome_of(answer, ranked)

    def _failure(self, task: _Task, message: str, wrong: Exception) -> Outcome:
        if self._options.stop_on_error:
            raise UsageError(f"question {task.question.id}, system {task.system}: {message}") from wrong
        return Outcome(error=" ".join(message.split()))

    def _texts(self, blocks: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        view = self._corpus.view(list(dict.fromkeys(name for name, _ in blocks)))
        places = {document.id: at for at, document in enumerate(view.documents)}
        return tuple(block_text(view, places[name], block) for name, block in blocks if name in places)
