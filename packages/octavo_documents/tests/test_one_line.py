"""White space of all sorts in a text on one line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from octavo_documents.text.lines import on_one_line


@given(st.lists(st.text("ab.1é漢", min_size=1)), st.sampled_from([" ", "\n", "\r\n", "\t \u00a0", "\u2028\x0b\x1f"]))
def test_words_stand_one_space_apart_whatever_stood_between(words: list[str], between: str) -> None:
    assert on_one_line(between + between.join(words) + between) == " ".join(words)
