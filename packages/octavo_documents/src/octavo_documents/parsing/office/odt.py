"""OpenDocument texts (ODT, OTT, flat FODT) to blocks.

Headings are those of the outline, with the numbers that are printed before them; notes and comments follow the block
that refers to them. Scripts and objects of other programs are never opened.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from octavo_documents.document import Kind
from octavo_documents.parsing.css_values import Colour
from octavo_documents.parsing.flow import FlowBlock, FlowContent, collapse_whitespace
from octavo_documents.parsing.left_out import LeftOutCounter
from octavo_documents.parsing.office.odf import OpenDocument
from octavo_documents.parsing.office.odf_colours import page_ground
from octavo_documents.parsing.office.odf_names import CHART, DC, DRAW, HREF, OFFICE, STYLE, SVG, TABLE, TEXT
from octavo_documents.parsing.office.odf_styles import OUTLINE, Counts, OdfStyle, OdfStyles, count_of
from octavo_documents.parsing.office.odf_words import HUNG, LEFT_OUT, OdfReader, OdfWords, citation
from octavo_documents.parsing.office.odt_tables import PARAGRAPHS, OdtTableReader, rows_of
from octavo_documents.parsing.package import Element

_DEEPEST = 60
"""Lists, tables and frames inside each other that are followed."""
_PARAGRAPH, _HEADING, _LIST = f"{TEXT}p", f"{TEXT}h", f"{TEXT}list"
_NUMBERED = f"{TEXT}numbered-paragraph"


@dataclass(frozen=True, slots=True)
class _Item:
    """The list item that a paragraph begins: its list's style and counts, its level from 1, where it starts."""

    style: str
    counts: Counts
    level: int
    start: int | None = None
    printed: bool = True
    """Whether a number is printed before it."""


