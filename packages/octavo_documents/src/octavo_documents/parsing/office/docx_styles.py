"""The styles of a Word document: what kind of block a paragraph is, and the numbers that Word prints before it.

Numbers of headings and list items are counted as Word does (ECMA-376 part 1, 17.9).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from octavo_documents.parsing.numerals import BULLET, numeral, whole_number
from octavo_documents.parsing.package import Element
from octavo_documents.text.lines import on_one_line

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
VAL = f"{W}val"
_HEADING = re.compile(r"heading ([1-9])")
_CODE = re.compile(r"(html |source )?(code|preformatted|verbatim|listing)( block| text| sample)?|macro text|source")
_LIST = re.compile(r"list (?:bullet|number)( [2-9])?")
_CONTENTS = re.compile(r"toc ([1-9])|table of figures")
_MONOSPACED = re.compile(r"courier|consolas|menlo|monaco|mono\b|monospace|lucida console|source code|typewriter", re.I)
_LONGEST_CHAIN = 30
_OFF = ("0", "false", "off", "none")
_RAISED_BY = 4
"""Half-points from which on a run that is moved up stands raised."""
_SIZELESS = 2
"""Half-points."""
_WHITE = ("FFFFFF", "FEFEFE", "FDFDFD", "FCFCFC", "WHITE")
_MARKERS = {
    "yellow": 0xFFFF00,
    "green": 0x00FF00,
    "cyan": 0x00FFFF,
    "magenta": 0xFF00FF,
    "blue": 0x0000FF,
    "red": 0xFF0000,
    "darkYellow": 0x808000,
    "darkGreen": 0x008000,
    "darkCyan": 0x008080,
    "darkMagenta": 0x800080,
    "darkBlue": 0x000080,
    "darkRed": 0x800000,
    "lightGray": 0xC0C0C0,
    "darkGray": 0x808080,
}
"""The colours of markers by their names."""
_LINK = "hyperlink"
_BODY_LEVEL = 9
"""What an outline level says of text that is in no outline."""


@dataclass(frozen=True, slots=True)
class NumberOf:
    """By which list paragraphs are numbered: its id, the level in it (0-based), and the style that says so."""

    list_id: str
    level: int | None = None
    style: str = ""


@dataclass(frozen=True, slots=True)
class DocxStyle:
    """What a paragraph style says, with what it takes from the styles it is based on."""

    name: str = ""
    heading: int = 0
    """The level of a heading, from 1, the title's; 0 for other text."""
    number: NumberOf | None = None
    bold: bool = False
    hidden: bool = False
    raised: bool = False
    struck: bool = False
    white: bool = False
    code: bool = False
    """Whether its name says that it is for code."""
    monospaced: bool = False
    caption: bool = False
    contents: int = 0
    """The level of a line of the table of contents, from 1; 0 for other text."""
    list_level: int = 0
    """The nesting that the name of a list style says ("List Bullet 2"), from 1; 0 where it says none."""
    italic: bool = False
    underlined: bool = False

    def looks(self, properties: Properties | None) -> tuple[str, int]:
        """Return the looks of a run of this character style, as letters of `StyledWords`, and the colour behind it."""
        if properties is None and not (self.bold or self.italic or self.underlined):
            return "", -1
        line, ground = is_underlined(properties), marker_of(properties)
        bold, slant = is_on(properties, "b"), is_on(properties, "i")
        said = {
            "b": self.bold if bold is None else bold,
            "i": self.italic if slant is None else slant,
            "u": self.underlined if line is None else line,
            "h": ground >= 0,
        }
        return "".join(letter for letter, is_so in said.items() if is_so), ground


class ChildrenByName:
    """The children of an element by their names, for properties that much is asked of."""

    __slots__ = ("find",)

    def __init__(self, node: Element) -> None:
        """Look through an element."""
        children: list[Element] = [*node.iterchildren()]
        self.find: Callable[[str], Element | None] = {one.tag: one for one in reversed(children)}.get


Properties: TypeAlias = "Element | ChildrenByName"
"""What finds the first child of a name, None where there is none."""


def is_on(properties: Properties | None, name: str) -> bool | None:
    """Return whether a property is on, such as `b` for bold; None where nothing is said."""
    found = None if properties is None else properties.find(W + name)
    return None if found is None else found.get(VAL, "1") not in _OFF


def is_raised(properties: Properties | None) -> bool | None:
    """Return whether characters stand raised, by how they are aligned or placed; None where nothing is said."""
    if properties is None:
        return None
    align, place = properties.find(f"{W}vertAlign"), properties.find(f"{W}position")
    if align is not None:
        return align.get(VAL) == "superscript"
    half_points = None if place is None else whole_number(place.get(VAL, "").removeprefix("+"))
    return None if place is None else half_points is not None and half_points >= _RAISED_BY


