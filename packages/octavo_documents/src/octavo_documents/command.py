"""The `octavo-documents` program: a file as Markdown, as JSON, or its outline."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from octavo_documents.document import Document, Section
from octavo_documents.errors import OctavoError
from octavo_documents.parsing.formats import SUFFIXES
from octavo_documents.reading import read
from octavo_documents.text.lines import on_one_line


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and leave with its exit status: 0 done, 1 a file could not be read, 2 wrong usage."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the program and return its exit status."""
    options = _parser().parse_args(list(arguments))
    if options.formats:
        sys.stdout.write(" ".join(SUFFIXES) + "\n")
        return 0
    if not options.files:
        _parser().print_usage(sys.stderr)
        return 2
    status = 0
    for name in options.files:
        try:
            document = read(name, password=os.environ.get("OCTAVO_PASSWORD"), ocr=options.ocr)
        except OctavoError as error:
            sys.stderr.write(f"octavo-documents: {error}\n")
            status = 1
            continue
        except KeyboardInterrupt:
            sys.stderr.write("octavo-documents: interrupted\n")
            return 130
        for warning in document.metadata.warnings:
            sys.stderr.write(f"octavo-documents: {document.name}: {warning}\n")
        status = _put(document, shown(document, options), options.out) or status
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="octavo-documents",
        description="Print a document as Markdown, as JSON with every block's page and box, or its outline.",
        epilog="A PDF or office file that asks for a password is opened with that in OCTAVO_PASSWORD.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="files to read")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="outline and blocks as JSON")
    how.add_argument("--outline", action="store_true", help="the sections with their pages")
    parser.add_argument("--pages", action="store_true", help="say in Markdown where each page begins")
    parser.add_argument(
        "--ocr",
        choices=("auto", "always", "never"),
        default="auto",
        help="pages read by OCR [default: those without text]",
    )
    parser.add_argument("--out", metavar="FOLDER", type=Path, help="write a file for each document there")
    parser.add_argument("--formats", action="store_true", help="list the endings of files that are read, and exit")
    return parser


def shown(document: Document, options: argparse.Namespace) -> tuple[str, str]:
    """Return what is printed of a document, and the ending of a file with it."""
    if options.json:
        return json.dumps(document.to_json(), ensure_ascii=False, indent=1) + "\n", ".json"
    if options.outline:
        return "".join(f"{line}\n" for section in document.outline for line in _lines(section)), ".txt"
    return document.to_markdown(pages=options.pages), ".md"


def _lines(section: Section) -> list[str]:
    title = on_one_line(section.title)
    lines = [f"{'  ' * (section.level - 1)}{title}  ({section.page})"]
    return [*lines, *(line for one in section.sections for line in _lines(one))]


def _put(document: Document, made: tuple[str, str], folder: Path | None) -> int:
    """Write what was made of a document; return the exit status."""
    text, ending = made
    try:
        if folder is None:
            sys.stdout.write(text)
            return 0
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / f"{document.name}{ending}"
        target.write_text(text, encoding="utf-8")
        sys.stdout.write(f"{target}\n")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        sys.stderr.write(f"octavo-documents: {error.filename or folder} cannot be written: {error.strerror}\n")
        return 1
    return 0
