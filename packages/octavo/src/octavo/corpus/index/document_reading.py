"""From files and texts to documents: a large file by itself, or many small texts together.

What killed its reader twice is put in quarantine: it is left alone until it or the parser changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from octavo.corpus import judges
from octavo.corpus.index import sources
from octavo.corpus.index.builders import Parser
from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.heading_review import review_headings
from octavo.corpus.index.tasks import Draft, Task
from octavo.corpus.progress import Reporter
from octavo.corpus.store import DOCUMENT_PART, NO_TEXT, DocumentPart, Quarantined, Source
from octavo.corpus.store.paths import name_of, shown
from octavo.errors import CorpusError, SourceError
from octavo_documents.document import Document
from octavo_documents.parsing.article_messages import CARRIES, Unread
from octavo_documents.parsing.formats import is_picture

FATAL = frozenset({"crashed", "timeout"})
"""Reasons for which a file is put in quarantine: trying it again costs a process or minutes."""
_LEAST_READ = 4
"""Letters and digits that make a picture a document."""

# One file


def read_file(builder: DocumentBuilder, task: Task, parser: Parser) -> Draft:
    """Read the document of a file, from the store where an earlier run has read it, and store it.

    The draft's task has other fingerprints where the document became another one than expected: the rules read it, as
    the model for its headings failed, or it could not be printed. The next run tries that again.

    Raises SourceError, LeaseLost and, from the model, ModelError.
    """
    kept = builder.finished_part(task, DOCUMENT_PART)
    if kept is not None:
        return Draft(task, Document.from_bytes(kept, checked=False))
    if not builder.how.prints.print_if_wanted(task.id, task.source.at):
        return read_file(builder, replace(task, fingerprints=builder.expected(task.id)), parser)
    if not judges.headings_model(builder.judge):
        return Draft(task, _read_by_rule(builder, task, parser))
    by_rule = replace(task, fingerprints=builder.expected(task.id, by_rule=True))
    document = _read_by_rule(builder, by_rule, parser)
    builder.progress.start(task.source.path, "headings", 0)
    reviewed = review_headings(document, builder.judge)
    if reviewed is None:
        return Draft(by_rule, document)
    _stage(builder, task, reviewed.to_bytes())
    return Draft(task, reviewed)


def _read_by_rule(builder: DocumentBuilder, task: Task, parser: Parser) -> Document:
    """Return the document as the rules read it, stored."""
    kept = builder.finished_part(task, DOCUMENT_PART)
    if kept is not None:
        return Document.from_bytes(kept, checked=False)
    sources.confirm(task.source)
    data = _parse_twice(builder, task, parser)
    document = _checked(data, task)
    prints = builder.how.prints
    if prints.find(task.id) and not document.has_pages:
        prints.unmatched(task.source.path)
    if task.candidate.is_found and is_picture(task.source.path) and not _is_legible(document):
        error = SourceError(NO_TEXT, f"{shown(task.source.path)} is a picture without text that can be read")
        _quarantine(builder, task, error, builder.image_reader_version)
        raise error
    sources.confirm(task.source)
    _stage(builder, task, data)
    return document


def _stage(builder: DocumentBuilder, task: Task, data: bytes) -> None:
    builder.store.stage(task.lease, DocumentPart(DOCUMENT_PART, task.fingerprints[DOCUMENT_PART], data))


def _parse_twice(builder: DocumentBuilder, task: Task, parser: Parser) -> bytes:
    """Read a file in a child process, a second time if the first one died."""
    source = replace(task.source, document_id=task.id)
    try:
        return parse(builder, source, parser)
    except SourceError as error:
        if error.reason != "crashed":
            raise _quarantine_if_fatal(builder, task, error) from error
    try:
        return parse(builder, source, parser)
    except SourceError as error:
        raise _quarantine_if_fatal(builder, task, error) from error


def parse(builder: DocumentBuilder, source: Source, parser: Parser) -> bytes:
    """Return the packed document of a file, stored nowhere. Raises SourceError."""
    path, document_id, how = source.path, source.document_id, builder.how
    builder.progress.start(path, "parse", 0)
    printed = how.prints.find(document_id)
    return parser.parse(
        source.at,
        **({"printed": str(printed)} if printed else {}),
        name=shown(name_of(source)),
        digest=document_id.removeprefix("sha256:"),
        password=how.password,
        ocr=how.ocr,
        recognizer=None if how.ocr == "never" else builder.builders.recognizer(),
        layout=how.layout,
        progress=Reporter(builder.progress, path, "parse"),
        figures=Reporter(builder.progress, path, "figures"),
    )


def _is_legible(document: Document) -> bool:
    """Whether a picture says anything: a few letters that OCR read there, not a stray sign in a photograph."""
    read = 0
    for text in document.blocks.text:
        read += sum(map(str.isalnum, text))
        if read >= _LEAST_READ:
            return True
    return False


# Many texts


def read_texts(builder: DocumentBuilder, tasks: Sequence[Task], parser: Parser) -> list[Draft | SourceError]:
    """Read small files, or articles of one file, together; for each return its draft, stored nowhere, or the error."""
    first = tasks[0].source
    if not first.container:
        builder.progress.start(first.path, "parse", 0)  # progress names the first file of the batch
    results = _read_batch(builder, tasks, parser, first.container or first.at)
    return [
        _drafted(task, _read_alone(builder, task, parser) if _is_for_one(result, builder) else result)
        for task, result in zip(tasks, results, strict=True)
    ]


def _is_for_one(result: bytes | SourceError, builder: DocumentBuilder) -> bool:
    """Whether a file is to be read by itself: there are files in it, or it asks for the password that is given."""
    reason = result.reason if isinstance(result, SourceError) else ""
    return reason == CARRIES or (reason == "encrypted" and builder.how.password is not None)


def _read_alone(builder: DocumentBuilder, task: Task, parser: Parser) -> bytes | SourceError:
    """Return the packed document of a file that carries others, which is read with what these need."""
    try:
        return _parse_twice(builder, task, parser)
    except SourceError as error:
        return error


def _read_batch(
    builder: DocumentBuilder, tasks: Sequence[Task], parser: Parser, path: str
) -> list[bytes | SourceError]:
    """Return the packed document of each text, or why there is none; `path` is the file named in errors."""
    texts = [task.candidate.text for task in tasks if task.candidate.text is not None]
    try:
        results = parser.read_batch(texts, path)
    except SourceError as error:
        if len(tasks) == 1:
            return [_quarantine_if_fatal(builder, tasks[0], error)]
        # One of them is to blame: each gets a process of its own.
        return [result for task in tasks for result in _read_batch(builder, [task], parser, task.source.at)]
    return [SourceError(one.reason, one.message) if isinstance(one, Unread) else one for one in results]


def _drafted(task: Task, result: bytes | SourceError) -> Draft | SourceError:
    if isinstance(result, SourceError):
        return result
    try:
        return Draft(task, _checked(result, task), {DOCUMENT_PART: result})
    except SourceError as error:
        return error


# Both


def _checked(data: bytes, task: Task) -> Document:
    """Unpack what a child sent; it read a hostile file and may send anything. Raises SourceError."""
    path = shown(task.source.path)
    try:
        document = Document.from_bytes(data)
    except CorpusError as error:
        raise SourceError("damaged", f"{path} was read into nonsense ({error}): it may be hostile") from error
    if document.id != task.id:
        raise SourceError("damaged", f"{path} was read into another document: add it again")
    return document


def _quarantine_if_fatal(builder: DocumentBuilder, task: Task, error: SourceError) -> SourceError:
    """Return the error; the file is put in quarantine where trying it again would cost as much."""
    if task.source.file:
        error = SourceError(error.reason, task.source.message_of(error))
    if error.reason in FATAL:
        _quarantine(builder, task, error, builder.builders.version)
    return error


def _quarantine(builder: DocumentBuilder, task: Task, error: SourceError, version: str) -> None:
    builder.store.quarantine(Quarantined(task.id, task.source.path, version, error.reason, str(error)))
