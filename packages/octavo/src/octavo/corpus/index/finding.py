"""Which files a run is about: those at the paths that were named, and of them those that are new or look different."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from octavo.corpus.index import sources
from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.outcome import FileOutcome
from octavo.corpus.index.tasks import Candidate
from octavo.corpus.store import DOCUMENT_PART, Source
from octavo.corpus.store.paths import is_address, path_key
from octavo.errors import SourceError
from octavo_documents.parsing.articles import is_container

_AT_ONCE = 500
"""Files that the store is asked about at once."""


@dataclass
class Found:
    """What is at some paths: files, addresses that are fetched, and files that hold many articles."""

    files: list[Candidate] = field(default_factory=list[Candidate])
    addresses: list[Candidate] = field(default_factory=list[Candidate])
    containers: list[Source] = field(default_factory=list[Source])


def find(paths: Iterable[str], outcome: FileOutcome) -> Found:
    """Return what is at paths and below; each file is taken once, and what is no document is noted."""
    found, order, seen = Found(), itertools.count(), set[str]()
    for path in paths:
        try:
            for one in found_at(path):
                if (key := path_key(one.path)) not in seen:
                    seen.add(key)
                    _look_at(one, next(order), found, outcome)
        except SourceError as error:
            outcome.failed(Candidate(Source(path, 0, 0), next(order)), error)
    return found


def found_at(path: str) -> Iterator[sources.FoundFile]:
    """Yield what a file, a folder or an address holds, as `sources.walk` does. Raises SourceError (`missing`)."""
    if not is_address(path):
        return sources.walk(path)
    from octavo.corpus.index.fetching import listed  # with what speaks HTTP

    return listed(path)


def _look_at(one: sources.FoundFile, order: int, found: Found, outcome: FileOutcome) -> None:
    """Note how a file looks now."""
    if one.left_out:
        outcome.left_out(one.path, order, one.left_out)
        return
    file = Candidate(Source(one.path, 0, -1), order, is_found=not one.is_named)
    if is_address(one.path):
        found.addresses.append(file)
        return
    try:
        file = replace(file, source=sources.look(one.path))
    except SourceError as error:
        outcome.failed(file, error)
        return
    if is_container(one.path):
        found.containers.append(file.source)
    else:
        found.files.append(file)


def new_or_changed(files: Sequence[Candidate], builder: DocumentBuilder, outcome: FileOutcome) -> list[Candidate]:
    """Return the files that are new, look different or whose documents are not current; the others are unchanged."""
    left: list[Candidate] = []
    for start in range(0, len(files), _AT_ONCE):
        for file, before, lacking in _with_lacking(files[start : start + _AT_ONCE], builder):
            if before is None or (before.size, before.mtime_ns) != (file.source.size, file.source.mtime_ns):
                left.append(file)
            elif not lacking:
                outcome.unchanged([replace(file, source=before)])
            elif DOCUMENT_PART in lacking:
                left.append(file)
            else:  # what the document lacks is made of what is stored: the file is not read again
                left.append(replace(file, source=replace(file.source, document_id=before.document_id)))
    return left


def with_current(files: Sequence[Candidate], builder: DocumentBuilder) -> Iterator[tuple[Candidate, Source | None]]:
    """Yield files, each with how it looked when its current document was read; None where it has none."""
    for file, before, lacking in _with_lacking(files, builder):
        yield file, None if lacking else before


def _with_lacking(
    files: Sequence[Candidate], builder: DocumentBuilder
) -> Iterator[tuple[Candidate, Source | None, list[str]]]:
    """Yield files, each with how it looked when its document was read, None where it has none, and what that lacks."""
    known = builder.store.sources(file.source.path for file in files)
    for source in known.values():
        builder.how.prints.want(source.document_id, source.path)
    stored = builder.stored(source.document_id for source in known.values())
    for file in files:
        before = known.get(path_key(file.source.path))
        if before is None:
            yield file, None, []
            continue
        lacking = builder.lacks(builder.expected(before.document_id), stored.get(before.document_id, {}))
        yield replace(file, replaces=before.document_id), before, lacking
