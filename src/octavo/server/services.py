"""What the handlers of a server share. `request.app.state.services` is one of these."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import hashlib
import threading

from octavo.corpus import Corpus
from octavo.server import ServerSettings
from octavo.server.guard import Access
from octavo.server.jobs import JobRunner, JobTable
from octavo.server.library import Library
from octavo.server.metrics import Metrics
from octavo.server.pictures import Pictures
from octavo.server.problems import Problem
from octavo.server.store import Store
from octavo.server.uploads import Uploads
from octavo.server.work import Pool

_WARM_AFTER = 2.0
"""Seconds from the start until what the first question needs is loaded: the first page goes before."""


@dataclasses.dataclass(frozen=True)
class Services:
    """The parts of one server."""

    corpus: Corpus
    settings: ServerSettings
    store: Store
    library: Library
    pictures: Pictures
    metrics: Metrics
    access: Access
    jobs: JobTable
    uploads: Uploads
    runner: JobRunner | None
    """Does the jobs; None where nothing can be written."""
    searches: Pool
    """For whatever reads the corpus; what it does takes less than a second."""
    asks: Pool
    """For answers."""
    drawing: Pool
    """For pictures of pages."""
    ending: threading.Event = dataclasses.field(default_factory=threading.Event)
    """Set when the server was told to end."""

    @classmethod
    def of(cls, corpus: Corpus, settings: ServerSettings) -> Services:
        """Return the services over a corpus."""
        store = Store.beside(corpus.path)
        can_write = not settings.read_only and store.path is not None and not corpus.location.url
        library = Library(corpus, store=store, can_write=can_write)
        jobs = JobTable(store)
        running = min(settings.searches, settings.streams)
        return cls(
            corpus,
            settings,
            store,
            library,
            Pictures(library, settings.picture_cache),
            Metrics(),
            Access(store, settings, "octavo_" + hashlib.sha256(str(corpus.path).encode()).hexdigest()[:8]),
            jobs,
            Uploads(corpus.path, settings.max_upload),
            JobRunner(jobs, corpus.path, settings.indexing) if can_write else None,
            Pool("searches", running=settings.searches, waiting=settings.waiting),
            Pool("questions", running=running, waiting=settings.streams - running),
            Pool("pictures", running=settings.pictures, waiting=settings.waiting),
        )

    @property
    def pools(self) -> tuple[Pool, ...]:
        """All pools."""
        return self.searches, self.asks, self.drawing

    def start(self) -> None:
        """Begin with what is done beside requests. Called on the event loop."""
        if self.settings.warms_up:
            asyncio.get_running_loop().call_later(_WARM_AFTER, self._warm_up)
        if self.runner is not None:
            self.runner.start()

    def _warm_up(self) -> None:
        with contextlib.suppress(Problem, RuntimeError):  # others came first, or the server ends
            self.searches.start(self.library.warm)

    def close(self) -> None:
        """End the pools and the jobs."""
        if self.runner is not None:
            self.runner.stop()
        for pool in self.pools:
            pool.close()
