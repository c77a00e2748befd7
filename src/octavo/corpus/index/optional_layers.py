"""The second half of an `add`: the optional layers that systems need, for the documents of a report.

A document keeps the layers it had: those that no longer hold are built again by rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from octavo.corpus.index.builders import Builders
from octavo.corpus.index.building import Reading, Workshop
from octavo.corpus.index.layering import Layering
from octavo.corpus.index.planning import Plan, Planner
from octavo.corpus.judges import shortfall
from octavo.corpus.progress import Progress
from octavo.corpus.reports import AddReport, Failure
from octavo.corpus.store import Store
from octavo.corpus.store.paths import shown
from octavo.decisions.engine.judge import Judge
from octavo.errors import SourceError, UsageError

_DEFAULT_SYSTEM = "auto"
"""Whose layers every document is given, by rule: it answers where no system is named."""


@dataclass(frozen=True)
class Completion:
    """What the documents of an `add` are given. `wanted` says by layer whether models decide."""

    workshop: Workshop
    layering: Layering
    wanted: Mapping[str, bool]
    notes: tuple[str, ...] = ()
    """What the systems go without; the report adds what models did not decide."""

    def of(self, report: AddReport, announce: Callable[[Plan], None] | None = None) -> AddReport:
        """Build what is due for the documents of a report; return it with what came of that."""
        documents = self._documents(report)
        if announce is not None and self.layering.judge.models and any(self.wanted.values()):
            announce(Planner(self.workshop, self.layering, self.wanted).of_documents(documents.items()))
        built, failed = set[str](), [*report.failed]
        for document_id, path in documents.items():
            try:
                built |= {document_id} if self._complete(document_id, path) else set()
            except SourceError as error:
                failed.append(Failure(shown(path), error.reason, str(error)))
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
        ids = [info.id for info in (*report.added, *report.unchanged)]
        paths = paths_of(store, ids) if ids else {}
        found = {document_id: paths[document_id] for document_id in ids if document_id in paths}
        for collection in report.collections:
            articles = dict(store.bulk.article_ids(collection.path))
            self.workshop.stored(articles)  # a file that looks as it did was not looked into
            found |= articles
        return found

    def _complete(self, document_id: str, path: str) -> bool:
        wanted = dict.fromkeys(self.workshop.had.get(document_id, ()), False) | dict(self.wanted)
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
    workshop = Workshop(store, builders, progress, reading.ocr, reading.password, reading.layout, reading.prints, judge)
    layering = Layering(store, builders, progress, judge, reading.password, reading.prints)
    return Completion(workshop, layering, wanted, notes_of(systems, builders))


def paths_of(store: Store, ids: Iterable[str]) -> dict[str, str]:
    """Return the file each of some documents was first found under, by id."""
    found: dict[str, str] = {}
    for source in store.sources(ids=ids).values():
        found.setdefault(source.document_id, source.path)
    return found


def layers_of(systems: Iterable[str], builders: Builders) -> dict[str, bool]:
    """Return, by name, the optional layers that the default system and these need, and whether models decide in them.

    Models decide in what a named system needs. Raises UsageError for a system there is not, or that needs a layer
    nobody builds. Layers that are absent as things are configured are left out.
    """
    from octavo import systems as table

    named = {name: table.get(name).needs() for name in systems}
    for name, needs in named.items():
        unknown = sorted(needs - builders.layers.keys() - builders.optional.keys() - builders.absent.keys())
        if unknown:
            raise UsageError(f"The system {name!r} needs {', '.join(unknown)}, which cannot be built here")
    wanted = dict.fromkeys(builders.chosen(table.get(_DEFAULT_SYSTEM).needs()), False)
    return wanted | dict.fromkeys(builders.chosen({layer for needs in named.values() for layer in needs}), True)


def notes_of(systems: Iterable[str], builders: Builders) -> tuple[str, ...]:
    """Return a line for each layer that a system named would read and goes without."""
    from octavo import systems as table

    needs = {name: table.get(name).needs() for name in systems}
    return tuple(
        f"{name} goes without {layer}: {why}"
        for name in needs
        for layer, why in builders.absent.items()
        if layer in needs[name]
    )