def is_struck(properties: Properties | None) -> bool | None:
    """Return whether characters are struck out, by one line or two; None where nothing is said."""
    if properties is None:
        return None
    one, two = is_on(properties, "strike"), is_on(properties, "dstrike")
    return None if one is None and two is None else bool(one or two)


def is_underlined(properties: Properties | None) -> bool | None:
    """Return whether characters are underlined; None where nothing is said."""
    found = None if properties is None else properties.find(f"{W}u")
    return None if found is None else found.get(VAL, "single") not in _OFF


def marker_of(properties: Properties | None) -> int:
    """Return the colour in which a marker highlights characters, 0xRRGGBB; -1 for none."""
    found = None if properties is None else properties.find(f"{W}highlight")
    return -1 if found is None else _MARKERS.get(found.get(VAL, "none"), -1)


def is_white(properties: Properties | None) -> bool | None:
    """Return whether characters are white; None where no colour is said."""
    found = None if properties is None else properties.find(f"{W}color")
    if found is None:
        return None
    theme = found.get(f"{W}themeColor")
    if theme is not None:
        return theme in ("background1", "light1") and found.get(f"{W}themeShade") is None
    return found.get(VAL, "").upper() in _WHITE


def is_sizeless(properties: Properties | None) -> bool:
    """Whether characters are too small to be seen: of a point or less."""
    found = None if properties is None else properties.find(f"{W}sz")
    size = None if found is None else whole_number(found.get(VAL, ""))
    return size is not None and size <= _SIZELESS


def is_shaded(properties: Properties | None) -> bool:
    """Whether there is a ground of another colour than white behind text."""
    if properties is None:
        return False
    shade, high = properties.find(f"{W}shd"), properties.find(f"{W}highlight")
    if high is not None and high.get(VAL, "none") not in ("none", "white"):
        return True
    if shade is None:
        return False
    pattern = shade.get(VAL, "clear") not in ("clear", "nil")
    is_themed = shade.get(f"{W}themeFill", "background1") not in ("background1", "light1")
    return pattern or is_themed or shade.get(f"{W}fill", "auto").upper() not in ("AUTO", *_WHITE)


def is_monospaced(properties: Properties | None) -> bool:
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


class DocxStyles:
    """The paragraph and character styles of a document, each resolved once."""

    def __init__(self, root: Element | None) -> None:
        self._raw: dict[str, Element] = {}
        self._styles: dict[str, DocxStyle] = {}
        self._default = ""
        for one in root.iterchildren(f"{W}style") if root is not None else ():
            id_ = one.get(f"{W}styleId", "")
            self._raw.setdefault(id_, one)
            is_paragraph = one.get(f"{W}type", "paragraph") == "paragraph"
            if is_paragraph and one.get(f"{W}default", "0") not in _OFF:
                self._default = id_

    def of(self, id_: str | None) -> DocxStyle:
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

    def _resolved(self, id_: str) -> DocxStyle:
        chain = self._chain(id_)
        if not chain:
            return DocxStyle(heading=_heading_of_name(_spaced(id_)))
        names = [_name(style) for _, style in chain]
        paragraphs = [(one, style.find(f"{W}pPr")) for one, style in chain]
        runs = [style.find(f"{W}rPr") for _, style in chain]
        numbers = (number_of(properties, one) for one, properties in paragraphs)
        contents = _CONTENTS.fullmatch(names[0])
        in_list = _LIST.fullmatch(names[0])
        return DocxStyle(
            name=names[0],
            heading=_heading(names, [outline_level(properties) for _, properties in paragraphs]),
            number=next((one for one in numbers if one), None),
            bold=_first(runs, partial(is_on, name="b")),
            hidden=_first(runs, partial(is_on, name="vanish")),
            raised=_first(runs, is_raised),
            struck=any(_first(runs, partial(is_on, name=name)) for name in ("strike", "dstrike")),
            white=_first(runs, is_white),
            code=bool(_CODE.fullmatch(names[0])),
            monospaced=any(map(is_monospaced, runs)),
            caption=names[0] == "caption" or "caption" in names[1:],
            contents=int(contents[1] or 1) if contents else 0,
            list_level=int(in_list[1] or 1) if in_list else 0,
            italic=_first(runs, partial(is_on, name="i")),
            underlined=_LINK not in names[0] and _first(runs, is_underlined),
        )


def _first(runs: list[Element | None], tells: Callable[[Properties | None], bool | None]) -> bool:
    """Return what the first of several styles that says anything of a property says."""
    return next((said for one in runs if (said := tells(one)) is not None), False)


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
    return on_one_line(("" if name is None else name.get(VAL, "")).lower())


def _spaced(id_: str) -> str:
    """Return what the name of a style that is not defined is likely to be: "heading 1" for "Heading1"."""
    return re.sub(r"(?<=[a-z])(?=\d)", " ", id_.lower())


_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level of a list is numbered. `after`: up to which level (from 1) others start it anew; 0 for none."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    style: str = ""
    after: int | None = None
    legal: bool = False


