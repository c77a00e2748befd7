"""What readers leave out, and the warnings that say so."""

from __future__ import annotations

from collections import Counter

from octavo_documents.parsing.inline_marks import without


class Unseen:
    """Gathers the words that a file holds and its pages do not show; `where` is what they are not shown on."""

    _FIRST = 60
    """Characters of the first words that are told."""

    def __init__(self, where: str = "the page") -> None:
        self._where = where
        self.words = 0
        self._first = ""

    def hide(self, text: str) -> None:
        """Note that words are left out, as they are not shown."""
        words = without(text).split()
        self.words += len(words)
        self._first = self._first or " ".join(words)

    def warnings(self, said: str = "left out: {} not shown on {}") -> tuple[str, ...]:
        """Return a line that says how much is left out, and how it begins; nothing where nothing is."""
        if not self.words:
            return ()
        cut = "" if len(self._first) <= self._FIRST else "…"
        words = "1 word" if self.words == 1 else f"{self.words:,} words"
        return (f'{said.format(words, self._where)}, beginning "{self._first[: self._FIRST]}{cut}"',)


class LeftOutCounter:
    """Counts what is left out, by what it is called in the singular."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self.unseen = Unseen()

    def count(self, what: str, times: int = 1) -> None:
        """Note that something is left out: "embedded object"."""
        if times:
            self._counts[what] += times

    def warnings(self) -> tuple[str, ...]:
        """Return a line for each sort of thing: "left out: 2 × embedded object"."""
        counted = (f"left out: {times:,} × {what}" for what, times in sorted(self._counts.items()))
        return (*counted, *self.unseen.warnings())