class Walk:
    """Goes through texts in order. `found` are the blocks so far."""

    def __init__(
        self, file: OpenDocument, styles: OdfStyles, left_out: LeftOutCounter, ground: Colour | None = None
    ) -> None:
        """Take a file with its styles; `ground` is the colour of its pages, None where that is not known."""
        self.found: list[FlowBlock] = []
        self._file, self._styles, self._left_out = file, styles, left_out
        self._reader = OdfReader(file, styles, ground)
        self._code: list[str] = []
        self._lists: dict[str, Counts] = {}
        self._outline = Counts()
        self._item: _Item | None = None
        self._level = 0

    def walk(self, node: Element, depth: int = 0) -> None:
        """Take what stands in an element."""
        for child in node:
            self._one(child, depth)

    def end_code(self) -> None:
        """Make a block of the lines of code that have come in."""
        text = "\n".join(self._code).strip("\n")
        if text.strip():
            self.found.append(FlowBlock(Kind.CODE, text))
        self._code.clear()

    def _one(self, node: Element, depth: int) -> None:
        tag = node.tag
        if depth > _DEEPEST:
            self._left_out.count("part that nests too deeply")
        elif tag == _PARAGRAPH and not _is_hidden(node):
            self._paragraph(node, depth)
        elif tag == _HEADING and not _is_hidden(node):
            self._heading(node, depth)
        elif tag == _LIST:
            self._list(node, depth)
        elif tag == f"{TABLE}table":
            self.end_code()
            self._table(node, depth)
        elif tag in LEFT_OUT or node.get(f"{TEXT}display") == "none" or _is_hidden(node):
            self._hide(node)
            changes = node.iter(f"{TEXT}deletion") if tag == f"{TEXT}tracked-changes" else ()
            self._left_out.count("tracked deletion", sum(1 for _ in changes))
        elif tag == _NUMBERED:
            self._numbered(node, depth)
        elif tag in HUNG:
            self.hung(node, depth)
        else:
            named = node.get(f"{TEXT}style-name") if tag == f"{TEXT}section" else None
            with self._reader.on(self._styles.of(named, "section").ground if named else None):
                self.walk(node, depth + 1)

    def _hide(self, node: Element) -> None:
        """Note the words of a section or paragraph that is not shown."""
        if node.tag in (f"{TEXT}section", _PARAGRAPH, _HEADING):
            self._left_out.unseen.hide(" ".join("".join(one.itertext()) for one in node.iter(*PARAGRAPHS)))

    # Paragraphs and lists

    def _paragraph(self, node: Element, depth: int) -> None:
        style = self._styles.of(node.get(f"{TEXT}style-name"))
        words = self._reader.words(node, style)
        text = words.text()
        if text and self._is_code(style, words):
            self._code.append(words.raw().replace("\t", "    ").rstrip())
        elif text:
            self.end_code()
            self.found.append(self._block(text, style, words))
        elif self._code:
            self._code.append("")
        self._after(words.hanging, depth, words.unseen)

    def _is_code(self, style: OdfStyle, words: OdfWords) -> bool:
        return not self._level and (style.code or words.monospaced)

    def _block(self, text: str, style: OdfStyle, words: OdfWords) -> FlowBlock:
        label, level = self._label(), self._level
        if style.title:
            return FlowBlock(Kind.HEADING, text, 1)
        if style.contents:
            return FlowBlock(Kind.LIST_ITEM, text, style.contents)
        if style.level and not level:
            return FlowBlock(Kind.HEADING, self._headed(text, style.level, None, style), style.level + 1)
        if style.caption or words.counted:
            return FlowBlock(Kind.CAPTION, text)
        if label is not None:
            return FlowBlock(Kind.LIST_ITEM, f"{label} {text}".strip(), level, bold=words.bold)
        if words.formulas and words.formulas == sum(bool(part.strip()) for part in words.parts):
            return FlowBlock(Kind.FORMULA, text)
        return FlowBlock(Kind.PARAGRAPH, text, bold=words.bold)

    def _heading(self, node: Element, depth: int) -> None:
        style = self._styles.of(node.get(f"{TEXT}style-name"))
        words = self._reader.words(node, style)
        text = words.text()
        level = min(count_of(node, f"{TEXT}outline-level") or style.level or 1, 10)
        if text:
            self.end_code()
            said = node.find(f"{TEXT}number")
            label = collapse_whitespace("".join(said.itertext())) if said is not None else self._label()
            text = self._headed(text, level, node, style) if label is None else f"{label} {text}".strip()
            self.found.append(FlowBlock(Kind.HEADING, text, level + 1))
        self._after(words.hanging, depth, words.unseen)

    def _headed(self, text: str, level: int, node: Element | None, style: OdfStyle) -> str:
        """Return a heading with the number that the outline, or a list style of its own, gives it."""
        if node is not None and node.get(f"{TEXT}is-list-header") == "true":
            return text
        named = style.list_style
        name = named if self._styles.has_list(named) else OUTLINE
        counts = self._outline if name == OUTLINE else self._lists.setdefault(name, Counts())
        restarts = node is not None and node.get(f"{TEXT}restart-numbering") == "true"
        start = None if node is None or not restarts else count_of(node, f"{TEXT}start-value") or 1
        return f"{self._styles.number(name, level, counts, start)} {text}".strip()

    def _label(self) -> str | None:
        """Return the number of the list item that begins here, None where none begins."""
        item, self._item = self._item, None
        if item is None:
            return None
        if not item.printed:
            return ""
        return self._styles.number(item.style, item.level, item.counts, item.start)

    def _list(self, node: Element, depth: int, around: _Item | None = None) -> None:
        named = node.get(f"{TEXT}style-name", "")
        name = named or (around.style if around else "") or self._style_inside(node)
        counts = around.counts if around and name == around.style else self._counts(node, name)
        level, self._level = self._level, self._level + 1
        for child in node:
            is_header = child.tag == f"{TEXT}list-header"
            item = _Item(name, counts, self._level, count_of(child, f"{TEXT}start-value"), printed=not is_header)
            self._item = item
            for one in child if depth < _DEEPEST else ():
                if one.tag == _LIST:
                    self._item = None
                    self._list(one, depth + 1, item)
                else:
                    self._one(one, depth + 1)
            self._item = None
        self._level = level
        identity = node.get("{http://www.w3.org/XML/1998/namespace}id", "")
        if identity:
            self._lists[f"#{identity}"] = counts

    def _counts(self, node: Element, name: str) -> Counts:
        """Return the counts that a list goes on with, fresh ones for a list that begins anew."""
        continued = self._lists.get(f"#{node.get(f'{TEXT}continue-list', '')}")
        if continued is None and node.get(f"{TEXT}continue-numbering") == "true":
            continued = self._lists.get(name)
        self._lists[name] = continued or Counts()
        return self._lists[name]

    def _style_inside(self, node: Element) -> str:
        """Return the list style that the first paragraph of a list without one brings."""
        first = next(node.iter(_PARAGRAPH, _HEADING), None)
        return "" if first is None else self._styles.of(first.get(f"{TEXT}style-name")).list_style

    def _numbered(self, node: Element, depth: int) -> None:
        name = node.get(f"{TEXT}style-name", "")
        counts = self._lists.setdefault(f"#{node.get(f'{TEXT}list-id', name)}", Counts())
        level, self._level = self._level, min(count_of(node, f"{TEXT}level") or 1, 10)
        self._item = _Item(name, counts, self._level, count_of(node, f"{TEXT}start-value"))
        self.walk(node, depth + 1)
        self._item, self._level = None, level

    # What hangs on a paragraph

    def _after(self, hanging: Iterable[Element], depth: int, unseen: Iterable[str] = ()) -> None:
        for text in unseen:
            self._left_out.unseen.hide(text)
        for one in hanging:
            self._one(one, depth + 1)

    def hung(self, node: Element, depth: int) -> None:
        """Take a note, a comment or a drawing."""
        if node.tag == f"{TEXT}note":
            self._note(node)
        elif node.tag == f"{OFFICE}annotation":
            self._footnote(_comment_by(node), node)
        elif node.tag == f"{DRAW}control":
            text = self._file.fields.get(node.get(f"{DRAW}control", ""), "")
            self.found += [FlowBlock(Kind.PARAGRAPH, text)] if text else []
        else:
            self._drawn(node, depth)

    def _note(self, node: Element) -> None:
        mark, body = node.find(f"{TEXT}note-citation"), node.find(f"{TEXT}note-body")
        if body is not None:
            self._footnote("" if mark is None else collapse_whitespace("".join(mark.itertext())), body)

    def _footnote(self, mark: str, body: Element) -> None:
        words = [self._words(one) for one in body.iter(_PARAGRAPH, _HEADING)]
        text = " ".join(text for one in words if (text := one.text()))
        if text:
            self.end_code()
            self.found.append(FlowBlock(Kind.FOOTNOTE, f"{mark} {text}".strip()))

    def _words(self, node: Element) -> OdfWords:
        return self._reader.words(node, self._styles.of(node.get(f"{TEXT}style-name")))

    def _drawn(self, node: Element, depth: int) -> None:
        """Take what is written in a drawing or about it, and the data of a chart in it."""
        level, self._level, item, self._item = self._level, 0, self._item, None
        held = node.find(f"{DRAW}object")
        about = described(node)
        if held is not None:
            self._object(held, depth)
        elif (ole := node.find(f"{DRAW}object-ole")) is None:
            self._picture(node.find(f"{DRAW}image"), about)
        elif not self._file.carries(ole.get(HREF, "")):
            self._picture(node.find(f"{DRAW}image"), about)
            self._left_out.count("embedded object")
        with self._reader.on(self._styles.fill(node), self._styles.ink(node)):
            for child in node:
                if child.tag not in _NO_WORDS:
                    self._one(child, depth + 1)
        self._level, self._item = level, item

    def _picture(self, image: Element | None, about: str) -> None:
        block = self._file.picture("" if image is None else image.get(HREF, ""), about)
        if block:
            self.end_code()
            self.found.append(block)
        elif image is not None:
            self._left_out.count("picture without a description")

    def _object(self, held: Element, depth: int) -> None:
        root = self._reader.object_of(held)
        chart = None if root is None else next(root.iter(f"{CHART}chart"), None)
        if chart is not None:
            self._chart(chart)
        elif root is not None and (tables := list(root.iter(f"{TABLE}table"))):
            for one in tables:
                self._table(one, depth + 1)
        elif root is not None and (body := root.find(f"{OFFICE}body/{OFFICE}text")) is not None:
            self.walk(body, depth + 1)
        else:
            self._left_out.count("embedded object")

    def _chart(self, chart: Element) -> None:
        self.end_code()
        titles = [
            collapse_whitespace(" ".join(one.itertext())) for one in chart.iter(f"{CHART}title", f"{CHART}subtitle")
        ]
        if any(titles):
            self.found.append(FlowBlock(Kind.CAPTION, "; ".join(dict.fromkeys(filter(None, titles)))))
        for one in chart.iterchildren(f"{TABLE}table"):
            self._table(one, 0)

    # Tables

    def _table(self, node: Element, depth: int) -> None:
        rows = rows_of(node)
        if max((len(row.cells) for row in rows), default=0) <= 1:
            level, self._level, item, self._item = self._level, 0, self._item, None
            for row in rows:
                for cell, _, _ in row.cells:
                    with self._reader.on(self._styles.ground(cell)):
                        self.walk(cell, depth + 1)
            self._level, self._item = level, item
            return
        tables = OdtTableReader(self._reader, self._styles)
        block = tables.block(rows)
        if block:
            self.found.append(block)
        self._after(tables.hanging, depth, tables.unseen)


