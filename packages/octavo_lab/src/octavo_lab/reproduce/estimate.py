"""What a preset may still take: answers that are not there yet, and calls, tokens and cost of each.

A system that has answered before is taken by what it took then, another by a rough figure of its kind. What indexing
by a model takes is told by the run itself, before its first call.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from octavo.layers import OPTIONAL_LAYERS
from octavo.systems import get
from octavo_lab.journal import JOURNAL_NAME
from octavo_lab.question import Benchmark
from octavo_lab.reproduce.presets import Preset
from octavo_lab.reproduce.running import Able, home_of, runs_of
from octavo_lab.variants import variant


@dataclasses.dataclass(frozen=True)
class Taken:
    """Calls and tokens of one question."""

    calls: float
    input_tokens: float
    output_tokens: float


_ROUGH: Mapping[str, Taken] = {
    "chunks": Taken(1, 5_500, 120),
    "layout": Taken(1, 2_500, 120),
    "raptor": Taken(1, 2_000, 120),
    "tree": Taken(2, 7_000, 160),
    "graph": Taken(2, 3_000, 160),
    "looks": Taken(1, 5_000, 120),
    "oracle": Taken(1, 3_000, 120),
    "bm25": Taken(1, 12_000, 120),
    "dense": Taken(1, 12_000, 120),
    "visual": Taken(1, 12_000, 120),
    "late": Taken(1, 8_000, 120),
    "all": Taken(1, 30_000, 120),
    "page": Taken(1, 60_000, 120),
    "no": Taken(1, 150, 100),
    "bookrag": Taken(4, 7_500, 300),
    "ladrag": Taken(5, 25_000, 400),
    "dmap": Taken(5, 25_000, 400),
    "mmrag": Taken(14, 30_000, 900),
    "rdr2": Taken(6, 6_000, 250),
}
"""By the first word of a system's name; of what the papers say, and of a few questions that were answered by hand."""
_OTHERWISE = Taken(4, 10_000, 300)
_EXTRACTING, _JUDGING = Taken(1, 500, 40), Taken(1, 500, 30)
"""What the judge takes for a response: reading the short answer out of it, and a verdict."""


@dataclasses.dataclass(frozen=True)
class Part:
    """What one system has still to answer on one benchmark; `seen` are the answers its figures are taken from."""

    benchmark: str
    system: str
    answers: int
    there: int
    seen: int
    each: Taken


@dataclasses.dataclass(frozen=True)
class Estimate:
    """What is still to be done, by system and benchmark, and for judging."""

    parts: tuple[Part, ...]
    judged: int = 0
    """Responses that a judge reads."""
    verdicts: bool = False
    """Whether it also says whether they are right."""
    layers: tuple[str, ...] = ()
    """Layers that a model builds while documents are indexed: not in the sums."""

    @property
    def answers(self) -> int:
        """Answers that are not there yet."""
        return sum(part.answers - part.there for part in self.parts)

    def taken(self) -> tuple[int, int, int]:
        """Return calls, tokens read and tokens written by the model that answers."""
        left = [(part.answers - part.there, part.each) for part in self.parts]
        return (
            round(sum(count * each.calls for count, each in left)),
            round(sum(count * each.input_tokens for count, each in left)),
            round(sum(count * each.output_tokens for count, each in left)),
        )

    def judging(self) -> tuple[int, int, int]:
        """Return the same of the judge; replies that are kept are not known here, and counted."""
        each = [_EXTRACTING, *([_JUDGING] if self.verdicts else [])]
        return (
            self.judged * len(each),
            round(self.judged * sum(one.input_tokens for one in each)),
            round(self.judged * sum(one.output_tokens for one in each)),
        )


def estimate(
    preset: Preset,
    benchmarks: Mapping[str, Benchmark],
    out: Path,
    able: Able,
    *,
    by_model: bool,
    judged: bool,
    made: Collection[str] = (),
) -> Estimate:
    """Return what a preset may still take; nothing of the models where there is none.

    The systems `made`, whose answers are in files, are judged and not asked.
    """
    parts = tuple(_parts(preset, benchmarks, out, able, made, by_model=by_model))
    asked = sum(len(benchmark.questions) for name, benchmark in benchmarks.items() if preset.asks(name))
    elsewhere = asked * len(set(preset.systems) & set(made))
    return Estimate(
        parts,
        judged=sum(part.answers for part in parts) + elsewhere if judged else 0,
        verdicts=judged,
        layers=_layers(preset, able, made) if by_model else (),
    )


def _parts(
    preset: Preset,
    benchmarks: Mapping[str, Benchmark],
    out: Path,
    able: Able,
    made: Collection[str],
    *,
    by_model: bool,
) -> Iterator[Part]:
    for name, benchmark in benchmarks.items():
        if not preset.asks(name):
            continue
        known = _answered(home_of(out, name) / JOURNAL_NAME)
        ids = {question.id for question in benchmark.questions}
        for system in runs_of(preset, name, able, made):
            usages = known.get(system, {})
            yield Part(
                name, system, len(ids), len(ids & usages.keys()), len(usages), _each(system, usages, by_model=by_model)
            )


def _each(system: str, usages: Mapping[str, Mapping[str, Any]], *, by_model: bool) -> Taken:
    if not by_model:
        return Taken(0, 0, 0)
    if not usages:
        return _ROUGH.get(system.partition("-")[0], _OTHERWISE)
    count = len(usages)

    def mean(*names: str) -> float:
        return sum(float(usage.get(name) or 0) for usage in usages.values() for name in names) / count

    return Taken(mean("calls", "cached_calls"), mean("input_tokens"), mean("output_tokens"))


def _answered(journal: Path) -> dict[str, dict[str, Mapping[str, Any]]]:
    """Return by system what each question took, from the lines of a journal that can be read."""
    found: dict[str, dict[str, Mapping[str, Any]]] = {}
    if not journal.is_file():
        return found
    with journal.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                value = json.loads(line)
                found.setdefault(value["system"], {})[value["id"]] = value["response"]["usage"]
            except (ValueError, KeyError, TypeError):
                continue
    return found


def _layers(preset: Preset, able: Able, made: Collection[str]) -> tuple[str, ...]:
    """Return the layers that ask decisions, of all systems of a preset."""
    names = {name for benchmark in preset.benchmarks for name in runs_of(preset, benchmark, able, made)}
    needed = {layer for name in names for layer in get(variant(name).base).needs()}
    return tuple(sorted(layer for layer in needed if layer in OPTIONAL_LAYERS and OPTIONAL_LAYERS[layer].decisions))
