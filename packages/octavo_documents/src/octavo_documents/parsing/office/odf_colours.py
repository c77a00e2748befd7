"""The colours of words and of what is behind them in OpenDocument files (version 1.3, part 3, 16 and 20).

Each style says the colour of its letters and the ground of what it is for, with what it takes from its parents. What is
said nowhere, a letter in the colour that a program chooses, a picture or a gradient behind words is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from octavo_documents.parsing import css_values as css
from octavo_documents.parsing.css_values import WHITE, Colour
from octavo_documents.parsing.office.paint import NOTHING, UNKNOWN, Fill
from octavo_documents.parsing.package import Element, name_of

_URN = "urn:oasis:names:tc:opendocument:xmlns:"
_FO, _STYLE, _DRAW = f"{{{_URN}xsl-fo-compatible:1.0}}", f"{{{_URN}style:1.0}}", f"{{{_URN}drawing:1.0}}"
_LETTERS = f"{_STYLE}text-properties"
_AREAS = ("graphic-properties", "drawing-page-properties")
_TINY = re.compile(r"(?:0(?:\.\d+)?|1)pt|0(?:\.0\d*)?(?:cm|in|mm|%)")
_OPAQUE = ("", "100%")


def is_tiny(size: str) -> bool:
    """Whether letters of a size are too small to be seen."""
    return bool(_TINY.fullmatch(size))


def ink_of(chain: Iterable[Element]) -> Fill | None:
    """Return what the nearest of a style and its parents that says so paints letters with; None where none does."""
    for style in chain:
        said = style.find(_LETTERS)
        if said is None:
            continue
        if said.get(f"{_STYLE}use-window-font-color") == "true" or said.get(f"{_STYLE}text-outline") == "true":
            return UNKNOWN
        colour = said.get(f"{_FO}color")
        if colour is not None:
            return Fill(colour=css.colour(colour))
    return None


def ground_of(chain: Sequence[Element]) -> Fill | None:
    """Return the ground that a style and its parents put behind words; None where they put none there."""
    areas = [[one for one in style if name_of(one).endswith("properties")] for style in chain]
    letters = (one for ones in areas for one in ones if one.tag == _LETTERS)
    others = (one for ones in areas for one in ones if one.tag != _LETTERS)
    for properties in (letters, others):
        found = next((said for one in properties if (said := filled(one)) is not None), None)
        if found is not None and not found.is_none:
            return found
    return None


def fill_of(chain: Iterable[Element]) -> Fill | None:
    """Return what the nearest of a style and its parents that says so fills a shape or slide with; None for none."""
    areas = (one for style in chain for one in style if name_of(one) in _AREAS)
    return next((said for one in areas if (said := filled(one)) is not None), None)


def filled(properties: Element) -> Fill | None:
    """Return what properties fill an area with; None where they say nothing of it."""
    kind, ground = properties.get(f"{_DRAW}fill", ""), properties.get(f"{_FO}background-color", "")
    if kind == "none" or (not kind and ground == "transparent"):
        return NOTHING
    is_opaque = all(properties.get(f"{_DRAW}{name}", "") in _OPAQUE for name in ("opacity", "opacity-name"))
    has_picture = any(name_of(one) == "background-image" and len(one.attrib) for one in properties)
    if kind not in ("", "solid") or has_picture or not is_opaque:
        return UNKNOWN
    colour = properties.get(f"{_DRAW}fill-color", "") or ground if kind == "solid" else ground
    if not colour:
        return UNKNOWN if kind else None
    return Fill(colour=css.colour(colour))


def page_ground(roots: Iterable[Element]) -> Colour | None:
    """Return the colour of the pages of a text; None where they differ, or text may stand on what lies under it."""
    grounds = set[Colour | None]()
    for root in roots:
        if any(one.get(f"{_STYLE}run-through") == "background" for one in root.iter(f"{_STYLE}graphic-properties")):
            return None
        for properties in _pages(root):
            fill = filled(properties)
            grounds.add(WHITE if fill is None or fill.is_none else fill.colour)
    return WHITE if not grounds else grounds.pop() if len(grounds) == 1 else None


def _pages(root: Element) -> Iterator[Element]:
    masters = root.iter(f"{_STYLE}master-page")
    used = {one.get(f"{_STYLE}page-layout-name", "") for one in masters}
    for one in root.iter(f"{_STYLE}page-layout"):
        if one.get(f"{_STYLE}name", "") in used:
            yield from one.iterchildren(f"{_STYLE}page-layout-properties")
