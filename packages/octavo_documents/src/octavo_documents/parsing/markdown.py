"""Markdown (CommonMark with tables) to blocks.

HTML inside Markdown is read as HTML is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise
from typing import Any

from octavo_documents.document import Kind
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, collapse_whitespace, table
from octavo_documents.parsing.inline_marks import LEVEL, STRUCK, UP, VALID, note_mark, raised
from octavo_documents.parsing.left_out import Unseen
from octavo_documents.parsing.look_marks import YELLOW, end_of, start_of, unmarked
from octavo_documents.parsing.ordered_lists import ListNumbers

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|author|date)\s*:\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE | re.IGNORECASE)
_RULE = re.compile(r"\n {0,3}:?-[-:| ]*\|[-:| ]*(?=\n|\Z)")
"""The second line of a table whose rows do not begin with a bar, and the end of the first."""
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_BOUNDS = ("Start", "End")
_BOLD = "Start Strong"
_PICTURE = "Start Image"


def read(data: bytes) -> FlowContent:
    """Return the blocks of a Markdown file. Raises NoText."""
    text, warnings = text_of(data)
    front = _FRONT.match(text)
    fields = {name.lower(): value for name, value in _FIELD.findall(front[1])} if front else {}
    reader = _Reader()
    return FlowContent(
        tuple(reader.blocks(_events(text[front.end() :] if front else text))),
        title=fields.get("title", ""),
        author=fields.get("author", ""),
        created=fields.get("date", ""),
        warnings=(*warnings, *reader.unseen.warnings()),
    )


def _events(text: str) -> Iterable[Any]:
    """Return what stands in a text: {KIND: WORDS}, {"Start": TAG}, {"End": TAG}, or the name of a break or rule."""
    import pyromark

    options = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_FOOTNOTES
    if "~" in text:
        options |= pyromark.Options.ENABLE_STRIKETHROUGH
    if "^" in text:
        options |= pyromark.Options.ENABLE_SUPERSCRIPT
    return pyromark.events(_parted(text), options=options)


def _parted(text: str) -> str:
    """Return the text with an empty line before tables that begin right below a paragraph: the parser wants one there.

    What stands between fences is left as it is.
    """
    ends = [end for rule in _RULE.finditer(text) if (end := _end_above(text, rule.start())) > 0]
    if not ends:
        return text
    fences = [match.start() for match in _FENCE.finditer(text)]
    outside = [end for end in ends if bisect_left(fences, end) % 2 == 0]
    return "\n".join(text[begin:end] for begin, end in pairwise([0, *outside, len(text)]))


def _end_above(text: str, end: int) -> int:
    """Return where the line above a table ends, whose first line ends at `end`; 0 where there is none, or no table."""
    begin = text.rfind("\n", 0, end)
    first = text[begin + 1 : end].lstrip()
    is_bare = "|" in first and not first.startswith("|")
    return begin if is_bare and begin > 0 and text[begin - 1] != "\n" else 0


_SIGNS = {
    "Start Strikethrough": STRUCK,
    "End Strikethrough": VALID,
    "Start Superscript": UP,
    "End Superscript": LEVEL,
    "Start Strong": start_of("b"),
    "End Strong": end_of("b"),
    "Start Emphasis": start_of("i"),
    "End Emphasis": end_of("i"),
}
"""What stands for the start and the end of marks that are kept."""
_TAG = re.compile(r"<(/?)(sup|s|del|strike|u|ins|mark|b|strong|i|em)\b[^<>]*>", re.IGNORECASE)
_STYLED = {"u": "u", "ins": "u", "mark": "h", "b": "b", "strong": "b", "i": "i", "em": "i"}
"""What tags say of how words look, as letters of `StyledWords`."""


_RAISED = re.compile(r"(?<=\S)\^([-+−]?\w{1,6}|\(?\w+(?:,\s?\w+)*\)?|[*†‡§¶]+)\^(?!\w)")
_LOWERED = re.compile(r"(?<=\w)~([-+]?\w{1,6})~(?=\w|\W|\Z)")


def _with_signs(text: str) -> str:
    return _LOWERED.sub(r"\1", _RAISED.sub(lambda match: raised(match[1]), text))


class _Run:
    """Words as they come in, each with what it is: `Text`, a break, or the start or the end of a mark around others."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.kinds: list[str] = []

    def clear(self) -> None:
        """Begin anew."""
        self.words.clear()
        self.kinds.clear()

    def raw(self) -> str:
        """Return the words as they are written."""
        return "".join(self.words)

    def text(self) -> str:
        """Return the words on one line; what stands raised or lowered within a word is told by its signs."""
        words = self.raw()
        if "^" in words or "~" in words:
            runs = groupby(zip(self.kinds, self.words, strict=True), lambda one: one[0] == "Text")
            pieces = ((is_text, "".join(word for _, word in run)) for is_text, run in runs)
            words = "".join(_with_signs(piece) if is_text else piece for is_text, piece in pieces)
        return collapse_whitespace(words)

    def pictures(self) -> list[str]:
        """Return what is shown in the place of each picture, those in other pictures left out."""
        found: list[str] = []
        begin = depth = 0
        for at, kind in enumerate(self.kinds):
            if kind == _PICTURE:
                begin, depth = (begin, depth + 1) if depth else (at, 1)
            elif kind == "End Image":
                depth -= 1
                if not depth:
                    found.append(unmarked(collapse_whitespace("".join(self.words[begin:at]))))
        return found

    def is_bold(self) -> bool:
        """Whether it begins and ends bold: some write headings so."""
        if _BOLD not in self.kinds:
            return False
        shown = [kind for kind, words in zip(self.kinds, self.words, strict=True) if kind != "Text" or words.strip()]
        return shown[0] == _BOLD and shown[-1] == "End Strong"


