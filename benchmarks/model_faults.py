"""Every decision against an endpoint that fails on purpose: nothing hangs, nothing unhandled, no cap passed.

A server on loopback speaks the protocol of chat completions, gives the reply that fits each decision, and fails a share
of its calls in every way there is (`tests/fault_server.py`). Each decision is asked many times at each rate, through
the real adapter and gateway. A refused key and an unknown model are errors by design; everything else must end in an
output of the right shape.

    python benchmarks/model_faults.py --rates 0.01,0.1,0.5 --times 20
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import sys
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from decision_examples import EXAMPLES
from fault_server import Fault, FaultServer, at_rate
from octavo.decisions import DECISIONS
from octavo.decisions.engine import ItemsDecision
from octavo.decisions.engine.judge import Judge
from octavo.decisions.engine.replies import parse
from octavo.errors import ModelError, OctavoError
from octavo.models.gateway import Budget, Caps, Gateway, Limits
from octavo.models.language_models import language_model

LIMITS = Limits(timeout=1.0, attempts=4, first_delay=0.01, longest_delay=0.05, longest_wait=3.0)
SLOW = 2.0
"""Seconds that slow replies take: more than the timeout."""


@dataclasses.dataclass
class Tally:
    """What became of the decisions at one rate."""

    asked: int = 0
    by: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    refused: int = 0
    unhandled: list[str] = dataclasses.field(default_factory=list)
    over_budget: int = 0
    slowest: float = 0.0
    calls: int = 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rates", default="0.01,0.1,0.5")
    parser.add_argument("--times", type=int, default=20, help="times each decision is asked at each rate")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    language_model("openai:first@http://127.0.0.1:9/v1")  # load what is loaded once before the clock runs
    table = Table(box=None, header_style="bold")
    names = ("faults", "decisions", "by model", "by rule", "refused", "unhandled", "over a cap", "calls", "slowest")
    for name in names:
        table.add_column(name, justify="right")
    failures: list[str] = []
    for rate in map(float, given.rates.split(",")):
        tally = run(sorted(EXAMPLES), rate, given.times)
        failures += tally.unhandled
        table.add_row(
            f"{rate:.0%}",
            str(tally.asked),
            str(tally.by["model"] + tally.by["cache"]),
            str(tally.by["rule"]),
            str(tally.refused),
            str(len(tally.unhandled)),
            str(tally.over_budget),
            str(tally.calls),
            f"{tally.slowest:.1f} s",
        )
    Console(width=120).print(table)
    for failure in failures[:10]:
        print(failure)
    raise SystemExit(bool(failures))


def run(names: Sequence[str], rate: float, times: int, *, limits: Limits = LIMITS, slow: float = SLOW) -> Tally:
    """Ask each decision `times` times with a share of faults, each time as if for the first time."""
    tally = Tally()
    faults = tuple(Fault)
    for seed, name in enumerate(names):
        choose = at_rate(rate, seed, faults)
        with FaultServer(lambda _body, name=name: EXAMPLES[name].valid, choose, slow=slow) as server:
            model = language_model(f"openai:faulty@{server.url}", sees=True)
            for _ in range(times):
                ask(name, model, limits, tally)
            tally.calls += len(server.bodies)
    return tally


def ask(name: str, model: Any, limits: Limits, tally: Tally) -> None:
    """Ask one decision with an empty journal and a cap, and note what became of it."""
    decision, example = DECISIONS[name], EXAMPLES[name]
    budget = Budget(Caps(calls=12, tokens=200_000, seconds=60))
    judge = Judge({"language": model, "vision": model}, gateway=Gateway(limits=limits), budget=budget)
    started = time.perf_counter()
    tally.asked += 1
    try:
        if isinstance(decision, ItemsDecision):
            decided = judge.decide_items(decision, example.value, example.items)
            valid = all(isinstance(one.output, decision.verdict) for one in decided)
        else:
            own = decision.rule or (lambda _value: parse(example.valid, decision.output, read=decision.read))
            decided = [judge.decide(decision, example.value, rule=own)]
            valid = isinstance(decided[0].output, decision.output)
        tally.by["rule" if any(one.by == "rule" for one in decided) else decided[0].by] += 1
        if not valid:
            tally.unhandled.append(f"{name}: an output of another shape")
    except ModelError:
        tally.refused += 1
    except OctavoError as error:
        tally.unhandled.append(f"{name}: {type(error).__name__}: {error}")
    except Exception as error:  # noqa: BLE001 (what nobody expected is what is looked for)
        tally.unhandled.append(f"{name}: {type(error).__name__}: {error}")
    spent = budget.spent
    tally.over_budget += spent.calls > 12 or spent.input_tokens + spent.output_tokens > 200_000
    tally.slowest = max(tally.slowest, time.perf_counter() - started)


if __name__ == "__main__":
    main()
