"""Words of scripts that put no spaces between them: pairs of characters, and how many words they stand for.

Overlapping pairs are what is indexed where no dictionary tells words (as Lucene does): of Chinese, Japanese, Korean,
Thai, Lao, Khmer and Burmese. A character of the scripts of southern Asia is a letter with the marks over and under it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from octavo_documents.lazy import lazy_regex

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u3099\u309a\u309d\u309e\u30a1-\u30fa\u30fc-\u30fe\uff66-\uff9f"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7af"
_THAI, _LAO, _KHMER, _BURMESE = "\u0e01-\u0e3a\u0e40-\u0e4e", "\u0e81-\u0ece", "\u1780-\u17d3", "\u1000-\u103f"
_CLUSTERED = f"{_THAI}{_LAO}{_KHMER}{_BURMESE}"
_UNSPACED = lazy_regex(f"[{_HAN}{_KANA}{_HANGUL}{_CLUSTERED}]")
_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u17b4-\u17d3\u3099\u309a\uff9e\uff9f"
)
_RUN = lazy_regex(
    f"[{_HAN}{_KANA}]+|[{_HANGUL}]+|[{_THAI}]+|[{_LAO}]+|[{_KHMER}]+|[{_BURMESE}]+"
    f"|[^{_HAN}{_KANA}{_HANGUL}{_CLUSTERED}]+"
)
_CHARACTER = lazy_regex(f"[^{_MARKS}][{_MARKS}]*|[{_MARKS}]+")
INDIC = f"\u0900-\u0963\u0971-\u0dff{_MARKS}"
"""Characters of scripts whose vowels are marks: what a word is made of there beside letters."""
_PIECE = lazy_regex(rf"[{_HAN}{_KANA}{_HANGUL}{_CLUSTERED}]+|[^\s{_HAN}{_KANA}{_HANGUL}{_CLUSTERED}]+")
_PER_WORD = 2
"""Characters that a word has in such a script, about."""


def has_unspaced(text: str) -> bool:
    """Return whether any letter of a text is of a script that puts no spaces between words, or is indexed by pairs."""
    return _UNSPACED.search(text) is not None


def pairs_in(token: str) -> list[str]:
    """Return a token cut where its script changes, runs without spaces as overlapping pairs of their characters.

    >>> pairs_in("2021年度報")
    ['2021', '年度', '度報']
    """
    found: list[str] = []
    for run in _RUN.findall(token):
        if not _UNSPACED.match(run):
            found.append(run)
            continue
        characters = _CHARACTER.findall(run)
        found += [first + second for first, second in pairwise(characters)] or characters
    return found


def word_count(text: str) -> int:
    """Return how many words a text has; where no spaces tell them, one for every two characters."""
    if text.isascii() or not has_unspaced(text):
        return len(text.split())
    return sum(-(-len(piece) // _PER_WORD) if _UNSPACED.match(piece) else 1 for piece in _PIECE.findall(text))


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return where the words of a text stand; where no spaces tell them, overlapping pairs of characters."""
    if text.isascii() or not has_unspaced(text):
        return [found.span() for found in re.finditer(r"\S+", text)]
    spans: list[tuple[int, int]] = []
    for found in _PIECE.finditer(text):
        if _UNSPACED.match(found[0]) and len(found[0]) > _PER_WORD:
            spans += [(at, at + _PER_WORD) for at in range(found.start(), found.end() - 1)]
        else:
            spans.append(found.span())
    return spans
