"""What OpenDocument files of all kinds share (OASIS, version 1.3): the parts of a file, styles, words of paragraphs."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from octavo_documents.parsing.css_values import Colour
from octavo_documents.parsing.flow import NoText, collapse_whitespace
from octavo_documents.parsing.formulas import MATHML, of_mathml
from octavo_documents.parsing.marks import marked
from octavo_documents.parsing.numerals import BULLET, NO_NUMBER, numeral, whole_number
from octavo_documents.parsing.office.odf_colours import fill_of, ground_of, ink_of, is_tiny
from octavo_documents.parsing.office.paint import NOTHING, UNKNOWN, Fill, is_seen
from octavo_documents.parsing.package import ZIP_MARK, Element, Package, Properties, name_of, xml_of
from octavo_documents.text.raised import as_mark

_URN = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE = f"{{{_URN}office:1.0}}", f"{{{_URN}text:1.0}}", f"{{{_URN}table:1.0}}"
DRAW, STYLE, SVG = f"{{{_URN}drawing:1.0}}", f"{{{_URN}style:1.0}}", f"{{{_URN}svg-compatible:1.0}}"
FO, META, NUMBER = f"{{{_URN}xsl-fo-compatible:1.0}}", f"{{{_URN}meta:1.0}}", f"{{{_URN}datastyle:1.0}}"
PRESENTATION, CHART = f"{{{_URN}presentation:1.0}}", f"{{{_URN}chart:1.0}}"
DC, XLINK = "{http://purl.org/dc/elements/1.1/}", "{http://www.w3.org/1999/xlink}"
HREF = f"{XLINK}href"
_MANIFEST = "META-INF/manifest.xml"
_ENCRYPTED = "it is encrypted: open it with its program and save it without a password"


class OpenDocument:
    """A file in OpenDocument. `roots` are those that hold styles, the content's own last."""

    def __init__(self, data: bytes, body: str) -> None:
        """Open a file whose body is the element `body` ("text"). Raises NoText."""
        self._package = None if _is_flat(data) else Package(data)
        if self._package is not None and _is_encrypted(self._package):
            raise NoText(_ENCRYPTED, "encrypted")
        self.content = xml_of(data) if self._package is None else self._package.xml("content.xml")
        self.roots = [*self._roots("styles.xml"), self.content]
        found = self.content.find(f"{OFFICE}body/{OFFICE}{body}")
        if found is None:
            raise NoText("it is a file of another program under this ending")
        self.body = found

    def properties(self) -> Properties:
        """Return what the file says of itself."""
        for root in [*self._roots("meta.xml"), self.content]:
            said = root.find(f"{OFFICE}meta")
            if said is not None:
                author = _said(said, f"{META}initial-creator") or _said(said, f"{DC}creator")
                return Properties(_said(said, f"{DC}title"), author, _said(said, f"{META}creation-date"))
        return Properties()

    def object(self, href: str) -> Element | None:
        """Return the root of an object that is kept in the file; None for other objects and damaged ones."""
        name = f"{href.removeprefix('./').strip('/')}/content.xml"
        try:
            return self._package.xml(name, doctype=True) if self._package and name in self._package else None
        except NoText:
            return None

    def _roots(self, name: str) -> Iterator[Element]:
        if self._package is not None and name in self._package:
            yield self._package.xml(name)


def _is_flat(data: bytes) -> bool:
    return not data.startswith(ZIP_MARK[:2]) and b"office:document" in data[:4096]


def _is_encrypted(package: Package) -> bool:
    return "encrypted-package" in package or (_MANIFEST in package and b"encryption-data" in package.read(_MANIFEST))


def _said(meta: Element, name: str) -> str:
    found = meta.find(name)
    return "" if found is None else collapse_whitespace("".join(found.itertext()))


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
        return OdfStyle(
            name=names[0],
            level=whole_number(level, digits=2) or 0,
            title="title" in names,
            bold=weight in ("bold", "600", "700", "800", "900"),
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
        )

    def _font(self, properties: Element) -> str:
        name = properties.get(f"{STYLE}font-name", "")
        return properties.get(f"{FO}font-family") or self._fonts.get(name, name)


def _first(texts: Iterable[Element | None], name: str) -> str:
    """Return what the first of several styles that says anything of a property says."""
    return next((said for one in texts if one is not None and (said := one.get(name)) is not None), "")


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


_DEEPEST = 120
"""Elements inside each other that are followed."""
_MOST_SPACES = 200


@dataclass(slots=True)
class OdfWords:
    """What a paragraph holds. Texts may have tabs and line breaks."""

    parts: list[str] = field(default_factory=list[str])
    bold: bool = True
    monospaced: bool = True
    counted: bool = False
    """Whether a field counts tables or figures in it."""
    formulas: int = 0
    """How many of the parts are formulas."""
    hanging: list[Element] = field(default_factory=list[Element])
    """Notes, comments and drawings, in order."""
    unseen: list[str] = field(default_factory=list[str])
    """What is said and not shown."""

    def raw(self) -> str:
        """Return the text with its line breaks."""
        return "".join(self.parts)

    def text(self) -> str:
        """Return the text on one line."""
        return collapse_whitespace("".join(self.parts))


