"""Notes that stand under a table, in its width: they are text of their own, and no rows of it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from octavo_documents.document import Kind
from octavo_documents.parsing.content import Graphic
from octavo_documents.structuring.clusters import THIN
from octavo_documents.structuring.lines import PageLines
from octavo_documents.structuring.reading_order import row_groups
from octavo_documents.structuring.regions import Region
from octavo_documents.structuring.tables.columns import stretches_of
from octavo_documents.structuring.tables.rows import is_data

_MARK = re.compile(
    r"(?:\(?(?:\d{1,2}|[a-z])\)|\[\d{1,2}\]|[*†‡§¶]{1,3}|[¹²³⁴-⁹]{1,2}|[ᵃ-ᵿ]|(?:\d{1,2}|[a-z])(?=\s+[A-Z]))\s*"
)
_SAID = re.compile(
    r"(?:notes?|sources?|footnotes?|quellen?|anmerkung(?:en)?|hinweise?|fuentes?|notas?|fonti?|bron|nb|n\.b\.)\s*"
    r"(?:\d{1,2}\s*)?[:.–—-]\s*\S|see (?:the )?(?:accompanying )?notes?\b",
    re.IGNORECASE,
)
_MAY_BEGIN = re.compile(
    r"\(?(?:\d{1,2}|[a-z])(?:\)|\s|$)|\[\d|[*†‡§¶¹²³⁴-⁹ᵃ-ᵿ]|(?i:note|source|footnote|quelle|anmerkung|hinweis|fuente|nota|font|"
    r"bron|nb|n\.b|see)"
)
"""What a line of a note begins with; the lines of most tables do not."""
_STARS = "*†‡§¶"
_SHORTEST = 12
"""Characters of what a mark explains."""
_FEWEST_ROWS = 2
_WIDE = 0.5
"""Share of a table's width of a rule that closes it."""


def is_mark(text: str) -> bool:
    """Return whether it is the mark of a note, standing alone: "*", "(1)", "†"."""
    return bool(_MARK.fullmatch(text)) and not text.isalnum()


def first_note(page: PageLines, rows: Sequence[Sequence[int]]) -> int:
    """Return from which of the rows of a table on notes follow; their number where none do."""
    first = len(rows)
    for at in range(len(rows) - 1, _FEWEST_ROWS - 1, -1):
        row = rows[at]
        parts = [part for line in row for part in stretches_of(page, line)]
        mark = _MARK.match(_text(page, row))
        said = parts[1:] if mark and parts and _MARK.fullmatch(parts[0].text) else parts
        if len(said) > 2 or any(is_data(part.text) for part in said):
            break
        if _is_note(page, rows, at, mark):
            first = at
    return first


def _text(page: PageLines, row: Sequence[int]) -> str:
    return " ".join(page.texts[line] for line in row)


def _is_note(page: PageLines, rows: Sequence[Sequence[int]], at: int, mark: re.Match[str] | None) -> bool:
    text = _text(page, rows[at])
    if _SAID.match(text):
        return True
    if not mark or len(text) - mark.end() < _SHORTEST - 6 * (text[0] in _STARS) or not text[mark.end()].isalnum():
        return False
    if any(_MARK.match(_text(page, row)) and not _is_bare(page, row) for row in rows[:at]):
        return False  # the rows are numbered
    return text[0] in _STARS or _crosses(page, rows[:at], rows[at])


def _is_bare(page: PageLines, row: Sequence[int]) -> bool:
    """Return whether a row has no numbers in it, as a note before has none."""
    return not any(is_data(part.text) for line in row for part in stretches_of(page, line)[1:]) and len(row) < 3


def _crosses(page: PageLines, body: Sequence[Sequence[int]], row: Sequence[int]) -> bool:
    """Return whether a text runs on over the place where the second cells of most rows begin."""
    starts = sorted(float(page.places[one[1], 0]) for one in body if len(one) > 1)
    end = max(float(page.places[line, 2]) for line in row)
    return bool(starts) and end > starts[len(starts) // 2]


def without_notes(page: PageLines, table: Region, graphics: Sequence[Graphic]) -> Region:
    """Return a table without the notes among its lines, unless a rule closes the table below them."""
    if table.kind != Kind.TABLE or table.is_from_model or not table.lines:
        return table
    if not any(_MAY_BEGIN.match(page.texts[line]) for line in table.lines):
        return table
    rows = row_groups(page.places, table.lines)
    first = first_note(page, rows)
    if first == len(rows):
        return table
    kept = [line for row in rows[:first] for line in row]
    bottom = max(float(page.places[line, 3]) for line in kept)
    top = min(float(page.places[line, 1]) for line in rows[first])
    x0, y0, x1, _ = table.box
    is_closed = any(
        item.box[3] - item.box[1] <= THIN
        and item.box[1] > top + 2
        and item.box[1] < table.box[3] + 4
        and min(item.box[2], x1) - max(item.box[0], x0) > _WIDE * (x1 - x0)
        for item in graphics
    )
    return table if is_closed else dataclasses.replace(table, box=(x0, y0, x1, bottom), lines=tuple(sorted(kept)))
