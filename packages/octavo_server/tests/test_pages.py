"""What the pages without scripts print of texts and places, and that the viewer has the same rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.corpus.streaming import sentence_of
from octavo.evidence import TraceStep
from octavo.operators import OPERATORS
from octavo_documents.document.document import PLACES
from octavo_server.pages.printed_text import parts, spans, standing, unstruck

WORDS = (Path(__file__).parents[3] / "web" / "src" / "words.ts").read_text("utf-8")


def shown(text: str) -> list[tuple[str, bool]]:
    return [(one.text, one.is_struck) for one in spans(text)]


def test_what_is_struck_out_is_apart_and_loses_its_signs() -> None:
    assert shown("A ticket costs ~~4~~ 5 euros") == [("A ticket costs ", False), ("4", True), (" 5 euros", False)]
    assert shown("~~four~~ ~~or five~~") == [("four", True), (" ", False), ("or five", True)]
    assert unstruck("a ~~b c~~ d") == "a b c d"


@pytest.mark.parametrize("text", ["a ~~ b ~~ c", "~~~ a ~~~", "a ~~b", "5 ~ 6", "~~a\nb~~"])
def test_signs_that_strike_nothing_out_stay(text: str) -> None:
    assert shown(text) == [(text, False)]


def test_marks_and_what_is_struck_out_may_overlap() -> None:
    text = "It is ~~four euros~~ five euros."
    (part,) = parts(text, [[text.index("euros~~"), text.index("five") + 4]])
    assert [(one.text, one.is_marked, one.is_struck) for one in part.spans] == [
        ("It is ", False, False),
        ("four ", False, True),
        ("euros", True, True),
        (" five", True, False),
        (" euros.", False, False),
    ]


def test_a_cell_that_is_struck_out_is_a_number_all_the_same() -> None:
    (part,) = parts("Thing | Price\nBoat | ~~10~~\nOar | 4,120ᵃ\nMast | 10^6\nSail | m^2")
    assert [row[-1].is_number for row in part.rows] == [False, True, True, True, False]
    assert [one.text for row in part.rows[1:2] for cell in row for one in cell.spans] == ["Boat", "10"]


@pytest.mark.parametrize(
    ("page", "label", "told"),
    [
        (3, "3", "page 3 of 9"),
        (3, "iii", "page 3 of 9"),
        (3, "message 3", "message 3 of 9"),
        (3, "sheet Costs", "sheet Costs (3 of 9)"),
        (3, "part 3", "part 3 of 9"),
    ],
)
def test_a_part_is_called_what_it_is(page: int, label: str, told: str) -> None:
    assert standing(page, 9, label) == told


def test_the_viewer_knows_the_same_places_and_the_same_signs() -> None:
    listed = re.search(r"PLACES = \[(.*?)\]", WORDS)
    assert listed is not None
    assert tuple(re.findall(r'"(\w+)"', listed[1])) == PLACES
    assert r"/(?<!~)~~(?=[^\s~])([^\n]*?[^\s~])~~(?!~)/g" in WORDS


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_every_step_is_told_in_a_sentence_or_not_at_all(name: str) -> None:
    sentence = sentence_of(TraceStep(step=name, parameters={"kind": "bm25"}, rows_in=40, rows_out=12, seconds=0.0))
    if sentence is not None:
        assert re.match(r"[A-Z][a-z]+ ", sentence)
        assert ":" not in sentence.removeprefix("Took the question to mean:")
        assert not re.search(r"[a-z][A-Z]|_", sentence)
