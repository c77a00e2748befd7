"""Numbers in words, as the command line says them."""

from __future__ import annotations

import pytest

from octavo.cli.show.prose import rate_of, seconds_of, section_name
from octavo.document import number_of


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0004, "<1 ms"),
        (0.0124, "12 ms"),
        (4.21, "4.2 s"),
        (119.7, "119.7 s"),
        (179.7, "3 min 0 s"),
        (185, "3 min 5 s"),
    ],
)
def test_seconds_are_said_in_the_unit_that_fits(seconds: float, said: str) -> None:
    assert seconds_of(seconds) == said


def test_one_of_a_thing_is_no_plural() -> None:
    assert [number_of(count, "reply") for count in (0, 1, 1200)] == ["0 replies", "1 reply", "1,200 replies"]


def test_a_rate_of_less_than_one_a_second_is_not_said() -> None:
    assert rate_of(3000, 2.0, "pages") == " (1,500 pages/s)"
    assert rate_of(1, 20.0, "pages") == rate_of(0, 1.0, "pages") == rate_of(5, 0.0, "pages") == ""


def test_a_title_that_is_a_whole_sentence_is_cut_in_a_path_of_sections() -> None:
    long = "We may not realize the benefits that we expect of the companies which we bought and paid for"
    path = section_name(["Risk factors", long, "Costs"])
    assert path == "Risk factors > We may not realize the benefits that we expect of the… > Costs"
