"""Headings found without a file's outline, against that outline; and the time structuring takes.

    python benchmarks/headings.py FOLDER [--misses]

For every PDF with an outline, the outline is hidden, headings are found from the pages alone and compared: precision
and recall on (title, page), and how many of those found have the level of the outline, up to one shift per file.
Entries whose words do not stand on their page are left out, as are outlines with fewer than eight entries left.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from octavo.document import Document, Kind
from octavo.errors import OctavoError
from octavo.parsing.content import SourceContent
from octavo.parsing.pdf import extract
from octavo.structuring import structure

FEWEST = 8
NUMBER = re.compile(r"^\s*(?:(?:chapter|section|part|appendix)\s+)?[\dIVXA-Z]{0,4}(?:\.\d+)*[.:)]?\s+", re.I)


@dataclasses.dataclass(frozen=True)
class Section:
    """One heading: title, level (1 is the highest) and physical page."""

    title: str
    level: int
    page: int


@dataclasses.dataclass(frozen=True)
class Score:
    """Agreement of found sections with expected ones; all 0..1. `levels` is over the matched ones."""

    precision: float
    recall: float
    levels: float
    missed: tuple[Section, ...]
    extra: tuple[Section, ...]

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def plain(text: str) -> str:
    """Return the letters and digits of a title, without its section number."""
    text = re.sub(
        r"^\s*(?:(?:chapter|section|part|appendix)\s+)?[\dIVXA-Z]{0,4}(?:\.\d+)*[.:)]?\s+", "", text, flags=re.I
    )
    return "".join(character for character in text.lower() if character.isalnum())


def is_same(found: Section, expected: Section) -> bool:
    """Tell whether two sections are the same: neighbouring pages, and one title the start of the other at least."""
    if abs(found.page - expected.page) > 1:
        return False
    a, b = plain(found.title), plain(expected.title)
    if not a or not b:
        return found.title.lower().split() == expected.title.lower().split()
    short, long = sorted((a, b), key=len)
    return a == b or (short in long and len(short) >= 0.6 * len(long))


def compare(found: Sequence[Section], expected: Sequence[Section]) -> Score:
    """Match sections in order, each once."""
    free = list(expected)
    pairs: list[tuple[Section, Section]] = []
    extra: list[Section] = []
    for section in found:
        match = next((other for other in free if is_same(section, other)), None)
        if match is None:
            extra.append(section)
        else:
            free.remove(match)
            pairs.append((section, match))
    shifts = range(-2, 3)
    agreeing = max((sum(a.level + shift == b.level for a, b in pairs) for shift in shifts), default=0)
    return Score(
        precision=len(pairs) / max(len(found), 1),
        recall=len(pairs) / max(len(expected), 1),
        levels=agreeing / max(len(pairs), 1),
        missed=tuple(free),
        extra=tuple(extra),
    )


def sections_of(document: Document) -> list[Section]:
    """Return the headings of a document, its title too."""
    blocks = document.blocks
    return [
        Section(blocks.text[row], int(blocks.level[row]), int(blocks.page[row]))
        for row in range(len(blocks))
        if blocks.kind[row] in (Kind.HEADING, Kind.TITLE)
    ]


def expected_of(content: SourceContent) -> list[Section]:
    """Return the outline's entries whose words stand on their page."""
    letters = ["".join(plain(line.text) for line in page.lines) for page in content.pages]
    return [
        Section(entry.title, entry.level, entry.page)
        for entry in content.outline
        if 0 < entry.page <= len(letters) and plain(entry.title) and plain(entry.title) in letters[entry.page - 1]
    ]


def report(path: Path, content: SourceContent, *, misses: bool) -> Score | None:
    started = time.process_time()
    document = structure(dataclasses.replace(content, outline=()), name=path.name, digest="0" * 64)
    pace = 1000 * (time.process_time() - started) / max(len(content.pages), 1)
    expected, found = expected_of(content), sections_of(document)
    line = f"{path.name[:44]:45s} {len(content.pages):4d} pages {pace:5.1f} ms/page {len(found):4d} found"
    if len(expected) < FEWEST:
        print(line)
        return None
    score = compare(found, expected)
    print(
        f"{line} {len(expected):4d} expected  precision {score.precision:.2f} recall {score.recall:.2f}"
        f" F1 {score.f1:.2f} levels {score.levels:.2f}"
    )
    if misses:
        print(*(f"    missed p{item.page} {item.level} {item.title[:90]}" for item in score.missed), sep="\n")
        print(*(f"    extra  p{item.page} {item.level} {item.title[:90]}" for item in score.extra), sep="\n")
    return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--misses", action="store_true")
    arguments = parser.parse_args()
    scores: list[Score] = []
    for path in sorted(arguments.folder.glob("*.pdf")):
        try:
            score = report(path, extract(path), misses=arguments.misses)
        except OctavoError as error:
            print(f"{path.name}: {error}")
            continue
        scores.extend([score] if score else [])
    for name in ("precision", "recall", "f1", "levels"):
        print(
            f"mean {name} {statistics.mean(getattr(score, name) for score in scores):.3f}" if scores else "no outlines"
        )


if __name__ == "__main__":
    main()
