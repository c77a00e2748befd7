"""Text layers that say something else than the page shows, as a wrong map of a font's glyphs makes them.

Their letters are not those of a language. Whether it is so is settled by OCR: it reads other words with certainty.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Sequence

from octavo_documents.parsing.content import TextLine

_COMMON = "aeinorst"
"""Letters that make more than half of a text in any language written in Latin letters."""
_SIGNS = "!\"#$%&'()*+/:;<=>?@[\\]^`{|}~"
_WORD = re.compile(r"[^\W\d_]{3,}")
_LEFTWARD = re.compile("[\u0590-\u08ff]")


class _Lying:
    """What tells letters of no language, chosen by hand; pages of reports in four languages have .5 and more."""

    COMMON = 0.45  # share of common letters
    FEWEST = 100  # letters that are looked at
    LATIN = 0.5  # share of what is written that is Latin letters
    SIGNS = 0.5  # share of signs that stand for no letter
    SURE = 0.85  # confidence of OCR
    SHARED = 0.3  # of its words that the layer has too, at most
    FEWEST_WORDS = 10
    MIXED = 0.1  # share of the words of a right-to-left page that have letters of another script too


def may_lie(lines: Sequence[TextLine]) -> bool:
    """Return whether the letters of a page's text are those of no language."""
    text = "".join(line.text for line in lines).lower()
    if len(text) < _Lying.FEWEST:
        return False
    written = len(text) - text.count(" ")
    latin = sum(map(text.count, string.ascii_lowercase))
    if latin >= max(_Lying.FEWEST, _Lying.LATIN * written):
        return sum(map(text.count, _COMMON)) < _Lying.COMMON * latin
    return sum(map(text.count, _SIGNS)) > _Lying.SIGNS * written


def mixes_scripts(lines: Sequence[TextLine]) -> bool:
    """Return whether words of a page that is written from right to left have letters of other scripts in them."""
    texts = [line.text for line in lines if _LEFTWARD.search(line.text)]
    words = [{unicodedata.bidirectional(one) for one in word} for text in texts for word in _WORD.findall(text)]
    leftward = [found for found in words if not found.isdisjoint(("R", "AL"))]
    mixed = sum("L" in found for found in leftward)
    return mixed >= max(_Lying.FEWEST_WORDS, _Lying.MIXED * len(leftward))


def says_otherwise(recognized: Sequence[TextLine], layer: Sequence[TextLine]) -> bool:
    """Return whether OCR reads words of a page with certainty that its text layer does not have."""
    count = sum(len(line.text) for line in recognized)
    words = _words(recognized)
    is_sure = sum(line.confidence * len(line.text) for line in recognized) >= _Lying.SURE * count
    return is_sure and len(words) >= _Lying.FEWEST_WORDS and len(words & _words(layer)) < _Lying.SHARED * len(words)


def _words(lines: Sequence[TextLine]) -> set[str]:
    return {word for line in lines for word in _WORD.findall(line.text.lower())}
