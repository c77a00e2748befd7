"""Whether words stand in a text: letter for letter but for typography, or nearly.

A text is folded for comparing: white space, case, accents, ligatures, quotation marks, the sorts of dashes and hyphens
inside words do not count, and neither do the bars between the cells of a table, raised marks of notes and the signs of
struck-out text. Numbers keep their points, commas and signs, and two of them stay two; a raised power has a caret.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from octavo_documents.text.raised import HAS_SUPERSCRIPT, MARK, is_power, plain_mark
from octavo_documents.text.struck import STRUCK

Integers = npt.NDArray[np.int64]

_QUOTATION = "'\"`´‘’‚‛“”„‟‹›«»′″"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_INVISIBLE = "\xad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_SIGNS = str.maketrans(
    {**dict.fromkeys(_DASHES, "-"), **dict.fromkeys("|\t\n\r\f\v\x1c\x1d\x1e\x1f\x85\u2028\u2029", " ")}
)
_DROPPED = re.compile(
    rf"[{re.escape(_QUOTATION + _INVISIBLE)}]|[\u0300-\u036f]"
    r"|(?<=[^\W\d_])-\s*(?=[^\W\d_])"  # a hyphen in a word, at the end of a line too
    r"|(?<![\d\s])\s+|\s+(?![\d\s])|(?<=\s)\s+(?=\d)"  # all but one space between two numbers
)
_MARK = re.compile(MARK)
_STRUCK = re.compile(STRUCK)
_NEAR = 40
"""Characters before superscripts that tell what they are."""
_EDGES = " .,;:!?-"
_LETTERS = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)*")
_JOINS = frozenset(".,")


def letters(text: str) -> str:
    """Return the letters and digits of a text alone, case and accents folded."""
    return _LETTERS.sub("", unicodedata.normalize("NFKD", text).casefold())


def folded(text: str) -> str:
    """Return a text as it is compared."""
    return _DROPPED.sub("", _spelled_out(text))


def folded_quote(quote: str) -> str:
    """Return a quote as it is compared: without the punctuation around it, which whoever quotes may choose."""
    return folded(quote).strip(_EDGES)


def _spelled_out(text: str) -> str:
    if HAS_SUPERSCRIPT.search(text):
        text = _MARK.sub(_lowered, text)
    if STRUCK in text:
        text = text.replace(STRUCK, "")
    return unicodedata.normalize("NFKD", text.translate(_SIGNS)).casefold()


def _lowered(found: re.Match[str]) -> str:
    """Return the power that superscripts are with its caret, nothing for the mark of a note."""
    return f"^{plain_mark(found[0])}" if is_power(found.string[: found.start()][-_NEAR:], found[0]) else ""


def _raised_pieces(found: re.Match[str]) -> Iterator[tuple[int, str]]:
    """Yield for each of some superscripts its place and what it is spelled as."""
    lowered = _lowered(found)
    for step in range(len(found[0])):
        piece = lowered[step + 1 : step + 2]
        yield found.start() + step, f"^{piece}" if lowered and step == 0 else piece


def folded_places(text: str) -> tuple[str, list[int]]:
    """Return `folded(text)` and for each of its characters the place of the one in `text` that it comes from."""
    others = {at: piece for found in _MARK.finditer(text) for at, piece in _raised_pieces(found)}
    others.update((at, "") for found in _STRUCK.finditer(text) for at in range(found.start(), found.end()))
    pieces = [others[at] if at in others else _spelled_out(character) for at, character in enumerate(text)]
    whole = "".join(pieces)
    origin = [place for place, piece in enumerate(pieces) for _ in piece]
    kept: list[str] = []
    places: list[int] = []
    last = 0
    for found in _DROPPED.finditer(whole):
        kept.append(whole[last : found.start()])
        places += origin[last : found.start()]
        last = found.end()
    return "".join([*kept, whole[last:]]), [*places, *origin[last:]]


def occurrences(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Yield where a text has wanted words letter for letter, as [start, stop), never a part of a word or number."""
    start = text.find(wanted) if wanted else -1
    while start >= 0:
        stop = start + len(wanted)
        if is_at_words(text, start, stop):
            yield start, stop
        start = text.find(wanted, start + 1)


def is_at_words(text: str, start: int, stop: int) -> bool:
    """Return whether [start, stop) of a text neither begins nor ends inside of a word or number."""
    return start >= stop or not (_goes_on(text, start) or _goes_on(text, stop))


def _goes_on(text: str, at: int) -> bool:
    """Return whether a word or number goes on over a place."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isalnum() and after.isalnum():
        return True
    if before in _JOINS and after.isdigit():
        return at > 1 and text[at - 2].isdigit()
    return before.isdigit() and after in _JOINS and text[at + 1 : at + 2].isdigit()


def words(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the words and numbers of a text, folded, each with where it stands as [start, stop)."""
    for found in _WORD.finditer(text):
        yield letters(found[0]) if found[0][0].isalpha() else _spelled_out(found[0]), found.start(), found.end()


@dataclass(frozen=True, slots=True)
class Near:
    """A run of words that reads nearly as a quote does: words [start, stop), `similarity` 0..1."""

    start: int
    stop: int
    similarity: float


def nearest(quote: list[str], numbers: Mapping[str, int], text: Integers, least: float) -> Near | None:
    """Return the run of a text's words with the fewest words changed, added or left out against a quote.

    `text` are (n,) numbers of words by `numbers`. The similarity is 1 less the share of these changes in the words of
    the quote or of the run, whichever are more (Levenshtein distance over words, Sellers' search); None where it is
    below `least`. Takes time by words of the quote times words of the text.
    """
    wanted = np.array([numbers.get(word, -1) for word in quote], np.int64)
    if not len(wanted) or not len(text):
        return None
    ends = _distances(wanted, text)
    stop = int(ends.argmin()) + 1
    if ends[stop - 1] > (1 - least) * 2 * len(wanted):
        return None
    longest = min(stop, 2 * len(wanted))
    backwards = _distances(wanted[::-1], text[stop - longest : stop][::-1], is_anchored=True)
    length = int(backwards.argmin()) + 1
    similarity = 1.0 - float(ends[stop - 1]) / max(len(wanted), length)
    return Near(stop - length, stop, similarity) if similarity >= least else None


def _distances(wanted: Integers, text: Integers, *, is_anchored: bool = False) -> Integers:
    """Return (n,) int64 least changes from the wanted words to a run that ends at each word of the text.

    The run may begin anywhere; anchored, at the first word.
    """
    steps = np.arange(len(text) + 1)
    row = steps if is_anchored else np.zeros_like(steps)
    for count, word in enumerate(wanted.tolist(), 1):
        after = np.empty_like(row)
        after[0] = count
        np.minimum(row[:-1] + (text != word), row[1:] + 1, out=after[1:])
        # One more word of the text at a time: the least of all before, and a change for each word since.
        row = np.minimum.accumulate(after - steps) + steps
    return row[1:]
