"""What `octavo reproduce` says before it does anything: what is there, what is missing, and what a table would take."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from octavo.cli import terminal
from octavo.cli.settings import Settings
from octavo.models.gateway import Price, Prices
from octavo.models.spec import NONE
from octavo_lab.reproduce.data_sets import data_set
from octavo_lab.reproduce.estimate import Estimate, estimate
from octavo_lab.reproduce.running import Able, unmet

if TYPE_CHECKING:
    from octavo_lab.question import Benchmark
    from octavo_lab.reproduce.presets import Preset


def estimate_of(
    preset: Preset,
    benchmarks: Mapping[str, Benchmark],
    chosen: Settings,
    out: Path,
    able: Able,
    judge: str,
    made: Collection[str],
) -> Estimate:
    """Return what a table may still take.

    `judge` is the model that judges, "none" for a rule; of the systems `made` the answers are in files.
    """
    by_model, judged = chosen.model != NONE, judge != NONE
    return estimate(preset, benchmarks, out, able, by_model=by_model, judged=judged, made=made)


def told_of(found: Estimate, chosen: Settings, judge: str) -> str:
    """Return an estimate in words: "412 answers; MODEL: about 1,700 calls, 3,200,000 tokens, cost 1.20"."""
    told = [f"{found.answers:,} answers"]
    for who, taken in ((chosen.model, found.taken()), (judge, found.judging())):
        calls, read, written = taken
        if who != NONE and calls:
            cost = _prices(chosen).cost(who, read, written)
            price = "cost not known (no price)" if cost is None else f"cost {cost:,.2f}"
            told.append(f"{who}: about {calls:,} calls, {read + written:,} tokens, {price}")
    return "; ".join(told)


def show_plan(
    preset: Preset,
    there: Mapping[str, Benchmark],
    missing: Mapping[str, str],
    found: Estimate,
    *,
    able: Able,
    chosen: Settings,
    judge: str,
    wrong: str,
) -> None:
    """Say what a table needs, what of it is missing, `wrong` with the model among it, and what it would take."""
    lacking = [*missing.values(), *_models_lacking(preset, chosen, judge, wrong)]
    _show(preset, there, lacking, _not_run(preset, able), found)
    terminal.write(f"  in all   {told_of(found, chosen, judge)}")


def _prices(chosen: Settings) -> Prices:
    return Prices({name: Price(*price) for name, price in chosen.prices.items()})


def _show(
    preset: Preset,
    there: Mapping[str, Benchmark],
    missing: Sequence[str],
    not_run: Mapping[str, Sequence[str]],
    found: Estimate,
) -> None:
    terminal.write(f"{preset.name}: {preset.paper.title}, {preset.place}: {preset.title}")
    for name, benchmark in there.items():
        known, count = data_set(name), len(benchmark.questions)
        files = f"{len(benchmark.documents):,} files"
        terminal.write(f"  there    {known.title}: {count:,} of {known.questions:,} questions, {files}")
    for what in missing:
        terminal.write(f"  missing  {terminal.one_line(what)}")
    for why, labels in not_run.items():
        terminal.write(f"  not run  {', '.join(labels)}: {why}")
    for part in found.parts:
        each = f", about {part.each.calls:.0f} calls each" if part.each.calls else ""
        seen = f" (by {part.seen} answers)" if part.seen and part.each.calls else ""
        terminal.write(
            f"  to ask   {part.system} on {part.benchmark}: {part.answers - part.there:,} answers{each}{seen}"
        )
    if found.layers:
        terminal.write(f"  to build {', '.join(found.layers)}: the run says what that takes before its first call")


def plan_as_json(
    preset: Preset, there: Mapping[str, Benchmark], missing: Mapping[str, str], found: Estimate, able: Able
) -> dict[str, Any]:
    """Return the same as --json prints it."""
    calls, read, written = found.taken()
    return {
        "name": preset.name,
        "there": {name: {"questions": len(one.questions), "files": len(one.documents)} for name, one in there.items()},
        "missing": dict(missing),
        "not_run": _not_run(preset, able),
        "answers": found.answers,
        "calls": calls,
        "input_tokens": read,
        "output_tokens": written,
        "judging_calls": found.judging()[0],
        "layers_by_model": list(found.layers),
    }


def _not_run(preset: Preset, able: Able) -> dict[str, list[str]]:
    """Return the rows that are not run, by why."""
    found: dict[str, list[str]] = {}
    for row in preset.rows:
        why = row.why_not or unmet(row.system, able)
        if why and row.label not in found.setdefault(why, []):
            found[why].append(row.label)
    return found


def _models_lacking(preset: Preset, chosen: Settings, judge: str, wrong: str) -> list[str]:
    """Return what models the paper has and this run lacks, in words."""
    if not preset.systems:
        return []
    found = [wrong] if wrong else []
    if chosen.model == NONE:
        found.append(f"a language model (--model): rules answer; the paper used {preset.paper.models}")
    if preset.needs_judge and judge == NONE:
        found.append("a judge (--judge): a rule judges, which is coarse")
    return found
