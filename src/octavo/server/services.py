"""What the handlers of a server share. `request.app.state.services` is one of these."""

from __future__ import annotations

import dataclasses
import hashlib
import threading

from octavo.corpus import Corpus
from octavo.server.access import Access
from octavo.server.library import Library
from octavo.server.metrics import Metrics
from octavo.server.pictures import Pictures
from octavo.server.settings import ServerSettings
from octavo.server.store import Store
from octavo.server.work import Pool


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
        library = Library(corpus, store=store, can_write=not settings.read_only)
        running = settings.streams if corpus.models else settings.searches
        return cls(
            corpus,
            settings,
            store,
            library,
            Pictures(library, settings.picture_cache),
            Metrics(),
            Access(store, settings, "octavo_" + hashlib.sha256(str(corpus.path).encode()).hexdigest()[:8]),
            Pool("searches", running=settings.searches, waiting=settings.waiting),
            Pool("questions", running=running, waiting=settings.streams - running),
            Pool("pictures", running=settings.pictures, waiting=settings.waiting),
        )

    @property
    def pools(self) -> tuple[Pool, ...]:
        """All pools."""
        return self.searches, self.asks, self.drawing

    def close(self) -> None:
        """End the pools."""
        for pool in self.pools:
            pool.close()
