"""What is in office files, by the libraries that are known best for them: words, headings by their styles, tables.

`converters.py` compares the Markdown of tools with it. A heading of a Word file is a paragraph in the style "Heading 1"
to "Heading 9", or "Title"; of slides the titles are left out, as every tool calls something else a heading there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from formats import oracle

Cells: TypeAlias = dict[tuple[int, int], tuple[str, int, int]]
"""By row and column of its first corner: the text of a cell without spaces, and how many rows and columns it covers."""
ENDINGS = (".docx", ".pptx")
_HEADING = re.compile(r"Heading ([1-9])")


def is_office(path: Path) -> bool:
    """Whether there is gold for a file."""
    return path.suffix in ENDINGS and oracle(path) is not None


def words_of(path: Path) -> str:
    """Return the words of a file."""
    return oracle(path) or ""


def headings_of(path: Path) -> list[tuple[int, str]]:
    """Return (level, title) of each heading of a Word file, 0 for the title of the whole; none of slides."""
    if path.suffix != ".docx":
        return []
    import docx

    found = list[tuple[int, str]]()
    opened: Any = docx.Document(str(path))
    for paragraph in opened.paragraphs:
        style = str(paragraph.style.name) if paragraph.style is not None else ""
        level = _HEADING.fullmatch(style)
        if paragraph.text.strip() and (level or style == "Title"):
            found.append((int(level[1]) if level else 0, paragraph.text))
    return found


def tables_of(path: Path) -> Iterator[Cells]:
    """Yield the tables of a Word file, or of slides."""
    if path.suffix == ".docx":
        import docx

        word: Any = docx.Document(str(path))
        yield from map(_word_table, word.tables)
    else:
        from pptx import Presentation

        slides: Any = Presentation(str(path)).slides
        yield from (_slide_table(shape.table) for slide in slides for shape in slide.shapes if shape.has_table)


def _word_table(table: Any) -> Cells:
    """Return the cells of a table of Word's, which has a merged cell at each of its places."""
    places = dict[Any, list[tuple[int, int]]]()
    texts = dict[Any, str]()
    for at, row in enumerate(table.rows):
        for column, cell in enumerate(row.cells, row.grid_cols_before):
            places.setdefault(cell._tc, []).append((at, column))
            texts[cell._tc] = _spaceless(cell.text)
    found: Cells = {}
    for cell, there in places.items():
        (top, left), (bottom, right) = min(there), max(there)
        found[top, left] = texts[cell], bottom - top + 1, right - left + 1
    return found


def _slide_table(table: Any) -> Cells:
    return {
        (at, column): (_spaceless(cell.text), cell.span_height, cell.span_width)
        for at, row in enumerate(table.rows)
        for column, cell in enumerate(row.cells)
        if not cell.is_spanned
    }


def _spaceless(text: str) -> str:
    return "".join(text.split())
