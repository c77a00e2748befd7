"""Writes the example handbook and, beside it, what is truly in it: `handbook.pdf` and `handbook.json`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from handbook.build import build
from handbook.golden import golden

HERE = Path(__file__).parent


def write(path: Path, *, outline: bool = True) -> None:
    """Write the PDF to `path` and its structure to the same name with the ending `.json`."""
    built = build(outline=outline)
    path.write_bytes(built.pdf)
    structure = json.dumps(golden(built), ensure_ascii=False, indent=1)
    path.with_suffix(".json").write_text(structure + "\n", encoding="utf-8")


def main() -> None:
    """Read the options and write the two files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, help="where to write the PDF (default: handbook.pdf beside this file)")
    parser.add_argument("--no-outline", action="store_true", help="leave out the PDF's own outline of its sections")
    options = parser.parse_args()
    name = "handbook-without-outline.pdf" if options.no_outline else "handbook.pdf"
    write(options.output or HERE / name, outline=not options.no_outline)


if __name__ == "__main__":
    main()
