"""Headings found by structuring, against the bookmarks of PDFs or their authors' own sources.

    python benchmarks/headings.py FOLDER... [--authors headings.jsonl] [--half 0|1] [--bookmarks hidden|used] [--misses]

**Gold.** For a file named in `--authors` (lines of {"document", "headings": [{"level", "title", "page"}]}) the author's
headings; else its bookmarks, where it has at least five. Entries whose words stand neither on their page nor on one
beside it are not printed there and cannot be found: they are left out, and counted under `absent`. An entry printed
only on the page before or after the one it leads to has that page.

**A match** is one found heading and one gold heading, each used once, in order: same page (where the gold knows pages)
and titles of edit similarity at least 0.9, letters and digits alone, with or without section numbers and their labels.
The document's title counts where the gold lists it and is left out where it does not.

**Precision** is over all found headings, **within** only over those the gold could know: bookmarks often list upper
levels alone, so headings deeper than its deepest entry (after the shift below) that match nothing are left out. **F1**
is of recall and precision, **F1 within** of recall and precision within. **Levels** is the share of matches with the
gold's level, after the one shift per file, -2 to 2, that suits most; level 6 of an author's source, used for unnumbered
abstracts, is not judged. Means count every file once. Halves are by hash of the file's name: develop on one, judge on
both.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import re
import statistics
import time
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from octavo.errors import OctavoError
from octavo_documents.document import Document, Kind
from octavo_documents.parsing.content import SourceContent
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring import structure
from octavo_documents.text.label_names import label_at

FEWEST = 5
SIMILAR = 0.9
UNJUDGED = 6
SHIFTS = (0, 1, -1, 2, -2)
NUMBER = re.compile(
    r"^\s*(?:(?:chapter|section|part|appendix)\s+(?:(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty)?[ -]?"
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen)\b|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty\b)?)?[\dIVXA-Z]{0,4}(?:\.\d+)*[.:)]?\s+",
    re.I,
)


@dataclasses.dataclass(frozen=True)
class Section:
    """One heading: title, level (1 is the highest) and physical page (1-based, 0 where the gold does not know it)."""

    title: str
    level: int
    page: int
    is_title: bool = False
    """The document's own title."""


@dataclasses.dataclass(frozen=True)
class Score:
    """Agreement of found sections with expected ones; all 0..1, as the module says."""

    precision: float
    within: float
    recall: float
    levels: float
    missed: tuple[Section, ...] = ()
    extra: tuple[Section, ...] = ()
    mislevelled: tuple[tuple[Section, Section], ...] = ()

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return harmonic(self.precision, self.recall)

    @property
    def f1_within(self) -> float:
        """Harmonic mean of precision within the gold's depth and recall."""
        return harmonic(self.within, self.recall)


def harmonic(a: float, b: float) -> float:
    return 2 * a * b / (a + b) if a + b else 0.0


def plain(text: str) -> str:
    """Return the letters and digits of a text, compatibility forms folded."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())


def forms(title: str) -> tuple[str, str]:
    """Return a title's plain text with its section number and without."""
    label = label_at(title)
    return plain(title), plain(title[label.stop :] if label else NUMBER.sub("", title))


def similarity(a: str, b: str) -> float:
    """Return 1 less the edit distance as a share of the longer text."""
    longest = max(len(a), len(b))
    if a == b:
        return float(longest > 0)
    if min(len(a), len(b)) < SIMILAR * longest:
        return 0.0
    row = list(range(len(b) + 1))
    for at, letter in enumerate(a, 1):
        before, row[0] = row[0], at
        for to, other in enumerate(b, 1):
            before, row[to] = row[to], min(row[to] + 1, row[to - 1] + 1, before + (letter != other))
    return 1.0 - row[-1] / longest


def is_same(found: Section, expected: Section) -> bool:
    """Return whether two sections are the same: one page where it is known, and titles that differ little."""
    if expected.page and found.page != expected.page:
        return False
    ours, theirs = forms(found.title), forms(expected.title)
    if not ours[0] or not theirs[0]:
        return found.title.lower().split() == expected.title.lower().split()
    return max(similarity(a, b) for a in ours for b in theirs) >= SIMILAR


def compare(found: Sequence[Section], expected: Sequence[Section]) -> Score:
    """Match sections in order, each once, and score them."""
    free = list(expected)
    pairs: list[tuple[Section, Section]] = []
    extra: list[Section] = []
    for section in found:
        match = next((other for other in free if is_same(section, other)), None)
        if match is not None:
            free.remove(match)
            pairs.append((section, match))
        elif not section.is_title:
            extra.append(section)
    judged = [(a, b) for a, b in pairs if not a.is_title and b.level < UNJUDGED]
    shift = max(SHIFTS, key=lambda shift: sum(a.level + shift == b.level for a, b in judged))
    wrong = [(a, b) for a, b in judged if a.level + shift != b.level]
    deepest = max((section.level for section in expected), default=0)
    known = sum(section.level + shift <= deepest for section in extra)
    return Score(
        precision=len(pairs) / max(len(pairs) + len(extra), 1),
        within=len(pairs) / max(len(pairs) + known, 1),
        recall=len(pairs) / max(len(expected), 1),
        levels=1 - len(wrong) / max(len(judged), 1),
        missed=tuple(free),
        extra=tuple(extra),
        mislevelled=tuple(wrong),
    )


