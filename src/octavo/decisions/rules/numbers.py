"""Numbers as answers write them: "1,577.5", "$3.1 million", "12 %", "three".

Owns reading them. Knows nothing about answers.
"""

from __future__ import annotations

import re

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_TEENS = "seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_WORDS = {
    **{word: float(value) for value, word in enumerate(f"{_ONES} {_TEENS}".split())},
    **{word: 10.0 * value for value, word in enumerate(_TENS.split(), start=2)},
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_NUMBER = re.compile(r"(?<![\w.])-?\$?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")


def word_value(word: str) -> float | None:
    """Return the number that a single English word names, None for any other word."""
    return _WORDS.get(word, _SCALES.get(word))


def numerals(text: str) -> list[str]:
    """Return the numerals of a text in order, without currency signs and thousands separators."""
    return [found.replace(",", "").replace("$", "") for found in _NUMBER.findall(text)]


def values(text: str) -> list[float]:
    """Return the numbers written with digits in a text, in order."""
    return [float(found) for found in numerals(text)]


def number_words(text: str) -> list[float]:
    """Return the numbers written as single words in a text, in order; "one" is left out, it is mostly a pronoun."""
    found = [_WORDS.get(word) for word in re.findall(r"[a-z]+", text.lower()) if word != "one"]
    return [value for value in found if value is not None]
