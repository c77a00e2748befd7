"""Which words on a slide are painted in the colour of their ground, or in none (ECMA-376 part 1, 20.1 and 21.1).

The colour of words is that of their run, else of the styles of their shape, its layout, its master and the file; the
ground is the fill of their shape, else what is drawn behind it, else the background of the slide. Where either is not
known (a picture, a gradient, a fill of the theme's own), words count as seen.
"""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from octavo_documents.parsing import css_values as css
from octavo_documents.parsing.css_values import WHITE, Colour
from octavo_documents.parsing.numerals import whole_number
from octavo_documents.parsing.office.drawing import A, Shows
from octavo_documents.parsing.office.paint import NOTHING, UNKNOWN, Canvas, Fill, is_seen
from octavo_documents.parsing.office.slides import Box
from octavo_documents.parsing.package import Element

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_WHOLE = 100_000
"""All of something, in the thousandths of a percent that DrawingML counts in."""
_SIZELESS = 100
"""Hundredths of a point."""
_FILLS = tuple(f"{A}{name}Fill" for name in ("no", "solid", "grad", "blip", "patt", "grp"))
_NO_FILL, _SOLID = _FILLS[:2]
_RECTANGLES = ("rect", "roundRect", "round1Rect", "round2SameRect", "snip1Rect", "snip2SameRect")
_PLAIN_TABLES = ("{2D5ABB26-0587-4C30-8999-92F81FD0307C}", "{5940675A-B579-460E-94D1-54222C63F5DA}")
"""Looks of tables that fill no cell."""
_FIRST_BACKGROUND = 1001


class Scheme:
    """The colours of a theme by the names that slides give them."""

    def __init__(self, theme: Element | None, names: Mapping[str, str]) -> None:
        self._names = names
        found = None if theme is None else theme.find(f"{A}themeElements/{A}clrScheme")
        self._holders = {} if found is None else {one.tag.removeprefix(A): one for one in found}

    def of(self, holder: Element | None, depth: int = 0) -> Colour | None:
        """Return the colour that stands in an element; None where it is not known or is seen through."""
        one = None if holder is None else next(iter(holder), None)
        if one is None or depth > 1:
            return None
        kind, value = one.tag.removeprefix(A), one.get("val", "")
        if kind == "schemeClr":
            found = self.of(self._holders.get(self._names.get(value, value)), depth + 1)
        elif kind == "prstClr":
            found = css.colour(value)
        elif kind in ("srgbClr", "sysClr"):
            found = css.colour(f"#{one.get('lastClr', '') if kind == 'sysClr' else value}")
        else:
            found = None
        return None if found is None else _changed(found, one)

    def fill(self, properties: Element | None) -> Fill | None:
        """Return how properties fill an area or letters; None where they say nothing of it."""
        found = None if properties is None else next((one for one in properties if one.tag in _FILLS), None)
        if found is None:
            return None
        if found.tag == _NO_FILL or (found.tag == _SOLID and _is_clear(found)):
            return NOTHING
        return Fill(colour=self.of(found)) if found.tag == _SOLID else UNKNOWN


def _changed(colour: Colour, node: Element) -> Colour | None:
    """Return a colour made lighter or darker as is said in it; None where it is changed in another way."""
    hue, light, full = colorsys.rgb_to_hls(*(one / 255 for one in colour))
    for one in node:
        amount = _thousandths(one)
        if one.tag == f"{A}lumMod":
            light *= amount
        elif one.tag == f"{A}lumOff":
            light += amount
        elif one.tag != f"{A}alpha" or amount < 1:
            return None
    if not len(node):
        return colour
    red, green, blue = colorsys.hls_to_rgb(hue, min(max(light, 0.0), 1.0), full)
    return round(red * 255), round(green * 255), round(blue * 255)


def _thousandths(node: Element) -> float:
    return (whole_number(node.get("val", ""), digits=7) or 0) / _WHOLE


def _is_clear(solid: Element) -> bool:
    """Whether a fill is wholly seen through."""
    return any(one.get("val") == "0" for one in solid.iter(f"{A}alpha"))


