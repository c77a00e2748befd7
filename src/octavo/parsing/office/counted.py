"""What is left out of a document, counted for its warnings."""

from __future__ import annotations

from collections import Counter


class Counted:
    """Counts what is left out, by what it is called in the singular."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def count(self, what: str, times: int = 1) -> None:
        """Note that something is left out: "embedded object"."""
        if times:
            self._counts[what] += times

    def warnings(self) -> tuple[str, ...]:
        """Return a line for each sort of thing: "left out: 2 × embedded object"."""
        return tuple(f"left out: {times:,} × {what}" for what, times in sorted(self._counts.items()))
