"""Writes the example slide deck and, beside it, what is truly on it: `deck.pdf` and `deck.json`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from deck.golden import golden
from deck.paint import paint
from deck.scan import bind, scanned
from deck.slides import SLIDES, TITLE

HERE = Path(__file__).parent


def write(path: Path) -> None:
    """Write the PDF to `path` and its structure to the same name with the ending `.json`."""
    pictures = [scanned(paint(slide, number), seed=number) for number, slide in enumerate(SLIDES, start=1)]
    path.write_bytes(bind(pictures, TITLE))
    structure = json.dumps(golden(), ensure_ascii=False, indent=1)
    path.with_suffix(".json").write_text(structure + "\n", encoding="utf-8")


def main() -> None:
    """Read the option and write the two files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=HERE / "deck.pdf", help="where to write the PDF")
    write(parser.parse_args().output)


if __name__ == "__main__":
    main()
