"""A router trained on one generated collection and measured on another of other topics: does it learn where to look?

Run: python benchmarks/router_training.py FOLDER --base MODEL [--device cpu] [--epochs 1] [--max-length 4096]
     [--measure 100] [--more-topics] [--each N] [--label-with MODEL] [--data-only]

Writes two collections of short articles into FOLDER, `train` and `held`, which share neither topics nor wordings nor
names, curates examples of both by gold evidence, trains on those of `train` and measures on those of `held`: the rule,
the base model and the trained one. A third, `unseen`, of the topics of `held`, is there for `octavo evaluate`.
With `--more-topics` a new folder's `train` has more topics, each in three wordings. With `--each` no more than so many
examples of each kind are learnt from, and half as many of documents to refuse: those that open headings are the fewest.
With `--label-with PROVIDER:NAME` that model chooses the right actions, as in RDR2's paper, and the router is one of
`rdr2-paper`; gold is not looked at.
The report is FOLDER/out/report.html. It needs the extra `train`; two cores take 6 to 16 seconds for a step of 4
examples with a model of 135 to 500 million parameters. What was done is kept.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import generated_collection as collections
from collection_topics import TOPICS, Topic, more_topics
from octavo_lab.training.example import KINDS, Example, read_all, write_all

_KNOWN = tuple(TOPICS.values())
_HELD_TOPICS = 4


@dataclasses.dataclass(frozen=True)
class Part:
    """A collection: `keep` articles of at most `words` words among the first `articles`, and questions about them."""

    name: str
    seed: int
    topics: Sequence[Topic]
    articles: int
    keep: int
    questions: int
    words: int = 230


PARTS = (
    Part("train", 7, _KNOWN[:-_HELD_TOPICS], articles=900, keep=160, questions=160),
    Part("held", 71, _KNOWN[-_HELD_TOPICS:], articles=300, keep=50, questions=40),
)
UNSEEN = dataclasses.replace(PARTS[1], name="unseen", seed=4711, questions=100)
"""Other articles about the held topics: nothing is chosen by what is measured on them."""


def wide(part: Part) -> Part:
    """Return a part with the topics of collection_topics.toml beside its own.

    These have more facts than the part's own topics, so that few of their articles are short: it takes many.
    """
    return dataclasses.replace(part, topics=[*part.topics, *more_topics()], articles=16000, keep=320, questions=420)


def main() -> None:
    given = arguments()
    out = given.folder / "out"
    out.mkdir(parents=True, exist_ok=True)
    paper = ("--paper", "--label-with", given.label_with) if given.label_with else ()
    parts = (wide(PARTS[0]), *PARTS[1:]) if given.more_topics else PARTS
    for part, name in zip(parts, ("examples.jsonl", "held-out.jsonl"), strict=True):
        if not (out / name).exists():
            write(given.folder / part.name, part)
            curated = given.folder / f"{part.name}-examples"
            octavo(given.folder / part.name, "--only", "curate", "--hold-out", 0, "--out", curated, *paper)
            shutil.copy(curated / "examples.jsonl", out / name)
            if given.each and part is parts[0]:
                write_all(out / name, drawn(read_all(out / name), given.each))
    if not (given.folder / UNSEEN.name).exists():
        write(given.folder / UNSEEN.name, UNSEEN)
    if given.data_only:
        return
    how = ("--base", given.base, "--out", out, "--device", given.device, "--epochs", given.epochs, "--batch", 4)
    shape = ("--learning-rate", given.learning_rate, "--no-instructions", "--max-length", given.max_length)
    measured = ("--measure", given.measure, "--reply-tokens", 64)
    octavo("--only", "train", *how, *shape)
    octavo("--only", "evaluate", *how, *shape, *measured, *paper)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--base", default="", help="a folder of transformers, or a GGUF file")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--epochs", type=float, default=1.0)
    parser.add_argument("--max-length", type=int, default=4096, help="tokens of the longest example that is used")
    parser.add_argument("--learning-rate", type=float, default=0.001)
    parser.add_argument("--measure", type=int, default=100, help="held-out examples at most")
    parser.add_argument("--more-topics", action="store_true", help="learn from more topics, in a new folder")
    parser.add_argument("--each", type=int, help="examples of each kind at most, in a new folder")
    parser.add_argument("--label-with", default="", help="a model that chooses the actions, as in the paper")
    parser.add_argument("--data-only", action="store_true", help="make the examples and stop")
    given = parser.parse_args()
    if not given.base and not given.data_only:
        parser.error("--base MODEL is needed, or --data-only")
    return given


def drawn(examples: Sequence[Example], each: int) -> list[Example]:
    """Return at most so many examples of each kind, half as many of documents to refuse: those are learnt soon."""
    mixed = random.Random(1).sample(examples, len(examples))
    most = {kind: each // 2 if kind == "refuse" else each for kind in KINDS}
    return [one for kind in KINDS for one in [one for one in mixed if one.kind == kind][: most[kind]]]


def write(folder: Path, part: Part) -> None:
    """Write a collection, a file for each article."""
    made = list(itertools.islice(collections.written(part.seed, part.topics), part.articles))
    short = [article for article, _ in made if len(article.text.split()) <= part.words][: part.keep]
    titles = {article.title for article in short}
    asked = [one for _, found in made for one in found if titles.issuperset(title for title, _ in one.evidence)]
    random.Random(1).shuffle(asked)
    collections.write(folder, iter(short), asked[: part.questions], as_files=True)


def octavo(*words: object) -> None:
    """Run `octavo train-router`, and end with it where it fails."""
    done = subprocess.run([sys.executable, "-m", "octavo", "train-router", *map(str, words)], check=False)
    if done.returncode:
        sys.exit(done.returncode)


if __name__ == "__main__":
    main()
