"""Workers: actors of Ray that index what is in the queue of a shared corpus, each as a worker on its machine does.

The queue is the leases in the database: Ray starts processes, says when one has died, and knows nothing of documents.
The leases of one that died are given up at once, and another takes its place.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from octavo_cluster.searchers import connect

import ray  # isort: skip  (after what says how it prints)
from ray.exceptions import RayActorError, RayError

from octavo.corpus.corpus import Corpus
from octavo.corpus.progress import AGAIN, Progress
from octavo.corpus.reports import AddReport
from octavo.errors import FULL, CorpusError, OctavoError
from octavo_cluster import shared_corpus

_Step: TypeAlias = tuple[str, str, str, int]
"""Of progress: what happened to which file; the stage or the outcome, and how much of it."""
_ray: Any = ray  # its types are known in part only
_LOOK_SECONDS = 0.2
"""Between two looks how far workers are."""
_REST_SECONDS = 1.0
"""For a worker that found nothing to do."""
_MOST_TOLD = 1000
"""Steps of progress that are kept until somebody asks."""
_MOST_DEATHS = 5
"""Workers in a row that die before any is done with a document."""
_DEATHS_SECONDS = 3600.0
"""Within which they have to: workers that wait for something to do for weeks lose a machine now and then."""


class Add(Protocol):
    """Indexes files in a corpus: some files at once, in so many processes."""

    def __call__(self, corpus: Corpus, paths: list[str], progress: Progress, workers: int, /) -> AddReport:
        """Return what became of each."""
        ...


@dataclass(frozen=True, slots=True)
class How:
    """What workers do, as it is sent to their machines."""

    opened: Callable[[], Corpus]
    add: Add
    share: float
    """Of a machine's cores that are one worker's."""


@dataclass(frozen=True, slots=True)
class _Round:
    """What became of some documents; `report` is None when there were none.

    `token` is what the worker's leases are held under, and `why` the reason and the message of an error that ends the
    work: Ray sends no errors of ours.
    """

    token: str = ""
    report: AddReport | None = None
    back: tuple[str, ...] = ()
    """Paths that wait in the queue for another attempt."""
    steps: Sequence[_Step] = ()
    """Those of progress that were not told yet."""
    why: tuple[str, str] | None = None


class _Told:
    """Keeps the latest steps of indexing as they come, from any thread, and all files that are finished."""

    def __init__(self) -> None:
        self._steps: deque[_Step] = deque(maxlen=_MOST_TOLD)
        self._finished: deque[_Step] = deque()

    def start(self, path: str, stage: str, total: int) -> None:
        self._steps.append(("start", path, stage, total))

    def advance(self, path: str, stage: str, done: int) -> None:
        self._steps.append(("advance", path, stage, done))

    def finish(self, path: str, outcome: str) -> None:
        self._finished.append(("finish", path, outcome, 0))

    def taken(self) -> list[_Step]:
        finished = _all_of(self._finished)  # first: a file has begun before it is finished
        return [*_all_of(self._steps), *finished]


def _all_of(steps: deque[_Step]) -> list[_Step]:
    found: list[_Step] = []
    with contextlib.suppress(IndexError):
        while True:
            found.append(steps.popleft())
    return found


class Worker:
    """Indexes, in a process of its own: one thread works, another tells how far it is."""

    def __init__(self, how: How) -> None:
        self._how, self._told = how, _Told()
        self._rounds: shared_corpus.Rounds | None = None

    def round(self) -> _Round:
        """Index some documents of the queue; the first call only opens the corpus."""
        cores = max(1, round((os.cpu_count() or 1) * self._how.share))
        try:
            if self._rounds is None:
                corpus = self._how.opened()
                self._rounds = shared_corpus.Rounds(
                    corpus, lambda paths: self._how.add(corpus, paths, self._told, cores)
                )
                return _Round(shared_corpus.shared(corpus).token)
            report = self._rounds.next()
            return _Round(report=report, back=self._rounds.back, steps=self._told.taken())
        except OctavoError as error:
            why = getattr(error, "reason", "unreachable"), str(error)
            return _Round(why=why, steps=self._told.taken())

    def told(self) -> list[_Step]:
        """Return the steps of progress since the last call."""
        return self._told.taken()


@dataclass(eq=False, slots=True)
class _WorkerHandle:
    """A worker, as whoever started it sees it."""

    actor: Any
    round: Any = None
    told: Any = None
    rests_until: float = 0.0
    token: str = ""
    is_idle: bool = False
    finished: set[str] = field(default_factory=set[str])
    """Files it was done with since the last round that it told of."""


def work(
    corpus: Corpus,
    how: tuple[Callable[[], Corpus], Add],
    told: Callable[[AddReport], None],
    progress: Progress,
    *,
    address: str,
    workers: int | None = None,
    stay: bool = False,
) -> int:
    """Have workers in a Ray cluster index what is in the queue of a shared corpus; return how many died on the way.

    There is one on each machine unless `workers` says how many. Raises CorpusError when Ray cannot be reached, when
    workers die again and again, and with what a worker raised. When it ends, however it ends, so do they.
    """
    connect(address)
    nodes = sum(1 for node in _ray.nodes() if node["Alive"] and node["Resources"].get("CPU"))
    count = workers or max(nodes, 1)
    crew = _WorkerSupervisor(corpus, How(*how, share=min(1.0, max(nodes, 1) / count)), told, progress)
    try:
        crew.hire(count)
        while not crew.is_done or stay:
            crew.look()
    finally:
        crew.dismiss()
    return crew.deaths


class _WorkerSupervisor:
    """The workers of one run."""

    def __init__(self, corpus: Corpus, how: How, told: Callable[[AddReport], None], progress: Progress) -> None:
        self._store, self._how, self._told, self._progress = shared_corpus.shared(corpus), how, told, progress
        self._workers: list[_WorkerHandle] = []
        self.deaths = 0
        self._in_a_row: deque[float] = deque(maxlen=_MOST_DEATHS)
        """When workers died since a document was finished."""
        self._counted: set[str] = set()
        """Files that were told as finished, and that somebody will look at again."""

    @property
    def is_done(self) -> bool:
        """Whether nothing is left in the queue."""
        return all(one.is_idle for one in self._workers) and not sum(self._store.queued())

    def hire(self, count: int) -> None:
        remote = _ray.remote(Worker).options(num_cpus=0, max_concurrency=2, scheduling_strategy="SPREAD")
        self._workers += [_WorkerHandle(remote.remote(self._how)) for _ in range(count)]

    def dismiss(self) -> None:
        """End all workers, and give up their leases."""
        for one in [*self._workers]:
            self._end(one)

    def look(self) -> None:
        """See how far the workers are for a moment."""
        for one in self._workers:
            if one.round is None and one.rests_until <= time.monotonic():
                one.round, one.is_idle = one.actor.round.remote(), False
            if one.told is None:
                one.told = one.actor.told.remote()
        under_way = [one.round for one in self._workers if one.round is not None]
        if under_way:
            _ray.wait(under_way, timeout=_LOOK_SECONDS)
        else:
            time.sleep(_LOOK_SECONDS)
        for one in [*self._workers]:
            try:
                self._listen(one)
                self._take(one)
            except RayError as error:
                self._replace(one, error)

    def _listen(self, one: _WorkerHandle) -> None:
        if _is_ready(one.told):
            steps, one.told = _ray.get(one.told), None
            self._pass_on(one, steps)

    def _pass_on(self, one: _WorkerHandle, steps: Sequence[_Step]) -> None:
        for kind, path, word, number in steps:
            if kind == "finish":
                self._finish(one, path, word)
            else:
                (self._progress.start if kind == "start" else self._progress.advance)(path, word, number)

    def _finish(self, one: _WorkerHandle, path: str, outcome: str) -> None:
        """Pass on that a file is finished, which counts once, however many workers look at it."""
        if path not in self._counted:  # else a file that fails is told again by whoever comes after one that died
            self._in_a_row.clear()
        one.finished.add(path)
        self._progress.finish(path, AGAIN if path in self._counted else outcome)
        self._counted.discard(path)

    def _take(self, one: _WorkerHandle) -> None:
        if not _is_ready(one.round):
            return
        found: _Round = _ray.get(one.round)
        one.round = None
        if one.told:
            with contextlib.suppress(RayError):  # that it has died is seen when it is asked for more
                self._pass_on(one, _ray.get(one.told))
            one.told = None
        self._pass_on(one, found.steps)
        if found.why:
            self._go_on_without(one, CorpusError(*found.why))
            return
        if not one.token:  # it has opened the corpus
            one.token = found.token
        elif found.report is None:
            one.is_idle, one.rests_until = True, time.monotonic() + _REST_SECONDS
        else:
            self._in_a_row.clear()
            self._counted.update(found.back)
            one.finished.clear()
            self._told(found.report)

    def _replace(self, one: _WorkerHandle, error: RayError) -> None:
        """Have another worker go on where one died."""
        if not isinstance(error, RayActorError):
            raise CorpusError("unreachable", f"a worker failed ({_last(error)}): see the logs of Ray") from error
        self.deaths += 1
        self._in_a_row.append(time.monotonic())
        self._end(one)
        if len(self._in_a_row) == _MOST_DEATHS and self._in_a_row[-1] - self._in_a_row[0] < _DEATHS_SECONDS:
            raise CorpusError(
                "unreachable",
                f"{_MOST_DEATHS} workers in a row died before they had done anything ({_last(error)}): "
                "see the logs of Ray, and that each machine has the same Octavo",
            ) from error
        self.hire(1)

    def _go_on_without(self, one: _WorkerHandle, error: CorpusError) -> None:
        """Go on without a worker whose machine is no place to work; raise what it says when it was the last."""
        self._end(one)
        if error.reason != FULL or not self._workers:
            raise error
        self._told(AddReport(notes=(str(error),)))

    def _end(self, one: _WorkerHandle) -> None:
        """End a worker, which may have died or only be out of reach, and give up its leases."""
        self._workers.remove(one)
        self._counted |= one.finished
        with contextlib.suppress(RayError):
            _ray.kill(one.actor)
        if one.token:
            with contextlib.suppress(CorpusError):  # else they end by themselves
                self._store.give_up(one.token)


def _is_ready(reply: Any) -> bool:
    return reply is not None and bool(_ray.wait([reply], timeout=0)[0])


def _last(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1].partition(". ")[0] if lines else type(error).__name__
