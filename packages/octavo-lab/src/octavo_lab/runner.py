"""Runs systems side by side over a benchmark, and keeps a journal of what has been answered.

Documents are indexed where they are not yet, then every question is put to every system, with what the journal knows
left out. A system is given the question's words, the documents in scope and a page limit; nothing else of the
benchmark reaches it.

The journal has one JSON line per question and system, and what runs took. A key holds everything a response depends
on, so that a changed question, system or index is asked again and nothing else is. Gold answers are no part of a key
or a line.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol, Self, cast

import octavo
from octavo.corpus import Corpus, DocumentInfo, Progress
from octavo.corpus.index.builders import EVERY_DOCUMENT
from octavo.errors import BudgetError, CorpusError, OctavoError, UsageError
from octavo.evidence import AnswerFormat
from octavo.models.gateway import Budget, Caps
from octavo_lab.indexing import Announce, Digests, GoldFinder, Indexed, Indexer, ParsingOptions, Scope
from octavo_lab.metrics.table import of_plain_questions
from octavo_lab.question import RANKED, Benchmark, Question, Response, ScoredResponse
from octavo_lab.scoring import Assessor, RuleAssessor, block_text, is_unreached, response_of, scored_response
from octavo_lab.variants import Variant, variants

JOURNAL_NAME = "journal.jsonl"
_ANSWERING = ("corpus", "systems", "operators", "decisions", "models", "document")
"""Floors whose code decides what a question's response is."""


def response_key(*, question: str, documents: Sequence[str], plan: str, limit: int, models: Mapping[str, str]) -> str:
    """Return the key of a response.

    Args:
        question: The words.
        documents: Fingerprints of the documents in scope.
        plan: The system's plan as it prints.
        limit: Pages asked for.
        models: Names of the models that decide or rerank, by what they do.
    """
    parts = json.dumps([question, list(documents), plan, limit, sorted(models.items()), code_fingerprint()])
    return hashlib.sha256(parts.encode()).hexdigest()


@dataclasses.dataclass(frozen=True)
class RunCost:
    """What one run took: seconds, answers in all and those known before, and bytes of memory at most.

    `layer_seconds` is the part of indexing spent on layers that only some systems read, `indexing_usage` what models
    took for it, as `Usage`.
    """

    indexing_seconds: float
    asking_seconds: float
    answers: int
    from_journal: int
    peak_memory: int | None = None
    layer_seconds: float = 0.0
    indexing_usage: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])


def peak_memory() -> int | None:
    """Return bytes: this process at its largest plus its largest finished child; None where nobody counts."""
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(who).ru_maxrss for who in whose) * unit


@cache
def code_fingerprint() -> str:
    """Return a hash of the code that answers questions: a plan prints the same after its operators were changed."""
    root = Path(octavo.__file__).parent
    digest = hashlib.sha256()
    for floor in _ANSWERING:
        for path in sorted((*(root / floor).rglob("*.py"), *(root / floor).rglob("*.md"))):
            digest.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


