"""Measuring a preset: `octavo evaluate`'s runner on each of its benchmarks, within one budget.

Answers are kept in a journal for each folder of data below `--out`, and replies of models in the corpus beside it, so
that tables share what they have in common and an interrupted run goes on where it was.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from octavo.corpus import Corpus, Progress
from octavo.errors import BudgetError, UsageError
from octavo.evidence.layer_tables import graph_table
from octavo.layers.entities.extraction import GraphStatistics, statistics_of
from octavo.models.gateway import Budget
from octavo.systems import get
from octavo_lab.baselines.systems import BY_LOOKS, SEEING
from octavo_lab.breakdowns import NEED_FACTS
from octavo_lab.indexing import Announce
from octavo_lab.metrics.registry import READ_FACTS
from octavo_lab.metrics.traced import mean_calls
from octavo_lab.question import Benchmark, Question, Response
from octavo_lab.reproduce.data_sets import data_set
from octavo_lab.reproduce.predictions import predicted
from octavo_lab.reproduce.presets import GRAPH, Preset, TableRow
from octavo_lab.runner import Evaluation, Options, QuestionWatcher, SystemRun, evaluate
from octavo_lab.scoring import Assessor, ModelAssessor, RuleAssessor, verdict
from octavo_lab.variants import variant

_GRAPHS = ("bookindex", "basic_entities")
"""Layers that hold a graph of entities."""
Graphs = dict[str, tuple[GraphStatistics, ...]]
"""By layer, the statistics of each document's graph."""


@dataclasses.dataclass(frozen=True)
class Able:
    """What models of this run can do beside answering."""

    sees: bool = False
    embeds_looks: bool = False


@dataclasses.dataclass(frozen=True)
class Setting:
    """How a preset is run; `open_corpus` opens the corpus at a folder, `assessor` makes who judges with its replies."""

    out: Path
    open_corpus: Callable[[Path], contextlib.AbstractContextManager[Corpus]]
    options: Options
    able: Able = Able()
    assessor: Callable[[Corpus, Budget | None], Assessor | None] = lambda _corpus, _budget: None
    budget: Budget | None = None
    watch: Callable[[str], contextlib.AbstractContextManager[tuple[Progress | None, QuestionWatcher | None]]] = (
        lambda _name: contextlib.nullcontext((None, None))
    )
    """Shows how far a benchmark is: what is told of files, and what of questions."""
    announce: Announce | None = None
    predictions: Mapping[str, Path] = dataclasses.field(default_factory=dict[str, Path])
    """By system, files of predictions that were made elsewhere: nothing is asked of these systems."""


@dataclasses.dataclass(frozen=True)
class Measured:
    """What was measured of a preset, by benchmark, with the folder of each."""

    preset: Preset
    evaluations: Mapping[str, Evaluation]
    graphs: Mapping[str, Graphs]
    able: Able
    pictures: Mapping[str, Path] = dataclasses.field(default_factory=dict[str, Path])
    """Where the corpus of each benchmark is, for pictures of its pages."""


def home_of(out: Path, benchmark: str) -> Path:
    """Return the folder below `out` with the journal and the corpus of a benchmark's data."""
    return out / data_set(benchmark).folder


def unmet(system: str, able: Able) -> str:
    """Return why a system cannot be run with the models there are, "" where it can."""
    base = system.partition("@")[0]
    if base in SEEING and not able.sees:
        return "needs a model that sees: name one with --model, or as models.vision in octavo.toml"
    if base in BY_LOOKS and not able.embeds_looks:
        return "needs an image-text model: name one as models.image_text in octavo.toml"
    return ""


def run_name(preset: Preset, row: TableRow, benchmark: str) -> str:
    """Return the name that a row's system is run under on a benchmark, with the settings that its paper has there."""
    setting = preset.paper.settings.get(benchmark)
    if setting is None:
        return row.system
    try:
        return variant(f"{row.system}@{setting}").name
    except UsageError:
        return row.system


def runs_of(preset: Preset, benchmark: str, able: Able, made: Collection[str] = ()) -> tuple[str, ...]:
    """Return what is run on a benchmark, each once, what others take their number of pages from among it.

    The systems `made`, whose answers are in files, are left out.
    """
    rows = [row for row in preset.rows if row.system and not unmet(row.system, able)]
    found = dict.fromkeys(run_name(preset, row, benchmark) for row in rows)
    for name in tuple(found):
        found.setdefault(variant(name).limit_as or name)
    elsewhere = {run_name(preset, row, benchmark) for row in rows if row.system in made}
    return tuple(name for name in found if name not in elsewhere)


