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
from octavo.errors import CorpusError, UsageError

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.exports import Exported
    from octavo.exports.bundle import Bundle


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
        "Of citations bibtex, csl-json, ris, web-annotation, markdown (the default), pdf or obsidian; of a document "
        "markdown, html, json, docling, csv, xlsx or obsidian.",
    )
    out: str | None = text("--out", "FILE", "File to write, for obsidian a folder. [default: standard output]")
    only: str | None = text(
        "--only", "N,...", "Of an answer these citations, or passages, alone: the numbers they are shown with."
    )
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
    if options.format == "obsidian":
        _export_notes(citations, options)
        return
    if _is_document(citations[0]):
        _export_document(citations, options)
        return
    answers = [*_answers(citations, options.only)]
    ids = [identity for _, found in answers for identity in found]
    answer = answers[0][0] if len(answers) == 1 else None
    from octavo import exports

    with context.open_to_read(load(options.given())) as corpus:
        file = exports.export(_bundle(corpus, ids, answer, options), options.format or "markdown")
    _write(file, options.out)


def _bundle(corpus: Corpus, ids: Sequence[str], answer: dict[str, Any] | None, options: ExportOptions) -> Bundle:
    from octavo.exports.bundle import bundle_of

    try:
        return bundle_of(corpus, ids, answer=answer, base=options.base or "")
    except CorpusError as error:
        if error.reason != "unknown":
            raise
        raise CorpusError("unknown", f"{error} (looked in {corpus.path}; --corpus names another)") from error


def _export_notes(names: Sequence[str], options: ExportOptions) -> None:
    """Write notes of documents, or of answers with those of the documents they cite."""
    from octavo.exports import obsidian

    folder, settings = obsidian.check_folder(options.out), load(options.given())
    are_documents = [*map(_is_document, names)]
    if any(are_documents) and not all(are_documents):
        raise UsageError("documents and citations are exported apart from each other")
    base, notes = (options.base or "").rstrip("/"), list[obsidian.Note]()
    with context.open_corpus(settings) if any(are_documents) else context.open_to_read(settings) as corpus:
        if any(are_documents):
            ids = [info.id for info in context.documents_of(corpus, names, settings, options)]
        else:
            found = _answers(names, options.only)
            bundles = [_bundle(corpus, ids, answer, options) for answer, ids in found]
            if not any(bundle.quotations for bundle in bundles):
                raise UsageError("there is nothing to export: the answer has neither citations nor passages")
            notes += map(obsidian.answer_note, bundles)
            ids = [source.id for bundle in bundles for source in bundle.sources]
        paths = corpus.paths(ids)
        for identity in dict.fromkeys(ids):
            file = obsidian.path_in_vault(paths.get(identity, ()), folder)
            notes.append(
                obsidian.document_note(corpus.document(identity), corpus.about(identity), base=base, file=file)
            )
    done = obsidian.write_notes(folder, notes)
    for path in done.left:
        terminal.note(f"octavo: {terminal.one_line(str(path))} was changed by hand and is left as it is")
    for path in done.notes:
        terminal.write(terminal.one_line(str(path)))


def _is_document(name: str) -> bool:
    """Whether a name is that of a document: a file that holds no answer, or what is neither a file nor an id."""
    from octavo.evidence.citation_ids import CitationId
    from octavo_documents.parsing.formats import ending_of

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


def _answers(given: Sequence[str], only: str | None) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield the answers that are named, each with the ids of what it stands on; ids alone are of no answer.

    Of the one answer that is named, `only` some of its ids are left, by number.
    """
    from octavo.exports.bundle import stands_on

    ids = list[str]()
    if only is not None and (len(given) > 1 or not (given[0] == "-" or context.is_there(given[0]))):
        raise UsageError("--only is of one answer: name the file that 'octavo ask --json' wrote")
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
        yield (value if isinstance(value, dict) else {}), found if only is None else _some(found, only)
    if ids:
        yield {}, ids


def _some(ids: Sequence[str], only: str) -> list[str]:
    """Return the ids with some numbers. Raises UsageError."""
    if not ids:
        return []
    numbers = [number.strip() for number in only.split(",")]
    if not all(number.isdecimal() and 1 <= int(number) <= len(ids) for number in numbers):
        raise UsageError(f"--only takes numbers from 1 to {len(ids)} with commas between them, not {only[:40]!r}")
    return [ids[int(number) - 1] for number in numbers]


def _json(name: str) -> dict[str, Any] | list[Any]:
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
        return json.loads(text)
    except (OSError, ValueError) as wrong:
        raise UsageError(f"{name} is no JSON: write it with 'octavo ask --json'") from wrong


def _write(file: Exported, out: str | None) -> None:
    if out is not None:
        from octavo.exports.writing import write_file

        write_file(Path(out), file.data)
        terminal.write(terminal.one_line(out))
        return
    if file.name.endswith((".pdf", ".xlsx")) and terminal.is_terminal(sys.stdout):
        raise UsageError(f"{file.name} is nothing to show on a terminal: name a file with --out")
    sys.stdout.flush()
    sys.stdout.buffer.write(file.data)
