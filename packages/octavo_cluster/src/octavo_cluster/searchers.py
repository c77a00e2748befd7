"""Searchers: actors of Ray that each hold one shard of a shared corpus, so that whoever asks need not hold any.

A searcher makes the segments of its shard from the shared layers, in the cache of the machine it runs on, and gets in
step with the store when a question comes from a newer state of it. Searchers are found by their names and stay when who
started them goes; one that dies is started again by Ray where it was, and one whose machine has gone by `start`.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import re
import shutil
import signal
import socket
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

# Ray looks at these when it is imported: what it has to say of other processes is not printed among the answers, and
# the token of a cluster is used at any address, as Ray itself does at "auto".
os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
if (
    any(map(os.environ.get, ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")))
    or Path("~/.ray/auth_token").expanduser().exists()
):
    os.environ.setdefault("RAY_AUTH_MODE", "token")

import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from octavo.corpus import location
from octavo.corpus.ask.derived import DerivedIndex
from octavo.corpus.ask.passage_index import PassageIndex
from octavo.corpus.ask.shards import (
    PATIENCE_SECONDS,
    Copy,
    Refusal,
    ShardedIndex,
    ShardHolding,
    ShardQuestion,
    Summary,
    first_line,
)
from octavo.corpus.store.catalogue import Stamp
from octavo.errors import CorpusError
from octavo_cluster.postgresql import PostgresCatalogue, PostgresStore, Shard

_ray: Any = ray  # its types are known in part only
_NAMESPACE = "octavo"
_PROTOCOL = 1
"""Of questions and replies: searchers of another one are not found."""
_NAME = re.compile(rf"searcher:{_PROTOCOL}:([0-9a-f]+):(\d+)-of-(\d+):(\d+)")
_AT_ONCE = 4
"""Questions that a searcher answers at the same time."""
_STATES = 4
"""Of its shard that a searcher remembers, so that both rounds of a question get the same."""
_REACH_SECONDS = 5.0
_STATUS_SECONDS = 5.0
"""After which a searcher that is asked how it does counts as silent."""


class Searcher:
    """Holds a shard, in a process of its own. `copy` tells it from others of the shard that may share its machine."""

    def __init__(self, url: str, shard: Shard, copy: int) -> None:
        place = location.locate(url)
        folder = location.shards(place.folder) / f"{shard.at + 1}-of-{shard.of}.{copy}"
        for other in folder.parent.glob("*"):
            if f"-of-{shard.of}." not in other.name:  # of searchers that were started with another number of shards
                shutil.rmtree(other, ignore_errors=True)
        self._url, self._shard, self._folder = place.url, shard, folder
        self._lock = threading.Lock()
        self._held: dict[Stamp, tuple[Stamp, PassageIndex]] = {}
        """By the state that was asked for: the state it is of, that one or a later, and the index."""

    @cached_property
    def _catalogue(self) -> PostgresCatalogue:
        """The catalogue, opened when it is first wanted: an actor that cannot be made is never started again."""
        return PostgresCatalogue(PostgresStore(self._url), self._shard)

    @cached_property
    def _derived(self) -> DerivedIndex:
        return DerivedIndex(self._folder, self._catalogue)

    def ask(self, stamp: Stamp, question: ShardQuestion[Any]) -> Any:
        """Return what the shard has to say in this state of the store, or a newer one; or a `Refusal`.

        All that is asked in one state is answered in one, as long as that is among the latest.
        """
        try:
            return question.put_to(self._in_step(stamp))
        except CorpusError as error:
            return Refusal(str(error))

    def _in_step(self, stamp: Stamp) -> PassageIndex:
        with self._lock:
            as_new = (one for one in reversed(self._held.values()) if _is_as_new(one[0], stamp))
            found = self._held.get(stamp) or next(as_new, None)
        if found is None:
            found = self._catalogue.stamp(), self._derived.current()
        with self._lock:
            found = self._held.setdefault(stamp, found)
            while len(self._held) > _STATES:
                del self._held[next(iter(self._held))]
        return found[1]

    def forget(self, numbers: Sequence[int]) -> None:
        """Leave nothing of these documents in any file."""
        with self._lock:
            self._held.clear()
        self._derived.forget(numbers)

    def place(self) -> tuple[str, str, int]:
        """Return the node of Ray it runs on, the address of that, and how many bytes its files have."""
        size = sum(path.stat().st_size for path in self._folder.glob("segment-*.bin"))
        return _ray.get_runtime_context().get_node_id(), _ray.util.get_node_ip_address(), size


def _is_as_new(held: Stamp, wanted: Stamp) -> bool:
    """Return whether a state of the store is the wanted one or a later: who is ahead need not get in step."""
    return held == wanted or (held.identity == wanted.identity and held.generation > wanted.generation)


@dataclass(frozen=True, slots=True)
class SearcherStatus:
    """A searcher: its shard and which copy of it, counted from 1; `why` says why it does not answer."""

    shard: int
    of: int
    copy: int
    node: str = ""
    passages: int = 0
    bytes: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Named:
    """A searcher of a corpus, by its name."""

    corpus: str
    shard: Shard
    copy: int

    @property
    def name(self) -> str:
        """Return what Ray calls it."""
        return f"searcher:{_PROTOCOL}:{self.corpus}:{self.shard.at + 1}-of-{self.shard.of}:{self.copy}"

    def actor(self) -> Any:
        """Return it. Raises ValueError when it has gone."""
        return _ray.get_actor(self.name, _NAMESPACE)


def connect(address: str) -> None:
    """Connect this process to a Ray cluster, "auto" for the one on this machine. Raises CorpusError (`unreachable`).

    A program whose signals matter does so in its main thread.
    """
    if _ray.is_initialized():
        return
    ends = signal.getsignal(signal.SIGTERM)
    try:
        _reach(address)
        _ray.init(address, namespace=_NAMESPACE, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError, OSError, RayError) as error:
        raise CorpusError(
            "unreachable",
            f"there is no Ray cluster to use at {address} ({first_line(error)}): start one with 'ray start --head', or "
            "name its address with --ray HOST:PORT",
        ) from error
    with contextlib.suppress(ValueError, TypeError):  # in another thread, or a handler that is not Python's
        signal.signal(signal.SIGTERM, ends)  # Ray's shows what the program was doing


def _reach(address: str) -> None:
    """Raise OSError where nobody listens: Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), _REACH_SECONDS).close()


