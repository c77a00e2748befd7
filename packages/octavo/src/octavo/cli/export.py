"""`octavo export`: citations, or a whole document, in the formats of other programs."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from octavo.cli import context, terminal
from octavo.cli.options import CorpusOptions, ReadingOptions, command, text
from octavo.cli.settings import load
from octavo.errors import CorpusError, OctavoError, UsageError
from octavo.evidence.citation_ids import CitationId
from octavo_documents.parsing.formats import ending_of

if TYPE_CHECKING:
    from octavo.exports import Exported


_BEGINS_AS_ID = re.compile(r"[0-9a-f]{16}(-|$)")
"""What is meant for the id of a citation though it is none: an error says so."""
_LOOKED_AT = 64
"""Bytes by which a file that holds an answer is told."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ExportOptions(ReadingOptions, CorpusOptions):
    """The options of `export`."""

    format: str | None = text(
        "--format",
        "NAME",
        "Of citations bibtex, csl-json, ris, web-annotation, markdown (the default) or pdf; of a document markdown, "
        "html, json, docling, csv or xlsx.",
    )
    out: str | None = text("--out", "FILE", "File to write. [default: standard output]")
    base: str | None = text("--base", "URL", "Address of a server, for links that open there.")


Citations = Annotated[
    list[str],
    typer.Argument(
        metavar="CITATION...|FILE",
        help="Ids of citations, or files that 'octavo ask --json' wrote, - for standard input; or a document.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, ExportOptions)(export)


def export(citations: Citations, *, options: ExportOptions) -> None:
    """Write citations or a document in formats of other programs."""
    if _is_document(citations[0]):
        _export_document(citations, options)
        return
    answers = [*_answers(citations)]
    ids = [identity for _, found in answers for identity in found]
    answer = answers[0][0] if len(answers) == 1 else None
    from octavo import exports
    from octavo.exports.bundle import bundle_of

    with context.open_to_read(load(options.given())) as corpus:
        try:
            bundle = bundle_of(corpus, ids, answer=answer, base=options.base or "")
        except CorpusError as error:
            if error.reason != "unknown":
                raise
            raise CorpusError("unknown", f"{error} (looked in {corpus.path}; --corpus names another)") from error
        file = exports.export(bundle, options.format or "markdown")
    _write(file, options.out)


def _is_document(name: str) -> bool:
    """Whether a name is that of a document: a file that holds no answer, or what is neither a file nor an id."""
    if name == "-":
        return False
    if not context.is_there(name):
        try:
            CitationId.parse(name)
        except UsageError:
            return not _BEGINS_AS_ID.match(name)
        return False
    path = Path(name)
    if path.is_dir() or ending_of(path.name) == ".docling.json":
        return True
    with path.open("rb") as file:
        return not file.read(_LOOKED_AT).lstrip().startswith((b"{", b"["))


def _export_document(names: Sequence[str], options: ExportOptions) -> None:
    from octavo.exports.whole_documents import export_document

    if len(names) > 1:
        raise UsageError("one document is exported at a time, and not with citations")
    settings = load(options.given())
    with context.open_corpus(settings) as corpus:
        info = context.document_of(corpus, names[0], settings, options)
        file = export_document(corpus.document(info.id), options.format or "markdown")
    _write(file, options.out)


def _answers(given: Sequence[str]) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield the answers that are named, each with the ids of what it stands on; ids alone are of no answer."""
    from octavo.exports.bundle import stands_on

    ids = list[str]()
    for name in given:
        if name != "-" and not context.is_there(name):
            ids.append(name)
            continue
        value = _json(name)
        try:
            if isinstance(value, dict):
                found = stands_on(value)
            else:
                found = [row if isinstance(row, str) else str(row["id"]) for row in value]
        except (TypeError, KeyError):
            raise UsageError(
                f"{name} holds neither citations nor passages with ids: write it with 'octavo ask --json'"
            ) from None
        yield (value if isinstance(value, dict) else {}), found
    if ids:
        yield {}, ids


def _json(name: str) -> dict[str, Any] | list[Any]:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
        return json.loads(text)
    except (OSError, ValueError) as wrong:
        raise UsageError(f"{name} is no JSON: write it with 'octavo ask --json'") from wrong


def _write(file: Exported, out: str | None) -> None:
    if out is not None:
        try:
            Path(out).write_bytes(file.data)
        except OSError as error:
            raise OctavoError(f"{out} cannot be written: {error.strerror}; name another file with --out") from error
        terminal.write(terminal.one_line(out))
        return
    if file.name.endswith((".pdf", ".xlsx")) and terminal.is_terminal(sys.stdout):
        raise UsageError(f"{file.name} is nothing to show on a terminal: name a file with --out")
    sys.stdout.flush()
    sys.stdout.buffer.write(file.data)
