"""The cover: title, a tide curve, edition and publisher. Owns its drawing; the words are the caller's."""

from __future__ import annotations

from typing import Any

from reportlab.lib.colors import HexColor, white
from reportlab.platypus import Flowable

from . import styles
from .chartdata import observed
from .pages import FOOTER, HEADER, HEIGHT, LEFT, TEXT_HEIGHT, TEXT_WIDTH, TITLE, WIDTH
from .record import Record

BAND = 330.0
PUBLISHER = "Callan Press, Port Callan"


class Cover(Flowable):
    """A full page: a dark band with the title, one day's tide along its lower edge, and the edition below."""

    def __init__(self, record: Record) -> None:
        super().__init__()
        self.record = record

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:  # noqa: N803 - ReportLab's own names
        """Return the text area's size: the cover fills its page."""
        return TEXT_WIDTH, TEXT_HEIGHT

    def draw(self) -> None:
        """Draw band, curve and lines of text."""
        canvas = self.canv
        canvas.saveState()
        x, y = canvas.absolutePosition(0, 0)
        canvas.translate(-x, -y)
        self._band(canvas)
        canvas.setFillColor(white)
        station, kind = TITLE.rsplit(" Tidal ", 1)
        self._line("title", station, 168, "Helvetica-Bold", 33)
        self._line("title", f"Tidal {kind}", 208, "Helvetica-Bold", 24)
        self._line("subtitle", HEADER, 250, "Times-Italic", 19)
        canvas.setFillColor(styles.INK)
        self._line("edition", FOOTER, HEIGHT - 132, "Helvetica", 12)
        self._line("publisher", PUBLISHER, HEIGHT - 112, "Helvetica", 10)
        canvas.restoreState()

    def _band(self, canvas: Any) -> None:
        canvas.setFillColor(styles.INK)
        path = canvas.beginPath()
        path.moveTo(0, HEIGHT)
        path.lineTo(0, _shore(0))
        for step in range(1, 97):
            path.lineTo(WIDTH * step / 96, _shore(step / 4))
        path.lineTo(WIDTH, HEIGHT)
        path.close()
        canvas.drawPath(path, stroke=0, fill=1)
        canvas.setStrokeColor(HexColor("#e0a83e"))
        canvas.setLineWidth(2.2)
        canvas.line(LEFT, HEIGHT - 128, LEFT + 54, HEIGHT - 128)

    def _line(self, key: str, text: str, top: float, face: str, size: float) -> None:
        canvas = self.canv
        canvas.setFont(face, size)
        canvas.drawString(LEFT, HEIGHT - top, text)
        canvas.saveState()
        canvas.translate(LEFT, HEIGHT - top - 0.25 * size)
        self.record.place(f"cover:{key}", key, canvas, (TEXT_WIDTH, size * 1.2), text)
        canvas.restoreState()


def _shore(hour: float) -> float:
    """Return the band's lower edge in points: 14 November 2030's tide, upside down."""
    return HEIGHT - BAND - 16 * observed(hour)
