"""The second half of an `add`: the optional layers that systems need, for the documents of its report.

A document keeps the layers it had: those that no longer hold are built again by rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from octavo.about.profile import BY_MODEL
from octavo.corpus.index.builders import Builders
from octavo.corpus.index.document_builder import DocumentBuilder, HowToRead
from octavo.corpus.index.layering import Layering, paths_of
from octavo.corpus.index.planning import IndexingPlan, Planner
from octavo.corpus.judges import shortfall
from octavo.corpus.progress import Progress
from octavo.corpus.reports import AddReport, Failure
from octavo.corpus.store import Store
from octavo.corpus.store.paths import shown
from octavo.decisions.engine.judge import Judge
from octavo.errors import SourceError, UsageError
from octavo.systems import get

if TYPE_CHECKING:
    from octavo.models.ports import Reranker

ABOUT = "about"
"""Named in the place of a system: a model is to say what each document is about, a call a document."""
_DEFAULT_SYSTEM = "auto"
"""Whose layers every document is given, by rule: it answers where no system is named."""


@dataclass(frozen=True)
class OptionalLayerJob:
    """What the documents of an `add` are given. `wanted` says by layer whether models decide."""

    builder: DocumentBuilder
    layering: Layering
    wanted: Mapping[str, bool]
    notes: tuple[str, ...] = ()
    """What the systems go without; the report adds what models did not decide."""

    def of(self, report: AddReport, announce: Callable[[IndexingPlan], None] | None = None) -> AddReport:
        """Build what is due for the documents of a report; return it with what came of that."""
        documents = self._documents(report)
        if announce is not None and self.layering.judge.models and any(self.wanted.values()):
            announce(Planner(self.builder, self.layering, self.wanted).of_documents(documents.items()))
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
            notes=(*report.notes, *self.notes, *shortfall(self.layering.judge)),
        )

    def _documents(self, report: AddReport) -> dict[str, str]:
        """Return the documents of a report that are visible, by id, with their paths."""
        store = self.layering.store
        ids = [info.id for info in (*report.added, *report.unchanged)]
        paths = paths_of(store, ids) if ids else {}
        found = {document_id: paths[document_id] for document_id in ids if document_id in paths}
        for collection in report.collections:
            articles = dict(store.bulk.article_ids(collection.path))
            self.builder.stored(articles)  # a file that looks as it did was not looked into
            found |= articles
        return found

    def _complete(self, document_id: str, path: str) -> bool:
        wanted = dict.fromkeys(self.builder.had.get(document_id, ()), False) | dict(self.wanted)
        built = self.layering.complete(document_id, path, wanted)
        if built:
            self.layering.progress.finish(path, "layered")
        return bool(built)


def optional_layer_job(
    opened: Callable[[], Store],
    builders: Builders,
    how: HowToRead,
    progress: Progress,
    systems: Sequence[str],
    judge: Judge,
    reranker: Callable[[], Reranker] | None = None,
) -> OptionalLayerJob:
    """Return what an `add` for some systems is done with; the store is opened when the systems are known.

    Raises UsageError for a system there is not.
    """
    wanted = layers_of(systems, builders)
    store = opened()
    builder = DocumentBuilder(store, builders, progress, how, judge)
    layering = Layering(store, builders, progress, judge, how.password, how.prints, reranker)
    return OptionalLayerJob(builder, layering, wanted, notes_of(systems, builders))


def layers_of(systems: Iterable[str], builders: Builders) -> dict[str, bool]:
    """Return, by name, the optional layers that the default system and these need, and whether models decide in them.

    Models decide in what a named system needs. Raises UsageError for a system there is not, or that needs a layer
    nobody builds. Layers that are absent as things are configured are left out.
    """
    named = {name: _needs(name) for name in systems}
    for name, needs in named.items():
        unknown = sorted(needs - builders.layers.keys() - builders.optional.keys() - builders.absent.keys())
        if unknown:
            raise UsageError(f"The system {name!r} needs {', '.join(unknown)}, which cannot be built here")
    wanted = dict.fromkeys(builders.chosen(get(_DEFAULT_SYSTEM).needs()), False)
    return wanted | dict.fromkeys(builders.chosen({layer for needs in named.values() for layer in needs}), True)


def _needs(name: str) -> frozenset[str]:
    """Return the layers of a system, or what a model is to read where documents are to be told apart."""
    return frozenset({BY_MODEL}) if name == ABOUT else get(name).needs()


def filters_sections(systems: Iterable[str]) -> bool:
    """Whether any of some systems has a model decide which lines of a document are headings, where one is named.

    Raises UsageError for a system there is not.
    """
    return any(get(name).filters_sections for name in systems if name != ABOUT)


def notes_of(systems: Iterable[str], builders: Builders) -> tuple[str, ...]:
    """Return a line for each layer that a system named would read and goes without."""
    needs = {name: _needs(name) for name in systems}
    return tuple(
        f"{name} goes without {layer}: {why}"
        for name in needs
        for layer, why in builders.absent.items()
        if layer in needs[name]
    )
