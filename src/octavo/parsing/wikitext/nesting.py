"""Templates and links in wikitext, which nest in each other, replaced by what they stand for.

Owns the matching of their brackets, from the inside out and in one pass: brackets without a partner are dropped and
what stands between them stays. Knows nothing about what templates and links mean.
"""

from __future__ import annotations

import re

from octavo.parsing.wikitext.kept import Kept
from octavo.parsing.wikitext.links import link
from octavo.parsing.wikitext.templates import template

_PARAMETER = re.compile(r"\{\{\{[^{}|\n]*+(?:\|([^{}]*+))?\}\}\}")
_BRACKETS = re.compile(r"(\{\{|\}\}(?:(?<=[^|]\}\})|(?!\}(?!\})))|\[\[|\]\](?!\](?!\])))")
"""Of three closing brackets the last two count: the first closes a table or a link to the web."""
_OPENER = {"}}": "{{", "]]": "[["}
_DEEPEST, _SHORT = 40, 1000
"""Longer words inside more brackets are dropped unread, as they would be gone over once per bracket."""


def without_nesting(text: str, kept: Kept) -> str:
    """Return a text with its templates and links replaced."""
    if "{{{" in text:
        text = _PARAMETER.sub(r"\1", text)
    return _Nesting(kept).read(_BRACKETS.split(text))


class _Nesting:
    """The brackets open at a time, each with the pieces of text after it; first what stands in none."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._frames: list[tuple[str, list[str]]] = [("", [])]
        self._open = {"{{": 0, "[[": 0}

    def read(self, tokens: list[str]) -> str:
        """Return the text of tokens, brackets at the odd places."""
        for at, token in enumerate(tokens):
            if not at % 2:
                self._frames[-1][1].append(token)
            elif token in self._open:
                self._frames.append((token, []))
                self._open[token] += 1
            elif self._open[_OPENER[token]]:
                self._close(_OPENER[token])
        return self._joined(0)

    def _close(self, opener: str) -> None:
        at = len(self._frames) - 1
        while self._frames[at][0] != opener:
            at -= 1
        body = self._joined(at)
        if at <= _DEEPEST or len(body) <= _SHORT:
            self._frames[-1][1].append(template(body, self._kept) if opener == "{{" else link(body, self._kept))

    def _joined(self, at: int) -> str:
        """Take off the brackets from one on, those inside it without a partner, and return the text after it."""
        frames = self._frames[at:]
        del self._frames[at:]
        for opener, _ in frames[at == 0 :]:
            self._open[opener] -= 1
        return "".join(piece for _, pieces in frames for piece in pieces)
