"""Books (EPUB 3.3, and 2.0.1) to blocks: files in the order of reading, chapters of the contents as parts.

Files are read as HTML is. Places that the contents lead to are marked in them before, and found again in the blocks.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape

from octavo_documents.document import Kind
from octavo_documents.parsing import html
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import CarriedFile, FlowBlock, FlowContent, NoText, collapse_whitespace
from octavo_documents.parsing.formulas import of_mathml
from octavo_documents.parsing.html import TAG, body_of, ended
from octavo_documents.parsing.html_pictures import file_in_address
from octavo_documents.parsing.left_out import LeftOutCounter
from octavo_documents.parsing.office.epub_package import Book, SpineEntry, book_of, resolved
from octavo_documents.parsing.package import Package, xml_of
from octavo_documents.parsing.pictures_inside import PicturesInside

_MOST_SHEETS = 40
_FIRST, _LAST = "\ue000", "\ue001"
_MARK = re.compile(f"{_FIRST}(\\d+){_LAST}")
_PLACE = re.compile(r"""(?:^|\s)(?:id|name)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')""")
_IS_BREAK = re.compile(r"""(?:epub:type|role)\s*=\s*["'][^"'<]*pagebreak""")
_PAGE_NAME = re.compile(r"""(?:title|aria-label)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')""")
_FORMULA = re.compile(r"<((?:\w+:)?math)\b[^<>]*>")
_GROUP = re.compile(r"(?:part|book|volume|teil|buch|partie|livre|parte|libro|tome)\b", re.IGNORECASE)
_CHAPTER = re.compile(r"chapter\b[\s:.,–-]*", re.IGNORECASE)
_LONGEST_LABEL = 80
_NEAR = 6
"""Blocks after a place within which the heading that the contents name is looked for."""


def read(data: bytes) -> FlowContent:
    """Return the blocks of a book. Raises NoText."""
    package = Package(data)
    book = book_of(package)
    left_out = LeftOutCounter()
    reader = _Reader(book, _styles(package), left_out, PicturesInside(package))
    for name in book.files:
        try:
            text, _ = text_of(package.read(name), says_encoding=True)
        except NoText as error:
            if error.reason == "encrypted":
                raise
            left_out.count("file that cannot be read")
            continue
        reader.take(name, text)
    said = book.properties
    return FlowContent(tuple(reader.blocks), said.title, said.author, said.created, left_out.warnings())


def _styles(package: Package) -> str:
    """Return the style sheets of a book."""
    found: list[str] = []
    for name in [one for one in package.names() if one.lower().endswith(".css")][:_MOST_SHEETS]:
        try:
            found.append(text_of(package.read(name))[0])
        except NoText:
            continue
    return "\n".join(found)


@dataclass(slots=True)
class _Piece:
    """A block with what begins at it: lines of the contents and a printed page."""

    block: FlowBlock
    entries: list[SpineEntry] = field(default_factory=list[SpineEntry])
    page: str = ""


