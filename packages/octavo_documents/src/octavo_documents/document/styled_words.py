"""Words of a block that look otherwise than the rest of it, as the block table keeps them: one run of words a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_LETTERS = {"bold": "b", "italic": "i", "underlined": "u", "highlighted": "h"}
"""By a look, the letter that stands for it."""
_MOST = 200
"""Runs of a block that are kept."""


class StyledWords(NamedTuple):
    """A run of words of a block, with the looks that all of them have, as they stand in its text.

    `looks` are letters: "b" bold, "i" italic, "u" underlined, "h" highlighted. `ground` is the colour behind
    highlighted words, 0xRRGGBB, and -1 where it is not known.
    """

    looks: str
    words: str
    ground: int = -1

    def has(self, look: str) -> bool:
        """Return whether they have a look, by its name: "underlined"."""
        return _LETTERS[look] in self.looks


def packed(runs: Iterable[StyledWords], text: str) -> str:
    r"""Return runs as the table has them: those whose words stand in `text`, in their order, each on one line.

    >>> packed([StyledWords("u", "a fee"), StyledWords("i", "gone")], "Pay a fee.")
    'u\ta fee'
    """
    kept: list[str] = []
    at = 0
    for looks, words, ground in runs:
        words = " ".join(words.split())
        if not looks or not any(map(str.isalnum, words)) or len(kept) == _MOST:
            continue
        start = text.find(words, at)
        if start < 0:
            start = text.find(words)
        if start < 0:
            continue
        at = start + len(words)
        kept.append(f"{looks}{f'#{ground:06x}' if ground >= 0 else ''}\t{words}")
    return "\n".join(kept)


def unpacked(stored: str) -> Iterator[StyledWords]:
    """Yield the runs of a block, in the order of its text."""
    for line in stored.split("\n") if stored else ():
        looks, _, words = line.partition("\t")
        looks, _, ground = looks.partition("#")
        yield StyledWords(looks, words, int(ground, 16) if ground else -1)


def beside(stored: str, text: str, *, bold: bool) -> tuple[str, bool]:
    """Return the styled words of a block without looks that all of its text has, and whether it is italic as a whole.

    `bold` says whether it is bold as a whole.
    """
    runs = [*unpacked(stored)]
    is_italic = len(runs) == 1 and "i" in runs[0].looks and runs[0].words == text
    left = "".join(letter for letter, is_whole in (("b", bold), ("i", is_italic)) if is_whole)
    kept = (run._replace(looks="".join(one for one in run.looks if one not in left)) for run in runs)
    return (packed(kept, text) if left else stored), is_italic


def joined_runs(runs: Sequence[StyledWords], look: str, text: str) -> list[tuple[str, int]]:
    """Return the stretches of a text that have a look, with their ground: runs beside each other are one."""
    found: list[tuple[str, int]] = []
    at = end = 0
    for run in runs:
        start = text.find(run.words, at)
        if start < 0:
            continue
        at = start + len(run.words)
        if not run.has(look):
            continue
        between = text[end:start]
        if found and found[-1][1] == run.ground and not any(map(str.isalnum, between)):
            found[-1] = (f"{found[-1][0]}{between}{run.words}", run.ground)
        else:
            found.append((run.words, run.ground))
        end = at
    return found
