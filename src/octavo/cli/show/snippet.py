"""The stretch of a text that fits a question best, its matching words marked.

Owns the choice of the stretch. Knows nothing about where texts come from.
"""

from __future__ import annotations

from functools import lru_cache

from rich.text import Text

from octavo.cli.show.prose import EMPHASIS
from octavo.cli.terminal import one_line
from octavo.text.analyzer import analyze

_LEAD = 5
"""Words shown before the first that matches."""


def snippet(text: str, question: str, length: int) -> Text:
    """Return at most `length` columns of a text as one line: the stretch with the most words of the question.

    Among equal stretches the first is taken. An ellipsis stands where something was left out.
    """
    terms = frozenset(analyze(question))
    words = one_line(text).split(" ")
    hits = [not terms.isdisjoint(_terms(word)) for word in words]
    first, stop = _stretch(words, hits, length - 2)
    shown = Text("…" if first else "")
    for at in range(first, stop):
        shown.append(words[at], EMPHASIS if hits[at] else "")
        shown.append(" " if at + 1 < stop else "")
    if stop < len(words):
        shown = shown[: max(len(shown.plain.rstrip(" .,;:")), 1)].append("…")
    shown.truncate(length, overflow="ellipsis")
    return shown


@lru_cache(maxsize=4096)
def _terms(word: str) -> frozenset[str]:
    return frozenset(analyze(word))


def _stretch(words: list[str], hits: list[bool], length: int) -> tuple[int, int]:
    """Return (first, stop) of the words to show."""
    starts = [0, *(max(at - _LEAD, 0) for at, hit in enumerate(hits) if hit)]
    ends = [_end(words, start, length) for start in starts]
    return max(zip(starts, ends, strict=True), key=lambda pair: (sum(hits[slice(*pair)]), -pair[0]))


def _end(words: list[str], start: int, length: int) -> int:
    """Return where words from `start` on no longer fit into `length` characters; one word always does."""
    room = length - len(words[start])
    stop = start + 1
    while stop < len(words) and (room := room - len(words[stop]) - 1) >= 0:
        stop += 1
    return stop
