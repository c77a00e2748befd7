"""The tables of LaTeX: rows and cells with their spans."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing.cell_places import span
from octavo_documents.parsing.markup.latex_source import (
    after_optional,
    group,
)

_WIDE = ("tabular*", "tabularx", "tabulary", "xltabular")
"""Those that say how wide they are before they say their columns."""
_PARTS = re.compile(r"\\\\(?:\*)?|\\tabularnewline\b|(?<!\\)&|\\.|[{}]|\\begin\s*\{|\\end\s*\{", re.DOTALL)
_RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|firsthline|lasthline|specialrule(?:\{[^}]*\}){3}|addlinespace(?:\[[^\]]*\])?"
    r"|cmidrule(?:\[[^\]]*\])?(?:\([^)]*\))?\{[^}]*\}|cline\{[^}]*\}|endhead|endfirsthead|endfoot|endlastfoot|rowcolor"
    r"(?:\[[^\]]*\])?\{[^}]*\})(?:\[[^\]]*\])?"
)
_WHOLE_RULE = re.compile(r"\\(?:hline|midrule|endhead|endfirsthead)\b")
_ENDS = re.compile(r"\\end(firsthead|head|foot|lastfoot)(?![a-zA-Z])")
_ACROSS = re.compile(r"\s*\\multicolumn\s*")
_DOWN = re.compile(r"\s*\\multirow\s*")
_MOST_ROWS, _MOST_SPAN = 20_000, 500


def grid_of(name: str, body: str, words: Callable[[str], str]) -> Grid:
    """Return the cells of a table environment; header rows are those over its first rule across that has rows above."""
    at = after_optional(body, 0)
    if name in _WIDE:
        _, at = group(body, at)
        at = after_optional(body, at)
    _, at = group(body, at)  # how the columns are set
    cells, headers, number, width = list[Cell](), 0, 0, 0
    held: dict[int, int] = {}  # by column, the number of the last cell that covers it
    for row in _rows(_on_one_page(body[at:])):
        rules = "".join(_RULES.findall(row[0])) if row else ""
        if number and not headers and _WHOLE_RULE.search(rules):
            headers = number
        texts = [_RULES.sub(" ", part) for part in row]
        if len(texts) == 1 and not texts[0].strip():
            continue
        column = 0
        for text in texts:
            inner, down, across = _spans(text)
            shown = words(inner)
            if shown and column < _MOST_SPAN:
                above = cells[held[column]] if column in held else None
                if above is not None and above.row < number < above.row + above.rows:
                    cells[held[column]] = replace(above, rows=number - above.row)
                held.update(dict.fromkeys(range(column, column + across), len(cells)))
                cells.append(Cell(number, column, shown, down, min(across, _MOST_SPAN - column)))
            column = min(column + across, _MOST_SPAN)
        width = max(width, column)
        number += 1
        if number >= _MOST_ROWS:
            break
    height = max([number, *(cell.row + cell.rows for cell in cells)])
    return Grid(height, width, tuple(cells), headers if headers < number else 0)


def _on_one_page(body: str) -> str:
    """Return rows as a page shows them: heads and feet of the other pages of a table say nothing new."""
    if "\\endhead" not in body and "\\endfirsthead" not in body:
        return body
    parts = dict[str, str]()
    at = 0
    for match in _ENDS.finditer(body):
        parts[match[1]] = body[at : match.start()]
        at = match.end()
    head, foot = parts.get("firsthead", parts.get("head", "")), parts.get("lastfoot", parts.get("foot", ""))
    return f"{head}\\endhead {body[at:]}{foot}"


def _rows(body: str) -> Iterator[list[str]]:
    """Yield the texts of the cells of each row; what stands in braces parts nothing."""
    row, start, depth = list[str](), 0, 0
    for match in _PARTS.finditer(body):
        sign = match[0]
        if sign in "{}":
            depth = max(depth + (1 if sign == "{" else -1), 0)
        elif depth:
            continue
        elif sign == "&":
            row.append(body[start : match.start()])
            start = match.end()
        elif sign.startswith(("\\\\", "\\tabularnewline")):
            yield [*row, body[start : match.start()]]
            row, start = [], after_optional(body, match.end())
    yield [*row, body[start:]]


def _spans(text: str) -> tuple[str, int, int]:
    """Return the text of a cell, and how many rows and columns it covers."""
    down = across = 1
    for _ in range(2):
        wide, tall = _ACROSS.match(text), _DOWN.match(text)
        if wide:
            count, at = group(text, wide.end())
            _, at = group(text, at)
            across = span(count.strip(), _MOST_SPAN)
        elif tall:
            count, at = group(text, after_optional(text, tall.end()))
            _, at = group(text, after_optional(text, at))
            at = after_optional(text, at)
            down = span(count.strip(), _MOST_SPAN)
        else:
            break
        inner, end = group(text, at)
        text = f"{inner} {text[end:]}"
    return text, down, across
