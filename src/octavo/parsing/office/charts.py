"""The data of a chart (ECMA-376 part 1, 21.2, and the newer "chartex") as a table, with what it says as its caption."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence

from octavo.document import Kind
from octavo.parsing.flow import FlowBlock, table, tidy, whole_number
from octavo.parsing.office.drawing import A, C
from octavo.parsing.package import Element

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
    return tidy("".join(texts))


def _columns(root: Element) -> list[Column]:
    """Return the columns of a chart's data: what the points are called, once where series agree, and each series."""
    found: list[Column] = []
    names: dict[int, str] = {}
    for series in root.iter(f"{C}ser"):
        title = series.find(f"{C}tx")
        name = "" if title is None else tidy(" ".join(one.text or "" for one in title.iter(f"{C}v")))
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
            found[place] = _shown(tidy(value.text or ""), point.get("formatCode", form))
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
                found.append((name, {at: _shown(tidy(one.text or ""), "") for at, one in points}))
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
