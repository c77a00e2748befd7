"""What DrawingML holds in slides and in documents: paragraphs, tables, diagrams of shapes (SmartArt) and charts.

The data of a chart (ECMA-376 part 1, 21.2, and the newer "chartex") is a table, what it says is its caption.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterator, Sequence

from octavo_documents.document import Kind
from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing.cell_places import Places, span
from octavo_documents.parsing.flow import FlowBlock, collapse_whitespace, table
from octavo_documents.parsing.formulas import FORMULA, FORMULAS, of_omml
from octavo_documents.parsing.inline_marks import marked
from octavo_documents.parsing.numerals import whole_number
from octavo_documents.parsing.open_xml import ALTERNATE, CHOICE
from octavo_documents.parsing.package import Element

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
CHARTS = (f"{C}chart", "{http://schemas.microsoft.com/office/drawing/2014/chartex}chart")
"""What stands in a drawing for a chart that is a part of its own."""
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
"""What stands in a drawing for a diagram whose words are a part of their own."""
_DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_TEXT, _BREAK = f"{A}t", f"{A}br"
_RUNS = (f"{A}r", f"{A}fld")
_ON = ("1", "true")
_FILE = re.compile(r"\S+\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|svg|webp|pdf)", re.IGNORECASE)
_HEX = re.compile(r"[0-9A-Fa-f]{6}")
_MOST = 1000
"""Columns or rows that a cell spans at most."""
Shows = Callable[["Element | None", str], bool]
"""Whether a run is seen, by its properties and its text."""


def words(node: Element, shows: Shows | None = None) -> str:
    """Return the text of a paragraph on one line, its line breaks as spaces."""
    found: list[str] = []
    _gather(node, found, shows)
    return collapse_whitespace("".join(found))


def _gather(node: Element, found: list[str], shows: Shows | None) -> None:
    for child in node:
        tag = child.tag
        if tag == _TEXT:
            found.append(child.text or "")
        elif tag in _RUNS:
            _run(child, found, shows)
        elif tag == _BREAK:
            found.append(" ")
        elif tag in (FORMULA, FORMULAS):
            found.append(of_omml(child) if tag == FORMULA else "; ".join(map(of_omml, child.findall(FORMULA))))
        elif tag == ALTERNATE:
            first = child.find(CHOICE)
            _gather(child if first is None else first, found, shows)
        elif len(child):
            _gather(child, found, shows)


def _run(run: Element, found: list[str], shows: Shows | None) -> None:
    text = "".join(one.text or "" for one in run.iterchildren(_TEXT))
    properties = run.find(f"{A}rPr")
    if shows is not None and text.strip() and not shows(properties, text):
        return
    if properties is None:
        found.append(text)
        return
    raised = whole_number(properties.get("baseline", "").removesuffix("%"), digits=7) or 0
    is_struck = properties.get("strike", "noStrike") != "noStrike"
    looks = "".join(letter for letter in "bi" if properties.get(letter) in _ON)
    looks += "u" if properties.get("u", "none") != "none" else ""
    marker = properties.find(f"{A}highlight/{A}srgbClr")
    ground = -1 if marker is None else _colour(marker.get("val", ""))
    looks += "h" if ground >= 0 else ""
    found.append(marked(text, is_raised=raised > 0, is_struck=is_struck, looks=looks, ground=ground))


def _colour(value: str) -> int:
    return int(value, 16) if _HEX.fullmatch(value) else -1


def text_of(body: Element | None, shows_in: Callable[[Element], Shows] | None = None) -> str:
    """Return all paragraphs of a text body on one line."""
    paragraphs = () if body is None else body.iter(f"{A}p")
    return collapse_whitespace(" ".join(words(one, shows_in(one) if shows_in else None) for one in paragraphs))


def description(text: str | None) -> str:
    """Return what is written about a picture; "" for what is only the name of its file."""
    found = collapse_whitespace(text or "")
    return "" if _FILE.fullmatch(found) else found


def table_block(node: Element, shows_in: Callable[[Element], Shows] | None = None) -> FlowBlock | None:
    """Return the block of a table; None where no cell says anything. `shows_in` is asked for each cell."""
    places, cells = Places(), list[Cell]()
    rows = node.findall(f"{A}tr")
    for at, row in enumerate(rows):
        for column, cell in enumerate(row.iterchildren(f"{A}tc")):
            if cell.get("hMerge") in _ON or cell.get("vMerge") in _ON:
                continue
            down, across = span(cell.get("rowSpan"), len(rows) - at), span(cell.get("gridSpan"), _MOST)
            put, down, across = places.put(at, column, down, across)
            shows = shows_in(cell) if shows_in else None
            text = text_of(cell.find(f"{A}txBody"), (lambda _, shows=shows: shows) if shows else None)
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


_CX = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
_EPOCH = datetime.date(1899, 12, 30)
_LAST_DAY = 2_958_465
_MOST_POINTS = 20_000
"""Points of a series that are read."""

Column = tuple[str, dict[int, str]]
"""A column of the table: what heads it, and its texts by their row."""


def chart(root: Element) -> Iterator[FlowBlock]:
    """Yield the caption of a chart, where it has titles, and the table of its data."""
    titles = [text for one in root.iter(f"{C}title", f"{_CX}title") if (text := _said(one))]
    if titles:
        yield FlowBlock(Kind.CAPTION, "; ".join(dict.fromkeys(titles)))
    columns = _newer(root) if root.tag.startswith(_CX) else _columns(root)
    found = _table(columns)
    if found:
        yield found


def _said(title: Element) -> str:
    texts = [one.text or "" for one in title.iter(f"{A}t")] or [one.text or "" for one in title.iter(f"{C}v")]
    return collapse_whitespace("".join(texts))


def _columns(root: Element) -> list[Column]:
    """Return the columns of a chart's data: what the points are called, once where series agree, and each series."""
    found: list[Column] = []
    names: dict[int, str] = {}
    for series in root.iter(f"{C}ser"):
        title = series.find(f"{C}tx")
        name = "" if title is None else collapse_whitespace(" ".join(one.text or "" for one in title.iter(f"{C}v")))
        own = _points(_first(series, "cat", "xVal"))
        if own and own != names:
            axis = "" if series.find(f"{C}xVal") is None else "x"
            found.append((axis, own))
            names = own
        found.append((name, _points(_first(series, "val", "yVal"))))
        size = series.find(f"{C}bubbleSize")
        if size is not None:
            found.append((f"{name} (size)", _points(size)))
    return found


