"""Steps of a trace in words for people: each operator has its own sentence, which needs no run."""

from __future__ import annotations

import subprocess
import sys

import pytest

from octavo.corpus.streaming import sentence_of
from octavo.evidence import TraceStep

STORED = """
import sys
from octavo.corpus.streaming import sentence_of
from octavo.evidence import TraceStep

operators = {name for name in sys.modules if name.startswith("octavo.operators.")}
print(sorted(operators))
print(sentence_of(TraceStep("RankByUnits", {}, 40, 40, 0.0)))
print("octavo.operators.extractive.unit_scores" in sys.modules, "octavo.operators.search_agent" in sys.modules)
"""


def step(name: str, rows_in: int = 40, rows_out: int = 12, **parameters: object) -> TraceStep:
    return TraceStep(name, parameters, rows_in, rows_out, 0.0)


@pytest.mark.parametrize(
    ("done", "said"),
    [
        (step("Search", kind="bm25"), "Searched for the question's words, and found 12 of 40 places that fit"),
        (step("Search", kind="dense_page"), None),
        (step("RankPages"), "Kept what stands on the pages that fit best (12 of 40 places)"),
        (step("RankPages", 12, 12), None),
        (step("Fuse"), None),
        (step("Refer", 40, 0), None),
        (
            step("FirstStage", documents=9000, opened=2),
            "Searched 9,000 documents, and opened the 2 documents that fit best",
        ),
        (step("CompleteQuestion", stands_alone=True), None),
        (step("Investigate", turns=1), "Searched and read on 1 time, and kept 12 places"),
        (step("Nobody"), "Kept 12 of 40 places"),
        (step("Nobody", 1, 7), "Found 7 places"),
    ],
)
def test_a_step_is_told_in_its_operators_words(done: TraceStep, said: str | None) -> None:
    assert sentence_of(done) == said


def test_a_stored_step_is_told_by_an_operator_that_was_not_imported_and_no_other_is() -> None:
    told = subprocess.run([sys.executable, "-c", STORED], capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == [
        "['octavo.operators.sentence_forms']",
        "Ranked the pages by the sentences and table rows on them",
        "True False",
    ]
