"""What nobody sees is left out of text, whatever the Unicode of the day calls it; what is read stays."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from octavo_documents.parsing import html
from octavo_documents.text.unseen import without_unseen

EVERY = "".join(
    chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs")
)


def test_no_control_or_format_character_is_left_but_tab_and_line_end() -> None:
    assert without_unseen(EVERY).replace(" ", "") == "\t\n\n"  # vertical tabs and their like become spaces


@pytest.mark.parametrize("letter", "\u00ad\u034f\u061c\u115f\u180e\u200b\u2800\u3164\ufe0f\uffa0\U000e0041\U000e0101")
def test_what_looks_like_nothing_goes(letter: str) -> None:
    assert without_unseen(f"a{letter}b") == "ab"


@pytest.mark.parametrize(
    "text",
    ["می\u200cخواهم", "क्\u200dष", "naïve “é” 10⁶ m² ½ €", "東京 | 12\n\t13", "שלום", "a\u0301", "½\u00a0%", "👍🏽"],
)
def test_what_is_read_stays(text: str) -> None:
    assert without_unseen(text) == text


def test_joiners_hide_nothing_in_scripts_without_them() -> None:
    assert without_unseen("a\u200cb\u200d\u200c \u200dc") == "ab c"
    assert "\u200c\u200d" not in without_unseen("می\u200c\u200d\u200cخ")


def test_a_dialog_that_nothing_opens_is_not_shown() -> None:
    closed = "<p>The pier closes at nine.</p><dialog><p>It closes at ten.</p></dialog>"
    read = html.read(closed.encode())
    assert [block.text for block in read.blocks] == ["The pier closes at nine."] and read.warnings
    for shown in (closed.replace("<dialog>", "<dialog open>"), f"{closed}<script>show()</script>"):
        assert len(html.read(shown.encode()).blocks) == 2