def _first(node: Element, *names: str) -> Element | None:
    return next((found for name in names if (found := node.find(C + name)) is not None), None)


def _points(data: Element | None) -> dict[int, str]:
    """Return the texts of points by their place; of categories on several levels all, the outermost first."""
    if data is None:
        return {}
    levels = list(data.iter(f"{C}lvl"))
    if levels:
        return _on_levels([_of(level, "") for level in levels])
    form = next((one.text or "" for one in data.iter(f"{C}formatCode")), "")
    return _of(data, form)


def _of(node: Element, form: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for point in node.iter(f"{C}pt"):
        place, value = whole_number(point.get("idx", "")), point.find(f"{C}v")
        if place is not None and place < _MOST_POINTS and value is not None:
            found[place] = _shown(collapse_whitespace(value.text or ""), point.get("formatCode", form))
    return found


def _on_levels(levels: Sequence[dict[int, str]]) -> dict[int, str]:
    found: dict[int, str] = {}
    above = [""] * len(levels)
    for place in sorted({place for level in levels for place in level}):
        above = [level.get(place, before) for level, before in zip(levels, above, strict=True)]
        found[place] = " ".join(filter(None, reversed(above)))
    return found


def _newer(root: Element) -> list[Column]:
    found: list[Column] = []
    for data in root.iter(f"{_CX}data"):
        for dimension in data:
            for level in dimension.iter(f"{_CX}lvl"):
                points = enumerate(list(level.iter(f"{_CX}pt"))[:_MOST_POINTS])
                name = level.get("name", "")
                found.append((name, {at: _shown(collapse_whitespace(one.text or ""), "") for at, one in points}))
    return found


def _table(columns: Sequence[Column]) -> FlowBlock | None:
    places = sorted({place for _, texts in columns for place in texts})
    if not places:
        return None
    head = [name for name, _ in columns]
    rows = [[texts.get(place, "") for _, texts in columns] for place in places]
    return table([head, *rows], 1, header_columns=int(len(columns) > 1 and not head[0]))


def _shown(value: str, form: str) -> str:
    """Return a number about as its format shows it: percentages, dates, no noise of binary fractions."""
    try:
        number = float(value)
    except ValueError:
        return value
    if "%" in form:
        return f"{number * 100:.6g}%"
    if _is_date(form) and 0 < number <= _LAST_DAY:
        return (_EPOCH + datetime.timedelta(days=int(number))).isoformat()
    return f"{number:.12g}" if abs(number) < 1e15 else value


def _is_date(form: str) -> bool:
    plain = form.lower().replace("general", "")
    return "yy" in plain or ("d" in plain and "m" in plain)
