"""Brackets in right-to-left writing as they are drawn: PDFium gives some of them as their mirror images.

It does so after right-to-left letters, in what it takes for a line, and leaves them as the file has them after others.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np
import numpy.typing as npt

from octavo_documents.text.bidirectional import kind, mirrored

_LINE_END = (10, 13)


def as_drawn(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the characters of a page with brackets as the file has them; spaces and ends of lines are among them."""
    found = codes.copy()
    start = 0
    for is_end, line in groupby(codes.tolist(), key=_LINE_END.__contains__):
        held = [*line]
        if not is_end:
            found[start : start + len(held)] = _line_as_drawn(held)
        start += len(held)
    return found


def _line_as_drawn(codes: list[int]) -> list[int]:
    kinds = [kind(chr(code)) for code in codes]
    runs = [one for one, _ in groupby(kinds)]
    if "R" not in runs:
        return codes
    is_right = next(one for one in runs if one in ("R", "L")) == "R" or runs.count("R") > runs.count("L")
    drawn = [*codes]
    for at, one in enumerate(kinds):
        if one in ("R", "L"):
            is_right = one == "R"
        elif is_right:
            drawn[at] = ord(mirrored(chr(codes[at])))
    return drawn
