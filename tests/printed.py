"""Pages as a parser would hand them over, set from plain descriptions: for tests of structuring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from octavo_documents.document import Document, Kind
from octavo_documents.parsing.content import Graphic, OutlineEntry, PageContent, SourceContent, Span, TextLine
from octavo_documents.structuring import structure

WIDTH, HEIGHT = 612.0, 792.0
GLYPH = 0.5
LEADING = 1.2


def line(
    text: str,
    x: float = 72.0,
    y: float = 100.0,
    *,
    size: float = 10.0,
    bold: bool = False,
    italic: bool = False,
    mono: bool = False,
    color: int = 0,
    width: float | None = None,
    angle: int = 0,
) -> TextLine:
    """One line whose box starts at (x, y); its width follows from its letters unless given."""
    box = (x, y, x + (width if width is not None else GLYPH * size * len(text)), y + size)
    span = Span(0, len(text), box, "Body", size, bold, italic, color, mono)
    return TextLine(text, box, (span,), angle=angle)


def text(words: str, x: float, y: float, width: float, *, size: float = 10.0, **look: bool) -> list[TextLine]:
    """A justified paragraph: words set in lines of `width`, all but the last as wide as that."""
    most = int(width / (GLYPH * size))
    rows: list[str] = [""]
    for word in words.split():
        if rows[-1] and len(rows[-1]) + 1 + len(word) > most:
            rows.append("")
        rows[-1] = f"{rows[-1]} {word}".strip()
    last = len(rows) - 1
    return [
        line(row, x, y + LEADING * size * at, size=size, width=None if at == last else width, **look)
        for at, row in enumerate(rows)
    ]


def page(
    lines: Iterable[TextLine],
    number: int = 1,
    *,
    width: float = WIDTH,
    height: float = HEIGHT,
    graphics: Sequence[Graphic] = (),
) -> PageContent:
    return PageContent(number, str(number), width, height, tuple(lines), tuple(graphics))


def content(*pages: PageContent, outline: Sequence[OutlineEntry] = (), title: str = "") -> SourceContent:
    return SourceContent(tuple(pages), tuple(outline), title)


def structured(*pages: PageContent, outline: Sequence[OutlineEntry] = ()) -> Document:
    """The document of these pages, checked."""
    document = structure(content(*pages, outline=outline), name="printed.pdf", digest="0" * 64)
    document.check()
    return document


def rows(document: Document, *kinds: Kind) -> list[str]:
    """Texts of the blocks of some kinds, all when none is named."""
    blocks = document.blocks
    return [blocks.text[row] for row in range(len(blocks)) if not kinds or blocks.kind_of(row) in kinds]


def outline(document: Document) -> list[tuple[int, str]]:
    """(level, title) of the headings in order."""
    return [(int(document.blocks.level[row]), document.blocks.text[row]) for row in document.blocks.headings()]


def prose(count: int, *, seed: str = "word") -> str:
    """`count` distinct words."""
    return " ".join(f"{seed}{chr(97 + at // 26 % 26)}{chr(97 + at % 26)}" for at in range(count))