class _Reader:
    """Takes the files of a book in order. `blocks` are those so far."""

    def __init__(self, book: Book, styles: str, left_out: LeftOutCounter, pictures: PicturesInside) -> None:
        self.blocks: list[FlowBlock] = []
        self._entries, self._pages = _by_file(book.contents), _by_file(book.pages)
        self._chapters = _chapters(book.contents)
        self._styles, self._left_out, self._pictures = styles, left_out, pictures
        self._chapter = self._page = ""
        self._depth = 0
        self._base = 0
        """The level in its file of the heading that the chapter has."""

    def take(self, name: str, text: str) -> None:
        """Read a file of the book."""
        entries = self._entries.get(name, [])
        marks: list[SpineEntry | str] = []
        marked = _marked(text, entries, self._pages.get(name, []), marks)

        def file_at(address: str) -> CarriedFile | None:
            inside = resolved(posixpath.dirname(name), address)[0]
            return file_in_address(address) or self._pictures.file(inside)

        blocks = html.blocks_of(marked, styles=self._styles, unseen=self._left_out.unseen, file_at=file_at)
        found = _pieces(blocks, marks)
        if not found:
            return
        seen = {id(one) for piece in found for one in piece.entries}
        found[0].entries[:0] = [one for one in entries if id(one) not in seen]
        if not self._entries:
            self._name_by_heading(found)
        self._levels(found)

    def _name_by_heading(self, pieces: Sequence[_Piece]) -> None:
        """Begin a part at a file of a book without contents, named by its first heading."""
        first = next((one.block.text for one in pieces if one.block.kind == Kind.HEADING), "")
        self._chapter = label_of(first) if first else self._chapter
        self._page = ""
        pieces[0].block = replace(pieces[0].block, part=self._label())

    def _levels(self, pieces: list[_Piece]) -> None:
        """Give headings the levels that the contents say, add those that are only there, and name the parts."""
        at = 0
        while at < len(pieces):
            piece = pieces[at]
            part = self._begin(piece)
            for entry in piece.entries:
                taken = _heading_of(entry, pieces, at)
                self._depth = entry.depth
                if taken is None:
                    self._base = 0
                    self.blocks.append(FlowBlock(Kind.HEADING, entry.title, entry.depth, part=part))
                    part = ""
                else:
                    first, count = taken
                    self._base = max(one.block.level for one in pieces[first : first + count])
                    heading = FlowBlock(Kind.HEADING, _whole(pieces[first : first + count]), -entry.depth)
                    pieces[first] = replace(pieces[first], block=heading)
                    del pieces[first + 1 : first + count]
            self.blocks.append(replace(self._levelled(pieces[at].block), part=part or pieces[at].block.part))
            at += 1

    def _levelled(self, block: FlowBlock) -> FlowBlock:
        if block.kind != Kind.HEADING or not self._entries:
            return block
        if block.level < 0:  # its level is known
            return replace(block, level=-block.level)
        return replace(block, level=self._depth + max(block.level - self._base, 1))

    def _begin(self, piece: _Piece) -> str:
        """Return the label of the part that begins at a block, "" where none does."""
        before = self._label()
        for entry in piece.entries:
            if id(entry) in self._chapters:
                self._chapter = label_of(entry.title)
        self._page = piece.page or self._page
        return self._label() if self._label() != before else ""

    def _label(self) -> str:
        if not self._page:
            return self._chapter
        return f"{self._chapter}, page {self._page}" if self._chapter else f"part of page {self._page}"


def label_of(title: str) -> str:
    """Return the label of the part that a chapter is."""
    name = _CHAPTER.sub("", title, count=1) if _CHAPTER.match(title) else title
    return f"chapter {(name or title)[:_LONGEST_LABEL]}".strip()


def _chapters(contents: Sequence[SpineEntry]) -> set[int]:
    """Return the lines of the contents that are chapters, by identity: those at the top, in parts those below."""
    found = set[int]()
    depth = 1
    for entry in contents:
        if entry.depth == 1:
            depth = 2 if _GROUP.match(entry.title) else 1
        if entry.depth <= depth and entry.title:
            found.add(id(entry))
    return found


def _by_file(entries: Iterable[SpineEntry]) -> dict[str, list[SpineEntry]]:
    found: dict[str, list[SpineEntry]] = {}
    for one in entries:
        if one.file and one.title:
            found.setdefault(one.file, []).append(one)
    return found


