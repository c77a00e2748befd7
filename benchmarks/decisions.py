"""Every decision against a real model: valid outputs, calls, tokens, seconds, and how often model and rule agree.

Questions come from a folder as `octavo evaluate` reads it, documents from an index of its files. Replies are kept in
`--keep`: a run that was broken off goes on where it was, more questions are asked beside those of before, and
`--questions 0` prints the table of what is kept without asking anything.

    python benchmarks/decisions.py FOLDER --corpus INDEX --model openai:NAME@http://127.0.0.1:8089/v1 \
        --keep REPLIES --questions 50 --fewer answer_from_evidence=12,extract_graph=5
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import octavo
from decision_agreement import agreement
from decision_inputs import Case, cases, settings
from octavo.corpus.judges import ModelConfig
from octavo.decisions import DECISIONS, AnyDecision
from octavo.decisions.engine import Decided, ItemsDecision
from octavo.decisions.engine.judge import Judge
from octavo.errors import BudgetError
from octavo.models.gateway import Entry, Gateway, Journal, Limits, Spend, UsageRow
from octavo.models.language import LanguageModel
from octavo.models.language_models import language_model

MOST_QUESTIONS = 50
REASON = 110
"""Characters of a reason that are shown."""


class Kept:
    """A `Journal` that gives what another one holds, notes it, and lets nothing be asked."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.found: list[Entry] = []
        self.misses = 0

    def find(self, key: str) -> Entry | None:
        entry = self._journal.find(key)
        if entry is not None:
            self.found.append(entry)
        return entry

    def lease(self, key: str, token: str, *, seconds: float) -> bool:
        self.misses += 1
        raise BudgetError("this was not asked before")

    def renew(self, key: str, token: str, *, seconds: float) -> None: ...

    def settle(self, key: str, token: str, entry: Entry) -> None: ...

    def release(self, key: str, token: str) -> None: ...

    def fail(self, decision: str, model: str, spend: Spend) -> None: ...

    def usage(self) -> tuple[UsageRow, ...]:
        return ()


@dataclasses.dataclass
class Tally:
    """What a decision took. `outputs` counts what came out: several of one call where it is about many items."""

    cases: int = 0
    outputs: int = 0
    by_model: int = 0
    repaired: int = 0
    reasons: Counter[str] = dataclasses.field(default_factory=Counter)
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    agreed: float = 0.0
    compared: int = 0


def main() -> None:
    given = arguments()
    model = language_model(given.model, context_tokens=given.context_tokens)
    keep = given.keep or Path(tempfile.mkdtemp())
    limits = Limits(timeout=given.timeout, attempts=2, concurrency=1)
    names = given.only.split(",") if given.only else list(DECISIONS)
    fewer = {name: int(number) for name, _, number in (one.partition("=") for one in given.fewer.split(",")) if name}
    most = given.questions or MOST_QUESTIONS
    asked = list(settings(given.folder, given.corpus, most))
    found = {name: cases(name, asked, min(most, fewer.get(name, most))) for name in names}
    with octavo.open(keep, models=ModelConfig(model, limits=limits)) as replies:
        with contextlib.suppress(KeyboardInterrupt):
            # One decision after the other: its instructions stay in the model's prompt cache.
            for name in names if given.questions else ():
                for case in found[name]:
                    tell(name, case, DECISIONS[name], replies.judge())
        journal = replies.judge().gateway.journal
        log = given.out.open("w", encoding="utf-8") if given.out else None
        tallies = {name: tallied(name, found[name], model, journal, log) for name in names}
    show(tallies, given.model)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--questions", type=int, default=50, help="questions, or documents, asked of each decision")
    parser.add_argument("--fewer", default="", help="NAME=NUMBER,... for decisions that are asked less")
    parser.add_argument("--only", help="names of decisions, separated by commas, in the order they are asked")
    parser.add_argument("--context-tokens", type=int, default=4096)
    parser.add_argument("--timeout", type=float, default=600.0)
    parser.add_argument("--out", type=Path, help="where every output is written as JSON lines")
    parser.add_argument("--keep", type=Path, help="corpus folder for the replies, so that a broken run goes on")
    return parser.parse_args()


