"""Wikitext, the mark-up of MediaWiki, to blocks.

Tags are read first, then templates and links, then lines. Every step goes over the text once. No template is run and no
address is followed: what a page takes from elsewhere is not in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.cell_places import GridBuilder
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, NoText
from octavo_documents.parsing.wikitext.templates import without_nesting
from octavo_documents.parsing.wikitext.text import Placeholders, unmarked, without_tags, words

_LIST = "*#:;"
_DEEPEST_HEADING = 6
_SPAN = re.compile(r"\b(col|row)span\s*+=\s*+[\"']?\s*+(\d{1,5})(?!\d)", re.IGNORECASE)
_HEADERS = re.compile(r"\|\||!!")
_WIDEST = 1000


def blocks_of(lines: Iterable[str], kept: Placeholders) -> Iterator[FlowBlock]:
    """Yield the blocks of lines."""
    return _Lines(kept).blocks(lines)


class _Lines:
    """Goes through lines in order; those of a paragraph are gathered until it ends."""

    def __init__(self, kept: Placeholders) -> None:
        self._kept = kept
        self._gathered: list[str] = []
        self._tables: list[WikiTable] = []
        self._in_terms = False
        """Whether the list that is open has terms, so that its indented lines say what they mean."""
        self._numbers: dict[str, int] = {}
        """The numbers of the latest items of the numbered lists that are open, by the marks of their lines."""

    def blocks(self, lines: Iterable[str]) -> Iterator[FlowBlock]:
        for line in lines:
            first = line[:1]
            if not first or first not in _LIST:
                self._numbers.clear()
            if self._tables:
                yield from self._in_table(line)
            elif first == "=" and line.rstrip().endswith("=") and len(line.rstrip()) > 2:
                yield from self._heading(line.rstrip())
            elif first and first in _LIST:
                yield from self._item(line)
            elif first == "{" or (first == " " and line.lstrip().startswith("{|")):
                yield from self._opening(line)
            else:
                yield from self._running(line)
        while self._tables:
            yield from self._closed()
        yield from self._flush()

    def _running(self, line: str) -> Iterator[FlowBlock]:
        bare = line.strip()
        if bare.startswith("\x01"):
            alone = self._kept.alone(bare)
            if alone:
                yield from self._flush()
                yield alone
                return
        if not bare or bare.startswith(("----", "|}", "|-")):
            yield from self._flush()
        else:
            self._in_terms = False
            self._gathered.append(line)

    def _heading(self, line: str) -> Iterator[FlowBlock]:
        yield from self._flush()
        self._in_terms = False
        level = min(len(line) - len(line.lstrip("=")), len(line) - len(line.rstrip("=")), _DEEPEST_HEADING)
        level = min(level, (len(line) - 1) // 2)
        figures, text = self._kept.figures(line[level:-level])
        text = words(text, self._kept)
        if text:
            yield FlowBlock(Kind.HEADING, text, level)
        yield from figures

    def _item(self, line: str) -> Iterator[FlowBlock]:
        """Yield an item with its nesting; what only stands indented is a paragraph, and what a term means its item."""
        yield from self._flush()
        content = line.lstrip(_LIST)
        marks = line[: len(line) - len(content)]
        if content.lstrip().startswith("{|"):
            yield from self._opening(content)
            return
        level = min(len(marks) - marks.count(":"), 255)
        self._in_terms = (self._in_terms or ";" in marks) and marks[-1] in ";:"
        if marks[-1] == ":" and not self._in_terms:
            yield from self._made(Kind.PARAGRAPH, content, 0)
        elif marks[-1] == ":":
            yield from self._made(Kind.LIST_ITEM, content, min(level + 2 - (";" in marks), 255))
        else:
            content = f"{self._number(marks)}{content}"
            yield from self._term(content, level) if marks[-1] == ";" else self._made(Kind.LIST_ITEM, content, level)

    def _number(self, marks: str) -> str:
        """Return the number that is shown before an item with these marks, "" for those without one."""
        self._numbers = {one: number for one, number in self._numbers.items() if marks.startswith(one)}
        if marks[-1] != "#":
            return ""
        self._numbers[marks] = self._numbers.get(marks, 0) + 1
        return f"{self._numbers[marks]}. "

    def _term(self, content: str, level: int) -> Iterator[FlowBlock]:
        term, colon, meaning = content.partition(" : ")
        yield from self._made(Kind.LIST_ITEM, term, level)
        if colon:
            yield from self._made(Kind.LIST_ITEM, meaning, min(level + 1, 255))

    def _flush(self) -> Iterator[FlowBlock]:
        gathered, self._gathered = self._gathered, []
        if not gathered:
            return
        if len(gathered) > 1 and all(line.startswith(" ") for line in gathered):
            text = "\n".join(unmarked(line[1:], self._kept).rstrip() for line in gathered)
            if text.strip():
                yield FlowBlock(Kind.CODE, text)
        else:
            yield from self._made(Kind.PARAGRAPH, "\n".join(gathered), 0)

    def _made(self, kind: Kind, text: str, level: int) -> Iterator[FlowBlock]:
        """Yield a block, after the pictures that stand in it; a formula alone is one."""
        if "\x01" in text:
            figures, text = self._kept.figures(text)
            yield from figures
            alone = self._kept.alone(text.strip())
            if alone and kind == Kind.PARAGRAPH:
                yield alone
                return
        bare = text.strip()
        bold = bare.startswith("'''") and bare.endswith("'''") and bare.find("'''", 3) == len(bare) - 3 > 3
        shown = words(text, self._kept)
        if any(letter.isalnum() for letter in shown):
            yield FlowBlock(kind, shown, level, bold=bold)

    # Tables

    def _opening(self, line: str) -> Iterator[FlowBlock]:
        if line.lstrip().startswith("{|"):
            yield from self._flush()
            self._tables.append(WikiTable())
        else:
            yield from self._running(line)

    def _in_table(self, line: str) -> Iterator[FlowBlock]:
        bare = line.strip()
        if bare.startswith("{|"):
            self._tables.append(WikiTable())
        elif bare.startswith("|}"):
            yield from self._closed()
        elif bare.startswith("==") and bare.endswith("==") and len(bare) > 4:
            # A heading in a table lays out a page, or the table was never closed.
            while self._tables:
                yield from self._closed()
            yield from self._heading(bare)
        else:
            self._tables[-1].add(bare)

    def _closed(self) -> Iterator[FlowBlock]:
        table = self._tables.pop()
        yield from table.caption(self._kept)
        laid_out = table.laid_out()
        if laid_out is None:
            yield from table.block(self._kept)
        else:
            for lines in laid_out:
                yield from blocks_of(lines, self._kept)


@dataclass(slots=True)
class _Cell:
    lines: list[str]
    is_header: bool
    down: int = 1
    across: int = 1


@dataclass(slots=True)
class WikiTable:
    """A table that is being read."""

    _rows: list[list[_Cell]] = field(default_factory=lambda: [[]])
    _caption: list[str] | None = None
    _last: list[str] = field(default_factory=list[str])
    """Where a line goes that begins with no mark: the cell before it, the caption, or nowhere."""

    def add(self, line: str) -> None:
        """Take a line; its first characters say what it is."""
        if line.startswith("|-"):
            self._rows.append([])
            self._last = []
        elif line.startswith("|+"):
            self._last = self._caption = [_split(line[2:])[1]]
        elif line.startswith(("|", "!")):
            self._cells(line[1:], is_header=line[0] == "!")
        else:
            self._last.append(line)

    def _cells(self, line: str, *, is_header: bool) -> None:
        for text in _HEADERS.split(line) if is_header else line.split("||"):
            attributes, content = _split(text)
            cell = _Cell([content], is_header)
            for name, count in _SPAN.findall(attributes):
                if name.lower() == "row":
                    cell.down = max(int(count), 1)
                else:
                    cell.across = min(max(int(count), 1), _WIDEST)
            self._rows[-1].append(cell)
            self._last = cell.lines

    def caption(self, kept: Placeholders) -> Iterator[FlowBlock]:
        """Yield the caption, if there is one."""
        text = words(" ".join(self._caption or []), kept)
        if text:
            yield FlowBlock(Kind.CAPTION, text)

    def laid_out(self) -> list[list[str]] | None:
        """Return the lines of each cell when the table has one row or one column and no header; None otherwise."""
        rows = [row for row in self._rows if row]
        if len(rows) > 1 and any(len(row) > 1 for row in rows):
            return None
        cells = [cell for row in rows for cell in row]
        return None if len(rows) > 1 and any(cell.is_header for cell in cells) else [cell.lines for cell in cells]

    def block(self, kept: Placeholders) -> Iterator[FlowBlock]:
        """Yield the table unless it is empty."""
        grid = _grid([row for row in self._rows if row], kept)
        if grid.cells:
            yield FlowBlock(Kind.TABLE, grid.text(), grid=grid)


def _split(text: str) -> tuple[str, str]:
    attributes, bar, content = text.partition("|")
    return (attributes, content) if bar else ("", text)


def _grid(rows: list[list[_Cell]], kept: Placeholders) -> Grid:
    """Return the cells in their places; rows of headers alone are header rows while none other came before."""
    builder = GridBuilder(len(rows))
    for row in rows:
        cells = (
            (words(" ".join(line.lstrip("*#:; ") for line in cell.lines), kept), cell.down, cell.across) for cell in row
        )
        builder.add(cells, is_header=all(cell.is_header for cell in row))
    body = rows[builder.header_rows :]
    return builder.grid(header_columns=int(bool(body) and all(row[0].is_header for row in body)))


_REDIRECT = re.compile(r"\s*+#\s?(?!\d)\w{3,20}+\s*+:?\s*+\[\[([^\[\]|#\n]{1,300})[^\[\]\n]{0,300}\]\]")
"""A first line of one word after a number sign and a link, whatever the language; an item would have more words."""
_MOST_AFTER = 2000
"""Characters: a redirect has categories and remarks after it, no article."""
_TITLE = re.compile(r"\{\{\s*+DISPLAYTITLE\s*+:([^{}|\n]{1,300})")


def read(data: bytes) -> FlowContent:
    """Return the blocks of a page. Raises NoText, also for a redirect."""
    text, warnings = text_of(data)
    redirect = _REDIRECT.match(text)
    if redirect and len(text) < _MOST_AFTER:
        raise NoText(f"it only sends on to “{redirect[1].strip()}” (a redirect)", "redirect")
    kept = Placeholders()
    title = _TITLE.search(text)
    plain = without_nesting(without_tags(text, kept), kept)
    notes = kept.notes(lambda source: words(without_nesting(without_tags(source, kept), kept), kept))
    blocks = tuple(blocks_of(plain.split("\n"), kept))
    return FlowContent(
        (*blocks, *notes) if blocks else (),
        title=words(title[1], kept) if title else "",
        warnings=(*warnings, *kept.unseen.warnings()),
    )
