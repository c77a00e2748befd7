"""References and captions resolved, against the handbook's list and against generated documents.

    python benchmarks/references.py [--seed 1] [--documents 40] [--misses]

Prints precision and recall of (page, words, target page) for references, the share of captions tied to their table or
figure, and the time the linking takes. Entries of a table of contents are left out: they are links of another sort.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import re
import time
from collections.abc import Callable
from pathlib import Path

from octavo_documents.document import Document, LinkKind
from octavo_documents.parsing.content import Graphic, PageContent, SourceContent, Span, TextLine
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring import structure

EXAMPLES = Path(__file__).parent.parent / "examples"
WORDS = "tide pier mast gauge cable slip boat crew winter storm level depth swell reading sensor mooring".split()  # noqa: SIM905
Reference = tuple[int, str, int]
"""Page, words without punctuation, page of the target."""


@dataclasses.dataclass
class Score:
    """Counts over documents."""

    found: int = 0
    true: int = 0
    right: int = 0
    captions: int = 0
    tied: int = 0
    pages: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        return (
            f"references: precision {self.right / max(self.found, 1):.3f} recall {self.right / max(self.true, 1):.3f}"
            f" ({self.true} true, {self.found} found); captions tied {self.tied / max(self.captions, 1):.3f}"
            f" of {self.captions}; structuring {1000 * self.seconds / max(self.pages, 1):.2f} ms/page"
        )


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def found_in(document: Document) -> set[Reference]:
    links, blocks = document.links, document.blocks
    return {
        (int(blocks.page[links.source[at]]), plain(links.text[at]), int(blocks.page[links.target[at]]))
        for at in range(len(links))
        if links.kind_of(at) == LinkKind.REFERS_TO
    }


def add(score: Score, content: SourceContent, true: set[Reference], captions: list[str], *, left_out: set[int]) -> str:
    started = time.process_time()
    document = structure(content, name="x.pdf", digest="0" * 64)
    score.seconds += time.process_time() - started
    score.pages += len(content.pages)
    found = {reference for reference in found_in(document) if reference[0] not in left_out}
    links, texts = document.links, document.blocks.text
    tied = [plain(texts[links.source[at]]) for at in range(len(links)) if links.kind_of(at) == LinkKind.CAPTION_OF]
    score.found, score.true, score.right = (
        score.found + len(found),
        score.true + len(true),
        score.right + len(found & true),
    )
    score.captions += len(captions)
    score.tied += sum(any(text.startswith(plain(caption)[:40]) for text in tied) for caption in captions)
    return f"missed {sorted(true - found)} extra {sorted(found - true)}" if true != found else ""


def handbook(score: Score) -> str:
    truth = json.loads((EXAMPLES / "handbook.json").read_text("utf-8"))
    true = {(item["page"], plain(item["text"]), item["target_page"]) for item in truth["references"]}
    contents = {item["page"] for item in truth["contents"]}
    captions = [item["text"] for item in truth["captions"] if item["of"]]
    return add(score, extract(EXAMPLES / "handbook.pdf"), true, captions, left_out=contents)


class Writer:
    """Writes one document of pages with chapters, figures, tables and references to them."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.count = self.dice.randint(6, 12)
        self.offset = self.dice.choice([0, 0, 4])
        self.by_chapter = self.dice.random() < 0.5
        self.captions: list[str] = []
        self.true: set[Reference] = set()

    def write(self) -> tuple[SourceContent, set[Reference], list[str]]:
        return SourceContent(tuple(self.page(number) for number in range(1, self.count + 1))), self.true, self.captions

    def number(self, page: int) -> str:
        """Return the number of the figure and of the table on a page: counted through, or within its chapter."""
        return f"{page}.1" if self.by_chapter else str(page)

    def page(self, number: int) -> PageContent:
        lines = [line(f"{number} {self.words(2).title()}", 72, 72, size=16, bold=True)]
        height = self.paragraph(lines, 110, self.reference(number))
        box = (150.0, height + 10, 450.0, height + 150)
        label = self.dice.choice(["Figure", "Fig."])
        caption = f"{label} {self.number(number)}{self.dice.choice([':', '.'])} {self.words(5)}"
        lines.append(line(caption, 150, box[3] + 6, size=9))
        height = self.paragraph(lines, box[3] + 40, self.reference(number))
        title = f"Table {self.number(number)}{self.dice.choice([':', '.'])} {self.words(5)}"
        lines.append(line(title, 90, height + 10, size=9))
        for row in range(4):
            texts = (
                ["Site", "Depth", "Swell"]
                if row == 0
                else [self.words(1), *(str(self.dice.randint(10, 99)) for _ in "ab")]
            )
            lines.extend(line(text, 90 + 130 * at, height + 28 + 14 * row) for at, text in enumerate(texts))
        self.paragraph(lines, height + 110, self.reference(number, next_table=number + 1))
        lines.append(line(str(number + self.offset), 300, 760))
        self.captions.extend((caption, title))
        return PageContent(number, str(number), 612, 792, tuple(lines), (Graphic("image", box),))

    def reference(self, page: int, *, next_table: int = 0) -> str:
        """Return a sentence with a reference and note where it leads; `next_table` is the page of the next table."""
        target = self.dice.randint(1, self.count)
        name = self.number(target)
        forms: list[Callable[[], tuple[str, str, int]]] = [
            lambda: (f"This is shown in Figure {name} at length.", f"Figure {name}", target),
            lambda: (f"The values (see Table {name}) were kept.", f"Table {name}", target),
            lambda: (f"More stands in Section {target} and is not told here.", f"Section {target}", target),
            lambda: (f"It is told on page {target + self.offset} as well.", f"page {target + self.offset}", target),
            lambda: ("The following table has the rest.", "following table", next_table or page),
            lambda: ("Under Section 4 of the Harbour Act this was allowed.", "", 0),
            lambda: ("It was first told by Maclure (1998), p. 3, in passing.", "", 0),
            lambda: ("Nothing of it was kept in the end.", "", 0),
        ]
        sentence, words, where = self.dice.choice(forms)()
        if words and where <= self.count:
            self.true.add((page, plain(words), where))
        return sentence

    def words(self, count: int) -> str:
        return " ".join(self.dice.choice(WORDS) for _ in range(count))

    def paragraph(self, lines: list[TextLine], top: float, sentence: str) -> float:
        """Set a paragraph that holds a sentence; return the height under it."""
        words = f"{self.words(24).capitalize()}. {sentence} {self.words(20).capitalize()}.".split()
        row: list[str] = []
        for word in words:
            row.append(word)
            if sum(len(item) + 1 for item in row) > 85:
                lines.append(line(" ".join(row), 72, top, width=468))
                row, top = [], top + 12
        lines.append(line(" ".join(row), 72, top))
        return top + 12


def line(
    text: str, x: float, y: float, *, size: float = 10, bold: bool = False, width: float | None = None
) -> TextLine:
    box = (x, y, x + (width or 0.5 * size * len(text)), y + size)
    return TextLine(text, box, (Span(0, len(text), box, "Body", size, bold, italic=False, color=0),))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--documents", type=int, default=40)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    true, made = Score(), Score()
    wrong = [handbook(true)]
    print("handbook ", true)
    for at in range(options.documents):
        content, references, captions = Writer(options.seed * 1000 + at).write()
        wrong.append(add(made, content, references, captions, left_out=set()))
    print("generated", made)
    if options.misses:
        print(*filter(None, wrong), sep="\n")


if __name__ == "__main__":
    main()
