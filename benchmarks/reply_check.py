"""What the check of a model's replies takes away: of gold answers with their evidence, and of replies a model gave.

    python benchmarks/reply_check.py INDEX --natural DATA [--rows ROWS.jsonl --folder natural=DATA ...]

Each natural question is answered by a stand-in for a model that replies with the gold answer and quotes the gold
evidence from the passage that has most of its words; where no passage shown has it, the question is left out. All
should be stated. With `--rows`, what `with_model.py` wrote, replies that a model gave are given again, so that a change
of the check is measured without the model. INDEX holds the documents, with the layers that the systems need.
"""

from __future__ import annotations

import argparse
import json
import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import octavo
from octavo.corpus.judges import ModelConfig
from octavo.evidence import Outcome
from octavo.models.language import FaultKind, ModelFault, Reply, Request
from octavo_documents.text.analyzer import analyze
from octavo_lab.benchmarks import load
from octavo_lab.question import Question
from octavo_lab.scoring import response_of
from with_model import NATURAL, is_right, kept

_PASSAGE = re.compile(r"<passage id=(\d+)>\n(.*?)\n</passage>", re.DOTALL)
_HELD = 0.7
"""Share of the evidence's terms from which a passage holds it."""


class Given:
    """Replies what it is given, or with a gold answer and evidence; when nothing fits it refuses."""

    sees = False
    secrets: tuple[str, ...] = ()

    def __init__(self, context_tokens: int) -> None:
        self.context_tokens = context_tokens
        self.id = f"given:{uuid.uuid4().hex}"  # replies of an earlier run are kept in the index
        self.replies: list[str] = []
        self.gold: tuple[str, str] | None = None
        self.is_shown = False

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        if self.gold:
            return self._from_gold(request, *self.gold)
        if not self.replies:
            raise ModelFault(FaultKind.REFUSED, "no more replies")
        return Reply(self.replies.pop(0), 1, 1)

    def _from_gold(self, request: Request, answer: str, evidence: str) -> Reply:
        wanted = {*analyze(evidence)}
        shares = {
            int(number): len(wanted & {*analyze(text)}) / max(len(wanted), 1)
            for number, text in _PASSAGE.findall(request.turns[0].text)
        }
        best = max(shares, key=lambda number: shares[number], default=-1)
        if shares.get(best, 0.0) < _HELD:
            raise ModelFault(FaultKind.REFUSED, "the evidence is not shown")
        self.is_shown = True
        said = {"evidence": [{"id": best, "quote": evidence}], "answerable": True, "answer": answer}
        return Reply(json.dumps(said), 1, 1)


def gold(corpus: octavo.Corpus, model: Given, folder: Path) -> Counter[str]:
    """Count what becomes of gold answers."""
    rows = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
    counts = Counter[str]()
    for row in rows:
        if not row["answers"] and not row["items"]:
            continue
        answer = row["answers"][0] if row["answers"] else "; ".join(item.split(" / ")[0] for item in row["items"])
        model.gold, model.is_shown = (answer, row["evidence"]), False
        outcome = corpus.ask(row["question"], documents=[row["document"]]).outcome
        counts[outcome.value if model.is_shown else "evidence not shown"] += 1
    model.gold = None
    return counts


def given_again(
    corpus: octavo.Corpus, model: Given, rows: Sequence[dict], questions: dict[tuple[str, str], Question]
) -> Iterator[tuple[str, str, str]]:
    """Yield what each reply was to a question, what became of it then, and what becomes of it now."""
    for row in rows:
        question = questions[row["benchmark"], row["id"]]
        model.replies = [*row["replies"]]
        answer = corpus.ask(question.question, documents=list(question.documents) or None, system=row["system"])
        right = is_right(question, response_of(answer, []), row["benchmark"])
        kind = "without an answer" if not question.answerable else "right" if row["is_right"] else "not right"
        stated = answer.outcome is Outcome.ANSWER and question.answerable
        now = f"{answer.outcome.value}{', right' if right and stated else ''}"
        yield f"{row['benchmark']}, {kind}", row["outcome"], now


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--natural", type=Path, help="folder of natural questions")
    parser.add_argument("--rows", type=Path, help="what with_model.py wrote")
    parser.add_argument("--context-tokens", type=int, default=8192, help="as with_model.py had it")
    parser.add_argument("--folder", action="append", default=[], help="of the rows: BENCHMARK=PATH")
    given = parser.parse_args()
    if given.natural:
        with octavo.open(given.corpus, models=ModelConfig(model := Given(given.context_tokens))) as corpus:
            print("gold answers and evidence:", dict(gold(corpus, model, given.natural)))
    if given.rows:
        named = [folder.partition("=")[::2] for folder in given.folder or [f"{NATURAL}={given.natural}"]]
        questions = {(name, one.id): one for name, path in named for one in load(name, Path(path)).questions}
        with octavo.open(given.corpus, models=ModelConfig(model := Given(given.context_tokens))) as corpus:
            counts = Counter(given_again(corpus, model, kept(given.rows), questions))
        for (kind, then, now), count in sorted(counts.items()):
            print(f"{kind:40}{then:>10} -> {now:18}{count:>5}")


if __name__ == "__main__":
    main()
