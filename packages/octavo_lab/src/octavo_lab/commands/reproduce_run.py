"""What `octavo reproduce` does: a result table of one of the five papers again, its figures beside those measured."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from octavo.cli import context, guard, terminal
from octavo.cli.add import announce
from octavo.cli.models_from_settings import config_of, model_of, total_caps_of
from octavo.cli.options import whole
from octavo.cli.settings import Settings, load
from octavo.errors import BudgetError, ModelError, OctavoError, UsageError
from octavo.models.gateway import Budget
from octavo.models.spec import NONE
from octavo_lab.commands.bars import RunBars
from octavo_lab.commands.paid_models import paid_models
from octavo_lab.commands.reproduce_choice import (
    EVERY,
    TableChoice,
    choose_predictions,
    choose_tables,
)
from octavo_lab.commands.reproduce_options import OUT, ReproduceOptions
from octavo_lab.commands.reproduce_plan import estimate_of, plan_as_json, show_plan, told_of
from octavo_lab.indexing import ParsingOptions
from octavo_lab.reproduce.data_sets import data_set, place_of, read
from octavo_lab.reproduce.presets import Preset, listed, names, preset
from octavo_lab.reproduce.record import record_of
from octavo_lab.reproduce.running import Able, Measured, Setting, measure, without_adjusted
from octavo_lab.reproduce.texts import notes_of, table_of
from octavo_lab.reproduce.written import write
from octavo_lab.runner import Options
from octavo_lab.scoring import Assessor, ModelAssessor
from octavo_methods.rdr2.decisions.answer_unaided import ANSWER_UNAIDED, Remembered, Unaided

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.corpus.judges import ModelConfig
    from octavo.decisions.engine.judge import Judge
    from octavo.models.ports import Raster
    from octavo_lab.question import Benchmark

_RESUME = "what was done is kept; run the same command again to go on from there"
_FEW = 3
"""Rows left out that are told."""
_PICTURE_WIDTH = 560
"""Pixels of a page's picture in the report."""


@dataclasses.dataclass(frozen=True)
class ReproduceRun:
    """What all tables of one run share, its budget among it."""

    chosen: Settings
    out: Path
    options: ReproduceOptions
    predictions: Mapping[str, Path]
    budget: Budget | None
    limit: int | None
    sample: int | None

    def asks(self, preset: Preset) -> bool:
        """Whether any system of a table is asked: not where all answers are in files."""
        return not set(preset.systems) <= self.predictions.keys()


def run_reproduction(name: str | None, options: ReproduceOptions) -> None:
    """Make a table, or all of them; list them, or say what they need, where that is asked."""
    if options.listing:
        _list(options)
        return
    if not name:
        raise UsageError("TABLE is missing: octavo reproduce --list names all")
    chosen = _settings(options)
    tables = choose_tables(name, options.system, options.benchmark)
    run = _run(name, tables, chosen, options)
    tables = [dataclasses.replace(table, preset=without_adjusted(table.preset, run.predictions)) for table in tables]
    with guard.within(None if options.dry_run else chosen.max_seconds, kept=f"; {_RESUME}"):
        made = [_plan(table, run) for table in tables] if options.dry_run else _make(tables, run, name)
    if options.json:
        terminal.write_json({"tables": made} if name == EVERY else made[0])


def _run(name: str, tables: Sequence[TableChoice], chosen: Settings, options: ReproduceOptions) -> ReproduceRun:
    """Return what the tables share; raise UsageError for options that none of them can have."""
    if options.sample is not None and options.limit is None:
        raise UsageError("--sample chooses among the questions: say how many with --limit N")
    caps = total_caps_of(chosen)
    return ReproduceRun(
        chosen,
        Path(options.out or OUT).expanduser(),
        options,
        choose_predictions(options.predictions or (), tables, name),
        Budget(caps) if caps else None,
        whole("--limit", options.limit, None),
        whole("--sample", options.sample, None, least=0),
    )


def _make(tables: Sequence[TableChoice], run: ReproduceRun, name: str) -> list[dict[str, Any]]:
    """Make tables one after the other; of several those of which no benchmark can be read are passed over."""
    skipped: set[str] | None = set() if name == EVERY else None
    made: list[dict[str, Any]] = []
    for table in tables:
        benchmarks = _read(table, run, skipped) if table.benchmarks else {}
        if benchmarks or not table.benchmarks:
            made.append(_one(table.preset, benchmarks, run))
    return made


