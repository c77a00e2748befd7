"""Runs systems side by side over a benchmark, and keeps a journal of what has been answered.

Documents are indexed where they are not yet, then every question is put to every system, with what the journal knows
left out. A system is given the question's words, the documents in scope and a page limit; nothing else of the
benchmark reaches it.

An oracle alone is told more: the pages of the gold. A system may take as many pages as another one took for the same
question, which is asked first.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

from octavo.corpus import Corpus, DocumentInfo, Progress
from octavo.corpus.index.builders import EVERY_DOCUMENT
from octavo.errors import BudgetError, OctavoError, UsageError
from octavo.evidence import AnswerFormat
from octavo.models.gateway import Budget, Caps
from octavo_documents.text.lines import on_one_line
from octavo_lab.baselines.whole_pages import given_pages, takes_gold_pages
from octavo_lab.document_facts import FactFinder
from octavo_lab.indexing import Announce, Digests, GoldFinder, Indexed, Indexer, ParsingOptions, Scope
from octavo_lab.journal import Journal, RunCost, peak_memory, response_key
from octavo_lab.question import RANKED, Benchmark, Question, Response, ScoredResponse
from octavo_lab.question_threads import QuestionThreads
from octavo_lab.scoring import Assessor, RuleAssessor, block_text, is_unreached, response_of, scored_response
from octavo_lab.variants import Variant, variants


class QuestionWatcher(Protocol):
    """Is told how far an evaluation is."""

    def asking(self, total: int, known: int) -> None:
        """Questions begin: `total` in all, for all systems, `known` of them from the journal."""
        ...

    def asked(self, system: str, failed: str | None) -> None:
        """A question was put to a system; `failed` says why it could not be answered."""
        ...


_TYPES: Mapping[str, AnswerFormat] = {
    "Str": AnswerFormat.STR,
    "String": AnswerFormat.STR,
    "Int": AnswerFormat.INT,
    "Integer": AnswerFormat.INT,
    "Float": AnswerFormat.FLOAT,
    "List": AnswerFormat.LIST,
}
"""Types that systems may be told, by what benchmarks call them. That there is no answer is the answer itself."""


@dataclasses.dataclass(frozen=True)
class Options:
    """How an evaluation is run; `limit` is the pages handed to a reader, None what each system takes."""

    limit: int | None = None
    reading: ParsingOptions = dataclasses.field(default_factory=ParsingOptions)
    """How files are read."""
    stop_on_error: bool = False
    give_format: bool = False
    """Whether answer extraction is told the gold's answer format."""
    tell_format: bool = False
    """Whether systems that ask by the type of the answer are told the gold's, but not that there is none."""
    caps: Caps | None = None
    """The most that the models of one question may take."""
    total_caps: Caps | None = None
    """The most that the models of the whole run may take, building layers included."""
    facts: bool = False
    """Whether documents are opened for what breakdowns and error classes read of them."""
    sweeps: tuple[str, ...] = ()
    """Settings that each system is run with several values of, as `variants.parsed` reads them."""
    parallel: int = 1
    """Questions that are asked at once; each is put to one system after the other."""


@dataclasses.dataclass(frozen=True)
class SystemRun:
    """One system's rows, in the order of the questions, and its plan.

    `base` is the system it is a variant of, `settings` what it has of its own, `swept` the setting it is a point of a
    sweep of, empty for a system that was named itself.
    """

    name: str
    plan: str
    rows: tuple[ScoredResponse, ...]
    base: str = ""
    settings: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    swept: str = ""


@dataclasses.dataclass(frozen=True)
class Evaluation:
    """What was measured: rows per system, the documents, and what each run into the same folder took, this one last."""

    benchmark: Benchmark
    options: Options
    runs: tuple[SystemRun, ...]
    documents: Mapping[str, DocumentInfo]
    """By file name; the same bytes under two names are one document."""
    took: tuple[RunCost, ...]
    failures: tuple[str, ...]
    """Documents that could not be indexed, one line each."""
    models: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    """Names of the models that decided or reranked, by what they do; empty for the rules."""
    assessor: str = "rule"
    """Who read short answers out of responses and judged them."""
    assessed_by: Mapping[str, int] = dataclasses.field(default_factory=dict[str, int])
    """How many of these assessments a model, the cache and the rule made; empty when no model was to."""
    beside: tuple[DocumentInfo, ...] = ()
    """Documents that were asked too and that no question is about."""


