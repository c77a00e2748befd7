"""How often the reader's answer is right, and how well it knows when there is none: over folders of questions.

A folder holds `questions.jsonl` and PDFs, beside it or in `documents/`, or `articles.jsonl.gz`: short texts of which
each question names those in its scope. For articles every question is asked twice, with the evidence among the texts
and without it, so that refusals count too. Questions are split in two by a hash of their id: `dev`, which the reader
may be developed on, and `held out`.

    python benchmarks/reading.py FOLDER [FOLDER ...] --corpus INDEX --system hybrid --reliability
"""

from __future__ import annotations

import argparse
import dataclasses
import gzip
import hashlib
import json
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import octavo
from octavo import systems
from octavo.decisions.extract_answer_value.rule import extract
from octavo.document import BlockTable, Document, Kind, LinkTable, Metadata, PageTable, Query, TextColumn, View, nest
from octavo.evaluation.metrics import exact_match, inclusion, mmlongbench, token_f1
from octavo.layers.memory import MemoryLayers
from octavo.operators import Run
from retrieval import indexed

NOT_ANSWERABLE = "Not answerable"
DISTRACTORS = 8
"""Articles beside those with the evidence."""


@dataclasses.dataclass(frozen=True)
class Asked:
    """A question over the documents it is about; `answer` is None where they do not hold it.

    Questions of one `group`, a document mostly, are alike.
    """

    id: str
    question: str
    answer: Any
    form: str
    view: Callable[[], View]
    group: str = ""

    @property
    def is_held_out(self) -> bool:
        return hashlib.sha256(self.id.encode()).digest()[0] % 2 == 1


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What came of one question: scores are 0..1, those of a question without an answer count in no average."""

    asked: Asked
    text: str
    confidence: float
    is_refused: bool
    exact: float
    f1: float
    included: float
    accuracy: float
    seconds: float

    @property
    def is_right(self) -> bool:
        """Whether the answer counts as right for the confidence, which is to say how often it is."""
        return self.asked.answer is not None and max(self.exact, self.accuracy) >= 0.5


def article(title: str, text: str) -> Document:
    """Return an article as a document of one page: its title, and a paragraph a line."""
    texts = [title, *(line.strip() for line in text.split("\n") if line.strip())]
    kind = np.array([Kind.HEADING, *([Kind.PARAGRAPH] * (len(texts) - 1))], np.uint8)
    level = (kind == Kind.HEADING).astype(np.uint8)
    parent, end = nest(kind, level)
    size = len(texts)
    blocks = BlockTable(
        kind=kind,
        text=TextColumn.of(texts),
        page=np.ones(size, np.int32),
        box=np.tile(np.array([72, 72, 500, 84], np.float32), (size, 1)),
        level=level,
        parent=parent,
        end=end,
        size=np.full(size, 10.0),
        bold=kind == Kind.HEADING,
        italic=np.zeros(size, np.bool_),
        color=np.zeros(size),
        confidence=np.ones(size),
        grid=TextColumn.of([""] * size),
    )
    pages = PageTable(
        label=TextColumn.of(["1"]), width=np.array([595.0]), height=np.array([842.0]), is_scanned=np.zeros(1, np.bool_)
    )
    digest = hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()
    return Document(f"sha256:{digest}", title, pages, blocks, LinkTable.empty(), Metadata(title=title))


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text().splitlines()]


def over_documents(folder: Path, corpus: octavo.Corpus) -> Iterator[Asked]:
    """Yield the questions of a folder of PDFs, which are added to the corpus."""
    view_of = indexed(folder, corpus)
    for row in rows_of(folder):
        answer = None if row["answer"] in (None, NOT_ANSWERABLE) else row["answer"]
        yield Asked(
            str(row.get("id", row["question"])),
            row["question"],
            answer,
            row.get("answer_format") or "Str",
            lambda name=row["document"]: view_of(name),
            row["document"],
        )


def over_articles(folder: Path) -> Iterator[Asked]:
    """Yield the questions of a folder of articles, each with its evidence and without."""
    with gzip.open(folder / "articles.jsonl.gz", "rt") as lines:
        texts = {row["title"]: row["text"] for row in map(json.loads, lines)}
    for row in rows_of(folder):
        gold = [title for title in row["evidence_documents"] if title in texts]
        others = [title for title in row["documents"] if title in texts and title not in gold]
        for answer, titles in ((row["answer"], gold + others[:DISTRACTORS]), (None, others)):
            view = partial(view_of_articles, titles, texts)
            yield Asked(row["id"], row["question"], answer, "Str", view, row["id"])


def view_of_articles(titles: Sequence[str], texts: Mapping[str, str]) -> View:
    documents = [article(title, texts[title]) for title in sorted(set(titles))]
    return View(documents, MemoryLayers(documents))


def measure(system: str, asked: Sequence[Asked]) -> Iterator[Outcome]:
    for one in asked:
        view = one.view()
        # What is loaded once for a document does not count.
        systems.run_search(systems.get(system), Query(one.question), Run(view))
        started = time.perf_counter()
        answer = systems.run_ask(systems.get(system), Query(one.question, limit=10), Run(view))
        seconds = time.perf_counter() - started
        text = _final(answer.value, answer.text) if answer.answerable else NOT_ANSWERABLE
        gold, form = one.answer, one.form
        final = text if form == "List" or one.answer is None else extract(one.question, text, answer_format=form).answer
        yield Outcome(
            asked=one,
            text=text,
            confidence=answer.confidence,
            is_refused=not answer.answerable,
            exact=exact_match.score(gold, text, form) if gold is not None else 0.0,
            f1=token_f1.score(gold, text, form) if gold is not None else 0.0,
            included=inclusion.score(gold, text, form) if gold is not None else 0.0,
            accuracy=mmlongbench.score(gold, final, form) if gold is not None else float(not answer.answerable),
            seconds=seconds,
        )


def _final(value: object, text: str) -> str:
    return repr(value) if isinstance(value, list) else text


def summary(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return the averages: over answerable questions first, then how often refusing and answering was right."""
    answerable = [one for one in outcomes if one.asked.answer is not None]
    without = [one for one in outcomes if one.asked.answer is None]
    numeric = [one for one in answerable if _is_number(one.asked.answer)]
    given = [one for one in outcomes if not one.is_refused]
    return {
        "EM": _mean([one.exact for one in answerable]),
        "F1": _mean([one.f1 for one in answerable]),
        "included": _mean([one.included for one in answerable]),
        "accuracy": _mean([one.accuracy for one in answerable]),
        "numeric": _mean([one.accuracy for one in numeric]),
        "all": _mean([one.accuracy for one in outcomes]),
        "refused right": _mean([float(one.is_refused) for one in without]),
        "refused wrong": _mean([float(one.is_refused) for one in answerable]),
        "right given": _mean([float(one.is_right) for one in given]),
        "p50 ms": 1000 * statistics.median(one.seconds for one in outcomes),
    }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")


