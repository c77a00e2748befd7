"""Marks that readers of flowing text put around words that look otherwise, until these words are kept beside the text.

They are control characters, which no source has. `inline_marks` has those of raised and struck-out text, which stay in
the text in another form.
"""

from __future__ import annotations

from octavo_documents.document.styled_words import StyledWords, packed
from octavo_documents.lazy import lazy_regex

_STARTS = {"b": "\x14", "i": "\x16", "u": "\x18", "h": "\x1a"}
_ENDS = {"b": "\x15", "i": "\x17", "u": "\x19", "h": "\x1b"}
_LETTER = {sign: letter for signs in (_STARTS, _ENDS) for letter, sign in signs.items()}
_DIGIT = 0xF0000
"""Stands for the first digit of a colour, of three of four bits, behind the start of highlighted words."""
SIGNS = "\x14-\x19\x1b\x1a\U000f0000-\U000f000f"
_SIGN = lazy_regex("\x1a[\U000f0000-\U000f000f]{3}|[\x14-\x1b]")
YELLOW = 0xFFFF00


def looking(text: str, looks: str, ground: int = -1) -> str:
    """Return text with marks of its looks, letters as in `StyledWords`; white space at its ends stays outside."""
    words = text.strip()
    if not looks or not words:
        return text
    start = text.index(words)
    opening = "".join(start_of(letter, ground) for letter in looks)
    closing = "".join(_ENDS[letter] for letter in reversed(looks))
    return f"{text[:start]}{opening}{words}{closing}{text[start + len(words) :]}"


def start_of(look: str, ground: int = -1) -> str:
    """Return the mark before words of one look, by its letter."""
    if look != "h" or ground < 0:
        return _STARTS[look]
    return _STARTS[look] + "".join(chr(_DIGIT + (ground >> shift & 15)) for shift in (20, 12, 4))


def end_of(look: str) -> str:
    """Return the mark behind words of one look, by its letter."""
    return _ENDS[look]


def has_looks(text: str) -> bool:
    """Return whether a text has marks of looks."""
    return _SIGN.search(text) is not None


def unmarked(text: str) -> str:
    """Return a text without marks of looks."""
    return _SIGN.sub("", text)


def taken(text: str) -> tuple[str, str]:
    """Return a text without marks of looks, and its styled words as the block table has them."""
    runs: list[StyledWords] = []
    deep = dict.fromkeys("biuh", 0)
    ground, at = -1, 0
    for sign in _SIGN.finditer(text):
        _take(runs, text[at : sign.start()], deep, ground)
        at, letter = sign.end(), _LETTER[sign[0][0]]
        is_start = sign[0][0] == _STARTS[letter]
        deep[letter] = max(deep[letter] + (1 if is_start else -1), 0)
        if letter == "h":
            ground = _ground(sign[0]) if is_start else -1
    _take(runs, text[at:], deep, ground)
    plain = unmarked(text)
    return plain, packed(runs, plain)


def _take(runs: list[StyledWords], words: str, deep: dict[str, int], ground: int) -> None:
    """Add words to the runs, to the last one where nothing but its end and start lie between."""
    looks = "".join(letter for letter, depth in deep.items() if depth)
    if not words:
        return
    if runs and (runs[-1].looks, runs[-1].ground) == (looks, ground):
        runs[-1] = runs[-1]._replace(words=runs[-1].words + words)
    elif len(runs) > 1 and not words.strip() and not looks:
        runs.append(StyledWords("", words))
    elif len(runs) > 1 and not runs[-1].words.strip() and (runs[-2].looks, runs[-2].ground) == (looks, ground):
        gap = runs.pop().words
        runs[-1] = runs[-1]._replace(words=runs[-1].words + gap + words)
    else:
        runs.append(StyledWords(looks, words, ground))


def _ground(sign: str) -> int:
    digits = [ord(one) - _DIGIT for one in sign[1:]]
    return sum(digit * 17 << shift for digit, shift in zip(digits, (16, 8, 0), strict=True)) if digits else -1
