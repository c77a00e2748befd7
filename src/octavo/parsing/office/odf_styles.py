"""The styles of OpenDocument: what kind of block a paragraph of a style is, and how lists and headings are numbered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from octavo.parsing.office.numerals import BULLET, NO_NUMBER, numeral
from octavo.parsing.office.odf import FO, OFFICE, STYLE, SVG, TEXT
from octavo.parsing.package import Element, name_of

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
OUTLINE = "\0outline"
"""The name under which the numbering of headings is kept."""


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says, with what it takes from its parents."""

    name: str = ""
    level: int = 0
    """The outline level, from 1; 0 where it says none."""
    title: bool = False
    bold: bool = False
    hidden: bool = False
    code: bool = False
    monospaced: bool = False
    caption: bool = False
    contents: int = 0
    heads_table: bool = False
    list_style: str = ""


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


class Styles:
    """The styles of a file by family and name, each resolved once."""

    def __init__(self, roots: Iterable[Element]) -> None:
        self._raw: dict[tuple[str, str], Element] = {}
        self._found: dict[tuple[str, str], Style] = {}
        self._lists: dict[str, Mapping[int, _Level]] = {}
        self._fonts: dict[str, str] = {}
        for root in roots:
            self._take(root)

    def of(self, name: str | None, family: str = "paragraph") -> Style:
        """Return a style by its name."""
        key = (family, name or "")
        if key not in self._found:
            self._found[key] = self._resolved(*key)
        return self._found[key]

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

    def _resolved(self, family: str, name: str) -> Style:
        chain = list(self._chain(family, name))
        names = [_name(one) for one in chain] or [_readable(name).lower()]
        texts = [one.find(f"{STYLE}text-properties") for one in chain]
        level = next((said for one in chain if (said := one.get(f"{STYLE}default-outline-level")) is not None), "")
        contents = next((found for one in names if (found := _CONTENTS.fullmatch(one))), None)
        fonts = (self._font(one) for one in texts if one is not None)
        weight = next((said for one in texts if one is not None and (said := one.get(f"{FO}font-weight"))), "")
        return Style(
            name=names[0],
            level=int(level) if level.isdecimal() and len(level) < 3 else 0,
            title="title" in names,
            bold=weight in ("bold", "600", "700", "800", "900"),
            hidden=any(one is not None and one.get(f"{TEXT}display") == "none" for one in texts),
            code=any(_CODE.fullmatch(one) for one in names),
            monospaced=any(map(_MONOSPACED.search, filter(None, fonts))),
            caption=any(one in _CAPTIONS for one in names),
            contents=int(contents[1] or 1) if contents else 0,
            heads_table="table heading" in names,
            list_style=next((said for one in chain if (said := one.get(f"{STYLE}list-style-name"))), ""),
        )

    def _font(self, properties: Element) -> str:
        name = properties.get(f"{STYLE}font-name", "")
        return properties.get(f"{FO}font-family") or self._fonts.get(name, name)


def count_of(node: Element, name: str, most: int = _LARGEST) -> int | None:
    """Return a number that an attribute gives, None where it gives none."""
    value = node.get(name, "")
    return min(int(value), most) if value.isdecimal() and len(value) < 12 else None


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
