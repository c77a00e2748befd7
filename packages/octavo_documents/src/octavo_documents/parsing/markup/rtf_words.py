"""The control words of RTF that need no state: what they stand for; and the tables that rows of cells make."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from octavo_documents.document.grid import Cell, Grid

# fmt: off
PASSED_OVER = frozenset((
    "fonttbl", "pict", "object", "objdata", "fldinst", "themedata", "colorschememapping",
    "datastore", "latentstyles", "listtable", "listoverridetable", "rsidtbl", "xmlnstbl", "generator",
    "filetbl", "revtbl", "nonshppict", "pnseclvl", "operator", "wgrffmtfilter", "mmathPr", "bkmkstart",
    "bkmkend", "atrfstart", "atrfend", "sp", "shpinst_", "blipuid", "panose", "falt", "pn", "company",
    "category", "keywords", "xe", "tc",
))
# fmt: on
"""Groups that hold nothing to be read."""
INFO = ("title", "author")
"""What a file says of itself that is kept."""
CHARACTERS = {
    "emdash": "—",
    "endash": "–",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "tab": "\t",
    "line": "\n",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
}
SIGNS = {b"~": "\u00a0", b"_": "\u2011", b"-": "", b"\n": "\n", b"\r": "\n"}
CODE_PAGES = {
    77: "mac_roman",
    128: "cp932",
    129: "cp949",
    134: "gb18030",
    136: "big5",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
}
"""Encodings by the number of a font's character set."""
KEPT = frozenset(("shptxt", "shpinst", "listtext", "pntext", "footnote", "annotation", "fldrslt", "header", "footer"))
DESTINATIONS = {
    "stylesheet": "style",
    "colortbl": "colours",
    "info": "info",
    "footnote": "footnote",
    "annotation": "annotation",
    "atnid": "",
    "atnauthor": "",
    "title": "title",
    "author": "author",
    **dict.fromkeys(("subject", "doccomm", "operator", "manager", "comment"), ""),
    **dict.fromkeys(("creatim", "revtim", "printim", "buptim"), ""),
    **dict.fromkeys(("header", "headerf", "headerl", "headerr", "footer", "footerf", "footerl", "footerr"), ""),
}


MOST_COLUMNS = 500


@dataclass(slots=True)
class RtfRow:
    """What is said of a row before its cells."""

    edges: list[int] = field(default_factory=list[int])
    joined: list[str] = field(default_factory=list[str])
    """For each cell how it is joined with others: "mgf", "mrg", "vmgf", "vmrg" or ""."""
    is_header: bool = False


def grid_of(rows: list[tuple[RtfRow, list[str]]]) -> Grid:
    """Return the cells of a table: columns are told by the right edges of the cells of all rows."""
    edges = sorted({edge for row, _ in rows for edge in row.edges})[:MOST_COLUMNS]
    places = {edge: at for at, edge in enumerate(edges)}
    width = max(len(edges), max(len(cells) for _, cells in rows))
    cells: list[Cell] = []
    above: dict[int, int] = {}
    for number, (row, texts) in enumerate(rows):
        column = 0
        for at, text in enumerate(texts):
            end = places.get(row.edges[at], width - 1) + 1 if at < len(row.edges) else column + 1
            across = max(min(end, width) - column, 1)
            kind = row.joined[at] if at < len(row.joined) else ""
            if column >= width:
                break
            if kind == "mrg" and cells and cells[-1].row == number:
                cells[-1] = replace(cells[-1], columns=cells[-1].columns + across)
            elif kind == "vmrg" and column in above:
                held = cells[above[column]]
                cells[above[column]] = replace(held, rows=number + 1 - held.row)
            elif text or kind:
                above[column] = len(cells)
                cells.append(Cell(number, column, text, 1, across))
            column += across
    headers = next((at for at, (row, _) in enumerate(rows) if not row.is_header), len(rows))
    return Grid(len(rows), width, tuple(cell for cell in cells if cell.text), min(headers, len(rows) - 1))
