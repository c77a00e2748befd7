"""What the handlers of a server share, and what it did, counted. `request.app.state.services` is a `Services`."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import hashlib
import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from octavo.corpus import Corpus
from octavo.corpus.store.sqlite.reserve import Reserve
from octavo_server import ServerSettings
from octavo_server.guard import Access
from octavo_server.jobs import JobRunner, JobTable
from octavo_server.layers import LayerBuilding
from octavo_server.library import Library
from octavo_server.pictures import Pictures
from octavo_server.pools import Pool
from octavo_server.problems import Problem
from octavo_server.store import Store
from octavo_server.uploads import Uploads

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
"""Methods that are counted by their names; a sender may make up others without end."""
OTHER_METHOD = "OTHER"
_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of the classes of seconds."""


class Metrics:
    """Counts requests and streams. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requests = Counter[tuple[str, str, int]]()
        self._classes: dict[str, list[int]] = {}
        self._seconds = Counter[str]()
        self._streams = 0

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered; `seconds` until its response began.

        Nothing is kept as a sender wrote it: `route` is a row of the route table, and methods are those that are known.
        """
        method = method if method in METHODS else OTHER_METHOD
        with self._lock:
            self._requests[method, route, status] += 1
            self._seconds[route] += seconds  # pyright: ignore[reportArgumentType]
            self._classes.setdefault(route, [0] * (len(_BOUNDS) + 1))[bisect_left(_BOUNDS, seconds)] += 1

    def stream(self, leave: Callable[[], None]) -> Callable[[], None]:
        """Count a stream that opens; return `leave` with the count of its end."""
        with self._lock:
            self._streams += 1

        def left() -> None:
            with self._lock:
                self._streams -= 1
            leave()

        return left

    def text(self, pools: Iterable[Pool], jobs: Mapping[str, int]) -> str:
        """Return all counts; `jobs` are those by state."""
        with self._lock:
            lines = [*self._request_lines()]
        lines += ["# TYPE octavo_pool_tasks gauge"]
        for pool in pools:
            load = pool.load
            lines += [
                f'octavo_pool_tasks{{pool="{pool.name}",state="running"}} {load.running}',
                f'octavo_pool_tasks{{pool="{pool.name}",state="waiting"}} {load.waiting}',
                f'octavo_pool_refused_total{{pool="{pool.name}"}} {pool.refused}',
            ]
        lines += ["# TYPE octavo_jobs gauge", *(f'octavo_jobs{{state="{name}"}} {jobs[name]}' for name in sorted(jobs))]
        return "\n".join(lines) + "\n"

    def _request_lines(self) -> Iterable[str]:
        yield "# TYPE octavo_requests_total counter"
        for (method, route, status), count in sorted(self._requests.items()):
            yield f'octavo_requests_total{{method="{method}",route="{route}",status="{status}"}} {count}'
        yield "# TYPE octavo_request_seconds histogram"
        for route, classes in sorted(self._classes.items()):
            total = 0
            for bound, count in zip((*_BOUNDS, "+Inf"), classes, strict=True):
                total += count
                yield f'octavo_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}'
            yield f'octavo_request_seconds_sum{{route="{route}"}} {self._seconds[route]:.6f}'
            yield f'octavo_request_seconds_count{{route="{route}"}} {total}'
        yield "# TYPE octavo_open_streams gauge"
        yield f"octavo_open_streams {self._streams}"


_HEALTH_SECONDS = 1.0
"""How long one look at the corpus answers all who ask whether it can be read."""


class Health:
    """Whether the corpus can be read. Everybody may ask it, so that all who ask at once share one look."""

    def __init__(self, look: Callable[[], object]) -> None:
        """Take what raises where the corpus cannot be read."""
        self._look = look
        self._found: asyncio.Future[object] | None = None
        self._until = 0.0

    async def check(self, pool: Pool) -> None:
        """Raise what the look raised, and Problem 503 where the pool has too much to do. Called on the event loop."""
        loop = asyncio.get_running_loop()
        if self._found is None or self._found.get_loop() is not loop or loop.time() >= self._until:
            self._found = pool.start(self._look)
            self._until = float("inf")
            self._found.add_done_callback(lambda _done: self._keep(loop.time()))
        await asyncio.shield(self._found)

    def _keep(self, now: float) -> None:
        self._until = now + _HEALTH_SECONDS


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
    health: Health
    layers: LayerBuilding
    """Builds what questions lack, for those who may write."""
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
        corpus.builds_layers = False  # no question does: `layers` has it done in another process
        store = Store.beside(corpus.path, read_only=settings.read_only)
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
            Health(corpus.count),
            LayerBuilding(corpus.path, settings.indexing, can_write=can_write),
            JobRunner(jobs, corpus.path, settings.indexing) if can_write else None,
            Pool("searches", running=settings.searches, waiting=settings.waiting),
            Pool("questions", running=running, waiting=settings.streams - running),
            Pool("pictures", running=settings.pictures, waiting=settings.waiting),
        )

    def removing(self) -> contextlib.AbstractContextManager[None]:
        """Return what has room for removing on a full disk as long as its block runs."""
        return Reserve(self.corpus.path).lent()

    @property
    def pools(self) -> tuple[Pool, ...]:
        """All pools."""
        return self.searches, self.asks, self.drawing, self.layers.pool

    def start(self) -> None:
        """Begin with what is done beside requests. Called on the event loop."""
        if self.settings.warms_up:
            asyncio.get_running_loop().call_later(_WARM_AFTER, self._warm_up)
        if self.runner is not None:
            self.uploads.sweep()
            self.runner.start()

    def _warm_up(self) -> None:
        with contextlib.suppress(Problem, RuntimeError):  # others came first, or the server ends
            self.searches.start(self.library.warm)

    def close(self) -> None:
        """End the pools and the jobs."""
        if self.runner is not None:
            self.runner.stop()
        self.layers.close()
        for pool in self.pools:
            pool.close()