def decided(case: Case, decision: AnyDecision, judge: Judge) -> list[Decided[Any]]:
    """Return the outputs of one case."""
    if isinstance(decision, ItemsDecision):
        return judge.decide_items(decision, case.value, case.items)
    rule = case.rule or decision.rule or (lambda _value: decision.output.model_construct())
    return [judge.decide(decision, case.value, rule=rule)]


def ruled(case: Case, decision: AnyDecision) -> list[Any]:
    """Return what the rule says of a case; nothing where there is none."""
    if isinstance(decision, ItemsDecision):
        return list(decision.rule(case.value, case.items))
    rule = case.rule or decision.rule
    return [rule(case.value)] if rule else []


def tell(name: str, case: Case, decision: AnyDecision, judge: Judge) -> None:
    """Ask the model about one case, and say on the way who decided."""
    started = time.perf_counter()
    by = Counter(one.by for one in decided(case, decision, judge))
    if by["model"] or by["rule"]:
        print(f"{name}: {dict(by)} in {time.perf_counter() - started:.1f} s: {case.about[:60]}", file=sys.stderr)


def tallied(name: str, asked: Sequence[Case], model: LanguageModel, journal: Journal, log: Any) -> Tally:
    """Return what the kept replies of a decision come to; cases that are not wholly kept are left out."""
    tally, decision = Tally(), DECISIONS[name]
    for case in asked:
        kept = Kept(journal)
        judge = Judge({"language": model}, gateway=Gateway(kept))
        outputs = decided(case, decision, judge)
        if kept.misses:
            continue
        add(tally, decision, case, outputs)
        tally.repaired += sum(one.by != "rule" and one.usage.cached_calls > 1 for one in judge.records)
        tally.calls += len(kept.found)
        tally.input_tokens += sum(entry.reply.input_tokens for entry in kept.found)
        tally.output_tokens += sum(entry.reply.output_tokens for entry in kept.found)
        tally.seconds += sum(entry.seconds for entry in kept.found)
        if log:
            said = [one.output.model_dump(mode="json") for one in outputs]
            row = {"decision": name, "about": case.about, "by": [one.by for one in outputs], "output": said}
            log.write(json.dumps(row) + "\n")
    return tally


def add(tally: Tally, decision: AnyDecision, case: Case, outputs: Sequence[Decided[Any]]) -> None:
    """Count the outputs of a case, and how far those of the model are the rule's."""
    tally.cases += 1
    tally.outputs += len(outputs)
    for one, other in zip(outputs, ruled(case, decision) or [None] * len(outputs), strict=True):
        if one.by == "rule":
            tally.reasons[one.why or "no model that sees pictures"] += 1
            continue
        tally.by_model += 1
        if other is not None:
            tally.agreed += agreement(decision.name, one.output, other)
            tally.compared += 1


COLUMNS = (
    *("decision", "cases", "outputs", "by model", "repaired", "by rule"),
    *("calls", "tokens in", "out", "s/call", "agree with rule"),
)


def show(tallies: dict[str, Tally], model: str) -> None:
    """Print the table, and below it why rules decided."""
    table = Table(title=model, box=None, header_style="bold")
    for name in COLUMNS:
        table.add_column(name, justify="left" if name == "decision" else "right")
    for name, tally in tallies.items():
        table.add_row(name, *cells(tally))
    console = Console(width=130)
    console.print(table)
    for name, tally in tallies.items():
        for reason, number in tally.reasons.most_common(3):
            console.print(f"{name}: {number} by rule: {' '.join(reason.split())[:REASON]}", highlight=False)


def cells(tally: Tally) -> list[str]:
    return [
        str(tally.cases),
        str(tally.outputs),
        f"{tally.by_model} ({tally.by_model / max(tally.outputs, 1):.0%})",
        str(tally.repaired),
        str(tally.reasons.total()),
        str(tally.calls),
        f"{tally.input_tokens:,}",
        f"{tally.output_tokens:,}",
        f"{tally.seconds / max(tally.calls, 1):.1f}",
        f"{tally.agreed / tally.compared:.2f}" if tally.compared else "-",
    ]


if __name__ == "__main__":
    main()
