"""What is set aside while the marks of wikitext are read: verbatim text, formulas, code, pictures, boxes.

Owns the marks that stand for it in the text meanwhile: control characters, which no source has. Knows no wikitext.
"""

from __future__ import annotations

import re

from octavo.document import Kind
from octavo.parsing.flow import FlowBlock

_MARK = re.compile("\x01(\\d+)\x02")
_APART = (Kind.CODE, Kind.TABLE)
"""Kinds that always stand on their own."""


class Kept:
    """Blocks and verbatim texts set aside, by number."""

    def __init__(self) -> None:
        self._things: list[FlowBlock | str] = []

    def put(self, thing: FlowBlock | str) -> str:
        """Set something aside and return the mark that stands for it."""
        self._things.append(thing)
        mark = f"\x01{len(self._things) - 1}\x02"
        return f"\n{mark}\n" if isinstance(thing, FlowBlock) and thing.kind in _APART else mark

    def alone(self, text: str) -> FlowBlock | None:
        """Return the block that all of a stripped text stands for, punctuation after it aside."""
        mark = _MARK.fullmatch(text.rstrip(" .,;"))
        thing = self._things[int(mark[1])] if mark else None
        return thing if isinstance(thing, FlowBlock) else None

    def figures(self, text: str) -> tuple[list[FlowBlock], str]:
        """Return the pictures in a text, and the text without them."""
        found: list[FlowBlock] = []

        def taken(mark: re.Match[str]) -> str:
            thing = self._things[int(mark[1])]
            if not isinstance(thing, FlowBlock) or thing.kind != Kind.FIGURE:
                return mark[0]
            found.append(thing)
            return ""

        return found, _MARK.sub(taken, text)

    def filled(self, text: str) -> str:
        """Return a text with the words of what was set aside back in their places."""
        return _MARK.sub(self._words, text) if "\x01" in text else text

    def _words(self, mark: re.Match[str]) -> str:
        thing = self._things[int(mark[1])]
        return thing if isinstance(thing, str) else thing.text.replace("\n", " ")
