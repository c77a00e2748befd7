"""Articles from an export of a MediaWiki site: XML with a page for each, whose last revision is read.

The parser goes over the file once and keeps one page; a document type declaration, and with it every entity of one's
own, is refused.
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from collections.abc import Iterator
from typing import Literal
from xml.parsers import expat

from octavo_documents.errors import SourceError
from octavo_documents.parsing.articles import ARTICLE_BYTES, Article, Skipped, Stream, tidy_title

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([A-Za-z0-9._-]{2,40})["']""")
_TEXTS = frozenset(("title", "ns", "text", "model", "format"))
_WIKITEXT = frozenset(("", "wikitext", "text/x-wiki"))


def articles(stream: Stream) -> Iterator[Article | Skipped]:
    """Yield the article of each page. Raises SourceError as `Container.articles` does."""
    pages = _Pages(stream)
    for text in _decoded(stream):
        pages.feed(_ILLEGAL.sub(" ", text))
        yield from pages.taken()
    pages.end()
    yield from pages.taken()


def _decoded(stream: Stream) -> Iterator[str]:
    """Yield the text; bytes that are of another encoding than most become question marks."""
    decoder: codecs.IncrementalDecoder | None = None
    for chunk in stream.chunks():
        decoder = decoder or codecs.getincrementaldecoder(_encoding(chunk))("replace")
        yield decoder.decode(chunk)
    if decoder is not None:
        yield decoder.decode(b"", final=True)


def _encoding(head: bytes) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    declared = _DECLARED.match(head)
    try:
        name = codecs.lookup(declared[1].decode("ascii")).name if declared else "utf-8"
    except LookupError:
        name = "utf-8"
    return "utf-8-sig" if name in ("utf-8", "ascii") else name


class _Pages:
    def __init__(self, stream: Stream) -> None:
        self._path = stream.path
        self._done: deque[Article | Skipped] = deque()
        self._fields: dict[str, list[str]] = {}
        self._inside = ""
        self._size = self._depth = 0
        self._is_redirect = False
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._text
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, text: str) -> None:
        """Take the next piece of the file. Raises SourceError."""
        self._parse(text, is_last=False)

    def end(self) -> None:
        """Note that the file is at its end. Raises SourceError where it ends too early."""
        self._parse("", is_last=True)

    def taken(self) -> Iterator[Article | Skipped]:
        """Yield the pages that are complete, once."""
        while self._done:
            yield self._done.popleft()

    def _parse(self, text: str, *, is_last: bool) -> None:
        try:
            self._parser.Parse(text, is_last)
        except expat.ExpatError as error:
            line = f"line {error.lineno}"
            raise SourceError(
                "damaged", f"{self._path} is cut off or no XML ({line}): what stands before that was read"
            ) from error

    def _refuse(self, *_: object) -> None:
        raise SourceError("format", f"{self._path} declares a document type of its own, which exports of a wiki do not")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        del attributes
        self._depth += 1
        if self._depth == 1 and name != "mediawiki":
            raise SourceError("format", f"{self._path} is no export of a MediaWiki site: of XML only these are read")
        if name == "page":
            self._fields, self._is_redirect, self._size = {}, False, 0
        elif name == "revision":
            for field in ("text", "model", "format"):
                self._fields.pop(field, None)
            self._size = 0
        elif name == "redirect":
            self._is_redirect = True
        elif name in _TEXTS:
            self._inside = name
            self._fields.setdefault(name, [])

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._inside = ""
        if name == "page":
            self._done.append(self._page())
            self._fields = {}

    def _text(self, text: str) -> None:
        if not self._inside:
            return
        self._size += len(text)
        if self._size <= ARTICLE_BYTES:
            self._fields[self._inside].append(text)

    def _page(self) -> Article | Skipped:
        title = tidy_title(self._field("title"))
        reason = self._reason()
        if reason:
            return Skipped(reason, title)
        return Article(title, "wikitext", self._field("text").encode("utf-8", "replace"), title)

    def _field(self, name: Literal["title", "ns", "text", "model", "format"]) -> str:
        return "".join(self._fields.get(name, ()))

    def _reason(self) -> str:
        """Return why a page is no article, "" when it is one."""
        if self._is_redirect:
            return "redirect"
        if self._field("ns").strip() not in ("", "0"):
            return "namespace"
        if not {self._field("model").strip(), self._field("format").strip()} <= _WIKITEXT:
            return "model"
        if self._size > ARTICLE_BYTES:
            return "too_large"
        return "" if self._field("text").strip() else "empty"