def evaluate(
    corpus: Corpus,
    benchmark: Benchmark,
    names: Sequence[str],
    out: Path,
    *,
    options: Options | None = None,
    assessor: Assessor | None = None,
    progress: Progress | None = None,
    watcher: QuestionWatcher | None = None,
    announce: Announce | None = None,
    within: Budget | None = None,
) -> Evaluation:
    """Run systems over a benchmark and return what they made of it; the journal is kept in the folder `out`.

    `names` are systems or variants of them (`variants`); `within` is a budget of more than this run. Raises UsageError
    for an unknown one, BudgetError when the caps of the whole run end it (what was answered is kept), and with
    `stop_on_error` the error of the first document or question that fails. Without it a failed question counts with
    each metric's default.
    """
    assesses, chosen = assessor or RuleAssessor(), options or Options()
    benchmark = _judged(benchmark, assesses)
    systems = variants(names, chosen.sweeps)
    is_capped = chosen.total_caps or chosen.caps or within
    budget = Budget(chosen.total_caps, parent=within) if is_capped else None
    indexer, counts = Indexer(corpus, chosen.reading, progress), _Counts()
    with Journal(out) as journal:
        started = time.perf_counter()
        try:
            _index(indexer, benchmark, systems, chosen, budget, announce)
            threads = QuestionThreads(chosen.parallel)
            found = indexer.found
            asking = _Asking(corpus, benchmark, found, journal, chosen, assesses, watcher, budget, counts, threads)
            runs = asking.run(systems)
        finally:
            took = journal.end(_cost(indexer.found, counts, time.perf_counter() - started))
    found = indexer.found
    return Evaluation(
        benchmark=benchmark,
        options=chosen,
        runs=runs,
        documents=found.documents,
        took=took,
        failures=found.failures,
        models=corpus.models,
        assessor=assesses.name,
        assessed_by=dict(assesses.decided_by),
        beside=found.beside,
    )


def _judged(benchmark: Benchmark, assessor: Assessor) -> Benchmark:
    """Return the benchmark with a verdict on each response where a model is there to give it."""
    if "judged" in benchmark.metrics or isinstance(assessor, RuleAssessor):
        return benchmark
    return dataclasses.replace(benchmark, metrics=(*benchmark.metrics, "judged"))


def _index(
    indexer: Indexer,
    benchmark: Benchmark,
    systems: Mapping[str, Variant],
    options: Options,
    budget: Budget | None,
    announce: Announce | None,
) -> None:
    report = indexer.documents(benchmark.documents)
    if options.stop_on_error and report.failed:
        raise UsageError(f"{report.failed[0].message}; without --on-error stop its questions count as failed")
    others = indexer.beside(benchmark.beside)
    if options.stop_on_error and others.failed:
        raise UsageError(f"{others.failed[0].message}; without --on-error stop it is left out")
    indexer.layers(benchmark.documents, systems.values(), budget=budget, announce=announce)


def _cost(indexed: Indexed, counts: _Counts, seconds: float) -> RunCost:
    """Return what the run took so far; `seconds` are those of indexing and asking together."""
    return RunCost(
        indexing_seconds=round(indexed.seconds, 2),
        layer_seconds=round(indexed.layer_seconds, 2),
        asking_seconds=round(max(seconds - indexed.seconds, 0.0), 2),
        answers=counts.answers,
        from_journal=counts.known,
        peak_memory=peak_memory(),
        indexing_usage=dataclasses.asdict(indexed.usage),
    )


@dataclasses.dataclass(frozen=True)
class _Task:
    question: Question
    variant: Variant
    limit: int
    ids: tuple[str, ...] | None
    """Documents in scope, None for the whole corpus."""
    key: str
    wrong: str = ""


@dataclasses.dataclass
class _Counts:
    """Answers so far, and how many of them were known before."""

    answers: int = 0
    known: int = 0


