"""What a run has answered, kept line by line, so that the next one goes on from there.

The journal has one JSON line per question and system, and what runs took. A key holds everything a response depends
on, so that a changed question, system or index is asked again and nothing else is. Gold answers are no part of a key
or a line; the pages of an oracle are part of its plan.
"""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType, TracebackType
from typing import IO, Any, Self, cast

import octavo
import octavo_documents
import octavo_methods
from octavo.errors import CorpusError
from octavo_lab import baselines
from octavo_lab.question import Response

JOURNAL_NAME = "journal.jsonl"
_ANSWERING: Mapping[ModuleType, tuple[str, ...]] = {
    octavo: ("corpus", "decisions", "evidence", "layers", "models", "operators", "question", "systems"),
    octavo_documents: ("document", "text"),  # what parsing made is in the fingerprints of documents
    octavo_methods: (".",),
    baselines: (".",),
}
"""By package, the folders whose code decides what a question's response is."""
_KINDS = (".py", ".md", ".txt")
"""Ends of the names of code, prompts and words."""


def response_key(*, question: str, documents: Sequence[str], plan: str, limit: int, models: Mapping[str, str]) -> str:
    """Return the key of a response.

    Args:
        question: The words.
        documents: Fingerprints of the documents in scope.
        plan: The system's plan as it prints.
        limit: Pages asked for.
        models: Names of the models that decide or rerank, by what they do.
    """
    parts = json.dumps([question, list(documents), plan, limit, sorted(models.items()), code_fingerprint()])
    return hashlib.sha256(parts.encode()).hexdigest()


@dataclasses.dataclass(frozen=True)
class RunCost:
    """What one run took: seconds, answers in all and those known before, and bytes of memory at most.

    `layer_seconds` is the part of indexing spent on layers that only some systems read, `indexing_usage` what models
    took for it, as `Usage`.
    """

    indexing_seconds: float
    asking_seconds: float
    answers: int
    from_journal: int
    peak_memory: int | None = None
    layer_seconds: float = 0.0
    indexing_usage: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])


def peak_memory() -> int | None:
    """Return bytes: this process at its largest plus its largest finished child; None where nobody counts."""
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(who).ru_maxrss for who in whose) * unit


@cache
def code_fingerprint() -> str:
    """Return a hash of the code that answers questions: a plan prints the same after its operators were changed."""
    roots = {Path(str(package.__file__)).parent: folders for package, folders in _ANSWERING.items()}
    return fingerprint_of([(root, root / folder) for root, folders in roots.items() for folder in folders])


def fingerprint_of(folders: Iterable[tuple[Path, Path]]) -> str:
    """Return a hash of code and prompts in folders, each with the package that its files are named from.

    Raises FileNotFoundError for a folder without any: what was moved away would be missed without a word.
    """
    digest = hashlib.sha256()
    for root, folder in folders:
        files = sorted(path for path in folder.rglob("*") if path.suffix in _KINDS)
        if not files:
            raise FileNotFoundError(errno.ENOENT, "there is no code", str(folder))
        for path in files:
            content = path.read_bytes()
            named = f"{root.name}/{path.relative_to(root).as_posix()}"
            digest.update(f"{named}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


class Journal:
    """The responses known so far. A context manager; lines that a killed run left unfinished are passed over."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / JOURNAL_NAME
        self._known: dict[str, Response] = {}
        self._runs: list[RunCost] = []
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            if self._path.exists():
                self._read()
            self._file = self._path.open("a", encoding="utf-8")
            self._end_line()
        except OSError as wrong:
            raise CorpusError(
                "full", f"{self._path} cannot be written: {wrong.strerror}; choose another --out"
            ) from wrong
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def get(self, name: str) -> Response | None:
        """Return the response under a key, None when there is none yet."""
        return self._known.get(name)

    def put(self, name: str, response: Response, *, system: str, question: str) -> None:
        """Keep a response; it survives the death of the process from here on."""
        self._write({"key": name, "system": system, "id": question, "response": response.to_json()})
        self._known[name] = response

    def end(self, took: RunCost) -> tuple[RunCost, ...]:
        """Note what this run took, finished or not; return what every run so far took, this one last."""
        self._write({"run": dataclasses.asdict(took)})
        self._runs.append(took)
        return tuple(self._runs)

    def _write(self, line: dict[str, Any]) -> None:
        if self._file is None:
            raise ValueError("the journal is not open")
        self._file.write(json.dumps(line, default=str) + "\n")
        self._file.flush()

    def _read(self) -> None:
        with self._path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                self._take(line)

    def _take(self, line: str) -> None:
        try:
            value = cast(dict[str, Any], json.loads(line))
            if "run" in value:
                self._runs.append(RunCost(**value["run"]))
            else:
                self._known[str(value["key"])] = Response.of_json(value["response"])
        except (ValueError, KeyError, TypeError):
            return  # an unfinished or foreign line: its question is asked again

    def _end_line(self) -> None:
        """Start a new line where a killed run left half of one."""
        with self._path.open("rb") as file:
            file.seek(0, 2)
            if file.tell():
                file.seek(-1, 2)
                if file.read(1) != b"\n" and self._file is not None:
                    self._file.write("\n")
