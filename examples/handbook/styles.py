"""Typefaces, sizes and colours of the handbook."""

from __future__ import annotations

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle

INK = HexColor("#1b3a57")
RULE = HexColor("#7f93a6")
SHADE = HexColor("#e6edf3")
TINT = HexColor("#f4f6f8")
WARN = HexColor("#a3431f")

BODY = ParagraphStyle(
    "body", fontName="Times-Roman", fontSize=10.5, leading=14, alignment=TA_JUSTIFY, spaceAfter=7, allowWidows=0,
    allowOrphans=0,
)  # fmt: skip
COLUMN = ParagraphStyle("column", parent=BODY, fontSize=9.6, leading=12.4, spaceAfter=6)

PROSE = {
    "column": COLUMN,
    "paragraph": BODY,
    "lead": ParagraphStyle("lead", parent=BODY, fontName="Times-Italic", fontSize=11.5, leading=15.5, spaceAfter=10),
    "quote": ParagraphStyle("quote", parent=BODY, leftIndent=22, rightIndent=22, fontName="Times-Italic"),
    "centred": ParagraphStyle("centred", parent=BODY, alignment=TA_CENTER),
    "warning": ParagraphStyle(
        "warning", parent=BODY, leftIndent=10, rightIndent=8, borderColor=WARN, borderWidth=0.8, borderPadding=6,
        backColor=HexColor("#fbf1ec"), spaceBefore=16, spaceAfter=18,
    ),
}  # fmt: skip

HEADINGS = {
    1: ParagraphStyle("h1", fontName="Helvetica-Bold", fontSize=21, leading=26, textColor=INK, spaceAfter=16),
    2: ParagraphStyle(
        "h2", fontName="Helvetica-Bold", fontSize=13.5, leading=17, textColor=INK, spaceBefore=12, spaceAfter=6,
    ),
    3: ParagraphStyle(
        "h3", fontName="Helvetica-Bold", fontSize=10.5, leading=14, textColor=INK, spaceBefore=8, spaceAfter=4,
    ),
}  # fmt: skip

ITEMS = [
    ParagraphStyle("item", parent=BODY, leftIndent=18, bulletIndent=5, spaceAfter=4, bulletFontName="Times-Roman"),
    ParagraphStyle(
        "nested",
        parent=BODY,
        leftIndent=36,
        bulletIndent=22,
        spaceAfter=3,
        fontSize=10,
        leading=13,
        bulletFontName="Times-Roman",
    ),
]
DEFINITION = ParagraphStyle("definition", parent=BODY, leftIndent=16, firstLineIndent=-16, spaceAfter=5)
CAPTION = ParagraphStyle("caption", fontName="Helvetica", fontSize=8.6, leading=11, textColor=INK, spaceAfter=5)
FIGURE_CAPTION = ParagraphStyle("figure-caption", parent=CAPTION, alignment=TA_CENTER, spaceBefore=4, spaceAfter=12)
FOOTNOTE = ParagraphStyle("footnote", parent=BODY, fontSize=8.3, leading=10.2, spaceAfter=0)
FORMULA = ParagraphStyle(
    "formula", parent=BODY, fontName="Times-Italic", fontSize=11.5, leading=18, alignment=TA_CENTER
)
CODE_SIZE, CODE_LEADING = 8.6, 11.4

_CELL = ParagraphStyle("cell", fontName="Times-Roman", fontSize=9.2, leading=11.2)
CELLS = {
    "l": _CELL,
    "r": ParagraphStyle("cell-right", parent=_CELL, alignment=TA_RIGHT),
    "c": ParagraphStyle("cell-centre", parent=_CELL, alignment=TA_CENTER),
}
HEADER_CELLS = {
    side: ParagraphStyle(f"head-{side}", parent=style, fontName="Helvetica-Bold", fontSize=8.2, textColor=INK)
    for side, style in CELLS.items()
}