def _is_hidden(node: Element) -> bool:
    """Whether a condition hides a section, or a field in it a paragraph."""
    if node.tag not in PARAGRAPHS:
        return node.tag == f"{TEXT}section" and node.get(f"{TEXT}is-hidden") == "true"
    fields = node.iterchildren(f"{TEXT}hidden-paragraph")
    return any(one.get(f"{TEXT}is-hidden") == "true" for one in fields)


def described(node: Element) -> str:
    """Return what is written about a drawing: its title and its description."""
    texts = [collapse_whitespace("".join(one.itertext())) for one in node.iterchildren(f"{SVG}title", f"{SVG}desc")]
    return ". ".join(dict.fromkeys(filter(None, texts)))


_NO_WORDS = frozenset((f"{DRAW}object", f"{DRAW}image", f"{DRAW}object-ole", f"{SVG}title", f"{SVG}desc"))


def read(data: bytes) -> FlowContent:
    """Return the blocks of a text. Raises NoText."""
    file = OpenDocument(data, "text")
    styles, left_out = OdfStyles(file.roots), LeftOutCounter()
    walk = Walk(file, styles, left_out, page_ground(file.roots))
    walk.walk(file.body)
    walk.end_code()
    headers, footers = furniture(file, styles)
    said = file.properties()
    blocks = (*headers, *walk.found, *footers, *file.carried())
    return FlowContent(blocks, said.title, said.author, said.created, left_out.warnings())


