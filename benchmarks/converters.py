"""octavo-documents beside others: the same files to Markdown, one after the other.

    python -m venv RIVALS && RIVALS/bin/pip install pymupdf 'markitdown[pdf,docx,pptx]' liteparse docling
    python benchmarks/converters.py FOLDER... --peers RIVALS/bin/python [--headings headings.jsonl] [--tools NAMES]
    python benchmarks/converters.py FOLDER... --peers RIVALS/bin/python --office

PDFs are read by pymupdf4llm, markitdown and LiteParse, with `--office` DOCX and PPTX by docling and markitdown:
docling's models for PDFs are a download, and `docling-slim[format-office]` with torch reads office files without them.

Each tool has a process of its own for each file, and is asked for Markdown as its own page says, without OCR. All is
told of that Markdown alone, Octavo's too. Of office files the gold is what the libraries for them find
(`office_gold.py`), seconds are those of a file, and words the share that is kept, for comments, heads and descriptions
of pictures, which some tools read, are not in the gold. Levels are not judged there: where a file has a title, tools
begin with its headings on the first level or on the second.

* **seconds** is processor time a page, all threads, without what the tool takes to start: a file is read twice, the
  first reading does not count. Octavo reads in the process, as its own child does.
* **words** is the F1 of the words in it, as often as they stand there, against pdftotext of poppler, which is none of
  the tools; running heads, which some leave out on purpose, count as missing.
* **headings** is the F1 of headings against those of the authors' source (lines of {"document", "headings":
  [{"level", "title"}]}), **levels** the share of those found that have the right one, by the rules of `headings.py`.
* **tables** is the F1 of the relations of neighbouring cells against NAME-str.xml beside a file, as the ICDAR 2013
  competition counts them: cells without text are passed over, spaces are not compared.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import json
import re
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any
from xml.etree import ElementTree

import office_gold

WORD = re.compile(r"[^\W_]+")
HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.+?)\s*#*$", re.M)
MARKUP = re.compile(r"<!--.*?-->|</?[a-z][^>]*>|!?\[([^\]]*)\]\([^)]*\)|[*`\\]+|(?<!\w)_+|_+(?!\w)", re.S)
RULE = re.compile(r"^\|?(\s*:?-{1,}:?\s*\|)+\s*(:?-+:?)?\s*$")
LIMIT = 300.0
"""Seconds a file may take."""


# In the child


def _octavo() -> Callable[[str], str]:
    from octavo_documents.parsing import DEFAULT_LIMITS
    from octavo_documents.parsing.formats import is_flowing, read_flow
    from octavo_documents.parsing.pdf import extract
    from octavo_documents.structuring import structure
    from octavo_documents.structuring.flow import flowing

    def read(path: str) -> str:
        if is_flowing(Path(path)):
            content = read_flow(Path(path), DEFAULT_LIMITS)
            return flowing(content, name=Path(path).name, digest="0" * 64).to_markdown()
        return structure(extract(Path(path)), name=Path(path).name, digest="0" * 64).to_markdown()

    return read


def _pymupdf4llm() -> Callable[[str], str]:
    library: Any = importlib.import_module("pymupdf4llm")
    return lambda path: library.to_markdown(path, use_ocr=False, show_progress=False)


def _markitdown() -> Callable[[str], str]:
    converter: Any = importlib.import_module("markitdown").MarkItDown()
    return lambda path: converter.convert(path).text_content


def _docling() -> Callable[[str], str]:
    converter: Any = importlib.import_module("docling.document_converter").DocumentConverter()
    return lambda path: converter.convert(path).document.export_to_markdown()


def _liteparse() -> Callable[[str], str]:
    reader: Any = importlib.import_module("liteparse").LiteParse(
        ocr_enabled=False, output_format="markdown", quiet=True
    )
    return lambda path: reader.parse(path).text


TOOLS: Mapping[str, tuple[str, Callable[[], Callable[[str], str]]]] = {
    "octavo": ("octavo-documents", _octavo),
    "pymupdf4llm": ("pymupdf4llm", _pymupdf4llm),
    "markitdown": ("markitdown", _markitdown),
    "liteparse": ("liteparse", _liteparse),
    "docling": ("docling-slim", _docling),
}
"""By name: the package, and what gives a function from a file's path to Markdown."""
OF_PDFS, OF_OFFICE = ("octavo", "pymupdf4llm", "markitdown", "liteparse"), ("octavo", "docling", "markitdown")


