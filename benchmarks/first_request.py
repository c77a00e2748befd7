"""What the first request for a question holds: the pages that answer it, an answer in the text, and its length.

    python benchmarks/first_request.py INDEX --folder natural=DATA --folder mmlongbench=DATA/mmlongbench \
        --folder financebench=DATA/financebench [--system auto] [--context-tokens 100000]

INDEX holds the documents of the folders, which are as `octavo evaluate` reads them. Nothing is answered: a stand-in for
the model keeps what it is asked and refuses. Of questions with an answer that reach it, `pages` is the share of pages
that are known to hold it of which a passage is shown (of natural questions, where any page is enough, whether one is),
`answer` the share of questions with an acceptable answer, every item of a list, in the text (yes or no and what is not
written in words or numbers left out), and `numbers` the share of numbers in the benchmark's evidence that are there.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from statistics import mean

from rich.console import Console
from rich.table import Table

import octavo
from octavo.corpus.judges import ModelConfig
from octavo.models.language import FaultKind, ModelFault, Reply, Request, estimate_tokens
from octavo_lab.benchmarks import load
from octavo_lab.metrics.answer_correctness import holds, is_yes_or_no
from octavo_lab.question import Question

_PAGE = re.compile(r"^\[(?:[^\]\n;]*; )?page (\d+)[ ;\]]", re.MULTILINE)
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_SHORTEST = 3
"""Digits of a number that is looked for: shorter ones stand everywhere."""


class Keeping:
    """Keeps the first request and refuses all."""

    id = "keeping:test"
    context_tokens = 100_000
    sees = False
    secrets: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.first: Request | None = None

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        self.first = self.first or request
        raise ModelFault(FaultKind.REFUSED, "it only keeps requests")


def main() -> None:
    given = arguments()
    model = Keeping()
    table = Table(box=None, header_style="bold")
    for name in ("questions", "asked of the model", "pages", "answer", "numbers", "tokens"):
        table.add_column(name, justify="left" if name == "questions" else "right")
    with octavo.open(given.corpus, models=ModelConfig(model)) as corpus:
        for folder in given.folder:
            name, _, path = folder.partition("=")
            asked = [question for question in load(name, Path(path)).questions if question.answerable]
            told: list[tuple[float | None, ...]] = []
            for question in asked[: given.questions]:
                model.first, model.context_tokens = None, given.context_tokens
                corpus.ask(question.question, documents=list(question.documents) or None, system=given.system)
                told.append(measured(question, model.first))
            made = sum(row[-1] is not None for row in told)
            table.add_row(name, f"{made} of {len(told)}", *map(shown, zip(*told, strict=True)))
    Console(width=120).print(table)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--folder", action="append", required=True, help="BENCHMARK=PATH")
    parser.add_argument("--system", default="auto")
    parser.add_argument("--questions", type=int, help="the first of each folder")
    parser.add_argument("--context-tokens", type=int, default=100_000)
    return parser.parse_args()


def measured(question: Question, request: Request | None) -> tuple[float | None, ...]:
    """Return what a request holds: pages, answer, numbers (None where there is nothing to look for), and tokens."""
    if request is None:  # answered from the structure of the document
        return None, None, None, None
    text = request.turns[0].text
    pages = {int(page) for page in _PAGE.findall(text)}
    gold, enough = {*question.evidence_pages}, {*question.sufficient_pages}
    found = float(bool(enough & pages)) if enough else len(gold & pages) / len(gold) if gold else None
    answer = None
    if not is_yes_or_no(question.accepted) and (question.accepted or question.items):
        answer = float(holds(question.accepted, text, items=question.items))
    numbers = numbers_in(" ".join(question.evidence_texts))
    share = len(numbers & numbers_in(text)) / len(numbers) if numbers else None
    return found, answer, share, float(estimate_tokens(request.instructions + text))


def numbers_in(text: str) -> set[str]:
    """Return the longer numbers of a text, years left out."""
    found = {number.replace(",", "") for number in _NUMBER.findall(text)}
    return {one for one in found if len(one.replace(".", "")) >= _SHORTEST and not re.fullmatch(r"(19|20)\d\d", one)}


def shown(values: tuple[float | None, ...]) -> str:
    known = [value for value in values if value is not None]
    return "" if not known else f"{mean(known):,.0f}" if max(known) > 1 else f"{mean(known):.3f}"


if __name__ == "__main__":
    main()
