"""Cutting a long text into pieces of about equal length in tokens, at the best places there are.

Owns where a text may be cut: after a line of a table, after a sentence, between words. Knows nothing about passages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from octavo.models.wordpiece import count_tokens, token_spans
from octavo.text.sentences import Span, sentence_spans


def split(text: str, *, tokens: int, units: Callable[[str], list[Span]] = sentence_spans) -> list[Span]:
    """Return spans of at most `tokens` tokens that cover the text, as equal as whole units allow.

    Args:
        text: What to cut.
        tokens: The most tokens in a piece.
        units: Cuts a text where it is best cut; a unit that is too long itself is cut between words.
    """
    spans = [part for span in units(text) for part in _fitting(text, span, tokens)]
    lengths = count_tokens([text[start:stop] for start, stop in spans])
    return [(spans[first][0], spans[last][1]) for first, last in group(lengths, tokens)]


def group(lengths: Sequence[int], most: int) -> list[Span]:
    """Return inclusive (first, last) runs of items, about equal and at most `most` each; a longer item is alone."""
    runs: list[Span] = []
    total = sum(lengths)
    aim = total / max(1, -(-total // most))
    first, filled = 0, 0
    for at, length in enumerate(lengths):
        # A run closes when the item would overfill it, or lies more beyond the even share than within it.
        if at > first and (filled + length > most or filled + length / 2 > aim):
            runs.append((first, at - 1))
            first, filled = at, 0
        filled += length
    if lengths:
        runs.append((first, len(lengths) - 1))
    return runs


def _fitting(text: str, span: Span, tokens: int) -> list[Span]:
    """Return the span, cut before the first of every `tokens` tokens when it has more."""
    start, stop = span
    if stop - start <= tokens:
        return [span]
    pieces = token_spans(text[start:stop])
    cuts = [start]
    for at in range(tokens, len(pieces), tokens):
        cut = start + pieces[at][0]
        # Back to the last space, so that no word is cut, where there is one.
        cuts.append(max(text.rfind(" ", cuts[-1], cut) + 1, cuts[-1] + 1) if " " in text[cuts[-1] : cut] else cut)
    return [(left, right) for left, right in pairwise([*cuts, stop]) if left < right]
