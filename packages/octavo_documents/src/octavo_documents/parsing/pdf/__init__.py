"""A PDF file to `SourceContent`: pages of text lines, graphics and links, with OCR where a page has no text layer.

Lines come in the order of the content stream, which is the producer's; the layout step sorts them. On a page read by
OCR they come as the recogniser found them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from octavo_documents.document import number_of
from octavo_documents.errors import SourceError
from octavo_documents.models.ports import LayoutRegion, Raster
from octavo_documents.parsing import DEFAULT_LIMITS, EXTRACT_VERSION, Limits
from octavo_documents.parsing.content import (
    Annotation,
    Box,
    Comment,
    Graphic,
    OutlineEntry,
    PageContent,
    SourceContent,
    TextLine,
    named_pages,
    saved_pages,
)
from octavo_documents.parsing.layout_regions import Detection
from octavo_documents.parsing.page_checks import check_page, check_page_count
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.annotations import read_annotations, read_label, read_outline, read_property
from octavo_documents.parsing.pdf.characters import Characters, UnreadableText
from octavo_documents.parsing.pdf.comments import MARKS, kinds_of, read_comments
from octavo_documents.parsing.pdf.digit_shapes import exchanged_digits
from octavo_documents.parsing.pdf.features import PdfFeatures, features_of
from octavo_documents.parsing.pdf.forms import form_data, named_values, read_fields
from octavo_documents.parsing.pdf.frame import Frame, frame_of
from octavo_documents.parsing.pdf.lines import text_lines
from octavo_documents.parsing.pdf.lying_text import Doubts, doubted, lost_fonts, mixes_scripts
from octavo_documents.parsing.pdf.marked_characters import NO_MARKUP, CharacterMarks, marks_of, text_markup
from octavo_documents.parsing.pdf.page_view import (
    draw_spots,
    page_of,
    read_spots,
    render_index,
    render_page,
    seen_characters,
    words,
)
from octavo_documents.parsing.pdf.pdfium import start
from octavo_documents.parsing.pdf.rebuild import has_end, stated_pages
from octavo_documents.parsing.pdf.unseen_characters import Page
from octavo_documents.parsing.recognition import (
    OcrMode,
    Progress,
    Recognize,
    has_other_ink,
    is_blank,
    is_scan,
    may_be_scan,
    ocr_scale,
    reads_more,
    recognized_page,
    unknown_script,
    with_recognized,
)
from octavo_documents.parsing.scanned_rules import rules_of_scan

__all__ = ["EXTRACT_VERSION", "checked_page_count", "draw_spots", "extract", "read_spots", "render", "start", "words"]

_GLANCE = 0.7
"""Pixels a point at which a page is drawn to see whether there is ink on it."""
_UNKNOWN = Frame(0.0, 0.0, 612.0, 792.0, 0)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What reading one page needs besides the page: the open document and the caller's wishes."""

    document: pdfium.Handle
    limits: Limits
    ocr: OcrMode
    recognize: Recognize | None
    layout: Detection | None
    features: PdfFeatures
    warnings: list[str] = field(default_factory=list[str])
    hidden: dict[int, int] = field(default_factory=dict[int, int])
    """Words that are not seen, by the number of their page."""
    unknown: list[int] = field(default_factory=list[int])
    """Numbers of the pages in a script that OCR does not know."""
    doubts: Doubts = field(default_factory=Doubts)
    lost: list[int] = field(default_factory=list[int])
    """Numbers of the pages that cannot be opened."""
    values: set[str] = field(default_factory=set[str])
    """Of the fields that are shown."""


@dataclass(frozen=True, slots=True)
class _OpenPage:
    number: int
    handle: pdfium.Handle
    seen: Page
    may_mark_text: bool

    @property
    def frame(self) -> Frame:
        return self.seen.frame