def convert(tool: str, path: str) -> None:
    """Print what a tool makes of a file, and the processor time that it took, as JSON."""
    out, sys.stdout = sys.stdout, sys.stderr
    package, made = TOOLS[tool]
    read = made()
    read(path)
    start = spent()
    text = read(path)
    seconds = spent() - start
    json.dump({"text": text, "seconds": seconds, "version": importlib.metadata.version(package)}, out)


def spent() -> float:
    """Return the processor time of this process and of those that it has ended, in seconds."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


# In the parent


@dataclass(frozen=True)
class Gold:
    """What is known of a file: its pages, its words, and, where somebody wrote them down, its headings and tables."""

    pages: int
    words: Counter[str]
    headings: tuple[tuple[int, str], ...] = ()
    relations: Counter[tuple[str, str, str]] | None = None
    is_office: bool = False
    """Whether it is of an office file: words are those kept then, and levels of headings are not judged."""


def gold_of(path: Path, authors: Mapping[str, list[tuple[int, str]]]) -> Gold:
    """Return what is known of a file."""
    if path.suffix != ".pdf":
        tables = (related(cells) for cells in office_gold.tables_of(path))
        relations = sum(tables, Counter[tuple[str, str, str]]())
        headings = tuple(office_gold.headings_of(path))
        return Gold(1, words(office_gold.words_of(path)), headings, relations or None, is_office=True)
    text = subprocess.run(["pdftotext", "-enc", "UTF-8", str(path), "-"], check=True, capture_output=True).stdout
    told = text.decode("utf-8", "replace")
    truth = path.with_name(f"{path.stem}-str.xml")
    relations = Counter[tuple[str, str, str]]()
    for table in ElementTree.parse(truth).iterfind(".//table") if truth.exists() else ():
        relations += related(spans(table))
    return Gold(told.count("\f"), words(told), tuple(authors.get(path.name, ())), relations if truth.exists() else None)


Spans = Mapping[tuple[int, int], tuple[str, int, int]]
"""By row and column of its first corner: the text of a cell, and how many rows and columns it covers."""


def spans(table: ElementTree.Element) -> Spans:
    """Return the cells of a table of ICDAR's gold, regions on later pages below those before."""
    found, below = dict[tuple[int, int], tuple[str, int, int]](), 0
    for region in table.iterfind("region"):
        lowest = 0
        for cell in region.iterfind("cell"):
            row, column = int(cell.get("start-row", 0)), int(cell.get("start-col", 0))
            down = int(cell.get("end-row", row)) - row + 1
            across = int(cell.get("end-col", column)) - column + 1
            found[row + below, column] = ("".join((cell.findtext("content") or "").split()), down, across)
            lowest = max(lowest, row + down)
        below += lowest
    return found


def related(cells: Spans) -> Counter[tuple[str, str, str]]:
    """Return the relations of cells to the next cell with text to the right and below, once each."""
    at = dict[tuple[int, int], tuple[int, int]]()
    for (row, column), (text, down, across) in cells.items():
        if text:
            at.update({(row + y, column + x): (row, column) for y in range(down) for x in range(across)})
    height = max((row for row, _ in at), default=-1) + 1
    width = max((column for _, column in at), default=-1) + 1
    pairs = set[tuple[tuple[int, int], tuple[int, int], str]]()
    lines = [([(row, column) for column in range(width)], "right") for row in range(height)]
    lines += [([(row, column) for row in range(height)], "below") for column in range(width)]
    for line, which in lines:
        filled = [at[place] for place in line if place in at]
        pairs.update((one, other, which) for one, other in pairwise(filled) if one != other)
    return Counter((cells[one][0], cells[other][0], which) for one, other, which in pairs)


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text.casefold()))


def plain(markdown: str) -> str:
    """Return Markdown without its marks."""
    return MARKUP.sub(lambda found: found[1] or "", markdown)


def tables_in(markdown: str) -> Iterator[Spans]:
    """Yield the tables with pipes in a text."""
    rows, lines = list[list[str]](), [*markdown.splitlines(), ""]
    for line in lines:
        if line.lstrip().startswith("|"):
            inner = line.strip().strip("|")
            if not RULE.match(line.strip()):
                rows.append([plain(text).replace("<br>", "") for text in re.split(r"(?<!\\)\|", inner)])
            continue
        if rows:
            yield {
                (at, column): ("".join(text.split()), 1, 1)
                for at, row in enumerate(rows)
                for column, text in enumerate(row)
            }
        rows = []


def f1(found: Counter[Any], true: Counter[Any]) -> float:
    return 2 * (found & true).total() / max(found.total() + true.total(), 1)


def scored(markdown: str, gold: Gold) -> dict[str, float]:
    """Return the figures of a file's Markdown."""
    from headings import Section, compare, harmonic

    read = words(plain(markdown))
    kept = (read & gold.words).total() / max(gold.words.total(), 1)
    found = {"words": kept if gold.is_office else f1(read, gold.words)}
    if gold.headings:
        named = [Section(plain(title), len(marks), 0) for marks, title in HEADING.findall(markdown)]
        score = compare(named, [Section(title, level or 1, 0, is_title=not level) for level, title in gold.headings])
        found["headings"] = harmonic(score.within, score.recall)
        if score.recall and not gold.is_office:
            found["levels"] = score.levels
    if gold.relations is not None:
        relations = sum((related(table) for table in tables_in(markdown)), Counter[tuple[str, str, str]]())
        found["tables"] = f1(relations, gold.relations)
    return found


def run(tool: str, python: str, path: Path) -> dict[str, Any]:
    """Return what a tool made of a file in a process of its own; {} where it failed or took too long."""
    command = [python, __file__, "--read", tool, str(path)]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=LIMIT)
        return json.loads(done.stdout)
    except (subprocess.SubprocessError, ValueError):
        return {}


def measure(
    files: Sequence[Path], tools: Sequence[str], python: str, authors: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return for each tool its version and the means of its figures; a file that it fails counts 0."""
    rows: dict[str, list[dict[str, float]]] = {tool: [] for tool in tools}
    versions = dict[str, str]()
    for path in files:
        gold = gold_of(path, authors)
        for tool in tools:
            told = run(tool, sys.executable if tool == "octavo" else python, path)
            versions.setdefault(tool, told.get("version", ""))
            row = scored(told.get("text", ""), gold)
            rows[tool].append(row | ({"seconds": told["seconds"] / max(gold.pages, 1)} if told else {"failed": 1.0}))
            print(path.name, tool, {name: round(value, 3) for name, value in rows[tool][-1].items()}, file=sys.stderr)
    return {tool: {"version": versions[tool], **means(rows[tool])} for tool in tools}


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for row in rows for name in row)
    found = {name: mean(row[name] for row in rows if name in row) for name in names if name != "failed"}
    return found | {"files": float(len(rows)), "failed": sum(row.get("failed", 0.0) for row in rows)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--peers", default=sys.executable, help="interpreter of the other tools")
    parser.add_argument("--headings", type=Path, help="the authors' headings, a JSON line a document")
    parser.add_argument("--office", action="store_true", help="DOCX and PPTX in the place of PDFs")
    parser.add_argument("--tools")
    parser.add_argument("--read", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        convert(*options.read)
        return
    lines = options.headings.read_text(encoding="utf-8").splitlines() if options.headings else []
    authors = {
        row["document"]: [(item["level"], item["title"]) for item in row["headings"]] for row in map(json.loads, lines)
    }
    there = sorted(path for folder in options.folders for path in folder.iterdir())
    files = [path for path in there if (office_gold.is_office(path) if options.office else path.suffix == ".pdf")]
    tools = options.tools.split(",") if options.tools else OF_OFFICE if options.office else OF_PDFS
    found = measure(files, tools, options.peers, authors)
    names = dict.fromkeys(name for row in found.values() for name in row)
    print(f"{'':14}" + "".join(f"{name:>10}" for name in names))
    for tool, row in found.items():
        cells = (row.get(name, "") for name in names)
        print(f"{tool:14}" + "".join(f"{cell:>10.3f}" if isinstance(cell, float) else f"{cell:>10}" for cell in cells))


if __name__ == "__main__":
    main()