@dataclass(slots=True)
class _List:
    """A list as it is defined, with the number that each level has reached."""

    levels: list[_Level]
    linked: str = ""
    """The style of lists that it stands for."""
    counts: list[int | None] = field(default_factory=lambda: [None] * _LEVELS)


@dataclass(frozen=True, slots=True)
class _Use:
    """A list as paragraphs refer to it: by which definition, started where, and levels of its own."""

    definition: str
    starts: Mapping[int, int]
    levels: Mapping[int, _Level]


class DocxNumbering:
    """Counts the numbered paragraphs of a document, asked in their order."""

    def __init__(self, root: Element | None, styles: DocxStyles) -> None:
        self._styles = styles
        self._lists: dict[str, _List] = {}
        self._uses: dict[str, _Use] = {}
        self._started: set[tuple[str, int]] = set()
        for one in root.iterchildren(f"{W}abstractNum") if root is not None else ():
            link = one.find(f"{W}numStyleLink")
            levels = _levels(one)
            defined = [levels.get(at, _Level()) for at in range(_LEVELS)]
            self._lists[one.get(f"{W}abstractNumId", "")] = _List(defined, "" if link is None else link.get(VAL, ""))
        for one in root.iterchildren(f"{W}num") if root is not None else ():
            self._uses[one.get(f"{W}numId", "")] = _use(one)

    def level_of(self, number: NumberOf) -> int | None:
        """Return the level (0-based) at which a paragraph is numbered; None where it is not."""
        found = self._list(number.list_id)
        if found is None:
            return None
        if number.level is not None:
            return number.level
        return next((at for at, level in enumerate(found.levels) if level.style and level.style == number.style), 0)

    def next(self, number: NumberOf) -> str:
        """Count a paragraph and return what is printed before it: "1.2", "(a)"; "" for a bullet."""
        found, level = self._list(number.list_id), self.level_of(number)
        if found is None or level is None:
            return ""
        use = self._uses[number.list_id]
        shown = [use.levels.get(at, one) for at, one in enumerate(found.levels)]
        self._count(found, shown, number.list_id, level)
        if shown[level].form == BULLET:
            return ""
        return _printed(shown, found.counts, level)

    def _count(self, found: _List, shown: list[_Level], list_id: str, level: int) -> None:
        begun, own = found.counts[level], self._uses[list_id].starts.get(level)
        if own is not None and (list_id, level) not in self._started:
            found.counts[level] = own
        else:
            found.counts[level] = shown[level].start if begun is None else begun + 1
        self._started.add((list_id, level))
        for below in range(level + 1, _LEVELS):
            after = shown[below].after
            if after is None or level < after:
                found.counts[below] = None
        for above in range(level):
            if found.counts[above] is None:
                found.counts[above] = shown[above].start

    def _list(self, list_id: str) -> _List | None:
        use = self._uses.get(list_id)
        found = self._lists.get(use.definition) if use else None
        if found is not None and found.linked:
            other = self._uses.get(self._styles.numbered_by(found.linked))
            found = self._lists.get(other.definition, found) if other else found
        return found


def _levels(node: Element) -> dict[int, _Level]:
    return {_number(one.get(f"{W}ilvl", "")) % _LEVELS: _level(one) for one in node.iterchildren(f"{W}lvl")}


def _level(node: Element) -> _Level:
    said = {one.tag[len(W) :]: one.get(VAL, "") for one in node}
    return _Level(
        start=_number(said.get("start", "0")),
        form=said.get("numFmt", "decimal"),
        text=said.get("lvlText", ""),
        style=said.get("pStyle", ""),
        after=_number(said["lvlRestart"]) if "lvlRestart" in said else None,
        legal="isLgl" in said and said["isLgl"] not in ("0", "false"),
    )


def _use(node: Element) -> _Use:
    definition = node.find(f"{W}abstractNumId")
    starts: dict[int, int] = {}
    levels: dict[int, _Level] = {}
    for one in node.iterchildren(f"{W}lvlOverride"):
        at = _number(one.get(f"{W}ilvl", "")) % _LEVELS
        start, level = one.find(f"{W}startOverride"), one.find(f"{W}lvl")
        if level is not None:
            levels[at] = _level(level)
        if start is not None:
            starts[at] = _number(start.get(VAL, ""))
            if at in levels:
                levels[at] = replace(levels[at], start=starts[at])
    return _Use("" if definition is None else definition.get(VAL, ""), starts, levels)


def _number(text: str) -> int:
    return min(whole_number(text, digits=11) or 0, _LARGEST)


def _printed(shown: list[_Level], counts: list[int | None], level: int) -> str:
    is_legal = shown[level].legal

    def one(match: re.Match[str]) -> str:
        at = int(match[1]) - 1
        value = counts[at]
        form = "decimal" if is_legal and shown[at].form != "decimalZero" else shown[at].form
        return "" if value is None else numeral(value, form)

    return _PLACE.sub(one, shown[level].text).strip()
