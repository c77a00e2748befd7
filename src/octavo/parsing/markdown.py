"""Markdown (CommonMark with tables) to blocks.

Owns the reading of its tokens, which markdown-it-py makes. HTML inside Markdown is read as HTML is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from octavo.document import Kind
from octavo.parsing.flow import FlowBlock, FlowContent, table, text_of, tidy

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^(title|author|date)\s*:\s*[\"']?(.*?)[\"']?\s*$", re.MULTILINE | re.IGNORECASE)


def read(data: bytes) -> FlowContent:
    """Return the blocks of a Markdown file. Raises NoText."""
    text, warnings = text_of(data)
    front = _FRONT.match(text)
    fields = {name.lower(): value for name, value in _FIELD.findall(front[1])} if front else {}
    tokens = _parser().parse(text[front.end() :] if front else text)
    return FlowContent(
        tuple(_Reader(tokens).blocks()),
        title=fields.get("title", ""),
        author=fields.get("author", ""),
        created=fields.get("date", ""),
        warnings=warnings,
    )


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 40}).enable("table")
    # Addresses are not shown: taking them apart and putting them right costs a third of the time.
    parser.normalizeLink = _as_written
    parser.validateLink = _is_taken
    return parser


def _as_written(url: str) -> str:
    return url


def _is_taken(url: str) -> bool:
    del url
    return True


class _Reader:
    """Walks the tokens once, in order."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._opens_item = False

    def blocks(self) -> Iterator[FlowBlock]:
        while self._at < len(self._tokens):
            token = self._tokens[self._at]
            self._at += 1
            if token.type == "heading_open":
                yield from self._heading(int(token.tag[1:]))
            elif token.type == "table_open":
                yield from self._table()
            elif token.type in ("fence", "code_block"):
                yield from self._plain(Kind.CODE, token.content.strip("\n"))
            elif token.type == "html_block":
                yield from _html(token.content)
            elif token.type == "inline":
                yield from self._running(token)
            else:
                self._nest(token)

    def _nest(self, token: Token) -> None:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self._depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._depth -= 1
        elif token.type == "list_item_open":
            self._opens_item = True

    def _heading(self, level: int) -> Iterator[FlowBlock]:
        text = _text(self._tokens[self._at])
        self._at += 2
        if text:
            yield FlowBlock(Kind.HEADING, text, level)

    def _running(self, token: Token) -> Iterator[FlowBlock]:
        """Yield a paragraph or the first paragraph of a list item, and the pictures in it as figures."""
        text = _text(token)
        is_item = self._depth > 0 and self._opens_item
        self._opens_item = False
        children = token.children or []
        pictures = [child for child in children if child.type == "image"]
        if pictures and text == tidy(" ".join(_alternative(one) for one in pictures)):
            yield from (FlowBlock(Kind.FIGURE, _alternative(one)) for one in pictures)
            return
        kind = Kind.LIST_ITEM if is_item else Kind.PARAGRAPH
        yield from self._plain(kind, text, self._depth if is_item else 0, bold=_is_bold(children))

    def _plain(self, kind: Kind, text: str, level: int = 0, *, bold: bool = False) -> Iterator[FlowBlock]:
        if text.strip():
            yield FlowBlock(kind, text, level, bold=bold)

    def _table(self) -> Iterator[FlowBlock]:
        rows: list[list[str]] = []
        headers = 0
        while self._tokens[self._at].type != "table_close":
            token = self._tokens[self._at]
            self._at += 1
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(_text(token))
            elif token.type == "thead_close":
                headers = len(rows)
        self._at += 1
        found = table(rows, headers)
        if found:
            yield found


def _html(content: str) -> Iterator[FlowBlock]:
    from octavo.parsing import html

    yield from html.blocks_of(content)


def _text(token: Token) -> str:
    """Return the words of a run of inline tokens, without their marks."""
    parts: list[str] = []
    for child in token.children or []:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type == "image":
            parts.append(_alternative(child))
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
    return tidy("".join(parts))


def _alternative(image: Token) -> str:
    return tidy(image.content)


def _is_bold(children: Sequence[Token]) -> bool:
    """Tell a paragraph that is one bold run: some write headings so."""
    shown = [child for child in children if child.type != "text" or child.content.strip()]
    return len(shown) > 2 and shown[0].type == "strong_open" and shown[-1].type == "strong_close"
