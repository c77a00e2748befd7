"""Patterns in a query: `*` for any characters, `?` for one, `#` for a digit; everything else stands for itself.

Owns how they are matched in time that grows with the text alone. A pattern is cut at its stars into pieces of fixed
length; the leftmost place of each piece after the one before decides, so nothing is ever tried twice. Knows nothing
about queries or blocks.
"""

from __future__ import annotations

import re

from octavo.operators.symbolic.query import InvalidQuery

_LONGEST = 200
_MOST_PIECES = 20
_LONGEST_TEXT = 20_000
"""Characters of a block that are looked at."""
_REGULAR = re.compile(r"\\|\.\*|\.\+|\[[^\]]*\]|\(\?|\{\d")
_CLASSES = {"?": ".", "#": r"\d", " ": r"\s"}


class Pattern:
    """A pattern, ready to be looked for in many texts."""

    def __init__(self, pattern: str) -> None:
        """Compile a pattern; raise InvalidQuery for one that is too long, empty, or written as a regular expression."""
        if _REGULAR.search(pattern):
            raise InvalidQuery("matches: no regular expressions; * is any characters, ? one character, # a digit")
        pieces = [" ".join(piece.split()) for piece in pattern.split("*")]
        pieces = [piece for piece in pieces if piece]
        if not pieces:
            raise InvalidQuery("matches: the pattern has nothing to look for")
        if len(pattern) > _LONGEST or len(pieces) > _MOST_PIECES:
            raise InvalidQuery(f"matches: at most {_LONGEST} characters and {_MOST_PIECES} stars")
        # Each is a run of single characters without repeats: there is nothing to go back to.
        self._pieces = [re.compile("".join(map(_one, piece)), re.IGNORECASE | re.DOTALL) for piece in pieces]

    def is_in(self, text: str) -> bool:
        """Tell whether the pieces stand in the text one after the other."""
        text, at = text[:_LONGEST_TEXT], 0
        for piece in self._pieces:
            found = piece.search(text, at)
            if found is None:
                return False
            at = found.end()
        return True


def _one(character: str) -> str:
    return _CLASSES.get(character) or re.escape(character)
