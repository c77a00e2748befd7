"""Ids of citations: they say where words stand and what they are, so that no table of citations is kept.

An id is DOCUMENT-BLOCK-START-STOP-CHECK: the first 16 hex digits of the document's SHA-256, the row of the block in its
document, the words as [START, STOP) in characters of the block's text (0-0: the block as a whole), and the first 8 hex
digits of the SHA-256 of the words in UTF-8.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from octavo.errors import UsageError
from octavo_documents.document.document import Document

State: TypeAlias = Literal["same", "moved"]
"""Whether cited words stand where they stood, or elsewhere in their document since it was read anew."""

_PREFIX = "sha256:"
_DIGITS, _CHECK = 16, 8
_LONGEST = 9
"""Figures of a number: more than any document has blocks, or any block characters."""
_NUMBER = rf"(0|[1-9][0-9]{{0,{_LONGEST - 1}}})"
_ID = re.compile(rf"([0-9a-f]{{{_DIGITS}}})-{_NUMBER}-{_NUMBER}-{_NUMBER}-([0-9a-f]{{{_CHECK}}})")
_SHOWN = 60
"""Characters of a wrong id in a message."""


@dataclass(frozen=True, slots=True)
class CitationId:
    """Where words stand in a document, and the check that they are the words; `str` gives the id.

    `start` and `stop` are characters of the block's text, both 0 for the block as a whole.
    """

    digits: str
    """The first 16 hex digits of the document's SHA-256."""
    row: int
    """Of the block within its document."""
    start: int
    stop: int
    check: str
    """The first 8 hex digits of the SHA-256 of the words."""

    def __str__(self) -> str:
        return f"{self.digits}-{self.row}-{self.start}-{self.stop}-{self.check}"

    @classmethod
    def parse(cls, text: str) -> CitationId:
        """Read an id back. Raises UsageError for what is none."""
        found = _ID.fullmatch(text.strip())
        if found is None or not _is_stretch(int(found[3]), int(found[4])):
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
            raise UsageError(
                f"{shown!r} is no id of a citation: copy the whole of it, as 'octavo ask --json' prints it"
            )
        return cls(found[1], int(found[2]), int(found[3]), int(found[4]), found[5])

    @classmethod
    def of(cls, document: Document, row: int, start: int = 0, stop: int = 0) -> CitationId:
        """Return the id of the words [start, stop) of a block, by its row in the document; 0, 0: the whole block."""
        text = document.blocks.text[row]
        return cls(document_digits(document.id), row, start, stop, _checked(text[start:stop] if stop else text))

    @property
    def is_whole(self) -> bool:
        """Whether it cites a block as a whole."""
        return self.stop == 0

    def found_in(self, document: Document) -> tuple[int, int, int] | None:
        """Return (row, start, stop) of the words in a document, None when they are nowhere in it.

        Where they are not at the place the id says, every stretch of their length is compared with the check, the
        nearest blocks first: about a second for a document of 500,000 characters. That a stretch of other words has the
        same check is a chance of one in 8,000 there.
        """
        count = len(document.blocks)
        if self.row < count and self._is_at(document.blocks.text[self.row]):
            return self.row, self.start, self.stop
        for row in sorted(range(count), key=lambda row: abs(row - self.row)):
            at = self._place_in(document.blocks.text[row])
            if at is not None:
                return row, at, at + self.stop - self.start
        return None

    def _is_at(self, text: str) -> bool:
        words = text if self.is_whole else text[self.start : self.stop]
        return len(words) >= self.stop - self.start and _checked(words) == self.check

    def _place_in(self, text: str) -> int | None:
        if self.is_whole:
            return 0 if _checked(text) == self.check else None
        length, digest, wanted = self.stop - self.start, hashlib.sha256, bytes.fromhex(self.check)
        size = len(wanted)
        return next(
            (
                at
                for at in range(len(text) - length + 1)
                if digest(text[at : at + length].encode()).digest()[:size] == wanted
            ),
            None,
        )


def document_digits(document_id: str) -> str:
    """Return the part of a document's id that ids of citations carry."""
    return document_id.removeprefix(_PREFIX)[:_DIGITS]


def _is_stretch(start: int, stop: int) -> bool:
    return start < stop or start == stop == 0


def _checked(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:_CHECK]
