"""How questions over notes of annual reports are answered without a model: TAT-QA, each note a document of its own.

FILE is the authors' (`tatqa_dataset_dev.json`, or gzipped): each note is a table with the paragraphs around it, and
each question says whether its answer stands there, is worked out or is a count. A corpus of the notes, as HTML, is made
at CORPUS where there is none. Notes are split in two by a digest of their names, so that rules can be made on one half
and measured on the other. Printed for each half: the passages, the short answers given and right of answers that stand
there, of tables and of text apart, and of questions that ask for a calculation or a count those that are answered with
a formula, the right ones of these, and those that are stated flatly as if the answer stood there. Told apart are
answers that are not the authors' but the only value in theirs, which is longer: "13.0 years" of "The amortization
period is 13.0 years." They count as given and not as right.

    python benchmarks/tatqa.py FILE --corpus CORPUS [--notes 120] [--half measured] [--wrong]

TAT-QA: Zhu et al., TAT-QA: A Question Answering Benchmark on a Hybrid of Tabular and Textual Content, ACL 2021.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import html
import json
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import octavo
from octavo_documents.text.values import values_in

HALVES = ("measured", "made")
_CLOSE = 0.006


def half_of(note: str) -> str:
    """Return the half that a note belongs to."""
    return HALVES[int(hashlib.sha256(note.encode()).hexdigest(), 16) % 2 == 0]


def notes_of(file: Path) -> list[dict[str, Any]]:
    data = file.read_bytes()
    return json.loads(gzip.decompress(data) if file.suffix == ".gz" else data)


def page_of(note: dict[str, Any]) -> str:
    """Return a note as HTML: its table, then its paragraphs in order."""
    lines = ("".join(f"<td>{html.escape(cell)}</td>" for cell in line) for line in note["table"]["table"])
    told = sorted(note["paragraphs"], key=lambda one: one["order"])
    text = "".join(f"<p>{html.escape(one['text'])}</p>" for one in told)
    table = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<html><body><h1>Note</h1><table>{table}</table>{text}</body></html>"


def words_of(text: object) -> list[str]:
    return re.findall(r"[a-z0-9]+(?:\.[0-9]+)?", str(text).lower().replace(",", ""))


def holds(text: object, gold: object) -> bool:
    return f" {' '.join(words_of(gold))} " in f" {' '.join(words_of(text))} "


def is_its_only_value(stated: str, gold: str) -> bool:
    """Return whether an answer is the value that a longer gold answer tells, and the only one of its kind there."""
    own = values_in(stated)
    if len(own) != 1 or not holds(gold, stated):
        return False
    return [value.text for value in values_in(gold) if value.kind is own[0].kind] == [own[0].text]


def is_near(gold: object, value: object) -> bool:
    try:
        wanted, found = float(str(gold).replace(",", "")), float(str(value))
    except ValueError:
        return False
    return min(abs(abs(wanted) - abs(found)), abs(abs(wanted) - abs(found) / 100)) <= _CLOSE * max(
        1.0, abs(wanted) / 100
    )


def count_standing(counts: Counter[str], question: dict[str, Any], answer: Any) -> bool:
    """Count a question whose answer stands in its note; whether a short answer was given and is wrong."""
    gold, kind = question["answer"][0], "table" if "table" in question["answer_from"] else "text"
    passages: list[dict[str, str]] = answer.get("passages") or []
    shown = [passage["text"] for passage in passages]
    stated = str(answer["answer"]) if answer["outcome"] == "answer" else ""
    is_brief = len(words_of(stated)) <= 3 * len(words_of(gold)) + 12
    right = bool(stated) and holds(stated, gold) and is_brief
    found = {
        "spans": True,
        "unit@1": any(holds(text, gold) for text in shown[:1]),
        "unit@3": any(holds(text, gold) for text in shown[:3]),
        "given": bool(stated),
        "right": right,
        kind: True,
        f"given of {kind}": bool(stated),
        f"right of {kind}": right,
        f"value of {kind}": bool(stated) and not right and is_its_only_value(stated, str(gold)),
    }
    counts.update({name: int(is_so) for name, is_so in found.items()})
    return bool(stated) and not right


def count_worked_out(counts: Counter[str], question: dict[str, Any], answer: Any) -> bool:
    """Count a question whose answer is worked out; whether it is stated flatly or wrong."""
    is_stated = answer["outcome"] == "answer"
    is_shown = is_stated and (" = " in answer["answer"] or answer["lead"].startswith("Counted"))
    right = is_shown and is_near(question["answer"], answer["value"])
    counts.update(
        {"worked": 1, "shown": int(is_shown), "shown right": int(right), "flat": int(is_stated and not is_shown)}
    )
    return is_stated and not right


def report(corpus: octavo.Corpus, half: str, notes: Sequence[dict[str, Any]], *, wrong: bool) -> None:
    counts: Counter[str] = Counter()
    began, asked = time.perf_counter(), 0
    for note in notes:
        name = f"{note['table']['uid']}.html"
        for question in note["questions"]:
            if question["answer_type"] not in ("span", "arithmetic", "count"):
                continue
            asked += 1
            answer = corpus.ask(question["question"], documents=[name]).to_json()
            count = count_standing if question["answer_type"] == "span" else count_worked_out
            if count(counts, question, answer) and wrong:
                print(
                    f"  {name}: {question['question']} | {question['answer']} | {answer['answer']} | {answer['lead']}"
                )
    print(f"{half}: {len(notes)} notes, {asked} questions, {(time.perf_counter() - began) / max(1, asked):.2f} s each")
    for name, of in (("unit@1", "spans"), ("unit@3", "spans"), ("given", "spans"), ("right", "given")):
        print(f"  {name}: {counts[name]} of {counts[of]}")
    for kind in ("table", "text"):
        right, given = counts[f"right of {kind}"], counts[f"given of {kind}"]
        value = counts[f"value of {kind}"]
        print(f"  {kind}: {counts[kind]} answers, {given} given, {right} right, {value} more the value in it")
    worked = f"{counts['shown']} with a formula, {counts['shown right']} right; {counts['flat']} flatly"
    print(f"  worked out: {counts['worked']} asked, {worked}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--notes", type=int, default=0, help="the first so many of each half; all")
    parser.add_argument("--half", choices=(*HALVES, "both"), default="both")
    parser.add_argument("--wrong", action="store_true", help="print the answers that are wrong")
    chosen = parser.parse_args()
    notes = notes_of(chosen.file)
    with octavo.open(chosen.corpus) as corpus:
        if not corpus.list():
            with tempfile.TemporaryDirectory() as folder:
                for note in notes:
                    Path(folder, f"{note['table']['uid']}.html").write_text(page_of(note), encoding="utf-8")
                corpus.add([folder])
        for half in HALVES if chosen.half == "both" else (chosen.half,):
            own = [note for note in notes if half_of(note["table"]["uid"]) == half]
            report(corpus, half, own[: chosen.notes or len(own)], wrong=chosen.wrong)


if __name__ == "__main__":
    main()
