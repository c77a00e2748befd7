"""Building a document again whose stored parts were lost.

Sound parts are used as they are, layers are computed from the document, and only a lost document is read from its file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from octavo.corpus.index import sources
from octavo.corpus.index.builders import Builders, OcrMode
from octavo.corpus.index.building import Task, Workshop
from octavo.corpus.index.layering import Layering
from octavo.corpus.index.prints import NONE, Prints
from octavo.corpus.progress import Silence
from octavo.corpus.reports import Finding
from octavo.corpus.store import LeaseLost, Source, Store
from octavo.errors import SourceError


def rebuild(
    store: Store,
    builders: Builders,
    broken: Mapping[str, list[Finding]],
    lost: Mapping[str, list[str]],
    prints: Prints = NONE,
) -> Iterator[Finding]:
    """Build documents again; yield their findings, mended or with the reason why not.

    `broken` holds findings and `lost` the parts that were taken out, by document id. Optional layers are built by rule.
    """
    if not broken:  # the store may be past reading
        return
    modes = store.ocr_modes()
    files: dict[str, list[Source]] = {}
    for source in store.sources().values():
        files.setdefault(source.document_id, []).append(source)
    for document_id, findings in broken.items():
        workshop = Workshop(store, builders, Silence(), _mode(modes[document_id]), prints=prints)
        had = {key.name for key in store.published([document_id])} | set(lost.get(document_id, ()))
        problem = _attempt(workshop, document_id, files.get(document_id, []))
        if not problem:
            path = next((source.path for source in files.get(document_id, [])), "")
            layering = Layering(store, builders, Silence(), prints=prints)
            layering.complete(document_id, path, dict.fromkeys(had, False))
        for finding in findings:
            if problem:
                yield replace(finding, message=f"{finding.message} and cannot be built again: {problem}")
            else:
                yield replace(finding, repaired=True)


def _attempt(workshop: Workshop, document_id: str, files: Sequence[Source]) -> str:
    """Build one document; return what is in the way, "" when nothing was."""
    source = next(filter(_is_as_it_was, files), files[0] if files else Source("", 0, -1, document_id))
    lease = workshop.store.claim(document_id, source.path)
    if lease is None:
        return "another process works on it"
    task = Task(source, lease, workshop.expected(document_id))
    try:
        with workshop.builders.parser(1) as parser:
            read, document = workshop.read(task, parser)
        workshop.finish(read, document)
    except SourceError as error:
        workshop.store.release(lease, keep=True)
        return str(error)
    except LeaseLost:
        return "another process works on it"
    return ""


def _is_as_it_was(source: Source) -> bool:
    try:
        return sources.document_id(source.path) == source.document_id
    except SourceError:
        return False


def _mode(ocr: str) -> OcrMode:
    return ocr if ocr in ("always", "never") else "auto"
