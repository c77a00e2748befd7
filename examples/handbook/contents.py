"""The printed table of contents, and the lists of figures and tables: title, dot leaders, page label."""

from __future__ import annotations

from typing import Any

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import Flowable, Spacer

from . import styles
from .blocks import Block, Figure, Grid, Heading
from .flow import heading_text
from .numbering import Label
from .pages import Plan
from .record import Record

FACES = {1: ("Helvetica-Bold", 9.5, 0), 2: ("Times-Roman", 10, 14), 3: ("Times-Roman", 9.4, 36)}
DOT = 4.0


class ContentsLine(Flowable):
    """One line: a title, dots on a common grid, and a page label, linked to its section."""

    def __init__(self, text: str, level: int, label: str, *, target: str, record: Record) -> None:
        super().__init__()
        self.text, self.level, self.label, self.target, self.record = text, level, label, target, record

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:  # noqa: N803 - ReportLab's own names
        """Return the column's width and one line's height."""
        self.width, self.height = aW, 15.6 if self.level == 1 else 11.8
        return self.width, self.height

    def draw(self) -> None:
        """Draw title, leaders and label, and record the line."""
        face, size, indent = FACES[self.level]
        self.canv.setFillColor(styles.INK if self.level == 1 else "black")
        self.canv.setFont(face, size)
        self.canv.drawString(indent, 2, self.text)
        self.canv.drawRightString(self.width, 2, self.label)
        self._leaders(indent + stringWidth(self.text, face, size) + 5, self.width - 22)
        self.canv.linkRect("", self.target, (0, 0, self.width, self.height - 2), relative=1, thickness=0)
        self.record.place(f"contents/{self.target}", "contents", self.canv, (self.width, self.height), self.text)

    def _leaders(self, start: float, end: float) -> None:
        count = int((end - start) // DOT)
        if count > 1:
            self.canv.setFont("Times-Roman", 8)
            spacing = DOT - stringWidth(".", "Times-Roman", 8)
            self.canv.drawString(end - count * DOT, 2, "." * count, charSpace=spacing)


class ListTitle(Flowable):
    """The title of a list of figures or tables: no heading of its own, so not in the contents."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def wrap(self, aW: float, aH: float) -> tuple[float, float]:  # noqa: N803 - ReportLab's own names
        """Return the column's width and the title's height."""
        return aW, 28

    def draw(self) -> None:
        """Draw the title."""
        self.canv.setFont("Helvetica-Bold", 12)
        self.canv.setFillColor(styles.INK)
        self.canv.drawString(0, 8, self.text)


def contents(blocks: list[Block], labels: dict[str, Label], plan: Plan, record: Record) -> list[Any]:
    """Return the contents lines of all sections but the front matter's, then the figures' and tables'."""
    own = next(i for i, block in enumerate(blocks) if isinstance(block, Heading) and block.style == "numbered")

    def line(text: str, level: int, key: str) -> ContentsLine:
        return ContentsLine(text, level, plan.label(plan.pages.get(key, 1)), target=key, record=record)

    lines: list[Any] = [
        line(heading_text(block, labels), block.level, block.key)
        for block in blocks[own:]
        if isinstance(block, Heading)
    ]
    for kind, title in ((Figure, "Figures"), (Grid, "Tables")):
        lines += [Spacer(1, 10), ListTitle(title)]
        captioned = [b for b in blocks if isinstance(b, kind) and labels[b.key].number]
        lines += [line(f"{labels[b.key].number}  {_first_sentence(b.caption)}", 3, b.key) for b in captioned]
    return lines


def _first_sentence(caption: str) -> str:
    return caption.split(". ")[0].removesuffix(".")