def extract(
    path: Path,
    *,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    ocr: OcrMode = "auto",
    recognize: Recognize | None = None,
    layout: Detection | None = None,
    progress: Progress | None = None,
) -> SourceContent:
    """Read a PDF file.

    `ocr` says which pages go to `recognize`: those without a text layer (`auto`), all, or none; without a recogniser
    they stay empty and are marked `is_scanned`. `layout` is asked for the regions of every page. `progress` receives
    (pages done, pages in all). A page that cannot be read is empty and named in `warnings`; `damage` counts them.

    Raises:
        SourceError: the file as a whole cannot be read; `reason` says why.
    """
    with pdfium.opened(path, password=password, limits=limits) as (document, is_rebuilt):
        count = checked_page_count(document, path, limits=limits)
        reading = _Reading(document, limits, ocr, recognize, layout, features_of(path))
        pages: list[PageContent] = []
        frames: list[Frame] = []
        for index in range(count):
            page, frame = _read_page(reading, index)
            pages.append(page)
            frames.append(frame)
            if progress:
                progress(index + 1, count)
        lost = saved_pages(count - len(reading.lost), count)
        damage = _cut_off(path, pages) if is_rebuilt or not has_end(path) else lost
        if is_rebuilt:
            reading.warnings.append("the end of the file is missing")
        if reading.hidden:
            reading.warnings.append(_hidden(reading.hidden))
        if reading.unknown:
            reading.warnings.append(unknown_script(reading.unknown))
        if mixed := [at for at, page in enumerate(pages, 1) if mixes_scripts(page.lines)]:
            reading.warnings.append(_mixed(mixed))
        data = [one for one in form_data(document, most=limits.links_per_page) if one.value not in reading.values]
        if data and pages:
            first = pages[0]
            told = Comment(named_values(data), (0.0, 0.0, first.width, first.height), is_printed=True)
            pages[0] = replace(first, comments=(*first.comments, told))
        if is_rebuilt and not any(map(_shows_anything, pages)):
            raise SourceError("damaged", f"{path} is cut off before its first page; copy or download it again")
        return SourceContent(
            pages=tuple(replace(page, annotations=_pointing(page.annotations, frames)) for page in pages),
            outline=_placed(read_outline(document, limits=limits), frames),
            title=read_property(document, "Title"),
            author=read_property(document, "Author"),
            created=read_property(document, "CreationDate"),
            warnings=tuple(reading.warnings),
            damage=damage,
        )


def _hidden(words: Mapping[int, int]) -> str:
    """Say how many words were left out because nobody sees them, by the pages they stand on."""
    count, named = sum(words.values()), named_pages(sorted(words))
    verbs = ("is", "was") if count == 1 else ("are", "were")
    return f"{number_of(count, 'word')} that {verbs[0]} not visible on the page {verbs[1]} left out ({named})"


def _mixed(pages: Sequence[int]) -> str:
    """Say on which pages a map of a font is wrong: what stands there is found by some of its words at best."""
    return f"a font tells its letters wrongly, so words of the text are wrong ({named_pages(pages)})"


def _shows_anything(page: PageContent) -> bool:
    return bool(page.lines or page.graphics)


def _cut_off(path: Path, pages: Sequence[PageContent]) -> str:
    """Return what could be read of a file without its end, where pages that show nothing are lost; "" for all."""
    saved, stated = sum(map(_shows_anything, pages)), stated_pages(path.read_bytes())
    if stated < len(pages):
        return f"{number_of(saved, 'page')} could be read, others may be lost"
    return saved_pages(saved, max(stated, len(pages)))


