"""Page templates, running headers, footnotes and the passes of layout. Owns where things lie; not what they say."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate
from reportlab.platypus.doctemplate import ActionFlowable

from . import styles
from .inline import Inline, render
from .record import PAGE_SIZE, Record, Source, recorded

WIDTH, HEIGHT = PAGE_SIZE
LEFT, TOP, BOTTOM = 60.0, 68.0, 64.0
TEXT_WIDTH, TEXT_HEIGHT = WIDTH - 2 * LEFT, HEIGHT - TOP - BOTTOM
GUTTER = 16.0
INTRO_HEIGHT = 150.0
TITLE = "Orrin Skerry Tidal Research Station"
HEADER = "Station Operations Handbook"
FOOTER = "Sixth edition \u00b7 March 2031"


def roman(number: int) -> str:
    """Return a small roman numeral, 1..39."""
    return "x" * (number // 10) + ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"][number % 10]


@dataclass
class Plan:
    """What one pass learned that the next needs: where keys and footnotes lie, and how many pages are front matter.

    `room` holds the notes a page has made room for in any pass, lest making room drive a note from a page and
    giving the room back draw it there again.
    """

    pages: dict[str, int] = field(default_factory=dict)
    notes: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    room: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    front_pages: int = 0
    page_count: int = 0

    @classmethod
    def of(cls, record: Record, before: Plan) -> Plan:
        """Read the plan off a finished pass, which was laid out by the plan `before`."""
        notes: dict[int, list[tuple[int, str]]] = {}
        for sighting in record.sightings:
            if sighting.kind == "footnote":
                notes.setdefault(sighting.page, []).append((int(sighting.target), sighting.text))
        room = {page: sorted({*before.room.get(page, ()), *notes.get(page, ())}) for page in {*before.room, *notes}}
        return cls(dict(record.pages), notes, room, record.front_pages, record.page_count)

    def label(self, page: int) -> str:
        """Return the printed label of a physical page."""
        return roman(page) if page <= self.front_pages else str(page - self.front_pages)


class BeginChapter(ActionFlowable):
    """Tells the document which chapter begins, for its running header."""

    def __init__(self, title: str, *, is_body: bool) -> None:
        super().__init__()
        self.title, self.is_body = title, is_body

    def apply(self, doc: Any) -> None:
        """Set the running title; the first chapter of the body ends the front matter."""
        doc.chapter = self.title
        if self.is_body and not doc.record.front_pages:
            doc.record.front_pages = doc.page - 1


class Handbook(BaseDocTemplate):
    """The document: page templates `title`, `opening`, `text`, `columns-opening` and `columns`."""

    def __init__(self, target: BytesIO, record: Record, plan: Plan, resolver: Any) -> None:
        super().__init__(
            target, pagesize=PAGE_SIZE, invariant=1, title=f"{TITLE}: {HEADER}", author=TITLE, lang="en-GB"
        )
        self.record, self.plan, self.resolver, self.chapter = record, plan, resolver, ""
        column = (TEXT_WIDTH - GUTTER) / 2
        right = LEFT + column + GUTTER
        below = TEXT_HEIGHT - INTRO_HEIGHT
        full = [_frame(LEFT, BOTTOM, TEXT_WIDTH, TEXT_HEIGHT)]
        pair = [_frame(LEFT, BOTTOM, column, TEXT_HEIGHT), _frame(right, BOTTOM, column, TEXT_HEIGHT)]
        opening = [
            _frame(LEFT, BOTTOM + below, TEXT_WIDTH, INTRO_HEIGHT),
            _frame(LEFT, BOTTOM, column, below),
            _frame(right, BOTTOM, column, below),
        ]
        self.addPageTemplates(
            [
                PageTemplate("title", full),
                PageTemplate("opening", full, onPageEnd=_end_opening, autoNextPageTemplate="text"),
                PageTemplate("text", full, onPageEnd=_end_text),
                PageTemplate("columns-opening", opening, onPageEnd=_end_opening, autoNextPageTemplate="columns"),
                PageTemplate("columns", pair, onPageEnd=_end_text),
            ]
        )
        for template in self.pageTemplates[:3]:
            template.beforeDrawPage = self._make_room

    def _make_room(self, canvas: Any, doc: Any) -> None:
        frame = self.pageTemplate.frames[0]
        reserve = sum(height for _, height in _footnotes(self, self.plan.room))
        frame._y1 = BOTTOM + (reserve + 14 if reserve else 0)
        frame._height = TEXT_HEIGHT - (frame._y1 - BOTTOM)
        frame._geom()

    def afterPage(self) -> None:  # noqa: N802 - ReportLab's own name
        """Count the page."""
        self.record.page_count = self.page


def _frame(x: float, y: float, width: float, height: float) -> Frame:
    return Frame(x, y, width, height, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)


def _footnotes(doc: Handbook, notes: dict[int, list[tuple[int, str]]]) -> list[tuple[Any, float]]:
    """Return the paragraphs of this page's footnotes with their heights."""
    placed: list[tuple[Any, float]] = []
    for number, text in notes.get(doc.page, []):
        inline = render(text, doc.resolver)
        shown = Inline(f'<super rise="2.6" size="6.2">{number}</super> {inline.xml}', f"{number} {inline.drawn}", ())
        paragraph = recorded(Source(f"note:{number}", "footnote", shown, doc.record), styles.FOOTNOTE)
        placed.append((paragraph, paragraph.wrap(TEXT_WIDTH, TEXT_HEIGHT)[1]))
    return placed


