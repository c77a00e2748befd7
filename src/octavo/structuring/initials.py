"""Drop caps: the large first letter of a paragraph, joined to the word it begins.

Owns telling them and making the lines beside one start where it does. Knows nothing about paragraphs or columns.
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np

from octavo.structuring.lines import Boxes, PageLines

_INITIAL = re.compile(r"[\"'“‘«]?[^\W\d_]")


class _Initial:
    """The look of a drop cap, chosen by hand, by the type size; heights of capitals are a typographic convention."""

    LARGER = 1.7  # least size, by that of the text beside it
    LARGEST = 8.0  # greatest size, by that of the text beside it
    CAP_HEIGHT = 0.7  # height of a capital over its baseline
    BASELINE = 0.22  # height of the baseline over the foot of a line's box
    GAP = 1.2  # widest gap to the text beside it, by the text's size
    OVERHANG = 0.35  # how far a line may stand over its top


_WORD = re.compile(r"[^\W\d_]+")


def with_initials(page: PageLines) -> PageLines:
    """Return the lines of a page with drop caps joined to their first line; the row of the letter stays, empty."""
    rows = [row for row in range(len(page)) if len(page.texts[row]) <= 2 and _INITIAL.fullmatch(page.texts[row])]
    found = {row: beside for row in rows if (beside := _beside(page, row))}
    if not found:
        return page
    texts, boxes = list(page.texts), page.boxes.copy()
    for row, beside in found.items():
        texts[beside[0]] = _joined(page, row, beside[0])
        texts[row] = ""
        boxes[beside, 0] = boxes[row, 0]
    gaps = {row: gaps for row, gaps in page.gaps.items() if row not in {beside[0] for beside in found.values()}}
    places = boxes if page.places is page.boxes else _moved(page, boxes)
    return dataclasses.replace(page, texts=texts, boxes=boxes, places=places, gaps=gaps)


def _moved(page: PageLines, boxes: Boxes) -> Boxes:
    upright = np.array(page.angles) == 0
    return np.where(upright[:, None], boxes, page.places)


def _beside(page: PageLines, row: int) -> list[int]:
    """Return the lines beside a drop cap, top to bottom; none when it is no such letter.

    There are two or more, or one on its baseline; the first is level with its top.
    """
    if page.angles[row]:
        return []
    size = page.looks[row].size
    x1, top = (
        float(page.boxes[row, 2]),
        float(page.boxes[row, 3]) - _Initial.BASELINE * size - _Initial.CAP_HEIGHT * size,
    )
    baseline = float(page.boxes[row, 3]) - _Initial.BASELINE * size
    middle = (page.boxes[:, 1] + page.boxes[:, 3]) / 2
    near = (page.boxes[:, 0] > x1 - 0.2 * size) & (page.boxes[:, 0] < x1 + 0.6 * size)
    near &= (middle > top - _Initial.OVERHANG * size) & (middle < baseline)
    lines = [at for at in np.flatnonzero(near).tolist() if at != row and _is_text(page, at, size)]
    lines.sort(key=lambda at: page.boxes[at, 1])
    if not lines:
        return []
    first = page.looks[lines[0]].size
    gap = float(page.boxes[lines[0], 0]) - x1
    last = float(page.boxes[lines[-1], 3]) - _Initial.BASELINE * page.looks[lines[-1]].size
    is_level = abs(float(page.boxes[lines[0], 1]) - top) < first and abs(last - baseline) < 0.6 * first
    is_raised = len(lines) == 1 and abs(last - baseline) < 0.2 * first
    return lines if gap < _Initial.GAP * first and ((len(lines) > 1 and is_level) or is_raised) else []


def _is_text(page: PageLines, row: int, size: float) -> bool:
    """Tell a line of type that an initial of this size may stand beside."""
    own = page.looks[row].size
    return page.angles[row] == 0 and _Initial.LARGER * own < size < _Initial.LARGEST * own and len(page.texts[row]) > 2


def _joined(page: PageLines, row: int, first: int) -> str:
    """Return the first line with its letter, apart when the letter is a word ("A", "I") and what follows is one too."""
    letter, text = page.texts[row], page.texts[first]
    word = _WORD.match(text)
    if letter in ("A", "I") and word:
        known = {item.lower() for line in page.texts for item in _WORD.findall(line) if line is not text}
        if word[0].lower() in known and (letter + word[0]).lower() not in known:
            return f"{letter} {text}"
    return letter + text
