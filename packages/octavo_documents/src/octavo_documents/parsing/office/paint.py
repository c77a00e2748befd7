"""What areas and letters of office files are painted with, and what is seen of words on what is drawn behind them."""

from __future__ import annotations

from dataclasses import dataclass

from octavo_documents.parsing import css_values as css
from octavo_documents.parsing.css_values import Colour
from octavo_documents.parsing.office.slides import Box, holds


@dataclass(frozen=True, slots=True)
class Fill:
    """What an area or a letter is filled with: nothing, or a colour, which is None where it is not known."""

    is_none: bool = False
    colour: Colour | None = None


NOTHING, UNKNOWN = Fill(is_none=True), Fill()


def is_seen(ink: Fill | None, ground: Colour | None) -> bool:
    """Whether letters are seen on a ground; where no ink or ground is known they are."""
    return ink is None or not (ink.is_none or css.is_same(ink.colour, ground))


class Canvas:
    """A page or slide with what has been drawn on it so far."""

    def __init__(self, ground: Colour | None) -> None:
        """Begin with the colour of the page, None where it is not known."""
        self._ground = ground
        self._painted: list[tuple[Box | None, Colour | None]] = []

    def draw(self, fill: Fill, box: Box | None) -> None:
        """Note that an area is drawn over what was drawn before; `box` is None where its place is not known."""
        if not fill.is_none:
            self._painted.append((box, fill.colour))

    def behind(self, box: Box | None) -> Colour | None:
        """Return the colour behind all of a place; None where it is not known or there are several."""
        ground = self._ground
        for where, colour in self._painted:
            if box is None or where is None:
                ground = None
            elif holds(where, box):
                ground = colour
            elif _touch(where, box):
                ground = None
        return ground


def _touch(one: Box, other: Box) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom
