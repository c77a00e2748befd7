"""How fast flowing text becomes documents: articles and megabytes a second of one core, by format.

Run: python benchmarks/flow.py [--articles 300] [--words 700] [--seed 1] [--real ARTICLES.jsonl.gz]

Articles are generated: the same ones in every format, of a shape as encyclopedias have, with sections, links, notes,
lists, a table, a box and a picture. `--real` reads wikitext with known sections, a line of JSON each: {title, sections:
[{level, title, wikitext}]}; it also counts headings found again and marks left over. Times are CPU time. Where
mwparserfromhell is installed, its plain text is timed beside.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from octavo_documents.document import Kind
from octavo_documents.parsing import DEFAULT_LIMITS, wikitext
from octavo_documents.parsing.formats import read_flow
from octavo_documents.structuring.flow import flowing

_SOUNDS = "ba ri to mel an du ko ser vi na lo gra pen ti us or el ma quin se"
_SYLLABLES = _SOUNDS.split()
_AT_A_TIME = 20
_MARKS = re.compile(r"\{\{|\}\}|\[\[|\]\]|''|</?[a-z]+|\{\||\|\}|==")


@dataclass(frozen=True)
class Run:
    """A word or a few, and what is marked about it: "", bold, italic, link, note or measure."""

    words: str
    mark: str = ""


@dataclass(frozen=True)
class Part:
    """A heading, paragraph, item, table, box or picture, in the order of an article."""

    kind: str
    runs: tuple[Run, ...] = ()
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()


class Author:
    """Writes articles from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._lexicon = [self._word() for _ in range(3000)]

    def _word(self) -> str:
        return "".join(self._random.choices(_SYLLABLES, k=self._random.randint(1, 4)))

    def _some(self, least: int, most: int) -> str:
        return " ".join(self._random.choices(self._lexicon, k=self._random.randint(least, most)))

    def _runs(self, words: int) -> tuple[Run, ...]:
        runs: list[Run] = []
        while words > 0:
            mark = self._random.choices(("", "link", "note", "italic", "bold", "measure"), (60, 26, 8, 4, 1, 1))[0]
            found = self._some(*((6, 14) if not mark else (8, 20) if mark == "note" else (1, 3)))
            words -= 0 if mark == "note" else found.count(" ") + 1
            runs.append(Run(found, mark))
        return tuple(runs)

    def article(self, words: int) -> list[Part]:
        """Return the parts of an article of about so many words."""
        parts = [Part("box", rows=tuple((self._some(1, 2), self._some(1, 4)) for _ in range(10)))]
        parts.append(Part("picture", self._runs(8)))
        sections = max(words // 140, 1)
        for number in range(sections):
            parts += [Part("paragraph", self._runs(words // sections // 2)) for _ in range(2)]
            if number % 3 == 1:
                parts += [Part("item", self._runs(6), level=self._random.randint(1, 2)) for _ in range(5)]
            level = self._random.choice((2, 2, 3))
            parts.append(Part("heading", (Run(self._some(1, 4)),), level))
        rows = [tuple(self._some(1, 2) for _ in range(4)) for _ in range(6)]
        return [*parts, Part("table", rows=tuple(rows)), Part("paragraph", self._runs(20))]


_WIKI = {
    "": "{}",
    "bold": "'''{}'''",
    "italic": "''{}''",
    "link": "[[{0} (x)|{0}]]",
    "note": '<ref name="n">{{{{cite web|title={}|url=http://example.org/a|date=May 2010}}}}</ref>',
    "measure": "{{{{convert|5|km|mi}}}} {}",
}
_DOWN = {
    "": "{}",
    "bold": "**{}**",
    "italic": "*{}*",
    "link": "[{0}](https://example.org/a)",
    "note": "<!-- {} -->",
    "measure": "5 km {}",
}
_HTML = {
    "": "{}",
    "bold": "<b>{}</b>",
    "italic": "<i>{}</i>",
    "link": '<a href="https://example.org/a" title="{0}">{0}</a>',
    "note": "<!-- {} -->",
    "measure": "5 km {}",
}


def _said(part: Part, marks: dict[str, str]) -> str:
    return " ".join(marks[run.mark].format(run.words) for run in part.runs)


def as_wikitext(parts: Sequence[Part]) -> str:
    lines: list[str] = []
    for part in parts:
        said = _said(part, _WIKI)
        if part.kind == "box":
            lines += ["{{Infobox thing", *(f"| {name} = {value}" for name, value in part.rows), "}}"]
        elif part.kind == "table":
            lines += ['{| class="wikitable"', "! " + " !! ".join(part.rows[0])]
            lines += [line for row in part.rows[1:] for line in ("|-", "| " + " || ".join(row))] + ["|}"]
        else:
            marks = "=" * part.level
            shapes = {"heading": f"{marks} {said} {marks}", "item": f"{'*' * part.level} {said}"}
            lines.append(
                shapes.get(part.kind, f"[[File:a.jpg|thumb|{said}]]" if part.kind == "picture" else f"{said}\n")
            )
    return "\n".join(lines)


def as_markdown(parts: Sequence[Part]) -> str:
    lines: list[str] = []
    for part in parts:
        said = _said(part, _DOWN)
        if part.rows:
            head, *rows = (f"| {' | '.join(row)} |" for row in part.rows)
            lines += ["", head, "|---" * len(part.rows[0]) + "|", *rows, ""]
        else:
            shapes = {"heading": f"\n{'#' * part.level} {said}\n", "item": f"{'  ' * (part.level - 1)}- {said}"}
            lines.append(shapes.get(part.kind, f"![{said}](a.jpg)\n" if part.kind == "picture" else f"{said}\n"))
    return "\n".join(lines)


def as_html(parts: Sequence[Part]) -> str:
    return f"<html><body><main>{''.join(_html(part) for part in parts)}</main></body></html>"


def _html(part: Part) -> str:
    said = _said(part, _HTML)
    if part.rows:
        rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>\n" for row in part.rows)
        return f"<table>{rows}</table>\n"
    name = {"heading": f"h{part.level}", "item": "li", "picture": "figcaption"}.get(part.kind, "p")
    return f"<ul><li>{said}</li></ul>\n" if name == "li" else f"<{name}>{said}</{name}>\n"


FORMATS: dict[str, Callable[[Sequence[Part]], str]] = {".wiki": as_wikitext, ".md": as_markdown, ".html": as_html}


def timed(act: Callable[[Any], object], things: Sequence[Any]) -> float:
    """Return CPU seconds for all of them: of some at a time the best of five goes, since others use the machine too."""
    seconds = 0.0
    for start in range(0, len(things), _AT_A_TIME):
        taken: list[float] = []
        for _ in range(5):
            started = time.process_time()
            for thing in things[start : start + _AT_A_TIME]:
                act(thing)
            taken.append(time.process_time() - started)
        seconds += min(taken)
    return seconds


def whole(path: Path) -> None:
    flowing(read_flow(path, DEFAULT_LIMITS), name=path.name, digest="0" * 64)


def measure(name: str, suffix: str, sources: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{at}{suffix}" for at in range(len(sources))]
        for path, source in zip(paths, sources, strict=True):
            path.write_text(source, "utf-8")
        _row(name, len(paths), timed(whole, paths), sum(path.stat().st_size for path in paths))


def _row(name: str, count: int, seconds: float, size: int) -> None:
    rate = f"{count / seconds:>10,.0f} articles/s{size / seconds / 1e6:>8.1f} MB/s"
    print(f"{name:<28}{rate}{size / count / 1e3:>8.1f} kB each")


def by_library(name: str, sources: Sequence[str]) -> None:
    if importlib.util.find_spec("mwparserfromhell"):
        parse = importlib.import_module("mwparserfromhell").parse
        size = sum(len(source.encode()) for source in sources)
        _row(name, len(sources), timed(lambda source: parse(source).strip_code(), sources), size)


def real(path: Path) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """Yield the wikitext of each article, and its headings with their levels."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            sections: list[dict[str, Any]] = json.loads(line)["sections"]
            pieces: list[str] = []
            for section in sections:
                marks = "=" * section["level"]
                pieces.append(f"{marks} {section['title']} {marks}\n" if section["title"] else "")
                pieces.append(section["wikitext"] + "\n")
            yield "".join(pieces), [(one["title"], one["level"]) for one in sections if one["title"]]


def compare(articles: Sequence[tuple[str, list[tuple[str, int]]]]) -> None:
    """Print how many headings were found again with their levels, and in how many blocks marks are left over."""
    found = gold = left = blocks = 0
    for source, headings in articles:
        content = wikitext.read(source.encode())
        mine = Counter((block.text, block.level) for block in content.blocks if block.kind == Kind.HEADING)
        named = Counter((_shown(title), level) for title, level in headings)
        gold, found = gold + named.total(), found + (mine & named).total()
        words = [block.text for block in content.blocks if block.kind not in (Kind.CODE, Kind.FORMULA)]
        left += sum(bool(_MARKS.search(text)) for text in words)
        blocks += len(words)
    print(f"{found} of {gold} headings with their levels; marks left over in {left} of {blocks} blocks")


def _shown(title: str) -> str:
    return "".join(block.text for block in wikitext.read(title.encode()).blocks)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--articles", type=int, default=300)
    parser.add_argument("--words", type=int, default=700)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real", type=Path, help="wikitext with known sections, JSON lines, gzip")
    options = parser.parse_args()
    author = Author(options.seed)
    articles = [author.article(options.words) for _ in range(options.articles)]
    for suffix, written in FORMATS.items():
        measure(f"generated {suffix}", suffix, [written(parts) for parts in articles])
    by_library("generated, library", [as_wikitext(parts) for parts in articles])
    if options.real:
        known = list(real(options.real))
        measure("real .wiki", ".wiki", [source for source, _ in known])
        by_library("real, library", [source for source, _ in known[::5]])
        compare(known)


if __name__ == "__main__":
    main()
