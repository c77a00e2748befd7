"""The structure trees of a view's documents: headings, and content that nests under them (RDR2 section 3.2).

Trees are columns over the rows of the view. A section is named by the row of its heading; the content before the first
heading of document d has a synthetic one, the Introduction, whose name is -1 - d.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from octavo.document import FURNITURE, Kind, Mask, Rows, View

INTRODUCTION = "Introduction"
"""What the heading over a document's first content is called."""
_NO_CONTENT = (*FURNITURE, Kind.TITLE, Kind.HEADING)
"""Kinds that are no content nodes; a title stands for the document itself."""
_BYTES_PER_TOKEN = 4
"""UTF-8 bytes of a token, a usual rough figure for English."""


class StructureTree:
    """The nodes of all documents of a view, and how they hang together."""

    def __init__(self, view: View) -> None:
        """Take the view."""
        self.view = view

    @classmethod
    def of(cls, view: View) -> StructureTree:
        """Return the trees of a view, made once."""
        return view.derived("structure_tree", lambda: cls(view))

    @cached_property
    def is_content(self) -> Mask:
        """(n_rows,) bool, true for content nodes: blocks with text that are no heading, title or page furniture."""
        blocks = self.view.blocks
        return ~np.isin(blocks.kind, _NO_CONTENT) & (blocks.text.lengths() > 0)

    @cached_property
    def section(self) -> Rows:
        """(n_rows,) int64 section each row stands in; a heading stands in the one above it."""
        parent = self.view.blocks.parent.astype(np.int64)
        return np.where(parent >= 0, parent, -1 - self.view.document.astype(np.int64))

    @cached_property
    def above(self) -> Rows:
        """(n_rows,) int64 parent of each content node: the list item it is nested in, else its section."""
        above, level = self.section.copy(), self.view.blocks.level
        contents = np.flatnonzero(self.is_content)
        is_item = self.view.blocks.kind[contents] == Kind.LIST_ITEM
        if not (level[contents][is_item] > 1).any():
            return above
        open_items: list[int] = []
        for row, goes_on in zip(contents.tolist(), is_item.tolist(), strict=True):
            if not goes_on or (open_items and self.section[open_items[0]] != self.section[row]):
                open_items.clear()
            if goes_on:
                while open_items and level[open_items[-1]] >= level[row]:
                    open_items.pop()
                above[row] = open_items[-1] if open_items else above[row]
                open_items.append(row)
        return above

    @cached_property
    def depth(self) -> Rows:
        """(n_rows,) int64 depth of each node, 0 at the top; the Introduction is at the top."""
        parent = self.view.blocks.parent
        depth = np.zeros(len(self.view), np.int64)
        for row in self.view.sections().tolist():
            depth[row] = depth[parent[row]] + 1 if parent[row] >= 0 else 0
        contents = np.flatnonzero(self.is_content)
        in_section = self.section[contents]
        depth[contents] = 1 + np.where(in_section >= 0, depth[in_section], 0)
        for row in contents[self.above[contents] != in_section].tolist():
            depth[row] = depth[self.above[row]] + 1
        return depth

    def headings_of(self, document: int) -> Rows:
        """Return the rows of the headings of a document, in order."""
        headings, rows = self.view.sections(), self.view.rows_of(document)
        return headings[slice(*np.searchsorted(headings, [rows.start, rows.stop]))]

    def sections_of(self, document: int) -> list[int]:
        """Return the sections of a document in order, its Introduction first where it has content."""
        first = [-1 - document] if len(self.own(-1 - document)) else []
        return first + self.headings_of(document).tolist()

    def own(self, section: int) -> Rows:
        """Return the content of a section that stands under no deeper heading."""
        headings = self.view.sections()
        document = int(self.view.document[section]) if section >= 0 else -1 - section
        span = self.view.rows_of(document)
        start = section + 1 if section >= 0 else span.start
        later = headings[np.searchsorted(headings, start) :]
        stop = min(int(later[0]), span.stop) if len(later) else span.stop
        return start + np.flatnonzero(self.is_content[start:stop])

    def around(self, rows: Rows) -> Rows:
        """Return some content with its siblings, the content above it up to the heading, and that nested in it.

        RDR2, Algorithm 1. Rows that are no content are left out.
        """
        given = rows[self.is_content[rows]]
        found = self.is_content & np.isin(self.above, self.above[given])
        found |= self._above(given) | self._below(given)
        return np.flatnonzero(found)

    def _above(self, rows: Rows) -> Mask:
        """Return (n_rows,) bool, true for the content that some rows are nested in."""
        found = np.zeros(len(self.view), np.bool_)
        while len(rows):
            above = self.above[rows]
            rows = np.unique(above[(above >= 0) & self._nests[above]])
            found[rows] = True
        return found

    def _below(self, rows: Rows) -> Mask:
        """Return (n_rows,) bool, true for the content nested in some rows, and for these."""
        found = np.zeros(len(self.view), np.bool_)
        while len(rows):
            found[rows] = True
            rows = np.flatnonzero(self.is_content & np.isin(self.above, rows))
        return found

    @cached_property
    def _nests(self) -> Mask:
        """(n_rows,) bool, true for content that other content can be nested in."""
        return self.is_content & (self.view.blocks.kind == Kind.LIST_ITEM)


def sized(view: View, rows: Rows, kept: Rows, tokens: int) -> Rows:
    """Return the content that fits into about so many tokens: `kept` first, then what stands nearest to it.

    Ties go to the first in the document; the first of `kept` is there however long it is.
    """
    if not len(rows):
        return rows
    distance = np.abs(rows[:, None] - kept[None, :]).min(axis=1) if len(kept) else np.arange(len(rows))
    order = np.argsort(distance, kind="stable")
    sizes = view.blocks.text.lengths()[rows[order]] // _BYTES_PER_TOKEN + 1
    fits = np.cumsum(sizes) <= tokens
    fits[0] = True
    return np.sort(rows[order[fits]])
