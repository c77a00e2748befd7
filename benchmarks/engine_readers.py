# pyright: reportMissingImports=false, reportMissingTypeStubs=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportAttributeAccessIssue=false
# pyright: reportUnknownParameterType=false, reportUnknownLambdaType=false
"""How each PDF library is asked for the words of a file, with boxes and fonts, for `engines.py`.

Owns one reader per library and the one shape all are brought to. Knows nothing about measures. No library but
Octavo's own is a dependency; those that are not installed are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the top left of the page."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word as the library gives it. What the library does not tell is None; `color` is 0xRRGGBB."""

    text: str
    box: Box | None = None
    size: float | None = None
    bold: bool | None = None
    color: int | None = None


Pages = list[list[Word]]


@dataclass(frozen=True, slots=True)
class Engine:
    """A library: its package on PyPI, the rasteriser or parser it stands on, and its reader.

    `read` does the library's work and takes what a parser needs out of it; only that is timed. `words` brings the
    result to pages of words. `graphics` reads vector paths, pictures and links besides, where the library has them.
    """

    package: str
    family: str
    read: Callable[[Path], Any]
    words: Callable[[Any], Pages]
    graphics: Callable[[Path], Any] | None = None


def _color(parts: Sequence[float] | float | None) -> int | None:
    if parts is None:
        return None
    values = [float(parts)] if isinstance(parts, (int, float)) else [float(part) for part in parts]
    if len(values) == 1:
        values *= 3
    if len(values) == 4:
        values = [(1 - value) * (1 - values[3]) for value in values[:3]]
    if len(values) != 3:
        return None
    red, green, blue = (min(255, max(0, round(255 * value))) for value in values)
    return red << 16 | green << 8 | blue


def _is_bold(font: str) -> bool:
    return bool(re.search(r"bold|black|heavy|demi|medi\b|cmbx|-b$", font, re.IGNORECASE))


# --- PDFium, as Octavo uses it and as it is ---------------------------------------------------------------------


def _read_octavo(path: Path) -> Any:
    from octavo_documents.parsing.pdf import extract

    return extract(path, ocr="never")


def _words_octavo(content: Any) -> Pages:
    return [[word for line in page.lines for word in _line_words(line)] for page in content.pages]


def _line_words(line: Any) -> Iterator[Word]:
    for match in re.finditer(r"\S+", line.text):
        spans = [span for span in line.spans if span.start < match.end() and span.stop > match.start()]
        if spans:
            yield Word(match.group(), None, spans[0].size, spans[0].bold, spans[0].color)


def _read_pdfium(path: Path) -> Any:
    import ctypes

    import pypdfium2
    import pypdfium2.raw as raw

    document = pypdfium2.PdfDocument(path)
    pages: list[tuple[Any, list[tuple[int, Box]]]] = []
    for page in document:
        text = page.get_textpage()
        found: list[tuple[int, Box]] = []
        rectangle = raw.FS_RECTF()
        for index in range(text.count_chars()):
            raw.FPDFText_GetLooseCharBox(text, index, ctypes.byref(rectangle))
            box = (rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
            found.append((raw.FPDFText_GetUnicode(text, index), box))
        pages.append((page.get_cropbox(), found))
    return pages


def _words_pdfium(read: Any) -> Pages:
    return [list(_gathered(characters, frame)) for frame, characters in read]


# PDFium marks a hyphen at the end of a line by 2 or 0xFFFE, with no space after it.
_BREAKS = frozenset((2, 9, 10, 13, 32, 160, 0xFFFE))


def _gathered(characters: list[tuple[int, Box]], frame: Box) -> Iterator[Word]:
    text, boxes = "", list[Box]()
    for code, box in [*characters, (32, (0.0, 0.0, 0.0, 0.0))]:
        if code not in _BREAKS:
            text += chr(code) if code < 0x110000 else ""
            boxes.append(box)
        elif boxes:
            yield Word(text, _flipped(_hull(boxes), frame))
            text, boxes = "", []


def _hull(boxes: list[Box]) -> Box:
    return min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)


def _flipped(box: Box, frame: Sequence[float]) -> Box:
    return box[0] - frame[0], frame[3] - box[3], box[2] - frame[0], frame[3] - box[1]


def _read_liteparse(path: Path) -> Any:
    from liteparse import LiteParse

    parser = LiteParse(ocr_enabled=False, emit_word_boxes=True, extract_text_metadata=True, quiet=True)
    return [
        [
            (
                item.font_size,
                (item.font_weight or 0) >= 600 or _is_bold(item.font_name or ""),
                item.fill_color,
                [(word.text, word.x, word.y, word.width, word.height) for word in item.words],
            )
            for item in page.text_items
        ]
        for page in parser.parse(path).pages
    ]