def furniture(file: OpenDocument, styles: OdfStyles) -> tuple[list[FlowBlock], list[FlowBlock]]:
    """Return the headers and the footers of pages, each text once."""
    reader = OdfReader(file, styles)
    found: dict[Kind, dict[str, None]] = {Kind.PAGE_HEADER: {}, Kind.PAGE_FOOTER: {}}
    notes: dict[str, None] = {}
    masters = (one for root in file.roots for one in root.iterchildren(f"{OFFICE}master-styles"))
    for area in (area for one in masters for area in one.iter(*_AREAS) if area.get(f"{STYLE}display") != "false"):
        kind = Kind.PAGE_HEADER if "header" in area.tag else Kind.PAGE_FOOTER
        texts: list[str] = []
        for one in area.iter(f"{TEXT}p", f"{TEXT}h"):
            text = reader.words(one, styles.of(one.get(f"{TEXT}style-name"))).text()
            note = _note_around(one, area)
            if note is None:
                texts.append(text)
            elif text:
                mark = _comment_by(note) if note.tag == f"{OFFICE}annotation" else "".join(citation(note))
                notes.setdefault(f"{mark} {text}".strip())
        text = " ".join(filter(None, texts))
        if any(letter.isalpha() for letter in text):
            found[kind].setdefault(text)
    headers, footers = ([FlowBlock(kind, text) for text in texts] for kind, texts in found.items())
    return [*headers, *(FlowBlock(Kind.FOOTNOTE, text) for text in notes)], footers


def _comment_by(node: Element) -> str:
    author = node.find(f"{DC}creator")
    name = "" if author is None else collapse_whitespace(author.text or "")
    return f"Comment by {name}:" if name else "Comment:"


def _note_around(paragraph: Element, area: Element) -> Element | None:
    """Return the note or comment in which a paragraph of a head or foot stands."""
    up = paragraph.getparent()
    while up is not None and up is not area:
        if up.tag in (f"{TEXT}note", f"{OFFICE}annotation"):
            return up
        up = up.getparent()
    return None


_AREAS = tuple(f"{STYLE}{area}{page}" for area in ("header", "footer") for page in ("", "-first", "-left"))
