"""How sure a small model must be of what it says of the best passage: right, wrong and false claims by that bound.

    pip install 'octavo[local]'
    python benchmarks/close_reading.py INDEX --folder natural=DATA --folder mmlongbench=DATA/mmlongbench \
        --model local:MODEL.gguf --out ROWS.jsonl

INDEX holds the documents of the folders, which are as `octavo evaluate` reads them. Each question is asked of the
passage that a reader without a model would show first, as `operators/read/close_reading.py` asks; a row is written for
each, and replies are kept in the index, so that a run that was broken off goes on where it was. Questions that
structure answers are left out. Nothing is fitted here: the bound in use was chosen on 60 of the natural questions.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import octavo
from octavo import systems
from octavo.corpus.judges import ModelConfig
from octavo.decisions.answer_from_passage import ANSWER_FROM_PASSAGE, InWords
from octavo.evidence import Answer, Query
from octavo.models.gateway import Limits
from octavo.models.language_models import language_model
from octavo.operators.core import Run
from octavo.operators.extractive.extractive_reader import units_to_read
from octavo.operators.extractive.shown_passages import apart, passage_of
from octavo.operators.read.close_reading import answer_in, to_read
from octavo.question import understand
from octavo_lab.question import Question
from octavo_lab.scoring import response_of
from with_model import drawn, folders, is_right, kept

BOUNDS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def main() -> None:
    given = arguments()
    rows = kept(given.out)
    done = {(row["benchmark"], row["id"]) for row in rows}
    model = language_model(given.model, context_tokens=8192)
    limits = Limits(timeout=600, attempts=2, concurrency=1)
    with (
        octavo.open(given.corpus, models=ModelConfig(model, limits=limits)) as corpus,
        given.out.open("a", encoding="utf-8") as out,
    ):
        for name, benchmark in folders(given.folder):
            for question in drawn(benchmark.questions, given.questions):
                if (name, question.id) not in done:
                    row = {"benchmark": name, **read(corpus, question, given.system, name)}
                    rows.append(row)
                    out.write(json.dumps(row, ensure_ascii=False) + "\n")
                    out.flush()
                    print(f"{name} {len(rows)}: {row['said'][:60]} ({row['chance']:.2f})", file=sys.stderr, flush=True)
    show(rows, given.model)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--folder", action="append", required=True, help="natural=PATH or mmlongbench=PATH")
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", type=Path, required=True, help="JSON lines, one a question")
    parser.add_argument("--system", default="auto", help="what finds the pages")
    parser.add_argument("--questions", type=int, default=1000, help="of each folder")
    return parser.parse_args()


def read(corpus: octavo.Corpus, question: Question, system: str, benchmark: str) -> dict[str, Any]:
    """Ask of the first passage and return what was said, how surely, and whether it is right if it is stated."""
    used, view = systems.get(system), corpus.view(list(question.documents))
    run = Run(view, query=Query(question.question), judge=corpus.judge())
    evidence = systems.run_search(used, run.query, run).evidence
    units, asked = units_to_read(evidence, run), understand(question.question)
    row = {"id": question.id, "answerable": question.answerable, "said": "", "chance": 0.0, "is_right": False}
    if isinstance(units, Answer):
        return row
    best = apart(units)[0]
    decided = run.judge.decide(
        ANSWER_FROM_PASSAGE, to_read(view, passage_of(view, best), asked), rule=lambda _: InWords()
    )
    if decided.by == "rule" and not decided.replied:
        raise SystemExit(f"the model could not be asked: {decided.why}")
    found = answer_in(decided.output.answer, evidence, best, asked)
    if found is None:
        return row
    response = response_of(found, [])
    right = question.answerable and is_right(question, response, benchmark)
    return row | {"said": found.text, "chance": decided.chance or 0.0, "is_right": right}


def show(rows: list[dict[str, Any]], model: str) -> None:
    """Print for each bound what would be stated."""
    table = Table(title=model, box=None, header_style="bold")
    for name in ("questions", "from", "with an answer", "right", "wrong", "without", "claimed"):
        table.add_column(name, justify="left" if name == "questions" else "right")
    for benchmark in dict.fromkeys(row["benchmark"] for row in rows):
        own = [row for row in rows if row["benchmark"] == benchmark]
        answerable = [row for row in own if row["answerable"]]
        for bound in BOUNDS:
            stated = [row for row in own if row["said"] and row["chance"] >= bound]
            right = sum(row["is_right"] for row in stated)
            claimed = sum(not row["answerable"] for row in stated)
            counts = (len(answerable), right, len(stated) - right - claimed, len(own) - len(answerable), claimed)
            table.add_row(benchmark, f"{bound:.1f}", *map(str, counts))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