def sections_of(document: Document) -> list[Section]:
    """Return the headings of a document, its title too."""
    blocks = document.blocks
    return [
        Section(blocks.text[row], int(blocks.level[row]), int(blocks.page[row]), blocks.kind_of(row) == Kind.TITLE)
        for row in range(len(blocks))
        if blocks.kind_of(row) in (Kind.HEADING, Kind.TITLE)
    ]


def bookmarks(content: SourceContent) -> list[Section]:
    """Return the outline's entries that are printed on their page or beside it, with the page they are printed on."""
    letters = [plain("".join(line.text for line in page.lines)) for page in content.pages]
    found: list[Section] = []
    for entry in content.outline:
        title = forms(entry.title)[1]
        pages = (entry.page, entry.page + 1, entry.page - 1)
        page = next((page for page in pages if 0 < page <= len(letters) and title in letters[page - 1]), 0)
        if title and page:
            found.append(Section(entry.title, entry.level, page))
    return found


def authors_headings(path: Path | None) -> dict[str, list[Section]]:
    """Return the gold of a file of authors' headings by the name of the document."""
    if path is None:
        return {}
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return {
        row["document"]: [Section(item["title"], item["level"], item["page"] or 0) for item in row["headings"]]
        for row in rows
    }


@dataclasses.dataclass(frozen=True)
class Gold:
    """What a file's headings truly are; `absent` entries of its outline are not printed."""

    sections: Sequence[Section]
    absent: int = 0


def gold_of(name: str, content: SourceContent, authors: Mapping[str, Sequence[Section]]) -> Gold | None:
    if name in authors:
        return Gold(authors[name])
    found = bookmarks(content)
    return Gold(found, len(content.outline) - len(found)) if len(found) >= FEWEST else None


def half_of(name: str) -> int:
    """Return 0 or 1 by the hash of a file's name."""
    return hashlib.sha256(name.encode()).digest()[0] % 2


def measure(name: str, content: SourceContent, gold: Gold, *, hidden: bool) -> tuple[Score, str]:
    """Return the score of one file, and its line of the table."""
    shown = dataclasses.replace(content, outline=()) if hidden else content
    started = time.process_time()
    document = structure(shown, name=name, digest="0" * 64)
    pace = 1000 * (time.process_time() - started) / max(len(content.pages), 1)
    found = sections_of(document)
    score = compare(found, gold.sections)
    return score, (
        f"{half_of(name)} {name[:36]:36s} {len(content.pages):4d} {pace:5.1f} {len(gold.sections):5d} {gold.absent:5d}"
        f" {len(found):5d}   {score.precision:.2f}   {score.within:.2f}   {score.recall:.2f}"
        f"  {score.f1:.3f}  {score.f1_within:.3f}  {score.levels:.2f}"
    )


def print_misses(score: Score) -> None:
    for kind, sections in (("missed", score.missed), ("extra", score.extra)):
        print(*(f"    {kind:6s} p{item.page} {item.level} {item.title[:90]}" for item in sections), sep="\n")
    print(*(f"    level  p{a.page} {a.level}, gold {b.level}: {b.title[:90]}" for a, b in score.mislevelled), sep="\n")


def print_means(scores: Mapping[str, Score]) -> None:
    for label, half in (("half 0", 0), ("half 1", 1), ("all", None)):
        chosen = [score for name, score in scores.items() if half in (None, half_of(name))]
        if chosen:
            names = ("precision", "within", "recall", "f1", "f1_within", "levels")
            means = (f"{name} {statistics.mean(getattr(score, name) for score in chosen):.3f}" for name in names)
            print(f"mean of {label}, {len(chosen)} files: {', '.join(means)}")


def read(folders: Sequence[Path]) -> dict[str, SourceContent]:
    contents: dict[str, SourceContent] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.pdf"))):
        try:
            contents[path.name] = extract(path)
        except OctavoError as error:
            print(f"{path.name}: {error}")
    return contents


def run(contents: Mapping[str, SourceContent], arguments: argparse.Namespace) -> None:
    authors = authors_headings(arguments.authors)
    for mode in [arguments.bookmarks] if arguments.bookmarks else ["hidden", "used"]:
        print(f"bookmarks {mode}: half, file, pages, ms/page of CPU, gold, absent, found, then")
        print(f"{'precision within recall F1 F1-within levels':>111s}")
        scores: dict[str, Score] = {}
        for name, content in contents.items():
            gold = gold_of(name, content, authors)
            if gold is None or arguments.half not in (None, half_of(name)):
                continue
            scores[name], line = measure(name, content, gold, hidden=mode == "hidden")
            print(line)
            if arguments.misses:
                print_misses(scores[name])
        print_means(scores)


def parse_arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--authors", type=Path)
    parser.add_argument("--half", type=int, choices=(0, 1))
    parser.add_argument("--bookmarks", choices=("hidden", "used"))
    parser.add_argument("--misses", action="store_true")
    return parser.parse_args(given)


def main() -> None:
    arguments = parse_arguments()
    run(read(arguments.folders), arguments)


if __name__ == "__main__":
    main()
