"""Org to blocks: headings, lists, tables, source and quotes, notes. Nothing in it is run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo_documents.document import Kind
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, collapse_whitespace, table
from octavo_documents.parsing.inline_marks import note_mark, raised, struck
from octavo_documents.parsing.markup.latex_text import formula
from octavo_documents.parsing.markup.line_reader import LineReader

_HEADING = re.compile(
    r"(\*+)\s+(?:(?:TODO|DONE|NEXT|WAITING|CANCELLED)\s+)?(?:\[#[A-Z]\]\s+)?(\S.*?)(?:\s+:[\w@:%#]+:)?\s*\Z"
)
_SETTING = re.compile(r"\s*#\+([A-Za-z_]+)(?:\[[^\]]*\])?:\s*(.*)\Z")
_BEGIN = re.compile(r"\s*#\+begin_(\w+)", re.IGNORECASE)
_LATEX = re.compile(r"\s*\\begin\{([a-z*]+)\}")
_ITEM = re.compile(r"(\s*)(?:([-+]|(?<=\s)\*)|(\d{1,4}[.)]|[a-zA-Z][.)]))\s+(?:\[@\d+\]\s*)?(\S.*)\Z")
_NOTE = re.compile(r"\[fn:([^\]:]+)\]\s+(\S.*)\Z")
_DRAWER = re.compile(r"\s*:(\w[\w-]*):\s*\Z")
_LINK = re.compile(r"\[\[([^\]]+)\](?:\[([^\]]+)\])?\]")
_MARKS = re.compile(r"(?:(?<=[\s('\"{-])|\A)([*/_=~+])(?=\S)([^\n]*?\S)\1(?=[\s.,:!?;'\")}\[-]|\Z)")
_INLINE_NOTE = re.compile(r"\[fn:[^\]:]*:([^\]]*)\]|\[fn:([^\]:]+)\]")
_MATHS = re.compile(r"\\\((.+?)\\\)|(?<![\w$])\$(?=[^\s$])([^$\n]{1,200}?)(?<=\S)\$(?![\w$])")
_STAMP = re.compile(r"[<\[](\d{4}-\d\d-\d\d)(?: [^\s>\]]+)?(?: (\d{1,2}:\d\d))?[^>\]]*[>\]]")
_RULE = re.compile(r"\s*\|[-+|: ]+\Z")
_CODE = ("src", "example", "export", "comment", "latex", "html")
_LONGEST_MARKED = 50_000
"""Characters of a paragraph whose marks are looked for."""
_PLANNED = re.compile(r"\s*(?:CLOSED|DEADLINE|SCHEDULED):\s")


def read(data: bytes) -> FlowContent:
    """Return the blocks of a file. Raises NoText."""
    text, warnings = text_of(data)
    reader = _Reader(text.split("\n"))
    reader.go()
    said = reader.said
    blocks = [FlowBlock(Kind.HEADING, said["title"], 1)] if said.get("title") else []
    return FlowContent(
        (*blocks, *reader.blocks),
        said.get("title", ""),
        said.get("author", ""),
        said.get("date", ""),
        (*warnings, *reader.not_followed()),
    )


class _Reader(LineReader):
    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(lines)
        self.said: dict[str, str] = {}
        self._kind, self._level = Kind.PARAGRAPH, 0
        self._indents: list[int] = []

    def _block(self, line: str) -> bool:
        heading, begin, setting = _HEADING.match(line), _BEGIN.match(line), _SETTING.match(line)
        if not line.strip():
            self._flush()
        elif heading:
            self._flush()
            self._indents.clear()
            self._add(Kind.HEADING, heading[2], len(heading[1]) + 1)
        elif begin:
            self._begun(begin[1].lower())
        elif setting:
            self._set(setting[1].lower(), setting[2])
        elif line.lstrip().startswith("|"):
            self._table(line)
        else:
            return self._apart(line)
        return True

    def _apart(self, line: str) -> bool:
        drawer, latex, note = _DRAWER.match(line), _LATEX.match(line), _NOTE.match(line)
        if drawer and drawer[1].lower() != "end":
            self._flush()
            self._until(lambda one: one.strip().lower() == ":end:")
        elif latex:
            self._flush()
            self._add(Kind.FORMULA, formula("\n".join(self._until(lambda one: f"\\end{{{latex[1]}}}" in one))))
        elif note:
            self._flush()
            self._kind, self._words = Kind.FOOTNOTE, [f"[{note[1]}] {note[2]}"]
        elif (
            re.match(r"\s*(?:# |#\+end_)", line, re.IGNORECASE)
            or line.strip() == "#"
            or re.match(r"\s*-{5,}\Z", line)
            or _PLANNED.match(line)
        ):
            self._flush()
        elif re.match(r"\s*: ", line):
            self._flush()
            rest = [line, *self._until(lambda one: not re.match(r"\s*:(?: |\Z)", one), takes_last=False)]
            self.blocks.append(FlowBlock(Kind.CODE, "\n".join(one.strip()[2:] for one in rest)))
        else:
            return False
        return True

    def _running(self, line: str) -> None:
        item = _ITEM.match(line)
        if item:
            self._flush()
            indent = len(item[1].expandtabs(4))
            self._indents = [*(one for one in self._indents if one < indent), indent]
            label = f"{item[3]} " if item[3] else ""
            self._kind, self._level = Kind.LIST_ITEM, len(self._indents)
            self._words = [label + item[4].replace(" :: ", ": ", 1)]
            return
        if not self._words and not line[:1].isspace():
            self._indents.clear()
        self._words.append(line.strip().removesuffix("\\\\"))

    def _begun(self, name: str) -> None:
        self._flush()
        if name in _CODE:
            lines = self._until(lambda one: one.strip().lower().startswith(f"#+end_{name}"))
            if name != "comment" and any(line.strip() for line in lines):
                self.blocks.append(FlowBlock(Kind.CODE, "\n".join(line.rstrip() for line in lines).strip("\n")))

    def _set(self, name: str, value: str) -> None:
        if name in ("title", "author", "date"):
            self.said[name] = collapse_whitespace(f"{self.said.get(name, '')} {_text(value)}")
        elif name == "caption":
            self._flush()
            self._add(Kind.CAPTION, value)
        elif name == "include":
            self.files.append(value.split()[0].strip('"')[:100] if value.split() else "a file")

    def _table(self, line: str) -> None:
        self._flush()
        lines = [line, *self._until(lambda one: not one.lstrip().startswith("|"), takes_last=False)]
        rows: list[list[str]] = []
        headers = 0
        for one in lines:
            if _RULE.match(one) and "-" in one:
                headers = headers or len(rows)
            else:
                rows.append([_text(cell) for cell in one.strip().strip("|").split("|")])
        found = table(rows, headers if headers < len(rows) else 0)
        if found:
            self.blocks.append(found)

    def _flush(self) -> None:
        words, self._words = self._words, []
        kind, level = self._kind, self._level
        self._kind, self._level = Kind.PARAGRAPH, 0
        self._add(kind, " ".join(words), level)

    def _add(self, kind: Kind, text: str, level: int = 0) -> None:
        if kind == Kind.PARAGRAPH and re.fullmatch(r"\[\[[^\]]+\.(?:png|jpe?g|svg|gif|pdf)\]\]", text.strip()):
            return  # a picture of which nothing is said
        shown = text if kind == Kind.FORMULA else _text(text)
        if any(letter.isalnum() for letter in shown):
            self.blocks.append(FlowBlock(kind, shown, level))
        for match in _INLINE_NOTE.finditer(text):
            if match[1]:
                self.blocks.append(FlowBlock(Kind.FOOTNOTE, _text(match[1])))


_UP = re.compile(r"(?<=\S)\^(?:\{([^{}]{1,40})\}|([-+]?\d{1,3}|[a-z*†‡])(?!\w))")
_DOWN = re.compile(r"(?<=\w)_\{([^{}]{1,40})\}")


def _text(text: str) -> str:
    text = _INLINE_NOTE.sub(lambda match: note_mark(match[2]) if match[2] else "", text)
    text = _LINK.sub(lambda match: match[2] or match[1], text)
    text = _STAMP.sub(lambda match: " ".join(filter(None, match.groups())), text)
    if "$" in text or "\\(" in text:
        text = _MATHS.sub(lambda match: formula(match[1] or match[2]), text)
    if "^" in text or "_{" in text:
        text = _DOWN.sub(r"\1", _UP.sub(lambda match: raised(match[1] or match[2]), text))
    for _ in range(2 if len(text) <= _LONGEST_MARKED else 0):
        text = _MARKS.sub(lambda match: struck(match[2]) if match[1] == "+" else match[2], text)
    return collapse_whitespace(text)
