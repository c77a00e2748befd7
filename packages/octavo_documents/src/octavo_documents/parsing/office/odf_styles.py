"""The styles of OpenDocument files: how paragraphs and letters look, and how lists are numbered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from octavo_documents.parsing.numerals import BULLET, NO_NUMBER, numeral, whole_number
from octavo_documents.parsing.office.odf_colours import fill_of, ground_of, ink_of, is_tiny
from octavo_documents.parsing.office.odf_names import DRAW, FO, OFFICE, PRESENTATION, STYLE, SVG, TABLE, TEXT
from octavo_documents.parsing.office.paint import NOTHING, UNKNOWN, Fill
from octavo_documents.parsing.package import Element, name_of

_LOEXT = "{urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0}"
_LEVELS = 10
_LONGEST_CHAIN = 30
_LARGEST = 1 << 20
_FORMS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman", "": NO_NUMBER}
_PLACE = re.compile(r"%(\d{1,2})%")
_CODE = re.compile(r"preformatted text|source (code|text)|html preformatted|code( block)?", re.IGNORECASE)
_CAPTIONS = ("caption", "illustration", "drawing")
_MONOSPACED = re.compile(r"courier|consolas|menlo|monaco|mono\b|monospace|lucida console|typewriter", re.IGNORECASE)
_CONTENTS = re.compile(r"(?:contents|user index|illustration index|table index|object index)(?: (\d))?", re.IGNORECASE)
_STYLED = ("table-cell", "table-row", "table")
_IN_TABLES = (*_STYLED, "covered-table-cell", "table-rows", "table-header-rows", "table-row-group")
_SHAPE_STYLES = ((f"{PRESENTATION}style-name", "presentation"), (f"{DRAW}style-name", "graphic"))
_UNFILLED = (f"{DRAW}frame", f"{DRAW}line", f"{DRAW}connector")
OUTLINE = "\0outline"
"""The name under which the numbering of headings is kept."""


@dataclass(frozen=True, slots=True)
class OdfStyle:
    """What a style says, with what it takes from its parents."""

    name: str = ""
    level: int = 0
    """The outline level, from 1; 0 where it says none."""
    title: bool = False
    bold: bool = False
    hidden: bool = False
    raised: bool = False
    struck: bool | None = None
    """Whether it strikes words out; None where it does not say."""
    code: bool = False
    monospaced: bool = False
    caption: bool = False
    contents: int = 0
    heads_table: bool = False
    list_style: str = ""
    ink: Fill | None = None
    """What its letters are painted with; None where it says nothing."""
    ground: Fill | None = None
    """What it puts behind words; None where it puts nothing there."""
    is_conditional: bool = False
    """Whether it looks otherwise under conditions."""
    looks: str = ""
    """How its words look, as letters of `StyledWords`; "h" where `marker` is a colour behind words, 0xRRGGBB."""
    marker: int = -1


@dataclass(frozen=True, slots=True)
class _Level:
    form: str = BULLET
    before: str = ""
    after: str = ""
    start: int = 1
    shown: int = 1
    """How many levels are printed, this one the last."""
    pattern: str = ""


@dataclass(slots=True)
class Counts:
    """The numbers that the levels of a list have reached."""

    numbers: list[int | None] = field(default_factory=lambda: [None] * _LEVELS)


class OdfStyles:
    """The styles of a file by family and name, each resolved once."""

    def __init__(self, roots: Iterable[Element]) -> None:
        self._raw: dict[tuple[str, str], Element] = {}
        self._found: dict[tuple[str, str], OdfStyle] = {}
        self._lists: dict[str, Mapping[int, _Level]] = {}
        self._fonts: dict[str, str] = {}
        self._defaults: dict[str, list[Element]] = {}
        for root in roots:
            self._take(root)

    def of(self, name: str | None, family: str = "paragraph") -> OdfStyle:
        """Return a style by its name."""
        key = (family, name or "")
        if key not in self._found:
            self._found[key] = self._resolved(*key)
        return self._found[key]

    def ground(self, cell: Element) -> Fill | None:
        """Return what the styles of a cell, its row and its table put behind words; None where they put nothing."""
        above: Element | None = cell
        while above is not None and name_of(above) in _IN_TABLES:
            kind = name_of(above).removeprefix("covered-")
            found = self.of(above.get(f"{TABLE}style-name"), kind).ground if kind in _STYLED else None
            if found is not None:
                return found
            if kind == "table":
                return UNKNOWN if above.get(f"{TABLE}template-name") else None
            above = above.getparent()
        return None

    def fill(self, shape: Element) -> Fill:
        """Return what a shape is filled with."""
        for attribute, family in _SHAPE_STYLES:
            chain = (*self._chain(family, shape.get(attribute, "")), *self._defaults.get("graphic", ()))
            found = fill_of(chain)
            if found is not None:
                return found
        return NOTHING if shape.tag in _UNFILLED else UNKNOWN

    def ink(self, shape: Element) -> Fill | None:
        """Return what the styles of a shape paint letters with; None where they do not say."""
        named = ((f"{DRAW}text-style-name", "paragraph"), *_SHAPE_STYLES)
        return next((ink for name, family in named if (ink := self.of(shape.get(name), family).ink) is not None), None)

    def page_fill(self, page: Element) -> Fill | None:
        """Return what a slide or its master says that it is filled with; None where it says nothing."""
        return fill_of(self._chain("drawing-page", page.get(f"{DRAW}style-name", "")))

    def number(self, name: str, level: int, counts: Counts, start: int | None) -> str:
        """Count an item of a list style at a level, from 1, and return what is printed before it; "" for a bullet."""
        levels, at = self._lists.get(name, {}), min(max(level, 1), _LEVELS)
        shown = levels.get(at, _Level())
        numbers = counts.numbers
        before = numbers[at - 1]
        numbers[at - 1] = start if start is not None else shown.start if before is None else before + 1
        for above in range(at - 1):
            if numbers[above] is None:
                numbers[above] = levels.get(above + 1, _Level()).start
        numbers[at:] = [None] * (_LEVELS - at)
        if shown.form == BULLET:
            return ""
        return _printed(levels, numbers, at)

    def has_list(self, name: str) -> bool:
        """Whether there is a list style of this name."""
        return name in self._lists

    def _take(self, root: Element) -> None:
        for font in root.iter(f"{STYLE}font-face"):
            self._fonts[font.get(f"{STYLE}name", "")] = font.get(f"{SVG}font-family", "")
        for group in root.iterchildren(f"{OFFICE}styles", f"{OFFICE}automatic-styles"):
            for one in group.iterchildren(f"{STYLE}style"):
                self._raw[one.get(f"{STYLE}family", ""), one.get(f"{STYLE}name", "")] = one
            for one in group.iterchildren(f"{STYLE}default-style"):
                self._defaults[one.get(f"{STYLE}family", "")] = [one]
            for one in group.iterchildren(f"{TEXT}list-style"):
                self._lists[one.get(f"{STYLE}name", "")] = _levels(one)
            for one in group.iterchildren(f"{TEXT}outline-style"):
                self._lists[OUTLINE] = _levels(one)

    def _chain(self, family: str, name: str) -> Iterator[Element]:
        seen = set[str]()
        while name not in seen and len(seen) < _LONGEST_CHAIN and (family, name) in self._raw:
            seen.add(name)
            style = self._raw[family, name]
            yield style
            name = style.get(f"{STYLE}parent-style-name", "")

    def _resolved(self, family: str, name: str) -> OdfStyle:
        chain = list(self._chain(family, name))
        names = [_name(one) for one in chain] or [_readable(name).lower()]
        texts = [one.find(f"{STYLE}text-properties") for one in chain]
        level = next((said for one in chain if (said := one.get(f"{STYLE}default-outline-level")) is not None), "")
        contents = next((found for one in names if (found := _CONTENTS.fullmatch(one))), None)
        fonts = (self._font(one) for one in texts if one is not None)
        weight = next((said for one in texts if one is not None and (said := one.get(f"{FO}font-weight"))), "")
        marker = _marker(_first(texts, f"{FO}background-color")) if family == "text" else -1
        return OdfStyle(
            name=names[0],
            level=whole_number(level, digits=2) or 0,
            title="title" in names,
            bold=weight in _BOLD,
            hidden=_first(texts, f"{TEXT}display") == "none" or is_tiny(_first(texts, f"{FO}font-size")),
            raised=_is_raised(_first(texts, f"{STYLE}text-position")),
            struck=_is_struck(_first(texts, _THROUGH), _first(texts, f"{STYLE}text-line-through-type")),
            code=any(_CODE.fullmatch(one) for one in names),
            monospaced=any(map(_MONOSPACED.search, filter(None, fonts))),
            caption=any(one in _CAPTIONS for one in names),
            contents=int(contents[1] or 1) if contents else 0,
            heads_table="table heading" in names,
            list_style=next((said for one in chain if (said := one.get(f"{STYLE}list-style-name"))), ""),
            ink=ink_of(chain),
            ground=ground_of(chain),
            is_conditional=any(one.find(f"{STYLE}map") is not None for one in chain),
            looks=_looks(texts, weight or "", names[0], marker),
            marker=marker,
        )

    def _font(self, properties: Element) -> str:
        name = properties.get(f"{STYLE}font-name", "")
        return properties.get(f"{FO}font-family") or self._fonts.get(name, name)


def _first(texts: Iterable[Element | None], name: str) -> str:
    """Return what the first of several styles that says anything of a property says."""
    return next((said for one in texts if one is not None and (said := one.get(name)) is not None), "")


_BOLD = ("bold", "600", "700", "800", "900")
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_LINKS = ("internet link", "visited internet link")


def _looks(texts: Sequence[Element | None], weight: str, name: str, marker: int) -> str:
    """Return the looks of words as letters of `StyledWords`; links are underlined only where their text says so."""
    slant, line = _first(texts, f"{FO}font-style"), _first(texts, f"{STYLE}text-underline-style")
    said = {
        "b": weight in _BOLD,
        "i": slant in ("italic", "oblique"),
        "u": line not in ("", "none") and name not in _LINKS,
        "h": marker >= 0,
    }
    return "".join(letter for letter, is_so in said.items() if is_so)


def _marker(colour: str) -> int:
    """Return a colour behind words, 0xRRGGBB; -1 for none, and for white."""
    found = int(colour[1:], 16) if _COLOUR.fullmatch(colour) else -1
    return -1 if found == 0xFFFFFF else found


_THROUGH = f"{STYLE}text-line-through-style"


def _is_raised(position: str) -> bool:
    """Whether text stands raised, by how its position is written: "super 58%", "33% 58%"."""
    place = position.split(" ")[0]
    return place == "super" or bool(re.fullmatch(r"(?!0+(?:\.0+)?%)\d+(?:\.\d+)?%", place))


def _is_struck(style: str, type_: str) -> bool | None:
    """Whether text is struck out, by the style and the type of the line through it; None where neither is said."""
    return (style not in ("", "none") or type_ in ("single", "double")) if style or type_ else None


def count_of(node: Element, name: str, most: int = _LARGEST) -> int | None:
    """Return a number that an attribute gives, None where it gives none."""
    value = whole_number(node.get(name, ""), digits=11)
    return None if value is None else min(value, most)


def _levels(node: Element) -> dict[int, _Level]:
    return {min(count_of(one, f"{TEXT}level") or 1, _LEVELS): _level(one) for one in node}


def _level(node: Element) -> _Level:
    kind = name_of(node)
    form = node.get(f"{STYLE}num-format", "" if kind == "outline-level-style" else "1")
    if kind not in ("list-level-style-number", "outline-level-style"):
        return _Level()
    return _Level(
        _FORMS.get(form, "decimal"),
        node.get(f"{STYLE}num-prefix", ""),
        node.get(f"{STYLE}num-suffix", ""),
        count_of(node, f"{TEXT}start-value") or 1,
        count_of(node, f"{TEXT}display-levels") or 1,
        node.get(f"{_LOEXT}num-list-format", ""),
    )


def _printed(levels: Mapping[int, _Level], numbers: list[int | None], at: int) -> str:
    shown = levels.get(at, _Level())

    def one(level: int) -> str:
        value = numbers[level - 1] if 1 <= level <= _LEVELS else None
        return "" if value is None else numeral(value, levels.get(level, _Level()).form)

    if shown.form == NO_NUMBER:
        return f"{shown.before}{shown.after}".strip() if not shown.pattern else ""
    if shown.pattern:
        return _PLACE.sub(lambda match: one(int(match[1])), shown.pattern).strip()
    first = max(at - shown.shown + 1, 1)
    texts = [text for level in range(first, at + 1) if (text := one(level))]
    return f"{shown.before}{'.'.join(texts)}{shown.after}".strip()


def _name(style: Element) -> str:
    return (style.get(f"{STYLE}display-name") or _readable(style.get(f"{STYLE}name", ""))).lower()


def _readable(name: str) -> str:
    """Return the name of a style as people read it: "Table_20_Heading" stands for "Table Heading"."""
    return re.sub(r"_([0-9a-f]{2})_", lambda match: chr(int(match[1], 16)), name)
