"""Places on pages: the words of a page with their boxes, stretches that are marked, quotes that were found.

Boxes are left, top, right, bottom in points, from the top left of the page as displayed; pages count from 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from octavo.document.answer import Citation
from octavo.document.citation_ids import State

Box: TypeAlias = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points, x0 <= x1 and y0 <= y1."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A box on a page."""

    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class Cited:
    """What the id of a citation means now. `start` and `stop` are characters of the block's text, 0 and 0 for all."""

    citation: Citation
    start: int
    stop: int
    boxes: tuple[Spot, ...]
    """What to mark: one a line of print where the words are found on the page, else that of the block."""
    state: State
    """`moved` where the words stand elsewhere in the document than the id says, since it was read anew."""


Found: TypeAlias = Literal["exact", "normalised", "near", "none"]
"""How a quote stands in documents: letter for letter, but for white space, case and typography, nearly, or not."""
