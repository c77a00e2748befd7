"""States of texts that were read before, kept while there is room: questions about the same pages read them once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octavo.models.ports import Vectors


class KeptStates:
    """The last states that were asked for, by their text. Thread-safe."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, texts: Sequence[str], read: Callable[[list[str]], list[Vectors]]) -> list[Vectors]:
        """Return the states of texts; `read` gives those that are not there. They are read only."""
        with self._lock:
            found = {text: self._kept[text] for text in texts if text in self._kept}
            for text in found:
                self._kept.move_to_end(text)
        new = [text for text in dict.fromkeys(texts) if text not in found]
        if new:
            read_now = dict(zip(new, read(new), strict=True))
            for states in read_now.values():
                states.flags.writeable = False
            found |= read_now
            self._keep(read_now)
        return [found[text] for text in texts]

    def _keep(self, states: dict[str, Vectors]) -> None:
        with self._lock:
            for text, own in states.items():
                if text not in self._kept:
                    self._kept[text] = own
                    self._bytes += own.nbytes
            while self._bytes > self._most:
                self._bytes -= self._kept.popitem(last=False)[1].nbytes
