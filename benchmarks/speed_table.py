"""The table of speeds in README.md, made again: each row by the benchmark that it names.

python benchmarks/speed_table.py FOLDER [--rows parse,scans,...] [--write]

FOLDER holds PDF files, some of them scans (the figures of README.md are of the 32 of MMLongBench-Doc). Prints the rows
as they stand in README.md; `--write` puts them there. Run it on a machine that does nothing else: about ten minutes,
and an hour more for `question-million`. Each question is asked once, so that nothing is found in a cache.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
Figures = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """A row of the table: what is measured, by which arguments of which benchmark, and how its JSON is told."""

    what: str
    arguments: tuple[str, ...]
    told: Callable[[Figures], str]

    @property
    def command(self) -> str:
        return " ".join(["python", *self.arguments])

    def measured(self, folder: str) -> str:
        given = [folder if argument == "FOLDER" else argument for argument in self.arguments]
        run = subprocess.run([sys.executable, *given, "--json"], capture_output=True, text=True, cwd=ROOT, check=False)
        if run.returncode:
            raise SystemExit(f"{self.command} failed:\n{run.stderr.strip()[-2000:]}")
        return self.told(json.loads(run.stdout.strip().splitlines()[-1]))

    def line(self, figure: str) -> str:
        return f"| {self.what} | {figure} | `{self.command}` |"


def born_digital(figures: Figures) -> str:
    group = figures["groups"][0]
    return f"{group['pages'] / group['seconds']:.0f} pages/s"


def scans(figures: Figures) -> str:
    group = figures["groups"][-1]
    return f"{group['recognition'] / group['recognized']:.2f} s/page"


def indexing(figures: Figures) -> str:
    return f"{figures['pages_per_second']:.0f} pages/s"


def embedding(figures: Figures) -> str:
    return f"{figures['passages per second']:.0f}/s"


def start(figures: Figures) -> str:
    return f"{figures['octavo --help']['wall median']:.2f} s / {figures['octavo ask']['wall median']:.1f} s"


def question(figures: Figures) -> str:
    stages = figures["all documents"]
    return f"{stages['first stage']['p50_ms']:.0f} ms / {stages['search']['p50_ms']:.0f} ms"


FIRST_STAGE = "benchmarks/first_stage.py"
ROWS = {
    "parse": Row("parse and structure, born-digital", ("benchmarks/parsing.py", "FOLDER"), born_digital),
    "scans": Row("read scanned pages (OCR)", ("benchmarks/parsing.py", "FOLDER", "--ocr"), scans),
    "index": Row("index with vectors, without OCR", ("benchmarks/index.py", "FOLDER", "--ocr", "never"), indexing),
    "index-ocr": Row(
        "the same with OCR of scans and of figures without text, one page in thirteen a scan",
        ("benchmarks/index.py", "FOLDER"),
        indexing,
    ),
    "embed": Row("embed passages of 250 tokens", ("benchmarks/embedding.py",), embedding),
    "start": Row("`octavo --help` / warm `octavo ask`", ("benchmarks/startup.py",), start),
    "question": Row("question over 100,000 passages, asked once: first stage / whole search", (FIRST_STAGE,), question),
    "question-million": Row("the same over 1,000,000", (FIRST_STAGE, "--passages", "1000000"), question),
}
LONG = ("question-million",)


def written(text: str, row: Row, line: str) -> str:
    """Return README.md with a row in the place of the one that has its command."""
    lines = text.splitlines(keepends=True)
    places = [at for at, old in enumerate(lines) if old.startswith("|") and f"`{row.command}`" in old]
    if len(places) != 1:
        raise SystemExit(f"README.md has {len(places)} rows with the command: {row.command}")
    lines[places[0]] = line + "\n"
    return "".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", help=f"names, with commas between; all but {', '.join(LONG)}. {', '.join(ROWS)}")
    parser.add_argument("--write", action="store_true", help="put the rows into README.md")
    options = parser.parse_args()
    names = options.rows.split(",") if options.rows else [name for name in ROWS if name not in LONG]
    unknown = [name for name in names if name not in ROWS]
    if unknown:
        parser.error(f"no row is called {unknown[0]}; there are {', '.join(ROWS)}")
    for name in names:
        row = ROWS[name]
        line = row.line(row.measured(str(options.folder.resolve())))
        print(line, flush=True)
        if options.write:
            README.write_text(written(README.read_text(encoding="utf-8"), row, line), encoding="utf-8")


if __name__ == "__main__":
    main()
