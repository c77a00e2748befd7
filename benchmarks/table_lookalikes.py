"""Pages that look a little like tables and are none: prose, lists, contents, forms, authors, icons, and more.

Owns the drawing of these pages. Knows nothing about reading them back.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from table_layouts import WORDS

WIDTH, HEIGHT = 595.0, 842.0


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(count)).capitalize()


def _lines(canvas: Canvas, chance: random.Random, x: float, top: float, count: int, *, words: int = 13) -> float:
    for at in range(count):
        canvas.drawString(x, HEIGHT - top - 12.5 * at, _words(chance, words))
    return top + 12.5 * count


def _page(draw: Callable[[Canvas, random.Random], None]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
        canvas.setFont("Times-Roman", 10)
        draw(canvas, random.Random(3))
        canvas.save()

    return write


def prose(canvas: Canvas, chance: random.Random) -> None:
    for top in range(80, 700, 90):
        _lines(canvas, chance, 60, top, 6)


def two_columns(canvas: Canvas, chance: random.Random) -> None:
    for top in range(80, 700, 90):
        _lines(canvas, chance, 60, top, 6, words=6)
        _lines(canvas, chance, 310, top, 6, words=6)


def three_columns(canvas: Canvas, chance: random.Random) -> None:
    for x in (60, 225, 390):
        _lines(canvas, chance, x, 80, 45, words=4)


def bullets(canvas: Canvas, chance: random.Random) -> None:
    top = _lines(canvas, chance, 60, 80, 4)
    for at in range(12):
        canvas.drawString(70, HEIGHT - top - 18 - 26 * at, "•")
        canvas.drawString(90, HEIGHT - top - 18 - 26 * at, _words(chance, 12))


def numbered(canvas: Canvas, chance: random.Random) -> None:
    top = _lines(canvas, chance, 60, 80, 4) + 18
    for at in range(1, 14):
        canvas.drawString(64, HEIGHT - top, f"{at}.")
        canvas.drawString(96, HEIGHT - top, _words(chance, 11))
        canvas.drawString(96, HEIGHT - top - 12.5, _words(chance, 5))
        top += 30


def definitions(canvas: Canvas, chance: random.Random) -> None:
    top = 90.0
    for _ in range(9):
        canvas.drawString(60, HEIGHT - top, chance.choice(WORDS).capitalize())
        top = _lines(canvas, chance, 150, top, 3, words=10) + 10


def contents(canvas: Canvas, chance: random.Random) -> None:
    canvas.drawString(60, HEIGHT - 80, "Contents")
    for at in range(24):
        canvas.drawString(60 + 14 * (at % 3 > 0), HEIGHT - 110 - 18 * at, f"{at // 3 + 1}.{at % 3} {_words(chance, 4)}")
        canvas.drawRightString(530, HEIGHT - 110 - 18 * at, str(3 + 4 * at))


def dotted_contents(canvas: Canvas, chance: random.Random) -> None:
    canvas.drawString(60, HEIGHT - 80, "Contents")
    for at in range(24):
        title = _words(chance, 4)
        dots = " ." * int((440 - canvas.stringWidth(title)) / canvas.stringWidth(" ."))
        canvas.drawString(60, HEIGHT - 110 - 18 * at, title + dots)
        canvas.drawRightString(530, HEIGHT - 110 - 18 * at, str(3 + 4 * at))


def form(canvas: Canvas, chance: random.Random) -> None:
    top = _lines(canvas, chance, 60, 80, 4) + 20
    for at in range(9):
        y = HEIGHT - top - 28 * at
        canvas.drawString(60, y, f"{chance.choice(WORDS).capitalize()}:")
        canvas.line(130, y - 2, 290, y - 2)
        canvas.drawString(310, y, f"{chance.choice(WORDS).capitalize()}:")
        canvas.line(380, y - 2, 530, y - 2)


def authors(canvas: Canvas, chance: random.Random) -> None:
    canvas.setFont("Times-Bold", 16)
    canvas.drawCentredString(WIDTH / 2, HEIGHT - 80, _words(chance, 6))
    canvas.setFont("Times-Roman", 10)
    for x in (130, 297, 465):
        name = f"{chance.choice(WORDS).capitalize()} {chance.choice(WORDS).capitalize()}"
        for at, text in enumerate(
            (name, "University of the Coast", "Department of Works", f"{name.split()[0]}@coast.edu")
        ):
            canvas.drawCentredString(x, HEIGHT - 120 - 12.5 * at, text)
    for top in range(200, 700, 90):
        _lines(canvas, chance, 60, top, 6)


def icons(canvas: Canvas, chance: random.Random) -> None:
    _lines(canvas, chance, 60, 80, 5)
    for row in range(2):
        for at, x in enumerate((80, 250, 420)):
            y = HEIGHT - 240 - 180 * row
            canvas.setFillColorRGB(0.2, 0.4, 0.3 + 0.2 * at)
            canvas.circle(x + 45, y, 26, stroke=0, fill=1)
            canvas.setFillColorRGB(0, 0, 0)
            canvas.drawCentredString(x + 45, y - 44, chance.choice(WORDS).capitalize())
            canvas.drawCentredString(x + 45, y - 57, _words(chance, 3))


def signatures(canvas: Canvas, chance: random.Random) -> None:
    _lines(canvas, chance, 60, 80, 20)
    for x in (60, 320):
        canvas.line(x, HEIGHT - 420, x + 180, HEIGHT - 420)
        for at, text in enumerate((_words(chance, 2), "Chief of Works", "Date:")):
            canvas.drawString(x, HEIGHT - 434 - 13 * at, text)


def equations(canvas: Canvas, chance: random.Random) -> None:
    for block in range(5):
        _lines(canvas, chance, 60, 80 + 110 * block, 4)
        canvas.drawCentredString(WIDTH / 2, HEIGHT - 145 - 110 * block, f"x = a + b / {block + 2} - c")
        canvas.drawRightString(530, HEIGHT - 145 - 110 * block, f"({block + 1})")


def references(canvas: Canvas, chance: random.Random) -> None:
    top = 80.0
    for at in range(1, 16):
        canvas.drawString(60, HEIGHT - top, f"[{at}]")
        top = _lines(canvas, chance, 86, top, 3, words=11) + 4


def index(canvas: Canvas, chance: random.Random) -> None:
    for x in (60, 310):
        for at in range(40):
            canvas.drawString(x, HEIGHT - 90 - 13 * at, f"{_words(chance, 2)}, {chance.randint(2, 300)}")


LOOKALIKES: dict[str, Callable[[Path], None]] = {
    draw.__name__: _page(draw)
    for draw in (
        prose, two_columns, three_columns, bullets, numbered, definitions, contents, dotted_contents, form, authors,
        icons, signatures, equations, references, index,
    )
}  # fmt: skip
