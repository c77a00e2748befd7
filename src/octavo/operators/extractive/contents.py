"""What points elsewhere and says little itself: lines of a table of contents, and bibliographies.

Owns how they are told. Knows no question.
"""

from __future__ import annotations

import re

import numpy as np

from octavo.document import Kind, Mask, View

_LEADERS = re.compile(r"(?:[.·•…_]\s?){5,}\s*\w{1,6}\s*$")
_LEADER_TAIL = 200
_BIBLIOGRAPHY = re.compile(
    r"\W*(?:[\dIVX]+\.?\d*\s+)?(?:references|bibliography|works cited|literature cited|index)\W*", re.IGNORECASE
)


def is_contents_line(text: str) -> bool:
    """Say whether a text is a line of a table of contents, by the leaders before its last characters."""
    return bool(_LEADERS.search(text[-_LEADER_TAIL:]))


def in_bibliography(view: View) -> Mask:
    """Return (n_rows,) bool, true for what stands in a section of references or an index; found once for each view."""
    return view.derived("bibliographies", lambda: _in_bibliography(view))


def _in_bibliography(view: View) -> Mask:
    blocks = view.blocks
    inside = np.zeros(len(view), np.bool_)
    for row in np.flatnonzero(blocks.kind == Kind.HEADING).tolist():
        if _BIBLIOGRAPHY.fullmatch(blocks.text[row]):
            inside[blocks.subtree(row)] = True
    return inside
