"""Headings that rules are unsure of, put to a decision: the last step of the cascade (BookRAG, section filtering).

Works on a structured document, where a model can be reached: rules run in the guarded child, which has none. Without a
model nothing is asked and nothing changes.
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np
import numpy.typing as npt

from octavo.corpus.judges import fell_back
from octavo.decisions.engine.judge import Judge
from octavo_documents.document import BlockTable, Document, Kind, nest

BATCH = 40
"""Lines asked about in one call; the headings open above them go with it."""


class _Ask:
    """Which lines a model is asked about, chosen by hand."""

    MOST = 400  # lines of a document that are asked about, the first ones: one with more has no headings to find
    LONGEST = 90  # characters of a heading
    LARGER = 1.15  # type size of a heading that leaves no doubt, by the body's


_NUMBERED = re.compile(
    r"(?:(?:chapter|part|section|appendix|item|note)\s+)?(?:\d+(?:\.\d+)*|[A-Z]|[IVXL]+)[.:)]?\s", re.I
)
_ENDS_SENTENCE = (".", ",", ";", "?", "!")


def review_headings(document: Document, judge: Judge) -> Document | None:
    """Return the document with its headings decided, None where the model failed or a cap was met.

    Raises ModelError where the provider refuses the key or does not know the model.
    """
    asked = judge.branch()
    try:
        decided = judge_headings(document, asked)
    finally:
        for record in asked.records:
            judge.record(record)
    return None if asked.stopped or fell_back(asked) else decided


def judge_headings(document: Document, judge: Judge) -> Document:
    """Return the document with doubtful headings settled: made headings, given another level, or made paragraphs.

    A document without doubtful lines is returned as it is, and so is any without a model.
    """
    if not judge.has_model("level_headings"):
        return document
    rows = doubtful(document.blocks)
    if not len(rows):
        return document
    return dataclasses.replace(document, blocks=_settled(document.blocks, rows, judge))


def doubtful(blocks: BlockTable) -> npt.NDArray[np.int64]:
    """Return the rows that may or may not be headings, in order.

    Those are headings that neither a number nor their size bears out, and short lines in bold that end like a title.
    """
    body = _body_size(blocks)
    short = np.fromiter((0 < len(text) <= _Ask.LONGEST for text in blocks.text), np.bool_, len(blocks))
    is_heading = (blocks.kind == Kind.HEADING) & (blocks.size < _Ask.LARGER * body)
    is_line = (blocks.kind == Kind.PARAGRAPH) & blocks.bold
    rows = np.flatnonzero(short & (is_heading | is_line))
    texts = blocks.text.take(rows)
    kept = [
        row
        for row, text in zip(rows.tolist(), texts, strict=True)
        if not _NUMBERED.match(text) and (is_heading[row] or not text.rstrip().endswith(_ENDS_SENTENCE))
    ]
    return np.array(kept[: _Ask.MOST], np.int64)


def _body_size(blocks: BlockTable) -> float:
    """Return the type size most of the text is set in."""
    rows = np.flatnonzero((blocks.kind == Kind.PARAGRAPH) & (blocks.size > 0))
    if not len(rows):
        return 0.0
    sizes = np.round(blocks.size[rows] * 2) / 2
    lengths = np.fromiter(map(len, blocks.text.take(rows)), np.int64, len(rows))
    values, inverse = np.unique(sizes, return_inverse=True)
    return float(values[np.argmax(np.bincount(inverse, weights=lengths))])


def _settled(blocks: BlockTable, rows: npt.NDArray[np.int64], judge: Judge) -> BlockTable:
    """Return the blocks with kinds and levels as decided, batch after batch: each sees the headings open above it."""
    from octavo.decisions.level_headings import LEVEL_HEADINGS, HeadingCandidate, OpenHeadings

    kind, level = blocks.kind.copy(), blocks.level.copy()
    for start in range(0, len(rows), BATCH):
        asked = rows[start : start + BATCH].tolist()
        candidates = [
            HeadingCandidate(
                text=blocks.text[row],
                page=int(blocks.page[row]),
                size=float(blocks.size[row]),
                is_bold=bool(blocks.bold[row]),
                level=int(level[row]) if kind[row] == Kind.HEADING else 0,
            )
            for row in asked
        ]
        context = OpenHeadings(_open_above(blocks, kind, level, asked[0]))
        for row, decided in zip(asked, judge.decide_items(LEVEL_HEADINGS, context, candidates), strict=True):
            kind[row] = Kind.HEADING if decided.output.level else Kind.PARAGRAPH
            level[row] = decided.output.level
    level = _without_gaps(kind, level)
    parent, end = nest(kind, level)
    return dataclasses.replace(blocks, kind=kind, level=level, parent=parent, end=end)


def _open_above(
    blocks: BlockTable, kind: npt.NDArray[np.uint8], level: npt.NDArray[np.uint8], row: int
) -> tuple[str, ...]:
    """Return the titles of the sections that are open at a row, outermost first."""
    path: list[int] = []
    depth = 256
    for above in np.flatnonzero(kind[:row] == Kind.HEADING)[::-1].tolist():
        if level[above] < depth:
            path.append(above)
            depth = int(level[above])
        if depth == 1:
            break
    return tuple(blocks.text.take(path[::-1]))


def _without_gaps(kind: npt.NDArray[np.uint8], level: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return the levels with none skipped on the way down: a heading is at most one deeper than the one it is in."""
    found, path = level.copy(), list[tuple[int, int]]()
    for row in np.flatnonzero(kind == Kind.HEADING).tolist():
        given = int(level[row])
        while path and path[-1][0] >= given:
            path.pop()
        found[row] = path[-1][1] + 1 if path else 1
        path.append((given, int(found[row])))
    return found