def _words_liteparse(read: Any) -> Pages:
    return [
        [
            Word(text, (x, y, x + width, y + height), size, bold, int(color[-6:], 16) if color else None)
            for size, bold, color, words in page
            for text, x, y, width, height in words
        ]
        for page in read
    ]


def _graphics_liteparse(path: Path) -> Any:
    from liteparse import LiteParse

    parser = LiteParse(
        ocr_enabled=False,
        extract_text_metadata=True,
        extract_vector_graphics=True,
        extract_annotations=True,
        emit_word_boxes=True,
        quiet=True,
    )
    return [(page.vector_graphics, page.annotations, page.text_items) for page in parser.parse(path).pages]


# --- libraries in Rust ------------------------------------------------------------------------------------------


def _oxide(path: Path) -> Any:
    import pdf_oxide

    return pdf_oxide.PdfDocument(str(path))


def _frame(document: Any, page: int) -> Sequence[float]:
    return document.page_crop_box(page) or document.page_media_box(page)


def _read_oxide(path: Path) -> Any:
    document = _oxide(path)
    return [
        (
            _frame(document, page),
            [
                (word.text, word.bbox, word.font_size, word.is_bold, word.font_name, word.is_italic, None)
                for word in document.extract_words(page)
            ],
        )
        for page in range(document.page_count())
    ]


def _read_oxide_spans(path: Path, order: str | None = None) -> Any:
    document = _oxide(path)
    return [
        (_frame(document, page), [_span(span) for span in document.extract_spans(page, reading_order=order)])
        for page in range(document.page_count())
    ]


def _span(span: Any) -> tuple[Any, ...]:
    return span.text, span.bbox, span.font_size, span.is_bold, span.font_name, span.is_italic, span.color


def _words_oxide(read: Any) -> Pages:
    pages: Pages = []
    for frame, spans in read:
        words: list[Word] = []
        end: Box | None = None
        for text, (x, y, width, height), size, bold, _, _, color in spans:
            box = _flipped((x, y, x + width, y + height), frame)
            exact = box if color is None else None  # of a span only the whole box is known
            words.extend(Word(part, exact, size, bold, _color(color)) for part in text.split())
            is_joined = end is not None and _touches(end, box, size) and not text[:1].isspace()
            if is_joined and len(words) >= 2 and color is not None and text.strip():
                _join(words, len(text.split()))
            end = None if text[-1:].isspace() else box
        pages.append(words)
    return pages


def _touches(end: Box, box: Box, size: float) -> bool:
    return abs(end[3] - box[3]) < 0.5 * size and -0.1 * size < box[0] - end[2] < 0.12 * size


def _join(words: list[Word], added: int) -> None:
    """Make one word of the last before `added` new ones and the first of these: a font changed inside the word."""
    at = len(words) - added
    if at < 1:
        return
    a, b = words[at - 1], words[at]
    words[at - 1 : at + 1] = [Word(a.text + b.text, None, a.size, a.bold, a.color)]


def _graphics_oxide(path: Path) -> Any:
    document = _oxide(path)
    document.get_outline()
    document.page_labels()
    return [
        (
            [_span(span) for span in document.extract_spans(page)],
            document.extract_paths(page),
            document.extract_images(page),
            document.get_annotations(page),
        )
        for page in range(document.page_count())
    ]


def _read_inspector(path: Path) -> Any:
    import pdf_inspector

    items = pdf_inspector.extract_text_with_positions(str(path))
    return [
        (
            item.page,
            item.text,
            (item.x, item.y, item.width, item.height),
            item.font_size,
            item.is_bold,
            item.fill_color,
        )
        for item in items
    ]


def _words_inspector(read: Any) -> Pages:
    pages: Pages = [[] for _ in range(max((row[0] for row in read), default=0))]
    for page, text, _, size, bold, color in read:
        shade = _color([value / 255 for value in color]) if color else None
        pages[page - 1].extend(Word(part, None, size, bold, shade) for part in text.split())
    return pages


# --- libraries in Python ----------------------------------------------------------------------------------------


def _read_pypdf(path: Path) -> Any:
    from pypdf import PdfReader

    return [page.extract_text() for page in PdfReader(path).pages]


def _words_text(read: Any) -> Pages:
    return [[Word(text) for text in page.split()] for page in read]


def _read_plumber(path: Path) -> Any:
    import pdfplumber

    attributes = ["fontname", "size", "non_stroking_color"]
    with pdfplumber.open(path) as document:
        return [page.extract_words(extra_attrs=attributes, x_tolerance_ratio=0.15) for page in document.pages]


def _words_plumber(read: Any) -> Pages:
    return [
        [
            Word(
                word["text"],
                (word["x0"], word["top"], word["x1"], word["bottom"]),
                word["size"],
                _is_bold(word["fontname"]),
                _color(word["non_stroking_color"]) if not isinstance(word["non_stroking_color"], str) else None,
            )
            for word in page
        ]
        for page in read
    ]


