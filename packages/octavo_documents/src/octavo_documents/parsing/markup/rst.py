"""reStructuredText to blocks: sections, lists, tables, directives' text, notes. Nothing is run, no file is followed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, collapse_whitespace
from octavo_documents.parsing.inline_marks import note_mark, raised, struck
from octavo_documents.parsing.markup.latex_text import formula
from octavo_documents.parsing.markup.rst_tables import (
    grid_table,
    is_grid_rule,
    is_simple_rule,
    rows_of_list,
    rows_of_values,
    simple_table,
)
from octavo_documents.parsing.numerals import whole_number

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1*\s*\Z")
_ITEM = re.compile(r"([-*+•]|#\.|\(?(?:\d{1,4}|[a-zA-Z]|[ivxlcIVXLC]{1,6})[.)])\s+(?=\S)")
_OPTION = re.compile(
    r"((?:(?:-\w|\+[a-zA-Z])(?:[ =]?[\w<][\w.<>-]*)?|(?:--|/)[a-zA-Z][\w-]*(?:[ =][\w<][\w.<>-]*)?)"
    r"(?:, (?:-{1,2}|[+/])\w[\w-]*(?:[ =][\w<][\w.<>-]*)?)*)"
    r"(?:\s{2,}(\S.*))?\Z"
)
_FIELD = re.compile(r":([^:\s][^:]{0,80}):(?:\s+(.*))?\Z")
_DIRECTIVE = re.compile(r"\.\.\s+(?:\|[^|]+\|\s+)?([\w:+.-]+) ?::(?:\s+(.*))?\Z")
_NOTE = re.compile(r"\.\.\s+\[([^\]]+)\]\s+(.*)\Z")
_REPLACED = re.compile(r"\.\.\s+\|([^|]+)\|\s+replace ?::\s+(.*)\Z")
_ROLE = re.compile(r"(?::[\w.:+-]+:)?`([^`]*?)\s*(?:<([^`<>]*)>)?`(?::[\w.:+-]+:)?_{0,2}")
_NAMED_ROLE = re.compile(r"(?::([\w.+-]+):)`([^`<>]*?)`|(?<!:)`([^`<>]*?)`:([\w.+-]+):")
_STRUCK = frozenset(("strike", "strikethrough", "line-through", "del", "s", "st", "struck", "deleted"))
"""Roles by which text is struck out."""
_PANDOC_STRUCK = re.compile(r"\[STRIKEOUT:([^\[\]]{1,500})\]")
_ROLE_MADE = re.compile(r"\.\.\s+role ?::\s+([\w.+-]+)")
_NOTE_MARK = re.compile(r"\s?\[(\d{1,3}|#[\w.-]*|\*)\]_(?=[\s.,:;!?)\]'\"]|\Z)")
_MARKS = (re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*"), re.compile(r"(?<![\w*])\*(?=\S)(.+?)(?<=\S)\*(?![\w*])"))
_CODE_MARK = re.compile(r"``(.+?)``")
_WORD_LINK = re.compile(r"\b(\w[\w.-]*)__?(?=[\s.,:;!?)\]'\"]|\Z)")
_CODE = (
    "code",
    "code-block",
    "sourcecode",
    "parsed-literal",
    "prompt",
    "highlight",
    "doctest",
    "testcode",
    "productionlist",
)
# fmt: off
_SILENT = (
    "contents", "toctree", "index", "raw", "role", "default-role", "target-notes", "meta", "currentmodule", "module",
    "sectnum", "header", "footer", "class", "tabularcolumns", "autosummary", "testsetup",
)
# fmt: on
_FILES = ("include", "literalinclude", "csv-table-file")
_NAMED = ("note", "warning", "tip", "important", "caution", "danger", "attention", "hint", "error", "seealso", "todo")
_DEEPEST = 40
_LONGEST_MARKED = 50_000
"""Characters of a paragraph whose marks are looked for."""


def read(data: bytes) -> FlowContent:
    """Return the blocks of a file. Raises NoText."""
    text, warnings = text_of(data)
    lines = [line.expandtabs(8).rstrip() for line in text.split("\n")]
    reader = _Reader(lines)
    reader.go(lines, 0, 0)
    files = [f"{name} was not followed" for name in dict.fromkeys(reader.files)]
    first = next((block for block in reader.blocks if block.kind == Kind.HEADING), None)
    said = reader.said
    return FlowContent(
        tuple(reader.blocks),
        first.text if first else "",
        said.get("author", ""),
        said.get("date", ""),
        (*warnings, *files),
    )


class _Reader:
    """Reads pieces of the text, those further in by itself again."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.blocks: list[FlowBlock] = []
        self.files: list[str] = []
        self.said: dict[str, str] = {}
        self._styles: list[str] = []
        """How sections are underlined, from the highest level on."""
        self._auto = _auto(lines)
        self._numbered: dict[int, tuple[Sequence[str], int, int]] = {}
        """By their depth, of the latest items of lists the lines they stand in, where they end, and their numbers."""
        self._referred = self._noted = 0
        self._struck = frozenset(_roles(lines))
        """Roles of the file's own whose class strikes text out."""
        self._replaced = {match[1]: match[2] for line in lines if (match := _REPLACED.match(line.strip()))}

    def go(self, lines: Sequence[str], nested: int, depth: int) -> None:
        """Read lines that stand at the left; `nested` is how many lists they are in."""
        at = 0
        while at < len(lines):
            if not lines[at].strip():
                at += 1
            else:
                at = self._block(lines, at, nested, depth)

    def _block(self, lines: Sequence[str], at: int, nested: int, depth: int) -> int:
        line = lines[at]
        if line.startswith(" "):
            inside, end = _indented(lines, at)
            self._inside(inside, nested, depth)
            return end
        if line.startswith(".."):
            return self._explicit(lines, at, nested, depth)
        if is_grid_rule(line) or is_simple_rule(lines, at):
            return self._table(lines, at)
        heading = self._heading(lines, at)
        if heading:
            return heading
        if _ITEM.match(line):
            return self._item(lines, at, nested, depth)
        option = _OPTION.match(line)
        if option and (option[2] or (lines[at + 1 : at + 2] and lines[at + 1].startswith("  "))):
            return self._option(option, lines, at, nested)
        if line.startswith(">>> "):
            end = _gap(lines, at)
            self.blocks.append(FlowBlock(Kind.CODE, "\n".join(lines[at:end])))
            return end
        return self._field(lines, at, nested, depth) or self._paragraph(lines, at, nested, depth)

    def _inside(self, lines: Sequence[str], nested: int, depth: int) -> None:
        if depth < _DEEPEST:
            self.go(lines, nested, depth + 1)
        else:
            self._add(Kind.PARAGRAPH, " ".join(lines))

    def _heading(self, lines: Sequence[str], at: int) -> int:
        """Read a title with a line under it, or over and under; return where it ends, 0 for none."""
        over = _RULE.match(lines[at])
        if over and len(lines[at]) > 2 and at + 2 < len(lines) and lines[at + 2].startswith(lines[at][:3]):
            title, style, end = lines[at + 1].strip(), over[1] * 2, at + 3
        elif at + 1 < len(lines) and (rule := _RULE.match(lines[at + 1])) and not over:
            title, style, end = lines[at].strip(), rule[1], at + 2
            if len(lines[at + 1]) < min(len(title), 4):
                return 0
        else:
            # A line alone that parts two stretches of text says nothing.
            return at + 1 if over and len(lines[at]) > 3 else 0
        if not title:
            return 0
        if style not in self._styles:
            self._styles.append(style)
        self._add(Kind.HEADING, title, self._styles.index(style) + 1)
        return end

    def _item(self, lines: Sequence[str], at: int, nested: int, depth: int) -> int:
        match = _ITEM.match(lines[at])
        width = match.end() if match else 2
        mark = match[1] if match else ""
        end = at + 1
        while end < len(lines) and (lines[end].startswith(" " * min(width, 2)) or _is_gap_in(lines, end)):
            end += 1
        inside = [lines[at][width:], *_dedented(lines[at + 1 : end])]
        label = "" if mark in "-*+•" else f"{self._number(mark, lines, at, end, nested)} "
        stop = next(
            (number for number, line in enumerate(inside) if number and (not line or _ITEM.match(line))), len(inside)
        )
        self._add(Kind.LIST_ITEM, label + " ".join(inside[:stop]).removesuffix(":") if inside[stop - 1].endswith("::")
                  else label + " ".join(inside[:stop]), nested + 1)  # fmt: skip
        rest = inside[stop:]
        if inside[stop - 1].endswith("::"):
            rest = self._literal(rest)
        self._inside(rest, nested + 1, depth)
        return end

    def _number(self, mark: str, lines: Sequence[str], at: int, end: int, nested: int) -> str:
        """Return the number of an item, which one marked "#." has after the one before it."""
        around, stop, number = self._numbered.get(nested, ((), 0, 0))
        follows = around is lines and not any(line.strip() for line in lines[stop:at])
        if mark == "#.":
            number = (number if follows else 0) + 1
        else:
            number = int(mark[:-1]) if mark[:-1].isdecimal() and mark[-1] == "." else 0
        self._numbered[nested] = lines, end, number
        return f"{number}." if mark == "#." else mark

    def _option(self, option: re.Match[str], lines: Sequence[str], at: int, nested: int) -> int:
        """Read an option of a command with what it does."""
        inside, end = _indented(lines, at + 1)
        whole = _gap(inside, 0)
        self._add(Kind.LIST_ITEM, f"{option[1]}: {' '.join([option[2] or '', *inside[:whole]]).strip()}", nested + 1)
        self._inside(inside[whole:], nested + 1, 0)
        return end

    def _field(self, lines: Sequence[str], at: int, nested: int, depth: int) -> int:
        match = _FIELD.match(lines[at])
        if not match or match[1] in ("ref", "doc", "func"):
            return 0
        inside, end = _indented(lines, at + 1)
        text = " ".join([match[2] or "", *(line.strip() for line in inside)]).strip()
        if match[1].lower() in ("author", "date") and not self.blocks[1:]:
            self.said.setdefault(match[1].lower(), self._text(text))
        if text:
            self._add(Kind.PARAGRAPH, f"{match[1]}: {text}")
        del nested, depth
        return end

    def _paragraph(self, lines: Sequence[str], at: int, nested: int, depth: int) -> int:
        """Read a paragraph, a term with its definition, or lines that are kept apart by bars."""
        end = _gap(lines, at)
        stop = next((one for one in range(at + 1, end) if lines[one].startswith(" ")), end)
        if stop == at + 1 and stop < end and not lines[at].startswith("|"):  # a term
            inside, end = _indented(lines, stop)
            whole = 0 if _OPTION.match(inside[0]) or _ITEM.match(inside[0]) else _gap(inside, 0)
            said = f": {' '.join(inside[:whole])}" if whole else ""
            self._add(Kind.LIST_ITEM, f"{lines[at]}{said}", nested + 1)
            self._inside(inside[whole:], nested + 1, depth)
            return end
        text = " ".join(line.strip().removeprefix("| ") for line in lines[at:end])
        is_literal = text.endswith("::")
        shown = text.removesuffix("::").rstrip() + (":" if is_literal and not text.endswith(" ::") else "")
        self._add(Kind.PARAGRAPH, shown if is_literal else text)
        if is_literal:
            inside, after = _indented(lines, end)
            if inside:
                self._literal(inside)
                return after
        return end

    def _literal(self, lines: Sequence[str]) -> list[str]:
        """Take lines for code as they stand; return what comes after them."""
        code = "\n".join(_dedented(lines)).strip("\n")
        if code.strip():
            self.blocks.append(FlowBlock(Kind.CODE, code))
        return []

    # What begins with two dots

    def _explicit(self, lines: Sequence[str], at: int, nested: int, depth: int) -> int:
        directive, note = _DIRECTIVE.match(lines[at]), _NOTE.match(lines[at])
        if lines[at] == ".." and not "".join(lines[at + 1 : at + 2]):
            return at + 1  # it says that what comes is no part of what was before
        inside, end = _indented(lines, at + 1)
        if note:
            name = note[1]
            if name == "#":
                self._noted += 1
                name = f"#\0{self._noted}"
            self._add(
                Kind.FOOTNOTE,
                f"[{self._auto.get(name, note[1])}] {' '.join([note[2], *(line.strip() for line in inside)])}",
            )
        elif directive and directive[1] != "replace":
            self._directive(directive[1].lower(), directive[2] or "", inside, nested, depth)
        return end

    def _directive(self, name: str, said: str, inside: list[str], nested: int, depth: int) -> None:
        options: dict[str, str] = {}
        while inside and (match := _FIELD.match(inside[0])):
            options[match[1].lower()] = match[2] or ""
            inside = inside[1:]
        if name in _FILES:
            self.files.append(said[:100] or name)
        elif name in ("image", "figure"):
            self._add(Kind.FIGURE, options.get("alt", ""))
            stop = _gap(inside, next((one for one, line in enumerate(inside) if line.strip()), 0))
            self._add(Kind.CAPTION, " ".join(inside[:stop]))
            self._inside(inside[stop:], nested, depth)
        elif name in _CODE:
            self._add(Kind.CAPTION, options.get("caption", ""))
            self._literal(inside)
        elif name == "math":
            self._add(Kind.FORMULA, formula(" ".join([said, *inside])))
        elif name in ("table", "list-table", "csv-table"):
            self._add(Kind.CAPTION, said)
            self._listed(name, options, inside, nested, depth)
        elif name not in _SILENT:
            self._admonition(name, said, inside, nested, depth)

    def _admonition(self, name: str, said: str, inside: list[str], nested: int, depth: int) -> None:
        if name in _NAMED:
            stop = _gap(inside, 0)
            first = " ".join([said, *inside[:stop]]).strip() if said or not inside or not _ITEM.match(inside[0]) else ""
            self._add(Kind.PARAGRAPH, f"{name.capitalize()}: {first}" if first else "")
            self._inside(inside[stop:] if first else inside, nested, depth)
            return
        self._add(Kind.PARAGRAPH, said)
        self._inside(inside, nested, depth)

    def _listed(self, name: str, options: dict[str, str], inside: list[str], nested: int, depth: int) -> None:
        headers = whole_number(options.get("header-rows", ""), digits=3) or 0
        if name == "table":
            self._inside(inside, nested, depth)
            return
        if name == "csv-table":
            rows = list(rows_of_values(inside, options))
            headers += bool(options.get("header"))
        else:
            rows = rows_of_list(inside)
        texts = [[self._text(cell) for cell in row] for row in rows]
        grid = Grid.of_rows(texts, header_rows=min(headers, len(texts)))
        if grid.text().strip():
            self.blocks.append(FlowBlock(Kind.TABLE, grid.text(), grid=grid))

    def _table(self, lines: Sequence[str], at: int) -> int:
        if is_grid_rule(lines[at]):
            end = at
            while end < len(lines) and lines[end][:1] in ("+", "|"):
                end += 1
            grid = grid_table(lines[at:end], self._text)
        else:
            grid, end = simple_table(lines, at, self._text)
        if grid.text().strip():
            self.blocks.append(FlowBlock(Kind.TABLE, grid.text(), grid=grid))
        return max(end, at + 1)

    def _add(self, kind: Kind, text: str, level: int = 0) -> None:
        shown = text.strip() if kind == Kind.FORMULA else self._text(text)
        if any(letter.isalnum() for letter in shown):
            self.blocks.append(FlowBlock(kind, shown, level))

    def _text(self, text: str) -> str:
        if "|" in text:
            text = re.sub(r"\|([^|\s][^|]*)\|_{0,2}", lambda match: self._replaced.get(match[1], match[0]), text)
        if len(text) > _LONGEST_MARKED:
            return collapse_whitespace(text)
        pieces = _CODE_MARK.split(text)
        for at in range(0, len(pieces), 2):
            piece = pieces[at]
            if "`" in piece:
                piece = _NAMED_ROLE.sub(self._with_role, piece)
            piece = _PANDOC_STRUCK.sub(lambda match: struck(match[1]), piece)
            piece = _ROLE.sub(lambda match: match[1] or match[2] or "", piece)
            for mark in _MARKS:
                piece = mark.sub(lambda match: match[1], piece)
            piece = _NOTE_MARK.sub(self._with_mark, piece)
            piece = re.sub(r"(\[[^\]\s]+\])_", r"\1", _WORD_LINK.sub(r"\1", piece))
            pieces[at] = re.sub(r"\\(\s|.)", lambda match: match[1].strip(), piece)
        return collapse_whitespace("".join(pieces))

    def _with_role(self, match: re.Match[str]) -> str:
        role, words = (match[1] or match[4]).lower(), match[2] or match[3] or ""
        if role in ("sup", "superscript"):
            return raised(words)
        return struck(words) if role in _STRUCK or role in self._struck else match[0]

    def _with_mark(self, match: re.Match[str]) -> str:
        """Return the mark of a note."""
        name = match[1]
        if name == "#":
            self._referred += 1
            name = f"#\0{self._referred}"
        return note_mark(self._auto.get(name, name.partition("\0")[0].strip("#")))