def render(
    path: Path,
    page: int,
    *,
    box: Box | None = None,
    dpi: float = 150.0,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Raster:
    """Draw page `page` (1-based), or `box` on it (points, origin top left), as (height, width, 3) uint8 RGB.

    A picture that would have more than `limits.pixels` is drawn more coarsely.

    Raises:
        SourceError: the file or page cannot be read; `reason` says why.
    """
    with pdfium.opened(path, password=password, limits=limits) as (document, _):
        count = checked_page_count(document, path, limits=limits)
        check_page(path, page, count)
        return render_index(document, page - 1, dpi=dpi, box=box, pixels=limits.pixels)


def checked_page_count(document: pdfium.Handle, path: Path, *, limits: Limits) -> int:
    """Return the number of pages of an open document; raises `SourceError` when there are none or too many."""
    count = int(pdfium.page_count(document))
    if count < 1:
        raise SourceError("no_pages", f"{path} has no pages")
    check_page_count(path, count, limits)
    return count


def _read_page(reading: _Reading, index: int) -> tuple[PageContent, Frame]:
    label = read_label(reading.document, index)
    with pdfium.page_opened(reading.document, index) as page:
        if not page:
            reading.warnings.append(f"page {index + 1} is damaged and was left empty")
            reading.lost.append(index + 1)
            return PageContent(index + 1, label, _UNKNOWN.width, _UNKNOWN.height, ()), _UNKNOWN
        frame = frame_of(page)
        seen = page_of(page, frame, reading.limits, may_hide_layers=reading.features.may_hide_layers)
        graphics = seen.drawn.graphics
        opened = _OpenPage(index + 1, page, seen, reading.features.may_mark_text)
        lines, is_scanned, rules = _read_lines(reading, opened, graphics)
        lines, comments = _with_written(reading, opened, lines)
        content = PageContent(
            number=index + 1,
            label=label,
            width=round(frame.width, 2),
            height=round(frame.height, 2),
            lines=lines,
            graphics=(*graphics, *rules),
            annotations=read_annotations(reading.document, page, frame, most=reading.limits.links_per_page),
            is_scanned=is_scanned,
            regions=_regions(reading, page, frame),
            comments=comments,
        )
    return content, frame


def _with_written(
    reading: _Reading, page: _OpenPage, lines: tuple[TextLine, ...]
) -> tuple[tuple[TextLine, ...], tuple[Comment, ...]]:
    """Return the lines of a page with the values of its fields, and what is written on it besides."""
    most, frame = reading.limits.links_per_page, page.frame
    kinds = kinds_of(page.handle, most=most)
    if kinds <= {pdfium.LINK}:
        return lines, ()
    fields = read_fields(page.handle, frame, most=most)
    text = 0 if kinds.isdisjoint(MARKS) else pdfium.load_text(page.handle)
    try:
        comments = read_comments(page.handle, text, frame, most=most)
    finally:
        if text:
            pdfium.close_text(text)
    if not fields:
        return lines, comments
    reading.values.update(field.value for field in fields)
    shown = tuple(line for field in fields for line in field.lines)
    named, boxes = named_values(fields), [line.box for line in shown]
    if named and boxes:
        left, top, right, bottom = zip(*boxes, strict=True)
        comments += (Comment(named, (min(left), min(top), max(right), max(bottom)), is_printed=True),)
    return (*shown, *with_recognized(shown, lines)[len(shown) :]) if shown else lines, comments


_Recognized = tuple[tuple[TextLine, ...] | None, tuple[Graphic, ...]]
"""The lines that OCR reads, None for a script that it does not know; and the rules in the picture."""


def _read_lines(
    reading: _Reading, page: _OpenPage, graphics: Sequence[Graphic]
) -> tuple[tuple[TextLine, ...], bool, tuple[Graphic, ...]]:
    """Return the lines of a page, and whether they are in pictures: where so, from OCR as far as that is wished for.

    With these come the rules of tables in the pictures.
    """
    layer, lost, exchanged = _text_layer(reading, page)
    lines = layer or ()
    is_scanned = (
        reading.ocr == "always"
        or layer is None
        or is_scan(lines, graphics, width=page.frame.width, height=page.frame.height)
    )
    doubt = None if is_scanned else doubted(lines, reading.doubts, lost, exchanged)
    is_pictured = not is_scanned and _is_pictured(page, lines, graphics, reading.limits)
    if not (is_scanned or doubt or is_pictured):
        return lines, False, ()
    if reading.ocr == "never" or not reading.recognize:
        if doubt:
            reading.warnings.append(f"page {page.number} may say something else than its text layer; OCR can tell")
        return lines, is_scanned or is_pictured, ()
    found, rules = _recognized(page, reading.recognize, reading.limits)
    if found is None and is_scanned:
        reading.unknown.append(page.number)
    found = found or ()
    if is_pictured and reads_more(found, lines):
        return with_recognized(lines, found), True, rules
    if doubt:
        read = with_recognized(doubt.right, found)[len(doubt.right) :]
        is_wrong = doubt.is_wrong(read)
        reading.doubts.judged(doubt, is_wrong=is_wrong)
        if is_wrong:
            reading.warnings.append(f"page {page.number} was read by OCR: its text layer says something else")
        return ((*doubt.right, *read), True, ()) if is_wrong else (lines, False, ())
    if is_pictured:
        return lines, False, ()
    return (found if reading.ocr == "always" else with_recognized(lines, found)), True, rules


def _is_pictured(page: _OpenPage, lines: Sequence[TextLine], graphics: Sequence[Graphic], limits: Limits) -> bool:
    """Return whether a page with text of its own seems to have more of it in a picture behind that."""
    frame = page.frame
    if not may_be_scan(lines, graphics, width=frame.width, height=frame.height):
        return False
    raster = render_page(page.handle, frame, scale=_GLANCE, pixels=limits.pixels)
    return has_other_ink(raster, lines, raster.shape[1] / frame.width)


def _text_layer(
    reading: _Reading, page: _OpenPage
) -> tuple[tuple[TextLine, ...] | None, frozenset[str], frozenset[str]]:
    """Return the lines of the text layer, none where there is none, None where it cannot be read.

    With them come the fonts that are mapped to no letters, and those whose digits have the shapes of others.
    """
    text = pdfium.load_text(page.handle)
    if not text:
        return (), frozenset(), frozenset()
    most = reading.limits.glyphs_per_page
    try:
        if pdfium.count_characters(text) > most:
            reading.warnings.append(f"page {page.number} has more than {most:,} characters; the rest was left out")
        seen = seen_characters(text, page.seen, most=most)
        read = seen.characters
        lines, off_page = _lines_of(page, read, reading.limits) if read else ((), 0)
        if seen.hidden_words or off_page:
            reading.hidden[page.number] = seen.hidden_words + off_page
        if not read:
            return lines, frozenset(), frozenset()
        lost = lost_fonts(read.codes, read.style, [one.font.name for one in read.styles])
        return lines, lost, exchanged_digits(read, reading.doubts.digits)
    except UnreadableText:
        return None, frozenset(), frozenset()
    finally:
        pdfium.close_text(text)


def _lines_of(page: _OpenPage, characters: Characters, limits: Limits) -> tuple[tuple[TextLine, ...], int]:
    markup = text_markup(page.handle, page.frame, most=limits.links_per_page) if page.may_mark_text else NO_MARKUP
    drawn, angles = page.seen.drawn, characters.angles
    rules = (*drawn.graphics, *drawn.pieces)
    if angles == [0]:
        marks = marks_of(characters.boxes, characters.sizes, rules, markup)
    else:
        marks, level = CharacterMarks.none(len(characters)), characters.angle == 0
        found = marks_of(characters.boxes[level], characters.sizes[level], rules, markup)
        marks.struck[level], marks.underlined[level], marks.ground[level] = found.struck, found.underlined, found.ground
    return text_lines(characters, page.frame, marks)


def _recognized(page: _OpenPage, recognize: Recognize, limits: Limits) -> _Recognized:
    """Return what OCR reads on a page, and the rules of tables in its picture."""
    frame = page.frame
    scale = ocr_scale(frame.width, frame.height)
    raster = render_page(page.handle, frame, scale=scale, pixels=limits.pixels)
    if is_blank(raster):
        return (), ()
    scale = raster.shape[1] / frame.width
    found = recognized_page(raster, recognize, scale=scale, width=frame.width, height=frame.height)
    return found, rules_of_scan(raster, scale, found or ())


def _regions(reading: _Reading, page: pdfium.Handle, frame: Frame) -> tuple[LayoutRegion, ...]:
    """Return what the layout model sees on a page, nothing without one."""
    if reading.layout is None or not (frame.width > 0 and frame.height > 0):
        return ()
    raster = render_page(page, frame, scale=reading.layout.scale, pixels=reading.limits.pixels)
    return reading.layout.regions(raster, frame.width, frame.height)


def _placed(entries: tuple[OutlineEntry, ...], frames: list[Frame]) -> tuple[OutlineEntry, ...]:
    """Turn the heights of targets from their page's own coordinates into points from its top as displayed."""
    return tuple(
        replace(entry, y=round(frames[entry.page - 1].point(0.0, entry.y)[1], 2))
        if entry.y is not None and 0 < entry.page <= len(frames)
        else entry
        for entry in entries
    )


def _pointing(annotations: tuple[Annotation, ...], frames: list[Frame]) -> tuple[Annotation, ...]:
    """Turn the targets of links from their page's own coordinates into points from its top left as displayed."""
    return tuple(_shown(one, frames[one.page - 1]) if 0 < one.page <= len(frames) else one for one in annotations)


def _shown(annotation: Annotation, frame: Frame) -> Annotation:
    if annotation.y is None:
        return annotation
    x, y = frame.point(annotation.x or 0.0, annotation.y)
    return replace(annotation, x=None if annotation.x is None else round(x, 2), y=round(y, 2))
