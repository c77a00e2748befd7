"""Articles from JSON lines: an object on each line, with a title and a text, or a title and sections."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, cast

from octavo_documents.errors import SourceError
from octavo_documents.parsing.articles import ARTICLE_BYTES, Article, Skipped, Stream, tidy_title

TITLES = ("title", "name", "id", "_id", "docid")
"""Fields that name an article, the first that says something."""
TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "wikitext": "wikitext",
        "html": "html",
        "markdown": "markdown",
        "text": "plain",
        "contents": "plain",
        "content": "plain",
        "body": "plain",
    }
)
"""Fields that hold an article's text, the first that says something, and the module that reads it."""
_FORMATS = frozenset(TEXTS.values())
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_GUESSED = "not UTF-8: read as Windows-1252"


def articles(stream: Stream) -> Iterator[Article | Skipped]:
    """Yield the article of each line. Raises SourceError as `Container.articles` does."""
    for number, line in enumerate(_lines(stream), 1):
        where = f"line {number}"
        if line is None:
            yield Skipped("too_large", where)
        elif line.strip():
            yield _article(line, where)


def _lines(stream: Stream) -> Iterator[bytes | None]:
    held: list[bytes] = []
    size = 0
    for chunk in _unmarked(stream):
        first, *more = chunk.split(b"\n")
        size += len(first)
        if size <= ARTICLE_BYTES:
            held.append(first)
        if more:
            yield b"".join(held) if size <= ARTICLE_BYTES else None
            yield from more[:-1]
            held, size = [more[-1]], len(more[-1])
    if size:
        yield b"".join(held) if size <= ARTICLE_BYTES else None


def _unmarked(stream: Stream) -> Iterator[bytes]:
    """Yield the chunks without a byte order mark."""
    chunks = stream.chunks()
    first = next(chunks, b"")
    if first.startswith(_WIDE):
        raise SourceError("format", f"{stream.path} is UTF-16: JSON lines are UTF-8; write it anew")
    yield first.removeprefix(codecs.BOM_UTF8)
    yield from chunks


def _article(line: bytes, where: str) -> Article | Skipped:
    try:
        text, remark = line.decode("utf-8"), ""
    except UnicodeDecodeError:
        text, remark = line.decode("cp1252", "replace"), _GUESSED
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return Skipped("no_object", where)
    if not isinstance(fields, dict):
        return Skipped("no_object", where)
    return _of_fields(cast("dict[str, Any]", fields), where, remark)


def _of_fields(fields: dict[str, Any], where: str, remark: str) -> Article | Skipped:
    named = (tidy_title(str(fields[name])) for name in TITLES if isinstance(fields.get(name), str | int))
    title = next(filter(None, named), "")
    sections = fields.get("sections")
    if isinstance(sections, list) and sections:
        data = json.dumps(sections, ensure_ascii=False, separators=(",", ":"))
        return Article(title, "articles.sections", data.encode("utf-8", "replace"), where, remark)
    found = text_of(fields)
    if found is None:
        return Skipped("empty" if TEXTS.keys() & fields.keys() else "no_text", title or where)
    return Article(title, found[0], found[1].encode("utf-8", "replace"), where, remark)


def text_of(fields: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the format of an object's text and the text, None without any.

    A field `format` (`plain`, `markdown`, `html`, `wikitext`) says what a text is whose own field does not.
    """
    for name, usual in TEXTS.items():
        text = fields.get(name)
        if isinstance(text, str) and text.strip():
            said = fields.get("format")
            return (said if usual == "plain" and said in _FORMATS else usual), text
    return None
