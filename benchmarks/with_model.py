"""Systems with a language model, beside the usual pipeline with the same model.

    pip install 'octavo[local]' 'pypdf[full]' llama-index-core llama-index-retrievers-bm25
    python benchmarks/with_model.py INDEX --folder natural=DATA --folder mmlongbench=DATA/mmlongbench \
        --model local:MODEL.gguf --systems auto,usual --questions 30 --out ROWS.jsonl

INDEX holds the documents of the folders, which are as `octavo evaluate natural` and `octavo evaluate mmlongbench` read
them. `usual` is the usual pipeline: pypdf's text in chunks of 512 tokens, the best five by LlamaIndex's hybrid search,
one request, in the words in which Octavo asks any but a small model for an answer. It states what the model states; any
other name is a system of Octavo.

Questions are the first of a shuffled order that stays the same, so that a larger number goes on from a smaller one. A
row is written when a question is answered: a run that was broken off goes on where it was, with the replies of the
question it was in taken from the index's journal. `--questions 0` prints the tables of what is there. Right and
wrong are the evaluation's own: `metrics.answer_correctness` for natural questions, MMLongBench-Doc's rule for its own.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import octavo
from octavo.corpus.judges import ModelConfig
from octavo.decisions.answer_from_evidence import ANSWER_FROM_EVIDENCE, EvidenceReply, Reading, Shown
from octavo.evidence import Outcome
from octavo.models.gateway import Limits
from octavo.models.language import LanguageModel, Request, costs_time_alone, is_small
from octavo.models.language import Reply as ModelReply
from octavo.models.language_models import language_model
from octavo_lab.benchmarks import load
from octavo_lab.metrics import answer_correctness, mmlongbench
from octavo_lab.question import Benchmark, Question, Response
from octavo_lab.scoring import final_answer, response_of

Row = dict[str, Any]
USUAL = "usual"
CHUNKS, CHUNK_TOKENS, OVERLAP = 5, 512, 50
SEED = 1
NATURAL, MMLONGBENCH = "natural", "mmlongbench"
MET = 0.5
"""Of MMLongBench-Doc's score, 0..1, what counts as right."""
OUTCOMES = ("right", "wrong", "passages", "nothing")


class Listening:
    """A model whose replies are kept until they are taken."""

    def __init__(self, model: LanguageModel) -> None:
        self.model, self.replies = model, list[str]()
        self.id, self.context_tokens, self.sees = model.id, model.context_tokens, model.sees
        self.secrets, self.costs_time_alone, self.is_small = model.secrets, costs_time_alone(model), is_small(model)

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> ModelReply:
        reply = self.model.generate(request, timeout=timeout, on_text=on_text)
        self.replies.append(reply.text)
        return reply

    def taken(self) -> list[str]:
        replies, self.replies = self.replies, []
        return replies


@dataclasses.dataclass(frozen=True)
class Way:
    """What answers questions; `prepare` does what is done once for a document and no part of a question's time."""

    name: str
    ask: Callable[[Question], Response]
    prepare: Callable[[Question], object] = lambda _question: None


@dataclasses.dataclass
class Usual:
    """The usual pipeline over the files of a benchmark; what was read of a document is kept for its next question."""

    corpus: octavo.Corpus
    files: dict[str, Path]
    _searches: dict[str, Callable[[str], list[Any]]] = dataclasses.field(default_factory=dict)

    def ask(self, question: Question) -> Response:
        found = self.search(question)(question.question)
        passages = tuple(Shown(at, f"page {chunk.page}", chunk.text) for at, chunk in enumerate(found, 1))
        judge = self.corpus.judge()
        if not passages:  # the text of no page could be read
            return Response(decided_by={"rule": 1})
        decided = judge.decide(
            ANSWER_FROM_EVIDENCE, Reading(question.question, passages), rule=lambda _: EvidenceReply(answerable=False)
        )
        reply = decided.output
        return Response(
            outcome=Outcome.ANSWER if reply.answerable else Outcome.NOTHING,
            answer=reply.answer if reply.answerable else "",
            value=(reply.value or reply.answer) if reply.answerable else None,
            usage=dataclasses.asdict(judge.usage()),
            decided_by={decided.by: 1},
        )

    def search(self, question: Question) -> Callable[[str], list[Any]]:
        """Return what finds the chunks of a question's document; they are read and embedded once."""
        document = question.documents[0]
        if document not in self._searches:
            from peers import hybrid_chunks, read_by_pypdf

            pages = read_by_pypdf(self.files[document])
            found = hybrid_chunks(pages, tokens=CHUNK_TOKENS, overlap=OVERLAP, count=CHUNKS) if pages else None
            self._searches[document] = found or (lambda _question: [])
        return self._searches[document]


def main() -> None:
    given = arguments()
    rows = kept(given.out)
    done = {key_of(row) for row in rows}
    model = Listening(language_model(given.model, context_tokens=given.context_tokens))
    limits = Limits(timeout=given.timeout, attempts=2, concurrency=1)
    with (
        octavo.open(given.corpus, models=ModelConfig(model, limits=limits)) as corpus,
        given.out.open("a", encoding="utf-8") as out,
        contextlib.suppress(KeyboardInterrupt),
    ):
        for name, benchmark in folders(given.folder):
            asked, ways = drawn(benchmark.questions, given.questions), ways_of(corpus, benchmark, given.systems)
            # Question by question, so that a run that ends early has asked all systems the same.
            for question, way in ((question, way) for question in asked for way in ways):
                if (name, way.name, question.id) in done:
                    continue
                way.prepare(question)
                row = {"benchmark": name, "system": way.name, **measured(question, way.ask, name)}
                row["replies"] = model.taken()
                rows.append(row)
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                out.flush()
                print(told(row), file=sys.stderr, flush=True)
    show(rows, given.systems.split(","), given.model)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--folder", action="append", required=True, help="natural=PATH or mmlongbench=PATH")
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", type=Path, required=True, help="JSON lines, one an answer")
    parser.add_argument("--systems", default=f"auto,{USUAL}")
    parser.add_argument("--questions", type=int, default=30, help="of each folder")
    parser.add_argument("--context-tokens", type=int, default=8192)
    parser.add_argument("--timeout", type=float, default=600.0)
    return parser.parse_args()


