"""Benchmarks: the table of them, and reading one: questions from its file, and the documents they are about.

The modules beside it read the rows of one sort of benchmark each.
"""

from __future__ import annotations

import dataclasses
import filecmp
import random
from collections.abc import Iterable, MutableMapping, Sequence
from pathlib import Path

from octavo.corpus.index.sources import walk
from octavo.errors import UsageError
from octavo_documents.lazy import LazyTable
from octavo_documents.parsing.articles import is_container, is_found_in_folders
from octavo_documents.parsing.formats import SUFFIXES
from octavo_lab.benchmarks import about_documents, open_domain, own, training_splits
from octavo_lab.benchmarks.own import COLLECTION_METRICS, NATURAL, OWN
from octavo_lab.benchmarks.rows import BadRow, Definition, Row, UnknownKeys, hub_rows
from octavo_lab.metrics.overlap import sequence
from octavo_lab.question import Benchmark, Place, Question

BENCHMARKS: MutableMapping[str, Definition] = LazyTable({}, getattr, "octavo.benchmarks")
"""By name. Adding one is a reader of its rows and a definition; other packages bring theirs by entry points."""
for _known in (
    *about_documents.DEFINITIONS,
    *open_domain.DEFINITIONS,
    *training_splits.DEFINITIONS,
    *own.DEFINITIONS,
):
    BENCHMARKS[_known.name] = _known
MEASURED = frozenset(one.name for one in (*about_documents.DEFINITIONS, *open_domain.DEFINITIONS))
"""Published benchmarks whose questions here are those that systems are measured by: nothing may be trained on them."""

DOCUMENT_FOLDERS = ("documents", "articles", "pdfs", "pdf", "docs", "pdfs_dev")
_COLLECTION_STEMS = ("articles", "collection", "corpus")
"""What a file of articles is called, up to its first dot, where it stands beside the questions."""
_LIST_METRICS = ("qampari_f1_5", "qampari_recall_5", "qampari_precision")
"""Also shown over a collection where some answers are lists."""


def load(
    name: str,
    folder: Path | None = None,
    *,
    skip_bad: bool = True,
    limit: int | None = None,
    sample: int | None = None,
    needs_documents: bool = True,
    together: bool = False,
    beside: Sequence[Path] = (),
) -> Benchmark:
    """Read a benchmark.

    Args:
        name: A name of the table, or the path of a JSON lines file or a benchmark folder in Octavo's own layout.
        folder: The benchmark's folder: questions, and documents in it or in its folder `documents`.
        skip_bad: Whether bad rows are left out and noted, instead of raising BadRow at the first.
        limit: The most questions to keep.
        sample: Seed of a random choice of `limit` questions, kept in file order; None for the first ones.
        needs_documents: Whether documents have to be there; not where nothing is asked.
        together: Whether every question is asked of all documents together.
        beside: Folders and files that stand beside these then, and that no question is about.

    Its documents are the files in the scope of the questions kept; where all are asked together, of all its questions.

    Raises UsageError when the name is unknown, the folder is of the wrong shape or holds no question.
    """
    definition, place = _definition(name, folder)
    rows, where, its_folder = _rows(definition, place)
    questions, problems, warnings = _questions(definition, rows, skip_bad=skip_bad)
    if not questions:
        raise UsageError(f"{where} holds no question that can be read{f'; {problems[0]}' if problems else ''}")
    files = _files(definition, folder or its_folder, questions, is_given=folder is not None) if needs_documents else ()
    every = _as_they_are(questions, files, together=together)
    chosen = choose(every, limit, sample)
    own_documents = _one_of_each(_in_scope(files, every if together else chosen))
    return Benchmark(
        name=definition.name if definition is not OWN else _own_name(place),
        title=definition.title if definition is not OWN else f"{definition.title}: {_own_name(place)}",
        questions=chosen,
        documents=own_documents,
        metrics=_metrics(definition, chosen, files),
        problems=tuple(problems),
        warnings=tuple(warnings),
        together=together,
        beside=_beside(beside, (*own_documents, Path(where))),
    )


def _definition(name: str, folder: Path | None) -> tuple[Definition, Path]:
    if name in BENCHMARKS and name != OWN.name:
        if folder is None:
            raise UsageError(f"--documents FOLDER is needed: the folder with the questions and documents of {name}")
        return BENCHMARKS[name], folder
    path = Path(name)
    if path.exists():
        return OWN, path
    raise UsageError(f"there is no benchmark or file {name!r}; the benchmarks are {', '.join(sorted(BENCHMARKS))}")


def _files(definition: Definition, folder: Path, questions: Sequence[Question], *, is_given: bool) -> tuple[Path, ...]:
    """Return the documents of a benchmark; those that own questions name lie anywhere below the folder."""
    is_own, all_named = definition in (OWN, NATURAL), all(question.documents for question in questions)
    found = documents(folder, of_all_formats=is_own and (is_given or all_named))
    if is_own and all_named:
        stems = {Path(name).stem for question in questions for name in question.documents}
        below = {path for path in folder.rglob("*") if path.stem in stems and path.suffix.lower() in SUFFIXES}
        found = tuple(sorted({*found, *filter(Path.is_file, below)}))
    if not found:
        raise UsageError(f"{folder} holds no documents; --documents names the folder that has them")
    return found


def _one_of_each(files: Sequence[Path]) -> tuple[Path, ...]:
    """Return the first file of each name; raise UsageError where another one of that name has other bytes."""
    first: dict[str, Path] = {}
    for path in files:
        one = first.setdefault(path.name, path)
        if one is not path and not filecmp.cmp(one, path, shallow=False):
            raise UsageError(
                f"{one} and {path} have the same name; --documents names the folder that has the right one"
            )
    return tuple(first.values())


