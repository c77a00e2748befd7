"""How well the reading order of generated pages is found: Kendall's tau over their lines, by sort of layout.

Run: python benchmarks/reading_order.py [--each 6] [--seed 1] [--keep FOLDER] [--json]

Every sort of layout is drawn several times with other columns, type, gutters and lengths. What is drawn comes in random
order in the file, so that only the page tells how to read. Each word is drawn once: a line is where its words are.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from octavo_documents.parsing import pdf
from octavo_documents.structuring import structure

SYLLABLES = tuple(first + last for first, last in zip("bcdfghjklmnprstvwxyz", "aeiouaeiouaeiouaeiou", strict=True))


@dataclass
class Sheet:
    """One page in the making: `told` holds the words of its lines as they are to be read, `strokes` what is drawn.

    Lines `aside` (notes at the foot of a column or in the margin) may be read in their place or after all others.
    """

    dice: random.Random
    width: float = 612.0
    height: float = 792.0
    size: float = 10.0
    font: str = "Times-Roman"
    turns: int = 0
    words: int = 0
    told: list[list[str]] = field(default_factory=list[list[str]])
    aside: set[int] = field(default_factory=set[int])
    under: list[Callable[[Canvas], None]] = field(default_factory=list[Callable[[Canvas], None]])
    strokes: list[Callable[[Canvas], None]] = field(default_factory=list[Callable[[Canvas], None]])

    def word(self) -> str:
        """Return a word that was not said before."""
        self.words += 1
        number, text = self.words + 400, ""
        while number:
            number, digit = divmod(number, len(SYLLABLES))
            text = SYLLABLES[digit] + text
        return text

    def say(self, words: Sequence[str], x: float, y: float, *, size: float = 0, font: str = "", fit: float = 0) -> None:
        """Draw one line with its baseline `y` below the top, spread to the width `fit` where one is given."""
        size, font, text = size or self.size, font or self.font, " ".join(words)
        stretch = (fit - stringWidth(text, font, size)) / (len(words) - 1) if fit and len(words) > 1 else 0.0

        def draw(canvas: Canvas) -> None:
            line = canvas.beginText(x, self.height - y)
            line.setFont(font, size)
            line.setWordSpace(stretch)
            line.textOut(text)
            canvas.drawText(line)

        self.told.append(list(words))
        self.strokes.append(draw)

    def prose(self, x: float, y: float, width: float, bottom: float, *, size: float = 0, font: str = "") -> float:
        """Fill a column from `y` to `bottom` with justified paragraphs; return the y after its last line."""
        size, font = size or self.size, font or self.font
        while y + 2 * size < bottom:
            left = self.dice.randint(3, 9)
            while left and y + size < bottom:
                words, left = self.line(width, size, font), left - 1
                if not left:
                    words = words[: max(1, len(words) // 2)]
                    words[-1] += "."
                y += 1.2 * size
                self.say(words, x, y, size=size, font=font, fit=width if left else 0)
            y += self.dice.choice([0.0, 0.5]) * size
        return y

    def line(self, width: float, size: float, font: str) -> list[str]:
        """Return words that fill a line well enough to be spread to its width."""
        words = [self.word()]
        while stringWidth(" ".join([*words, "xx" * 3]), font, size) < width:
            words.append(self.word())
        room = width - stringWidth(" ".join(words), font, size)
        most = 0.5 * size * (len(words) - 1)
        while room > most:  # as hyphens do for narrow columns
            words[self.dice.randrange(len(words))] += self.dice.choice(SYLLABLES)
            room = width - stringWidth(" ".join(words), font, size)
        return words

    def heading(self, x: float, y: float, *, words: int = 3, size: float = 0, space: float = 1.0) -> float:
        """Draw a heading with `space` (in its size) over it; return the y after it."""
        size = size or 1.3 * self.size
        y += (space + 0.8) * size
        self.say([self.word().capitalize() for _ in range(words)], x, y, size=size, font="Helvetica-Bold")
        return y + 0.3 * size

    def box(self, x: float, y: float, width: float, bottom: float, *, tint: float = 0.9) -> None:
        """Draw a tinted panel under the text."""
        self.under.append(lambda canvas: _panel(canvas, (x, self.height - bottom, width, bottom - y), tint))

    def picture(self, x: float, y: float, width: float, bottom: float) -> None:
        """Draw a picture of bars."""
        for bar in range(8):
            tall = self.dice.uniform(0.2, 0.9) * (bottom - y)
            place = (x + bar * width / 8, self.height - bottom, width / 10, tall)
            self.under.append(lambda canvas, place=place: _panel(canvas, place, 0.4))

    def notes_last(self) -> list[list[str]]:
        """Return the lines in the other order that is as good."""
        return [
            *(line for at, line in enumerate(self.told) if at not in self.aside),
            *(line for at, line in enumerate(self.told) if at in self.aside),
        ]

    def write(self, path: Path) -> None:
        """Write the page, its text in random order."""
        canvas = Canvas(str(path), pagesize=(self.width, self.height), invariant=True)  # swaps the sides when turned
        if self.turns:
            canvas.setPageRotation(90 * self.turns)
            canvas.translate(*((0, 0), (self.height, 0), (self.width, self.height), (0, self.width))[self.turns])
            canvas.rotate(90 * self.turns)
        self.dice.shuffle(self.strokes)
        for stroke in (*self.under, *self.strokes):
            stroke(canvas)
        canvas.save()


def _panel(canvas: Canvas, place: tuple[float, float, float, float], tint: float) -> None:
    canvas.saveState()
    canvas.setFillGray(tint)
    canvas.rect(*place, stroke=0, fill=1)
    canvas.restoreState()


def _columns(sheet: Sheet, count: int, top: float, bottom: float, *, left: float = 54, right: float = 558) -> None:
    gutter = sheet.dice.uniform(1.2, 2.6) * sheet.size
    width = (right - left - (count - 1) * gutter) / count
    for number in range(count):
        x = left + number * (width + gutter)
        stop = bottom if number < count - 1 else bottom - sheet.dice.uniform(0, 0.5) * (bottom - top)
        y = top
        if sheet.dice.random() < 0.4:
            y = sheet.heading(x, y, space=0)
        sheet.prose(x, y, width, stop)


def one_column(sheet: Sheet) -> None:
    y = sheet.heading(72, 60)
    y = sheet.prose(72, y, 468, 400)
    sheet.prose(72, sheet.heading(72, y), 468, 720)


def two_columns(sheet: Sheet) -> None:
    _columns(sheet, 2, 60, 730)


def three_columns(sheet: Sheet) -> None:
    sheet.size = sheet.dice.choice([8.0, 9.0])
    _columns(sheet, 3, 60, 730)


def title_over_columns(sheet: Sheet) -> None:
    y = sheet.heading(54, 40, words=5, size=20)
    y = sheet.prose(90, y + 6, 432, y + 80)
    _columns(sheet, 2, y + 16, 730)


def sections_across(sheet: Sheet) -> None:
    """Full-width headings part the columns above from those below."""
    _columns(sheet, 2, 50, 330)
    _columns(sheet, sheet.dice.choice([2, 3]), sheet.heading(54, 345, words=5), 720)


def figure_across(sheet: Sheet) -> None:
    _columns(sheet, 2, 50, 300)
    sheet.picture(54, 320, 504, 430)
    sheet.say(["Figure", "1:", *(sheet.word() for _ in range(8))], 54, 446, size=9)
    _columns(sheet, 2, 465, 730)


def figure_in_column(sheet: Sheet) -> None:
    sheet.prose(54, 50, 240, 300)
    sheet.picture(54, 315, 240, 420)
    sheet.say(["Figure", "1:", *(sheet.word() for _ in range(4))], 54, 436, size=9)
    sheet.prose(54, 452, 240, 730)
    sheet.prose(318, 50, 240, 730)


def narrow_sidebar(sheet: Sheet) -> None:
    """A tinted panel beside the text: read after it, as a whole."""
    wide = sheet.dice.uniform(320, 350)
    sheet.prose(54, 50, wide, 730)
    top, bottom = sheet.dice.uniform(60, 200), sheet.dice.uniform(400, 650)
    x = 54 + wide + 24
    sheet.box(x - 8, top - 8, 566 - x, bottom + 14)
    sheet.prose(x, sheet.heading(x, top - 10, words=2), 550 - x, bottom, size=sheet.size - 1, font="Helvetica")


def panel_between(sheet: Sheet) -> None:
    """A full-width panel of two columns between columns of text."""
    _columns(sheet, 2, 50, 300)
    sheet.box(46, 316, 520, 510)
    y = sheet.heading(54, 312, words=4)
    _columns(sheet, 2, y, 500)
    _columns(sheet, 2, 525, 730)


def panel_in_column(sheet: Sheet) -> None:
    """A panel in the right column, of other type: the text above it, the panel, the text under it."""
    sheet.prose(54, 50, 240, 730)
    sheet.prose(318, 50, 240, 250)
    sheet.box(314, 268, 248, 470)
    sheet.prose(326, sheet.heading(326, 262, words=2), 224, 460, font="Helvetica", size=sheet.size - 1)
    sheet.prose(318, 486, 240, 730)


def footnotes_in_columns(sheet: Sheet) -> None:
    for x in (54, 318):
        sheet.prose(x, 50, 240, 640)
        for number in range(2):
            sheet.aside.add(len(sheet.told))
            sheet.say([str(number + 1), *(sheet.word() for _ in range(6))], x, 680 + 11 * number, size=7.5)


def footnotes_across(sheet: Sheet) -> None:
    _columns(sheet, 2, 50, 650)
    for number in range(3):
        sheet.say([str(number + 1), *(sheet.word() for _ in range(12))], 54, 690 + 11 * number, size=7.5)


def turned_page(sheet: Sheet) -> None:
    """A landscape page, stored turned by one to three quarters and shown upright."""
    sheet.width, sheet.height, sheet.turns = 792.0, 612.0, sheet.dice.choice([1, 2, 3])
    _columns(sheet, 2, 50, 540, right=738)


def slide(sheet: Sheet) -> None:
    """A slide: title, two lists beside each other, a line at the foot."""
    sheet.width, sheet.height = 720.0, 405.0
    y = sheet.heading(40, 20, words=4, size=26) + 20
    for x in (40, 380):
        at = y
        for _ in range(sheet.dice.randint(4, 6)):
            at += 26
            sheet.say(["•", *(sheet.word() for _ in range(sheet.dice.randint(2, 4)))], x, at, size=15, font="Helvetica")
    sheet.say(["Source:", *(sheet.word() for _ in range(5))], 40, 385, size=9, font="Helvetica")


def lists_in_columns(sheet: Sheet) -> None:
    for x in (54, 318):
        y = sheet.heading(x, 45)
        for number in range(1, sheet.dice.randint(10, 14)):
            y += 1.6 * sheet.size
            mark = "•" if x < 100 else f"{number}."
            sheet.say([mark, *(sheet.word() for _ in range(3))], x, y)
            y += 1.2 * sheet.size
            sheet.say([sheet.word() for _ in range(3)], x + 12, y)


def marginal_notes(sheet: Sheet) -> None:
    """Short notes in a wide margin, each beside its paragraph: read before or after the text."""
    for y in sorted(sheet.dice.sample(range(80, 680, 60), 4)):
        for line in range(3):
            sheet.aside.add(len(sheet.told))
            sheet.say([sheet.word(), sheet.word()], 54, y + 10 * line, size=7.5, font="Helvetica-Oblique")
    sheet.prose(190, 60, 368, 730)


def drop_cap(sheet: Sheet) -> None:
    """The first letter of an article, two to four lines high, in one or two columns."""
    count = sheet.dice.choice([1, 2])
    width = 504.0 if count == 1 else 240.0
    lines = sheet.dice.choice([2, 3, 4])
    y = sheet.heading(54, 40, words=4, size=18) + sheet.dice.choice([0, 10])
    if sheet.dice.random() < 0.5:
        y = sheet.prose(54, y, width, y + 4 * sheet.size)
    step = 1.2 * sheet.size
    large = (lines - 1) * step / 0.7 + sheet.size
    word = sheet.word()
    letter, rest = word[0].upper(), word[1:]
    indent = stringWidth(letter, "Times-Bold", large) + 0.3 * sheet.size
    sheet.say([letter], 54, y + lines * step, size=large, font="Times-Bold")
    for line in range(lines):
        words = sheet.line(width - indent, sheet.size, sheet.font)
        words = [rest, *words[1:]] if not line else words
        sheet.say(words, 54 + indent, y + (line + 1) * step, fit=width - indent)
    sheet.told[-lines - 1 :] = [[letter + rest], *(told[not at :] for at, told in enumerate(sheet.told[-lines:]))]
    sheet.prose(54, y + lines * step, width, 730)
    if count == 2:
        sheet.prose(318, 60, 240, 730)


def panel_beside_columns(sheet: Sheet) -> None:
    """Two columns, the second broken by a panel as wide as it whose type is that of the text."""
    middle = sheet.dice.uniform(200, 320)
    depth = sheet.dice.uniform(120, 220)
    sheet.prose(54, 50, 240, 730)
    sheet.prose(318, 50, 240, middle)
    start = len(sheet.told)
    sheet.box(312, middle + 14, 252, middle + depth + 20, tint=0.88)
    sheet.prose(320, middle + 18, 236, middle + depth)
    sheet.aside.update(range(start, len(sheet.told)))
    sheet.prose(318, middle + depth + 32, 240, 730)


def panel_at_the_side(sheet: Sheet) -> None:
    """A panel with a list, cut into the left of wide text that goes on under it at full width."""
    top, depth = sheet.dice.uniform(120, 260), sheet.dice.uniform(120, 200)
    sheet.prose(54, 50, 504, top)
    sheet.box(46, top + 14, 180, top + depth + 10, tint=0.85)
    start = len(sheet.told)
    y = sheet.heading(54, top + 8, words=2)
    while y + 3 * sheet.size < top + depth:
        y += 1.3 * sheet.size
        sheet.say(["•", *(sheet.word() for _ in range(sheet.dice.randint(2, 3)))], 56, y, size=sheet.size - 1)
    sheet.aside.update(range(start, len(sheet.told)))
    sheet.prose(244, top + 8, 314, top + depth + 12)
    sheet.prose(54, top + depth + 18, 504, 730)


def slide_with_cards(sheet: Sheet) -> None:
    """A slide of two to four tinted cards beside each other, each a title and a few short lines."""
    sheet.width, sheet.height = 720.0, 405.0
    y = sheet.heading(40, 16, words=4, size=24) + 20
    count = sheet.dice.choice([2, 3, 4])
    width = (640 - 16 * (count - 1)) / count
    size = 16.0 - 2 * count / 2
    for card in range(count):
        x = 40 + card * (width + 16)
        sheet.box(x, y, width, 340, tint=sheet.dice.choice([0.8, 0.9]))
        at = sheet.heading(x + 8, y - 4, words=1, size=size + 2)
        for _ in range(sheet.dice.randint(3, 7)):
            at += 1.5 * size
            sheet.say([sheet.word() for _ in range(2)], x + 8, at, size=size - 2, font="Helvetica")
    sheet.say(["Source:", *(sheet.word() for _ in range(5))], 40, 385, size=9, font="Helvetica")


def slide_with_grid(sheet: Sheet) -> None:
    """A slide of four tinted cards, two over two, whose lines wrap."""
    sheet.width, sheet.height = 720.0, 405.0
    y = sheet.heading(40, 10, words=5, size=22) + 12
    for row in range(2):
        for column in range(2):
            x, top = 40 + 325 * column, y + 160 * row
            sheet.box(x, top, 312, top + 148)
            at = sheet.heading(x + 10, top, words=2, size=14, space=0.4)
            for _ in range(sheet.dice.randint(2, 5)):
                at += 19
                sheet.say([sheet.word() for _ in range(sheet.dice.randint(4, 7))], x + 10, at, size=11)


def slide_with_lists(sheet: Sheet) -> None:
    """A slide of two or three bulleted lists beside each other, at the same heights, some items over two lines."""
    sheet.width, sheet.height = 720.0, 405.0
    y = sheet.heading(40, 16, words=4, size=24) + 14
    count = sheet.dice.choice([2, 3])
    width = 640 / count
    for x in (40 + width * number for number in range(count)):
        at = sheet.heading(x, y, words=1, size=15, space=0.2)
        for _ in range(sheet.dice.randint(3, 5)):
            at += 24
            sheet.say(["•", *(sheet.word() for _ in range(2))], x, at, size=13, font="Helvetica")
            if sheet.dice.random() < 0.4:
                at += 16
                sheet.say([sheet.word()], x + 10, at, size=13, font="Helvetica")


LAYOUTS: tuple[Callable[[Sheet], None], ...] = (
    one_column,
    two_columns,
    three_columns,
    title_over_columns,
    sections_across,
    figure_across,
    figure_in_column,
    narrow_sidebar,
    panel_between,
    panel_in_column,
    footnotes_in_columns,
    footnotes_across,
    turned_page,
    slide,
    lists_in_columns,
    marginal_notes,
    drop_cap,
    panel_beside_columns,
    panel_at_the_side,
    slide_with_cards,
    slide_with_grid,
    slide_with_lists,
)


def found_order(path: Path) -> str:
    """Return the text of a page as it was read."""
    content = pdf.extract(path, ocr="never")
    blocks = structure(content, name=path.name, digest="0" * 64).blocks
    return " ".join(blocks.text[row] for row in range(len(blocks)))


def tau(told: Sequence[Sequence[str]], text: str) -> tuple[float, int]:
    """Return Kendall's tau of the lines that were found, and how many were not."""
    place = {word.strip("."): at for at, word in enumerate(text.replace("|", " ").split())}
    found = [place.get(max(line, key=len).strip("."), -1) for line in told]
    ranks = [at for at in found if at >= 0]
    pairs = len(ranks) * (len(ranks) - 1) / 2
    swapped = sum(after < before for at, before in enumerate(ranks) for after in ranks[at + 1 :])
    return 1 - 2 * swapped / max(pairs, 1), len(found) - len(ranks)


