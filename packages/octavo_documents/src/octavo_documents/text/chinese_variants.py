"""Traditional Chinese characters as the simplified ones that say the same, so that each finds the other.

The pairs in `chinese_variants.txt` are those of one character each in OpenCC's table TSCharacters (Apache-2.0); of
several simplified characters the first is taken.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


def simplified(text: str) -> str:
    """Return a text with its traditional characters as simplified ones.

    >>> simplified("圖書館")
    '图书馆'
    """
    return text.translate(_table())


@cache
def _table() -> dict[int, str]:
    pairs = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split()
    return {ord(pair[0]): pair[1] for pair in pairs}
