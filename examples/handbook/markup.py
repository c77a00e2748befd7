"""Reads the handbook's text files into blocks. Owns the block markup; inline markup is left for `inline`.

A blank line ends a paragraph. `# Title {key}` is a heading (`#A` an appendix, `#!` without number, `#2` set in two
columns); `- ` and `1. ` are list items, indented ones nested; `: term | text` is a definition; `!table`, `!figure`,
`!code`, `!formula` open a block of their own, closed by `!end`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from .blocks import Block, Code, Command, Definition, Figure, Formula, Grid, Heading, Item, Prose

HEADING = re.compile(r"^(?P<marks>#+)(?P<style>[A!2]?) (?P<title>.+?)(?: \{(?P<key>[\w:-]+)\})?$")
ITEM = re.compile(r"^(?P<indent> *)(?P<marker>-|\d+\.|[a-z]\)) (?P<text>.+)$")
ROLES = {">": "quote", "%": "warning", "^": "lead", "=": "centred"}
HEADING_STYLES = {"": "numbered", "2": "numbered", "A": "appendix", "!": "bare"}


def read_blocks(folder: Path) -> list[Block]:
    """Return the blocks of all `*.txt` files of a folder, in the order of their names."""
    blocks: list[Block] = []
    for path in sorted(folder.glob("*.txt")):
        blocks.extend(parse(path.read_text(encoding="utf-8")))
    return blocks


def parse(text: str) -> Iterator[Block]:
    """Yield the blocks of one file."""
    lines = iter([*text.splitlines(), ""])
    prose: list[str] = []
    for line in lines:
        special = _special(line, lines)
        if line.strip() and special is None:
            prose.append(line)
            continue
        if prose:
            yield _flow(prose)
            prose = []
        if special is not None:
            yield special


def _special(line: str, lines: Iterator[str]) -> Block | None:
    if match := HEADING.match(line):
        style = match["style"]
        return Heading(
            match["title"],
            len(match["marks"]),
            HEADING_STYLES[style],
            match["key"] or "sec:" + re.sub(r"\W+", "-", match["title"].lower()),
            2 if style == "2" else 1,
        )
    if line.startswith("!"):
        return _directive(line, lines)
    return None


def _flow(lines: list[str]) -> Block:
    """Turn the lines between two blank lines into a list item, a definition or a paragraph."""
    if match := ITEM.match(lines[0]):
        text = " ".join([match["text"], *(line.strip() for line in lines[1:])])
        return Item(text, "\u2022" if match["marker"] == "-" else match["marker"], 1 if match["indent"] else 0)
    text = " ".join(line.strip() for line in lines)
    if text.startswith(": "):
        term, _, meaning = text[2:].partition(" | ")
        return Definition(term, meaning)
    role = ROLES.get(text[0])
    return Prose(text[2:], role) if role and text[1] == " " else Prose(text)


def _directive(line: str, lines: Iterator[str]) -> Block:
    head, _, caption = line[1:].partition(" | ")
    name, *words = head.split()
    if name == "figure":
        return Figure(words[0], words[1], caption)
    if name in ("table", "code", "formula"):
        body = _until_end(lines)
        return _table(words, caption, body) if name == "table" else _verbatim(name, words, body)
    return Command(name)


def _verbatim(name: str, words: list[str], body: list[str]) -> Block:
    return Code(tuple(body)) if name == "code" else Formula(words[0], " ".join(body))


def _until_end(lines: Iterator[str]) -> list[str]:
    body: list[str] = []
    for line in lines:
        if line == "!end":
            return body
        body.append(line)
    raise ValueError("a block is not closed: add the line !end")


def _table(words: list[str], caption: str, body: list[str]) -> Grid:
    key, look, columns = words
    header, *rows = (tuple(cell.strip() for cell in row.split("|")) for row in body if row.strip())
    if bad := [row for row in rows if len(row) != len(header)]:
        raise ValueError(f"table {key}: this row has not {len(header)} cells: {bad[0]}")
    widths = tuple((column[0], float(column[1:])) for column in columns.split(","))
    return Grid(key, look, widths, caption, header, tuple(rows))
