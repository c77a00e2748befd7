"""Keys of a question file that nobody reads: most are a known one misspelt.

Owns the wording of the warning and the guess at what was meant. Knows no benchmark.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from octavo.evaluation.benchmarks.rows import Row

_ALIKE = 0.5
"""How alike two keys are, 0 to 1, for one to be taken for the other."""


class UnknownKeys:
    """Notes the keys that are not among the known ones; each is told once, where it stands first."""

    def __init__(self, known: tuple[str, ...]) -> None:
        """Take the keys that are read; none when any key may stand in the file."""
        self._known = known
        self._told: set[str] = set()

    def warnings(self, row: Row) -> Iterator[str]:
        """Yield one line for each key of the row that is neither known nor was told before."""
        for key in row.fields if self._known else ():
            if key in self._known or key in self._told:
                continue
            self._told.add(key)
            meant = nearest(key, self._known)
            yield f"{row.where}: {key!r} is not read{f'; did you mean {meant!r}?' if meant else ''}"


def nearest(key: str, known: tuple[str, ...]) -> str | None:
    """Return the known key that was most likely meant: one that goes on, one with this word in it, or one like it."""
    plain = key.lower().replace("-", "_")
    word = plain.rstrip("s")
    longer = [name for name in known if name.startswith(word)] or [name for name in known if f"_{word}" in name]
    close = difflib.get_close_matches(plain, longer or known, n=1, cutoff=0.0 if longer else _ALIKE)
    return close[0] if close else None
