"""What the slides of a presentation take from their layouts and masters: places, sizes and bullets of placeholders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.numerals import whole_number
from octavo_documents.parsing.office.drawing import (
    A,
    words,
)
from octavo_documents.parsing.office.slide_colours import P
from octavo_documents.parsing.office.slides import Box
from octavo_documents.parsing.open_xml import OpenXml
from octavo_documents.parsing.package import Element

TITLES = ("title", "ctrTitle")
BODIES = ("", "obj", "body")
BODY_STYLED = (*BODIES, "subTitle")
FURNITURE = ("dt", "ftr", "sldNum", "hdr")
_BULLETS = (f"{A}buNone", f"{A}buChar", f"{A}buAutoNum", f"{A}buBlip")
_NEAR = {"ctrTitle": "title", "subTitle": "body", "obj": "body", "": "body"}
"""The type of a master's placeholder that stands for one of a layout."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """What a shape stands for on its layout: a type ("title", "" for content) and a number."""

    type: str
    index: str


def placeholder(shape: Element) -> Placeholder | None:
    """Return what a shape stands for, None where it is no placeholder."""
    found = next(shape.iter(f"{P}ph"), None)
    return None if found is None else Placeholder(found.get("type", ""), found.get("idx", ""))


def box_of(shape: Element) -> Box | None:
    """Return where a shape says that it stands."""
    holder = shape.find(f"{P}spPr")
    if holder is None:
        holder = shape.find(f"{P}grpSpPr")
    frame = shape.find(f"{P}xfrm") if holder is None else holder.find(f"{A}xfrm")
    if frame is None:
        return None
    start, size = frame.find(f"{A}off"), frame.find(f"{A}ext")
    if start is None or size is None:
        return None
    x, y, wide, high = (coordinate(start, "x"), coordinate(start, "y"), coordinate(size, "cx"), coordinate(size, "cy"))
    return Box(x, y, x + wide, y + high)


def coordinate(node: Element, name: str) -> float:
    """Return a length that an attribute gives in EMU, 0 where it gives none."""
    value = node.get(name, "0")
    size = whole_number(value.removeprefix("-"), digits=15) or 0
    return float(-size if value.startswith("-") else size)


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout with its master. `type` is what the layout says it is for ("title", "secHead")."""

    type: str
    placeholders: tuple[dict[Placeholder, Element], ...]
    """Those of the layout and those of the master."""
    body: Element | None
    """How the master sets the text of bodies."""
    texts: tuple[str, ...]
    """What stands on every slide."""
    roots: tuple[Element, ...] = ()
    """The layout and its master, as far as they are there."""
    theme: Element | None = None

    def above(self, one: Placeholder) -> Iterator[Element]:
        """Yield the shapes that a slide's placeholder follows, the nearest first."""
        for shapes in self.placeholders:
            for key, shape in shapes.items():
                if (key.index == one.index and one.index) or key.type == one.type:
                    yield shape
                    break
            else:
                near = _NEAR.get(one.type)
                yield from (shape for key, shape in shapes.items() if near and key.type == near)

    def box(self, one: Placeholder) -> Box | None:
        """Return where a placeholder stands that does not say so itself."""
        return next((box for shape in self.above(one) if (box := box_of(shape)) is not None), None)

    def bullet(self, shape: Element, one: Placeholder | None, level: int) -> Element | None:
        """Return the bullet (an element of DrawingML) of a shape's paragraphs at a level, from 1; None for none."""
        name = f"{A}lvl{min(max(level, 1), 9)}pPr"
        holders = [shape, *(self.above(one) if one else ())]
        styles = [style for holder in holders if (style := holder.find(f"{P}txBody/{A}lstStyle")) is not None]
        if one and one.type in BODIES and self.body is not None:
            styles.append(self.body)
        for style in styles:
            said = style.find(name)
            found = None if said is None else bullet_in(said)
            if found is not None:
                return found
        return None


def bullet_in(properties: Element | None) -> Element | None:
    """Return the bullet that a paragraph's properties name."""
    return None if properties is None else next((one for one in properties if one.tag in _BULLETS), None)


class Layouts:
    """The layouts of a file, each read once."""

    def __init__(self, file: OpenXml) -> None:
        self._file = file
        self._read: dict[str, Layout] = {}

    def of(self, slide: str) -> Layout:
        """Return the layout of a slide, by the slide's name; an empty one where it is missing or damaged."""
        name = self._file.first(slide, "slideLayout")
        if name not in self._read:
            self._read[name] = self._layout(name)
        return self._read[name]

    def _layout(self, name: str) -> Layout:
        master = self._file.first(name, "slideMaster") if name else ""
        roots = [root for one in (name, master) if (root := self._root(one)) is not None]
        body = roots[-1].find(f"{P}txStyles/{P}bodyStyle") if roots else None
        texts = dict.fromkeys(text for root in roots for text in _texts(root))
        kind = roots[0].get("type", "") if roots else ""
        theme = self._root(self._file.first(master, "theme")) if master else None
        return Layout(kind, tuple(map(_placeholders, roots)), body, tuple(texts), tuple(roots), theme)

    def _root(self, name: str) -> Element | None:
        try:
            return self._file.xml(name) if name else None
        except NoText:
            return None


def _placeholders(root: Element) -> dict[Placeholder, Element]:
    found: dict[Placeholder, Element] = {}
    for shape in root.iter(f"{P}sp"):
        one = placeholder(shape)
        if one is not None:
            found.setdefault(one, shape)
    return found


def _texts(root: Element) -> Iterator[str]:
    """Yield what stands on a layout outside of its placeholders, whose words are only prompts."""
    for shape in root.iter(f"{P}sp"):
        if placeholder(shape) is None:
            text = " ".join(filter(None, map(words, shape.iter(f"{A}p"))))
            if any(letter.isalpha() for letter in text):
                yield text
