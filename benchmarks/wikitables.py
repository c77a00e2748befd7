"""How questions over whole tables are answered without a model: WikiTableQuestions, each asked of its own table.

FOLDER holds `csv/NAME.csv` and `questions.tsv` (id, question, table, answer; several answers by "|"). Tables are split
in two by a digest of their names: rules are made on one half, and the other one tells what they are worth. A corpus of
the tables is made at CORPUS where there is none. Printed: short answers given and right; with `--wrong` those that are
wrong.

    python benchmarks/wikitables.py FOLDER --corpus CORPUS [--half measured] [--wrong]

WikiTableQuestions: Pasupat and Liang, Compositional Semantic Parsing on Semi-Structured Tables, ACL 2015.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import octavo

HALVES = ("measured", "made")


def half_of(table: str) -> str:
    """Return the half that a table belongs to."""
    return HALVES[int(hashlib.sha256(table.encode()).hexdigest(), 16) % 2 == 0]


def plain(text: str) -> str:
    return re.sub(r"[^\w.%]+", " ", text.lower().replace(",", "")).strip()


def is_right(gold: str, answer: Any) -> bool:
    """Return whether an answer is the gold one: as a number, as a set of names, or as the name with more beside it."""
    wanted = [plain(one) for one in gold.split("|")]
    stated = plain(str(answer["answer"]).split(" = ")[0])
    if isinstance(answer["value"], list):
        return sorted(map(plain, answer["value"])) == sorted(wanted)
    if len(wanted) > 1:
        return False
    try:
        return abs(float(wanted[0]) - float(answer["value"])) < 0.006
    except (TypeError, ValueError):
        names = (f" {stated} ", f" {wanted[0]} ")
        return stated.startswith(wanted[0]) or names[0] in names[1] or names[1] in names[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--half", choices=(*HALVES, "both"), default="both")
    parser.add_argument("--wrong", action="store_true", help="print the answers that are wrong")
    chosen = parser.parse_args()
    with (chosen.folder / "questions.tsv").open(encoding="utf-8", newline="") as rows:
        asked = list(csv.DictReader(rows, delimiter="\t", quoting=csv.QUOTE_NONE))
    with octavo.open(chosen.corpus) as corpus:
        if not corpus.list():
            corpus.add([chosen.folder / "csv"])
        for half in HALVES if chosen.half == "both" else (chosen.half,):
            report(corpus, half, [one for one in asked if half_of(one["table"]) == half], wrong=chosen.wrong)


def report(corpus: octavo.Corpus, half: str, asked: list[dict[str, str]], *, wrong: bool) -> None:
    counts: Counter[str] = Counter()
    began = time.perf_counter()
    for one in asked:
        answer = corpus.ask(one["question"], documents=[one["table"]]).to_json()
        if answer["outcome"] != "answer":
            continue
        right = is_right(one["answer"], answer)
        counts["given"] += 1
        counts["right"] += right
        if wrong and not right:
            print(f"  {one['table']}: {one['question']} | {one['answer']} | {answer['answer']} | {answer['lead']}")
    seconds = (time.perf_counter() - began) / max(1, len(asked))
    print(f"{half}: {len(asked)} questions, {counts['given']} given, {counts['right']} right, {seconds:.2f} s each")


if __name__ == "__main__":
    main()
