"""What `octavo evaluate` does: systems side by side on a benchmark, and the report of it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from octavo.cli import context, guard, terminal
from octavo.cli.add import announce
from octavo.cli.models_from_settings import config_of, total_caps_of
from octavo.cli.options import whole
from octavo.cli.settings import Settings, load
from octavo.errors import UsageError
from octavo_documents.document import number_of
from octavo_documents.wording import t, translated
from octavo_lab.advice import advice
from octavo_lab.benchmarks import BENCHMARKS
from octavo_lab.benchmarks import load as load_benchmark
from octavo_lab.commands.bars import RunBars
from octavo_lab.commands.evaluate_options import DEFAULT_SYSTEMS, EvaluateOptions
from octavo_lab.indexing import ParsingOptions
from octavo_lab.report import table, write
from octavo_lab.report.tables import asked_together
from octavo_lab.runner import Evaluation, Options, evaluate
from octavo_lab.scoring import Assessor, ModelAssessor
from octavo_lab.summary import summarize
from octavo_lab.variants import variants

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo_lab.question import Benchmark

_RESUME = "what was done is kept; run the same command again to go on from there"


def run_evaluation(name: str, options: EvaluateOptions) -> None:
    """Run systems side by side on a benchmark, write the report, and fail where nothing was answered."""
    chosen = _settings(options)
    if not options.out:
        raise UsageError("--out FOLDER is needed: the report and all that is computed on the way are kept there")
    out = Path(options.out).expanduser()
    systems = _systems(options)
    asked = _load(name, options)
    for warning in asked.warnings:
        terminal.note(f"octavo: {terminal.one_line(warning)}")
    for problem in asked.problems:
        terminal.note(f"octavo: left out: {terminal.one_line(problem)}")
    if chosen.corpus is None:
        chosen = dataclasses.replace(chosen, corpus=out / "corpus")
    with guard.within(chosen.max_seconds, kept=f"; {_RESUME}"):
        measured = _run(asked, systems, out, chosen, options)
    _report(measured, out, options)
    _fail_without_answers(measured)


def _settings(options: EvaluateOptions) -> Settings:
    """Return the settings; `system` and `limit` mean something else here and are not asked for."""
    given = options.given()
    return load({key: value for key, value in given.items() if key not in ("system", "limit")})


def _systems(options: EvaluateOptions) -> list[str]:
    """Return the names of the systems, once they and the sweeps are known to be sound: before anything is read."""
    names = [name.strip() for name in (options.system or DEFAULT_SYSTEMS).split(",") if name.strip()]
    if not names or len(set(names)) < len(names):
        raise UsageError(f"--system needs names, each once, with commas between them, not {options.system!r}")
    variants(names, options.sweep or ())
    return names


def _load(name: str, options: EvaluateOptions) -> Benchmark:
    if options.sample is not None and options.limit is None:
        raise UsageError("--sample chooses among the questions: say how many with --limit N")
    if options.beside and not options.together:
        raise UsageError("--beside FOLDER puts documents beside those that are asked together: it needs --together")
    return load_benchmark(
        name,
        Path(options.documents).expanduser() if options.documents else None,
        skip_bad=not _stops(options),
        limit=whole("--limit", options.limit, None),
        sample=whole("--sample", options.sample, None, least=0),
        together=options.together,
        beside=[Path(folder).expanduser() for folder in options.beside or ()],
    )


def _stops(options: EvaluateOptions) -> bool:
    if options.on_error not in (None, "skip", "stop"):
        raise UsageError(f"--on-error: needs skip or stop, not {options.on_error!r}")
    return options.on_error == "stop"


def _run(benchmark: Benchmark, systems: list[str], out: Path, chosen: Settings, options: EvaluateOptions) -> Evaluation:
    bars = RunBars(quiet=options.json)
    try:
        with context.open_corpus(chosen) as corpus, bars.indexing() as listener:
            return evaluate(
                corpus,
                benchmark,
                systems,
                out,
                options=_options(chosen, options),
                assessor=_assessor(corpus, chosen, options),
                progress=listener,
                watcher=bars,
                announce=announce,
            )
    except KeyboardInterrupt:
        when = f"when {bars.done} of {bars.total} answers were there" if bars.total else "while documents were indexed"
        raise guard.Stopped(f"interrupted {when}; {_RESUME}") from None


def _options(chosen: Settings, options: EvaluateOptions) -> Options:
    return Options(
        limit=whole("--pages", options.pages, None),
        reading=ParsingOptions(**context.reading_of((), chosen, options), workers=chosen.workers),
        stop_on_error=_stops(options),
        give_format=options.give_format,
        tell_format=options.tell_format,
        total_caps=total_caps_of(chosen),
        sweeps=tuple(options.sweep or ()),
        parallel=whole("--parallel", options.parallel, 1),
    )


def _assessor(corpus: Corpus, chosen: Settings, options: EvaluateOptions) -> Assessor | None:
    """Return the model that assesses, None for the rule; its replies are kept in the corpus like all others."""
    if options.judge in (None, "none"):
        return None
    judge = corpus.judge(config_of(dataclasses.replace(chosen, model=options.judge, decisions={}, models={})))
    return ModelAssessor(judge, str(options.judge))


def _report(measured: Evaluation, out: Path, options: EvaluateOptions) -> None:
    for failure in measured.failures:
        terminal.note(f"octavo: left out: {terminal.one_line(failure)}")
    summary = summarize(measured)
    files = write(summary, out)
    if options.json:
        terminal.write_json(_short(summary, files))
        return
    terminal.write(table(summary))
    run = summary["run"]
    told = (
        f"{number_of(summary['questions'], 'question')}, "
        f"{asked_together(summary) or number_of(summary['documents'], 'document')}; indexed in "
        f"{run['indexing_seconds']:.1f} s, asked in {run['asking_seconds']:.1f} s, {run['from_journal']} of "
        f"{run['answers']} answers from an earlier run"
    )
    terminal.write(translated(told))
    if _are_own(measured) and (words := advice(summary)):
        terminal.write(words)
    terminal.write(t("report: {path}", path=out / "report.html"))


def _are_own(measured: Evaluation) -> bool:
    """Whether the questions are somebody's own, and not a benchmark's with metrics of its own."""
    return measured.benchmark.name not in BENCHMARKS


def _fail_without_answers(measured: Evaluation) -> None:
    """Leave with a failure, once the report is written, when no system could answer any question."""
    errors = [row.response.error for run in measured.runs for row in run.rows]
    if not errors or not all(errors):
        return
    count = len(measured.benchmark.questions)
    terminal.note(f"octavo: {count} of {count} questions failed: {terminal.one_line(errors[0] or '')}")
    raise typer.Exit(guard.FAILED)


def _short(summary: dict[str, Any], files: tuple[Path, ...]) -> dict[str, Any]:
    """Return what `--json` prints: the figures without the questions."""
    systems = [
        {key: system[key] for key in ("system", "questions", "failed", "metrics", "intervals", "usage")}
        for system in summary["systems"]
    ]
    keys = ("benchmark", "questions", "documents", "together", "main_metric", "problems", "run")
    return {
        **{key: summary[key] for key in keys},
        "systems": systems,
        "files": [str(path) for path in files],
    }
