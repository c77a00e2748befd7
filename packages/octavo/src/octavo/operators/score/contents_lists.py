"""Which blocks are entries of a table of contents: they end in page numbers and are called as headings are."""

from __future__ import annotations

import re

import numpy as np

from octavo.evidence import View
from octavo_documents.document import Kind, Mask
from octavo_documents.text.lines import on_one_line

_ENTRY = re.compile(r"(?P<title>.*?[^\W\d_].*?)[\s.·•…_]+(?P<page>\d{1,4}|[ivxlc]{1,6})\W*", re.DOTALL)
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
    rows = [row for row in range(len(view)) if view.is_content[row]]
    titles = {_key(blocks.text[row]) for row in rows if blocks.kind[row] == Kind.HEADING}
    run: list[tuple[int, str]] = []
    between: list[int] = []
    for row in [*rows, -1]:
        title = _title(view, row) if row >= 0 else ""
        if title:
            run.extend((at, "") for at in between if run)  # an entry whose page stands elsewhere
            run.append((row, title))
            between = []
            continue
        between.append(row)
        if row >= 0 and run and len(between) <= _MOST_BETWEEN and blocks.kind[row] == Kind.LIST_ITEM:
            continue
        named = sum(_key(title) in titles for _, title in run if title)
        if len(run) >= _LEAST_ENTRIES and named >= _SHARE * len(run):
            inside[[at for at, _ in run]] = True
        run, between = [], []
    return inside


def _title(view: View, row: int) -> str:
    """Return what an entry leads to, without its page; "" for another block."""
    text = view.blocks.text[row]
    if view.blocks.kind[row] not in _KINDS or len(text) > _LONGEST:
        return ""
    found = _ENTRY.fullmatch(text)
    return found["title"] if found else ""


def _key(text: str) -> str:
    return re.sub(r"\W+", "", on_one_line(text)).casefold()
