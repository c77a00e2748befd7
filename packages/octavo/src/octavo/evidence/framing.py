"""What is drawn of an element: the element with its captions, the title printed over it, and the axis under a chart.

The title of a chart is often a block of its own, so that the chart alone does not say what it is of; so are the years
under it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from octavo_documents.document.blocks import BlockTable, Kind
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.values import MONTH

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the top left of the page."""
_TITLES = (Kind.TITLE, Kind.HEADING, Kind.CAPTION, Kind.PARAGRAPH)
_NEAR = 36.0
"""Points between an element and its caption or title at most."""
_SUNK = 6.0
"""Points that a title reaches into an element at most."""
_HIGHEST = 48.0
"""Points: about three lines. What is higher is text."""
_LONGEST = 160
"""Characters of a title."""
_MOST = 2
"""Blocks over an element, such as a title and a line under it."""
_OVER = 0.5
"""Share of a title's width that lies over the element at least, and of an element's that its axis has."""
_FAR, _UNDER, _SAME_LINE = 60.0, 90.0, 8.0
"""Points between a chart of which the axis stands apart and its title, and its axis, at most; and how far apart parts
of one line begin."""
_AXIS_WORD = lazy_regex(rf"(?<!\w)(?:{MONTH}|(?:FY|Q|H)?['’]?\d[\d.,:/–-]*%?)(?!\w)", re.IGNORECASE)


def framed(blocks: BlockTable, captions: Mapping[int, Sequence[int]], rows: Sequence[int], on_page: slice) -> Box:
    """Return the box around some rows of a page, their captions, the title over them and the axis under a chart.

    `captions` are the rows of the captions of each row that has any; `on_page` are the rows of the page. A chart whose
    axis stands apart is higher than what was drawn of it: its title may stand further off, over a legend.
    """
    own = {row: _box(blocks, row) for row in range(on_page.start, on_page.stop)}
    axis = axis_rows(blocks, rows, on_page)
    shown = _around([*(own[row] if row in own else _box(blocks, row) for row in rows), *(own[row] for row in axis)])
    told = [own[row] for one in rows for row in captions.get(one, ()) if row in own]
    found = _around([shown, *(box for box in told if _gap(box, shown) <= _NEAR)])
    of_others = {row for one, some in captions.items() if one not in rows for row in some if row in own}
    inside = {*rows, *axis, *(row for one in rows for row in captions.get(one, ()))}
    beside = [
        (box, row not in of_others and _may_be_title(blocks, row)) for row, box in own.items() if row not in inside
    ]
    return _around([found, *(_over(found, beside, _FAR, _MOST + 1) if axis else _over(found, beside, _NEAR, _MOST))])


def axis_rows(blocks: BlockTable, rows: Sequence[int], on_page: slice) -> tuple[int, ...]:
    """Return the rows of the axis right under a chart: a line of numbers and months alone, as wide as half of it.

    It may have been taken for a table. Nothing else stands between, and the chart is none with such a line inside.
    """
    if any(blocks.kind_of(row) != Kind.CHART for row in rows):
        return ()
    shown = _around([_box(blocks, row) for row in rows])
    others = [row for row in range(on_page.start, on_page.stop) if row not in rows]
    under = [row for row in others if _lies_under(_box(blocks, row), shown)]
    first = min((_box(blocks, row)[1] for row in under), default=0.0)
    line = [row for row in under if _box(blocks, row)[1] <= first + _SAME_LINE]
    if not line or not all(_is_axis(blocks, row) for row in line):
        return ()
    words = sum(len(_AXIS_WORD.findall(blocks.text[row])) for row in line)
    left, _, right, _ = _around([_box(blocks, row) for row in line])
    return tuple(line) if words > 1 and right - left >= _OVER * (shown[2] - shown[0]) else ()


def _is_axis(blocks: BlockTable, row: int) -> bool:
    """Return whether a block says numbers and months alone."""
    _, top, _, bottom = _box(blocks, row)
    text = blocks.text[row].strip()
    return bool(text) and bottom - top <= _HIGHEST and not _AXIS_WORD.sub("", text).replace("|", "").split()


def _lies_under(box: Box, shown: Box) -> bool:
    """Return whether a box lies under another within reach, and not beside it."""
    return min(box[2], shown[2]) > max(box[0], shown[0]) and -_SUNK <= box[1] - shown[3] <= _UNDER


def _over(shown: Box, beside: Sequence[tuple[Box, bool]], near: float, most: int) -> Iterator[Box]:
    """Yield what stands right over a box, and what stands right over that, as long as it may be a title.

    `beside` are the other boxes of the page, each with whether it may be one. What stands in one line, such as the
    names of a legend, is taken together. At most so many lines, each within so many points.
    """
    for _ in range(most):
        over = [one for one in beside if -_SUNK <= shown[1] - one[0][3] <= near and _lies_over(one[0], shown)]
        lowest = max((box[3] for box, _ in over), default=0.0)
        line = [one for one in over if one[0][3] >= lowest - _SUNK]
        if not line or not all(is_title for _, is_title in line):
            return
        yield from (box for box, _ in line)
        top = min(box[1] for box, _ in line)
        shown, beside = (shown[0], top, shown[2], shown[3]), [one for one in beside if one not in line]


def _may_be_title(blocks: BlockTable, row: int) -> bool:
    _, top, _, bottom = _box(blocks, row)
    text = blocks.text[row].strip()
    is_sentence = blocks.kind_of(row) == Kind.PARAGRAPH and text.endswith((".", ":", ";", ","))
    is_short = bottom - top <= _HIGHEST and 0 < len(text) <= _LONGEST
    return blocks.kind_of(row) in _TITLES and is_short and not is_sentence


def _lies_over(box: Box, shown: Box) -> bool:
    """Return whether most of the width of a box lies over another one, which it does not reach into."""
    shared = min(box[2], shown[2]) - max(box[0], shown[0])
    return shared > 0 and shared >= _OVER * (box[2] - box[0]) and box[1] < shown[1]


def _box(blocks: BlockTable, row: int) -> Box:
    x0, y0, x1, y1 = blocks.box[row].tolist()
    return x0, y0, x1, y1


def _around(boxes: Sequence[Box]) -> Box:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


def _gap(one: Box, other: Box) -> float:
    """Return how far apart two boxes are, 0 where they touch."""
    return max(0.0, *(max(one[at], other[at]) - min(one[at + 2], other[at + 2]) for at in (0, 1)))
