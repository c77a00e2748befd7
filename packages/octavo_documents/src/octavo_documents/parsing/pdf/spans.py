"""Spans of lines: stretches of one style, raised and struck-out text written as it is told in plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from octavo_documents.parsing.content import SPECIAL, Span, normalise
from octavo_documents.parsing.pdf.fonts import Style
from octavo_documents.text.struck import STRUCK

_SPACES = re.compile("  +")


@dataclass(frozen=True, slots=True)
class Pieces:
    """The spans of all lines: their looks, places in the string of the page, and boxes as displayed."""

    page: str
    looks: list[Style]
    places: list[int]
    boxes: list[list[float]]
    written: dict[int, str]
    """What raised spans are written as."""
    struck: list[bool]
    underlined: list[bool]
    ground: list[int]


def spans_of(pieces: Pieces, first: int, stop: int, end: int) -> list[tuple[str, Span]]:
    """Return the spans of one line with their texts, offsets counted in the normalised text of the line."""
    spans: list[tuple[str, Span]] = []
    offset, after_space = 0, True
    for index in range(first, stop):
        is_last = index + 1 == stop
        text = pieces.page[pieces.places[index] : end if is_last else pieces.places[index + 1]]
        if index in pieces.written:
            text = pieces.written[index] + (" " if text.endswith(" ") else "")
        if SPECIAL.search(text):
            text = _cleaned(text, after_space=after_space, is_last=is_last)
        if pieces.struck[index] and text.strip():
            text = _struck(
                text,
                opens=index == first or not pieces.struck[index - 1],
                closes=is_last or not pieces.struck[index + 1],
            )
        if text:
            spans.append((text, _span(pieces, index, offset, offset + len(text))))
            offset, after_space = offset + len(text), text[-1] == " "
    return spans


def _struck(text: str, *, opens: bool, closes: bool) -> str:
    """Return the text of a struck-out span, with the signs of that where it is the first or last of several."""
    inner = f"{STRUCK if opens else ''}{text.rstrip()}{STRUCK if closes else ''}"
    return inner + " " if text.endswith(" ") else inner


def _cleaned(text: str, *, after_space: bool, is_last: bool) -> str:
    if is_last and text.endswith("\xad"):
        text = text[:-1] + "-"
    text = _SPACES.sub(" ", normalise(text))
    return text.lstrip() if after_space else text


def _span(pieces: Pieces, index: int, start: int, stop: int) -> Span:
    look, (x0, y0, x1, y1) = pieces.looks[index], pieces.boxes[index]
    font = look.font
    return Span(
        start,
        stop,
        (x0, y0, x1, y1),
        font.name,
        look.size,
        font.bold,
        font.italic,
        look.color,
        font.monospace,
        pieces.underlined[index],
        pieces.ground[index],
    )
