"""Paid replies of models as every engine keeps them, and their uses, counted in memory and written now and then."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from octavo.corpus.store.checksums import checksum
from octavo.errors import CorpusError
from octavo.models.gateway import Entry, Spend
from octavo.models.language import Reply

COLUMNS = "model, decision, version, seconds, cost, created, input_tokens, output_tokens, checksum, reply"
"""What is read of a kept reply, in the order of `values_of`."""
_FAILED = "failed"
"""Starts the key of the row of failed attempts."""
_FLUSH_SECONDS = 2.0
"""Counts of uses are written after so long at the latest."""
_FLUSH_HITS = 64
"""Uses of kept replies that are counted before they are written: reading stays reading."""


def values_of(key: str, entry: Entry) -> tuple[Any, ...]:
    """Return the values of `COLUMNS` for a reply kept under a key."""
    reply = entry.reply
    cost = None if entry.cost is None else float(entry.cost)
    head = (entry.model, entry.decision, entry.version, float(entry.seconds), cost, entry.created)
    columns = (*head, reply.input_tokens, reply.output_tokens)
    text = json.dumps({"text": reply.text, "finish": reply.finish})  # ASCII: whatever a model says can be stored
    return (*columns, checksum(_covered(key, columns, text)), text)


def is_sound(key: str, row: Any) -> bool:
    """Whether a row of `COLUMNS` is as it was written."""
    return checksum(_covered(key, row[:8], row[9])) == row[8]


def _covered(key: str, columns: tuple[Any, ...], reply: str) -> bytes:
    """Return the bytes a row's checksum is made of: all that is read from it, and the key it is kept under."""
    return "\n".join([key, *map(repr, columns), reply]).encode("utf-8", "surrogatepass")


def entry_of(row: Any) -> Entry:
    """Return the reply that a row of `COLUMNS` keeps."""
    model, decision, version, seconds, cost, created, read, written, _, text = row
    values: Any = json.loads(text)
    reply = Reply(values["text"], read, written, values["finish"])
    return Entry(reply, model, decision, version, seconds, cost, created)


def failure_of(decision: str, model: str, spend: Spend) -> tuple[Any, ...]:
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