class SlideColours:
    """Which words of a slide are seen, by their colours."""

    def __init__(self, roots: Sequence[Element], theme: Element | None, default: Element | None) -> None:
        """Take a slide, its layout and its master, as far as they are there, the theme and the styles of the file."""
        self._master = roots[-1] if len(roots) > 1 else None
        self._default = default
        self._scheme = Scheme(theme, dict(_names(roots)))
        self._canvas = Canvas(self._background(roots, theme))

    def draw(self, fill: Fill, box: Box | None, shape: Element) -> None:
        """Note that a shape is drawn over what was drawn before."""
        self._canvas.draw(fill if fill.is_none or is_rectangle(shape) else UNKNOWN, box)

    def fill(self, shape: Element, above: Iterable[Element]) -> Fill:
        """Return what a shape is filled with, by itself or by the shapes of its layout and master that it follows."""
        if shape.tag != f"{P}sp":
            return NOTHING if shape.tag == f"{P}cxnSp" else UNKNOWN
        for one in (shape, *above):
            said = self._scheme.fill(one.find(f"{P}spPr"))
            if said is not None:
                return said
            named = one.find(f"{P}style/{A}fillRef")
            if named is not None:
                return NOTHING if named.get("idx", "0") in ("0", "1000") else UNKNOWN
        return NOTHING

    def ground(self, fill: Fill, box: Box | None) -> Colour | None:
        """Return the colour behind the words of a shape; None where it is not known."""
        return self._canvas.behind(box) if fill.is_none else fill.colour

    def words_on(
        self, ground: Colour | None, shape: Element, above: Sequence[Element], kind: str, hide: Callable[[str], None]
    ) -> Callable[[Element], Shows]:
        """Return what tells of each paragraph of a shape which of its runs are shown; `kind` is "title" or "body"."""
        known: dict[int, tuple[Element | None, ...]] = {}

        def of(paragraph: Element) -> Shows:
            properties = paragraph.find(f"{A}pPr")
            said = None if properties is None else whole_number(properties.get("lvl", ""), digits=2)
            level = min((said or 0) + 1, 9)
            if level not in known:
                known[level] = tuple(self._styles(shape, above, kind, level))
            return self._shows(known[level], ground, hide)

        return of

    def cells_on(
        self, table: Element, ground: Colour | None, hide: Callable[[str], None]
    ) -> Callable[[Element], Shows]:
        """Return what tells of each cell of a table which runs in it are shown.

        Looks of tables are not followed: only colours that a run and its cell say themselves are known.
        """
        style = table.find(f"{A}tblPr/{A}tableStyleId")
        is_plain = style is None or (style.text or "").strip().upper() in _PLAIN_TABLES

        def of(cell: Element) -> Shows:
            fill = self._scheme.fill(cell.find(f"{A}tcPr")) or (NOTHING if is_plain else UNKNOWN)
            return self._shows((), ground if fill.is_none else fill.colour, hide)

        return of

    def _shows(self, styles: Sequence[Element | None], ground: Colour | None, hide: Callable[[str], None]) -> Shows:
        def shows(properties: Element | None, text: str) -> bool:
            is_shown = self._is_seen((properties, *styles), ground)
            if not is_shown:
                hide(text)
            return is_shown

        return shows

    def _is_seen(self, properties: Sequence[Element | None], ground: Colour | None) -> bool:
        size = next((said for one in properties if one is not None and (said := one.get("sz"))), "")
        if (whole_number(size, digits=7) or _WHOLE) <= _SIZELESS:
            return False
        own = properties[0]
        if own is not None and own.find(f"{A}hlinkClick") is not None:
            return True  # in a colour that programs choose
        if any(one is not None and one.find(f"{A}ln") is not None for one in properties):
            return True  # letters with an outline
        marked = None if own is None else own.find(f"{A}highlight")
        ground = ground if marked is None else self._scheme.of(marked)
        fill = next((ink for one in properties if (ink := self._ink(one)) is not None), None)
        return is_seen(fill, ground)

    def _ink(self, properties: Element | None) -> Fill | None:
        if properties is not None and properties.tag == f"{A}fontRef":
            return Fill(colour=self._scheme.of(properties)) if len(properties) else None
        return self._scheme.fill(properties)

    def _styles(self, shape: Element, above: Sequence[Element], kind: str, level: int) -> Iterator[Element | None]:
        """Yield what sets the letters of a paragraph at a level, the nearest first."""
        name = f"{A}lvl{level}pPr/{A}defRPr"
        yield from (one.find(f"{P}txBody/{A}lstStyle/{name}") for one in (shape, *above))
        yield shape.find(f"{P}style/{A}fontRef")
        if self._master is not None:
            yield self._master.find(f"{P}txStyles/{P}{kind or 'other'}Style/{name}")
        yield None if self._default is None else self._default.find(name)

    def _background(self, roots: Sequence[Element], theme: Element | None) -> Colour | None:
        for root in roots:
            ground = root.find(f"{P}cSld/{P}bg")
            if ground is None:
                continue
            said = self._scheme.fill(ground.find(f"{P}bgPr"))
            named = ground.find(f"{P}bgRef")
            if said is None and named is not None:
                return self._scheme.of(named) if _is_plain_ground(theme, named.get("idx", "")) else None
            return None if said is None else WHITE if said.is_none else said.colour
        return WHITE


def _names(roots: Sequence[Element]) -> Iterator[tuple[str, str]]:
    """Yield by which name of the theme slides call each colour; what stands nearer to the slide comes later."""
    for root in reversed(roots):
        mapped = root.find(f"{P}clrMap")
        if mapped is None:
            mapped = root.find(f"{P}clrMapOvr/{A}overrideClrMapping")
        yield from mapped.attrib.items() if mapped is not None else ()


def _is_plain_ground(theme: Element | None, number: str) -> bool:
    """Whether a background of a theme is one colour, that which the slide names."""
    grounds = None if theme is None else theme.find(f"{A}themeElements/{A}fmtScheme/{A}bgFillStyleLst")
    at = (whole_number(number) or 0) - _FIRST_BACKGROUND
    one = None if grounds is None or at < 0 else next((fill for place, fill in enumerate(grounds) if place == at), None)
    colour = None if one is None or one.tag != _SOLID else next(iter(one), None)
    return colour is not None and colour.get("val") == "phClr" and not len(colour)


def is_rectangle(shape: Element) -> bool:
    """Whether a shape fills its box."""
    properties = shape.find(f"{P}spPr")
    if properties is None:
        return False
    frame = properties.find(f"{A}xfrm")
    if properties.find(f"{A}custGeom") is not None or (frame is not None and frame.get("rot", "0") != "0"):
        return False
    form = properties.find(f"{A}prstGeom")
    return form is None or form.get("prst") in _RECTANGLES
