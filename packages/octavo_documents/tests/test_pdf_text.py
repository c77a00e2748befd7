"""What the characters of a PDF say: spaces between words, and weight by the font's name."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from octavo_documents.parsing.pdf.fonts import is_bold
from octavo_documents.parsing.pdf.word_spaces import Gaps, word_spaces


def spaced(*lines: str, narrow: float = 0.14, back: float = -0.05) -> list[str]:
    """Lines as they are read. " " is white space in the file, "|" a narrow gap and "~" white space drawn over."""
    widths = {" ": 0.25, "|": narrow, "~": back}
    codes, gap, white, starts = list[int](), list[float](), list[bool](), list[int]()
    for line in lines:
        starts.append(len(codes))
        before = ""
        for character in line:
            if character not in widths:
                codes.append(ord(character))
                gap.append(widths.get(before, 0.0))
                white.append(before in (" ", "~"))
            before = character
    one = np.zeros(len(codes), np.int64)
    places = np.array(starts, np.int64)
    found = word_spaces(Gaps(np.array(codes), np.array(gap), np.array(white), one), places)
    letters = [f" {chr(code)}" if is_space else chr(code) for code, is_space in zip(codes, found, strict=True)]
    return ["".join(letters[start:stop]) for start, stop in itertools.pairwise([*starts, len(letters)])]


@pytest.mark.parametrize("pair", ["of~judea", "If~our", "the~future"])
def test_white_space_that_a_slanted_letter_reaches_over_counts(pair: str) -> None:
    assert spaced(f"seen {pair}") == [f"seen {pair.replace('~', ' ')}"]


@pytest.mark.parametrize("word", ["NO~TE", "confi~rmed", "present~s", "10~5"])
def test_white_space_without_room_inside_a_word_does_not(word: str) -> None:
    assert spaced(f"seen {word}") == [f"seen {word.replace('~', '')}"]


def test_a_narrow_gap_parts_words_that_the_page_has() -> None:
    assert spaced("the boats and piers are old", "few boats|piers here are") == [
        "the boats and piers are old",
        "few boats piers here are",
    ]
    assert spaced("Background|to this inspection") == ["Background to this inspection"]


def test_a_narrow_gap_inside_a_word_or_among_others_of_all_widths_parts_none() -> None:
    assert spaced("all examinati|on of words duri|ng it") == ["all examination of words during it"]
    uneven = spaced("Background|to this inspection", narrow=0.11)
    assert uneven == ["Backgroundto this inspection"]


@pytest.mark.parametrize("name", ["CMR10", "CMTI12", "CMMI7", "Lato-Regular", "Charter-Roman"])
def test_a_font_named_upright_is_not_bold_whatever_its_stems_weigh(name: str) -> None:
    assert not is_bold(name, 0, 800)


@pytest.mark.parametrize("name", ["CMBX10", "Arial-BoldMT", "Nimbus Sans,Bold", "Helvetica-Black"])
def test_a_font_named_bold_is_bold_whatever_weight_it_states(name: str) -> None:
    assert is_bold(name, 0, 400)


def test_a_name_that_says_nothing_leaves_it_to_flags_and_weight() -> None:
    assert is_bold("F1", 0, 700)
    assert is_bold("F1", 1 << 18, 0)
    assert not is_bold("F1", 0, 400)
