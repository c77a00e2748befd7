"""Inline markup: emphasis, references, footnotes and soft hyphens. Owns the way from marked text to ReportLab's XML.

`**bold**`, `*italic*`, `` `mono` ``, `_{sub}`, `^{sup}`, `{g:w}` (Symbol), `{ref:key}` (Section 3.2), `{page:key}`
(page iv) and `[^ a footnote ^]`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.sax.saxutils import escape

TOKEN = re.compile(
    r"\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|`(?P<mono>[^`]+)`|\[\^ (?P<note>.+?) \^\]"
    r"|\{(?P<how>ref|page):(?P<target>[\w:-]+)\}|_\{(?P<sub>[^}]+)\}|\^\{(?P<sup>[^}]+)\}|\{g:(?P<greek>\w+)\}"
)
WRAPPERS = {
    "bold": "<b>{}</b>",
    "italic": "<i>{}</i>",
    "mono": '<font name="Courier" size="-1">{}</font>',
    "sub": '<sub rise="2.2" size="7">{}</sub>',
    "sup": '<super rise="3.6" size="7">{}</super>',
}
GREEK = {"w": "\u03c9", "f": "\u03c6", "S": "\u03a3", "D": "\u0394", "h": "\u03b7", "r": "\u03c1", "p": "\u03c0"}
# Footnote numbers stand in `drawn` as private characters, so that they are counted but can be taken out again.
NOTE_DIGIT = 0xE000
SOFT_HYPHEN = "\u00ad"


@dataclass(frozen=True)
class Mark:
    """Something inside a text: `kind` is `footnote` or `reference`; `offset` counts letters (see `letters`)."""

    offset: int
    kind: str
    text: str
    target: str


@dataclass(frozen=True)
class Inline:
    """Marked text made ready: ReportLab's XML, the characters drawn, and the marks in it."""

    xml: str
    drawn: str
    marks: tuple[Mark, ...] = ()

    @property
    def text(self) -> str:
        """The text as read, without the numbers of footnotes."""
        return plain(self.drawn)


@dataclass(frozen=True)
class Resolver:
    """How references read: `refer(how, key)` gives `Section 3.2` or `page iv`, `number_note(text)` a note's number."""

    refer: Callable[[str, str], str]
    number_note: Callable[[str], int]


def letters(text: str) -> str:
    """Drop spaces and hyphens: what stays the same however a paragraph is broken into lines."""
    return re.sub("[\\s\u00a0\u00ad-]", "", text)


def plain(drawn: str) -> str:
    """Drop the private characters that stand for footnote numbers."""
    return re.sub("[\ue000-\ue009]", "", drawn).replace("\u00a0", " ")


def render(source: str, resolver: Resolver) -> Inline:
    """Turn marked text into XML, plain text and marks."""
    xml: list[str] = []
    drawn = ""
    marks: list[Mark] = []
    position = 0
    for match in TOKEN.finditer(source):
        before = source[position : match.start()]
        xml.append(escape(hyphenate(before)))
        drawn += before
        piece_xml, piece, mark = _token(match, resolver, len(letters(drawn)))
        xml.append(piece_xml)
        drawn += piece
        marks.extend([mark] if mark else [])
        position = match.end()
    rest = source[position:]
    return Inline("".join(xml) + escape(hyphenate(rest)), drawn + rest, tuple(marks))


def _token(match: re.Match[str], resolver: Resolver, offset: int) -> tuple[str, str, Mark | None]:
    kind = match.lastgroup or ""
    inner = match[kind]
    if kind == "note":
        number = resolver.number_note(inner)
        digits = "".join(chr(NOTE_DIGIT + int(digit)) for digit in str(number))
        return f'<super rise="3.8" size="7">{number}</super>', digits, Mark(offset, "footnote", inner, str(number))
    if kind == "target":
        text = resolver.refer(match["how"], inner).replace(" ", "\u00a0")
        xml = f'<a href="#{inner}" color="#1b3a57">{text}</a>'
        return xml, text, Mark(offset, "reference", text.replace("\u00a0", " "), inner)
    if kind == "greek":
        return f"<greek>{inner}</greek>", GREEK[inner], None
    inner_xml = escape(inner if kind == "mono" else hyphenate(inner))
    return WRAPPERS[kind].format(inner_xml), inner, None


def hyphenate(text: str) -> str:
    """Put soft hyphens into the words of the handbook's own list."""
    return re.sub(r"[A-Za-z]{7,}", lambda match: _hyphenated(match[0]), text)


def _hyphenated(word: str) -> str:
    pieces = _hyphenations().get(word.lower())
    if pieces is None:
        return word
    result, start = [], 0
    for piece in pieces:
        result.append(word[start : start + len(piece)])
        start += len(piece)
    return SOFT_HYPHEN.join(result)


@cache
def _hyphenations() -> dict[str, list[str]]:
    words = (Path(__file__).parent / "content" / "hyphenation.lst").read_text(encoding="utf-8").split()
    return {word.replace("-", ""): word.split("-") for word in words}
