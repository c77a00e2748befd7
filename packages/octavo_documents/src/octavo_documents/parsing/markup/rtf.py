"""RTF (Rich Text Format 1.9.1) to blocks. Fields' instructions are passed over."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from octavo_documents.document import Kind
from octavo_documents.parsing.flow import CarriedFile, FlowBlock, FlowContent, NoText, attached, collapse_whitespace
from octavo_documents.parsing.inline_marks import marked
from octavo_documents.parsing.left_out import Unseen
from octavo_documents.parsing.markup.rtf_objects import object_in, picture_in
from octavo_documents.parsing.markup.rtf_tables import RtfTable
from octavo_documents.parsing.markup.rtf_words import (
    CHARACTERS,
    CODE_PAGES,
    DESTINATIONS,
    INFO,
    KEPT,
    PASSED_OVER,
    SIGNS,
)
from octavo_documents.text.raised import as_mark

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\"
)
_HEADING = re.compile(r"(?:heading|überschrift|titre|título|titolo|kop)\s*([1-9])\s*\Z", re.IGNORECASE)
_TITLE = re.compile(r"(?:title|titel|titre|título)\s*\Z", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:[•·▪‣◦●○■–*o-]|\uf0b7|\(?\w{1,4}[.)])\s*\t")
_MARKS = re.compile(r"^\s*[•·▪‣◦●○■\uf0b7]\s*")
_DEEPEST = 2000
_MOST_COLOURS = 1000
_DEEPEST_TABLE = 12
"""Tables inside each other that are told apart."""


@dataclass(slots=True)
class _State:
    where: str = "body"
    """The destination its text goes to; "" for one that is passed over."""
    skips: int = 1
    """Characters that stand in for one of Unicode, after it."""
    font: int = 0
    bold: bool = False
    hidden: bool = False
    raised: bool = False
    struck: bool = False
    ink: int = 0
    """The colour of its text by number; 0 for that of the page."""
    ground: int = 0


@dataclass(slots=True)
class _Paragraph:
    style: int = 0
    level: int = 0
    """Its level in the outline, from 1; 0 for running text."""
    in_table: bool = False
    tables: int = 1
    """How deep the table that it stands in stands in others."""
    depth: int = 0
    """Its level in a list, from 1; 0 for no item."""


def read(data: bytes) -> FlowContent:
    """Return the blocks of a file. Raises NoText."""
    if not data.strip():
        raise NoText("it is empty: copy or download it again", "empty")
    if not data[:200].lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{\\rtf"):
        raise NoText("it does not begin as RTF does, whatever its name says")
    return _Reader().content(data)


class _Reader:
    """Goes through the file once."""

    def __init__(self) -> None:
        self._state = _State()
        self._open: list[_State] = []
        self._page = "cp1252"
        self._fonts: dict[int, str] = {}
        self._styles: dict[int, str] = {}
        self._paragraph = _Paragraph()
        self._said: dict[str, list[str]] = {"body": []}
        self._bytes = bytearray()
        self._skip = 0
        self._half = ""
        self._is_bold = True
        self._blocks: list[FlowBlock] = []
        self._notes: list[FlowBlock] = []
        self._files: list[CarriedFile] = []
        self._tables = RtfTable()
        self._starred = self._opens = False
        self._unseen = Unseen()
        self._colours: list[list[int]] = []
        self._white: set[int] = set()
        """The numbers of white in the table of colours."""
        self._marks = 0

    def content(self, data: bytes) -> FlowContent:
        at, size = 0, len(data)
        while at < size:
            match = _TOKEN.match(data, at)
            if match is None:
                break
            at = match.end()
            word, number, code, sign, brace, text = match.groups()
            if word is not None:
                name = word.decode("ascii")
                if name == "bin":
                    at += max(int(number or 0), 0)
                else:
                    self._word(name, None if number is None else int(number))
            elif code is not None:
                self._byte(bytes((int(code, 16),)))
            elif text is not None:
                self._byte(text)
            elif brace is not None:
                self._brace(brace)
            elif sign is not None:
                self._sign(sign)
        return self._finished()

    def _finished(self) -> FlowContent:
        self._flush()
        self._end_paragraph()
        self._end_table()
        info = {name: collapse_whitespace("".join(self._said.get(name, ()))) for name in ("title", "author")}
        heads = [
            FlowBlock(kind, text)
            for name, kind in (("header", Kind.PAGE_HEADER), ("footer", Kind.PAGE_FOOTER))
            if any(map(str.isalpha, text := collapse_whitespace("".join(self._said.get(name, ())))))
        ]
        warnings = self._unseen.warnings()
        files = (attached(one, 1) for one in self._files)
        return FlowContent(
            (*self._blocks, *self._notes, *heads, *files), info["title"], info["author"], warnings=warnings
        )

    # Words and signs

    def _byte(self, data: bytes) -> None:
        self._opens = False
        if self._skip and data:
            taken = min(self._skip, len(data))
            self._skip -= taken
            data = data[taken:]
        self._bytes += data

    def _flush(self) -> None:
        """Turn the bytes that have come in into text."""
        if self._bytes:
            encoding = self._fonts.get(self._state.font, "") or self._page
            self._add(self._bytes.decode(encoding, "replace"))
            self._bytes.clear()

    def _add(self, text: str) -> None:
        state = self._state
        where = state.where
        if not where or not text:
            return
        if state.hidden or (state.ink in self._white and state.ground in (0, *self._white)):
            self._unseen.hide(text if where == "body" else "")
            return
        if state.raised or state.struck:
            text = marked(text, is_raised=state.raised, is_struck=state.struck)
        if where == "body" and text.strip():
            self._is_bold = self._is_bold and self._state.bold
        held = self._said.setdefault(where, [])
        if len(held) < 1_000_000:
            held.append(text)

    def _sign(self, sign: bytes) -> None:
        self._flush()
        opens, self._opens = self._opens, False
        if sign == b"*":
            self._starred = opens  # in the middle of a group it says nothing
        elif sign in b"\\{}":
            self._byte(sign)
        elif sign in (b"\n", b"\r"):
            self._word("par", None)
        else:
            self._add(SIGNS.get(sign, ""))

    def _brace(self, brace: bytes) -> None:
        self._flush()
        self._skip = 0
        if brace == b"{":
            if len(self._open) > _DEEPEST:
                raise NoText("it nests too deeply to be read", "damaged")
            self._open.append(self._state)
            self._state = replace(self._state)
            self._opens = True
        elif self._open:
            before, self._state = self._state, self._open.pop()
            if before.where != self._state.where or before.where == "style":
                self._left(before.where)
        self._starred = False

    def _left(self, where: str) -> None:
        """End what a group that is over was about."""
        if where == "style":
            name = "".join(self._said.pop("style", ())).strip().rstrip(";")
            self._styles[self._paragraph.style] = name
            self._paragraph = _Paragraph()
        elif where in ("pict", "objdata"):
            self._carry(where, self._said.pop(where, []))
        elif where in ("footnote", "annotation"):
            text = collapse_whitespace("".join(self._said.pop(where, ())))
            if text:
                kind = Kind.FOOTNOTE if where == "footnote" else Kind.PARAGRAPH
                self._notes.append(FlowBlock(kind, text if where == "footnote" else f"{self._comment()} {text}"))

    def _carry(self, where: str, words: list[str]) -> None:
        """Take a picture, which follows its paragraph, or an object of another program."""
        if where == "objdata":
            self._files.append(object_in(words, len(self._files) + 1))
        elif (picture := picture_in(words)) is not None:
            self._notes.append(FlowBlock(Kind.FIGURE, "", file=picture))

    def _comment(self) -> str:
        author = collapse_whitespace("".join(self._said.pop("atnauthor", ())))
        return f"Comment by {author}:" if author else "Comment:"

    def _word(self, name: str, number: int | None) -> None:
        self._flush()
        self._opens = False
        starred, self._starred = self._starred, False
        if name == "u":
            self._unicode(number or 0)
        elif name in CHARACTERS:
            self._add(CHARACTERS[name])
        elif name in ("par", "sect", "page", "column"):
            self._line_end()
        elif name in ("red", "green", "blue"):
            self._colour(name, number or 0)
        elif name in _ACTIONS:
            _ACTIONS[name](self, number)
        elif name in PASSED_OVER or (starred and name not in KEPT):
            self._state.where = ""
        elif name in DESTINATIONS:
            self._destination(name)

    def _line_end(self) -> None:
        if self._state.where == "body":
            self._end_paragraph()
        else:
            self._add("\n")

    def _unicode(self, number: int) -> None:
        code = number % 65536
        self._skip = self._state.skips
        if 0xD800 <= code < 0xDC00:
            self._half = chr(code)
        elif 0xDC00 <= code < 0xE000:
            text = (self._half + chr(code)).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            self._half = ""
            self._add(text if len(text) == 1 else "")
        elif code >= 32:
            self._add(chr(code))

    def _colour(self, name: str, number: int) -> None:
        """Take a part of a colour of the table; colours are parted by semicolons."""
        place = "".join(self._said.get("colours", ())).count(";")
        while len(self._colours) <= min(place, _MOST_COLOURS):
            self._colours.append([0, 0, 0])
        if place <= _MOST_COLOURS:
            self._colours[place][("red", "green", "blue").index(name)] = number
            if place and self._colours[place] == [255, 255, 255]:
                self._white.add(place)

    def _destination(self, name: str) -> None:
        if name == "result":  # what is shown of an object, in place of which it stands
            self._state.where = self._open[-2].where if len(self._open) > 1 else ""
            return
        if not self._state.where and name != "objdata":
            return
        if name == "stylesheet":
            self._state.where = "style"
        elif name in INFO:
            self._state.where = name if self._state.where == "info" else ""
        elif name in ("header", "headerf", "headerl", "headerr", "footer", "footerf", "footerl", "footerr"):
            called = name[:6]
            self._state.where = "" if called in self._said else called
        else:
            self._state.where = DESTINATIONS[name]

    # What words with numbers do

    def font(self, number: int | None) -> None:
        self._state.font = number or 0

    def charset(self, number: int | None) -> None:
        self._fonts[self._state.font] = CODE_PAGES.get(number or 0, "")

    def page(self, number: int | None) -> None:
        name = f"cp{number}"
        try:
            codecs.lookup(name)
        except LookupError:
            return
        self._page = name

    def skips(self, number: int | None) -> None:
        self._state.skips = min(max(1 if number is None else number, 0), 100)

    def plain(self, number: int | None) -> None:
        del number
        state = self._state
        state.bold = state.hidden = state.raised = state.struck = False
        state.ink = state.ground = 0

    def raise_(self, number: int | None) -> None:
        self._state.raised = number != 0

    def lower(self, number: int | None) -> None:
        del number
        self._state.raised = False

    def strike(self, number: int | None) -> None:
        self._state.struck = number != 0

    def ink(self, number: int | None) -> None:
        self._state.ink = number or 0

    def ground(self, number: int | None) -> None:
        self._state.ground = number or 0

    def shade(self, number: int | None) -> None:
        # What a cell or paragraph is shaded with may be any colour.
        self._white = set() if number else self._white

    def note_mark(self, number: int | None) -> None:
        """Add the mark of a note that is numbered, in the text alone."""
        del number
        if self._state.where == "body":
            self._marks += 1
            self._add(as_mark(str(self._marks)))

    def bold(self, number: int | None) -> None:
        self._state.bold = number != 0

    def hide(self, number: int | None) -> None:
        self._state.hidden = number != 0

    def new_paragraph(self, number: int | None) -> None:
        del number
        self._paragraph = _Paragraph()

    def style(self, number: int | None) -> None:
        self._paragraph.style = number or 0

    def level(self, number: int | None) -> None:
        if self._state.where != "style":
            self._paragraph.level = min((number or 0) + 1, 9) if (number or 0) < 9 else 0

    def in_table(self, number: int | None) -> None:
        del number
        self._paragraph.in_table = True

    def list_level(self, number: int | None) -> None:
        self._paragraph.depth = min((number or 0) + 1, 9)

    def listed(self, number: int | None) -> None:
        if number:
            self._paragraph.depth = max(self._paragraph.depth, 1)

    def nesting(self, number: int | None) -> None:
        self._paragraph.tables = min(max(number or 1, 1), _DEEPEST_TABLE)

    def new_row(self, number: int | None) -> None:
        del number
        if self._state.where != "nested":
            self._tables.begin_row()

    def header_row(self, number: int | None) -> None:
        del number
        if self._state.where != "nested":
            self._tables.header_row()

    def edge(self, number: int | None) -> None:
        if self._state.where != "nested":
            self._tables.edge(number or 0)

    def join(self, number: int | None, *, kind: str) -> None:
        del number
        if self._state.where != "nested":
            self._tables.join(kind)

    def end_cell(self, number: int | None) -> None:
        del number
        if self._state.where == "body":
            self._tables.end_cell(self._taken())

    def end_inner_cell(self, number: int | None) -> None:
        del number
        if self._state.where == "body":
            self._tables.end_inner_cell(self._taken(), max(self._paragraph.tables, 2))

    def end_inner_row(self, number: int | None) -> None:
        del number
        if self._state.where in ("body", "nested"):
            self._tables.end_inner_row(max(self._paragraph.tables, 2))

    def end_row(self, number: int | None) -> None:
        del number
        if self._state.where == "body":
            self._tables.end_row()

    def _taken(self) -> str:
        text = collapse_whitespace("".join(self._said["body"]))
        self._said["body"] = []
        return text

    # Blocks

    def _end_paragraph(self) -> None:
        text = "".join(self._said["body"])
        self._said["body"] = []
        bold, self._is_bold = self._is_bold, True
        if self._paragraph.in_table:
            self._tables.words(collapse_whitespace(text), self._paragraph.tables)
            return
        self._end_table()
        if any(letter.isalnum() for letter in text):
            self._blocks.append(self._made(text, bold=bold))
        self._blocks += self._notes
        self._notes = []

    def _made(self, text: str, *, bold: bool) -> FlowBlock:
        name = self._styles.get(self._paragraph.style, "")
        heading = _HEADING.match(name)
        level = int(heading[1]) + 1 if heading else self._paragraph.level + 1 if self._paragraph.level else 0
        if _TITLE.match(name):
            level = 1
        if level:
            return FlowBlock(Kind.HEADING, collapse_whitespace(text), level)
        depth = self._paragraph.depth or int(bool(_ITEM.match(text)))
        if depth:
            return FlowBlock(Kind.LIST_ITEM, collapse_whitespace(_MARKS.sub("", text)), depth, bold=bold)
        return FlowBlock(Kind.PARAGRAPH, collapse_whitespace(text), bold=bold)

    def _end_table(self) -> None:
        grid = self._tables.taken()
        if grid is None:
            return
        text = grid.text()
        if text.strip():
            self._blocks.append(FlowBlock(Kind.TABLE, text, grid=grid))
        self._blocks += self._notes
        self._notes = []


_ACTIONS: Mapping[str, Callable[[_Reader, int | None], None]] = {
    "f": _Reader.font,
    "fcharset": _Reader.charset,
    "ansicpg": _Reader.page,
    "uc": _Reader.skips,
    "plain": _Reader.plain,
    "b": _Reader.bold,
    "v": _Reader.hide,
    "super": _Reader.raise_,
    "up": _Reader.raise_,
    "nosupersub": _Reader.lower,
    "sub": _Reader.lower,
    "dn": _Reader.lower,
    "strike": _Reader.strike,
    "striked": _Reader.strike,
    "cf": _Reader.ink,
    **dict.fromkeys(("cb", "chcbpat", "highlight"), _Reader.ground),
    **dict.fromkeys(("cbpat", "clcbpat", "trcbpat", "rawclcbpat"), _Reader.shade),
    "chftn": _Reader.note_mark,
    "deleted": _Reader.hide,
    "pard": _Reader.new_paragraph,
    "s": _Reader.style,
    "outlinelevel": _Reader.level,
    "intbl": _Reader.in_table,
    "ilvl": _Reader.list_level,
    "ls": _Reader.listed,
    "trowd": _Reader.new_row,
    "trhdr": _Reader.header_row,
    "cellx": _Reader.edge,
    "clmgf": partial(_Reader.join, kind="mgf"),
    "clmrg": partial(_Reader.join, kind="mrg"),
    "clvmgf": partial(_Reader.join, kind="vmgf"),
    "clvmrg": partial(_Reader.join, kind="vmrg"),
    "cell": _Reader.end_cell,
    "row": _Reader.end_row,
    "itap": _Reader.nesting,
    "nestcell": _Reader.end_inner_cell,
    "nestrow": _Reader.end_inner_row,
}
