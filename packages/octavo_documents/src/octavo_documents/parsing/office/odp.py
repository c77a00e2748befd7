"""OpenDocument presentations (ODP, OTP, flat FODP) to blocks: a part for each slide, shapes in reading order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo_documents.document import Kind
from octavo_documents.parsing.css_values import WHITE
from octavo_documents.parsing.flow import FlowBlock, FlowContent, collapse_whitespace
from octavo_documents.parsing.left_out import LeftOutCounter
from octavo_documents.parsing.office.odf import OpenDocument
from octavo_documents.parsing.office.odf_names import DRAW, OFFICE, PRESENTATION, STYLE, SVG, TABLE
from octavo_documents.parsing.office.odf_styles import OdfStyles
from octavo_documents.parsing.office.odf_words import HUNG
from octavo_documents.parsing.office.odt import Walk
from octavo_documents.parsing.office.paint import UNKNOWN, Canvas
from octavo_documents.parsing.office.slides import Box, Shape, Slide, cover, slide_blocks
from octavo_documents.parsing.package import Element, name_of

_RUNNING = (None, "header", "footer")
"""The classes of shapes of a master whose words stand on each slide; the words of others ask for some."""
_CLASS = f"{PRESENTATION}class"
_NOTES, _COMMENT = f"{PRESENTATION}notes", f"{OFFICE}annotation"
_LENGTH = re.compile(r"(-?\d{1,9}(?:\.\d{1,9})?)(cm|mm|in|pt|px|pc)?")
_UNITS = {"cm": 28.35, "mm": 2.835, "in": 72.0, "pt": 1.0, "px": 0.75, "pc": 12.0, None: 1.0}
"""Points of a unit."""
_MOVED = re.compile(r"translate\s*\(\s*(\S+?)[\s,]+([^)\s]+)\s*\)")
_DEEPEST = 30
"""Groups inside each other that are followed."""


def read(data: bytes) -> FlowContent:
    """Return the blocks of a presentation. Raises NoText."""
    file = OpenDocument(data, "presentation")
    reader = _SlideReader(file)
    slides = [reader.slide(one, at) for at, one in enumerate(file.body.iterchildren(f"{DRAW}page"), 1)]
    said = file.properties()
    blocks = [block for slide in slides for block in slide_blocks(slide)]
    blocks += [FlowBlock(Kind.PAGE_FOOTER, text) for text in dict.fromkeys(reader.furniture())]
    blocks += file.carried()
    return FlowContent(tuple(blocks), said.title, said.author, said.created, reader.left_out.warnings())


class _SlideReader:
    def __init__(self, file: OpenDocument) -> None:
        self._file, self._styles = file, OdfStyles(file.roots)
        self.left_out = LeftOutCounter()
        self._canvas = Canvas(None)
        self._masters = {
            one.get(f"{STYLE}name", ""): one
            for root in file.roots
            for one in root.findall(f"{OFFICE}master-styles/{STYLE}master-page")
        }

    def slide(self, page: Element, number: int) -> Slide:
        """Return what stands on a slide."""
        slide = Slide(number)
        self._canvas = self._blank(page)
        moves = any(one.tag.startswith(_ANIMATED) and name_of(one) not in _GROUPED for one in page.iter())
        for shape in _shapes(page, 0):
            before = slide.shapes
            slide.shapes = []
            kind = shape.get(_CLASS, "")
            if kind == "title" and not slide.title:
                slide.title = collapse_whitespace(" ".join(block.text for block in self._blocks(shape)))
            else:
                slide.level = 1 if kind == "subtitle" and number == 1 else slide.level
                blocks = self._blocks(shape)
                if blocks:
                    slide.shapes.append(Shape(blocks, _box(shape)))
            covered = self._draw(shape)
            if covered is not None and not moves:
                cover(before, covered, self.left_out.unseen.hide)
            slide.shapes = [*before, *slide.shapes]
        self._canvas = Canvas(None)
        slide.footnotes = [*self._notes(page), *self._comments(page)]
        return slide

    def furniture(self) -> Iterator[str]:
        """Yield what stands on many slides: footers, and the words of masters."""
        for one in self._file.body.iterchildren(f"{PRESENTATION}footer-decl", f"{PRESENTATION}header-decl"):
            if any(letter.isalpha() for letter in one.text or ""):
                yield collapse_whitespace(one.text or "")
        handouts = (one for root in self._file.roots for one in root.iter(f"{STYLE}handout-master"))
        for master in (*self._masters.values(), *handouts):
            for shape in _shapes(master, 0):
                text = " ".join(block.text for block in self._blocks(shape) if block.kind != Kind.FIGURE)
                if shape.get(_CLASS) in _RUNNING and any(letter.isalpha() for letter in text):
                    yield text

    def _blank(self, page: Element) -> Canvas:
        """Return a slide as its master draws it."""
        master = self._masters.get(page.get(f"{DRAW}master-page-name", ""))
        fills = [self._styles.page_fill(one) for one in (page, master) if one is not None]
        fill = next((one for one in fills if one is not None and not one.is_none), None)
        canvas = self._canvas = Canvas(WHITE if fill is None else fill.colour)
        for shape in _shapes(master, 0) if master is not None else ():
            if not shape.get(_CLASS):
                self._draw(shape)
        return canvas

    def _draw(self, shape: Element) -> Box | None:
        """Draw a shape over those before it; return where it hides them."""
        is_box = shape.tag in (f"{DRAW}rect", f"{DRAW}frame") or _is_rectangle(shape)
        is_even = all(shape.find(name) is None for name in _UNEVEN) and f"{DRAW}transform" not in shape.attrib
        fill = self._styles.fill(shape)
        self._canvas.draw(fill if is_even and (is_box or fill.is_none) else UNKNOWN, _box(shape))
        return _box(shape) if is_even and is_box and fill.colour is not None else None

    def _blocks(self, shape: Element) -> list[FlowBlock]:
        """Return the blocks of a shape; those of a placeholder that nobody filled are none."""
        if shape.get(f"{PRESENTATION}placeholder") == "true":
            return []
        walk = Walk(self._file, self._styles, self.left_out, self._canvas.behind(_box(shape)))
        walk.hung(shape, 0)
        walk.end_code()
        return walk.found

    def _notes(self, page: Element) -> Iterator[str]:
        notes = page.find(_NOTES)
        for shape in _shapes(notes, 0) if notes is not None else ():
            if shape.get(_CLASS) == "notes":
                texts = [block.text for block in self._blocks(shape)]
                yield from (f"Notes: {text}" if at == 0 else text for at, text in enumerate(texts))

    def _comments(self, page: Element) -> Iterator[str]:
        for one in page.iterchildren(_COMMENT):
            yield from (block.text for block in self._blocks(one))


def _shapes(node: Element, depth: int) -> Iterator[Element]:
    for child in node if depth < _DEEPEST else ():
        if child.tag == f"{DRAW}g" and child.find(f"{SVG}desc") is None:
            yield from _shapes(child, depth + 1)
        elif child.tag in HUNG and child.tag not in (_COMMENT, f"{DRAW}page-thumbnail"):
            yield child


_ANIMATED, _GROUPED = "{urn:oasis:names:tc:opendocument:xmlns:animation:1.0}", ("par", "seq", "iterate")
_UNEVEN = (f"{DRAW}image", f"{DRAW}object", f"{DRAW}object-ole", f"{DRAW}plugin", f"{TABLE}table")


def _is_rectangle(shape: Element) -> bool:
    form = shape.find(f"{DRAW}enhanced-geometry")
    return form is not None and form.get(f"{DRAW}type") in ("rectangle", "mso-spt202", "mso-spt1")


def _box(shape: Element) -> Box | None:
    """Return where a shape stands, in points; None where it does not say so."""
    x, y = shape.get(f"{SVG}x") or shape.get(f"{SVG}x1"), shape.get(f"{SVG}y") or shape.get(f"{SVG}y1")
    moved = _MOVED.search(shape.get(f"{DRAW}transform", ""))
    if moved:
        x, y = moved[1], moved[2]
    if x is None or y is None:
        return None
    left, top = _points(x), _points(y)
    return Box(left, top, left + _points(shape.get(f"{SVG}width", "")), top + _points(shape.get(f"{SVG}height", "")))


def _points(length: str) -> float:
    found = _LENGTH.fullmatch(length.strip())
    return float(found[1]) * _UNITS[found[2]] if found else 0.0
