"""What commands share when they run: the corpus, and the way from words on the command line to documents in it."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import octavo
from octavo.cli import progress, terminal
from octavo.cli.models_from_settings import config_of, embedding_of
from octavo.errors import KINDS, CorpusError, OctavoError, SourceError, UnknownDocumentError, UsageError, did_you_mean

if TYPE_CHECKING:
    from octavo.cli.options import ReadingOptions
    from octavo.cli.settings import Settings
    from octavo.corpus import Corpus
    from octavo.corpus.progress import Progress
    from octavo.corpus.reports import AddReport
    from octavo.corpus.store import DocumentInfo
    from octavo_documents.document import Document

LOOK = "'octavo list' shows what there is"
"""What is advised where a word names nothing."""


def open_corpus(settings: Settings, *, read_only: bool = False, is_quiet: bool = True) -> Corpus:
    """Open the corpus of the settings, to write nothing with `read_only`; it is empty when nothing was added yet.

    Unless it `is_quiet`, layers that a question has built on the way are shown as they are built.
    """
    image_text = settings.models.get("image_text")
    return octavo.open(
        settings.corpus,
        models=config_of(settings),
        embedding=embedding_of(settings),
        image_text=image_text,
        late_interaction=settings.models.get("late_interaction"),
        password=os.environ.get("OCTAVO_PASSWORD"),
        ray=settings.ray,
        partial=settings.partial,
        sure=settings.sure,
        read_only=read_only,
        watch=None if is_quiet else lambda: progress.listener(quiet=False),
    )


def load_ahead(settings: Settings) -> None:
    """Have the network that embeds questions loaded by a thread while the rest of the program is imported.

    Only where `auto` or another system that reads vectors will surely want it: of a corpus that is there, without an
    embedding model of one's own. What keeps it from being loaded is told to whoever needs it.
    """
    from octavo.corpus.location import usual

    if settings.system != "auto" or embedding_of(settings) is not None or not Path(settings.corpus or usual()).is_dir():
        return
    # The process waits for it in the end: a library must not be half loaded when a program ends.
    threading.Thread(target=_load_embedder, name="octavo-load").start()


def _load_embedder() -> None:
    from octavo.models.embedders import embedder

    with contextlib.suppress(OctavoError):
        load: Callable[[], object] | None = getattr(embedder(), "load", None)
        if load is not None:
            load()


def open_to_read(settings: Settings) -> Corpus:
    """Open the corpus of the settings for what only reads it. Raises CorpusError as `check_there` does."""
    corpus = open_corpus(settings)
    check_there(corpus)
    return corpus


def check_there(corpus: Corpus) -> None:
    """Raise CorpusError (`missing`) for a corpus that somebody named and that is not there."""
    from octavo.corpus.location import corpora_beside, usual

    if corpus.is_there or corpus.path == usual():
        return
    beside = corpora_beside(corpus.path)
    what = "holds no corpus" if corpus.path.is_dir() else "does not exist"
    mend = did_you_mean(beside) if beside else "check the name; 'octavo add FILE' with this corpus makes it"
    raise CorpusError("missing", f"the corpus {corpus.path} {what}: {mend}")


def open_to_search(settings: Settings, *, read_only: bool = False, is_quiet: bool = True) -> Corpus:
    """Open the corpus of the settings, connected to its searchers where there are some. Raises as `connect` does."""
    corpus = open_corpus(settings, read_only=read_only, is_quiet=is_quiet)
    if settings.ray and corpus.location.url:
        from octavo.corpus.backend import engine_of

        engine_of(corpus.location).connect(settings.ray)
    return corpus


def add(
    corpus: Corpus,
    paths: Sequence[str],
    settings: Settings,
    options: ReadingOptions,
    listener: Progress,
    **layers: Any,
) -> AddReport:
    """Index files and folders as the settings say; the listener is told how far it is.

    `layers` are the arguments of `Corpus.add` about layers.
    """
    how = reading_of(paths, settings, options)
    return corpus.add([named(path) for path in paths], workers=settings.workers, progress=listener, **how, **layers)


def named(path: str) -> str | Path:
    """Return what `Corpus.add` takes for a path, or an address, of the command line."""
    from octavo.corpus.store.paths import is_address

    return path if is_address(path) else Path(path)


def reading_of(paths: Sequence[str], settings: Settings, options: ReadingOptions) -> dict[str, Any]:
    """Return how files are read, as arguments of `Corpus.add`. Raises UsageError for an empty name."""
    _check_named(paths)
    password = options.password or os.environ.get("OCTAVO_PASSWORD")
    return {
        "ocr": settings.ocr,
        "layout_model": settings.layout_model,
        "render": settings.render,
        "password": password,
    }


def document_of(corpus: Corpus, reference: str, settings: Settings, options: ReadingOptions) -> DocumentInfo:
    """Return the one document that a file, name or id stands for; a folder of several is a UsageError."""
    info, *others = documents_of(corpus, [reference], settings, options)
    if others:
        raise UsageError(f"{reference} holds {len(others) + 1} documents; name one file")
    return info


def documents_of(
    corpus: Corpus, references: Sequence[str], settings: Settings, options: ReadingOptions
) -> tuple[DocumentInfo, ...]:
    """Return the documents that `references_of` means, as it does."""
    found = references_of(corpus, references, settings, options)
    return corpus.select(found)


def references_of(
    corpus: Corpus,
    references: Sequence[str],
    settings: Settings,
    options: ReadingOptions,
    *,
    hint: str = LOOK,
) -> tuple[str, ...]:
    """Return what the corpus calls the documents of files, folders, names, ids or patterns, each once.

    Files are indexed where they are not yet; one that holds many is called by its path. Raises SourceError when a file
    cannot be indexed, and UsageError for a word that names nothing, with what it may mean or the hint. A bad file in a
    folder is named on stderr and left out.
    """
    _check_named(references)
    known = {reference: _known(corpus, reference, hint) for reference in references if not is_there(reference)}
    paths = [reference for reference in references if reference not in known]
    found = dict.fromkeys(known.values())
    if paths:
        with progress.listener(quiet=False) as listener:
            report = add(corpus, paths, settings, options, listener)
        _tell_unread(report, paths)
        found |= dict.fromkeys(_called(corpus, (*report.added, *report.unchanged)))
        found |= dict.fromkeys(one.path for one in report.collections if one.articles)
    if not found:
        raise SourceError("missing", f"there is no document ({KINDS}) in {', '.join(paths)}")
    return tuple(found)


def _called(corpus: Corpus, infos: Sequence[DocumentInfo]) -> list[str]:
    """Return what to call documents by: the file that was asked for where a document has several, else the id."""
    files = corpus.paths([info.id for info in infos]) if infos else {}
    return [info.path if len(files.get(info.id, ())) > 1 and is_there(info.path) else info.id for info in infos]


def document(corpus: Corpus, info: DocumentInfo) -> Document:
    """Return a document under the name of the file that was asked for."""
    return dataclasses.replace(corpus.document(info.id), name=info.name)


def is_there(name: str) -> bool:
    """Whether there is a file or folder of this name; a long text, such as a question, is the name of none."""
    try:
        return Path(name).exists()
    except OSError:
        return False


def _check_named(references: Sequence[str]) -> None:
    """Raise UsageError for an empty name, which would mean the current folder."""
    if not all(reference.strip() for reference in references):
        raise UsageError("a file name is empty; name a file, or '.' for the current folder")


def _known(corpus: Corpus, reference: str, hint: str) -> str:
    """Return what is no file: the id of one document, or what many are called by. Raises UsageError."""
    try:
        return corpus.resolve(reference).id
    except UsageError:  # several: the corpus says whether they may be meant together
        return reference
    except UnknownDocumentError as unknown:
        near = _files_like(reference) or unknown.near
        mend = did_you_mean(near) if near else hint
        raise UsageError(
            f"there is no file {reference!r}, and no document of that name or id in the corpus; {mend}"
        ) from unknown


def _files_like(reference: str) -> tuple[str, ...]:
    """Return the files that a path which is none may mean: beside it, with a name like it."""
    from octavo.corpus.index.sources import is_document
    from octavo.corpus.store.references import near

    path = Path(reference)
    try:
        beside = [one.name for one in path.parent.iterdir() if is_document(one.name)]
    except OSError:
        return ()
    return tuple(str(path.parent / name) for name in near(path.name, beside))


def _tell_unread(report: AddReport, paths: Sequence[str]) -> None:
    from octavo.cli.show.corpus import unread

    named = {Path(path).absolute() for path in paths if not Path(path).is_dir()}
    for failure in report.failed:
        if Path(failure.path).absolute() in named:
            raise SourceError(failure.reason, failure.message)
    for line in unread(report, before="left out: "):
        terminal.note(f"octavo: {terminal.one_line(line)}")