def without_adjusted(preset: Preset, made: Collection[str]) -> Preset:
    """Return the preset without the rows that take as many pages as a system `made`, whose answers are in a file.

    A file of answers does not say how many pages were taken for each.
    """

    def kept(row: TableRow) -> TableRow:
        whose = variant(row.system).limit_as if row.system else ""
        if whose not in made or whose not in preset.systems:
            return row
        why = f"takes as many pages as {whose}, which is not run: its answers are in a file"
        return dataclasses.replace(row, system="", why_not=why)

    return dataclasses.replace(preset, rows=tuple(map(kept, preset.rows)))


def needs_facts(preset: Preset) -> bool:
    """Whether documents are opened for what breakdowns or error classes read of them."""
    return any(column.breakdown in NEED_FACTS or column.metric in READ_FACTS for column in preset.columns)


def measure(preset: Preset, benchmarks: Mapping[str, Benchmark], setting: Setting) -> Measured:
    """Run the systems of a preset over its benchmarks.

    Raises BudgetError when the caps of the run end it: what was answered is kept.
    """
    evaluations: dict[str, Evaluation] = {}
    graphs: dict[str, Graphs] = {}
    for name, benchmark in benchmarks.items():
        home = home_of(setting.out, name)
        with setting.open_corpus(home / "corpus") as corpus, setting.watch(name) as watching:
            evaluations[name] = _evaluated(preset, name, benchmark, corpus, home, setting, *watching)
            graphs[name] = _graphs(preset, name, corpus, evaluations[name])
    places = {name: home_of(setting.out, name) / "corpus" for name in benchmarks}
    return Measured(preset, evaluations, graphs, setting.able, places)


def _evaluated(
    preset: Preset,
    name: str,
    benchmark: Benchmark,
    corpus: Corpus,
    home: Path,
    setting: Setting,
    progress: Progress | None,
    watcher: QuestionWatcher | None,
) -> Evaluation:
    metrics = preset.metrics(name)
    asked = dataclasses.replace(
        benchmark,
        metrics=metrics or benchmark.metrics,
        questions=benchmark.questions if metrics else (),
    )
    assessor = setting.assessor(corpus, setting.budget)
    made = [one for one in preset.systems if one in setting.predictions]
    found = evaluate(
        corpus,
        asked,
        runs_of(preset, name, setting.able, made),
        home,
        options=dataclasses.replace(setting.options, tell_format=preset.tell_format, facts=needs_facts(preset)),
        assessor=assessor,
        progress=progress,
        watcher=watcher,
        announce=setting.announce,
        within=setting.budget,
    )
    if isinstance(assessor, ModelAssessor) and assessor.stopped:
        raise BudgetError(f"the budget of the run ended it ({assessor.stopped}) while responses were judged")
    found = dataclasses.replace(found, runs=(*found.runs, *_made_elsewhere(made, asked, assessor, setting)))
    means = mean_calls(row for run in found.runs for row in run.rows)
    runs = (
        dataclasses.replace(run, rows=tuple(dataclasses.replace(row, call_means=means) for row in run.rows))
        for run in found.runs
    )
    return dataclasses.replace(found, runs=tuple(runs))


def _made_elsewhere(
    systems: Sequence[str], benchmark: Benchmark, assessor: Assessor | None, setting: Setting
) -> Iterator[SystemRun]:
    """Yield the rows of systems whose predictions were made elsewhere."""
    assesses = assessor or RuleAssessor()

    def judge(question: Question, response: Response) -> bool:
        return verdict(question, response, assesses)

    for system in systems:
        yield predicted(
            system,
            setting.predictions[system],
            benchmark,
            lambda question, response: assesses.extract(question.question, response, None),
            judge if "judged" in benchmark.metrics else None,
        )


def _graphs(preset: Preset, benchmark: str, corpus: Corpus, evaluation: Evaluation) -> Graphs:
    """Return the graphs of a benchmark's documents, where the preset shows their figures."""
    if not any(one.benchmark == benchmark and one.metric.startswith(GRAPH) for one in preset.columns):
        return {}
    ids = dict.fromkeys(info.id for info in evaluation.documents.values())
    layers = [layer for layer in _GRAPHS if any(layer in get(system).needs() for system in preset.systems)]
    return {
        layer: tuple(statistics_of(corpus.view([one], layers=[layer]).layer(graph_table(layer))) for one in ids)
        for layer in layers
    }


def graph_layer(system: str) -> str:
    """Return the layer of the graph that a system reads."""
    return next(layer for layer in _GRAPHS if layer in get(system.partition("@")[0]).needs())
