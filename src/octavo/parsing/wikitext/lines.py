"""Lines of wikitext to blocks: headings, lists, tables, preformatted lines, and paragraphs between empty lines.

Owns what the first characters of a line mean. Templates, links and tags are gone before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from octavo.document import Kind
from octavo.parsing.flow import FlowBlock
from octavo.parsing.wikitext.kept import Kept
from octavo.parsing.wikitext.tables import Table
from octavo.parsing.wikitext.words import unmarked, words

_LIST = "*#:;"
_DEEPEST_HEADING = 6


def blocks_of(lines: Iterable[str], kept: Kept) -> Iterator[FlowBlock]:
    """Yield the blocks of lines."""
    return _Lines(kept).blocks(lines)


class _Lines:
    """Goes through lines in order; those of a paragraph are gathered until it ends."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._gathered: list[str] = []
        self._tables: list[Table] = []
        self._in_terms = False
        """Whether the list that is open has terms, so that its indented lines say what they mean."""

    def blocks(self, lines: Iterable[str]) -> Iterator[FlowBlock]:
        for line in lines:
            first = line[:1]
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
            yield from self._term(content, level) if marks[-1] == ";" else self._made(Kind.LIST_ITEM, content, level)

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
            self._tables.append(Table())
        else:
            yield from self._running(line)

    def _in_table(self, line: str) -> Iterator[FlowBlock]:
        bare = line.strip()
        if bare.startswith("{|"):
            self._tables.append(Table())
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
