"""Known names found in text: leftmost, longest, by words as they are matched.

Owns the lookup. Knows nothing about where names come from or what becomes of their mentions.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Literal

from octavo.layers.entities.words import BlockWords, is_capital, is_marked

Forms = tuple[str, ...]
"""The words of a name as they are matched: folded, in the singular."""


@dataclasses.dataclass(frozen=True, slots=True)
class Known:
    """What a run of words is when it is met: its type, and how it must be written to be it.

    `letters` is "" for any way, "capital" for a first capital letter, "marked" for capitals or digits inside ("RAG").
    """

    type: str
    letters: Literal["", "capital", "marked"] = ""

    def is_written(self, token: str) -> bool:
        """Tell whether the first token is written as it must be."""
        if self.letters == "marked":
            return is_marked(token)
        return not self.letters or is_capital(token) or token[0].isdigit()


class Gazetteer:
    """Known runs of words, to be found in blocks."""

    def __init__(self, known: Mapping[Forms, Known]) -> None:
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for forms in known:
            lengths[forms[0]].add(len(forms))
        self._known = known
        self._lengths = {word: sorted(sizes, reverse=True) for word, sizes in lengths.items()}

    def found_in(self, block: BlockWords) -> Iterator[tuple[int, int, Known]]:
        """Yield (first, stop, what it is) of the known runs of tokens in a block, none inside another."""
        forms = block.forms
        at = 0
        while at < len(forms):
            stop = self._longest(block, at) if forms[at] in self._lengths else 0
            if stop:
                yield at, stop, self._known[tuple(forms[at:stop])]
            at = stop or at + 1

    def _longest(self, block: BlockWords, at: int) -> int:
        """Return where the longest known run from `at` stops, 0 when there is none."""
        for size in self._lengths[block.forms[at]]:
            known = self._known.get(tuple(block.forms[at : at + size])) if at + size <= len(block.forms) else None
            if known is None or block.units[at + size - 1] != block.units[at]:
                continue
            if known.is_written(block.texts[at]):
                return at + size
        return 0
