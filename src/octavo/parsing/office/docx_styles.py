"""The styles of a Word document: what kind of block a paragraph of a style is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from octavo.parsing.flow import whole_number
from octavo.parsing.package import Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
VAL = f"{W}val"
_HEADING = re.compile(r"heading ([1-9])")
_CODE = re.compile(r"(html |source )?(code|preformatted|verbatim|listing)( block| text| sample)?|macro text|source")
_LIST = re.compile(r"list (?:bullet|number)( [2-9])?")
_CONTENTS = re.compile(r"toc ([1-9])|table of figures")
_MONOSPACED = re.compile(r"courier|consolas|menlo|monaco|mono\b|monospace|lucida console|source code|typewriter", re.I)
_LONGEST_CHAIN = 30
_OFF = ("0", "false", "off", "none")
_BODY_LEVEL = 9
"""What an outline level says of text that is in no outline."""


@dataclass(frozen=True, slots=True)
class NumberOf:
    """By which list paragraphs are numbered: its id, the level in it (0-based), and the style that says so."""

    list_id: str
    level: int | None = None
    style: str = ""


@dataclass(frozen=True, slots=True)
class Style:
    """What a paragraph style says, with what it takes from the styles it is based on."""

    name: str = ""
    heading: int = 0
    """The level of a heading, from 1, the title's; 0 for other text."""
    number: NumberOf | None = None
    bold: bool = False
    hidden: bool = False
    code: bool = False
    """Whether its name says that it is for code."""
    monospaced: bool = False
    caption: bool = False
    contents: int = 0
    """The level of a line of the table of contents, from 1; 0 for other text."""
    list_level: int = 0
    """The nesting that the name of a list style says ("List Bullet 2"), from 1; 0 where it says none."""


def is_on(properties: Element | None, name: str) -> bool | None:
    """Return whether a property is on, such as `b` for bold; None where nothing is said."""
    found = None if properties is None else properties.find(W + name)
    return None if found is None else found.get(VAL, "1") not in _OFF


def is_monospaced(properties: Element | None) -> bool:
    """Whether characters are set in a font for code."""
    fonts = None if properties is None else properties.find(f"{W}rFonts")
    return fonts is not None and bool(_MONOSPACED.search(fonts.get(f"{W}ascii") or fonts.get(f"{W}hAnsi") or ""))


def outline_level(properties: Element | None) -> int | None:
    """Return the level of a heading that a paragraph's properties give, 0 for text, None where they say nothing."""
    found = None if properties is None else properties.find(f"{W}outlineLvl")
    level = None if found is None else whole_number(found.get(VAL, ""))
    if level is None:
        return None
    return 0 if level >= _BODY_LEVEL else level + 2


def number_of(properties: Element | None, style: str = "") -> NumberOf | None:
    """Return by which list a paragraph's properties number it, None where they say nothing."""
    found = None if properties is None else properties.find(f"{W}numPr")
    if found is None:
        return None
    list_id, level = found.find(f"{W}numId"), found.find(f"{W}ilvl")
    at = None if level is None else whole_number(level.get(VAL, ""))
    return NumberOf("" if list_id is None else list_id.get(VAL, ""), None if at is None else min(at, 8), style)


class Styles:
    """The paragraph and character styles of a document, each resolved once."""

    def __init__(self, root: Element | None) -> None:
        self._raw: dict[str, Element] = {}
        self._styles: dict[str, Style] = {}
        self._default = ""
        for one in root.iterchildren(f"{W}style") if root is not None else ():
            id_ = one.get(f"{W}styleId", "")
            self._raw.setdefault(id_, one)
            is_paragraph = one.get(f"{W}type", "paragraph") == "paragraph"
            if is_paragraph and one.get(f"{W}default", "0") not in _OFF:
                self._default = id_

    def of(self, id_: str | None) -> Style:
        """Return a style by its id, the default one for none."""
        id_ = id_ or self._default
        if id_ not in self._styles:
            self._styles[id_] = self._resolved(id_)
        return self._styles[id_]

    def numbered_by(self, id_: str) -> str:
        """Return the id of the list that a style of lists stands for; "" for none."""
        style = self._raw.get(id_)
        found = None if style is None else number_of(style.find(f"{W}pPr"))
        return found.list_id if found else ""

    def heads_tables(self, id_: str | None) -> bool:
        """Whether a style of tables sets the first row apart."""
        parts = (one for _, style in self._chain(id_ or "") for one in style.iterchildren(f"{W}tblStylePr"))
        return any(one.get(f"{W}type") == "firstRow" for one in parts)

    def _chain(self, id_: str) -> list[tuple[str, Element]]:
        """Return a style and those it is based on, each once."""
        found: list[tuple[str, Element]] = []
        while id_ in self._raw and len(found) < _LONGEST_CHAIN and id_ not in {one for one, _ in found}:
            style = self._raw[id_]
            found.append((id_, style))
            based = style.find(f"{W}basedOn")
            id_ = "" if based is None else based.get(VAL, "")
        return found

    def _resolved(self, id_: str) -> Style:
        chain = self._chain(id_)
        if not chain:
            return Style(heading=_heading_of_name(_spaced(id_)))
        names = [_name(style) for _, style in chain]
        paragraphs = [(one, style.find(f"{W}pPr")) for one, style in chain]
        runs = [style.find(f"{W}rPr") for _, style in chain]
        numbers = (number_of(properties, one) for one, properties in paragraphs)
        contents = _CONTENTS.fullmatch(names[0])
        in_list = _LIST.fullmatch(names[0])
        return Style(
            name=names[0],
            heading=_heading(names, [outline_level(properties) for _, properties in paragraphs]),
            number=next((one for one in numbers if one), None),
            bold=_first(runs, "b"),
            hidden=_first(runs, "vanish"),
            code=bool(_CODE.fullmatch(names[0])),
            monospaced=any(map(is_monospaced, runs)),
            caption=names[0] == "caption" or "caption" in names[1:],
            contents=int(contents[1] or 1) if contents else 0,
            list_level=int(in_list[1] or 1) if in_list else 0,
        )


def _first(runs: list[Element | None], name: str) -> bool:
    """Return what the first of several styles that says anything of a property says."""
    return next((said for one in runs if (said := is_on(one, name)) is not None), False)


def _heading(names: list[str], levels: list[int | None]) -> int:
    own = _heading_of_name(names[0])
    if own == 1 or names[0] == "toc heading":
        return own or 2
    said = next((level for level in levels if level is not None), None)
    if said is not None:
        return said
    return next((level for name in names if (level := _heading_of_name(name)) > 1), 0)


def _heading_of_name(name: str) -> int:
    found = _HEADING.fullmatch(name)
    return int(found[1]) + 1 if found else int(name == "title")


def _name(style: Element) -> str:
    name = style.find(f"{W}name")
    return " ".join(("" if name is None else name.get(VAL, "")).lower().split())


def _spaced(id_: str) -> str:
    """Return what the name of a style that is not defined is likely to be: "heading 1" for "Heading1"."""
    return re.sub(r"(?<=[a-z])(?=\d)", " ", id_.lower())
