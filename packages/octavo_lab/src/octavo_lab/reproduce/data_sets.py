"""What is there of the published benchmarks: the folder of each, the split, and the documents that questions name.

Data is read in the layout that its authors publish. What is missing is said with the place it is published at; another
split than the one for measuring, and half a download, are refused.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path

from octavo.errors import UsageError
from octavo_documents.document import number_of
from octavo_lab.benchmarks import BENCHMARKS, choose, load
from octavo_lab.question import Benchmark, Question

_UNFINISHED = (".part", ".crdownload", ".partial", ".tmp", ".download")
"""Endings of files that a program is still downloading, or was."""


@dataclasses.dataclass(frozen=True)
class DataSet:
    """A published benchmark: the folder it is looked for in, the question files of its split, and where it is from."""

    name: str
    folder: str
    files: tuple[str, ...]
    questions: int
    where: str
    documents: int | None = None
    """How many it has; None where questions are asked of a whole collection."""

    @property
    def title(self) -> str:
        """What it is called."""
        return BENCHMARKS[self.name].title


@cache
def _all() -> Mapping[str, DataSet]:
    text = resources.files("octavo_lab.reproduce").joinpath("data_sets.toml").read_text(encoding="utf-8")
    return {
        name: DataSet(
            name,
            values["folder"],
            tuple(values["files"]),
            values["questions"],
            values["where"],
            values.get("documents"),
        )
        for name, values in tomllib.loads(text).items()
    }


def data_set(name: str) -> DataSet:
    """Return what is known of a benchmark by its name."""
    return _all()[name]


def place_of(one: DataSet, roots: Sequence[str]) -> Path:
    """Return the folder of a benchmark.

    Args:
        one: The benchmark.
        roots: Folders that have a folder for each benchmark, or its files themselves, and NAME=FOLDER for one alone.

    Raises UsageError that says where it is looked for and where it is published.
    """
    named = [root.partition("=") for root in roots if "=" in root]
    for name, _, folder in named:
        if name in (one.name, one.folder):
            return _there(Path(folder).expanduser(), one)
    folders = [Path(root).expanduser() for root in roots if "=" not in root]
    for root in folders:
        for place in (root / one.folder, root / one.name):
            if place.is_dir():
                return place
    for root in folders:
        if root.is_dir() and any(True for pattern in one.files for _ in root.glob(pattern)):
            return root
    looked = ", ".join(str(root / one.folder) for root in folders) or "no folder, for --data names none"
    raise UsageError(f"{one.title} is not there: looked in {looked}; it is published at {one.where}")


def _there(folder: Path, one: DataSet) -> Path:
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder} for {one.title}; it is published at {one.where}")
    return folder


def read(
    one: DataSet,
    place: Path,
    *,
    limit: int | None = None,
    sample: int | None = None,
    incomplete: bool = False,
    needs_documents: bool = True,
) -> Benchmark:
    """Read a benchmark whose folder is there.

    With `incomplete` questions about documents that are not there are left out, and noted; without `needs_documents`
    none has to be there, for nothing is asked. Raises UsageError for
    another split, a file that is still being downloaded, and documents that are missing.
    """
    definition = BENCHMARKS[one.name]
    file = definition.find(place)
    if not any(fnmatch.fnmatchcase(file.name, pattern) for pattern in one.files):
        raise UsageError(
            f"{file} is not the split that is measured: {one.title} needs {' or '.join(one.files)}, published at "
            f"{one.where}"
        )
    _check_finished(place, one)
    benchmark = load(one.name, place, needs_documents=needs_documents)
    if not needs_documents:
        return dataclasses.replace(benchmark, questions=choose(benchmark.questions, limit, sample), documents=())
    there = {path.name for path in benchmark.documents if path.stat().st_size}
    lacking = _lacking(benchmark.questions, there)
    problems = benchmark.problems
    if incomplete and lacking:
        kept = [question for question in benchmark.questions if lacking.isdisjoint(question.documents)]
        left = len(benchmark.questions) - len(kept)
        problems = (*problems, f"{number_of(left, 'question')} about documents that are not in {place} are left out")
        benchmark = dataclasses.replace(benchmark, questions=tuple(kept))
    chosen = choose(benchmark.questions, limit, sample)
    if not chosen:
        raise UsageError(
            f"{place} has no document that questions of {one.title} name; they are published at {one.where}"
        )
    _check_documents(_lacking(chosen, there), chosen, place, one)
    named = {name for question in chosen for name in question.documents}
    documents = tuple(path for path in benchmark.documents if path.name in named) if named else benchmark.documents
    return dataclasses.replace(benchmark, questions=chosen, documents=documents, problems=problems)


def _check_finished(place: Path, one: DataSet) -> None:
    unfinished = next((path for path in place.rglob("*") if path.suffix.lower() in _UNFINISHED), None)
    if unfinished is not None:
        raise UsageError(f"{unfinished} is half a download: finish it from {one.where}, or remove it")


def _lacking(questions: Sequence[Question], there: set[str]) -> set[str]:
    """Return the documents that questions name and that are not there, or are empty."""
    return {name for question in questions for name in question.documents} - there


def _check_documents(lacking: set[str], questions: Sequence[Question], place: Path, one: DataSet) -> None:
    if not lacking:
        return
    named = {name for question in questions for name in question.documents}
    raise UsageError(
        f"{len(lacking)} of {number_of(len(named), 'document')} that questions of {one.title} name are not in {place}, "
        f"or empty (first {min(lacking)}): download the rest from {one.where}, or add --incomplete to leave their "
        f"questions out"
    )
