"""The second half of an `add`: optional layers for the documents of a report.

Owns which layers each document is given and how the report tells of it. Knows nothing about how a layer is built.

A document keeps the layers it had: those that no longer hold are built again by rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from octavo.corpus import sources
from octavo.corpus.builders import Builders
from octavo.corpus.building import Reading, Workshop
from octavo.corpus.judges import shortfall
from octavo.corpus.layering import Layering
from octavo.corpus.needs import layers_of, notes_of
from octavo.corpus.planning import Plan, Planner
from octavo.corpus.progress import Progress
from octavo.corpus.reports import AddReport, Failure
from octavo.corpus.store import Store
from octavo.decisions.engine.judge import Judge
from octavo.errors import SourceError


@dataclass(frozen=True)
class Completion:
    """What the documents of an `add` are given. `wanted` says by layer whether models decide."""

    workshop: Workshop
    layering: Layering
    wanted: Mapping[str, bool]
    had: Mapping[str, list[str]]
    """Optional layers each document had before, by id."""
    notes: tuple[str, ...] = ()
    """What the systems go without; the report adds what models did not decide."""

    def of(self, report: AddReport, announce: Callable[[Plan], None] | None = None) -> AddReport:
        """Build what is due for the documents of a report; return it with what came of that."""
        documents = self._documents(report) if self.wanted or self.had else {}
        if announce is not None and self.layering.judge.models and any(self.wanted.values()):
            announce(Planner(self.workshop, self.layering, self.wanted).of_documents(documents.items()))
        built, failed = set[str](), [*report.failed]
        for document_id, path in documents.items():
            try:
                built |= {document_id} if self._complete(document_id, path) else set()
            except SourceError as error:
                failed.append(Failure(sources.shown(path), error.reason, str(error)))
        return replace(
            report,
            added=(*report.added, *(info for info in report.unchanged if info.id in built)),
            unchanged=tuple(info for info in report.unchanged if info.id not in built),
            failed=tuple(failed),
            stopped=self.layering.judge.stopped,
            usage=self.layering.judge.usage(),
            notes=(*self.notes, *shortfall(self.layering.judge)),
        )

    def _documents(self, report: AddReport) -> dict[str, str]:
        """Return the documents of a report that are visible, by id, with their paths."""
        store = self.layering.store
        infos = [*report.added, *report.unchanged]
        paths = paths_of(store) if infos else {}
        found = {info.id: paths[info.id] for info in infos if info.id in paths}
        for collection in report.collections:
            found |= store.shelf.article_ids(collection.path)
        return found

    def _complete(self, document_id: str, path: str) -> bool:
        wanted = dict.fromkeys(self.had.get(document_id, ()), False) | dict(self.wanted)
        built = self.layering.complete(document_id, path, wanted)
        if built:
            self.layering.progress.finish(path, "layered")
        return bool(built)


def completion(
    opened: Callable[[], Store],
    builders: Builders,
    reading: Reading,
    progress: Progress,
    systems: Sequence[str],
    judge: Judge,
) -> Completion:
    """Return what an `add` for some systems is done with; the store is opened when the systems are known.

    Raises UsageError for a system there is not.
    """
    wanted = layers_of(systems, builders)
    store = opened()
    had: dict[str, list[str]] = {}
    for key in store.published(names=builders.optional):
        had.setdefault(key.document_id, []).append(key.name)
    workshop = Workshop(store, builders, progress, reading.ocr, reading.password, reading.layout, judge)
    layering = Layering(store, builders, progress, judge, reading.password)
    return Completion(workshop, layering, wanted, had, notes_of(systems, builders))


def paths_of(store: Store) -> dict[str, str]:
    """Return the file each document was first found under, by id."""
    found: dict[str, str] = {}
    for source in store.sources().values():
        found.setdefault(source.document_id, source.path)
    return found