def _is_number(answer: object) -> bool:
    return mmlongbench.is_number(mmlongbench.clean(answer))


def reliability(outcomes: Sequence[Outcome], bins: int = 5) -> list[tuple[float, float, int]]:
    """Return (mean confidence, share right, answers) of answers given, in bins of equal width."""
    given = [one for one in outcomes if not one.is_refused]
    table: list[tuple[float, float, int]] = []
    for at in range(bins):
        inside = [
            one for one in given if at <= one.confidence * bins < at + 1 or one.confidence == 1.0 == (at + 1) / bins
        ]
        if inside:
            right = _mean([float(one.is_right) for one in inside])
            table.append((_mean([one.confidence for one in inside]), right, len(inside)))
    return table


def show(name: str, outcomes: Sequence[Outcome], *, with_reliability: bool) -> None:
    parts = {
        "all": list(outcomes),
        "dev": [one for one in outcomes if not one.asked.is_held_out],
        "held out": [one for one in outcomes if one.asked.is_held_out],
    }
    for label, part in parts.items():
        if not part:
            continue
        figures = summary(part)
        if label == "all":
            print(f"{name:24}{'n':>5}" + "".join(f"{column:>15}" for column in figures))
        print(f"  {label:22}{len(part):>5}" + "".join(f"{value:>15.3f}" for value in figures.values()))
        if with_reliability:
            for confidence, right, count in reliability(part):
                print(f"      sure {confidence:.2f}: right {right:.2f} of {count}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--system", default="hybrid")
    parser.add_argument("--corpus", type=Path, required=True, help="where the index of PDFs is, or is to be")
    parser.add_argument(
        "--reliability", action="store_true", help="also how often answers of each confidence are right"
    )
    parser.add_argument("--each", action="store_true", help="also every question of the dev half")
    options = parser.parse_args()
    with octavo.open(options.corpus) as corpus:
        for folder in options.folders:
            is_articles = (folder / "articles.jsonl.gz").exists()
            asked = list(over_articles(folder) if is_articles else over_documents(folder, corpus))
            outcomes = list(measure(options.system, asked))
            show(folder.name, outcomes, with_reliability=options.reliability)
            for one in outcomes if options.each else ():
                if not one.asked.is_held_out:
                    given = f"{one.accuracy:.1f} sure {one.confidence:.2f}"
                    print(f"{given} {one.asked.question} | {one.asked.answer} | {one.text}")


if __name__ == "__main__":
    main()
