"""Systems with a real model: calls, tokens and seconds of a question, who decided, and what reflection came to.

Questions are drawn by the hash of their text from a folder as `octavo evaluate` reads it; documents come from an index
of its files, to which layers are added by rule. A question that names no document is asked of all. Answers are kept in
`--keep`: a run that was broken off goes on where it was, and `--questions 0` prints the tables of what is kept.

    python benchmarks/asking.py FOLDER --corpus INDEX --model openai:NAME@http://127.0.0.1:8089/v1 \
        --keep ANSWERS.jsonl --questions 20 --systems bookrag,ladrag,dmap,mmrag

With `--router PATH` a model on this machine routes documents for `rdr2`; `--model none` leaves the rest to the rules.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import octavo
from octavo.corpus.judges import ModelConfig
from octavo.evidence import Answer, TraceStep
from octavo.models.gateway import Limits
from octavo.models.language_models import language_model

Row = dict[str, Any]


def main() -> None:
    given = arguments()
    means = ModelConfig(models_of(given), limits=Limits(timeout=given.timeout, attempts=2, concurrency=1))
    kept = [json.loads(line) for line in given.keep.read_text("utf-8").splitlines()] if given.keep.exists() else []
    done = {(row["system"], row["question"]) for row in kept}
    systems = given.systems.split(",")
    with octavo.open(given.corpus, models=means) as corpus, given.keep.open("a", encoding="utf-8") as out:
        known = {info.name for info in corpus.list()}
        asked = questions(given.folder, known)[: given.questions]
        with contextlib.suppress(KeyboardInterrupt):
            for system, row in ((system, row) for system in systems for row in asked):
                if (system, row["question"]) not in done:
                    kept.append(asked_of(corpus, system, row))
                    out.write(json.dumps(kept[-1]) + "\n")
                    out.flush()
                    print(told(kept[-1]), file=sys.stderr)
    show([row for row in kept if row["system"] in systems], given.router or given.model)


def models_of(given: argparse.Namespace) -> dict[str, Any]:
    """Return the models by what they are for."""
    named: dict[str, Any] = {"language": "none"}
    if given.model != "none":
        named["language"] = language_model(given.model, context_tokens=given.context_tokens)
    if given.router:
        named["route_document"] = language_model(f"local:{given.router}")
    return named


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--router", default="", help="model in files that routes documents")
    parser.add_argument("--keep", type=Path, required=True, help="JSON lines, one an answer")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--systems", default="bookrag,ladrag,dmap,mmrag")
    parser.add_argument("--context-tokens", type=int, default=8192)
    parser.add_argument("--timeout", type=float, default=600.0)
    return parser.parse_args()


def questions(folder: Path, known: set[str]) -> list[Row]:
    """Return the questions about documents that are indexed, in the order of the hash of their text."""
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines() if line.strip()]
    rows.sort(key=lambda row: hashlib.sha256(row["question"].encode()).digest())
    return [row for row in rows if document_of(row) in known | {None}]


def document_of(row: Row) -> str | None:
    """Return the document a question is about, None for all there are."""
    return row.get("document") or row.get("doc_id") or row.get("doc_name")


def asked_of(corpus: octavo.Corpus, system: str, row: Row) -> Row:
    """Ask one question and return what it took; replies of an earlier run count as calls."""
    started = time.perf_counter()
    document = document_of(row)
    answer: Answer = corpus.ask(row["question"], documents=[document] if document else None, system=system)
    steps = list(flat(answer.trace))
    return {
        "system": system,
        "question": row["question"],
        "seconds": time.perf_counter() - started,
        "calls": answer.usage.calls + answer.usage.cached_calls,
        "input_tokens": answer.usage.input_tokens,
        "output_tokens": answer.usage.output_tokens,
        "decided": [
            (
                step.step,
                step.parameters["decided_by"],
                step.parameters["times"],
                step.parameters.get("why", ""),
                step.input_tokens,
                step.output_tokens,
            )
            for step in steps
            if "decided_by" in step.parameters
        ],
        "rounds": [step.parameters["outcome"] for step in steps if step.step == "Reflect"],
        "routing": [step.input_tokens + step.output_tokens for step in steps if step.step == "Round"],
        "pages": len(answer.evidence.pages(answer.by)),
        "answerable": answer.answerable,
        "answer": answer.text[:300],
    }


def flat(steps: Iterable[TraceStep]) -> Iterator[TraceStep]:
    """Yield steps and what is inside them."""
    for step in steps:
        yield step
        yield from flat(step.steps)


def told(row: Row) -> str:
    return f"{row['system']}: {row['calls']} calls, {row['seconds']:.0f} s: {row['question'][:60]}"


def show(rows: Sequence[Row], model: str) -> None:
    """Print a line for each system, and below it how each decision fell."""
    console = Console(width=130)
    numbers = ("questions", "calls", "most", "tokens in", "out", "seconds", "pages", "answered")
    names = ("system", *numbers, "rounds of reflection")
    table = Table(title=model, box=None, header_style="bold")
    for name in names:
        table.add_column(name, justify="right" if name in numbers else "left")
    by_system: dict[str, list[Row]] = {}
    for row in rows:
        by_system.setdefault(row["system"], []).append(row)
    for system, own in by_system.items():
        table.add_row(system, *cells(own))
        at_once = [row for row in own if row["rounds"] == ["complete"]]
        if at_once:
            table.add_row(f"{system}, complete at once", *cells(at_once))
    console.print(table)
    console.print(fallen(by_system))
    for system, own in by_system.items():
        if any(row.get("routing") for row in own):
            console.print(routed(system, own))


def routed(system: str, rows: Sequence[Row]) -> str:
    """Return the tokens that routing added to a question: in the first round, and with all that were expanded."""
    first = sum(sum(row["routing"][:1]) for row in rows) / len(rows)
    every = sum(sum(row["routing"]) for row in rows) / len(rows)
    return f"{system}: routing adds {first:,.0f} tokens to a question in one round, {every:,.0f} with expansion"


def cells(rows: Sequence[Row]) -> list[str]:
    number = len(rows)
    outcomes = Counter(outcome for row in rows for outcome in row["rounds"])
    return [
        str(number),
        f"{sum(row['calls'] for row in rows) / number:.1f}",
        str(max(row["calls"] for row in rows)),
        f"{sum(row['input_tokens'] for row in rows) / number:,.0f}",
        f"{sum(row['output_tokens'] for row in rows) / number:,.0f}",
        f"{sum(row['seconds'] for row in rows) / number:.1f}",
        f"{sum(row['pages'] for row in rows) / number:.1f}",
        str(sum(row["answerable"] for row in rows)),
        ", ".join(f"{outcome} {times}" for outcome, times in outcomes.most_common()),
    ]


def fallen(by_system: dict[str, list[Row]]) -> Table:
    """Return who took which decision how often, and the tokens of one question for it."""
    table = Table(box=None, header_style="bold")
    numbers = ("by model", "by rule", "tokens in", "out")
    for name in ("system", "decision", *numbers, "mostly why"):
        table.add_column(name, justify="right" if name in numbers else "left")
    for system, rows in by_system.items():
        counts: dict[str, Counter[str]] = {}
        reasons: dict[str, Counter[str]] = {}
        for decision, by, times, why, *tokens in (one for row in rows for one in row["decided"]):
            count = counts.setdefault(decision, Counter())
            count["rule" if by == "rule" else "model"] += times
            count.update(dict(zip(("in", "out"), tokens, strict=False)))
            if why:
                reasons.setdefault(decision, Counter())[" ".join(why.split())[:60]] += times
        for decision, count in counts.items():
            why = reasons.get(decision, Counter[str]()).most_common(1)
            tokens = [f"{count[name] / len(rows):,.0f}" for name in ("in", "out")]
            table.add_row(system, decision, str(count["model"]), str(count["rule"]), *tokens, why[0][0] if why else "")
    return table


if __name__ == "__main__":
    main()
