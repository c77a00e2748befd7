"""Octavo beside other readers of office files, mail and markup: seconds, memory, words kept, headings and tables found.

Run: python benchmarks/formats.py FOLDER [--peers PYTHON] [--limit 60] [--tools octavo,docling] [--worst 5] [--json]

PYTHON is the interpreter of an environment with any of docling, markitdown and kreuzberg. Each tool has a child process
that reads the files one after the other; a file that takes longer than the limit costs a new process. The first file is
read twice, so that what is loaded on first use is not counted. Octavo reads as its own child does, without OCR.

The words of a file are those that python-docx, python-pptx or openpyxl find in it, else those that two of the tools do.
A word counts as often as it stands there. Headings and tables are those of the tool's own Markdown, of Octavo its
blocks: their number says nothing of whether they are right.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import queue
import re
import resource
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOOLS = ("octavo", "docling", "markitdown", "kreuzberg")
WORD = re.compile(r"[^\W_]+")
COMMAND = re.compile(r"\\(?:begin|end|label|ref|eqref|cite[a-z]*)\s*\{[^{}]*\}|\\[A-Za-z]+")
HEADING, TABLE = re.compile(r"^#{1,6} ", re.M), re.compile(r"^\|?[ :]*-{2,}[-| :]*\|[-| :]*$", re.M)
GROUPS = {
    ".docx": "DOCX", ".odt": "ODT, ODP, ODS", ".odp": "ODT, ODP, ODS", ".ods": "ODT, ODP, ODS", ".pptx": "PPTX",
    ".xlsx": "XLSX", ".xls": "XLS", ".csv": "CSV", ".epub": "EPUB", ".eml": "mail", ".msg": "mail", ".tex": "LaTeX",
    ".asciidoc": "AsciiDoc", ".adoc": "AsciiDoc", ".nxml": "JATS", ".ipynb": "notebooks", ".rtf": "RTF",
}  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """What a tool made of a file; `text` is None where it refused or failed."""

    text: str | None
    headings: int = 0
    tables: int = 0
    seconds: float = 0.0
    memory: float = 0.0
    """The most MiB that the process has taken so far."""
    error: str = ""


# In the child


def _octavo() -> Callable[[str], tuple[str, int, int]]:
    from octavo_documents.document import Kind
    from octavo_documents.parsing import DEFAULT_LIMITS
    from octavo_documents.parsing.formats import read_flow
    from octavo_documents.structuring.flow import flowing

    def read(path: str) -> tuple[str, int, int]:
        blocks = flowing(read_flow(Path(path), DEFAULT_LIMITS), name="", digest="0" * 64).blocks
        kinds = Counter(map(int, blocks.kind))
        return "\n".join(blocks.text), kinds[Kind.HEADING] + kinds[Kind.TITLE], kinds[Kind.TABLE]

    return read


def _marked(text: str) -> tuple[str, int, int]:
    return text, len(HEADING.findall(text)), len(TABLE.findall(text))


def _docling() -> Callable[[str], tuple[str, int, int]]:
    docling: Any = importlib.import_module("docling.document_converter")
    converter = docling.DocumentConverter()
    return lambda path: _marked(converter.convert(path).document.export_to_markdown())


def _markitdown() -> Callable[[str], tuple[str, int, int]]:
    markitdown: Any = importlib.import_module("markitdown")
    converter = markitdown.MarkItDown()
    return lambda path: _marked(converter.convert(path).text_content)


def _kreuzberg() -> Callable[[str], tuple[str, int, int]]:
    kreuzberg: Any = importlib.import_module("kreuzberg")
    config = kreuzberg.ExtractionConfig(output_format="markdown")
    return lambda path: _marked(kreuzberg.extract_file_sync(path, config=config).content)


READERS: dict[str, Callable[[], Callable[[str], tuple[str, int, int]]]] = {
    "octavo": _octavo,
    "docling": _docling,
    "markitdown": _markitdown,
    "kreuzberg": _kreuzberg,
}


def serve(tool: str) -> None:
    """Read the files named on stdin; a JSON line out for each."""
    out, sys.stdout = sys.stdout, sys.stderr
    read = READERS[tool]()
    for line in sys.stdin:
        start, told = time.perf_counter(), dict[str, Any]()
        try:
            told["text"], told["headings"], told["tables"] = read(line.rstrip("\n"))
        except BaseException as error:  # noqa: BLE001  (whatever it is, it is this file's)
            told["error"] = f"{type(error).__name__}: {error}"[:300]
        told["seconds"] = time.perf_counter() - start
        told["memory"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        out.write(json.dumps(told) + "\n")
        out.flush()


# In the parent


class Child:
    """The process of one tool, started anew where a file took it too long."""

    def __init__(self, tool: str, python: str, limit: float) -> None:
        self._tool, self._python, self._limit = tool, python, limit
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read(self, path: Path) -> Reading:
        """Return what the tool makes of a file."""
        process = self._process or self._started()
        assert process.stdin is not None
        process.stdin.write(f"{path.absolute()}\n")
        process.stdin.flush()
        try:
            line = self._lines.get(timeout=self._limit)
        except queue.Empty:
            line = ""
        if not line:
            self.close()
            return Reading(None, seconds=self._limit, error="it took too long or died")
        told = json.loads(line)
        return Reading(
            told.get("text"), told.get("headings", 0), told.get("tables", 0), told["seconds"], told["memory"],
            told.get("error", ""),
        )  # fmt: skip

    def _started(self) -> subprocess.Popen[str]:
        command = [self._python, __file__, "--read", self._tool]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._process, lines = process, queue.SimpleQueue[str]()
        self._lines = lines

        def listen() -> None:
            for line in process.stdout or ():
                lines.put(line)
            lines.put("")

        threading.Thread(target=listen, daemon=True).start()
        return process

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def oracle(path: Path) -> str | None:
    """Return the words of a file by the library that is known best for its format, None where there is none."""
    try:
        if path.suffix == ".docx":
            import docx

            opened: Any = docx.Document(str(path))
            return "".join(_document(opened.element.body))
        if path.suffix == ".pptx":
            from pptx import Presentation

            return "\n".join(_shapes(shape) for slide in Presentation(str(path)).slides for shape in slide.shapes)
        if path.suffix == ".xlsx":
            import openpyxl

            book = openpyxl.load_workbook(path, data_only=True)
            sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
            rows = (row for sheet in sheets for row in sheet.iter_rows(values_only=True))
            return "\n".join(value for row in rows for value in row if isinstance(value, str))
    except Exception:  # noqa: BLE001  (a file that it does not read has no oracle)
        return None
    return None


def _document(element: Any) -> Iterator[str]:
    """Yield the words of an element of a Word file, those that stand there for older programs left out."""
    name = str(element.tag).rpartition("}")[2]
    if name == "t":
        yield element.text or ""
    elif name != "Fallback":
        for inner in element:
            yield from _document(inner)
        if name in ("p", "br", "tab", "cr", "noBreakHyphen"):
            yield " "


def _shapes(shape: Any) -> str:
    if shape.has_text_frame:
        return shape.text_frame.text
    if getattr(shape, "has_table", False):
        return "\n".join(cell.text for row in shape.table.rows for cell in row.cells if not cell.is_spanned)
    return "\n".join(_shapes(inner) for inner in getattr(shape, "shapes", ()))


def words(text: str) -> Counter[str]:
    """Return how often each word stands in a text, commands of LaTeX left out."""
    return Counter(WORD.findall(COMMAND.sub(" ", text).lower()))


def true_words(path: Path, readings: dict[str, Reading]) -> Counter[str]:
    """Return the words of a file: of its oracle, else those that two tools found, as often as the second of them."""
    told = oracle(path)
    if told is not None:
        return words(told)
    counts = [words(reading.text) for reading in readings.values() if reading.text is not None]
    if len(counts) < 2:
        return counts[0] if counts else Counter()
    return Counter({word: sorted(one[word] for one in counts)[-2] for word in {word for one in counts for word in one}})


def measured(files: list[Path], tools: dict[str, Child]) -> Iterator[tuple[Path, dict[str, Reading], Counter[str]]]:
    """Yield each file with what the tools made of it and its words."""
    for tool in tools.values():
        tool.read(files[0])
    for path in files:
        readings = {name: tool.read(path) for name, tool in tools.items()}
        yield path, readings, true_words(path, readings)


def kept(reading: Reading, true: Counter[str]) -> float:
    """Return the share of a file's words that a tool kept."""
    found = words(reading.text or "")
    return (found & true).total() / true.total()


