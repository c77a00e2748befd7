"""What the name of a font says about how it is set."""

from __future__ import annotations

import pytest

from octavo.parsing.pdf.fonts import is_bold


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
