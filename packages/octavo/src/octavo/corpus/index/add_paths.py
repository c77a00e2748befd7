"""One `add`: files first, then what is fetched from addresses, then the files that hold many articles.

A file goes from `finding` through the `indexing_loop`, which has it admitted (`admission`), read
(`document_reading`), given its layers (`document_layers`) and made visible (`publishing`), to its `outcome`. In the end
the files beside them that say what they are about are read (`sidecars`).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from octavo.corpus.index import sidecars
from octavo.corpus.index.batching import batches_of_files
from octavo.corpus.index.collecting import Collection
from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.finding import find, new_or_changed
from octavo.corpus.index.indexing_loop import IndexingLoop
from octavo.corpus.index.outcome import FileOutcome
from octavo.corpus.index.tasks import Candidate
from octavo.corpus.progress import Expecting
from octavo.corpus.reports import AddReport
from octavo.corpus.store import Source
from octavo.models.words_alone import WordsAlone
from octavo_documents.parsing.formats import PASSED_OVER, ending_of

_MOST_NAMED = 3
"""Documents that are named one by one."""


def add_paths(
    paths: Iterable[str],
    builder: DocumentBuilder,
    workers: int | None = None,
    *,
    allow_private: bool = False,
    forgets: bool = False,
) -> AddReport:
    """Index files, folders and what is at addresses; what is done is kept.

    Args:
        paths: Absolute paths, and addresses.
        builder: What documents are built with.
        workers: How many batches are read at once; default: one per processor.
        allow_private: Whether addresses of this machine and its network may be fetched.
        forgets: Whether files are this machine's alone, so that a path whose file is not here is forgotten.

    Raises CorpusError (`full` and others) and ModelError.
    """
    outcome = FileOutcome(builder.store, builder.progress)
    found = find(paths, outcome)
    if isinstance(builder.progress, Expecting):
        sources = [*(one.source for one in (*found.files, *found.addresses)), *found.containers]
        builder.progress.expect({one.path: max(one.size, 0) for one in sources})
    with IndexingLoop(builder, workers=workers or os.cpu_count() or 1) as loop:
        loop.run(batches_of_files(new_or_changed(found.files, builder, outcome), builder), outcome)
        if found.addresses:
            _index_addresses(found.addresses, loop, outcome, allow_private=allow_private)
        if found.containers:
            _index_containers(found.containers, loop, outcome)
    report = outcome.report(forgets=forgets)
    beside = sidecars.read_all(outcome.files, builder.store)
    of_models = (*_of_vectors(builder), *_of_languages(builder))
    return replace(report, notes=(*beside, *of_models, *_passed_over(outcome.files)))


def _passed_over(files: Iterable[Source]) -> Iterator[str]:
    """Yield a line for each reader of another package that files were not read by, as their format is one of ours."""
    endings = {ending_of(file.path) for file in files} if PASSED_OVER else set[str]()
    for ending in sorted(endings & PASSED_OVER.keys()):
        yield f"{PASSED_OVER[ending]}, which a package brings for {ending}, is not used: Octavo reads such files itself"


def _of_vectors(builder: DocumentBuilder) -> Iterator[str]:
    """Yield a line on documents whose vectors were completed now, and on those that have none."""
    if builder.completed:
        yield f"{_documents(builder.completed)} completed: the embedding model is there again"
    if builder.wordless:
        model = builder.builders.embedder()
        why = model.why if isinstance(model, WordsAlone) else ""
        yield f"{_documents(builder.wordless)} found by words alone, as the embedding model cannot be used: {why}"


def _of_languages(builder: DocumentBuilder) -> Iterator[str]:
    """Yield a line on documents in other languages that a model of many has read now, and on those it would read."""
    if builder.renewed:
        yield f"{_documents(builder.renewed)} renewed: a model of many languages has read what is not in English"
    if builder.unread:
        names = sorted(builder.unread.values())
        told = ", ".join(names) if len(names) <= _MOST_NAMED else f"{len(names):,} documents"
        yield (
            f"{told} {'is' if len(names) == 1 else 'are'} found by words alone, as far as not in English: "
            "pip install 'octavo[languages]' and run 'octavo add' again"
        )


def _documents(ids: set[str]) -> str:
    return "1 document is" if len(ids) == 1 else f"{len(ids):,} documents are"


def _index_addresses(
    addresses: Sequence[Candidate], loop: IndexingLoop, outcome: FileOutcome, *, allow_private: bool
) -> None:
    from octavo.corpus.index.fetch_rounds import fetch_rounds

    rounds = fetch_rounds(addresses, loop.builder, outcome, allow_private=allow_private)
    with contextlib.closing(rounds):
        for files in rounds:
            loop.run(batches_of_files(files, loop.builder), outcome)


def _index_containers(containers: Sequence[Source], loop: IndexingLoop, outcome: FileOutcome) -> None:
    for container in containers:
        report, problem = Collection(loop.builder, container).index(loop)
        outcome.collected(report, problem)