def _read_miner(path: Path) -> Any:
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LTChar, LTTextContainer, LTTextLine

    pages: list[Any] = []
    for page in extract_pages(path):
        words: list[list[Any]] = []
        for container in (item for item in page if isinstance(item, LTTextContainer)):
            for line in (item for item in container if isinstance(item, LTTextLine)):
                words.append([])
                for character in line:
                    if isinstance(character, LTChar) and not character.get_text().isspace():
                        color = character.graphicstate.ncolor
                        words[-1].append(
                            (character.get_text(), character.bbox, character.size, character.fontname, color)
                        )
                    elif words[-1]:
                        words.append([])
        pages.append(((page.x0, page.y0, page.x1, page.y1), [word for word in words if word]))
    return pages


def _words_miner(read: Any) -> Pages:
    return [
        [
            Word(
                "".join(character[0] for character in word),
                _flipped(_hull([character[1] for character in word]), frame),
                word[0][2],
                _is_bold(word[0][3]),
                _color(word[0][4]) if not isinstance(word[0][4], str) else None,
            )
            for word in words
        ]
        for frame, words in read
    ]


def _read_playa(path: Path) -> Any:
    import playa

    with playa.open(path) as document:
        return [page.extract_text() for page in document.pages]


# --- libraries in C and C++ -------------------------------------------------------------------------------------


def _read_docling(path: Path) -> Any:
    from docling_parse.pdf_parser import DoclingPdfParser

    document = DoclingPdfParser().load(str(path))
    return [document.get_page(number + 1) for number in range(document.number_of_pages())]


def _words_docling(read: Any) -> Pages:
    pages: Pages = []
    for page in read:
        height = page.dimension.height
        words: list[Word] = []
        for cell in page.word_cells:
            box, shade = cell.rect.to_bounding_box(), cell.rgba
            place = (box.l, height - max(box.t, box.b), box.r, height - min(box.t, box.b))
            color = shade.r << 16 | shade.g << 8 | shade.b
            words.append(Word(cell.text, place, None, _is_bold(cell.font_name), color))
        pages.append(words)
    return pages


def _read_mupdf(path: Path) -> Any:
    import pymupdf

    document = pymupdf.open(path)
    return [(page.get_text("words"), page.get_text("dict")["blocks"]) for page in document]


def _words_mupdf(read: Any) -> Pages:
    pages: Pages = []
    for words, blocks in read:
        lines = {(b["number"], row): line for b in blocks for row, line in enumerate(b.get("lines", ()))}
        pages.append([_mupdf_word(word, lines) for word in words])
    return pages


def _mupdf_word(word: Any, lines: dict[tuple[int, int], Any]) -> Word:
    line = lines.get((word[5], word[6]))
    spans = line["spans"] if line else []
    span = next((s for s in spans if s["bbox"][0] - 1 <= word[0] <= s["bbox"][2]), spans[0] if spans else None)
    if span is None:
        return Word(word[4], tuple(word[:4]))
    bold = bool(span["flags"] & 16) or _is_bold(span["font"])
    return Word(word[4], tuple(word[:4]), span["size"], bold, span["color"])


def _graphics_mupdf(path: Path) -> Any:
    import pymupdf

    document = pymupdf.open(path)
    document.get_toc()
    return [
        (page.get_text("dict"), page.get_drawings(), page.get_image_info(), page.get_links(), page.get_label())
        for page in document
    ]


ENGINES: dict[str, Engine] = {
    "octavo": Engine("pypdfium2", "pdfium", _read_octavo, _words_octavo, _read_octavo),
    "pypdfium2": Engine("pypdfium2", "pdfium", _read_pdfium, _words_pdfium),
    "liteparse": Engine("liteparse", "pdfium", _read_liteparse, _words_liteparse, _graphics_liteparse),
    "pdf_oxide spans": Engine("pdf_oxide", "oxide", _read_oxide_spans, _words_oxide, _graphics_oxide),
    "pdf_oxide words": Engine("pdf_oxide", "oxide", _read_oxide, _words_oxide),
    "pdf-inspector": Engine("pdf-inspector", "inspector", _read_inspector, _words_inspector),
    "docling-parse": Engine("docling-parse", "docling", _read_docling, _words_docling),
    "pdfplumber": Engine("pdfplumber", "pdfminer", _read_plumber, _words_plumber),
    "pdfminer.six": Engine("pdfminer.six", "pdfminer", _read_miner, _words_miner),
    "playa": Engine("playa-pdf", "playa", _read_playa, _words_text),
    "pypdf": Engine("pypdf", "pypdf", _read_pypdf, _words_text),
    "PyMuPDF": Engine("pymupdf", "mupdf", _read_mupdf, _words_mupdf, _graphics_mupdf),
}
