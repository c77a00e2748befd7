"""What a server did, counted, in the text format of Prometheus."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octavo.server.work import Pool

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
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
        """Count a request that was answered; `seconds` until its response began."""
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
            lines = [*self._told()]
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

    def _told(self) -> Iterable[str]:
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
