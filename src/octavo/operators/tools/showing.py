"""How blocks are shown to the agent: a line each, with a number it can name.

Owns the numbers and the lines. Knows nothing about tools or turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from octavo.document import Kind, View
from octavo.document.columns import Rows
from octavo.operators.symbolic.conditions import captions_of

MOST_LINES = 12
"""Blocks of one result that are shown; the others are told by their pages."""
_LONGEST = 160
_ID = re.compile(r"\s*\[?([br])\s*(\d{1,9})\]?\s*", re.IGNORECASE)


def number(row: int) -> str:
    """Return the number of a block: "b" and its row in the view."""
    return f"b{row}"


def read_number(text: str) -> tuple[str, int] | None:
    """Return ("b", row) or ("r", result) for a number as a model writes it; None for anything else."""
    found = _ID.fullmatch(text)
    return (found[1].lower(), int(found[2])) if found else None


def lines_of(view: View, rows: Rows) -> list[str]:
    """Return a line for each of the first rows, and one for the pages of those left."""
    shown, left = rows[:MOST_LINES], rows[MOST_LINES:]
    captions = captions_of(view, shown)
    lines = [_line(view, row, captions.get(row, ())) for row in shown.tolist()]
    if len(left):
        pages = ", ".join(dict.fromkeys(_page(view, row) for row in sorted(left.tolist())))
        lines.append(f"and {len(left)} more, on {pages}"[:_LONGEST])
    return lines


def titles_of(view: View, rows: Sequence[int]) -> list[str]:
    """Return the headings at some rows with their pages, for an outline."""
    return [f"{' '.join(view.blocks.text[row].split())[:80]} ({_page(view, row)})" for row in rows]


def _line(view: View, row: int, captions: Iterable[int]) -> str:
    """Return a block's line; an element says its caption first, for it may have no words of its own."""
    blocks = view.blocks
    kind = Kind(int(blocks.kind[row])).label
    section = view.blocks.section_path(row)
    where = f"{_page(view, row)}, {kind}" + (f", in: {section[-1][:50]}" if section and kind != "heading" else "")
    text = " ".join(" ".join(blocks.text[at] for at in (*captions, row)).split())
    return f"[{number(row)}] ({where}) {text[:_LONGEST]}{'...' if len(text) > _LONGEST else ''}"


def _page(view: View, row: int) -> str:
    name = f"{view.documents[int(view.document[row])].name} " if len(view.documents) > 1 else ""
    return f"{name}page {int(view.blocks.page[row])}"
