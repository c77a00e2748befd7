"""The stretch of a block that a search shows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from octavo.cli.show.search import snippet


def test_a_short_text_is_shown_whole_with_its_words_marked() -> None:
    shown = snippet("The calibration of sensors.", "How is a sensor calibrated?", 80)
    assert shown.plain == "The calibration of sensors."
    assert [shown.plain[span.start : span.end] for span in shown.spans] == ["calibration", "sensors."]


def test_a_long_text_is_shown_where_the_question_is_met() -> None:
    text = "filler " * 60 + "the nitrogen cylinder lasts long " + "filler " * 60
    shown = snippet(text, "nitrogen cylinder", 80).plain
    assert "nitrogen cylinder lasts" in shown
    assert shown.startswith("…filler")
    assert shown.endswith("…")


def test_a_text_without_any_word_of_the_question_is_shown_from_its_start() -> None:
    assert snippet("one two three " * 20, "nitrogen", 20).plain == "one two three one…"


@given(st.text(max_size=300), st.text(max_size=40), st.integers(10, 100))
def test_a_snippet_is_one_line_that_fits(text: str, question: str, length: int) -> None:
    shown = snippet(text, question, length)
    assert shown.cell_len <= length
    assert "\n" not in shown.plain
