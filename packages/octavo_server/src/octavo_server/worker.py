"""The child process that indexes files for a server: a JSON line in for each job, JSON lines out on how far it is.

`python -m octavo_server.worker` reads its configuration from the first line. It stays between jobs, so that models are
loaded once, and ends when its input does.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TextIO

import octavo
from octavo.errors import OctavoError
from octavo.models import embedders

if TYPE_CHECKING:
    from octavo.corpus import Corpus

_NICE = 5
"""How much searches come before indexing."""
_LINE_SECONDS = 0.2
"""Least time between two lines on the same stage."""


class JsonLines:
    """A `Progress` that writes JSON lines."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._lock = out, threading.Lock()
        self._totals: dict[str, int] = {}
        self._last = ("", 0.0)

    def start(self, path: str, stage: str, total: int) -> None:
        """Write that a stage begins."""
        del path
        self._totals[stage] = total
        self.write({"stage": stage, "done": 0, "total": total})

    def advance(self, path: str, stage: str, done: int) -> None:
        """Write how much of a stage is done, now and then."""
        del path
        last, at = self._last
        if stage == last and time.monotonic() - at < _LINE_SECONDS:
            return
        self._last = stage, time.monotonic()
        self.write({"stage": stage, "done": done, "total": self._totals.get(stage, 0)})

    def finish(self, path: str, outcome: str) -> None:
        """Pass over the end of a file: the result tells it."""

    def write(self, value: Mapping[str, Any]) -> None:
        """Write one line."""
        with self._lock:
            self._out.write(json.dumps(value) + "\n")
            self._out.flush()


def main() -> None:
    """Serve jobs until the input ends."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_NICE)
    out, sys.stdout = sys.stdout, sys.stderr  # what a library prints is no line for the server
    lines = iter(sys.stdin)
    _serve(json.loads(next(lines)), lines, JsonLines(out))


def _serve(settings: Mapping[str, Any], lines: Iterator[str], out: JsonLines) -> None:
    looking = {role: settings[role] for role in ("image_text", "late_interaction")}
    with octavo.open(settings["corpus"], embedding=_embedding(settings), **looking) as corpus:
        out.write({"ready": True})
        for line in lines:
            job = json.loads(line)
            if "layers" in job:
                out.write(_built(corpus, job))
                continue
            try:
                if job["again"]:
                    corpus.retry()
                report = corpus.add(
                    job["path"],
                    ocr=settings["ocr"],
                    layout_model=settings["layout_model"],
                    render=settings["render"],
                    password=settings["password"],
                    workers=1,
                    progress=out,
                )
                failed = [{"reason": one.reason, "message": one.message} for one in report.failed]
                documents = [info.id for info in (*report.added, *report.unchanged)]
                damage = next((info.damage for info in report.damaged), "")
                notes = " ".join(report.notes)
                out.write({"documents": documents, "failed": failed, "damage": damage, "notes": notes})
            except OctavoError as error:
                reason = getattr(error, "reason", "bug")
                out.write({"documents": [], "failed": [{"reason": reason, "message": str(error)}]})


def _built(corpus: Corpus, job: Mapping[str, Any]) -> dict[str, Any]:
    """Build layers of documents by rule; return what became of it."""
    try:
        corpus.view(job["documents"], layers=job["layers"])
    except OctavoError as error:
        return {"built": False, "reason": getattr(error, "reason", "bug"), "message": str(error)}
    return {"built": True, "reason": "", "message": ""}


def _embedding(settings: Mapping[str, Any]) -> Any:
    if not settings["embedding"]:
        return None
    return lambda: embedders.embedder(settings["embedding"], key_env=settings["embedding_key_env"])


if __name__ == "__main__":
    main()
