"""A run that is killed at any moment goes on where it was and ends as an unbroken one."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import evaluating

QUESTIONS = 60

SCRIPT = f"""
import sys, time, dataclasses
from pathlib import Path
import pytest

import evaluating
from octavo.corpus import Corpus
from octavo_lab.runner import evaluate
from octavo_lab.summary import summarize
from octavo_lab.report import write

ask = Corpus.ask
def slow(self, question, **options):
    time.sleep(0.02)
    return ask(self, question, **options)
Corpus.ask = slow
folder = Path(sys.argv[1])
four = evaluating.QUESTIONS
questions = [
    dataclasses.replace(four[at % 4], id=str(at), question=f"{{four[at % 4].question}} {{at}}")
    for at in range({QUESTIONS})
]
made = evaluating.reopened(folder, *questions)
with evaluating.corpus(folder) as corpus:
    found = evaluate(corpus, made, ["bm25"], folder / "out")
write(summarize(found), folder / "out")
print(found.took[-1].from_journal)
"""


def run(folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SCRIPT, str(folder)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=(Path(__file__).parents[3] / "tests"))


def rows(folder: Path) -> list[dict[str, Any]]:
    (system,) = json.loads((folder / "out" / "report.json").read_text())["systems"]
    return [{key: value for key, value in row.items() if key not in ("usage", "trace")} for row in system["rows"]]


@pytest.mark.slow
def test_kills_cost_no_answer_that_was_kept(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    evaluating.benchmark(whole)
    evaluating.benchmark(broken)
    assert run(whole).wait() == 0
    journal, chance, kept = broken / "out" / "journal.jsonl", random.Random(5), 0
    for _ in range(4):
        process = run(broken)
        wait_for(journal, kept + chance.randint(1, 4), process)
        process.kill()
        process.wait()
        now = len(journal.read_text().splitlines())
        assert now > kept
        kept = now
    assert kept < QUESTIONS
    told, _ = run(broken).communicate()
    assert int(told) >= kept - 1  # the last line may have been cut
    assert rows(broken) == rows(whole)


def wait_for(journal: Path, lines: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not journal.exists() or journal.read_bytes().count(b"\n") < lines:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.002)
