"""HTML to blocks, by the tree that selectolax (Lexbor) builds as browsers do; XHTML is made HTML before.

No address in a page is followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from octavo_documents.document import Kind
from octavo_documents.parsing.css_selectors import Attributes
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, collapse_whitespace
from octavo_documents.parsing.html_forms import FIELDS, holds_text, value_of
from octavo_documents.parsing.html_nesting import bounded
from octavo_documents.parsing.html_pictures import FileAt, drawing, file_in_address, picture
from octavo_documents.parsing.html_tables import grid_of, lays_out
from octavo_documents.parsing.inline_marks import note_mark
from octavo_documents.parsing.left_out import Unseen
from octavo_documents.parsing.looks import Looks, looks_of
from octavo_documents.parsing.numerals import whole_number
from octavo_documents.parsing.ordered_lists import HTML_FORMS, ListNumbers

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

TAG = re.compile(r"""<([A-Za-z][\w:.-]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>""")
"""The start of an element: its name and what follows it in the brackets."""
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)


_SAYS_SO = re.compile(r"<\?xml\b|<html\b[^>]*\bxmlns\s*=", re.I)
_LOOKED_AT = 4096


def as_html(text: str) -> str:
    """Return a page as HTML has it where it says that it is XHTML; any other as it is."""
    return TAG.sub(ended, text) if _SAYS_SO.search(text, 0, _LOOKED_AT) else text


def body_of(text: str) -> str:
    """Return a file from the start of its body on."""
    return text[max(text.find("<body"), 0) :]


def ended(tag: re.Match[str], inside: str = "") -> str:
    """Return a start as HTML has it, with text right after it: one that is ended at once is ended behind that."""
    name, rest = tag[1], tag[2]
    if rest.endswith("/") and name.lower() not in _VOID:
        return f"<{name}{rest[:-1]}>{inside}</{name}>"
    return f"{tag[0]}{inside}"


_NOT_READ = "script style template head nav object embed canvas audio video button menu option datalist -comment"
_LEFT_OUT = frozenset(_NOT_READ.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_APART = """
    address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer
    form header hgroup hr html li main ol p pre section summary table tbody td tfoot th thead tr ul
"""
_BLOCKS = frozenset((*_APART.split(), *_HEADINGS))
_PICTURES = {"img": picture, "svg": drawing}
_LISTS = ("ul", "ol", "menu", "dir")
_FURNITURE_ROLES = frozenset(("navigation", "search", "banner", "contentinfo", "complementary"))
_NAMES = ("role", "epub:type", "class")
_REFERS = ("doc-noteref", "noteref", "footnote-ref", "footnote-reference")
_NOTE = ("doc-footnote", "doc-endnote", "footnote", "endnote", "rearnote")
_NOTES = ("doc-endnotes", "footnotes", "endnotes", "rearnotes")
_BACK = ("doc-backlink", "backlink", "footnote-back", "footnote-backref", "fn-backref")
"""What roles, types and classes call marks that refer to notes, notes, lists of notes, and ways back from them."""
_SIGNS = ("<sup", "noteref", "footnote", "endnote", "rearnote", "backlink", "fn-backref")
"""What a page with notes has somewhere: what all of these names have in them."""
_LONGEST_MARK = 12
_MOST_FRAMES = 3
"""Frames inside each other that are read."""
_ADVICE = re.compile(r"java\s?script|cookies|browser", re.IGNORECASE)
_DEEPEST = 200
"""Elements inside each other that are followed; of those further in only the words are taken."""


def read(data: bytes) -> FlowContent:
    """Return the blocks of an HTML page. Raises NoText."""
    from selectolax.lexbor import LexborHTMLParser

    text, warnings = text_of(data, says_encoding=True)
    tree = LexborHTMLParser(bounded(as_html(text)))
    title = tree.css_first("head > title")
    blocks, hidden = _blocks(tree, _main(tree), text)
    return FlowContent(
        tuple(blocks),
        title=collapse_whitespace(title.text()) if title else "",
        author=_meta(tree, "author"),
        created=_meta(tree, "date"),
        warnings=(*warnings, *hidden),
    )


def _blocks(tree: LexborHTMLParser, root: LexborNode | None, page: str) -> tuple[list[FlowBlock], tuple[str, ...]]:
    """Return the blocks in an element of a page, and what is to be said of words that it does not show.

    Where that is a large share of a page with scripts, these are likely to show it, and it is read.
    """
    unseen = Unseen()
    looks = looks_of(tree, page, unseen)
    found = _Walk(root, looks, has_notes=_has_notes(page)).blocks()
    if not looks.may_be_scripted(block.text for block in found):
        return found, unseen.warnings()
    looks.is_lenient, looks.unseen = True, Unseen()
    found = _Walk(root, looks, has_notes=_has_notes(page)).blocks()
    warnings = unseen.warnings("read: {} that {} shows only once a script has run")
    return found, (*warnings, *looks.unseen.warnings())


def blocks_of(
    fragment: str, *, styles: str = "", unseen: Unseen | None = None, file_at: FileAt = file_in_address
) -> Iterator[FlowBlock]:
    """Yield the blocks of a piece of HTML; `styles` are style sheets for it, `unseen` takes words not shown.

    `file_at` gives the pictures in it.
    """
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(bounded(fragment))
    if tree.body is not None:
        looks = looks_of(tree, fragment, unseen or Unseen(), styles)
        yield from _Walk(tree.body, looks, has_notes=_has_notes(fragment), file_at=file_at).blocks()


def _meta(tree: LexborHTMLParser, name: str) -> str:
    found = tree.css_first(f'meta[name="{name}"]')
    return collapse_whitespace(found.attributes.get("content") or "") if found else ""


def _main(tree: LexborHTMLParser) -> LexborNode | None:
    """Return the element that holds the text: the only `main` or `article`, else the body."""
    for name in ("main", "article"):
        found = tree.css(name)
        if len(found) == 1:
            return found[0]
    return tree.body


class _Walk:
    """Goes through a tree in order; text between block elements is gathered into paragraphs."""

    def __init__(
        self, root: LexborNode | None, looks: Looks, *, has_notes: bool, file_at: FileAt = file_in_address
    ) -> None:
        self._root, self._looks, self._has_notes, self._file_at = root, looks, has_notes, file_at
        self._look, self._telling = looks.start, looks.telling
        self._found: list[FlowBlock] = []
        self._words: list[str] = []
        self._bold = True
        self._lists = self._frames = 0
        self._item = False
        self._numbers, self._label = ListNumbers(), ""

    def blocks(self) -> list[FlowBlock]:
        if self._root is not None:
            self._around(self._root)
            self._inside(self._root, 0)
            self._flush()
        return self._found

    def _around(self, root: LexborNode) -> None:
        """Take the look that the elements around the one that is read give it."""
        above: list[LexborNode] = []
        node: LexborNode | None = root
        while node is not None and len(above) < _DEEPEST:
            if node.tag and not node.tag.startswith("-"):
                above.append(node)
            node = node.parent
        for one in reversed(above):
            self._look = self._looks.of(one, one.tag or "", self._look) or self._look

    def _inside(self, node: LexborNode, depth: int) -> None:
        child = node.child
        while child is not None:
            name = child.tag or ""
            if name == "-text":
                self._add(child)
            elif name == "br":
                self._words.append("\n" if self._item else " ")
            elif name in _LEFT_OUT:
                pass
            elif name == "dialog" and "open" not in child.attributes and not self._looks.has_scripts:
                self._looks.hide(child)  # nothing can open it
            elif depth < _DEEPEST:
                self._one(child, name, depth + 1)
            else:
                self._words.append(f" {self._looks.text(child, self._look, gap=' ')} ")
            child = child.next

    def _one(self, node: LexborNode, name: str, depth: int) -> None:
        attributes, before = node.attributes, self._look
        if attributes or name in self._telling:
            if _is_apart(attributes, name):
                return
            look = self._looks.of(node, name, before, attributes)
            if look is None:
                self._looks.hide(node)
                return
            self._look = look
        if self._has_notes and self._took_notes(node, name, depth, attributes):
            pass
        elif name in _BLOCKS:
            self._flush()
            self._block(node, name, depth)
            self._flush()
        elif name in _PICTURES:
            self._picture(_PICTURES[name](node, self._file_at))
        elif name in FIELDS:
            self._words.append(f" {self._looks.words(value_of(node), self._look)} ")
        elif name == "iframe":
            self._frame(attributes.get("srcdoc") or "")
        elif name == "noscript":
            self._without_scripts(node, depth)
        else:
            self._inside(node, depth)
        self._look = before

    def _text(self, node: LexborNode) -> str:
        return self._looks.text(node, self._look)

    def _took_notes(self, node: LexborNode, name: str, depth: int, attributes: Attributes) -> bool:
        """Take notes and marks that refer to them, pass over ways back; return whether it was any of these."""
        called = _called(attributes)
        if not called and name != "a":
            return False
        if name in ("a", "sup") and (called.intersection(_REFERS) or (name == "a" and _is_mark(node))):
            mark = note_mark(collapse_whitespace(node.text()))
            if self._words and not mark.startswith(" "):
                self._words[-1] = self._words[-1].rstrip()
            self._words.append(mark)
        elif called.intersection(_NOTE) and name != "li":
            self._as_note(node, "", depth)
        elif called.intersection(_NOTES) and (items := _numbered(node)):
            for number, item in enumerate(items, 1):
                self._as_note(item, f"[{number}] ", depth)
        else:
            return bool(called.intersection(_BACK))
        return True

    def _as_note(self, node: LexborNode, mark: str, depth: int) -> None:
        self._flush()
        before = len(self._found)
        self._inside(node, depth)
        self._flush()
        words = [block.text for block in self._found[before:] if block.kind in (Kind.PARAGRAPH, Kind.LIST_ITEM)]
        if words:
            others = [block for block in self._found[before:] if block.kind not in (Kind.PARAGRAPH, Kind.LIST_ITEM)]
            self._found[before:] = [FlowBlock(Kind.FOOTNOTE, mark + " ".join(words)), *others]

    def _block(self, node: LexborNode, name: str, depth: int) -> None:
        if name in _HEADINGS:
            text = collapse_whitespace(self._text(node))
            if text:
                self._found.append(FlowBlock(Kind.HEADING, text, _HEADINGS[name]))
        elif name == "form":
            if holds_text(node):
                self._inside(node, depth)
        elif name == "table":
            self._table(node, depth)
        elif name == "pre":
            self._made(Kind.CODE, self._text(node).strip("\n"))
        elif name == "figcaption":
            self._made(Kind.CAPTION, collapse_whitespace(self._text(node)))
        elif name in _LISTS or name == "dl":
            self._lists += 1
            _begin(self._numbers, node, name)
            self._inside(node, depth)
            self._flush()
            self._numbers.end()
            self._lists -= 1
        else:
            if name == "li":
                self._label = self._numbers.item(_whole(node.attributes.get("value")))
            self._item = name in ("li", "dt") or (self._item and name in ("p", "div"))
            self._inside(node, depth)

    def _add(self, node: LexborNode) -> None:
        text, look = node.text_content or "", self._look
        if not look.is_shown:
            self._looks.unseen.hide(text)
            return
        self._words.append(text if look.is_plain else look.on(text))
        if self._bold and text.strip():
            self._bold = node.parent is not None and node.parent.tag in ("b", "strong")

    def _flush(self) -> None:
        if not self._words:
            self._bold = True
            return
        text, bold = collapse_whitespace("".join(self._words)), self._bold
        self._words, self._bold = [], True
        if text:
            is_item = self._item and self._lists > 0
            text = f"{self._label} {text}" if is_item and self._label else text
            self._item, self._label = False, ""
            kind = Kind.LIST_ITEM if is_item else Kind.PARAGRAPH
            self._found.append(FlowBlock(kind, text, self._lists if is_item else 0, bold=bold))

    def _picture(self, found: FlowBlock | None) -> None:
        if found is not None:
            self._flush()
            self._found.append(found)

    def _frame(self, page: str) -> None:
        """Take the page in a frame that is written in the page around it."""
        if page.strip() and self._frames < _MOST_FRAMES:
            from selectolax.lexbor import LexborHTMLParser

            self._flush()
            tree = LexborHTMLParser(bounded(page))
            inner = _Walk(tree.body, looks_of(tree, page, self._looks.unseen), has_notes=_has_notes(page))
            inner._frames = self._frames + 1
            self._found += inner.blocks()

    def _without_scripts(self, node: LexborNode, depth: int) -> None:
        """Take what is shown where no script runs, but for the advice to run some, and pictures shown there again."""
        if node.css_first("img") is None and not _ADVICE.search(node.text()):
            self._flush()
            self._inside(node, depth)
            self._flush()

    def _table(self, node: LexborNode, depth: int) -> None:
        """Take a table's caption and grid; one that lays out a page is gone through."""
        if node.css_first("h1, h2, h3, h4, h5, h6, td p + p") is not None or lays_out(node):
            self._inside(node, depth)
            return
        caption = next((one for one in node.iter() if one.tag == "caption"), None)
        if caption is not None:
            self._made(Kind.CAPTION, collapse_whitespace(self._text(caption)))
        grid = grid_of(node, self._looks, self._look, _text_around_tables)
        text = grid.text()
        if not text.strip():
            return
        if grid.width == 1:
            self._found += [FlowBlock(Kind.PARAGRAPH, cell.text) for cell in grid.cells]
            return
        self._found.append(FlowBlock(Kind.TABLE, text, grid=grid))
        shown = (picture(one, self._file_at) for one in node.css("img"))
        self._found += [one for one in shown if one is not None and one.file is not None]

    def _made(self, kind: Kind, text: str) -> None:
        if text.strip():
            self._found.append(FlowBlock(kind, text))


def _is_apart(attributes: Attributes, name: str) -> bool:
    if name == "dialog" and "open" not in attributes:
        return True
    return bool(attributes) and (attributes.get("role") in _FURNITURE_ROLES or attributes.get("aria-hidden") == "true")


def _has_notes(text: str) -> bool:
    return any(sign in text for sign in _SIGNS)


def _called(attributes: Attributes) -> set[str]:
    """Return the words of an element's role, type and class."""
    return {word for name in _NAMES if name in attributes for word in (attributes[name] or "").lower().split()}


def _numbered(node: LexborNode) -> list[LexborNode]:
    """Return the items of the numbered lists in an element, or of the one it is."""
    return [item for item in node.css("li") if item.parent is not None and item.parent.tag == "ol"]


def _is_mark(node: LexborNode) -> bool:
    """Whether a link within the page is a raised mark alone: <sup><a href="#n1">1</a></sup>."""
    if not (node.attributes.get("href") or "").startswith("#"):
        return False
    up = node.parent
    raised = up is not None and up.tag == "sup" and collapse_whitespace(up.text()) == collapse_whitespace(node.text())
    return (raised or node.css_first("sup") is not None) and 0 < len(collapse_whitespace(node.text())) <= _LONGEST_MARK


def _text_around_tables(cell: LexborNode, looks: Looks) -> str:
    """Return the words of a cell that holds tables, these with a line for each row, on one line."""
    found: list[str] = []
    for block in _Walk(cell, looks, has_notes=False).blocks():
        rows = block.grid.rows() if block.grid else [[block.text]]
        found.append("; ".join(", ".join(filter(None, row)) for row in rows))
    return " ".join(found)


def _begin(numbers: ListNumbers, node: LexborNode, name: str) -> None:
    """Begin to count the items of a list as its element says."""
    attributes = node.attributes
    if name != "ol" or _UNMARKED.search(attributes.get("style") or ""):
        numbers.begin(None)
        return
    start, is_back = _whole(attributes.get("start")), "reversed" in attributes
    if start is None:
        start = sum(one.tag == "li" for one in node.iter()) if is_back else 1
    numbers.begin(start, form=HTML_FORMS.get(attributes.get("type") or "", "decimal"), step=-1 if is_back else 1)


_UNMARKED = re.compile(r"list-style(?:-type)?\s*:[^;]*\bnone\b", re.IGNORECASE)


def _whole(text: str | None) -> int | None:
    return whole_number((text or "").strip())