class OdfReader:
    """Reads paragraphs of a file."""

    def __init__(self, file: OpenDocument, styles: OdfStyles, ground: Colour | None = None) -> None:
        self._file, self._styles = file, styles
        self._ground = ground
        self._ink: Fill | None = None

    @contextmanager
    def on(self, ground: Fill | None, ink: Fill | None = None) -> Generator[None]:
        """Read what stands on a ground, where there is one, and is painted so where its styles do not say."""
        before = self._ground, self._ink
        if ground is not None and not ground.is_none:
            self._ground = ground.colour
        self._ink = self._ink if ink is None else ink
        try:
            yield
        finally:
            self._ground, self._ink = before

    def _is_seen(self, style: OdfStyle) -> bool:
        ground = self._ground if style.ground is None else style.ground.colour
        ink = self._ink if style.ink is None else style.ink
        return not style.hidden and is_seen(ink, ground)

    def words(self, paragraph: Element, style: OdfStyle) -> OdfWords:
        """Return what a paragraph of a style holds."""
        found = OdfWords()
        self._inside(paragraph, found, style, 0)
        return found

    def _inside(self, node: Element, found: OdfWords, style: OdfStyle, depth: int) -> None:
        self._add(node.text, found, style)
        for child in node:
            self._one(child, found, style, depth)
            self._add(child.tail, found, style)

    def _one(self, child: Element, found: OdfWords, style: OdfStyle, depth: int) -> None:
        tag = child.tag
        if tag in _HANGING:
            if not self._formula(child, found):
                found.hanging.append(child)
                found.parts += [as_mark(text) for text in _citation(child) if self._is_seen(style)]
        elif tag in _SPACES:
            found.parts.append(_SPACES[tag] * min(count_of(child, f"{TEXT}c") or 1, _MOST_SPACES))
        elif tag in LEFT_OUT or depth > _DEEPEST:
            found.unseen += [child.get(f"{TEXT}string-value", "")] if tag == f"{TEXT}hidden-text" else []
        elif tag == f"{TEXT}span":
            own = self._styles.of(child.get(f"{TEXT}style-name"), "text")
            self._inside(child, found, _over(own, style), depth + 1)
        elif tag == f"{TEXT}ruby-text":
            found.parts.append(f"({''.join(child.itertext())})")
        else:
            found.counted |= tag == f"{TEXT}sequence"
            self._inside(child, found, style, depth + 1)

    def _add(self, text: str | None, found: OdfWords, style: OdfStyle) -> None:
        if text and not self._is_seen(style):
            found.unseen.append(text)
        elif text:
            shown = collapse_whitespace(text) if text.isspace() else _collapsed(text)
            found.parts.append(marked(shown, is_raised=style.raised, is_struck=bool(style.struck)))
            if text.strip():
                found.bold = found.bold and style.bold
                found.monospaced = found.monospaced and style.monospaced

    def _formula(self, frame: Element, found: OdfWords) -> bool:
        """Take a frame that holds a formula as words; return whether it does."""
        held = frame.find(f"{DRAW}object")
        if held is None:
            return False
        root = self.object_of(held)
        if root is None or not root.tag.startswith(MATHML):
            return False
        text = collapse_whitespace(of_mathml(root))
        if text:
            is_apart = bool(found.parts) and found.parts[-1][-1:].isalnum()
            found.parts.append(f" {text}" if is_apart else text)
            found.formulas += 1
            found.bold = found.monospaced = False
        return True

    def object_of(self, held: Element) -> Element | None:
        """Return the root of an object in a frame: one that stands in it, or in a part of its own."""
        inside = next(iter(held), None)
        return inside if inside is not None else self._file.object(held.get(HREF, ""))


def _over(own: OdfStyle, around: OdfStyle) -> OdfStyle:
    """Return the style of a span in a paragraph: what holds around it holds inside too."""
    return OdfStyle(
        own.name,
        bold=own.bold or around.bold,
        hidden=own.hidden or around.hidden,
        raised=own.raised or around.raised,
        struck=around.struck if own.struck is None else own.struck,
        monospaced=own.monospaced or around.monospaced,
        ink=around.ink if own.ink is None else own.ink,
        ground=around.ground if own.ground is None else own.ground,
    )


def _citation(node: Element) -> Iterator[str]:
    """Yield the mark of a note where it stands in the text."""
    if node.tag == f"{TEXT}note":
        mark = node.find(f"{TEXT}note-citation")
        if mark is not None and (text := collapse_whitespace("".join(mark.itertext()))):
            yield text


def _collapsed(text: str) -> str:
    """Return text whose white space is one space, also at its ends: the file's own line breaks mean nothing."""
    before, after = text[0].isspace(), text[-1].isspace()
    return f"{' ' if before else ''}{collapse_whitespace(text)}{' ' if after else ''}"


_DRAWN = ("frame", "custom-shape", "g", "rect", "ellipse", "circle", "line", "connector", "polygon", "path", "caption",
          "polyline", "regular-polygon", "measure", "a", "control", "page-thumbnail")  # fmt: skip
HUNG = frozenset((f"{TEXT}note", f"{OFFICE}annotation", *(DRAW + name for name in _DRAWN)))
"""Notes, comments and drawings."""
_HANGING = HUNG | {f"{TABLE}table"}
_SOURCES = ("table-of-content", "illustration-index", "table-index", "alphabetical-index", "bibliography", "user-index",
            "object-index")  # fmt: skip
_MARKS = ("tracked-changes", "hidden-text", "alphabetical-index-mark", "script", "number", "sequence-decls",
          "variable-decls", "user-field-decls", *(f"{name}-source" for name in _SOURCES))  # fmt: skip
LEFT_OUT = frozenset((
    *(TEXT + name for name in _MARKS),
    *(OFFICE + name for name in ("annotation-end", "event-listeners", "forms")),
    *(DRAW + name for name in ("glue-point", "enhanced-geometry")),
))  # fmt: skip
"""What says nothing to readers."""
_SPACES: Mapping[str, str] = {f"{TEXT}s": " ", f"{TEXT}tab": "\t", f"{TEXT}line-break": "\n"}
