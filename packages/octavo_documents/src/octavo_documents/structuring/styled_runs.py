"""Which words of the blocks of pages look otherwise than the rest of their block, by the spans of their lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from octavo_documents.document.styled_words import StyledWords, packed
from octavo_documents.parsing.content import Span, TextLine
from octavo_documents.structuring.lines import LineLook
from octavo_documents.text.line_joining import Words, joined


def styled(text: str, look: LineLook, lines: Sequence[TextLine], words: Words) -> str:
    """Return the styled words of a block, as the block table has them, given its text, its look and its lines."""
    bold, italic = look.bold, look.italic
    for line in lines:
        for span in line.spans:
            if span.underlined or span.ground >= 0 or span.bold > bold or span.italic > italic:
                return packed(_runs(lines, look, words), text)
    return ""


def _runs(lines: Sequence[TextLine], look: LineLook, words: Words) -> Iterator[StyledWords]:
    """Yield runs of one look, those that go on over the end of a line as one."""
    held: list[str] = []
    before = ("", -1)
    plain = ("", -1)
    for line in lines:
        is_first = True
        for span in line.spans:
            is_plain = not span.underlined and span.ground < 0 and span.bold <= look.bold and span.italic <= look.italic
            if is_plain and not held:
                before, is_first = plain, False
                continue
            text = line.text[span.start : span.stop]
            one = before if text.isspace() else plain if is_plain else _looks(span, look)
            if one != before and held:
                yield StyledWords(before[0], joined(held, words), before[1])
                held = []
            if one[0] and (is_first or not held):
                held.append(text.strip() if is_first else text)
            elif one[0]:
                held[-1] += text
            before, is_first = one, False
        held = [text.strip() for text in held]
    if held:
        yield StyledWords(before[0], joined(held, words), before[1])


def _looks(span: Span, look: LineLook) -> tuple[str, int]:
    """Return the letters of the looks that a span has beyond those of its block, and its ground."""
    letters = (
        ("b", span.bold and not look.bold),
        ("i", span.italic and not look.italic),
        ("u", span.underlined),
        ("h", span.ground >= 0),
    )
    return "".join(letter for letter, is_so in letters if is_so), span.ground