def _auto(lines: Sequence[str]) -> dict[str, str]:
    """Return the numbers of notes that are numbered by themselves, by name; those without one by their order."""
    names = [match[1] for line in lines if (match := _NOTE.match(line.strip()))]
    taken, found, number, bare = {*names}, dict[str, str](), 0, 0
    for name in names:
        if name.startswith("#"):
            number = next(one for one in range(number + 1, number + len(taken) + 2) if str(one) not in taken)
            bare += name == "#"
            found[name if name != "#" else f"#\0{bare}"] = str(number)
    return found


def _roles(lines: Sequence[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        made = _ROLE_MADE.match(line)
        if made and any(":class:" in one and _STRUCK & {*one.split()} for one in lines[at + 1 : at + 4]):
            yield made[1].lower()


def _gap(lines: Sequence[str], at: int) -> int:
    """Return the number of the next empty line."""
    return next((one for one in range(at, len(lines)) if not lines[one].strip()), len(lines))


def _is_gap_in(lines: Sequence[str], at: int) -> bool:
    """Whether empty lines are followed by lines that stand further in."""
    if lines[at].strip():
        return False
    following = next((line for line in lines[at : at + 4] if line.strip()), "")
    return following.startswith("  ")


def _indented(lines: Sequence[str], at: int) -> tuple[list[str], int]:
    """Return the lines from one on that stand further in, moved to the left, and where they end."""
    end = at
    while end < len(lines) and (lines[end].startswith(" ") or not lines[end].strip()):
        end += 1
    return _dedented(lines[at:end]), end


def _dedented(lines: Sequence[str]) -> list[str]:
    least = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[least:] for line in lines]