def _end_opening(canvas: Any, doc: Handbook) -> None:
    _draw_footnotes(canvas, doc)
    _furniture(canvas, doc, "footer", WIDTH / 2, 36, doc.plan.label(doc.page), "centre")


def _end_text(canvas: Any, doc: Handbook) -> None:
    _draw_footnotes(canvas, doc)
    canvas.setStrokeColor(styles.RULE)
    canvas.setLineWidth(0.5)
    canvas.line(LEFT, HEIGHT - 50, WIDTH - LEFT, HEIGHT - 50)
    _furniture(canvas, doc, "header", LEFT, HEIGHT - 44, HEADER, "left")
    _furniture(canvas, doc, "header", WIDTH - LEFT, HEIGHT - 44, doc.chapter, "right")
    _furniture(canvas, doc, "footer", LEFT, 36, FOOTER, "left")
    _furniture(canvas, doc, "footer", WIDTH - LEFT, 36, doc.plan.label(doc.page), "right")


def _draw_footnotes(canvas: Any, doc: Handbook) -> None:
    notes = _footnotes(doc, doc.plan.notes)
    if not notes:
        return
    y = BOTTOM + sum(height for _, height in notes)
    canvas.setStrokeColor(styles.RULE)
    canvas.setLineWidth(0.5)
    canvas.line(LEFT, y + 4, LEFT + 90, y + 4)
    for paragraph, height in notes:
        y -= height
        paragraph.drawOn(canvas, LEFT, y)


def _furniture(canvas: Any, doc: Handbook, place: str, x: float, y: float, text: str, side: str) -> None:
    canvas.setFont("Helvetica", 8)
    canvas.setFillColor(styles.INK)
    {"left": canvas.drawString, "right": canvas.drawRightString, "centre": canvas.drawCentredString}[side](x, y, text)
    doc.record.furniture.append((doc.page, place, text))


class LabelledCanvas(Canvas):
    """A canvas that writes page labels (roman, then arabic) when it is saved."""

    front_pages = 0

    def save(self) -> None:
        """Add the labels and save."""
        if self.front_pages:
            self.addPageLabel(0, style="ROMAN_LOWER", start=1)
            self.addPageLabel(self.front_pages, style="ARABIC", start=1)
        super().save()


def draw(story: list[Any], record: Record, plan: Plan, resolver: Any) -> bytes:
    """Lay out the story once and return the PDF; what was drawn where is in `record` afterwards."""
    rl_config.useA85 = 0
    target = BytesIO()
    canvas_class = type("HandbookCanvas", (LabelledCanvas,), {"front_pages": plan.front_pages})
    Handbook(target, record, plan, resolver).build(story, canvasmaker=canvas_class)
    return target.getvalue()
