"""What only points elsewhere and says little itself: tables of contents, bibliographies and indexes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from octavo.document import Kind, Mask, View

Floats = npt.NDArray[np.float64]

_MANY = 5
"""Sections that begin elsewhere and are named on a page, from which it is nothing but a signpost."""
_LONGEST_ENTRY = 200
"""Characters of a line that may be an entry."""
_SHORTEST_TITLE = 4
"""Characters of a title that is told from other words."""
_LEADERS = re.compile(r"(?:[.·•…_]\s?){5,}\s*\w{1,6}\s*$")
_LEADER_TAIL = 200
"""Characters at the end of a line in which leaders are looked for."""
_WORD = re.compile(r"\w+")
_BIBLIOGRAPHY = re.compile(
    r"\W*(?:[\dIVX]+\.?\d*\s+)?(?:references|bibliography|works cited|literature cited|index)\W*", re.IGNORECASE
)


def signposts(view: View) -> Floats:
    """Return (n_pages,) 0..1 how much of a signpost each page is: by the titles on it of sections that begin elsewhere.

    A line counts that says a title and no more, with or without the page. Found out once for each document.
    """
    return np.concatenate([np.zeros(0), *view.each("signposts", _signposts)])


def _signposts(view: View) -> Floats:
    titles = _titles(view)
    named: defaultdict[int, set[str]] = defaultdict(set)
    for row in np.flatnonzero(view.is_content).tolist() if titles else ():
        page = int(view.page_index[row])
        for title in _entries(view.blocks.text[row]):
            if titles.get(title, {page}) - {page}:
                named[page].add(title)
    counts = np.zeros(int(view.page_starts[-1]))
    counts[list(named)] = [len(found) for found in named.values()]
    return np.minimum(counts / _MANY, 1.0)


def _titles(view: View) -> dict[str, set[int]]:
    """Return the pages of one document on which sections with a title begin, by title."""
    found: defaultdict[str, set[int]] = defaultdict(set)
    for row in view.sections().tolist():
        for title in _entries(" ".join(view.blocks.text[row].split())):
            found[title].add(int(view.page_index[row]))
    return dict(found)


def _entries(text: str) -> Iterator[str]:
    """Yield what may be titles among the lines of a text, without case, signs, numbers before and pages behind."""
    for line in text.split("\n"):
        words = _WORD.findall(line.casefold()) if len(line) <= _LONGEST_ENTRY else []
        first = next((at for at, word in enumerate(words) if not word.isdigit()), len(words))
        title = " ".join(words[first : -1 if words[-1:] and words[-1].isdigit() else None])
        if len(title) >= _SHORTEST_TITLE:
            yield title


# Lines of a table of contents, and bibliographies


def is_contents_line(text: str) -> bool:
    """Say whether a text is a line of a table of contents, by the leaders before its last characters."""
    return bool(_LEADERS.search(text[-_LEADER_TAIL:]))


def in_bibliography(view: View) -> Mask:
    """Return (n_rows,) bool, true for what stands in a section of references or an index; found once a document."""
    return np.concatenate([np.zeros(0, np.bool_), *view.each("bibliographies", _in_bibliography)])


def _in_bibliography(view: View) -> Mask:
    blocks = view.blocks
    inside = np.zeros(len(view), np.bool_)
    for row in np.flatnonzero(blocks.kind == Kind.HEADING).tolist():
        if _BIBLIOGRAPHY.fullmatch(blocks.text[row]):
            inside[blocks.subtree(row)] = True
    return inside