def table(rows: list[tuple[Path, dict[str, Reading], Counter[str]]], worst: int) -> None:
    groups: dict[str, list[tuple[Path, dict[str, Reading], Counter[str]]]] = defaultdict(list)
    for row in rows:
        groups[GROUPS.get(row[0].suffix.lower(), "others")].append(row)
    print(
        f"{'format':14} {'files':>5}  {'tool':10} {'read':>5} {'words':>7} {'headings':>8} {'tables':>6} "
        f"{'s a file':>9}"
    )
    for group, inside in [*sorted(groups.items()), ("all", rows)]:
        for tool in inside[0][1]:
            here = [(one[tool], true) for _, one, true in inside]
            read = [reading for reading, _ in here if reading.text is not None]
            shares = [kept(reading, true) for reading, true in here if true]
            seconds = sum(reading.seconds for reading, _ in here) / len(here)
            share = sum(shares) / len(shares) if shares else 0.0
            print(
                f"{group:14} {len(inside):5}  {tool:10} {len(read):5} {share:7.3f} "
                f"{sum(one.headings for one in read):8} {sum(one.tables for one in read):6} {seconds:9.3f}"
            )
    for tool in rows[0][1]:
        print(f"{tool}: at most {max(one[tool].memory for _, one, _ in rows):,.0f} MiB")
    found = sorted(
        (kept(one["octavo"], true), str(path), true - words(one["octavo"].text or ""))
        for path, one, true in rows
        if true
    )
    for share, path, lost in found[:worst]:
        print(f"{share:.3f} {path}: {', '.join(f'{word} {count}' for word, count in lost.most_common(12))}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--peers", default=sys.executable, help="interpreter of the other tools")
    parser.add_argument("--tools", default=",".join(TOOLS))
    parser.add_argument("--limit", type=float, default=60.0, help="seconds a file may take")
    parser.add_argument("--worst", type=int, default=5, help="files shown of which Octavo loses most")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--read", choices=TOOLS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        serve(options.read)
        return
    from octavo_documents.parsing.formats import FLOWING

    files = sorted(path for path in options.folder.rglob("*") if path.suffix.lower() in FLOWING)
    tools = {
        name: Child(name, sys.executable if name == "octavo" else options.peers, options.limit)
        for name in options.tools.split(",")
        if name == "octavo" or _has(options.peers, name)
    }
    rows = list(measured(files, tools))
    for tool in tools.values():
        tool.close()
    if options.json:
        told = [
            {"file": path.name, "words": true.total(), **{
                name: {"kept": kept(one, true) if true else None, "seconds": one.seconds, "error": one.error}
                for name, one in readings.items()
            }}
            for path, readings, true in rows
        ]  # fmt: skip
        print(json.dumps(told, indent=1))
    else:
        table(rows, options.worst)


def _has(python: str, package: str) -> bool:
    if python == sys.executable:
        return importlib.util.find_spec(package) is not None
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
    return subprocess.run([python, "-c", code], check=False).returncode == 0


if __name__ == "__main__":
    main()
