"""Plain text to blocks: paragraphs between empty lines, items by their marks, headings by how they stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from octavo_documents.document import Kind
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, collapse_whitespace
from octavo_documents.parsing.plain_lines import without_armour, without_running_lines
from octavo_documents.parsing.printed_manuals import Manual, is_manual
from octavo_documents.text.line_joining import Words, joined

_ITEM = re.compile(r"(\s*)(?:[-*•+–]|\(?\d{1,3}[.)]|\(?[a-z][.)]|(?i:step)\s+\d{1,3}[.:)])\s+\S")
_RULE = re.compile(r"\s*([=~^#*_-])\1{2,}\s*")
_NUMBERED = re.compile(
    r"\s*(?:(?:chapter|part|section|appendix|annex|book|article)\s+(?:[\divxlc]+|(?-i:[A-Z]))\b[.:]?"
    r"|\d+(?:\.\d+){0,4}\.?(?=\s+[A-Z])|(?-i:[A-Z](?:\.\d+){1,4}\.?(?=\s+[A-Z])))",
    re.IGNORECASE,
)
"""The number that a heading begins with: "Chapter IV", "Appendix B", "2.1", "A.1"."""
_LONGEST_HEADING = 80
_LEVELS = {"=": 1, "*": 1, "#": 1, "-": 2, "~": 3, "^": 3, "_": 3}
_INDENT = 2
"""Columns of white space for a level of nesting."""


def read(data: bytes) -> FlowContent:
    """Return the blocks of a text file. Raises NoText."""
    text, warnings = text_of(data)
    lines = without_running_lines(without_armour(text.replace("\f", "\n\n").split("\n")))
    groups = [list(group) for is_blank, group in groupby(lines, key=lambda line: not line.strip()) if not is_blank]
    words = Words(map(collapse_whitespace, lines))
    manual = Manual(groups) if is_manual(groups) else None
    return FlowContent(tuple(block for group in groups for block in _blocks(group, words, manual)), warnings=warnings)


def _blocks(lines: list[str], words: Words, manual: Manual | None) -> Iterator[FlowBlock]:
    if manual is not None:
        headings, lines = manual.headings(lines)
        yield from headings
    heading = _heading(lines) if lines and (manual is None or not lines[0][0].isspace()) else None
    if heading:
        yield heading
        lines = lines[2 if len(lines) > 1 and _RULE.fullmatch(lines[1]) else 1 :]
    while lines:
        stop = next((at for at in range(1, len(lines)) if _ITEM.match(lines[at])), len(lines))
        yield from _block(lines[:stop], words)
        lines = lines[stop:]


def _block(lines: list[str], words: Words) -> Iterator[FlowBlock]:
    text = joined([*map(collapse_whitespace, lines)], words)
    if not any(letter.isalnum() for letter in text):
        return
    item = _ITEM.match(lines[0])
    if item:
        yield FlowBlock(Kind.LIST_ITEM, text, 1 + min(len(item[1].expandtabs(4)) // _INDENT, 8) // 2)
    else:
        yield FlowBlock(Kind.PARAGRAPH, text)


def _heading(lines: list[str]) -> FlowBlock | None:
    """Return the heading that a group opens with: an underlined line, or one that stands alone and looks like one."""
    first = lines[0].strip()
    if not first or len(first) > _LONGEST_HEADING or not any(letter.isalpha() for letter in first):
        return None
    underline = _RULE.fullmatch(lines[1]) if len(lines) > 1 else None
    if underline:
        return FlowBlock(Kind.HEADING, collapse_whitespace(first), _LEVELS[underline[1]])
    if first.endswith((".", ",", ";", ":", "!")) or (len(lines) > 1 and not _is_over_indented(lines)):
        return None
    number = _NUMBERED.match(first)
    if number:
        return FlowBlock(Kind.HEADING, collapse_whitespace(first), min(number[0].strip(" .").count(".") + 1, 6))
    return FlowBlock(Kind.HEADING, collapse_whitespace(first), 1) if _is_in_capitals(first) else None


def _is_in_capitals(line: str) -> bool:
    return sum(map(str.isalpha, line)) > 2 and line.upper() == line


def _is_over_indented(lines: list[str]) -> bool:
    """Return whether a line in capitals at the margin stands over indented ones, as manual pages print headings."""
    is_over = _indent(lines[0]) == 0 and _indent(lines[1]) >= _INDENT
    return is_over and _is_in_capitals(lines[0]) and "|" not in lines[0]


def _indent(line: str) -> int:
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip())
