"""HTML to blocks, by the tree that selectolax (Lexbor) builds as browsers do.

Owns which elements are blocks of which kind, and what of a page is not its text. No address in a page is followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from octavo.document import Kind
from octavo.document.grid import Cell, Grid
from octavo.parsing.flow import FlowBlock, FlowContent, Places, text_of, tidy

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_LEFT_OUT = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "head",
        "nav",
        "iframe",
        "object",
        "embed",
        "svg",
        "canvas",
        "audio",
        "video",
        "form",
        "button",
        "select",
        "input",
        "textarea",
        "dialog",
        "menu",
    ]
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "header",
        "hgroup",
        "html",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "ul",
        "caption",
        "tr",
        "td",
        "th",
        "tbody",
        "thead",
        "tfoot",
        "hr",
    ]
) | frozenset(_HEADINGS)
_LISTS = ("ul", "ol", "menu", "dir")
_FURNITURE_ROLES = frozenset(("navigation", "search", "banner", "contentinfo", "complementary"))
_DEEPEST = 200
"""Elements inside each other that are followed; browsers stop at 512."""


def read(data: bytes) -> FlowContent:
    """Return the blocks of an HTML page. Raises NoText."""
    from selectolax.lexbor import LexborHTMLParser

    text, warnings = text_of(data, says_encoding=True)
    tree = LexborHTMLParser(text)
    title = tree.css_first("head > title")
    return FlowContent(
        tuple(_Walk(_main(tree)).blocks()),
        title=tidy(title.text()) if title else "",
        author=_meta(tree, "author"),
        created=_meta(tree, "date"),
        warnings=warnings,
    )


def blocks_of(fragment: str) -> Iterator[FlowBlock]:
    """Yield the blocks of a piece of HTML."""
    from selectolax.lexbor import LexborHTMLParser

    body = LexborHTMLParser(fragment).body
    if body is not None:
        yield from _Walk(body).blocks()


def _meta(tree: LexborHTMLParser, name: str) -> str:
    found = tree.css_first(f'meta[name="{name}"]')
    return tidy(found.attributes.get("content") or "") if found else ""


def _main(tree: LexborHTMLParser) -> LexborNode | None:
    """Return the element that holds the text: the only `main` or `article`, else the body."""
    for name in ("main", "article"):
        found = tree.css(name)
        if len(found) == 1:
            return found[0]
    return tree.body


class _Walk:
    """Goes through a tree in order; text between block elements is gathered into paragraphs."""

    def __init__(self, root: LexborNode | None) -> None:
        self._root = root
        self._words: list[str] = []
        self._bold = True
        self._lists = 0
        self._item = False

    def blocks(self) -> Iterator[FlowBlock]:
        if self._root is not None:
            yield from self._inside(self._root, 0)
            yield from self._flush()

    def _inside(self, node: LexborNode, depth: int) -> Iterator[FlowBlock]:
        for child in node.iter(include_text=True):
            yield from self._one(child, depth + 1)

    def _one(self, node: LexborNode, depth: int) -> Iterator[FlowBlock]:
        name = node.tag or ""
        if name == "-text":
            self._add(node)
        elif name in _LEFT_OUT or depth > _DEEPEST or _is_apart(node):
            return
        elif name == "br":
            self._words.append("\n" if self._item else " ")
        elif name == "img":
            yield from self._picture(node)
        elif name in _BLOCKS:
            yield from self._flush()
            yield from self._block(node, name, depth)
            yield from self._flush()
        else:
            yield from self._inside(node, depth)

    def _block(self, node: LexborNode, name: str, depth: int) -> Iterator[FlowBlock]:
        if name in _HEADINGS:
            text = tidy(node.text())
            if text:
                yield FlowBlock(Kind.HEADING, text, _HEADINGS[name])
        elif name == "table":
            yield from self._table(node, depth)
        elif name == "pre":
            yield from _made(Kind.CODE, node.text().strip("\n"))
        elif name == "figcaption":
            yield from _made(Kind.CAPTION, tidy(node.text()))
        elif name in _LISTS or name == "dl":
            self._lists += 1
            yield from self._inside(node, depth)
            yield from self._flush()
            self._lists -= 1
        else:
            self._item = name in ("li", "dt")
            yield from self._inside(node, depth)

    def _add(self, node: LexborNode) -> None:
        text = node.text()
        self._words.append(text)
        if text.strip():
            self._bold = self._bold and node.parent is not None and node.parent.tag in ("b", "strong")

    def _flush(self) -> Iterator[FlowBlock]:
        text, bold = tidy("".join(self._words)), self._bold
        self._words, self._bold = [], True
        if text:
            is_item = self._item and self._lists > 0
            self._item = False
            yield FlowBlock(
                Kind.LIST_ITEM if is_item else Kind.PARAGRAPH, text, self._lists if is_item else 0, bold=bold
            )

    def _picture(self, node: LexborNode) -> Iterator[FlowBlock]:
        """Yield a figure for a picture that says what it shows; the others are mostly ornaments."""
        text = tidy(node.attributes.get("alt") or "")
        if text:
            yield from self._flush()
            yield FlowBlock(Kind.FIGURE, text)

    def _table(self, node: LexborNode, depth: int) -> Iterator[FlowBlock]:
        """Yield a table's caption and grid; one that holds tables or headings lays out a page and is gone through."""
        if node.css_first("table table, h1, h2, h3, h4, h5, h6, td p + p") is not None:
            yield from self._inside(node, depth)
            return
        caption = node.css_first("caption")
        if caption is not None:
            yield from _made(Kind.CAPTION, tidy(caption.text()))
        grid = _grid(node)
        text = grid.text()
        if not text.strip():
            return
        if grid.width == 1:
            yield from (FlowBlock(Kind.PARAGRAPH, cell.text) for cell in grid.cells)
            return
        yield FlowBlock(Kind.TABLE, text, grid=grid)


def _made(kind: Kind, text: str) -> Iterator[FlowBlock]:
    if text.strip():
        yield FlowBlock(kind, text)


def _is_apart(node: LexborNode) -> bool:
    attributes = node.attributes
    return (
        "hidden" in attributes or attributes.get("role") in _FURNITURE_ROLES or attributes.get("aria-hidden") == "true"
    )


def _grid(node: LexborNode) -> Grid:
    """Return the cells of a table with their spans; rows of `th` alone, and those of `thead`, are header rows."""
    places = Places()
    cells: list[Cell] = []
    header_rows = 0
    rows = [row for row in node.css("tr") if row.css_first("td, th") is not None]
    for at, row in enumerate(rows):
        column, names = 0, set[str]()
        for found in row.css("td, th"):
            down, across = _span(found, "rowspan", len(rows) - at), _span(found, "colspan", 1000)
            column, down, across = places.put(at, column, down, across)
            names.add(found.tag or "")
            text = tidy(found.text(separator=" "))
            if text:
                cells.append(Cell(at, column, text, down, across))
            column += across
        is_header = names == {"th"} or (row.parent is not None and row.parent.tag == "thead")
        header_rows += is_header and header_rows == at
    body = [row.css_first("td, th") for row in rows[header_rows:]]
    header_columns = int(bool(body) and all(first is not None and first.tag == "th" for first in body))
    return Grid(len(rows), places.width, tuple(cells), header_rows, header_columns)


def _span(node: LexborNode, name: str, most: int) -> int:
    value = node.attributes.get(name) or "1"
    return min(max(int(value), 1), most) if value.isdigit() and len(value) < 6 else 1
