"""Lines with right-to-left writing in the order they are read, by the Unicode bidirectional algorithm (UAX 9).

The algorithm says how text that is stored as it is read is shown. Here it is gone backwards: from characters as they
stand on the page, left to right, to how they are read. What it loses is guessed: a number beside Latin words is one run
with them, in the order they stand in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from octavo_documents.text.languages import language

LETTERS = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""The blocks of right-to-left scripts, for a class of a regular expression; digits and signs stand in them too."""
_ANY = re.compile(f"[{LETTERS}]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_TOLD_BY = ("ar", "fa", "he")
_ENDS = frozenset("ךםןףץةىےں")
"""Letters that stand at the end of words only."""
_FEWEST = 3
"""Words that tell which way round a page is, at least."""
_LATIN, _RIGHT, _NUMBER = "L", "R", "N"
_KINDS = {"L": _LATIN, "R": _RIGHT, "AL": _RIGHT, "EN": _NUMBER, "AN": _NUMBER}
_PAIRS = {"(": ")", "[": "]", "{": "}", "«": "»", "‹": "›"}
_OTHER = {**_PAIRS, **{closing: opening for opening, closing in _PAIRS.items()}}
_STARTS = (".", ",", ":", ";", "!", "?", "…", ")", "]", "،", "؛", "؟", "۔")
"""What ends a sentence or follows a number, and so stands left of a line that is read from the right."""


def kind(character: str) -> str:
    """Return "R" for a letter of a right-to-left script, "L" for another, "N" for a digit, "" for anything else."""
    return _KINDS.get(unicodedata.bidirectional(character), "")


def has_right_to_left(text: str) -> bool:
    """Whether there may be letters that are written from right to left."""
    return _ANY.search(text) is not None


def mostly_right_to_left(texts: Iterable[str]) -> bool:
    """Whether most letters of some texts are written from right to left."""
    right = left = 0
    for text in texts:
        kinds = [kind(one) for one in text] if has_right_to_left(text) else [_LATIN] * sum(map(str.isalpha, text))
        right, left = right + kinds.count(_RIGHT), left + kinds.count(_LATIN)
    return right > left


def runs_left(shown: str, *, is_usual: bool) -> bool:
    """Whether a line is read from the right, by how it is shown; `is_usual` where most lines beside it are.

    A line without such letters is, where lines usually are and it begins with what ends a sentence.
    """
    kinds = [kind(one) for one in shown]
    right, left = kinds.count(_RIGHT), kinds.count(_LATIN)
    if right:
        return is_usual or right >= left
    return is_usual and shown.startswith(_STARTS) and bool(kinds[-1])


def reads_rightwards(lines: Iterable[str]) -> bool:
    """Whether right-to-left lines as they are shown are in order already: some programs draw them the wrong way round.

    Told by words that carry no content, and by letters that end words only.
    """
    known = frozenset(word for code in _TOLD_BY for word in language(code).telling_words if len(word) > 1)
    score = 0
    for line in lines:
        for word in _WORD.findall(line):
            score += (word in known or word[-1] in _ENDS) - (word[::-1] in known or word[0] in _ENDS)
    return score >= _FEWEST


def levels(shown: str, *, runs_left: bool) -> list[int]:
    """Return the embedding level of each character of a line as it is shown; spaces between words are to be in it."""
    kinds = [kind(one) for one in shown]
    found = [int(runs_left)] * len(shown)
    if runs_left and _RIGHT not in kinds:
        inner = "".join(one or "-" for one in kinds).strip("-")
        first = "".join(one or "-" for one in kinds).find(inner)
        return [2 if first <= at < first + len(inner) else 1 for at in range(len(shown))]
    if runs_left:
        for start, stop in _between(kinds, _RIGHT):
            for first, last in _left_to_right(shown, kinds, start, stop):
                found[first:last] = [2] * (last - first)
        return found
    for start, stop in _between(kinds, _LATIN):
        places = [at for at in range(start, stop) if kinds[at] == _RIGHT]
        if not places:
            continue
        first, last = places[0], places[-1] + 1
        found[first:last] = [1] * (last - first)
        for low, high in _between(kinds[first:last], _RIGHT):
            for number, end in _numbers(shown, kinds, first + low, first + high):
                found[number:end] = [2] * (end - number)
    return found


def turned_runs(levels: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the runs [start, stop) that are to be turned round one after the other, so that a line reads in order."""
    current = [*levels]
    for level in range(1, max(current, default=0) + 1):
        borders = [0, *(at for at in range(1, len(current)) if (current[at] >= level) != (current[at - 1] >= level))]
        for start, stop in pairwise([*borders, len(current)]):
            if current[start] >= level:
                current[start:stop] = current[start:stop][::-1]
                yield start, stop


def mirrored(bracket: str) -> str:
    """Return the other bracket of a pair; anything else as it is."""
    return _OTHER.get(bracket, bracket)


def pairs_up(brackets: str) -> int:
    """Return how many brackets that follow each other open and close, less those that close and open."""
    return sum((_PAIRS.get(one) == other) - (_PAIRS.get(other) == one) for one, other in pairwise(brackets))


def _between(kinds: Sequence[str], border: str) -> Iterator[tuple[int, int]]:
    """Yield the stretches [start, stop) without a kind."""
    start = 0
    for at, one in enumerate([*kinds, border]):
        if one == border:
            if at > start:
                yield start, at
            start = at + 1


def _left_to_right(shown: str, kinds: Sequence[str], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield what is read from left to right in a stretch without right-to-left letters."""
    if _LATIN not in kinds[start:stop]:
        yield from _numbers(shown, kinds, start, stop)
        return
    places = [at for at in range(start, stop) if kinds[at]]
    first, last = places[0], places[-1] + 1
    while first > start and _is_unit(shown[first - 1]) and kinds[first] == _NUMBER:
        first -= 1
    while last < stop and (_closes(shown, first, last) or (_is_unit(shown[last]) and kinds[last - 1] == _NUMBER)):
        last += 1
    yield first, last


def _closes(shown: str, first: int, last: int) -> bool:
    """Whether the character at `last` closes a bracket that opens in [first, last)."""
    opening = _OTHER.get(shown[last], "")
    return opening in _PAIRS and shown.count(opening, first, last) > shown.count(shown[last], first, last)


def _numbers(shown: str, kinds: Sequence[str], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the numbers in a stretch, with what belongs to them.

    After an Arabic letter, which stands right of the stretch, European digits count as Arabic ones, to which neither
    hyphens nor signs of percent belong. At the beginning of a line a sign is taken to follow its number.
    """
    letter = shown[stop] if stop < len(shown) else ""
    is_arabic = bool(letter) and unicodedata.bidirectional(letter) == "AL"
    separators = ("CS",) if is_arabic else ("CS", "ES")
    at = start
    while at < stop:
        if kinds[at] != _NUMBER:
            at += 1
            continue
        first = at
        while at < stop and (kinds[at] == _NUMBER or _separates(shown, kinds, at, stop, separators)):
            at += 1
        last = at
        if not is_arabic:
            while letter and first > start and _is_unit(shown[first - 1]):
                first -= 1
            while last < stop and _is_unit(shown[last]):
                last += 1
        yield first, last
        at = max(at, last)


def _separates(shown: str, kinds: Sequence[str], at: int, stop: int, separators: Sequence[str]) -> bool:
    """Whether a character stands alone between two digits and is one of those that separate them."""
    return at + 1 < stop and kinds[at + 1] == _NUMBER and unicodedata.bidirectional(shown[at]) in separators


def _is_unit(character: str) -> bool:
    """Whether a sign belongs to a number beside it: percent, currencies, degrees."""
    return unicodedata.bidirectional(character) == "ET"
