"""Getting a benchmark ready to be asked: its documents, the layers that the systems read, and the scope of questions.

Both are kept in the corpus, so that a run which was killed goes on from the layer in work. Where evidence stands is
looked up after a system has answered; nothing of it reaches one. A block holds a text of the gold when the text stands
in it word for word, or most of the text's runs of words do; a text of several blocks is held by those that lie mostly
inside it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import re
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal

from octavo.corpus import AddReport, Corpus, DocumentInfo, Progress
from octavo.corpus.index.builders import EVERY_DOCUMENT
from octavo.corpus.store.paths import absolute, shown
from octavo.errors import BudgetError
from octavo.evidence import Usage
from octavo_documents.parsing.articles import is_container, tidy_title
from octavo_lab.metrics.overlap import normalize
from octavo_lab.metrics.retrieval import FOUND, Id, runs
from octavo_lab.question import Gold, NamedDocument, Question

if TYPE_CHECKING:
    from octavo.corpus.index.planning import IndexingPlan
    from octavo.models.gateway import Budget
    from octavo_lab.variants import Variant

Articles = tuple[DocumentInfo, ...]
Announce = Callable[["IndexingPlan"], None]
"""Is told what models will build, and what it may cost, before the first call."""
_NUMBERED = re.compile(r"(.+) \((\d+)\)")
"""The name of an article whose title another has."""
Alternatives = frozenset[Id]
"""Blocks any one of which will do; empty when what is looked for is nowhere."""


@dataclasses.dataclass(frozen=True)
class ParsingOptions:
    """How files are read; see `Corpus.add`."""

    ocr: Literal["auto", "always", "never"] = "auto"
    layout_model: Path | None = None
    render: bool = False
    workers: int | None = None
    password: str | None = dataclasses.field(default=None, repr=False)


@dataclasses.dataclass(frozen=True)
class Indexed:
    """The documents that are there, and what getting them ready took."""

    documents: Mapping[str, DocumentInfo]
    """By file name; the same bytes under two names are one document."""
    failed: Mapping[str, str]
    """Why a file could not be read, by file name."""
    titles: Mapping[str, Articles] = dataclasses.field(default_factory=dict[str, tuple[DocumentInfo, ...]])
    """Articles by title, where files hold many; several may have the same."""
    beside: Articles = ()
    """Documents that no question is about, each once, and none of the others under another name."""
    beside_failed: tuple[str, ...] = ()
    """Why files of these could not be read, one line each."""
    notes: tuple[str, ...] = ()
    """Layers that could not be built, one line each; questions to the systems that read them fail."""
    seconds: float = 0.0
    """For documents and layers."""
    layer_seconds: float = 0.0
    """Of these, for the layers that only some systems read."""
    usage: Usage = dataclasses.field(default_factory=Usage)
    """What models took to build layers."""

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Every document, once."""
        return tuple(dict.fromkeys(info.id for info in (*self.documents.values(), *self.beside)))

    @cached_property
    def told(self) -> Mapping[str, str]:
        """What each document is called where all are asked together, by id: no two alike.

        What stands beside them and has the name of another is called with its folder, or by its path.
        """
        names: dict[str, str] = {}
        for name, info in self.documents.items():
            names.setdefault(info.id, name)
        taken = set(names.values())
        for info in self.beside:
            ways = (info.name, f"{Path(info.path).parent.name}/{info.name}", info.path)
            names[info.id] = next((way for way in ways if way not in taken), f"{info.path} ({info.id})")
            taken.add(names[info.id])
        return names

    def called(self, name: str) -> Articles:
        """Return the documents of a name: one, or each article of a collection that has it as its title."""
        info = self.documents.get(name)
        if info is not None and name not in self.titles:
            return (info,)
        title = tidy_title(name)
        return self.titles.get(title, self.titles.get(title.removesuffix(".pdf"), ()))

    @property
    def failures(self) -> tuple[str, ...]:
        """What could not be had, one line each."""
        return (*self.failed.values(), *self.beside_failed, *self.notes)


