"""Which blocks are entries of a table of contents: they end in page numbers and are called as headings are."""

from __future__ import annotations

import re

import numpy as np

from octavo.evidence import View
from octavo_documents.document import Kind, Mask
from octavo_documents.text.lines import on_one_line

_PAGE = re.compile(r"[\s.·•…_](?:\d{1,4}|[ivxlc]{1,6})\W*\Z")
_LEADER = re.compile(r"[\s.·•…_]+\Z")
_LONGEST = 400
"""Characters of an entry."""
_LEAST_ENTRIES, _SHARE = 3, 0.4
"""Entries of a list, at least, and the share of them that are called as a heading is; chosen by hand."""
_MOST_BETWEEN = 3
"""Items between two entries, at most, that are taken to be entries."""
_KINDS = (Kind.LIST_ITEM, Kind.PARAGRAPH)


def in_contents(view: View) -> Mask:
    """Return (n_rows,) bool, true for the entries of a table of contents; found once a document."""
    return np.concatenate([np.zeros(0, np.bool_), *view.each(_in_contents)])


def _in_contents(view: View) -> Mask:
    blocks, inside = view.blocks, np.zeros(len(view), np.bool_)
    rows, kinds = np.flatnonzero(view.is_content).tolist(), blocks.kind.tolist()
    titles = {_key(blocks.text[row]) for row in rows if kinds[row] == Kind.HEADING}
    run: list[tuple[int, str]] = []
    between: list[int] = []
    for row in [*rows, -1]:
        title = _title(blocks.text[row]) if row >= 0 and kinds[row] in _KINDS else ""
        if title:
            run.extend((at, "") for at in between if run)  # an entry whose page stands elsewhere
            run.append((row, title))
            between = []
            continue
        between.append(row)
        if row >= 0 and run and len(between) <= _MOST_BETWEEN and kinds[row] == Kind.LIST_ITEM:
            continue
        named = sum(_key(title) in titles for _, title in run if title)
        if len(run) >= _LEAST_ENTRIES and named >= _SHARE * len(run):
            inside[[at for at, _ in run]] = True
        run, between = [], []
    return inside


def _title(text: str) -> str:
    """Return what an entry leads to, without leaders and page; "" for another text."""
    page = _PAGE.search(text) if len(text) <= _LONGEST else None
    title = _LEADER.sub("", text[: page.start() + 1]) if page else ""
    return title if any(map(str.isalpha, title)) else ""


def _key(text: str) -> str:
    return re.sub(r"\W+", "", on_one_line(text)).casefold()
