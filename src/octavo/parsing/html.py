"""HTML to blocks, by the tree that selectolax (Lexbor) builds as browsers do.

No address in a page is followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
_CELLS = ("td", "th")
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
        self._found: list[FlowBlock] = []
        self._words: list[str] = []
        self._bold = True
        self._lists = 0
        self._item = False

    def blocks(self) -> list[FlowBlock]:
        if self._root is not None:
            self._inside(self._root, 0)
            self._flush()
        return self._found

    def _inside(self, node: LexborNode, depth: int) -> None:
        for child in node.iter(include_text=True):
            self._one(child, depth + 1)

    def _one(self, node: LexborNode, depth: int) -> None:
        name = node.tag or ""
        if name == "-text":
            self._add(node)
        elif name in _LEFT_OUT or depth > _DEEPEST or _is_apart(node):
            return
        elif name == "br":
            self._words.append("\n" if self._item else " ")
        elif name == "img":
            self._picture(node)
        elif name in _BLOCKS:
            self._flush()
            self._block(node, name, depth)
            self._flush()
        else:
            self._inside(node, depth)

    def _block(self, node: LexborNode, name: str, depth: int) -> None:
        if name in _HEADINGS:
            text = tidy(node.text())
            if text:
                self._found.append(FlowBlock(Kind.HEADING, text, _HEADINGS[name]))
        elif name == "table":
            self._table(node, depth)
        elif name == "pre":
            self._made(Kind.CODE, node.text().strip("\n"))
        elif name == "figcaption":
            self._made(Kind.CAPTION, tidy(node.text()))
        elif name in _LISTS or name == "dl":
            self._lists += 1
            self._inside(node, depth)
            self._flush()
            self._lists -= 1
        else:
            self._item = name in ("li", "dt")
            self._inside(node, depth)

    def _add(self, node: LexborNode) -> None:
        text = node.text()
        self._words.append(text)
        if text.strip():
            self._bold = self._bold and node.parent is not None and node.parent.tag in ("b", "strong")

    def _flush(self) -> None:
        text, bold = tidy("".join(self._words)), self._bold
        self._words, self._bold = [], True
        if text:
            is_item = self._item and self._lists > 0
            self._item = False
            kind = Kind.LIST_ITEM if is_item else Kind.PARAGRAPH
            self._found.append(FlowBlock(kind, text, self._lists if is_item else 0, bold=bold))

    def _picture(self, node: LexborNode) -> None:
        """Take a figure for a picture that says what it shows; the others are mostly ornaments."""
        text = tidy(node.attributes.get("alt") or "")
        if text:
            self._flush()
            self._found.append(FlowBlock(Kind.FIGURE, text))

    def _table(self, node: LexborNode, depth: int) -> None:
        """Take a table's caption and grid; one that holds tables or headings lays out a page and is gone through."""
        if node.css_first("table table, h1, h2, h3, h4, h5, h6, td p + p") is not None:
            self._inside(node, depth)
            return
        caption = node.css_first("caption")
        if caption is not None:
            self._made(Kind.CAPTION, tidy(caption.text()))
        grid = _grid(node)
        text = grid.text()
        if not text.strip():
            return
        if grid.width == 1:
            self._found += [FlowBlock(Kind.PARAGRAPH, cell.text) for cell in grid.cells]
            return
        self._found.append(FlowBlock(Kind.TABLE, text, grid=grid))

    def _made(self, kind: Kind, text: str) -> None:
        if text.strip():
            self._found.append(FlowBlock(kind, text))


def _is_apart(node: LexborNode) -> bool:
    attributes = node.attributes
    return bool(attributes) and (
        "hidden" in attributes or attributes.get("role") in _FURNITURE_ROLES or attributes.get("aria-hidden") == "true"
    )


def _grid(node: LexborNode) -> Grid:
    """Return the cells of a table with their spans; rows of `th` alone, and those of `thead`, are header rows."""
    places = Places()
    cells: list[Cell] = []
    header_rows = 0
    rows = [(row, held) for row in node.css("tr") if (held := [one for one in row.iter() if one.tag in _CELLS])]
    for at, (row, held) in enumerate(rows):
        column, names = 0, set[str]()
        for found in held:
            attributes = found.attributes
            down, across = _span(attributes, "rowspan", len(rows) - at), _span(attributes, "colspan", 1000)
            column, down, across = places.put(at, column, down, across)
            names.add(found.tag or "")
            text = tidy(found.text(separator=" "))
            if text:
                cells.append(Cell(at, column, text, down, across))
            column += across
        is_header = names == {"th"} or (row.parent is not None and row.parent.tag == "thead")
        header_rows += is_header and header_rows == at
    body = [held[0].tag for _, held in rows[header_rows:]]
    header_columns = int(bool(body) and {*body} == {"th"})
    return Grid(len(rows), places.width, tuple(cells), header_rows, header_columns)


def _span(attributes: Mapping[str, str | None], name: str, most: int) -> int:
    value = attributes.get(name) or "1"
    return min(max(int(value), 1), most) if value.isdigit() and len(value) < 6 else 1