@dataclasses.dataclass(frozen=True)
class _Asking:
    """Puts the questions of one evaluation, once its documents are indexed."""

    corpus: Corpus
    benchmark: Benchmark
    indexed: Indexed
    journal: Journal
    options: Options
    assessor: Assessor
    watcher: QuestionWatcher | None
    budget: Budget | None
    counts: _Counts
    threads: QuestionThreads

    @cached_property
    def scope(self) -> Scope:
        """The documents that questions name."""
        return Scope(self.indexed, self.corpus.status().documents)

    @cached_property
    def gold(self) -> GoldFinder:
        """Where the evidence of questions stands."""
        return GoldFinder(self.corpus, self.indexed)

    @cached_property
    def facts(self) -> FactFinder:
        """What is known of documents."""
        return FactFinder(self.corpus, self.indexed)

    def run(self, systems: Mapping[str, Variant]) -> tuple[SystemRun, ...]:
        """Return each system's rows; one that takes another's number of pages is asked after it."""
        digests = {name: self._digests(one) for name, one in systems.items()}
        ordered = sorted(systems, key=lambda name: bool(systems[name].limit_as))
        questions = self.benchmark.questions
        self.counts.known = sum(
            self._is_known(question, name, systems, digests) for question in questions for name in ordered
        )
        if self.watcher:
            self.watcher.asking(len(questions) * len(systems), self.counts.known)

        def rows_of(question: Question) -> dict[str, ScoredResponse]:
            rows: dict[str, ScoredResponse] = {}
            for name in ordered:
                one = systems[name]
                pages = len(rows[one.limit_as].response.pages) if one.limit_as else None
                rows[name] = self._row(self._task(question, one, digests[name], pages))
                with self.threads.lock:
                    self.counts.answers += 1
                self.threads.go_on()
            return rows

        asked = self.threads.of_each(questions, rows_of)
        return tuple(
            SystemRun(
                name, repr(one.system.answer), tuple(rows[name] for rows in asked), one.base, one.settings, one.swept
            )
            for name, one in systems.items()
        )

    def _is_known(
        self, question: Question, name: str, systems: Mapping[str, Variant], digests: Mapping[str, Digests]
    ) -> bool:
        """Whether the journal has the answer; where it goes by the pages of another, that one's too."""
        one, pages = systems[name], None
        if one.limit_as:
            base = self.journal.get(self._task(question, systems[one.limit_as], digests[one.limit_as]).key)
            if base is None:
                return False
            pages = len(base.pages)
        return self.journal.get(self._task(question, one, digests[name], pages).key) is not None

    def _digests(self, one: Variant) -> Digests:
        """Return digests of what a system reads, by document: a layer that it does not read may change."""
        return self.scope.digests_of(self.corpus.fingerprints(EVERY_DOCUMENT | one.system.needs()))

    def _task(self, question: Question, one: Variant, digests: Digests, pages: int | None = None) -> _Task:
        """Return what is to be asked, for so many `pages`; a document that is not there makes the question fail."""
        limit = max(pages, 1) if pages is not None else one.limit or self.options.limit or one.system.limit
        one = self._told(question, one)
        missing = self.scope.missing(question.documents)
        if missing is not None:
            why = self.indexed.failed.get(missing, f"the document {missing} is not in the benchmark's folder")
            return _Task(question, one, limit, (), "", f"question {question.id}: {why}")
        # An oracle is told pages of the documents a question is about, and asks these.
        asked = question.documents if takes_gold_pages(one.system) else question.scope
        key = response_key(
            question=question.question,
            documents=self.scope.fingerprints(asked, digests, together=question.together),
            plan=f"{one.system.answer!r} {one.system.rest!r}",
            limit=limit,
            models=self.corpus.models,
        )
        return _Task(question, one, limit, self.scope.asked(asked), key)

    def _told(self, question: Question, one: Variant) -> Variant:
        """Return what is run for a question: an oracle with its pages, one told formats with that of the answer."""
        if takes_gold_pages(one.system):
            return dataclasses.replace(one, system=given_pages(one.system, _only_pages(question)))
        form = _TYPES.get(question.answer_format)
        if form is None or not (self.options.tell_format and one.system.by_type):
            return one
        return dataclasses.replace(one, system=one.system.answering_as(form.value))

    def _row(self, task: _Task) -> ScoredResponse:
        known = self.journal.get(task.key)
        response = known or self._ask(task)
        if known is None:
            with self.threads.lock:
                self._keep(task, response)
        gold = self.gold.of(task.question)
        return scored_response(
            task.question,
            response,
            self._texts,
            metrics=self.benchmark.metrics,
            give_format=self.options.give_format,
            assessor=self.assessor,
            gold=gold,
            facts=self.facts.of(task.question, response, gold) if self.options.facts else None,
        )

    def _keep(self, task: _Task, response: Response) -> None:
        if self.watcher:
            self.watcher.asked(task.variant.name, response.error)
        if response.error is None and response.stopped is None and not is_unreached(response):
            self.journal.put(task.key, response, system=task.variant.name, question=task.question.id)

    def _ask(self, task: _Task) -> Response:
        if task.wrong and self.options.stop_on_error:
            raise UsageError(task.wrong)
        if task.wrong:
            return Response(error=task.wrong)
        try:
            return self._answered(task)
        except BudgetError:
            raise
        except OctavoError as wrong:
            return self._failure(task, str(wrong), wrong)
        except Exception as wrong:  # noqa: BLE001 - one question must not end a run of hours: it is counted and shown
            return self._failure(task, f"{type(wrong).__name__}: {wrong}", wrong)

    def _answered(self, task: _Task) -> Response:
        words, system = task.question.question, task.variant.system
        given: dict[str, Any] = {"documents": task.ids}
        if self.budget is not None:
            given["caps"] = Budget(self.options.caps, parent=self.budget)
        answer = self.corpus.ask(words, limit=task.limit, system=system, **given)
        if self.budget is not None and self.budget.stopped is not None:
            raise BudgetError(f"the budget of the run ended it ({self.budget.stopped}) at question {task.question.id}")
        most = max(RANKED, task.limit)
        ranked = [self.corpus.search(words, limit=most, system=one, **given) for one in system.rankings()]
        return response_of(answer, ranked, self.indexed.told if task.question.together else {})

    def _failure(self, task: _Task, message: str, wrong: Exception) -> Response:
        if self.options.stop_on_error:
            raise UsageError(f"question {task.question.id}, system {task.variant.name}: {message}") from wrong
        return Response(error=on_one_line(message))

    def _texts(self, blocks: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        view = self.corpus.view(list(dict.fromkeys(name for name, _ in blocks)))
        places = {document.id: at for at, document in enumerate(view.documents)}
        return tuple(block_text(view, places[name], block) for name, block in blocks if name in places)


def _only_pages(question: Question) -> tuple[int, ...]:
    """Return the gold pages of a question about one document."""
    return question.evidence_pages if len(question.documents) == 1 else ()