def sharded(url: str, catalogue: PostgresCatalogue, address: str, *, partial: bool) -> ShardedIndex:
    """Return the first stage of a shared corpus over its searchers in a Ray cluster, looked for when asked."""

    def find() -> list[list[Copy]]:
        connect(address)
        copies: dict[int, list[Copy]] = {}
        named = _named(catalogue.stamp().identity)
        numbers = [one.shard.of for one in named]
        of = max(numbers, key=numbers.count, default=0)  # two are there while searchers for another number are started
        for one in (one for one in named if one.shard.of == of):
            with contextlib.suppress(ValueError):
                copies.setdefault(one.shard.at, []).append(SearcherCopy(one.name, one.actor()))
        if not copies:
            raise CorpusError(
                "unreachable",
                f"no searcher of {location.without_password(url)} runs in the Ray cluster at {address}: start some "
                f"with 'octavo cluster search --ray {address}'",
            )
        return [copies.get(at, []) for at in range(of)]

    def forget(numbers: Iterable[int]) -> None:
        connect(address)
        gone = [*numbers]
        told: list[Any] = []
        for one in _named(catalogue.stamp().identity):
            with contextlib.suppress(ValueError):
                told.append(one.actor().forget.remote(gone))
        if told:  # one that has died, or is late, comes back in step with the store
            _ray.wait(told, num_returns=len(told), timeout=PATIENCE_SECONDS)

    return ShardedIndex(catalogue, find, count=catalogue.count_of_shards, forget=forget, partial=partial)


@dataclass(frozen=True)
class SearcherCopy:
    """Puts questions to a searcher."""

    name: str
    actor: Any = field(compare=False)

    def __call__(self, stamp: Stamp, question: ShardQuestion[Any]) -> Future[Any]:
        """Return what will be its reply; once that is cancelled, Ray takes the question out of the searcher's queue."""
        try:
            reply = self.actor.ask.remote(stamp, question)
            future: Future[Any] = reply.future()
        except RayError as error:
            future = Future()
            future.set_exception(error)
        else:
            future.add_done_callback(lambda done: _ray.cancel(reply) if done.cancelled() else None)
        return future


def _named(identity: str) -> list[_Named]:
    """Return the searchers of a corpus, shard by shard."""
    matches = [_NAME.fullmatch(name) for name in _ray.util.list_named_actors()]
    found = (
        _Named(match[1], Shard(int(match[2]) - 1, int(match[3])), int(match[4]))
        for match in matches
        if match and match[1] == identity
    )
    return sorted(found, key=lambda one: (one.shard, one.copy))