def _one(preset: Preset, benchmarks: Mapping[str, Benchmark], run: ReproduceRun) -> dict[str, Any]:
    """Make one table, once its benchmarks are read; return what --json prints of it."""
    for name, benchmark in benchmarks.items():
        for problem in benchmark.problems[:_FEW]:
            terminal.note(f"octavo: {name}: left out: {terminal.one_line(problem)}")
    able = _able(run.chosen)
    _agree(preset, benchmarks, able, run)
    if preset.needs_judge and run.options.judging == NONE:
        terminal.note("octavo: the paper has a model judge: without --judge a rule does, which is coarse")
    setting = _setting(preset, able, run)
    return _report(measure(preset, benchmarks, setting), setting, run)


def _list(options: ReproduceOptions) -> None:
    found = list(listed(map(preset, names())))
    if options.json:
        terminal.write_json({"tables": [{"name": name, "about": about} for name, about in found]})
        return
    width = max(len(name) for name, _ in found)
    for name, about in found:
        terminal.write(f"{name.ljust(width)}  {about}")


def _settings(options: ReproduceOptions) -> Settings:
    """Return the settings; `limit` means something else here and is not asked for."""
    given = {field.name: getattr(options, field.name) for field in dataclasses.fields(options)}
    return load({key: value for key, value in given.items() if key not in ("limit", "benchmark", "data", "system")})


def _read(table: TableChoice, run: ReproduceRun, skipped: set[str] | None) -> dict[str, Benchmark]:
    """Return the benchmarks of a table. Raises UsageError with the first that cannot be read, and how many more.

    With `skipped` those are left out, and told where they are not among it yet.
    """
    found, wrong = _readable(table, run)
    if skipped is not None:
        for name in (one for one in wrong if one not in skipped):
            terminal.note(f"octavo: {name} is left out: {terminal.one_line(wrong[name])}")
        skipped.update(wrong)
    if skipped is not None or not wrong:
        return found
    what = f"octavo reproduce {table.preset.name} --dry-run"
    more = f"; {len(wrong) - 1} more: {what} says which" if len(wrong) > 1 else ""
    rest = f"; or run what is there with --benchmark {','.join(found)}" if found else ""
    raise UsageError(f"{next(iter(wrong.values()))}{more}{rest}")


def _readable(table: TableChoice, run: ReproduceRun) -> tuple[dict[str, Benchmark], dict[str, str]]:
    """Return the benchmarks of a table that can be read, and why others cannot."""
    found: dict[str, Benchmark] = {}
    wrong: dict[str, str] = {}
    for name in table.benchmarks:
        one = data_set(name)
        try:
            found[name] = read(
                one,
                place_of(one, run.options.data or ["."]),
                limit=run.limit,
                sample=run.sample,
                incomplete=run.options.incomplete,
                needs_documents=run.asks(table.preset),
            )
        except UsageError as error:
            wrong[name] = str(error)
    return found, wrong


def _able(chosen: Settings) -> Able:
    return Able(sees=_sees(chosen), embeds_looks=chosen.models.get("image_text", NONE) != NONE)


def _sees(chosen: Settings) -> bool:
    """Whether a model that sees is named."""
    if chosen.models.get("vision", NONE) != NONE:
        return True
    return chosen.model != NONE and model_of(chosen.model, chosen).sees


def _agree(preset: Preset, benchmarks: Mapping[str, Benchmark], able: Able, run: ReproduceRun) -> None:
    """Raise UsageError where models would be paid for and nobody agreed to it."""
    judge = run.options.judging
    paid = paid_models(run.chosen, judge, is_asked=run.asks(preset))
    if run.options.yes or not paid or not benchmarks:
        return
    found = estimate_of(preset, benchmarks, run.chosen, run.out, able, judge, run.predictions)
    told = told_of(found, run.chosen, judge)
    more = f"; and {', '.join(found.layers)} while indexing, which the run tells first" if found.layers else ""
    raise UsageError(
        f"{', '.join(paid)} would be asked for {preset.name}: {told}{more}; "
        "--yes agrees, --dry-run says more, caps hold"
    )


def _plan(table: TableChoice, run: ReproduceRun) -> dict[str, Any]:
    """Say what a table needs, what of it is missing, and what it would take; return what --json prints of it."""
    preset, chosen, judge = table.preset, run.chosen, run.options.judging
    there, missing = _readable(table, run)
    try:
        able, wrong = _able(chosen), ""
    except OctavoError as error:
        able, wrong = _able(dataclasses.replace(chosen, model=NONE)), str(error)
    found = estimate_of(preset, there, chosen, run.out, able, judge, run.predictions)
    if not run.options.json:
        show_plan(preset, there, missing, found, able=able, chosen=chosen, judge=judge, wrong=wrong)
    return plan_as_json(preset, there, missing, found, able)


