"""Jupyter notebooks (nbformat 4, and 3): cells of Markdown and of code, and what the code printed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from octavo_documents.document import Kind
from octavo_documents.parsing import html, markdown
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, NoText
from octavo_documents.parsing.html_pictures import file_in_address

_LONGEST_OUTPUT = 20_000
"""Characters of what a cell printed."""
_ESCAPE = "\x1b["


def read(data: bytes) -> FlowContent:
    """Return the blocks of a notebook. Raises NoText."""
    if not data.strip():
        raise NoText("it is empty: copy or download it again", "empty")
    try:
        found: Any = json.loads(text_of(data)[0])
    except (ValueError, RecursionError):
        raise NoText("it is no well-formed JSON", "damaged") from None
    cells = list(_cells(_mapping(found)))
    if not cells and "cells" not in _mapping(found) and "worksheets" not in _mapping(found):
        raise NoText("it is no notebook, whatever its name says")
    meta = _mapping(_mapping(found).get("metadata"))
    authors = [str(_mapping(one).get("name", "")) for one in _list(meta.get("authors"))]
    blocks = [block for cell in cells for block in _cell(cell)]
    return FlowContent(tuple(blocks), str(meta.get("title") or ""), ", ".join(filter(None, authors)))


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _cells(book: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    sheets = [book, *map(_mapping, _list(book.get("worksheets")))]
    for sheet in sheets:
        yield from (_mapping(cell) for cell in _list(sheet.get("cells")))


def _joined(value: Any) -> str:
    """Return a text that may be kept as a list of its lines."""
    return value if isinstance(value, str) else "".join(one for one in _list(value) if isinstance(one, str))


def _cell(cell: Mapping[str, Any]) -> Iterator[FlowBlock]:
    kind, source = cell.get("cell_type"), _joined(cell.get("source", cell.get("input", "")))
    if kind == "markdown":
        yield from markdown.read(source.encode("utf-8", "replace")).blocks
    elif kind == "heading":
        level = cell.get("level", 1)
        yield FlowBlock(Kind.HEADING, source.strip() or "?", level if isinstance(level, int) and 0 < level < 7 else 1)
    elif kind == "code":
        if source.strip():
            yield FlowBlock(Kind.CODE, source.strip("\n"))
        for output in _list(cell.get("outputs")):
            yield from _output(_mapping(output))
    elif source.strip():
        yield FlowBlock(Kind.PARAGRAPH, source.strip())


def _output(output: Mapping[str, Any]) -> Iterator[FlowBlock]:
    """Yield what a cell printed: tables of HTML as tables, pictures, all else as it stands."""
    data = {**output, **_mapping(output.get("data"))}
    shown = _joined(data.get("text/html", data.get("html", "")))
    if "<table" in shown:
        yield from html.blocks_of(shown)
        return
    marked = _joined(data.get("text/markdown", ""))
    if marked:
        yield from markdown.read(marked.encode("utf-8", "replace")).blocks
        return
    text = _joined(data.get("text/plain", data.get("text", "")))
    if output.get("output_type") in ("error", "pyerr"):
        text = f"{data.get('ename', '')}: {data.get('evalue', '')}".strip(": ")
    text = _plain(text).strip("\n")[:_LONGEST_OUTPUT]
    for kind in _PICTURES:
        file = file_in_address(f"data:{kind};base64,{_joined(data.get(kind, ''))}")
        if file is not None:
            yield FlowBlock(Kind.FIGURE, "", file=file)
            break
    if text.strip():
        yield FlowBlock(Kind.CODE, text)


_PICTURES = ("image/png", "image/jpeg")


def _plain(text: str) -> str:
    """Return what a terminal shows, without codes for colours."""
    if _ESCAPE not in text:
        return text
    first, *rest = text.split(_ESCAPE)
    return first + "".join(part.lstrip("0123456789;?")[1:] for part in rest)
