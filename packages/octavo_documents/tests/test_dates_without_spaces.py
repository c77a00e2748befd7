"""Dates are whole where a space is missing in them, in every language."""

from __future__ import annotations

import pytest

from octavo_documents.text.values import ValueKind
from octavo_documents.text.values_by_language import values_of


@pytest.mark.parametrize(
    ("text", "code", "date"),
    [
        ("Der Verein wurde am 2.Juli 2001 gegründet.", "de", "2.Juli 2001"),
        ("Der Verein wurde am 2. Juli2001 gegründet.", "de", "2. Juli2001"),
        ("Der Verein wurde am 12.März gegründet.", "de", "12.März"),
        ("Fondée le 1er juillet 2001 à Lyon.", "fr", "1er juillet 2001"),
        ("Fondée le 1erjuillet 2001 à Lyon.", "fr", "1erjuillet 2001"),
        ("Fundada el 2 de julio de 2001.", "es", "2 de julio de 2001"),
        ("Fondata il 2° luglio2001 a Roma.", "it", "2° luglio2001"),
        ("Opgericht op 2 juli2001.", "nl", "2 juli2001"),
        ("成立于2001 年 7 月 2 日。", "zh", "2001 年 7 月 2 日"),
        ("It was founded on 2.July 2001.", "en", "2.July 2001"),
        ("It was founded on 2nd July2001.", "en", "2nd July2001"),
        ("It was founded on July 2,2001.", "en", "July 2,2001"),
        ("It was founded on July2, 2001.", "en", "July2, 2001"),
        ("It was founded in July2001.", "en", "July2001"),
        ("It was founded on July 2.", "en", "July 2"),
    ],
)
def test_a_date_is_whole_without_its_spaces(text: str, code: str, date: str) -> None:
    dates = [value.text for value in values_of(text, code) if value.kind is ValueKind.DATE]
    assert dates == [date]


@pytest.mark.parametrize("text", ["1. May be used as it is.", "2decimal places", "a2may"])
def test_a_number_before_another_word_is_no_date(text: str) -> None:
    assert [value for value in values_of(text, "en") if value.kind is ValueKind.DATE] == []
