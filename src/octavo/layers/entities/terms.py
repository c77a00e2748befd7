"""Technical terms: noun phrases that come again, ranked by C-value (Frantzi, Ananiadou and Mima, 2000).

Owns which runs of words may be a term and how they are ranked. Knows nothing about names or resolution.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from octavo.layers.entities.matching import Forms
from octavo.layers.entities.vocabulary import breaks, may_end
from octavo.layers.entities.words import BlockWords

_MOST_WORDS = 5
_LEAST_COUNT = 2
_BEFORE_VERBS = frozenset("to will can could may might must shall should would cannot we they who not".split())  # noqa: SIM905
_BEFORE_NOUNS = frozenset("the a an this that these those its their our your his her of each every any no".split())  # noqa: SIM905


def ranked_terms(blocks: Sequence[BlockWords], most: int) -> dict[Forms, float]:
    """Return at most `most` terms of two words or more with their C-value, best first; ties by first appearance."""
    counts = _counts(blocks, Usage(blocks))
    values = c_values({forms: count for forms, count in counts.items() if count >= _LEAST_COUNT})
    kept = sorted((-value, at, forms) for at, (forms, value) in enumerate(values.items()) if value > 1.0)
    return {forms: -value for value, _, forms in kept[:most]}


def c_values(counts: dict[Forms, int]) -> dict[Forms, float]:
    """Return the C-value of each term: how often it stands on its own, times the logarithm of its length.

    C(a) = log2(|a|) * (f(a) - mean f(b) over the longer terms b that hold a).
    """
    holders: defaultdict[Forms, list[int]] = defaultdict(list)
    for forms, count in counts.items():
        for part in _parts(forms):
            if part in counts:
                holders[part].append(count)
    return {forms: _c_value(forms, count, holders.get(forms, ())) for forms, count in counts.items()}


def _c_value(forms: Forms, count: int, holders: Sequence[int]) -> float:
    nested = sum(holders) / len(holders) if holders else 0.0
    return math.log2(len(forms)) * (count - nested)


def _parts(forms: Forms) -> set[Forms]:
    size = len(forms)
    return {forms[at : at + length] for length in range(2, size) for at in range(size - length + 1)}


class Usage:
    """What a document does with its words: those it uses as verbs, and those it uses as nouns."""

    def __init__(self, blocks: Sequence[BlockWords]) -> None:
        acts: Counter[str] = Counter()
        self.named: Counter[str] = Counter()
        for block in blocks:
            for before, token in pairwise(block.texts):
                if before in _BEFORE_VERBS:
                    acts[token] += 1
                elif before in _BEFORE_NOUNS:
                    self.named[token] += 1
        self.verbs = frozenset(
            word for word, count in acts.items() if count > 1 and count > 2 * self.named[word] and word[-1] != "s"
        )

    def may_end(self, word: str) -> bool:
        """Tell a word in lower case that a term may end with; a word in -ing must be used as a noun elsewhere."""
        return may_end(word) and (not word.endswith("ing") or self.named[word] > 0)


def _counts(blocks: Sequence[BlockWords], usage: Usage) -> dict[Forms, int]:
    counts: Counter[Forms] = Counter()
    for block in blocks:
        if block.apart:
            continue
        for first, stop in runs(block, usage):
            counts.update(_phrases(block, usage, first, stop))
    return counts


def runs(block: BlockWords, usage: Usage) -> Iterator[tuple[int, int]]:
    """Yield the longest runs of words that may be in a term, in one sentence or cell."""
    first = None
    for at, token in enumerate(block.texts):
        is_in = token[0].isalpha() and token not in usage.verbs and not breaks(token.lower())
        if first is not None and not (is_in and block.units[at] == block.units[first]):
            yield first, at
            first = None
        if is_in and first is None:
            first = at
    if first is not None:
        yield first, len(block.texts)


def _phrases(block: BlockWords, usage: Usage, first: int, stop: int) -> Iterator[Forms]:
    forms = block.forms
    for start in range(first, stop - 1):
        for end in range(start + 2, min(stop, start + _MOST_WORDS) + 1):
            if usage.may_end(block.texts[end - 1].lower()) and forms[start] != forms[end - 1]:
                yield tuple(forms[start:end])
