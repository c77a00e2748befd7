"""Going through the lines of a file of light markup (AsciiDoc, Org) once, block by block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from octavo_documents.parsing.flow import FlowBlock


class LineReader(ABC):
    """Gathers the blocks of lines. `files` are the names of files that the text includes, which are not followed."""

    def __init__(self, lines: Sequence[str]) -> None:
        """Take the lines of a file."""
        self.blocks: list[FlowBlock] = []
        self.files: list[str] = []
        self._lines = lines
        self._at: int = 0
        self._words: list[str] = []
        """The lines of the running text that is not ended yet."""

    def go(self) -> None:
        """Read all lines."""
        while self._at < len(self._lines):
            line = self._lines[self._at].rstrip()
            self._at += 1
            if not self._block(line):
                self._running(line)
        self._flush()

    def not_followed(self) -> list[str]:
        """Return a warning for each file that was not followed."""
        return [f"{name} was not followed" for name in dict.fromkeys(self.files)]

    @abstractmethod
    def _block(self, line: str) -> bool:
        """Read what is no running text; return whether the line began something of the sort."""

    @abstractmethod
    def _running(self, line: str) -> None:
        """Read a line of running text, or one that begins an item."""

    @abstractmethod
    def _flush(self) -> None:
        """End the running text."""

    def _until(self, is_end: Callable[[str], object], *, takes_last: bool = True) -> list[str]:
        """Return the lines up to one that ends something, and go on after it, or at it."""
        start = self._at
        while self._at < len(self._lines) and not is_end(self._lines[self._at]):
            self._at += 1
        found = list(self._lines[start : self._at])
        self._at += takes_last
        return found
