"""`octavo evaluate --init FOLDER`: proposes questions about one's documents, in a file to correct."""

from __future__ import annotations

import json
import os
import shlex
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.about.proposals import Proposal, proposals
from octavo.cli import terminal
from octavo.corpus.index.sources import walk
from octavo.errors import OctavoError, SourceError, UsageError
from octavo_documents.reading import read
from octavo_documents.wording import t, translated

if TYPE_CHECKING:
    from octavo_lab.commands.evaluate_options import EvaluateOptions

FILE = "questions.jsonl"
_MOST_FILES, _MOST_QUESTIONS = 12, 24
"""Documents that are read for proposals, and questions that are proposed."""
_LEAST_EACH = 2


def propose(folder: str, options: EvaluateOptions) -> None:
    """Write proposals into FOLDER/questions.jsonl and say how to go on. A file that is there is never overwritten."""
    place = Path(folder).expanduser()
    target = place / FILE
    if target.exists():
        raise UsageError(f"{target} is there already: correct it, then run {_measuring(target)}")
    files = [one.path for one in islice((one for one in walk(str(place)) if not one.left_out), _MOST_FILES)]
    rows = _proposed(files, options)
    if not rows:
        raise OctavoError(f"no question was found in {place}: write some by hand ('docs/evaluation.md' says how)")
    try:
        target.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    except OSError as error:
        raise OctavoError(f"{target} cannot be written: {error.strerror}") from error
    documents = len({row["document"] for row in rows})
    terminal.write(translated(f"{len(rows)} questions about {documents} documents: {target}"))
    _open(target)
    how = "Correct them, take out what nobody asks, and add what is really asked (no answer: an empty list)."
    terminal.write(translated(how))
    terminal.write(t("Then: {command}", command=_measuring(target)))


def _proposed(files: list[str], options: EvaluateOptions) -> list[Proposal]:
    """Return the proposals of all files, as many of each; a file that cannot be read is named and left out."""
    each = max(_MOST_QUESTIONS // max(len(files), 1), _LEAST_EACH)
    rows: list[Proposal] = []
    for path in files:
        try:
            rows += proposals(read(path, password=options.password or os.environ.get("OCTAVO_PASSWORD")), each)
        except SourceError as error:
            terminal.note(f"octavo: left out: {terminal.one_line(str(error))}")
    return [{"id": str(at), **row} for at, row in enumerate(rows, 1)]


def _open(target: Path) -> None:
    """Open the file where somebody sits at a terminal and has an editor."""
    if (os.environ.get("VISUAL") or os.environ.get("EDITOR")) and sys.stdin.isatty() and sys.stdout.isatty():
        import click

        click.edit(filename=str(target))


def _measuring(target: Path) -> str:
    """Return the command that measures the file."""
    folder, out = shlex.quote(str(target.parent)), shlex.quote(str(target.parent / "measured"))
    return f"octavo evaluate {shlex.quote(str(target))} --documents {folder} --out {out}"