class Indexer:
    """Indexes the files of one benchmark in a corpus; `found` grows as it goes."""

    def __init__(self, corpus: Corpus, reading: ParsingOptions, progress: Progress | None) -> None:
        self._corpus, self._reading, self._progress = corpus, reading, progress
        self.found = Indexed({}, {})
        self._beside: tuple[Path, ...] = ()
        """Files that stand beside the documents and could be read."""

    def documents(self, paths: Sequence[Path]) -> AddReport:
        """Index files that are not yet."""
        started = time.perf_counter()
        report = self._add(paths)
        failed = {Path(failure.path).name: failure.message for failure in report.failed}
        infos = {info.name: info for info in (*report.added, *report.unchanged)}
        there = [path for path in paths if path.name not in failed and not is_container(path.name)]
        documents = {path.name: infos.get(path.name) or self._corpus.resolve(str(path)) for path in there}
        articles = self._articles([path for path in paths if is_container(path.name)])
        documents.update({info.name: info for info in articles})
        titles = by_title(articles)
        self.found = Indexed(documents, failed, titles, seconds=time.perf_counter() - started)
        return report

    def beside(self, paths: Sequence[Path]) -> AddReport:
        """Index files that stand beside the documents, once these are there; the same bytes are one document."""
        started = time.perf_counter()
        report = self._add(paths) if paths else AddReport()
        infos = [*report.added, *report.unchanged, *self._articles([path for path in paths if is_container(path.name)])]
        known = {info.id for info in self.found.documents.values()}
        others = {info.id: info for info in infos if info.id not in known}
        failed = {failure.path for failure in report.failed}
        self._beside = tuple(path for path in paths if shown(absolute(path)) not in failed)
        self.found = dataclasses.replace(
            self.found,
            beside=tuple(sorted(others.values(), key=lambda info: (info.path, info.id))),
            beside_failed=tuple(failure.message for failure in report.failed),
            seconds=self.found.seconds + time.perf_counter() - started,
        )
        return report

    def _articles(self, containers: Sequence[Path]) -> list[DocumentInfo]:
        starts = tuple(f"{absolute(path)}#" for path in containers)
        return [info for info in self._corpus.list() if info.path.startswith(starts)] if starts else []

    def layers(
        self, paths: Sequence[Path], variants: Iterable[Variant], *, budget: Budget | None, announce: Announce | None
    ) -> None:
        """Build what the systems read and the documents or those beside them lack, by the corpus's models if any.

        Raises BudgetError at a cap; what is done is kept.
        """
        names = list(dict.fromkeys(one.base for one in variants if not one.system.needs() <= EVERY_DOCUMENT))
        there = [path for path in paths if path.name in self.found.documents or is_container(path.name)]
        there += self._beside
        if not names or not there:
            return
        started = time.perf_counter()
        report = self._add(there, systems=names, caps=budget, announce=announce)
        seconds = time.perf_counter() - started
        self.found = dataclasses.replace(
            self.found,
            notes=tuple(failure.message for failure in report.failed),
            seconds=self.found.seconds + seconds,
            layer_seconds=seconds,
            usage=report.usage,
        )
        if report.stopped:
            raise BudgetError(f"the budget of the run ended it ({report.stopped}) while layers were built")

    def _add(self, paths: Sequence[Path], **more: Any) -> AddReport:
        how = {spec.name: getattr(self._reading, spec.name) for spec in dataclasses.fields(self._reading)}
        return self._corpus.add(list(paths), progress=self._progress, **how, **more)


def by_title(articles: Iterable[DocumentInfo]) -> dict[str, Articles]:
    """Return articles by title; of several with one title all but the first have a number behind it."""
    by_name = {info.name: info for info in articles}
    found: dict[str, list[DocumentInfo]] = {}
    for name, info in by_name.items():
        numbered = _NUMBERED.fullmatch(name)
        title = numbered[1] if numbered and numbered[1] in by_name else name
        found.setdefault(title, []).append(info)
        if title != name:
            found.setdefault(name, []).append(info)
    return {title: tuple(infos) for title, infos in found.items()}


@dataclasses.dataclass(frozen=True)
class Digests:
    """Digests of what documents were made from, by id, one of those of all in scope, and one with their names too."""

    documents: Mapping[str, str]
    whole: str
    named: str = ""