def _metrics(definition: Definition, questions: Sequence[Question], files: Sequence[Path]) -> tuple[str, ...]:
    """Return what a benchmark is scored with: own questions over articles also as collections are."""
    if definition is not OWN or not any(is_container(path.name) for path in files):
        return definition.metrics
    has_lists = any(question.answer_format == "List" and sequence(question.answer) for question in questions)
    return (*definition.metrics, *COLLECTION_METRICS, *(_LIST_METRICS if has_lists else ()))


def _own_name(place: Path) -> str:
    """Return what a file of questions is called, or its folder where the file's name says nothing."""
    path = place.absolute()
    return path.parent.name if path.name == "questions.jsonl" else path.stem


def _rows(definition: Definition, place: Path) -> tuple[Iterable[Row], str, Path]:
    """Return the rows of the folder's file, or of the hub where the folder has none and the set is there.

    With them their name for messages, and the folder the file is in.
    """
    try:
        path = definition.find(place)
    except UsageError:
        if definition.hub is None or not place.is_dir():
            raise
        return hub_rows(*definition.hub), f"{definition.hub[0]} on the hub", place
    return definition.rows(path), str(path), path.parent


def _questions(
    definition: Definition, rows: Iterable[Row], *, skip_bad: bool
) -> tuple[list[Question], list[str], list[str]]:
    """Return the questions, the rows that were left out and the keys that were read past."""
    found: dict[str, Question] = {}
    problems: list[str] = []
    warnings: list[str] = []
    unknown = UnknownKeys(definition.keys)
    for row in rows:
        warnings.extend(unknown.warnings(row))
        try:
            row.require()
            question = definition.question(row)
            if question is None:
                continue
            if question.id in found:
                raise row.bad(f"has the id {question.id!r} of an earlier row")
            found[question.id] = question
        except BadRow as bad:
            if not skip_bad:
                raise
            problems.append(str(bad))
    return list(found.values()), problems, warnings


def documents(folder: Path, *, of_all_formats: bool = False) -> tuple[Path, ...]:
    """Return the documents of a benchmark, by name: PDF files, in a folder of their own other formats too.

    With `of_all_formats` any folder is read so: one that was given for its documents, or whose questions name them all.
    A file of many articles is one of them: any in a folder of their own, one called `articles` beside the questions.
    """
    inner = next((folder / name for name in DOCUMENT_FOLDERS if (folder / name).is_dir()), None)
    suffixes = SUFFIXES if inner or of_all_formats else SUFFIXES[:1]
    files = {path for path in (inner or folder).rglob("*") if path.suffix.lower() in suffixes}
    files |= {path for path in folder.glob("*") if _is_collection(path)}
    files |= {path for path in (inner.rglob("*") if inner else ()) if is_found_in_folders(path.name)}
    return tuple(sorted(path for path in files if path.is_file()))


def _is_collection(path: Path) -> bool:
    """Whether a file beside a benchmark's questions holds its articles."""
    return path.name.partition(".")[0].lower() in _COLLECTION_STEMS and is_container(path.name)


def _beside(wanted: Sequence[Path], known: Sequence[Path]) -> tuple[Path, ...]:
    """Return the files that are read as documents below folders, in order, without those that are known.

    The benchmark's own question file is known: its gold is no document. Raises SourceError for a folder without any.
    """
    passed = {path.resolve() for path in known}
    found = (Path(file.path) for place in wanted for file in walk(str(place)) if not file.left_out)
    return tuple(sorted({path.resolve(): path for path in found if path.resolve() not in passed}.values()))


def _as_they_are(
    questions: Sequence[Question], files: Sequence[Path], *, together: bool = False
) -> tuple[Question, ...]:
    """Return the questions with the names that documents have here: a set of articles may come as HTML or text."""
    names = {path.name for path in files}
    by_stem = {path.stem: path.name for path in files}

    def here(given: Iterable[str]) -> tuple[str, ...]:
        return tuple(name if name in names else by_stem.get(Path(name).stem, name) for name in given)

    def there(given: Sequence[Place]) -> tuple[Place, ...]:
        return tuple(zip(here(name for name, _ in given), (page for _, page in given), strict=True))

    return tuple(
        dataclasses.replace(
            question,
            documents=here(question.documents),
            evidence_documents=here(question.evidence_documents),
            evidence_places=there(question.evidence_places),
            sufficient_places=there(question.sufficient_places),
            together=together,
        )
        for question in questions
    )


def _in_scope(files: Sequence[Path], questions: Sequence[Question]) -> tuple[Path, ...]:
    """Return the files that questions name: all when one of them names none, for the whole folder is its scope.

    A file of articles stays, for what it holds is not known by names of files.
    """
    if any(not question.documents for question in questions):
        return tuple(files)
    named = {name for question in questions for name in question.documents}
    named |= {name for question in questions if question.together for name in question.right_documents}
    return tuple(path for path in files if path.name in named or is_container(path.name))


def choose(questions: Sequence[Question], limit: int | None, sample: int | None) -> tuple[Question, ...]:
    """Return the first `limit` questions, or with a seed as many at random; the file's order is kept."""
    if limit is None or limit >= len(questions):
        return tuple(questions)
    if sample is None:
        return tuple(questions[:limit])
    places = random.Random(sample).sample(range(len(questions)), limit)
    return tuple(questions[at] for at in sorted(places))