def measure(each: int, seed: int, folder: Path) -> dict[str, list[tuple[float, int]]]:
    scores: dict[str, list[tuple[float, int]]] = {}
    for layout in LAYOUTS:
        for number in range(each):
            name = layout.__name__
            dice = random.Random(f"{seed} {name} {number}")
            sheet = Sheet(dice, size=dice.choice([9.0, 10.0, 11.0]), font=dice.choice(["Times-Roman", "Helvetica"]))
            layout(sheet)
            path = folder / f"{name}-{number}.pdf"
            sheet.write(path)
            text = found_order(path)
            score = tau(sheet.told, text)
            if sheet.aside:
                score = max(score, tau(sheet.notes_last(), text))
            scores.setdefault(name, []).append(score)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="folder to leave the pages in")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        scores = measure(options.each, options.seed, folder)
    if options.json:
        print(json.dumps(scores))
        return
    for name, found in scores.items():
        taus = [score for score, _ in found]
        lost = sum(count for _, count in found)
        print(f"{name:22} mean {sum(taus) / len(taus):6.3f}  worst {min(taus):6.3f}  lines lost {lost}")
    taus = [score for found in scores.values() for score, _ in found]
    print(f"{len(taus)} pages: mean tau {sum(taus) / len(taus):.4f}, worst {min(taus):.3f}")


if __name__ == "__main__":
    main()