class Journal:
    """The responses known so far. A context manager; lines that a killed run left unfinished are passed over."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / JOURNAL_NAME
        self._known: dict[str, Response] = {}
        self._runs: list[RunCost] = []
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._path.exists():
                self._read()
            self._file = self._path.open("a", encoding="utf-8")
            self._end_line()
        except OSError as wrong:
            raise CorpusError(
                "full", f"{self._path} cannot be written: {wrong.strerror}; choose another --out"
            ) from wrong
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def get(self, name: str) -> Response | None:
        """Return the response under a key, None when there is none yet."""
        return self._known.get(name)

    def put(self, name: str, response: Response, *, system: str, question: str) -> None:
        """Keep a response; it survives the death of the process from here on."""
        self._write({"key": name, "system": system, "id": question, "response": response.to_json()})
        self._known[name] = response

    def end(self, took: RunCost) -> tuple[RunCost, ...]:
        """Note what this run took, finished or not; return what every run so far took, this one last."""
        self._write({"run": dataclasses.asdict(took)})
        self._runs.append(took)
        return tuple(self._runs)

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is None:
            raise ValueError("the journal is not open")
        self._file.write(json.dumps(line, default=str) + "\n")
        self._file.flush()

    def _read(self) -> None:
        with self._path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                self._take(line)

    def _take(self, line: str) -> None:
        try:
            value = cast(dict[str, Any], json.loads(line))
            if "run" in value:
                self._runs.append(RunCost(**value["run"]))
            else:
                self._known[str(value["key"])] = Response.of_json(value["response"])
        except (ValueError, KeyError, TypeError):
            return  # an unfinished or foreign line: its question is asked again

    def _end_line(self) -> None:
        """Start a new line where a killed run left half of one."""
        with self._path.open("rb") as file:
            file.seek(0, 2)
            if file.tell():
                file.seek(-1, 2)
                if file.read(1) != b"\n" and self._file is not None:
                    self._file.write("\n")


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
    sweeps: tuple[str, ...] = ()
    """Settings that each system is run with several values of, as `variants.parsed` reads them."""


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
    """By file name."""
    took: tuple[RunCost, ...]
    failures: tuple[str, ...]
    """Documents that could not be indexed, one line each."""
    models: Mapping[str, str] = dataclasses.field(default_factory=dict[str, str])
    """Names of the models that decided or reranked, by what they do; empty for the rules."""
    assessor: str = "rule"
    """Who read short answers out of responses and judged them."""
    assessed_by: Mapping[str, int] = dataclasses.field(default_factory=dict[str, int])
    """How many of these assessments a model, the cache and the rule made; empty when no model was to."""


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
) -> Evaluation:
    """Run systems over a benchmark and return what they made of it; the journal is kept in the folder `out`.

    `names` are systems or variants of them (`variants`). Raises UsageError for an unknown one, BudgetError when the
    caps of the whole run end it (what was answered is kept), and with `stop_on_error` the error of the first document
    or question that fails. Without it a failed question counts with each metric's default.
    """
    assesses, chosen = assessor or RuleAssessor(), options or Options()
    benchmark = _judged(benchmark, assesses)
    systems = variants(names, chosen.sweeps)
    budget = Budget(chosen.total_caps) if chosen.total_caps or chosen.caps else None
    indexer, counts = Indexer(corpus, chosen.reading, progress), _Counts()
    with Journal(out) as journal:
        started = time.perf_counter()
        try:
            _index(indexer, benchmark, systems, chosen, budget, announce)
            asking = _Asking(corpus, benchmark, indexer.found, journal, chosen, assesses, watcher, budget, counts)
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
    )


def _judged(benchmark: Benchmark, assessor: Assessor) -> Benchmark:
    """Return the benchmark with a verdict on each response where a model is there to give it on own questions."""
    if benchmark.metrics[0] not in of_plain_questions() or isinstance(assessor, RuleAssessor):
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

    @cached_property
    def scope(self) -> Scope:
        """The documents that questions name."""
        return Scope(self.indexed, self.corpus.status().documents)

    @cached_property
    def gold(self) -> GoldFinder:
        """Where the evidence of questions stands."""
        return GoldFinder(self.corpus, self.indexed)

    def run(self, systems: Mapping[str, Variant]) -> tuple[SystemRun, ...]:
        """Return each system's rows."""
        digests = {name: self._digests(one) for name, one in systems.items()}
        tasks = [
            self._task(question, one, digests[name])
            for question in self.benchmark.questions
            for name, one in systems.items()
        ]
        self.counts.known = sum(self.journal.get(task.key) is not None for task in tasks)
        if self.watcher:
            self.watcher.asking(len(tasks), self.counts.known)
        rows: dict[str, list[ScoredResponse]] = {name: [] for name in systems}
        for task in tasks:
            rows[task.variant.name].append(self._row(task))
            self.counts.answers += 1
        return tuple(
            SystemRun(name, repr(one.system.answer), tuple(rows[name]), one.base, one.settings, one.swept)
            for name, one in systems.items()
        )

    def _digests(self, one: Variant) -> Digests:
        """Return digests of what a system reads, by document: a layer that it does not read may change."""
        return self.scope.digests_of(self.corpus.fingerprints(EVERY_DOCUMENT | one.system.needs()))

    def _task(self, question: Question, one: Variant, digests: Digests) -> _Task:
        """Return what is to be asked; a document that is not there makes the question fail."""
        limit = one.limit or self.options.limit or one.system.limit
        one = self._told(question, one)
        missing = self.scope.missing(question.documents)
        if missing is not None:
            why = self.indexed.failed.get(missing, f"the document {missing} is not in the benchmark's folder")
            return _Task(question, one, limit, (), "", f"question {question.id}: {why}")
        key = response_key(
            question=question.question,
            documents=self.scope.fingerprints(question.documents, digests),
            plan=f"{one.system.answer!r} {one.system.rest!r}",
            limit=limit,
            models=self.corpus.models,
        )
        return _Task(question, one, limit, self.scope.asked(question.documents), key)

    def _told(self, question: Question, one: Variant) -> Variant:
        """Return what is run for a question, where formats are told with that of its answer."""
        form = _TYPES.get(question.answer_format)
        if form is None or not (self.options.tell_format and one.system.by_type):
            return one
        return dataclasses.replace(one, system=one.system.answering_as(form.value))

    def _row(self, task: _Task) -> ScoredResponse:
        known = self.journal.get(task.key)
        response = known or self._ask(task)
        if known is None:
            if self.watcher:
                self.watcher.asked(task.variant.name, response.error)
            if response.error is None and response.stopped is None and not is_unreached(response):
                self.journal.put(task.key, response, system=task.variant.name, question=task.question.id)
        return scored_response(
            task.question,
            response,
            self._texts,
            metrics=self.benchmark.metrics,
            give_format=self.options.give_format,
            assessor=self.assessor,
            gold=self.gold.of(task.question),
        )

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
        return response_of(answer, ranked)

    def _failure(self, task: _Task, message: str, wrong: Exception) -> Response:
        if self.options.stop_on_error:
            raise UsageError(f"question {task.question.id}, system {task.variant.name}: {message}") from wrong
        return Response(error=" ".join(message.split()))

    def _texts(self, blocks: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        view = self.corpus.view(list(dict.fromkeys(name for name, _ in blocks)))
        places = {document.id: at for at, document in enumerate(view.documents)}
        return tuple(block_text(view, places[name], block) for name, block in blocks if name in places)