def _marked(
    text: str, entries: Sequence[SpineEntry], pages: Sequence[SpineEntry], marks: list[SpineEntry | str]
) -> str:
    """Return a file with a mark where each entry leads to and each printed page begins; `marks` is what they stand for.

    Elements that XML ends at once are ended as HTML wants it, and formulas are written on one line.
    """
    wanted: dict[str, list[SpineEntry | str]] = {}
    for entry in entries:
        if entry.place:
            wanted.setdefault(entry.place, []).append(entry)
    for page in pages:
        wanted.setdefault(page.place, []).append(page.title)

    def tag(match: re.Match[str]) -> str:
        inside = match[2]
        place = _PLACE.search(inside)
        found = wanted.pop(place[1] or place[2] or "", []) if place and wanted else []
        if not pages and _IS_BREAK.search(inside) and (said := _PAGE_NAME.search(inside)):
            found = [*found, collapse_whitespace(said[1] or said[2] or "")]
        after = ""
        for one in found:
            after += f"{_FIRST}{len(marks)}{_LAST}"
            marks.append(one)
        return ended(match, after)

    plain = text.replace(_FIRST, "").replace(_LAST, "")
    return TAG.sub(tag, "".join(_with_lines(body_of(plain))))


def _with_lines(text: str) -> Iterator[str]:
    """Yield a text in pieces, its formulas on one line each."""
    at = 0
    while match := _FORMULA.search(text, at):
        close = f"</{match[1]}>"
        end = text.find(close, match.end())
        if end < 0:
            break
        yield text[at : match.start()]
        at = end + len(close)
        try:
            yield escape(of_mathml(xml_of(text[match.start() : at].encode("utf-8", "replace"))))
        except NoText:
            yield text[match.start() : at]
    yield text[at:]


def _pieces(blocks: Iterable[FlowBlock], marks: Sequence[SpineEntry | str]) -> list[_Piece]:
    """Return the blocks without their marks, each with what begins there; in the middle of a block, at the next."""
    found: list[_Piece] = []
    waiting: list[SpineEntry | str] = []
    for block in blocks:
        begun = [match for match in _MARK.finditer(block.text) if not _said(block.text[: match.start()])]
        inside = _MARK.findall(block.text)[len(begun) :]
        waiting += [marks[int(match[1])] for match in begun]
        if _said(block.text) or block.file is not None:
            piece = _Piece(_clean(block))
            piece.entries += [one for one in waiting if isinstance(one, SpineEntry)]
            piece.page = next((one for one in reversed(waiting) if isinstance(one, str)), "")
            found.append(piece)
            waiting = []
        waiting += [marks[int(number)] for number in inside]
    if found and waiting:
        found[-1].entries += [one for one in waiting if isinstance(one, SpineEntry)]
    return found


def _said(text: str) -> str:
    return _MARK.sub("", text).strip()


def _clean(block: FlowBlock) -> FlowBlock:
    if _FIRST not in block.text:
        return block
    grid = block.grid
    if grid is not None:
        grid = replace(grid, cells=tuple(replace(cell, text=_said(cell.text)) for cell in grid.cells))
    text = grid.text() if grid is not None else _MARK.sub("", block.text).strip()
    return replace(block, text=text if block.kind in (Kind.CODE, Kind.TABLE) else collapse_whitespace(text), grid=grid)


def _heading_of(entry: SpineEntry, pieces: Sequence[_Piece], at: int) -> tuple[int, int] | None:
    """Return where the heading is that a line of the contents names, and how many blocks it has; None for none."""
    wanted = _letters(entry.title)
    for first in range(at, min(at + _NEAR, len(pieces))):
        if first > at and pieces[first].entries:
            return None
        said = ""
        for count, piece in enumerate(pieces[first : first + 3], 1):
            if piece.block.kind != Kind.HEADING or piece.block.level < 0:
                break
            said += _letters(piece.block.text)
            if said == wanted:
                return first, count
        if said and (said.startswith(wanted) or wanted.startswith(said) or wanted.endswith(said)) and wanted:
            return first, 1
    return None


def _whole(pieces: Iterable[_Piece]) -> str:
    return " ".join(piece.block.text for piece in pieces)


def _letters(text: str) -> str:
    return "".join(mark for mark in text.casefold() if mark.isalnum())
