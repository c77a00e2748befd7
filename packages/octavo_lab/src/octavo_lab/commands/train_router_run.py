"""What `octavo train-router` does: a router for the system rdr2, from questions to a report."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import octavo
from octavo.cli import context, guard, progress, terminal
from octavo.cli.models_from_settings import config_of, embedding_of, total_caps_of
from octavo.cli.options import whole
from octavo.cli.settings import Settings, load
from octavo.corpus.judges import ModelConfig
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.models import embedders
from octavo.models.gateway import Limits
from octavo.models.local_files import LocalFiles, base_files, local_files
from octavo.models.torch_engine import library, torch_model
from octavo.systems import get
from octavo_lab.benchmarks import MEASURED
from octavo_lab.benchmarks import load as load_benchmark
from octavo_lab.commands.train_router_options import TrainOptions
from octavo_lab.indexing import GoldFinder, Indexed, Indexer, ParsingOptions
from octavo_lab.training import example, job
from octavo_lab.training.example import is_held_out
from octavo_lab.training.finetuning import TrainingPlan
from octavo_lab.training.job import Curated, Folder, Watcher, estimate

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.models.language import LanguageModel
    from octavo_lab.question import Benchmark, Question

STEPS = ("curate", "train", "evaluate")
_RESUME = "; what was done is kept; run the same command again to go on from there"
_PAPER_HELD_OUT = 500 / 24_327
"""Share of its examples that the paper keeps for measuring: 500 beside 23,827 (RDR2, table 3)."""


def run_training(benchmark: str | None, options: TrainOptions) -> None:
    """Train a router and measure it, or say what that would take."""
    work = _Work(benchmark, options)
    if options.dry_run:
        work.tell_plan()
        return
    with guard.within(work.settings.max_seconds, kept=_RESUME), progress.StepBar(quiet=options.json) as watcher:
        files = work.run(watcher)
    work.tell(files)


class _Work:
    def __init__(self, benchmark: str | None, options: TrainOptions) -> None:
        if not options.out:
            raise UsageError("--out FOLDER is needed: examples, checkpoints, the router and the report are kept there")
        if options.only not in (None, *STEPS):
            raise UsageError(f"--only: needs one of {', '.join(STEPS)}, not {options.only!r}")
        self._options = options
        self.folder: Folder = Folder(Path(options.out).expanduser())
        self.settings: Settings = _settings(options, self.folder)
        self._plan: TrainingPlan = plan_of(options)
        self._share = number("--hold-out", options.hold_out, _PAPER_HELD_OUT if options.paper else 0.2)
        self._measure = whole("--measure", options.measure, 200, least=0)
        self._benchmark: Benchmark | None = _load(benchmark, options) if benchmark else None
        self._system = "rdr2-paper" if options.paper else "rdr2"
        self._decision = "route_subtree" if options.paper else "route_document"
        self.base: LocalFiles | None = self._base()
        self.run_told: dict[str, Any] = {}

    def _base(self) -> LocalFiles | None:
        if self._options.only == "curate":
            return None
        if not self._options.base:
            raise UsageError("--base MODEL is needed: a folder of transformers, a GGUF file, or a name on the hub")
        found = base_files(self._options.base)
        return dataclasses.replace(found, sends_instructions=self._plan.instructions)

    def _does(self, step: str) -> bool:
        return self._options.only in (None, step)

    # Doing it

    def run(self, watcher: Watcher) -> tuple[Path, ...]:
        """Do the steps that are asked for; return the files of the report."""
        if self._does("train") or self._does("evaluate"):
            _check_packages()
        curated = self._curated(watcher)
        if self._does("train") and self.base is not None:
            job.train(self.folder, self.base, curated.split, self._plan, self._options.device or "auto", watcher)
        run = job.summary(self._name(), curated, self.folder)
        if self._does("evaluate"):
            run |= self._measured(curated, watcher)
        self.run_told = run
        return job.write_report(run, self.folder) if self._does("evaluate") else ()

    def _name(self) -> str:
        return self._benchmark.title if self._benchmark else "examples of its own"

    def _curated(self, watcher: Watcher) -> Curated:
        if self._benchmark is None or not self._does("curate"):
            if not self.folder.train.is_file():
                raise UsageError(f"there is no {self.folder.train}: name a benchmark to make examples from")
            return job.kept(self.folder)
        with context.open_corpus(self.settings) as corpus:
            return self._made(corpus, self._benchmark, watcher)

    def _made(self, corpus: Corpus, benchmark: Benchmark, watcher: Watcher) -> Curated:
        indexed = self._indexed(corpus, benchmark, watcher)
        for failure in indexed.failures:
            terminal.note(f"octavo: left out: {terminal.one_line(failure)}")

        def maker() -> example.Curation:
            if not self._options.label_with:
                return example.Curation(corpus, example.by_gold(GoldFinder(corpus, indexed).of), self._embedder)
            judge = corpus.judge(self._labelling(), total_caps_of(self.settings))
            labels = example.by_model(judge, is_single_turn=self._options.paper)
            return example.Curation(
                corpus, labels, self._embedder, [get(self._system)] if self._options.paper else None
            )

        made_of = {
            "questions": job.digest_of(benchmark.questions),
            "documents": job.digest_of(sorted(corpus.fingerprints())),
            "labels": self._options.label_with or "gold",
            "decision": [self._decision, example.ROUTERS[self._decision].version],
            "share": self._share,
        }
        scope = _scope(indexed)
        return job.curate(self.folder, benchmark.questions, maker, scope, self._share, made_of, watcher)

    def _indexed(self, corpus: Corpus, benchmark: Benchmark, watcher: Watcher) -> Indexed:
        reading = ParsingOptions(**context.reading_of((), self.settings, self._options), workers=self.settings.workers)
        indexer = Indexer(corpus, reading, None)
        watcher.begin("indexing", 0)
        indexer.documents(benchmark.documents)
        return indexer.found

    def _labelling(self) -> Any:
        # Named for the decision: a small model is not asked how to find otherwise.
        named = str(self._options.label_with)
        return config_of(dataclasses.replace(self.settings, model=named, decisions={self._decision: named}))

    def _embedder(self) -> Any:
        made = embedding_of(self.settings)
        return made() if made else embedders.embedder()

    def _measured(self, curated: Curated, watcher: Watcher) -> dict[str, Any]:
        """Measure the rule, the base model and the trained one, on steps and on whole questions."""
        models = self._routers()
        held = curated.split.held_out[: self._measure]
        reply_tokens = whole("--reply-tokens", self._options.reply_tokens, 256, least=1)
        found: dict[str, Any] = {"routers": job.measure(models, held, Judge(), reply_tokens, watcher)}
        if self._benchmark is not None:
            asked = [one for one in self._benchmark.questions if is_held_out(one.id, self._share)]
            corpora = {name: self._opener(model) for name, model in models.items()}
            with context.open_corpus(self.settings) as corpus:
                scope = _scope(self._indexed(corpus, self._benchmark, watcher))
            found["end_to_end"] = job.measure_answers(corpora, asked[: self._measure], scope, self._system, watcher)
        return found

    def _routers(self) -> dict[str, LanguageModel | None]:
        device = self._options.device or "auto"
        before = torch_model(self.base, device=device) if self.base else None
        after = torch_model(local_files(self.folder.router), device=device)
        return {"rule": None, "before": before, "after": after}

    def _opener(self, model: LanguageModel | None) -> Any:
        """Return what opens the corpus with a router, None for the rule."""
        means = None if model is None else ModelConfig({self._decision: model}, limits=Limits(timeout=600.0))
        embedding = embedding_of(self.settings)
        return lambda: octavo.open(self.settings.corpus, models=means, embedding=embedding)

    # Telling

    def tell(self, files: tuple[Path, ...]) -> None:
        """Show what came of it."""
        if self._options.json:
            terminal.write_json({**self.run_told, "files": [str(path) for path in files]})
            return
        if files:
            terminal.write(files[-1].read_text(encoding="utf-8").rstrip())
            terminal.write(f"router: {self.folder.router}\nreport: {files[1]}")
            return
        counts = self.run_told["examples"]
        told = ", ".join(f"{count} {kind}" for kind, count in counts["kinds"].items())
        terminal.write(f"{counts['train']:,} examples to learn from ({told}), {counts['held_out']:,} held out")
        if counts["skipped"]:
            why = "the evidence was not found, or no action leads to it"
            terminal.write(f"{counts['skipped']:,} steps or questions left out: {why}")
        if self.run_told["training"]:
            terminal.write(f"router: {self.folder.router}")

    def tell_plan(self) -> None:
        """Show what would be done."""
        counted = len(self._benchmark.questions) if self._benchmark else 0
        told = estimate(self.folder, counted, self._share, self._plan, is_labelled=self._options.label_with is not None)
        if self._options.json:
            terminal.write_json(told)
            return
        for name, value in told.items():
            terminal.write(f"{name.replace('_', ' '):<18} {'not known' if value is None else value}")


def _settings(options: TrainOptions, folder: Folder) -> Settings:
    """Return the settings; the model that decides is that of --label-with alone, and `limit` means questions here."""
    given = {key: value for key, value in options.given().items() if key not in ("system", "limit", "model")}
    chosen = load({**given, "model": "none"})
    return (
        chosen
        if chosen.corpus is not None and options.corpus
        else dataclasses.replace(chosen, corpus=folder.path / "corpus")
    )


def _scope(indexed: Indexed) -> Callable[[Question], Sequence[str] | None]:
    """Return what gives the documents a question is about; None for one that names none: it is put to all."""

    def scope(question: Question) -> list[str] | None:
        found = [info.id for name in question.documents for info in indexed.called(name)]
        return list(dict.fromkeys(found)) if question.documents else None

    return scope


def _load(name: str, options: TrainOptions) -> Benchmark:
    documents = Path(options.documents).expanduser() if options.documents else None
    limit = whole("--limit", options.limit, None)
    if options.paper and not options.label_with:
        raise UsageError("--paper needs --label-with MODEL: the paper has a model choose the right actions")
    asked = load_benchmark(name, documents, limit=limit)
    if asked.name in MEASURED:
        terminal.note(
            f"octavo: the questions of {asked.title} here are those that systems are measured by: never measure a "
            "router on them that was trained on them; asqa-train has questions for training"
        )
    if not options.label_with and not any(question.evidence_texts for question in asked.questions):
        raise UsageError(f"{name} has no gold evidence: add evidence_text to its questions, or name --label-with MODEL")
    return asked


def _check_packages() -> None:
    """Raise ModelError before anything long begins when what training needs is not installed."""
    from importlib.util import find_spec

    for name in ("torch", "transformers", "peft"):
        if find_spec(name) is None:
            library(name)


def plan_of(options: TrainOptions) -> TrainingPlan:
    """Return the settings of the training. Raises UsageError for a value out of range."""
    usual = TrainingPlan()
    return TrainingPlan(
        rank=whole("--rank", options.rank, usual.rank),
        alpha=whole("--alpha", options.alpha, usual.alpha),
        learning_rate=number("--learning-rate", options.learning_rate, usual.learning_rate),
        batch=whole("--batch", options.batch, usual.batch),
        epochs=number("--epochs", options.epochs, usual.epochs),
        max_tokens=whole("--max-length", options.max_length, usual.max_tokens),
        instructions=not options.no_instructions,
        checkpoint_steps=whole("--checkpoint-steps", options.checkpoint_steps, usual.checkpoint_steps),
        seed=whole("--seed", options.seed, usual.seed, least=0),
    )


def number(option: str, given: str | None, usual: float) -> float:
    """Return the number of an option. Raises UsageError for another text."""
    try:
        return usual if given is None else float(given)
    except ValueError:
        raise UsageError(f"{option}: needs a number, not {given!r}") from None
