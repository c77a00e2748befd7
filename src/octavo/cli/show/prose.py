"""Wrapped and indented text, plain tables, and the words that places, numbers and times are told with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from octavo.cli.terminal import draw, one_line, prose_width, shorten

if TYPE_CHECKING:
    from rich.console import Console

SECTION_SEPARATOR = " > "
_TITLE = 60
"""Characters of a section's title that are shown in its path; JSON has all of them."""
MARK = "cyan"
"""The style of numbers and labels. What they stand for keeps the terminal's own colour: cyan is faint on white."""
EMPHASIS = "bold underline"
"""The style of the words in a text that fit a question; an answer is bold alone."""
QUOTE_LENGTH = 280
"""Characters of a quote that are shown; JSON has all of them."""


def paragraph(screen: Console, text: Text | str, *, indent: int = 0, hanging: int = 0) -> None:
    """Print text wrapped between words at the width of prose, every line indented, all but the first by more."""
    body = Text(text) if isinstance(text, str) else text
    width = max(prose_width(screen) - indent - hanging, 20)
    for at, line in enumerate(body.wrap(screen, width) or [Text()]):
        line.rstrip()
        margin = " " * (indent + (hanging if at else 0))
        draw(screen, Text.assemble(margin, line, no_wrap=True, overflow="ignore"))


def pairs(rows: Sequence[tuple[str, str]]) -> Table:
    """Return a table of names and what they stand for."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(Text(name), Text(value))
    return table


def table_of(*names: str, right: Sequence[str] = ()) -> Table:
    """Return an empty table of these columns, those of `right` numbers; an id is never broken over two lines."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    for name in names:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold", no_wrap=name == "id")
    return table


def page_name(page: int, label: str) -> str:
    """Return `document.page_name` on one line."""
    from octavo import document

    return document.page_name(page, one_line(label))


def section_name(titles: Iterable[str]) -> str:
    """Return the path of sections as one line, outermost first; titles that are whole sentences are cut."""
    return SECTION_SEPARATOR.join(shorten(title, _TITLE) for title in titles)


def size_of(count: int) -> str:
    """Return bytes in the unit people read: "980 B", "1.4 MB"."""
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def seconds_of(seconds: float) -> str:
    """Return seconds as "<1 ms", "12 ms", "4.2 s" or "3 min 5 s"."""
    if seconds < 0.001:
        return "<1 ms"
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 120:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def rate_of(count: int, seconds: float, nouns: str) -> str:
    """Return " (12 pages/s)", a space before it; "" for less than one a second."""
    rate = count / seconds if seconds > 0 else 0.0
    return f" ({rate:,.0f} {nouns}/s)" if rate >= 1 else ""
