"""LaTeX to blocks: sections, lists, tables, captions, formulas, notes. Nothing is run, no other file is followed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from octavo_documents.document import Kind
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, NoText, collapse_whitespace
from octavo_documents.parsing.left_out import Unseen
from octavo_documents.parsing.markup.latex_lists import NUMBERED_LISTS, LatexList, latex_list
from octavo_documents.parsing.markup.latex_source import (
    MARK,
    after_optional,
    environment,
    group,
    optional,
    with_macros,
    without_comments,
    without_verbatim,
)
from octavo_documents.parsing.markup.latex_tables import grid_of
from octavo_documents.parsing.markup.latex_text import REFERENCE, Inline, formula

TABLES = ("tabular", "tabular*", "tabularx", "tabulary", "longtable", "array", "supertabular", "xltabular", "tblr")
_LEVELS = {
    "part": 2,
    "chapter": 3,
    "section": 4,
    "subsection": 5,
    "subsubsection": 6,
    "paragraph": 7,
    "subparagraph": 8,
}
_NUMBERED = ("chapter", "section", "subsection", "subsubsection")
_TOKEN = re.compile(
    r"\\begin\s*\{([^{}]{1,40})\}|\\(part|chapter|section|subsection|subsubsection|paragraph|subparagraph)(?![a-zA-Z])(\*?)"
    r"|(\\item(?![a-zA-Z]))|(\n[ \t]*\n|\\par(?![a-zA-Z])|\\newpage|\\clearpage)|(\\\[|\$\$)"
    r"|\\(caption|captionof|bibitem|input|include|subfile|appendix|label|title|author|date|abstract)(?![a-zA-Z])(\*?)|"
    f"{MARK}(\\d+){MARK}"
)
_FORMULAS = (
    "equation",
    "align",
    "gather",
    "multline",
    "eqnarray",
    "displaymath",
    "math",
    "flalign",
    "alignat",
    "dmath",
)
_LISTS = ("itemize", "enumerate", "description", "compactitem", "compactenum", "inparaenum", "enumitem", "tasks")
_FLOATS = {
    "figure": "Figure",
    "table": "Table",
    "wrapfigure": "Figure",
    "wraptable": "Table",
    "sidewaystable": "Table",
    "longtable": "Table",
    "sidewaysfigure": "Figure",
    "algorithm": "Algorithm",
    "listing": "Listing",
}
_DRAWN = ("tikzpicture", "pgfpicture", "picture", "axis", "forest", "circuitikz", "asy", "pspicture")
_STATED = ("theorem", "lemma", "proof", "definition", "corollary", "proposition", "remark", "example", "claim")
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_DEEPEST = 25


def read(data: bytes) -> FlowContent:
    """Return the blocks of a file. Raises NoText."""
    if not data.strip():
        raise NoText("it is empty: copy or download it again", "empty")
    text, warnings = text_of(data)
    text, verbatim = without_verbatim(text)
    text = with_macros(without_comments(text))
    start = text.find("\\begin{document}")
    end = text.find("\\end{document}")
    body = text[start + len("\\begin{document}") : end if end > start else len(text)] if start >= 0 else text
    walk = _Walk(verbatim)
    front = list(walk.front(text))
    walk.blocks += front
    walk.go(body, 0)
    said = [f"of {name} nothing is in it: the file it stands in is not followed" for name in dict.fromkeys(walk.files)]
    drawn = ["drawings were left out"] if walk.is_drawn else []
    blocks = tuple(walk.resolved())
    unseen = Unseen()
    for one in walk.unseen:
        unseen.hide(one)
    return FlowContent(blocks, walk.title, walk.author, walk.date, (*warnings, *said, *drawn, *unseen.warnings()))


class _Walk:
    """Goes through the text once, in order."""

    def __init__(self, verbatim: list[str]) -> None:
        self.blocks: list[FlowBlock] = []
        self.files: list[str] = []
        self.title = self.author = self.date = ""
        self.is_drawn = False
        self._verbatim = verbatim
        self._words: list[str] = []
        self._lists: list[LatexList] = []
        self._opens_item = ""
        self._labels: dict[str, str] = {}
        self._last = ""
        """The number that a label now stands for."""
        self._counts: dict[str, int] = {}
        self._has_chapters = False
        self._is_appendix = False
        self._inline = Inline()
        self.unseen = self._inline.unseen

    def front(self, text: str) -> Iterator[FlowBlock]:
        """Yield the title, the authors and the date, wherever they are told."""
        self._has_chapters = "\\chapter" in text
        found = {name: self._argument_of(text, name) for name in ("title", "author", "date")}
        self.title, self.author = found["title"], found["author"]
        self.date = "" if "today" in found["date"] else found["date"]
        kinds = {"title": Kind.HEADING, "author": Kind.PARAGRAPH, "date": Kind.PARAGRAPH}
        for name, kind in kinds.items():
            if getattr(self, name):
                yield FlowBlock(kind, getattr(self, name), int(kind == Kind.HEADING))
        yield from (FlowBlock(Kind.FOOTNOTE, note) for note in self._inline.notes if note)
        self._inline.notes.clear()

    def _argument_of(self, text: str, name: str) -> str:
        parts: list[str] = []
        for match in re.finditer(rf"\\{name}(?![a-zA-Z])", text):
            _, at = optional(text, match.end())
            if text[at : at + 1] == "{":
                parts.append(self._inline.text(group(text, at)[0]))
        return ", ".join(filter(None, parts[:200] if name == "author" else parts[:1]))

    def resolved(self) -> Iterator[FlowBlock]:
        """Yield the blocks with the numbers of what they refer to."""
        pattern = re.compile(f"{REFERENCE}([^{REFERENCE}]*){REFERENCE}")

        def number(match: re.Match[str]) -> str:
            return ", ".join(self._labels.get(one.strip(), one.strip()) for one in match[1].split(","))

        for block in self.blocks:
            yield replace(block, text=pattern.sub(number, block.text)) if REFERENCE in block.text else block

    def go(self, text: str, depth: int) -> None:
        """Read a piece of the text."""
        at = 0
        while True:
            match = _TOKEN.search(text, at)
            if match is None:
                break
            self._words.append(text[at : match.start()])
            at = self._token(match, text, depth)
        self._words.append(text[at:])
        self._flush()

    def _token(self, match: re.Match[str], text: str, depth: int) -> int:
        """Read what a token begins and return where the text goes on."""
        begun, section, starred, item, gap, display, command, _, kept = match.groups()
        at = match.end()
        if begun:
            return self._environment(begun.strip(), text, at, depth)
        if section:
            return self._section(section, bool(starred), text, at)
        if item:
            return self._item(text, at)
        if gap or kept is not None:
            self._flush()
            if kept is not None and int(kept) < len(self._verbatim):
                self._add(Kind.CODE, self._verbatim[int(kept)])
        elif display:
            end = text.find("\\]" if display == "\\[" else "$$", at)
            end = end if end >= 0 else len(text)
            self._flush()
            self._formula(text[at:end])
            return min(end + 2, len(text))
        else:
            return self._command(command, text, at)
        return at

    def _command(self, name: str, text: str, at: int) -> int:
        if name == "appendix":
            self._flush()
            self._is_appendix = True
            self._counts = {kind: count for kind, count in self._counts.items() if kind not in _NUMBERED}
            return at
        if name == "captionof":
            _, at = group(text, at)
        held, end = group(text, after_optional(text, at))
        if name == "label":
            self._labels[held.strip()] = self._last
        elif name in ("caption", "captionof"):
            self._flush()
            self._add(Kind.CAPTION, self._inline.text(held))
            self._notes()
        elif name == "bibitem":
            self._flush()
            self._opens_item = f"[{held.strip()}]"
        elif name in ("input", "include", "subfile"):
            self.files.append(held.strip()[:100])
        return end

    def _section(self, name: str, starred: bool, text: str, at: int) -> int:  # noqa: FBT001
        self._flush()
        held, end = group(text, after_optional(text, at))
        number = "" if starred else self._number(name)
        self._last = number or self._last
        title = self._inline.text(held)
        if title:
            self._add(Kind.HEADING, f"{number} {title}".strip(), _LEVELS[name])
        self._notes()
        return end

    def _number(self, name: str) -> str:
        """Return the printed number of the next section of a level; "" for levels that have none."""
        used = _NUMBERED[:3] if self._has_chapters else _NUMBERED[1:]
        if name not in used:
            return ""
        place = used.index(name)
        self._counts[name] = self._counts.get(name, 0) + 1
        for lower in used[place + 1 :]:
            self._counts[lower] = 0
        numbers = [self._counts.get(one, 0) for one in used[: place + 1]]
        first = chr(ord("A") + min(numbers[0], 26) - 1) if self._is_appendix and numbers[0] else str(numbers[0])
        return ".".join([first, *map(str, numbers[1:])])

    def _item(self, text: str, at: int) -> int:
        self._flush()
        label, end = optional(text, at)
        self._opens_item = "•"
        if self._lists:
            self._lists[-1].number += 1
            if label.strip():
                self._opens_item = self._inline.text(label)
            elif self._lists[-1].kind in NUMBERED_LISTS:
                self._opens_item = self._lists[-1].label()
                self._last = self._opens_item.strip("().")
        return end

    def _environment(self, name: str, text: str, at: int, depth: int) -> int:
        bare = name.rstrip("*")
        body, end = environment(text, at, name)
        if bare in _FORMULAS:
            self._flush()
            if not name.endswith("*") and bare not in ("displaymath", "math"):
                self._last = self._next("Equation")
            self._formula(body)
        elif name in TABLES:
            self._flush()
            if bare == "longtable":
                self._caption_of(body)
            self._table(name, body)
        elif bare in _DRAWN or depth >= _DEEPEST:
            self.is_drawn = True
        else:
            self._flush()
            self._inner(bare, body, depth)
        return end

    def _inner(self, name: str, body: str, depth: int) -> None:
        """Read an environment that holds text."""
        at = after_optional(body, 0)
        if name in _LISTS:
            around = sum(one.kind in NUMBERED_LISTS for one in self._lists)
            self._lists.append(latex_list(name, around, optional(body, 0)[0], body[at:]))
            self.go(body[at:], depth + 1)
            self._lists.pop()
            self._opens_item = ""
        elif name in _FLOATS:
            self._float(name, body[at:], depth)
        elif name in ("abstract", "acks", "acknowledgements", "thebibliography"):
            title = {"abstract": "Abstract", "thebibliography": "References"}.get(name, "Acknowledgements")
            self._add(Kind.HEADING, title, _LEVELS["section"])
            self._lists += [LatexList("itemize")] if name == "thebibliography" else []
            self.go(body[group(body, at)[1] if name == "thebibliography" else at :], depth + 1)
            self._lists = self._lists[:-1] if name == "thebibliography" else self._lists
        else:
            if name in _STATED:
                title = self._inline.text(optional(body, 0)[0])
                self._words.append(f"{name.capitalize()}{f' ({title})' if title else ''}. ")
            if name in ("minipage", "subfigure", "subtable", "adjustbox", "multicols", "spacing", "tabbing"):
                at = group(body, at)[1] if body[at : at + 1] == "{" else at
            self.go(body[at:], depth + 1)

    def _float(self, name: str, body: str, depth: int) -> None:
        if body.lstrip().startswith("{"):  # how a figure that text runs around stands
            body = body[group(body, 0)[1] :]
        before = len(self.blocks)
        is_captioned = re.search(r"\\caption(?:of\s*\{\w+\})?(?![a-zA-Z])", body) is not None
        number = self._next(_FLOATS[name]) if is_captioned else ""
        self._last = number or self._last
        lists, self._lists = self._lists, []
        self.go(body, depth + 1)
        self._lists = lists
        for label in _LABEL.findall(body):
            self._labels.setdefault(label.strip(), number)
        captions = [at for at in range(before, len(self.blocks)) if self.blocks[at].kind == Kind.CAPTION]
        for at in captions[-1:] if number else ():
            self.blocks[at] = replace(self.blocks[at], text=f"{_FLOATS[name]} {number}: {self.blocks[at].text}")

    def _caption_of(self, body: str) -> None:
        match = re.search(r"\\caption(?![a-zA-Z])", body)
        if match:
            self._last = self._next("Table")
            held, _ = group(body, after_optional(body, match.end()))
            self._add(Kind.CAPTION, f"Table {self._last}: {self._inline.text(held)}")

    def _next(self, kind: str) -> str:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return str(self._counts[kind])

    def _formula(self, body: str) -> None:
        for label in _LABEL.findall(body):
            self._labels[label.strip()] = self._last
        for line in re.split(r"\\\\(?:\[[^\]]*\])?", body):
            text = formula(line)
            if any(letter.isalnum() for letter in text):
                self._add(Kind.FORMULA, text)

    def _table(self, name: str, body: str) -> None:
        if name == "longtable":
            body = re.sub(
                r"\\caption\s*(?:\[[^\]]*\])?\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}\s*(?:\\label\{[^{}]*\})?", "", body
            )
        grid = grid_of(name, body, self._inline.text)
        text = grid.text()
        if grid.width == 1:  # a box for lines
            for cell in grid.cells:
                self._add(Kind.PARAGRAPH, cell.text)
        elif text.strip():
            self.blocks.append(FlowBlock(Kind.TABLE, text, grid=grid))
        self._notes()

    def _flush(self) -> None:
        """Take the words that have come in as a paragraph or an item of a list."""
        source = "".join(self._words)
        self._words.clear()
        if not source.strip():
            return
        text = self._inline.text(source)
        if any(letter.isalnum() for letter in text):
            label, self._opens_item = self._opens_item, ""
            if label:
                shown = collapse_whitespace(f"{'' if label == '•' else label} {text}")
                self._add(Kind.LIST_ITEM, shown, max(len(self._lists), 1))
            else:
                self._add(Kind.PARAGRAPH, text)
        self._notes()

    def _notes(self) -> None:
        for note in self._inline.notes:
            self._add(Kind.FOOTNOTE, note)
        self._inline.notes.clear()

    def _add(self, kind: Kind, text: str, level: int = 0) -> None:
        if text.strip():
            self.blocks.append(FlowBlock(kind, text, level))
