"""The journal of model calls as every engine keeps it: a paid reply is committed before anyone sees it.

An engine says its statements, how one is run, and when a lease is free. Every change is one statement and so one
transaction: Ctrl-C in the middle leaves it done or not done.
"""

from __future__ import annotations

import contextlib
import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, LiteralString

from octavo.corpus.store.checksums import checksum
from octavo.errors import CorpusError
from octavo.models.gateway import Entry, Spend, UsageRow
from octavo.models.language import Reply

COLUMNS: LiteralString = (
    "model, decision, version, seconds, cost, created, input_tokens, output_tokens, checksum, reply"
)
"""What is read of a kept reply, in the order of `_values_of`."""
_CHECKSUM = 8
"""Its place among them."""
_FAILED = "failed"
"""Starts the key of the row of failed attempts."""
_FLUSH_SECONDS = 2.0
"""Counts of uses are written after so long at the latest."""
_FLUSH_HITS = 64
"""Uses of kept replies that are counted before they are written: reading stays reading."""


@dataclass(frozen=True, slots=True)
class Statements:
    """What an engine runs; `find`, `all` and `forget` name the key, and the checksum of what is forgotten.

    `all` gives `COLUMNS` and the key of every reply, `settle` takes a key and what `COLUMNS` says, `count` uses by key
    as JSON, `fail` a key, decision, model, calls, tokens in and out, and cost; `usage` gives rows of `UsageRow`.
    """

    find: LiteralString
    all: LiteralString
    forget: LiteralString
    settle: LiteralString
    count: LiteralString
    fail: LiteralString
    usage: LiteralString
    release: LiteralString


class TableJournal(ABC):
    """A `Journal` in the table `calls` of a store but for its leases. Thread-safe; many processes may share it."""

    _statements: Statements

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._uses = Uses(lambda counted: self._change(self._statements.count, json.dumps(dict(counted))), monotonic)

    def find(self, key: str) -> Entry | None:
        """Return the reply kept under a key, and count that it was used. A damaged one is forgotten."""
        row = self._one(self._statements.find, key)
        if row is None:
            return None
        if not _is_sound(key, row):
            self._change(self._statements.forget, key, row[_CHECKSUM])
            return None
        self._uses.count(key)
        return _entry_of(row)

    @abstractmethod
    def lease(self, key: str, token: str, *, seconds: float) -> bool:
        """Take the right to make a call; False while a living taker has it, or when the call was made already."""

    @abstractmethod
    def renew(self, key: str, token: str, *, seconds: float) -> None:
        """Put off the end of a lease to `seconds` from now; nothing happens when it is not held any more."""

    def settle(self, key: str, token: str, entry: Entry) -> None:
        """Keep a paid reply and end the lease; returns when it is committed. The first reply under a key stays.

        A reply is kept also when the lease ran out meanwhile: it was paid for.
        """
        self._change(self._statements.settle, key, *_values_of(key, entry))

    def release(self, key: str, token: str) -> None:
        """Give up a lease; nothing happens when it is not held."""
        self._change(self._statements.release, key, token)

    def fail(self, decision: str, model: str, spend: Spend) -> None:
        """Count attempts that brought no reply and may have been billed, with what they took at worst."""
        self._change(self._statements.fail, *_failure_of(decision, model, spend))

    def usage(self) -> tuple[UsageRow, ...]:
        """Return what was used, by decision and model, in this order."""
        with contextlib.suppress(CorpusError):  # as on a full disk: the last uses are counted another time
            self._uses.flush()
        return tuple(UsageRow(*row) for row in self._rows(self._statements.usage))

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """Yield every kept reply that is sound, with its key."""
        for *row, key in self._rows(self._statements.all):
            if _is_sound(key, row):
                yield key, _entry_of(row)

    def damaged(self, *, forget: bool) -> int:
        """Return how many kept replies are damaged; `forget` removes them, so that they are asked for again."""
        rows = self._rows(self._statements.all)
        wrong = [(key, row[_CHECKSUM]) for *row, key in rows if not _is_sound(key, row)]
        for key, stored in wrong if forget else ():
            self._change(self._statements.forget, key, stored)
        return len(wrong)

    @abstractmethod
    def _one(self, sql: LiteralString, *bindings: Any) -> Any:
        """Return the first row, None for none."""

    @abstractmethod
    def _rows(self, sql: LiteralString) -> Iterable[Any]:
        """Give all rows, a few at a time."""

    @abstractmethod
    def _change(self, sql: LiteralString, *bindings: Any) -> int:
        """Run one statement that happens wholly or not at all; return how many rows it changed."""


def _values_of(key: str, entry: Entry) -> tuple[Any, ...]:
    """Return the values of `COLUMNS` for a reply kept under a key."""
    reply = entry.reply
    cost = None if entry.cost is None else float(entry.cost)
    head = (entry.model, entry.decision, entry.version, float(entry.seconds), cost, entry.created)
    columns = (*head, reply.input_tokens, reply.output_tokens)
    chance = {} if reply.chance is None else {"chance": reply.chance}
    text = json.dumps({"text": reply.text, "finish": reply.finish, **chance})  # ASCII: all that is said can be stored
    return (*columns, checksum(_covered(key, columns, text)), text)


def _is_sound(key: str, row: Any) -> bool:
    """Whether a row of `COLUMNS` is as it was written."""
    return checksum(_covered(key, tuple(row[:_CHECKSUM]), row[9])) == row[_CHECKSUM]


def _covered(key: str, columns: tuple[Any, ...], reply: str) -> bytes:
    """Return the bytes a row's checksum is made of: all that is read from it, and the key it is kept under."""
    return "\n".join([key, *map(repr, columns), reply]).encode("utf-8", "surrogatepass")


def _entry_of(row: Any) -> Entry:
    """Return the reply that a row of `COLUMNS` keeps."""
    model, decision, version, seconds, cost, created, read, written, _, text = row
    values: Any = json.loads(text)
    reply = Reply(values["text"], read, written, values["finish"], values.get("chance"))
    return Entry(reply, model, decision, version, seconds, cost, created)


def _failure_of(decision: str, model: str, spend: Spend) -> tuple[Any, ...]:
    """Return what is counted of attempts without a reply: key, decision, model, calls, tokens in and out, and cost.

    The row has no reply, and counts the attempts of a decision and model in `hits`.
    """
    key = "\n".join((_FAILED, decision, model))
    cost = None if spend.cost is None else float(spend.cost)
    return key, decision, model, spend.calls, spend.input_tokens, spend.output_tokens, cost


class Uses:
    """Counts how often kept replies were used; `write` adds counts by key to the stored ones. Thread-safe."""

    def __init__(self, write: Callable[[Mapping[str, int]], object], monotonic: Callable[[], float]) -> None:
        self._write, self._monotonic = write, monotonic
        self._counted: Counter[str] = Counter()
        self._flushed = monotonic()
        self._lock = Lock()

    def count(self, key: str) -> None:
        """Count one use."""
        with self._lock:
            self._counted[key] += 1
            is_due = self._counted.total() >= _FLUSH_HITS or self._monotonic() - self._flushed > _FLUSH_SECONDS
        if is_due:
            with contextlib.suppress(CorpusError):  # the counts stay and are written another time
                self.flush()

    def flush(self) -> None:
        """Write the counts; on an error they are kept for the next time."""
        with self._lock:
            counted, self._counted, self._flushed = self._counted, Counter(), self._monotonic()
        if not counted:
            return
        try:
            self._write(counted)
        except BaseException:
            with self._lock:
                self._counted += counted
            raise