class _Reader:
    """Goes through the events once, in order."""

    def __init__(self) -> None:
        self._found: list[FlowBlock] = []
        self._run = _Run()
        self._depth = 0
        self._opens_item = False
        self._numbers, self._label = ListNumbers(), ""
        self._rows: list[list[str]] = []
        self._headers = 0
        self.unseen = Unseen()
        self._note = ""
        """The mark of the note that is being read, with what parts it from the words."""
        self._starts: dict[str, Callable[[Any], None]] = {
            **dict.fromkeys(
                (
                    "Paragraph",
                    "Heading",
                    "BlockQuote",
                    "CodeBlock",
                    "HtmlBlock",
                    "Table",
                    "TableCell",
                    "FootnoteDefinition",
                ),
                _nothing,
            ),
            **dict.fromkeys(("TableHead", "TableRow"), lambda _: self._rows.append([])),
            "List": self._start_list,
            "Item": self._start_item,
        }
        """What begins with the start of a block; other starts are of marks in running text."""
        self._ends: dict[str, Callable[[Any], None]] = {
            "Heading": self._heading,
            "CodeBlock": lambda _: self._plain(Kind.CODE, self._run.raw().strip("\n")),
            "HtmlBlock": lambda _: self._found.extend(_html(self._run.raw(), self.unseen)),
            "TableCell": lambda _: self._rows[-1].append(self._run.text()),
            "TableHead": self._end_header,
            "Table": self._table,
            "List": self._end_list,
        }

    def blocks(self, events: Iterable[Any]) -> list[FlowBlock]:
        """Return the blocks of a text. Long texts have many events: what most of them are is done here."""
        words, kinds = self._run.words, self._run.kinds
        for event in events:
            if isinstance(event, str):
                kind, value = event, " "
            else:
                kind, value = event.popitem()
                if kind in _BOUNDS:
                    name = value if isinstance(value, str) else next(iter(value))
                    if name in self._starts:
                        self._bound(kind, name, value)
                        continue
                    kind = f"{kind} {name}"
                    value = _SIGNS.get(kind, "")
                elif kind == "InlineHtml":
                    value = self._inline(value)
                elif kind == "FootnoteReference":
                    value = note_mark(value)
            kinds.append(kind)
            words.append(value)
        return self._found

    def _inline(self, tag: str) -> str:
        """Return the mark that a tag in running text stands for."""
        match = _TAG.match(tag)
        if not match:
            return ""
        is_end = bool(match[1])
        if match[2].lower() == "sup":
            return LEVEL if is_end else UP
        if look := _STYLED.get(match[2].lower()):
            return end_of(look) if is_end else start_of(look, YELLOW)
        return VALID if is_end else STRUCK

    def _bound(self, kind: str, name: str, value: Any) -> None:
        if name == "FootnoteDefinition":
            self._flush()
            self._note = f"[{value[name]}] " if kind == "Start" else ""
        elif kind == "Start":
            self._flush()  # an item whose words are no paragraph ends where another block begins
            self._starts[name](value)
        else:
            self._ends.get(name, self._end)(value)
            self._run.clear()

    def _end(self, value: Any) -> None:
        del value
        self._flush()

    def _flush(self) -> None:
        """Take what has come in as a paragraph or the first paragraph of a list item, or as the pictures it is."""
        run = self._run
        if not run.words:
            return
        is_item = self._depth > 0 and self._opens_item
        self._opens_item = False
        text, pictures, bold = run.text(), run.pictures(), run.is_bold()
        label, self._label = self._label if is_item else "", ""
        run.clear()
        if pictures and unmarked(text) == collapse_whitespace(" ".join(pictures)):
            self._found += [FlowBlock(Kind.FIGURE, one) for one in pictures]
            return
        kind = Kind.LIST_ITEM if is_item else Kind.PARAGRAPH
        self._plain(kind, f"{label} {text}" if label and text else text, self._depth if is_item else 0, bold=bold)

    def _plain(self, kind: Kind, text: str, level: int = 0, *, bold: bool = False) -> None:
        if text.strip() and self._note and kind in (Kind.PARAGRAPH, Kind.LIST_ITEM):
            self._found.append(FlowBlock(Kind.FOOTNOTE, self._note + text))
        elif text.strip():
            self._found.append(FlowBlock(kind, text, level, bold=bold))

    def _heading(self, tag: Any) -> None:
        self._plain(Kind.HEADING, self._run.text(), int(tag["Heading"][1:]))

    def _start_list(self, value: Any) -> None:
        self._depth += 1
        self._numbers.begin(value["List"])

    def _end_list(self, value: Any) -> None:
        del value
        self._depth -= 1
        self._numbers.end()

    def _start_item(self, value: Any) -> None:
        del value
        self._opens_item, self._label = True, self._numbers.item()

    def _end_header(self, value: Any) -> None:
        del value
        self._headers = len(self._rows)

    def _table(self, value: Any) -> None:
        del value
        found = table(self._rows, self._headers)
        self._rows = []
        if found:
            self._found.append(found)


def _nothing(value: Any) -> None:
    del value


def _html(content: str, unseen: Unseen) -> Iterator[FlowBlock]:
    from octavo_documents.parsing import html

    return html.blocks_of(content, unseen=unseen)
