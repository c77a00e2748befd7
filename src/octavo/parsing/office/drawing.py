"""What DrawingML holds in slides and in documents: paragraphs, tables and diagrams of shapes (SmartArt)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo.document import Kind
from octavo.document.grid import Cell, Grid
from octavo.parsing.flow import FlowBlock, Places, tidy, whole_number
from octavo.parsing.office.omml import FORMULA, FORMULAS, linear
from octavo.parsing.office.opc import ALTERNATE, CHOICE
from octavo.parsing.package import Element

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
CHARTS = (f"{C}chart", "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart")
"""What stands in a drawing for a chart that is a part of its own."""
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
"""What stands in a drawing for a diagram whose words are a part of their own."""
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_TEXT, _BREAK, _CHOICES = f"{A}t", f"{A}br", f"{A}pPr"
_ON = ("1", "true")
_FILE = re.compile(r"\S+\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|svg|webp|pdf)", re.IGNORECASE)
_MOST = 1000
"""Columns or rows that a cell spans at most."""


def words(node: Element) -> str:
    """Return the text of a paragraph on one line, its line breaks as spaces."""
    found: list[str] = []
    _gather(node, found)
    return tidy("".join(found))


def _gather(node: Element, found: list[str]) -> None:
    for child in node:
        tag = child.tag
        if tag == _TEXT:
            found.append(child.text or "")
        elif tag == _BREAK:
            found.append(" ")
        elif tag in (FORMULA, FORMULAS):
            found.append(linear(child) if tag == FORMULA else "; ".join(map(linear, child.findall(FORMULA))))
        elif tag == ALTERNATE:
            first = child.find(CHOICE)
            _gather(child if first is None else first, found)
        elif len(child):
            _gather(child, found)


def text_of(body: Element | None) -> str:
    """Return all paragraphs of a text body on one line."""
    return "" if body is None else tidy(" ".join(words(one) for one in body.iter(f"{A}p")))


def description(text: str | None) -> str:
    """Return what is written about a picture; "" for what is only the name of its file."""
    found = tidy(text or "")
    return "" if _FILE.fullmatch(found) else found


def span(node: Element, name: str) -> int:
    """Return a number of columns or rows that an attribute gives, 1 where it gives none."""
    value = node.get(name, "1")
    return min(max(int(value), 1), _MOST) if value.isdecimal() and len(value) < 6 else 1


def table(node: Element) -> FlowBlock | None:
    """Return the block of a table; None where no cell says anything."""
    places, cells = Places(), list[Cell]()
    rows = node.findall(f"{A}tr")
    for at, row in enumerate(rows):
        for column, cell in enumerate(row.iterchildren(f"{A}tc")):
            if cell.get("hMerge") in _ON or cell.get("vMerge") in _ON:
                continue
            down, across = min(span(cell, "rowSpan"), len(rows) - at), span(cell, "gridSpan")
            put, down, across = places.put(at, column, down, across)
            text = text_of(cell.find(f"{A}txBody"))
            if text:
                cells.append(Cell(at, put, text, down, across))
    if not cells:
        return None
    properties = node.find(f"{A}tblPr")
    is_headed = properties is not None and properties.get("firstRow") in _ON and len(rows) > 1
    is_named = properties is not None and properties.get("firstCol") in _ON and places.width > 1
    grid = Grid(len(rows), places.width, tuple(cells), int(is_headed), int(is_named))
    return FlowBlock(Kind.TABLE, grid.text(), grid=grid)


def diagram(root: Element) -> Iterator[FlowBlock]:
    """Yield the words of a diagram as list items, nested as its shapes are."""
    texts = {one.get("modelId", ""): text_of(one.find(f"{_DGM}t")) for one in root.iter(f"{_DGM}pt")}
    below: dict[str, list[tuple[int, str]]] = {}
    for one in root.iter(f"{_DGM}cxn"):
        if one.get("type", "parOf") == "parOf":
            place = whole_number(one.get("srcOrd", "0")) or 0
            below.setdefault(one.get("srcId", ""), []).append((place, one.get("destId", "")))
    lower = {id_ for children in below.values() for _, id_ in children}
    open_ = [(id_, 0) for id_ in reversed(texts) if id_ not in lower]
    seen = set[str]()
    while open_:
        id_, depth = open_.pop()
        if id_ in seen:
            continue
        seen.add(id_)
        text = texts.get(id_, "")
        if text:
            yield FlowBlock(Kind.LIST_ITEM, text, max(depth, 1))
        open_ += [(child, depth + 1) for _, child in sorted(below.get(id_, []), reverse=True)]
