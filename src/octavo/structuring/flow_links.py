"""What blocks of flowing text lead to, found by the steps that link the blocks of pages."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from octavo.document import Kind, LinkKind
from octavo.parsing.flow import FlowBlock
from octavo.structuring import markers
from octavo.structuring.captions_and_footnotes import link_captions
from octavo.structuring.drafts import Draft
from octavo.structuring.lines import NO_LOOK
from octavo.structuring.references.links import link_words

_STEP = 25.0
"""Points between the tops of two blocks, as if on a page: between a caption and its table stands one other at most."""
_TALL = 10.0
_RUN = 200
"""Blocks without a heading in which a caption looks for what it names."""
_SHOWN = (Kind.TABLE, Kind.FIGURE, Kind.CHART)
_LONGEST_CAPTION = 300
_MARK = re.compile(r"\[([^\s\[\]]{1,20})\]")


def linked(blocks: Sequence[FlowBlock], pages: npt.NDArray[np.int32]) -> list[Draft]:
    """Return the blocks as drafts with links: captions to what they name, notes to what bears them, words to targets.

    `pages` (n,) are the numbers of the parts they stand in, from 1. A figure may have become a chart by its caption.
    """
    drafts = [
        Draft(
            block.kind, page - 1, block.text, (0.0, at * _STEP, 100.0, at * _STEP + _TALL), NO_LOOK, level=block.level
        )
        for at, (block, page) in enumerate(zip(blocks, pages.tolist(), strict=True))
    ]
    _set_captions(drafts)
    kinds = {item.kind for item in drafts}
    if Kind.CAPTION in kinds:
        for run in _runs(drafts):
            link_captions(run)
    if Kind.FOOTNOTE in kinds:
        _link_notes(drafts)
    link_words([[*part] for _, part in groupby(drafts, lambda item: item.page)], (), has_pages=False)
    return drafts


def _set_captions(drafts: Sequence[Draft]) -> None:
    """Make captions of paragraphs beside a table or figure that begin as one: "Table 3: Costs"."""
    for at, item in enumerate(drafts):
        if item.kind in _SHOWN:
            for beside in drafts[max(at - 1, 0) : at + 2]:
                is_short = beside.kind == Kind.PARAGRAPH and len(beside.text) < _LONGEST_CAPTION
                if is_short and markers.caption(beside.text):
                    beside.kind = Kind.CAPTION


def _runs(drafts: Sequence[Draft]) -> Iterator[list[Draft]]:
    """Yield the blocks between headings, long runs in pieces."""
    run: list[Draft] = []
    for item in drafts:
        if run and (item.kind == Kind.HEADING or (len(run) >= _RUN and item.kind == Kind.PARAGRAPH)):
            yield run
            run = []
        run.append(item)
    yield run


def _link_notes(drafts: Sequence[Draft]) -> None:
    """Link each note to the last block before it, else the first after it, that has its mark in its words.

    A note whose mark is not in the words stands behind the block that refers to it, or behind other notes of that.
    """
    bearers: dict[str, list[int]] = {}
    for at, item in enumerate(drafts):
        if item.kind != Kind.FOOTNOTE and "[" in item.text:
            for mark in _MARK.findall(item.text):
                bearers.setdefault(mark, []).append(at)
    before: Draft | None = None
    for at, item in enumerate(drafts):
        if item.kind != Kind.FOOTNOTE:
            before = item
            continue
        mark = _MARK.match(item.text)
        found = bearers.get(mark[1]) if mark else None
        target = drafts[found[max(bisect(found, at) - 1, 0)]] if found else before
        if target is not None and (found or target.kind not in (Kind.HEADING, Kind.TITLE)):
            item.targets.append((target, LinkKind.FOOTNOTE_OF))
