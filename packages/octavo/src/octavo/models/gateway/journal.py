"""The memory of calls: what was paid for is never asked again, and what is being asked is not asked twice."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Protocol

from octavo.errors import CorpusError
from octavo.models.gateway.budget import Spend
from octavo.models.language import Reply


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """A paid reply.

    `seconds` is what the model took, `cost` what it cost (None when the price is not known), `created` when it came
    (UTC, ISO 8601).
    """

    reply: Reply
    model: str
    decision: str
    version: str
    seconds: float
    cost: float | None
    created: str


@dataclasses.dataclass(frozen=True, slots=True)
class UsageRow:
    """What one decision took of one model. `cached` counts the replies that were there already.

    `cost` is the sum over calls whose price is known, None when it is known for none. `failed` counts attempts that
    brought no reply and may have been billed, with what they took at worst; they are in none of the other numbers.
    """

    decision: str
    model: str
    calls: int
    cached: int
    input_tokens: int
    output_tokens: int
    seconds: float
    cost: float | None
    failed: int = 0
    failed_tokens: int = 0
    failed_cost: float | None = None


class Journal(Protocol):
    """Keeps paid replies by key, and leases for those under way. Thread-safe.

    A lease is named by a token its taker made up, unique to the call. It ends when it is settled or released, when its
    seconds run out, or when the process that took it is gone.
    """

    def find(self, key: str) -> Entry | None:
        """Return the reply kept under a key, and count that it was used."""
        ...

    def lease(self, key: str, token: str, *, seconds: float) -> bool:
        """Take the right to make a call; False while a living taker has it, or when the call was made already."""
        ...

    def renew(self, key: str, token: str, *, seconds: float) -> None:
        """Put off the end of a lease to `seconds` from now; nothing happens when it is not held any more."""
        ...

    def settle(self, key: str, token: str, entry: Entry) -> None:
        """Keep a paid reply and end the lease; returns when the reply is safe. The first reply under a key stays."""
        ...

    def release(self, key: str, token: str) -> None:
        """Give up a lease; nothing happens when it is not held."""
        ...

    def fail(self, decision: str, model: str, spend: Spend) -> None:
        """Count attempts that brought no reply and may have been billed, with what they took at worst."""
        ...

    def usage(self) -> tuple[UsageRow, ...]:
        """Return what was used, by decision and model, in this order."""
        ...


_FULL = "full"
_MOST_UNKEPT = 256
"""Replies in a row that are paid for and not kept: an answer takes fewer, and a long job is not to go on like that."""


class SpareJournal:
    """A `Journal` that goes on in memory where another cannot be written for want of room: what is paid for is seen.

    `unkept` counts the replies that are forgotten with the process.
    """

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.unkept = self._in_a_row = 0
        self._memory = MemoryJournal()

    def find(self, key: str) -> Entry | None:
        """Return the reply kept under a key, and count that it was used."""
        return self._memory.find(key) or self.journal.find(key)

    def lease(self, key: str, token: str, *, seconds: float) -> bool:
        """Take the right to make a call; where it cannot be written down it holds in this process alone."""
        if self._memory.has(key):
            return False
        try:
            return self.journal.lease(key, token, seconds=seconds)
        except CorpusError as error:
            if error.reason != _FULL or self._in_a_row >= _MOST_UNKEPT:
                raise
            return self._memory.lease(key, token, seconds=seconds)

    def renew(self, key: str, token: str, *, seconds: float) -> None:
        """Put off the end of a lease."""
        with contextlib.suppress(CorpusError):
            self.journal.renew(key, token, seconds=seconds)

    def settle(self, key: str, token: str, entry: Entry) -> None:
        """Keep a paid reply, in memory where it cannot be written: it was paid for, and is used whatever happens."""
        try:
            self.journal.settle(key, token, entry)
            self._memory.release(key, token)
            self._in_a_row = 0
        except CorpusError:
            self.unkept += 1
            self._in_a_row += 1
            self._memory.settle(key, token, entry)

    def release(self, key: str, token: str) -> None:
        """Give up a lease."""
        self._memory.release(key, token)
        self.journal.release(key, token)

    def fail(self, decision: str, model: str, spend: Spend) -> None:
        """Count attempts that brought no reply."""
        self.journal.fail(decision, model, spend)

    def usage(self) -> tuple[UsageRow, ...]:
        """Return what was used and could be written down."""
        return self.journal.usage()


_MOST_IN_MEMORY = 10_000
"""Replies that are kept in memory: of more, those that came first are forgotten."""


class MemoryJournal:
    """A `Journal` that lasts as long as the process, of the latest replies."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, Entry] = {}
        self._hits: dict[str, int] = {}
        self._leases: dict[str, str] = {}
        self._failed: dict[tuple[str, str], Spend] = {}

    def find(self, key: str) -> Entry | None:
        """Return the reply kept under a key, and count that it was used."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._hits[key] = self._hits.get(key, 0) + 1
            return entry

    def has(self, key: str) -> bool:
        """Whether a reply is kept under a key, or asked for."""
        with self._lock:
            return key in self._entries or key in self._leases

    def lease(self, key: str, token: str, *, seconds: float) -> bool:
        """Take the right to make a call. Whoever takes it lives as long as this journal, so `seconds` never run out."""
        with self._lock:
            if key in self._entries or key in self._leases:
                return False
            self._leases[key] = token
            return True

    def renew(self, key: str, token: str, *, seconds: float) -> None:
        """Do nothing: leases do not run out."""

    def settle(self, key: str, token: str, entry: Entry) -> None:
        """Keep a paid reply and end the lease."""
        with self._lock:
            self._entries.setdefault(key, entry)
            self._leases.pop(key, None)
            while len(self._entries) > _MOST_IN_MEMORY:
                first = next(iter(self._entries))
                del self._entries[first]
                self._hits.pop(first, None)

    def release(self, key: str, token: str) -> None:
        """Give up a lease; nothing happens when it is not held."""
        with self._lock:
            if self._leases.get(key) == token:
                del self._leases[key]

    def fail(self, decision: str, model: str, spend: Spend) -> None:
        """Count attempts that brought no reply and may have been billed."""
        with self._lock:
            self._failed[decision, model] = self._failed.get((decision, model), Spend()).plus(spend)

    def usage(self) -> tuple[UsageRow, ...]:
        """Return what was used, by decision and model, in this order."""
        with self._lock:
            entries = [(entry, self._hits.get(key, 0)) for key, entry in self._entries.items()]
            failed = dict(self._failed)
        groups: dict[tuple[str, str], list[tuple[Entry, int]]] = {key: [] for key in failed}
        for entry, hits in entries:
            groups.setdefault((entry.decision, entry.model), []).append((entry, hits))
        return tuple(_row(*key, groups[key], failed.get(key, Spend(cost=None))) for key in sorted(groups))


def _row(decision: str, model: str, entries: Sequence[tuple[Entry, int]], failed: Spend) -> UsageRow:
    costs = [entry.cost for entry, _ in entries if entry.cost is not None]
    return UsageRow(
        decision=decision,
        model=model,
        calls=len(entries),
        cached=sum(hits for _, hits in entries),
        input_tokens=sum(entry.reply.input_tokens for entry, _ in entries),
        output_tokens=sum(entry.reply.output_tokens for entry, _ in entries),
        seconds=sum(entry.seconds for entry, _ in entries),
        cost=sum(costs) if costs else None,
        failed=failed.calls,
        failed_tokens=failed.input_tokens + failed.output_tokens,
        failed_cost=failed.cost,
    )


def now() -> str:
    """Return the time (UTC, ISO 8601, seconds)."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