def folders(given: Sequence[str]) -> Iterator[tuple[str, Benchmark]]:
    """Yield the benchmarks that are named, as "natural=PATH"."""
    for one in given:
        name, _, path = one.partition("=")
        if name not in (NATURAL, MMLONGBENCH):
            raise SystemExit(f"--folder takes {NATURAL}=PATH or {MMLONGBENCH}=PATH, not {one!r}")
        yield name, load(name, Path(path))


def drawn(questions: Sequence[Question], count: int) -> list[Question]:
    """Return the first questions of a shuffled order."""
    order = sorted(questions, key=lambda question: question.id)
    random.Random(SEED).shuffle(order)
    return order[:count]


def ways_of(corpus: octavo.Corpus, benchmark: Benchmark, systems: str) -> list[Way]:
    """Return what answers questions, in the order of the systems' names."""

    def asking(system: str) -> Callable[[Question], Response]:
        return lambda question: response_of(
            corpus.ask(question.question, documents=list(question.documents) or None, system=system), []
        )

    usual = Usual(corpus, {path.name: path for path in benchmark.documents})
    return [
        Way(name, usual.ask, usual.search) if name == USUAL else Way(name, asking(name)) for name in systems.split(",")
    ]


def measured(question: Question, ask: Callable[[Question], Response], benchmark: str) -> Row:
    """Ask one question and return what came of it and what it took."""
    started = time.perf_counter()
    response = ask(question)
    usage = response.usage or {"calls": 0, "cached_calls": 0, "input_tokens": 0, "output_tokens": 0}
    return {
        "id": question.id,
        "document": question.documents[0] if question.documents else "",
        "kind": question.kind or question.answer_format,
        "question": question.question,
        "answerable": question.answerable,
        "gold": question.answer,
        "outcome": response.outcome.value,
        "answer": response.answer,
        "value": response.value,
        "is_right": is_right(question, response, benchmark),
        "seconds": round(time.perf_counter() - started, 2),
        **{name: usage[name] for name in ("calls", "cached_calls", "input_tokens", "output_tokens")},
        "decided_by": response.decided_by,
    }


def is_right(question: Question, response: Response, benchmark: str) -> bool:
    """Return whether an answer is right; of a question that has none, whether none was claimed."""
    if not question.answerable:
        return not response.answerable
    if benchmark == MMLONGBENCH:
        prediction = final_answer(question.question, response)
        return mmlongbench.score(question.answer, prediction, question.answer_format) >= MET
    return response.answerable and answer_correctness.is_right(
        question.accepted, response.answer, items=question.items, by_model=response.is_by_model
    )


def kept(path: Path) -> list[Row]:
    """Return the rows of an earlier run; a last one that was cut off is not taken, nor left to spoil the next."""
    if not path.exists():
        return []
    whole, _, rest = path.read_text("utf-8").rpartition("\n")
    if rest:
        path.write_text(whole + "\n" if whole else "", "utf-8")
    return [json.loads(line) for line in whole.splitlines() if line]


def key_of(row: Row) -> tuple[str, str, str]:
    return row["benchmark"], row["system"], row["id"]


def outcome_of(row: Row) -> str:
    """Return what came of a question that has an answer: right, wrong, passages or nothing."""
    if row["outcome"] == Outcome.ANSWER.value:
        return "right" if row["is_right"] else "wrong"
    return row["outcome"]


def told(row: Row) -> str:
    came = outcome_of(row) if row["answerable"] else f"unanswerable, {row['outcome']}"
    return f"{row['benchmark']} {row['system']}: {came}, {row['seconds']:.0f} s: {row['question'][:60]}"


def show(rows: Sequence[Row], systems: Sequence[str], model: str) -> None:
    """Print a table: what came of questions with an answer, of those without, and what a question took."""
    columns = ("with an answer", *OUTCOMES, "without", "claimed", "calls", "tokens in", "out", "seconds")
    table = Table(title=model, box=None, header_style="bold")
    for name in ("questions", "system", *columns):
        table.add_column(name, justify="right" if name in columns else "left")
    for benchmark in (NATURAL, MMLONGBENCH):
        for system in systems:
            own = [row for row in rows if (row["benchmark"], row["system"]) == (benchmark, system)]
            if own:
                table.add_row(benchmark, system, *cells(own))
    Console(width=150).print(table)


def cells(rows: Sequence[Row]) -> list[str]:
    answerable = [row for row in rows if row["answerable"]]
    others = [row for row in rows if not row["answerable"]]
    came = [outcome_of(row) for row in answerable]
    claimed = sum(row["outcome"] == Outcome.ANSWER.value for row in others)
    # What replies of an earlier run took is not known any more.
    fresh = [row for row in rows if not row["cached_calls"]]
    took = [
        f"{sum(row[name] for row in fresh) / len(fresh):,.{digits}f}" if fresh else ""
        for name, digits in (("calls", 1), ("input_tokens", 0), ("output_tokens", 0), ("seconds", 1))
    ]
    counts = [str(came.count(name)) for name in OUTCOMES]
    return [str(len(answerable)), *counts, str(len(others)), str(claimed), *took]


if __name__ == "__main__":
    main()
