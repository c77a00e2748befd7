"""Word documents (DOCX, DOTX, DOCM) to blocks.

Headings are those of styles and outline levels; numbers of headings and lists are those that Word prints. Notes and
comments follow the block that refers to them. Macros and objects of other programs are never opened.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from octavo_documents.document import Kind
from octavo_documents.parsing.embedded_objects import embedded_in
from octavo_documents.parsing.flow import CarriedFile, FlowBlock, FlowContent, NoText, attached, collapse_whitespace
from octavo_documents.parsing.left_out import LeftOutCounter
from octavo_documents.parsing.office.docx_chunks import chunk_blocks
from octavo_documents.parsing.office.docx_styles import (
    VAL,
    DocxNumbering,
    DocxStyle,
    DocxStyles,
    NumberOf,
    W,
    number_of,
    outline_level,
)
from octavo_documents.parsing.office.docx_tables import DocxTableReader, cells_of, lays_out
from octavo_documents.parsing.office.docx_text import DocxReader, DocxWords, is_in_box
from octavo_documents.parsing.office.drawing import chart, diagram
from octavo_documents.parsing.open_xml import ALTERNATE, R_ID, OpenXml
from octavo_documents.parsing.package import Element
from octavo_documents.parsing.pictures_inside import PicturesInside

_DEEPEST = 40
"""Tables and text boxes inside each other that are followed."""
_PARAGRAPH, _TABLE = f"{W}p", f"{W}tbl"
_WORD = (".docx", ".docm", ".dotx")
_SENTENCE = re.compile(r"[A-Z](?:[^{}();=<>_\[\]$#\\]|\(\w)*[.?!]")


def read(data: bytes) -> FlowContent:
    """Return the blocks of a Word document. Raises NoText."""
    file = OpenXml(data, f"{W}document")
    said = file.properties()
    reader = _Document(file)
    blocks = [*reader.blocks(), *(attached(one, 1) for one in reader.carried())]
    return FlowContent(
        tuple(blocks), title=said.title, author=said.author, created=said.created, warnings=reader.left_out.warnings()
    )


@dataclass(slots=True)
class _Paragraph:
    """A paragraph with all that decides what block it becomes."""

    style: DocxStyle
    words: DocxWords
    text: str
    heading: int
    label: str
    """The number printed before it."""
    level: int
    """Its nesting in a list, from 1; 0 outside of lists."""


@dataclass(slots=True)
class _Found:
    """The blocks of a document so far, and what was begun and is not yet ended."""

    blocks: list[FlowBlock] = field(default_factory=list[FlowBlock])
    code: list[str] = field(default_factory=list[str])
    initial: str = ""
    """A large first letter, which is a paragraph of its own in the file."""

    def end_code(self) -> None:
        """Make a block of the lines of code that have come in."""
        text = "\n".join(self.code).strip("\n")
        if text.strip():
            self.blocks.append(FlowBlock(Kind.CODE, text))
        self.code.clear()


class _Document:
    """Goes through a document once, in order."""

    def __init__(self, file: OpenXml) -> None:
        self._file = file
        self._styles = DocxStyles(file.related(file.name, "styles"))
        self._numbering = DocxNumbering(file.related(file.name, "numbering"), self._styles)
        self._reader = DocxReader(self._styles)
        self._notes = {
            kind: _by_id(file.related(file.name, f"{kind}s"), kind) for kind in ("footnote", "endnote", "comment")
        }
        self._noted: set[tuple[str, str]] = set()
        self._found = _Found()
        self._pages: list[FlowBlock] = []
        self._part = file.name
        self._pictures = PicturesInside(file.package)
        self._objects = 0
        self._chunks: list[CarriedFile] = []
        self.left_out = LeftOutCounter()

    def blocks(self) -> list[FlowBlock]:
        """Return the blocks of the document."""
        body = self._file.main.find(f"{W}body")
        if body is None:
            raise NoText("its main part holds no text", "damaged")
        self._walk(body, 0)
        self._found.end_code()
        headers, footers = self._furniture()
        return [*headers, *self._found.blocks, *footers]

    def carried(self) -> list[CarriedFile]:
        """Return the files that are embedded in the document; what names none is counted as left out."""
        relations = self._file.relations(self._file.name).values()
        parts = [self._file.name, *(one.target for one in relations if one.type in _STORIES)]
        found = embedded_in(self._file.package, dict.fromkeys(parts))
        self.left_out.count("embedded object", max(self._objects - len(found), 0))
        return [*self._chunks, *found]

    def _walk(self, node: Element, depth: int) -> None:
        if depth > _DEEPEST:
            self.left_out.count("part that nests too deeply")
            return
        for child in node:
            tag = child.tag
            if tag == _PARAGRAPH:
                self._paragraph(child, depth)
            elif tag == _TABLE:
                self._found.end_code()
                self._table(child, depth)
            elif tag == f"{W}altChunk":
                self._foreign(child)
            elif tag == ALTERNATE:
                self._walk(next((one for one in child if len(one)), child), depth + 1)
            elif tag not in _PASSED and len(child):
                self._walk(child, depth + 1)

    # Paragraphs

    def _paragraph(self, node: Element, depth: int) -> None:
        one = self._look(node)
        found = self._found
        if _is_initial(node) and one.text:
            found.initial = one.text
            return
        if _is_code(one):
            found.code.append(one.words.raw().replace("\t", "    ").rstrip())
        elif one.text:
            found.end_code()
            found.blocks.append(_block(one, found.initial))
            found.initial = ""
        elif found.code:
            found.code.append("")
        self._after(one.words, depth)

    def _look(self, node: Element) -> _Paragraph:
        properties = node.find(f"{W}pPr")
        named = None if properties is None else properties.find(f"{W}pStyle")
        style = self._styles.of(None if named is None else named.get(VAL))
        words = self._reader.words(node, style)
        text = words.text()
        own = outline_level(properties)
        heading = style.heading if own is None or style.heading == 1 else own
        label, level = self._numbered(number_of(properties), style)
        return _Paragraph(style, words, text, heading, label, level)

    def _numbered(self, own: NumberOf | None, style: DocxStyle) -> tuple[str, int]:
        """Count a paragraph in its list; return the number that is printed and its nesting in the list, from 1."""
        number = own if own and (own.list_id or style.number is None) else style.number
        if number and own and own.level is not None:
            number = replace(number, level=own.level)
        at = self._numbering.level_of(number) if number else None
        if number is None or at is None:
            return "", 0
        return self._numbering.next(number), max(at + 1, style.list_level)

    def _after(self, words: DocxWords, depth: int) -> None:
        """Take what hangs on a paragraph: it follows it."""
        for text, id_ in words.pictures:
            self._figure(text, id_)
        for id_ in words.charts:
            self._other(id_, chart)
        for id_ in words.diagrams:
            self._other(id_, diagram)
        for box in words.boxes:
            self._found.end_code()
            self._walk(box, depth + 1)
        for kind, id_ in words.notes:
            self._note(kind, id_)
        for text in words.unseen:
            self.left_out.unseen.hide(text)
        self._objects += words.objects
        self.left_out.count("tracked deletion", words.deleted)

    def _figure(self, text: str, id_: str) -> None:
        block = self._pictures.block(self._file.linked(self._part, id_), text)
        if block:
            self._found.end_code()
            self._found.blocks.append(block)
        else:
            self.left_out.count("picture without a description")

    def _other(self, id_: str, read_part: Callable[[Element], Iterable[FlowBlock]]) -> None:
        """Take the blocks of a chart or a diagram, a part of its own."""
        name = self._file.linked(self._part, id_)
        try:
            blocks = list(read_part(self._file.xml(name))) if name else []
        except NoText:
            blocks = []
        if not blocks:
            self.left_out.count("chart or diagram that cannot be read")
            return
        self._found.end_code()
        self._found.blocks += blocks

    # Notes

    def _note(self, kind: str, id_: str) -> None:
        node = self._notes[kind].get(id_)
        if node is None or (kind, id_) in self._noted:
            return
        self._noted.add((kind, id_))
        if kind == "comment":
            author = collapse_whitespace(node.get(f"{W}author", ""))
            mark = f"Comment by {author}:" if author else "Comment:"
        else:
            mark = self._reader.label(kind, id_)
        words = [self._reader.words(one, self._style_of(one)) for one in node.iter(_PARAGRAPH)]
        text = " ".join(text for one in words if (text := one.text()))
        if text:
            self._found.end_code()
            self._found.blocks.append(FlowBlock(Kind.FOOTNOTE, f"{mark} {text}"))

    def _style_of(self, node: Element) -> DocxStyle:
        named = node.find(f"{W}pPr/{W}pStyle")
        return self._styles.of(None if named is None else named.get(VAL))

    # Tables

    def _table(self, node: Element, depth: int) -> None:
        rows = cells_of(node)
        if lays_out(rows):
            for row in rows:
                for cell in row.cells:
                    self._walk(cell, depth + 1)
            return
        hanging: list[DocxWords] = []
        named = node.find(f"{W}tblPr/{W}tblStyle")
        is_styled = self._styles.heads_tables(None if named is None else named.get(VAL))
        block = DocxTableReader(self._cell_text, hanging).block(node, rows, is_styled=is_styled)
        if block:
            self._found.blocks.append(block)
        for words in hanging:
            self._after(words, depth)

    def _cell_text(self, node: Element, hanging: list[DocxWords]) -> tuple[str, bool]:
        """Return the text of a paragraph in a cell with its number, and whether it is bold."""
        one = self._look(node)
        hanging.append(one.words)
        return f"{one.label} {one.text}".strip(), one.words.bold or bool(one.heading)

    # What else there is

    def _foreign(self, node: Element) -> None:
        """Take a part of the document that is a document of another format, such as HTML; it stands as its own text."""
        name = self._file.linked(self._part, node.get(R_ID))
        if name.lower().endswith(_WORD):
            self._chunks.append(CarriedFile(posixpath.basename(name), data=self._file.package.read(name)))
            return
        found = chunk_blocks(self._file.package, name) if name else None
        if found is None:
            self.left_out.count("embedded document")
            return
        self._found.end_code()
        self._found.blocks += found

    def _furniture(self) -> tuple[list[FlowBlock], list[FlowBlock]]:
        """Return the headers and the footers of pages, each text once."""
        found: dict[Kind, dict[str, None]] = {Kind.PAGE_HEADER: {}, Kind.PAGE_FOOTER: {}}
        for relation in self._file.relations(self._file.name).values():
            kind = _FURNITURE.get(relation.type)
            if kind is None or relation.target not in self._file.package:
                continue
            try:
                root = self._file.xml(relation.target)
            except NoText:
                self.left_out.count("page header or footer that cannot be read")
                continue
            text = " ".join(filter(None, self._said(root)))
            if any(letter.isalpha() for letter in text):
                found[kind].setdefault(text)
        headers, footers = ([FlowBlock(kind, text) for text in texts] for kind, texts in found.items())
        return headers, footers

    def _said(self, root: Element) -> Iterator[str]:
        """Yield the paragraphs in a head or a foot, those of a text box after the one it hangs on."""
        boxes: list[Element] = []
        for one in root.iter(_PARAGRAPH):
            if not is_in_box(one, root):
                words = self._reader.words(one, self._style_of(one))
                yield words.text()
                boxes += words.boxes
        for box in boxes:
            yield from self._said(box)


_PASSED = frozenset((f"{W}sectPr", f"{W}pPr", f"{W}sdtPr", f"{W}sdtEndPr", f"{W}del", f"{W}moveFrom"))
_STORIES = ("header", "footer", "footnotes", "endnotes", "comments")
_FURNITURE: Mapping[str, Kind] = {"header": Kind.PAGE_HEADER, "footer": Kind.PAGE_FOOTER}


def _block(one: _Paragraph, initial: str) -> FlowBlock:
    text = f"{one.label} {initial}{one.text}".strip()
    if one.style.contents:
        return FlowBlock(Kind.LIST_ITEM, text, one.style.contents)
    if one.heading:
        return FlowBlock(Kind.HEADING, text, one.heading)
    if one.style.caption or one.words.numbered_caption:
        return FlowBlock(Kind.CAPTION, text)
    if one.level or one.style.list_level:
        return FlowBlock(Kind.LIST_ITEM, text, one.level or one.style.list_level, bold=one.words.bold)
    if one.words.formulas and one.words.formulas == sum(bool(part.strip()) for part in one.words.parts):
        return FlowBlock(Kind.FORMULA, text)
    return FlowBlock(Kind.PARAGRAPH, text, bold=one.words.bold)


def _is_code(one: _Paragraph) -> bool:
    """Whether a paragraph is a line of code: by its style, or by its font unless it reads as a sentence."""
    if one.heading or one.level:
        return False
    if one.style.code:
        return True
    is_prose = _SENTENCE.fullmatch(one.text) is not None
    return one.words.monospaced and bool(one.text) and not is_prose


def _is_initial(node: Element) -> bool:
    frame = node.find(f"{W}pPr/{W}framePr")
    return frame is not None and frame.get(f"{W}dropCap", "none") != "none"


def _by_id(root: Element | None, kind: str) -> dict[str, Element]:
    """Return the notes or comments of a document by their id; the lines that part notes from the text left out."""
    if root is None:
        return {}
    return {one.get(f"{W}id", ""): one for one in root.iterchildren(W + kind) if one.get(f"{W}type") in _WRITTEN}


_WRITTEN = (None, "normal")