class Scope:
    """Documents by name, in a corpus that holds `total` documents, these and perhaps others."""

    def __init__(self, indexed: Indexed, total: int) -> None:
        self._indexed = indexed
        self._all = indexed.ids
        self._is_whole = len(self._all) == total

    def missing(self, names: Iterable[str]) -> str | None:
        """Return the first name that no document has, None when all are there."""
        return next((name for name in names if not self._indexed.called(name)), None)

    def ids(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return the documents of these names, each once; without names all."""
        if not names:
            return self._all
        return tuple(dict.fromkeys(info.id for name in names for info in self._indexed.called(name)))

    def asked(self, names: Sequence[str]) -> tuple[str, ...] | None:
        """Return what to name when a question is asked: None where the whole corpus is in scope."""
        return None if not names and self._is_whole else self.ids(names)

    def digests_of(self, documents: Mapping[str, str]) -> Digests:
        """Return digests by document with the digest of all."""
        told = "\n".join(f"{name} {documents[name]}" for name in self._all)
        named = "\n".join(f"{name} {documents[name]} {self._indexed.told[name]}" for name in self._all)
        return Digests(documents, *(hashlib.sha256(text.encode()).hexdigest() for text in (told, named)))

    def fingerprints(self, names: Sequence[str], digests: Digests, *, together: bool = False) -> list[str]:
        """Return what documents were made from, as a journal's key holds it; one digest stands for all.

        Where all are asked `together` it is another key, with the names that responses have then.
        """
        told = [f"{name} {digests.documents[name]}" for name in self.ids(names)] if names else [digests.whole]
        return [*told, f"together {digests.named}"] if together else told


class GoldFinder:
    """Finds gold documents and blocks in a corpus, and remembers them by question."""

    def __init__(self, corpus: Corpus, indexed: Indexed) -> None:
        self._corpus, self._indexed = corpus, indexed
        self._known: dict[str, Gold] = {}

    def of(self, question: Question) -> Gold:
        """Return where the evidence stands; empty for a question that names no document of it."""
        if question.id not in self._known:
            self._known[question.id] = self._found(question)
        return self._known[question.id]

    def _found(self, question: Question) -> Gold:
        names: Mapping[str, str] = self._indexed.told if question.together else {}
        called = [self._indexed.called(name) for name in dict.fromkeys(question.evidence_documents)]
        ids = list(dict.fromkeys(info.id for infos in called for info in infos))
        blocks = self._blocks(ids) if question.evidence_texts and ids else []
        units = [unit for text in question.evidence_texts for unit in align(text, blocks)] if called else []
        return Gold(
            blocks=tuple(dict.fromkeys(units)),
            documents=tuple(frozenset(names.get(info.id, info.name) for info in infos) for infos in called),
            named=tuple(
                NamedDocument(name, info.id, names.get(info.id, info.name))
                for name in dict.fromkeys((*question.documents, *question.right_documents))
                for info in self._indexed.called(name)
            ),
        )

    def _blocks(self, ids: list[str]) -> list[Block[tuple[str, str]]]:
        return [
            Block((document.id, f"b{row}"), document.id, text)
            for document in self._corpus.view(ids).documents
            for row, text in enumerate(document.blocks.text)
        ]


@dataclasses.dataclass(frozen=True)
class Block(Generic[Id]):
    """A block that may hold evidence; `document` tells apart where it is from."""

    id: Id
    document: Hashable
    text: str

    @cached_property
    def words(self) -> str:
        """The normal form, with a space at either end, so that whole words are found in it."""
        return f" {normalize(self.text)} "

    @cached_property
    def runs(self) -> set[tuple[str, ...]]:
        """Runs of words."""
        return runs(self.text)


def align(text: str, blocks: Sequence[Block[Id]]) -> tuple[Alternatives[Id], ...]:
    """Return the gold blocks of a text: each element is one of them, as the blocks that do for it equally well."""
    wanted = normalize(text)
    if not wanted:
        return ()
    verbatim = frozenset(block.id for block in blocks if f" {wanted} " in block.words)
    if verbatim:
        return (verbatim,)
    pieces = runs(text)
    return _spread(pieces, blocks) or (_nearest(pieces, blocks),)


def _spread(pieces: set[tuple[str, ...]], blocks: Iterable[Block[Id]]) -> tuple[Alternatives[Id], ...]:
    """Return the blocks of a document that lie mostly inside the text, where together they hold most of it."""
    inside: dict[Hashable, list[Block[Id]]] = {}
    for block in blocks:
        if block.runs and len(block.runs & pieces) >= FOUND * len(block.runs):
            inside.setdefault(block.document, []).append(block)
    for parts in inside.values():
        held = set[tuple[str, ...]]().union(*(block.runs for block in parts))
        if len(held & pieces) >= FOUND * len(pieces):
            return tuple(frozenset({block.id}) for block in parts)
    return ()


def _nearest(pieces: set[tuple[str, ...]], blocks: Iterable[Block[Id]]) -> Alternatives[Id]:
    """Return the blocks that hold the most of a text, none where that is less than half."""
    shares = [(len(pieces & block.runs) / len(pieces), block.id) for block in blocks]
    best = max((share for share, _ in shares), default=0.0)
    return frozenset(name for share, name in shares if share == best) if best >= FOUND else frozenset()
