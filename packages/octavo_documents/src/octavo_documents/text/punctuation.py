"""Signs that end sentences and parts of them, in the scripts that are read."""

from __future__ import annotations

FULL_STOPS = (".", "。", "．", "｡", "।", "॥", "۔")
SENTENCE_ENDS = (*FULL_STOPS, "!", "?", "！", "？", "؟")
COLONS = (":", "：")
JOINTS = (",", ";", "，", "；", "、", "،", "؛")
"""Signs after which a sentence goes on."""


def has_no_case(text: str) -> bool:
    """Return whether a text ends in a letter of a script without capitals, such as Chinese, Arabic or Hindi.

    >>> has_no_case("灯塔"), has_no_case("lighthouse"), has_no_case("")
    (True, False, False)
    """
    last = text[-1:]
    return last.isalpha() and last.lower() == last.upper()
