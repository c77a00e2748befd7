"""The section tree of a document, set like a page of contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from octavo.cli.show.prose import MARK, paragraph
from octavo.cli.terminal import draw, one_line, prose_width, shorten
from octavo.document import Document, Kind, number_of

if TYPE_CHECKING:
    from rich.console import Console

_PIPE_WIDTH = 80
"""Columns of a line where there is no terminal."""
_TEXT = 100
"""Characters shown of a block."""


def show_outline(screen: Console, document: Document, *, blocks: bool) -> None:
    """Print every section with the page it starts on, and every block under its section when asked for."""
    table = document.blocks
    labels = _labels(document)
    heading = f"{one_line(document.name)}: {number_of(len(document.pages), document.unit)}"
    paragraph(screen, Text.assemble((heading, "bold"), ("; printed page labels in brackets" if labels else "", "dim")))
    rows = range(len(table)) if blocks else table.headings().tolist()
    for row in rows:
        depth = len(table.ancestors(row))
        number = int(table.page[row])
        page = f"{number} ({one_line(labels[number - 1])})" if labels else str(number)
        _line(screen, _words(document, row, width=prose_width(screen)), page, indent=2 * depth)
    if not blocks and not len(table.headings()):
        paragraph(screen, "No headings were found; --blocks shows the text.")


def _labels(document: Document) -> list[str]:
    """Return the printed labels of all pages, none when they are nothing but the page numbers."""
    labels = list(document.pages.label) if document.has_pages else []
    return labels if any(label not in {"", str(number)} for number, label in enumerate(labels, 1)) else []


def _words(document: Document, row: int, *, width: int) -> Text:
    table = document.blocks
    kind = Kind(int(table.kind[row]))
    if kind == Kind.HEADING:
        return Text(one_line(table.text[row]))
    text = shorten(table.text[row], min(_TEXT, width))
    return Text.assemble((f"{kind.label.replace('_', ' ')}: ", MARK), (text, "dim"))


def _line(screen: Console, words: Text, page: str, *, indent: int) -> None:
    """Print a line that ends with its page at the right, dots between; long words are cut on a terminal only."""
    width = prose_width(screen) if screen.is_terminal else _PIPE_WIDTH
    room = width - indent - len(page) - 2
    if screen.is_terminal and words.cell_len > room - 3:
        words = Text(shorten(words.plain, max(room - 3, 10)))
    dots = "." * max(room - words.cell_len, 2)
    line = Text.assemble(" " * indent, words, " ", (dots, "dim"), " ", page, no_wrap=True, overflow="ignore")
    draw(screen, line)
