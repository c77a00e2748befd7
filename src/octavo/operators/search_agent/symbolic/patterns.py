"""Patterns in a query: `*` for any characters, `?` for one, `#` for a digit; everything else stands for itself.

A pattern that begins or ends with a letter or digit does so at the edge of a word: "cat" is not in "concatenate",
"cat*" is in "cats". The commonest pieces of regular expressions are taken for what they mean.

Owns how they are matched in time that grows with the text alone. A pattern is cut at its stars into pieces of fixed
length; the leftmost place of each piece after the one before decides, so nothing is ever tried twice. Knows nothing
about queries or blocks.
"""

from __future__ import annotations

import re

from octavo.operators.search_agent.symbolic.query import InvalidQuery

_LONGEST = 200
_MOST_PIECES = 20
_LONGEST_TEXT = 20_000
"""Characters of a block that are looked at."""
_REGULAR = re.compile(r"\\|\.\*|\.\+|\[(?:\^|[^\]]*\w-\w)[^\]]*\]|\(\?|\{\d")
_MEANT = (
    (re.compile(r"\.[*+]\??|\\w[*+]"), "*"),
    (re.compile(r"(?:\\d|\[0-9\])[*+]"), "#*"),
    (re.compile(r"\\d|\[0-9\]"), "#"),
    (re.compile(r"\\s[*+]?"), " "),
    (re.compile(r"\\b|^\^|\$$"), ""),
    (re.compile(r"\\([.$()\[\]%/-])"), r"\1"),
)
"""Pieces of regular expressions, as models write them, and what they are here."""
_CLASSES = {"?": ".", "#": r"\d", " ": r"\s"}


class Pattern:
    """A pattern, ready to be looked for in many texts."""

    def __init__(self, pattern: str) -> None:
        """Compile a pattern; raise InvalidQuery for one that is too long, empty, or a regular expression of its own."""
        for piece, meant in _MEANT:
            pattern = piece.sub(meant, pattern[: 2 * _LONGEST])
        if _REGULAR.search(pattern):
            raise InvalidQuery("matches: no regular expressions; * is any characters, ? one character, # a digit")
        plain = pattern.strip()
        pieces = [" ".join(piece.split()) for piece in plain.split("*")]
        is_open, is_open_at_end = not pieces[0], not pieces[-1]
        pieces = [piece for piece in pieces if piece]
        if not pieces:
            raise InvalidQuery("matches: the pattern has nothing to look for")
        if len(pattern) > _LONGEST or len(pieces) > _MOST_PIECES:
            raise InvalidQuery(f"matches: at most {_LONGEST} characters and {_MOST_PIECES} stars")
        # Each is a run of single characters without repeats: there is nothing to go back to.
        whole = ["".join(map(_one, piece)) for piece in pieces]
        if not is_open and pieces[0][0].isalnum():
            whole[0] = rf"(?<!\w){whole[0]}"
        if not is_open_at_end and pieces[-1][-1].isalnum():
            whole[-1] = rf"{whole[-1]}(?!\w)"
        self._pieces = [re.compile(piece, re.IGNORECASE | re.DOTALL) for piece in whole]

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