# Starting and stopping


def start(
    url: str,
    stamp: Stamp,
    address: str,
    told: Callable[[SearcherStatus], None] = lambda _: None,
    *,
    shards: int | None,
    copies: int,
) -> list[SearcherStatus]:
    """Start searchers that are not there yet, and return all once each holds its shard; `told` is called with each.

    Where nobody says how many, there are as many shards as there were, or one for each machine. The copies of a shard
    are on as many machines, no more than there are. Searchers for another number of shards are stopped, no others.
    """
    connect(address)
    nodes = [str(node["NodeID"]) for node in _ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
    running = _named(stamp.identity)
    shards = shards or next((one.shard.of for one in running), len(nodes))
    _stop(one for one in running if one.shard.of != shards)
    there = {one: _node(one) for one in running if one.shard.of == shards}
    for shard in (Shard(at, shards) for at in range(shards)):
        held = {one.copy for one in there if one.shard == shard}
        free = (copy for copy in itertools.count(1) if copy not in held)
        for copy in itertools.islice(free, max(0, min(copies, len(nodes)) - len(held))):
            one = _Named(stamp.identity, shard, copy)
            there[one] = _best_node(nodes, one, there)
            _start(one, url, there[one])
    found: list[SearcherStatus] = []
    for status in _asked(stamp, None):
        told(status)
        found.append(status)
    return sorted(found, key=lambda one: (one.shard, one.copy))


def _node(one: _Named) -> str:
    """Return the node that a searcher runs on, "" where that cannot be told."""
    try:
        return str(_ray.get(one.actor().place.remote(), timeout=_STATUS_SECONDS)[0])
    except (ValueError, RayError):
        return ""


def _best_node(nodes: Sequence[str], wanted: _Named, there: Mapping[_Named, str]) -> str:
    """Return a node that has no copy of the shard, of these the one with the fewest searchers."""
    copies = [node for one, node in there.items() if one.shard == wanted.shard]
    return min(nodes, key=lambda node: (copies.count(node), [*there.values()].count(node)))


def _start(one: _Named, url: str, node: str) -> None:
    _ray.remote(Searcher).options(
        name=one.name,
        lifetime="detached",
        get_if_exists=True,
        num_cpus=0,
        max_restarts=-1,
        max_concurrency=_AT_ONCE,
        scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False),
    ).remote(url, one.shard, one.copy)


def stop(identity: str, address: str) -> int:
    """Stop the searchers of a corpus; return how many there were. Their files stay for those that are started later."""
    connect(address)
    return _stop(_named(identity))


def _stop(named: Iterable[_Named]) -> int:
    stopped = 0
    for one in named:
        with contextlib.suppress(ValueError):
            _ray.kill(one.actor(), no_restart=True)
            stopped += 1
    return stopped


def status(stamp: Stamp, address: str) -> list[SearcherStatus]:
    """Return the searchers of a corpus and how they do."""
    connect(address)
    return sorted(_asked(stamp, _STATUS_SECONDS), key=lambda one: (one.shard, one.copy))


def _asked(stamp: Stamp, seconds: float | None) -> Iterator[SearcherStatus]:
    """Yield how each searcher does, as it comes to know; one that says nothing for so long is silent."""
    waiting: dict[Any, tuple[_Named, Any]] = {}
    for one in _named(stamp.identity):
        with contextlib.suppress(ValueError):
            actor = one.actor()
            waiting[actor.ask.remote(stamp, ShardHolding())] = one, actor
    while waiting:
        done, _ = _ray.wait([*waiting], timeout=seconds)
        for reply in done or [*waiting]:
            one, actor = waiting.pop(reply)
            yield _status(one, actor, reply if done else None)


def _status(one: _Named, actor: Any, reply: Any) -> SearcherStatus:
    known = one.shard.at + 1, one.shard.of, one.copy
    if reply is None:
        return SearcherStatus(*known, why=f"says nothing for {_STATUS_SECONDS:g} seconds")
    try:
        summary: Summary | Refusal = _ray.get(reply)
        node, address, size = _ray.get(actor.place.remote(), timeout=_STATUS_SECONDS)
    except RayError as error:
        return SearcherStatus(*known, why=first_line(error))
    where = f"{address} ({node[:8]})"
    if isinstance(summary, Refusal):
        return SearcherStatus(*known, where, 0, size, summary.why)
    return SearcherStatus(*known, where, summary.passages, size)
