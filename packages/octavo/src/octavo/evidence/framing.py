"""What is drawn of an element: the element with its captions and the title printed over it.

The title of a chart is often a block of its own, so that the chart alone does not say what it is of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from octavo_documents.document.blocks import BlockTable, Kind

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
"""Share of a title's width that lies over the element at least."""


def framed(blocks: BlockTable, captions: Mapping[int, Sequence[int]], rows: Sequence[int], on_page: slice) -> Box:
    """Return the box around some rows of a page, their captions and the title over them.

    `captions` are the rows of the captions of each row that has any; `on_page` are the rows of the page.
    """
    own = {row: _box(blocks, row) for row in range(on_page.start, on_page.stop)}
    shown = _around([own[row] if row in own else _box(blocks, row) for row in rows])
    told = [own[row] for one in rows for row in captions.get(one, ()) if row in own]
    found = _around([shown, *(box for box in told if _gap(box, shown) <= _NEAR)])
    of_others = {row for one, some in captions.items() if one not in rows for row in some if row in own}
    inside = {*rows, *(row for one in rows for row in captions.get(one, ()))}
    beside = [
        (box, row not in of_others and _may_be_title(blocks, row)) for row, box in own.items() if row not in inside
    ]
    return _around([found, *_over(found, beside)])


def _over(shown: Box, beside: Sequence[tuple[Box, bool]]) -> Iterator[Box]:
    """Yield what stands right over a box, and what stands right over that, as long as it may be a title.

    `beside` are the other boxes of the page, each with whether it may be one.
    """
    for _ in range(_MOST):
        over = [one for one in beside if -_SUNK <= shown[1] - one[0][3] <= _NEAR and _lies_over(one[0], shown)]
        nearest, is_title = max(over, key=lambda one: one[0][3], default=(shown, False))
        if not is_title:
            return
        yield nearest
        shown, beside = (shown[0], nearest[1], shown[2], shown[3]), [one for one in beside if one[0] != nearest]


def _may_be_title(blocks: BlockTable, row: int) -> bool:
    _, top, _, bottom = _box(blocks, row)
    text = blocks.text[row].strip()
    is_sentence = blocks.kind[row] == Kind.PARAGRAPH and text.endswith((".", ":", ";", ","))
    is_short = bottom - top <= _HIGHEST and 0 < len(text) <= _LONGEST
    return Kind(int(blocks.kind[row])) in _TITLES and is_short and not is_sentence


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
