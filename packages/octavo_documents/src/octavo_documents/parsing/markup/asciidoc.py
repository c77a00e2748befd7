"""AsciiDoc to blocks: sections, lists, tables, listings, captions and notes. No other file is followed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from octavo_documents.document import Kind
from octavo_documents.document.grid import Cell, Grid
from octavo_documents.parsing.cell_places import Places, span
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, collapse_whitespace
from octavo_documents.parsing.inline_marks import note_mark, raised, struck
from octavo_documents.parsing.markup.latex_text import formula
from octavo_documents.parsing.markup.line_reader import LineReader
from octavo_documents.parsing.numerals import numeral

_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+\1)?\s*\Z")
_ITEM = re.compile(r"(\s*)(\*{1,6}|-|\.{1,6}|\d{1,4}\.|[a-z]\.|•|<\.>|<\d+>)\s+(\S.*)")
_START, _FORM = re.compile(r"\bstart=\"?(\d{1,6})\b"), re.compile(r"\b(arabic|(?:lower|upper)(?:alpha|roman))\b")
_FORMS = {
    "arabic": "decimal",
    "loweralpha": "lowerLetter",
    "lowerroman": "lowerRoman",
    "upperalpha": "upperLetter",
    "upperroman": "upperRoman",
}
_FORMS_BY_DEPTH = ("arabic", "loweralpha", "lowerroman", "upperalpha", "upperroman")
_TERM = re.compile(r"(\s*)(\S.{0,200}?)(:{2,4}|;;)(?:\s+(.*))?\Z")
_ATTRIBUTE = re.compile(r":!?([\w-]+)!?:(?:\s+(.*))?\Z")
_FENCE = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|```+\w*|~{4,})\s*\Z")
_IMAGE = re.compile(r"image::?([^\[\]]*)\[([^\]]*)\]")
_INCLUDE = re.compile(r"include::([^\[]+)\[")
_NOTE = re.compile(r"\s?footnote:([\w-]*):?\[([^\]]*)\]|\s?footnoteref:()\[([^\]]*)\]")
_LINK = re.compile(
    r"(?:link:|xref:|mailto:)?((?:https?|ftp|irc)://[^\s\[\]]+|(?<=link:)[^\s\[]+|(?<=xref:)[^\s\[]+)\[([^\]]*)\]"
)
_REFERENCE = re.compile(r"<<([^,>]+)(?:,\s*([^>]*))?>>")
_MACRO = re.compile(r"\b(?:kbd|btn|menu|pass|indexterm2?|anchor|icon|image):[^\s\[\]]*\[([^\]]*)\]")
_MATHS = re.compile(r"\b(stem|latexmath|asciimath):\[\$?((?:\\.|[^\]\\])*?)\$?\]")
_MARKS = re.compile(r"(?<![\w\\])(\*\*|__|``|\*|_|`|\+|#|\^|~)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_ROLE = re.compile(
    r"\[(?:[^\]\n]{0,60}[.\s,])?(?:line-through|strike|strikethrough|del)\b[^\]\n]{0,60}\](##?|\*\*?|__?)(?=\S)(.+?)(?<=\S)\1"
)
_OTHER_ROLE = re.compile(r"\[[.#][\w.#%-]{1,80}\](?=(##?|\*|_|`|\+)\S)")
_UP = re.compile(r"(?<!\\)(?<=\S)\^(\S(?:[^^\n]{0,30}\S)?)\^")
_DOWN = re.compile(r"(?<!\\)(?<=\w)~(\w{1,8})~(?!~)")
_CELL = re.compile(r"(?:(?:(?<=\s)|\A)((?:\d+\*|(?:\d+)?(?:\.\d+)?\+)?[<^>.]{0,4}[adehlmsv]?))?(?<!\\)\|")
_SPAN = re.compile(r"(\d+)?(?:\.(\d+))?\+")
_TABLE_END = ("|===", "!===", ",===", ":===")
_VERBATIM = ("-", ".", "`", "~")
_MOST_SPAN = 500
_LONGEST_MARKED = 50_000
"""Characters of a paragraph whose marks are looked for."""


def read(data: bytes) -> FlowContent:
    """Return the blocks of a file. Raises NoText."""
    text, warnings = text_of(data)
    reader = _Reader(text.split("\n"))
    reader.go()
    said = reader.attributes
    title = next((block.text for block in reader.blocks if block.kind == Kind.HEADING and block.level == 1), "")
    return FlowContent(
        tuple(reader.blocks),
        title,
        said.get("author", ""),
        said.get("revdate", ""),
        (*warnings, *reader.not_followed()),
    )


class _Reader(LineReader):
    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(lines)
        self.attributes: dict[str, str] = {}
        self._item = 0
        self._caption = ""
        self._options = ""
        self._marks_of_notes: dict[str, int] = {}
        self._marks: list[str] = []
        """The marks of the lists that are open, from the outermost."""
        self._numbers: dict[str, tuple[int, str]] = {}
        """Of lists whose items are numbered without saying so, the next number and its form."""

    def go(self) -> None:
        super().go()
        self._untitled()

    def _block(self, line: str) -> bool:
        fence = _FENCE.match(line)
        if not line.strip() or line.strip() == "+":
            self._flush()
            if not line.strip() and self._next_is_plain():
                self._marks.clear()
        elif fence:
            self._fenced(fence[1])
        elif line.startswith(_TABLE_END):
            self._flush()
            self._table(self._up_to(line[:4]))
        elif line.startswith("|") and not self._words:
            self._bars(line)
        else:
            return self._line(line)
        return True

    def _line(self, line: str) -> bool:
        """Read a line that says something of what follows, or is a block alone."""
        heading, attribute = _HEADING.match(line), _ATTRIBUTE.match(line)
        include, image = _INCLUDE.match(line), _IMAGE.fullmatch(line.strip())
        if heading and not self._words:
            self._untitled()
            self._marks.clear()
            self._add(Kind.HEADING, heading[2], len(heading[1]))
        elif attribute and not self._words:
            self.attributes[attribute[1].lower()] = attribute[2] or ""
        elif line.startswith("//"):
            return True
        elif include:
            self.files.append(include[1][:100])
        elif image:
            self._flush()
            self._picture(image[2])
        elif line.startswith("[") and line.endswith("]") and (not self._words or self._opens_list(line)):
            self._flush()
            self._options = line
        elif line.startswith(".") and len(line) > 1 and line[1] not in ". \t" and not self._words:
            self._untitled()
            self._caption = line[1:]
        elif line.strip() in ("'''", "---", "***", "<<<"):
            self._flush()
        else:
            return False
        return True

    def _running(self, line: str) -> None:
        item, term = _ITEM.match(line), _TERM.match(line)
        if item:
            self._flush()
            self._untitled()
            self._item = self._nested(item[1], item[2])
            number = self._number() if item[2][0] == "." else "" if item[2][0] in "*-•<" else f"{item[2]} "
            self._words.append(number + item[3])
        elif term and not self._words:
            self._untitled()
            self._item = self._nested(term[1], term[3])
            self._words.append(f"{term[2]}: {term[4] or ''}")
            if not term[4]:
                self._skip_empty()
        else:
            if not self._words:
                self._untitled()
            self._words.append(line.removesuffix(" +"))

    def _nested(self, indent: str, mark: str) -> int:
        """Return the depth of an item by its mark and how far in it stands, and take it for the innermost list."""
        kind = f"{len(indent.expandtabs(4)):02}{'1.' if mark[0].isdecimal() else mark}"
        if kind in self._marks:
            del self._marks[self._marks.index(kind) + 1 :]
        elif self._marks and len(indent) and int(kind[:2]) < int(self._marks[-1][:2]):
            self._marks = [*(one for one in self._marks if int(one[:2]) < int(kind[:2])), kind]
        elif len(self._marks) < 20:
            self._marks.append(kind)
            self._numbers.pop(kind, None)
        return max(len(self._marks), 1)

    def _number(self) -> str:
        """Return the number that is printed before the next item of the innermost list."""
        mark = self._marks[-1]
        if mark not in self._numbers:
            start, form = _START.search(self._options), _FORM.search(self._options)
            depth = min(mark.count("."), len(_FORMS_BY_DEPTH)) - 1
            self._numbers[mark] = int(start[1]) if start else 1, _FORMS[form[1] if form else _FORMS_BY_DEPTH[depth]]
            self._options = ""
        number, form = self._numbers[mark]
        self._numbers[mark] = number + 1, form
        return f"{numeral(number, form)}. "

    def _opens_list(self, line: str) -> bool:
        """Whether a line right after an item says how the numbered list in it is numbered."""
        following = "".join(self._lines[self._at : self._at + 1])
        item = _ITEM.match(following) if self._item and _FORM.match(line, 1) else None
        return item is not None and item[2][0] == "."

    def _next_is_plain(self) -> bool:
        """Whether the next line with words goes on with no list."""
        following = next((line for line in self._lines[self._at : self._at + 3] if line.strip()), "")
        return bool(following) and not _ITEM.match(following) and not _TERM.match(following)

    def _skip_empty(self) -> None:
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1

    def _up_to(self, mark: str) -> list[str]:
        """Return the lines up to one that is a mark, and go on after it."""
        return self._until(lambda line: line.rstrip() == mark)

    def _fenced(self, mark: str) -> None:
        self._flush()
        if mark[0] == "/":
            self._up_to(mark)
        elif mark[0] == "+":
            self._untitled()
            self._add(
                Kind.FORMULA if "math" in self._options or "stem" in self._options else Kind.CODE,
                "\n".join(self._up_to(mark)),
            )
        elif mark[0] in _VERBATIM and mark != "--":
            self._captioned()
            code = "\n".join(self._up_to("```" if mark[0] == "`" else mark)).strip("\n")
            if code.strip():
                self.blocks.append(FlowBlock(Kind.CODE, code))
        else:
            self._untitled()  # what stands inside is read on

    def _picture(self, said: str) -> None:
        text = said.split(",")[0].strip().strip('"')
        if text:
            self._add(Kind.FIGURE, text)
        self._captioned()

    def _bars(self, line: str) -> None:
        """Read lines of cells between bars that no fence is around."""
        rows = [line]
        while (
            self._at < len(self._lines) and self._lines[self._at].startswith("|") and "===" not in self._lines[self._at]
        ):
            rows.append(self._lines[self._at])
            self._at += 1
        texts = [[self._text(cell) for cell in row.strip().strip("|").split("|")] for row in rows]
        self._captioned()
        grid = Grid.of_rows(texts, header_rows=int(len(texts) > 1))
        if grid.text().strip():
            self.blocks.append(FlowBlock(Kind.TABLE, grid.text(), grid=grid))

    def _table(self, lines: list[str]) -> None:
        options, self._options = self._options, ""
        self._captioned()
        width, is_headed = _columns(options), "header" in options
        while lines and not lines[0].strip():
            lines = lines[1:]
        first = len(_CELL.findall(lines[0])) if lines else 0
        is_headed = is_headed or (len(lines) > 1 and not lines[1].strip() and first > 1)
        width = width or first
        found = [
            replace(cell, text=self._text(cell.text)) for cell in _placed(lines, width, is_said=bool(_columns(options)))
        ]
        found = [cell for cell in found if cell.text]
        if not found:
            return
        height = max(cell.row + cell.rows for cell in found)
        full = max(cell.column + cell.columns for cell in found)
        wordy = [cell for cell in found if cell.row == 0]
        is_headed = is_headed or (
            len(wordy) == width and height > 1 and not any(one.text[:1].isdecimal() for one in wordy)
        )
        grid = Grid(height, full, tuple(found), int(is_headed and height > 1))
        if grid.text().strip():
            self.blocks.append(FlowBlock(Kind.TABLE, grid.text(), grid=grid))

    def _captioned(self) -> None:
        """Take the title that was told for the caption of what follows."""
        caption, self._caption = self._caption, ""
        if caption:
            self._add(Kind.CAPTION, caption)

    def _untitled(self) -> None:
        """Take the title that was told for a line of its own."""
        caption, self._caption = self._caption, ""
        if caption:
            self.blocks.append(FlowBlock(Kind.PARAGRAPH, self._text(caption), bold=True))

    def _flush(self) -> None:
        words, self._words = self._words, []
        depth, self._item = self._item, 0
        text = " ".join(words)
        if text.strip():
            self._add(Kind.LIST_ITEM if depth else Kind.PARAGRAPH, text, depth)
            self._options = ""

    def _add(self, kind: Kind, text: str, level: int = 0) -> None:
        notes: list[str] = []
        shown = self._text(_NOTE.sub(partial(self._note, notes), text)) if kind != Kind.FORMULA else text.strip()
        if any(letter.isalnum() for letter in shown):
            self.blocks.append(FlowBlock(kind, shown, level))
        self.blocks += [FlowBlock(Kind.FOOTNOTE, self._text(note)) for note in notes]

    def _note(self, notes: list[str], match: re.Match[str]) -> str:
        """Return the mark of a note, and take its words where they are told here."""
        name, words = match[1] or match[3] or "", (match[2] or match[4] or "").strip()
        if match[4] is not None and "," in words:
            name, words = words.split(",", 1)
        if words:
            notes.append(words)
            self._marks_of_notes[name or f"\0{len(self._marks_of_notes)}"] = len(self._marks_of_notes) + 1
        number = len(self._marks_of_notes) if words else self._marks_of_notes.get(name)
        return note_mark(str(number)) if number else ""

    def _text(self, text: str) -> str:
        # In a formula the signs of marks mean something else.
        pieces = _MATHS.split(text)
        pieces[::3] = map(self._words_of, pieces[::3])
        pieces[2::3] = (
            formula(one) if kind == "latexmath" else one for kind, one in zip(pieces[1::3], pieces[2::3], strict=True)
        )
        del pieces[1::3]
        return collapse_whitespace("".join(pieces))

    def _words_of(self, text: str) -> str:
        if "{" in text:
            text = re.sub(r"\{([\w-]+)\}", lambda match: self.attributes.get(match[1].lower(), match[0]), text)[
                :200_000
            ]
        text = _IMAGE.sub(lambda match: match[2].split(",")[0], text)
        text = _LINK.sub(lambda match: match[2].rstrip("^") or match[1], text)
        text = _REFERENCE.sub(lambda match: match[2] or match[1], text)
        text = re.sub(r"\[\[[^\]]*\]\]", "", _MACRO.sub(lambda match: match[1], text))
        if len(text) > _LONGEST_MARKED:
            return text
        if "]#" in text or "]*" in text or "]_" in text:
            text = _OTHER_ROLE.sub("", _ROLE.sub(lambda match: struck(match[2]), text))
        if "^" in text or "~" in text:
            text = _DOWN.sub(r"\1", _UP.sub(lambda match: raised(match[1]), text))
        for _ in range(3):
            text = _MARKS.sub(lambda match: match[2], text)
        return text


def _placed(lines: Sequence[str], width: int, *, is_said: bool) -> Iterator[Cell]:
    """Yield the cells of a table where they stand: as lines have them, where each is a row, else row after row."""
    shown = [line for line in lines if line.strip()]
    is_by_line = not is_said and all(_CELL.match(line) for line in shown)
    rows = [_cells(line) for line in shown] if is_by_line and width > 1 else [_cells("\n".join(lines))]
    places, row = Places(), 0
    for cells in rows:
        column = 0
        for at, (down, across, text) in enumerate(cells):
            if column >= width and not text and at == len(cells) - 1:
                continue  # the bar that closes a line
            column, down, across = places.put(row, column, down, min(across, _MOST_SPAN))
            if column >= width and len(rows) == 1:
                row += 1
                column, down, across = places.put(row, 0, down, across)
            yield Cell(row, column, text, down, across)
            column += across
        row += 1


def _columns(options: str) -> int:
    """Return how many columns a table says it has, 0 where it does not say."""
    match = re.search(r"""cols\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,\]]*))""", options)
    if not match:
        return 0
    said = match[1] or match[2] or match[3] or ""
    count = 0
    for one in re.split(r"[,;]", said):
        many = re.match(r"\s*(\d+)\*", one)
        count += int(many[1]) if many and len(many[1]) < 4 else 1
    return min(count, _MOST_SPAN) if said.strip() else 0


def _cells(text: str) -> list[tuple[int, int, str]]:
    """Return rows and columns covered and the text of each cell of a table."""
    marks = list(_CELL.finditer(text))
    found: list[tuple[int, int, str]] = []
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(text)
        inner = text[mark.end() : end].replace("\\|", "|").strip()
        spec = mark[1] or ""
        many = re.match(r"(\d+)\*", spec)
        covers = _SPAN.match(spec)
        across, down = (span(covers[1], _MOST_SPAN), span(covers[2], _MOST_SPAN)) if covers else (1, 1)
        found += [(down, across, inner)] * (span(many[1], _MOST_SPAN) if many else 1)
    return found
