"""Questions that documents suggest, and what a comparison says in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import octavo_documents
from cli_corpus import octavo
from octavo.about.proposals import proposals
from octavo_lab.advice import advice

PAGE = """# Ferries

## Fares

| Berth | Fee | Deposit |
|---|---|---|
| Quay | 12 crowns | 40 crowns |
| Pier | 9 crowns | 35 crowns |

The ferry Alba takes 46 passengers on each of her crossings to the island. It rains. In Chapter 6 passengers learn of
the fog, which is heavy there. The ferry Bruma takes 30 passengers and 4 cars on each of her crossings.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ferries.md").write_text(PAGE)
    return tmp_path


def test_questions_of_tables_and_sentences_have_their_answer_and_page(folder: Path) -> None:
    rows = proposals(octavo_documents.read(folder / "ferries.md"))
    asked = {row["question"]: row["answers"] for row in rows}
    assert asked["Fares: what is the deposit of Quay?"] == ["40 crowns"]
    assert asked["Fares: what is the fee of Pier?"] == ["9 crowns"]
    how_many = "The ferry Alba takes how many passengers on each of her crossings to the island?"
    assert asked[how_many] == ["46 passengers", "46"]
    assert len(asked) == 3
    assert {(row["document"], *row["pages"]) for row in rows} == {("ferries.md", 1)}


def test_there_are_no_more_than_wanted_and_from_all_over(tmp_path: Path) -> None:
    lines = (f"The ferry number so and so takes {at + 20} passengers on each crossing.\n\n" for at in range(40))
    (tmp_path / "long.txt").write_text("".join(lines))
    rows = proposals(octavo_documents.read(tmp_path / "long.txt"), 4)
    assert [row["answers"][1] for row in rows] == ["20", "30", "40", "50"]


def test_proposals_are_a_file_that_is_measured_and_never_overwritten(folder: Path) -> None:
    told = octavo("evaluate", "--init", str(folder))
    assert told.status == 0, told.err
    target = folder / "questions.jsonl"
    assert f"Then: octavo evaluate {target}" in told.out
    rows = [json.loads(line) for line in target.read_text().splitlines()]
    assert len(rows) == 3
    measured = octavo(
        *("evaluate", str(target), "--documents", str(folder), "--system", "bm25,dense", "--out", str(folder / "out"))
    )
    assert measured.status == 0, measured.err
    assert "Use bm25: " in measured.out or "Use dense: " in measured.out
    assert "3 questions are few" in measured.out
    target.write_text("mine\n")
    again = octavo("evaluate", "--init", str(folder))
    assert again.status == 2 and again.err.count("\n") == 1
    assert target.read_text() == "mine\n"


def test_what_suggests_nothing_or_is_not_there_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Nothing here can be asked.")
    for place in (tmp_path, tmp_path / "nowhere"):
        told = octavo("evaluate", "--init", str(place))
        assert told.status == 1 and told.err.count("\n") == 1
    assert not (tmp_path / "questions.jsonl").exists()
    assert octavo("evaluate").status == 2


def summary(best: list[str], questions: int = 40, **figures: float) -> dict[str, Any]:
    return {
        "questions": questions,
        "main_metric": "right",
        "metrics": {"right": {"definition": "answered right"}},
        "systems": [{"system": name, "swept": "", "metrics": {"right": figure}} for name, figure in figures.items()],
        "best": best,
    }


def test_advice_names_the_better_system_where_the_difference_is_no_chance() -> None:
    told = advice(summary(["hybrid"], auto=0.5, hybrid=0.8))
    assert told == "Use hybrid: hybrid does best: 80% (answered right); auto has 50%."
    assert advice(summary(["auto"], auto=0.8, hybrid=0.5)) == "Use auto: auto does best: 80% (answered right)."


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        (
            {"auto": 0.5, "hybrid": 0.6},
            "Use auto: hybrid does best: 60% (answered right), auto has 50%, but with these questions the "
            "difference may be chance.",
        ),
        (
            {"bm25": 0.6, "dense": 0.5, "auto": 0.55},
            "Use auto: bm25 does best: 60% (answered right), dense has 50% and auto has 55%, but with these questions "
            "the difference may be chance.",
        ),
        ({"bm25": 0.75, "auto": 0.75}, "Use auto: bm25 and auto are equal: 75% (answered right)."),
        ({"bm25": 1, "dense": 1, "hybrid": 1}, "Use bm25: bm25, dense and hybrid are equal: 100% (answered right)."),
    ],
)
def test_of_equals_and_what_may_be_chance_advice_keeps_to_the_default_else_the_first(
    figures: dict[str, float], expected: str
) -> None:
    assert advice(summary([*figures], **figures)) == expected


def test_advice_passes_over_points_of_a_sweep() -> None:
    found = summary(["bm25"], bm25=0.6, hybrid=0.5)
    found["systems"].append({"system": "bm25@limit=1", "swept": "limit", "metrics": {"right": 0.6}})
    assert advice(found) == "Use bm25: bm25 does best: 60% (answered right)."


def test_advice_says_where_questions_are_few() -> None:
    told = advice(summary(["auto", "hybrid"], questions=10, auto=0.5, hybrid=0.6))
    assert told.endswith("10 questions are few: with 20 or more it is surer.")


def test_of_one_system_there_is_no_advice() -> None:
    assert advice(summary(["auto"], auto=0.5)) == ""