def _setting(preset: Preset, able: Able, run: ReproduceRun) -> Setting:
    chosen, options = run.chosen, run.options
    reading = ParsingOptions(**context.reading_of((), chosen, options), workers=chosen.workers)

    @contextlib.contextmanager
    def watch(name: str) -> Generator[tuple[Any, RunBars]]:
        bars = RunBars(quiet=options.json, step=f"asking {name}")
        try:
            with bars.indexing() as listener:
                yield listener, bars
        except KeyboardInterrupt:
            when = (
                f"when {bars.done} of {bars.total} answers of {name} were there" if bars.total else f"indexing {name}"
            )
            raise guard.Stopped(f"interrupted {when}; {_RESUME}") from None

    def assessor(corpus: Corpus, budget: Budget | None) -> Assessor | None:
        if run.asks(preset):
            _check_model(corpus, budget, chosen)
        return _assessor(corpus, budget, chosen, options)

    return Setting(
        out=run.out,
        open_corpus=lambda place: _opened(place, chosen),
        options=Options(reading=reading, parallel=whole("--parallel", options.parallel, 1)),
        able=able,
        assessor=assessor,
        budget=run.budget,
        watch=watch,
        announce=announce,
        predictions={name: path for name, path in run.predictions.items() if name in preset.systems},
    )


def _opened(place: Path, chosen: Settings) -> Corpus:
    return context.open_corpus(dataclasses.replace(chosen, corpus=place))


def _assessor(corpus: Corpus, budget: Budget | None, chosen: Settings, options: ReproduceOptions) -> Assessor | None:
    """Return the model that judges, None for the rule. Raises UsageError for a judge that does not answer."""
    if options.judging == NONE:
        return None
    judge = corpus.judge(_judging(chosen, options.judging), budget)
    assessor = ModelAssessor(judge, options.judging)
    asked = f"the judge {options.judging}", "--judge"
    _check_answers(judge, lambda: assessor.judge("What is two and two?", ("four",), "four"), *asked)
    return assessor


def _check_model(corpus: Corpus, budget: Budget | None, chosen: Settings) -> None:
    """Raise UsageError for a model that does not answer, before all that rules would answer in its place."""
    judge = corpus.judge(caps=budget)
    if chosen.model == NONE or not judge.has_model(ANSWER_UNAIDED.name):
        return

    def ask() -> None:
        judge.decide(ANSWER_UNAIDED, Unaided("What is two and two?"), rule=lambda _: Remembered(answer=""))

    _check_answers(judge, ask, f"the model {chosen.model}", "--model")


def _check_answers(judge: Judge, ask: Callable[[], object], who: str, option: str) -> None:
    """Raise UsageError where a question whose answer is known is not answered, BudgetError where a cap forbids it.

    The reply is kept, so that it is asked once for each corpus.
    """
    why = ""
    try:
        ask()
    except ModelError as error:
        why = str(error)
    if judge.stopped:
        raise BudgetError(f"the budget of the run ended it ({judge.stopped}) before {who} was asked")
    why = why or next((record.why or "no reply" for record in judge.records if record.by == "rule"), "")
    if why:
        raise UsageError(f"{who} does not answer ({terminal.one_line(why)}): start it, or name another with {option}")


def _judging(chosen: Settings, judge: str) -> ModelConfig | None:
    return config_of(dataclasses.replace(chosen, model=judge, decisions={}, models={}, layer_model="", router=""))


def _report(measured: Measured, setting: Setting, run: ReproduceRun) -> dict[str, Any]:
    """Write the files of a table and say what is in it; return what --json prints of it."""
    model = "" if run.chosen.model == NONE else run.chosen.model
    judge = "" if run.options.judging == NONE else run.options.judging
    record = record_of(measured, model=model, judge=judge, out=setting.out)
    with _drawing(measured, setting) as draw:
        files = write(record, setting.out, draw)
    if not run.options.json:
        terminal.write(f"{record['paper']}, {record['place']}: {record['title']}")
        terminal.write(table_of(record))
        for note in notes_of(record):
            terminal.write(f"* {note}")
        terminal.write(f"report: {files[-1]}")
    kept = {key: value for key, value in record.items() if key not in ("failures", "curves", "breakdowns")}
    return {**kept, "files": list(map(str, files))}


@contextlib.contextmanager
def _drawing(measured: Measured, setting: Setting) -> Generator[Any]:
    """Open the corpora of a table, and give what draws a page of theirs, None where it cannot be drawn."""
    with contextlib.ExitStack() as stack:
        corpora: dict[str, Corpus] = {}

        def draw(benchmark: str, document: str, page: int) -> Raster | None:
            if benchmark not in corpora:
                corpora[benchmark] = stack.enter_context(setting.open_corpus(measured.pictures[benchmark]))
            info = measured.evaluations[benchmark].documents.get(document)
            if info is None or not 1 <= page <= info.pages:
                return None
            try:
                return corpora[benchmark].picture(info.id, page, _PICTURE_WIDTH)
            except (OctavoError, OSError):
                return None

        yield draw
