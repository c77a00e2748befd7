"""Building layers for a question: in a process of its own, one build at a time, for those who may write.

Whoever may only read is told what is missing, what building it takes and how it is done.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

from octavo.errors import CorpusError, UnbuiltError
from octavo_server import IndexingSettings
from octavo_server.jobs import Worker
from octavo_server.pools import Pool
from octavo_server.problems import Problem

_T = TypeVar("_T")
_WAITING = 8
"""Builds that wait for the one under way; more are refused."""
_SILENT_SECONDS = 900.0
"""How long a build may go without a line before it is given up."""
_MOST_NAMED = 100
"""Ids of documents that a refusal lists."""


class LayerBuilding:
    """Has a child process build layers, and runs what waited for them again."""

    def __init__(self, corpus: Path, indexing: IndexingSettings, *, can_write: bool) -> None:
        """Take the folder of the corpus, how its documents are indexed, and whether it may be written at all."""
        self._corpus, self._indexing, self._can_write = corpus, indexing, can_write
        self.pool = Pool("layers", running=1, waiting=_WAITING)
        self._worker: Worker | None = None

    async def with_layers(self, task: Callable[[], Awaitable[_T]], *, may_write: bool) -> _T:
        """Return what a task returns, run once more where it lacked layers and the caller may have them built.

        Raises Problem 409 (`unbuilt`) otherwise, and what the task raises.
        """
        try:
            return await task()
        except UnbuiltError as error:
            await self.build(error, may_write=may_write)
            return await task()

    async def build(self, lacking: UnbuiltError, *, may_write: bool) -> None:
        """Build what a question lacked. Raises Problem 409 where the caller may not, 503 where too many wait."""
        if not (may_write and self._can_write):
            raise self.refused(lacking)
        await self.pool.run(lambda: self._built(lacking))

    def refused(self, lacking: UnbuiltError) -> Problem:
        """Return what says which layers are missing, what building them takes, and how that is done."""
        system, seconds = lacking.system, max(1, round(lacking.seconds))
        count = len(lacking.document_ids)
        who = "a key that may write has them built" if self._can_write else "this server builds none"
        return Problem(
            409,
            "unbuilt",
            f"{system or 'This'} reads {', '.join(lacking.layers)}, which {count:,} of the documents lack. Building "
            f"them takes about {seconds:,} s and no call of a model; {who}, and so does 'octavo add --for "
            f"{system or 'SYSTEM'} FILE' beside the server. The system auto needs none.",
            more={
                "system": system,
                "layers": [*lacking.layers],
                "documents": [*lacking.document_ids[:_MOST_NAMED]],
                "document_count": count,
                "seconds": seconds,
                "calls": 0,
            },
        )

    def _built(self, lacking: UnbuiltError) -> None:
        """Have the layers built and wait for it; what was built meanwhile for another question is not built again."""
        import queue

        worker = self._worker = Worker(self._corpus, self._indexing)
        try:
            worker.send({"layers": [*lacking.layers], "documents": [*lacking.document_ids]})
            while (line := worker.lines.get(timeout=_SILENT_SECONDS)) is not None:
                if "built" in line:
                    _check(line)
                    return
            raise CorpusError("locked", f"the process that builds layers ended ({worker.ended_how()}): ask again")
        except queue.Empty:
            raise CorpusError("locked", "nothing was heard of the process that builds layers: ask again") from None
        finally:
            self._worker = None
            worker.end()

    def close(self) -> None:
        """End what is under way."""
        self.pool.close()
        worker = self._worker
        if worker is not None:
            worker.end()


def _check(line: dict[str, object]) -> None:
    if line["reason"]:
        raise CorpusError(str(line["reason"]), str(line["message"]))
