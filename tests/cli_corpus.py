"""A corpus for tests of the command line: answers without files, parsers or models."""

from __future__ import annotations

import contextlib
import dataclasses
import fnmatch
import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import synthetic
from octavo.corpus.conversation import Conversation
from octavo.corpus.reports import AddReport, CheckReport, Failure, Finding, Removal, Status
from octavo.corpus.store import DocumentInfo, Job
from octavo.corpus.store.catalogue import Holding
from octavo.corpus.store.references import near
from octavo.decisions.engine.judge import Judge
from octavo.errors import UnknownDocumentError
from octavo.evidence import Answer, Citation, Evidence, Outcome, Result, TraceStep, Usage, View
from octavo.models.gateway import Budget, Caps
from octavo_documents.document import Document, Kind, TextColumn

ROWS = [
    (Kind.HEADING, "1 Results", 2, 1),
    (Kind.PARAGRAPH, "The year was calm.", 2, 0),
    (Kind.HEADING, "1.1 Revenue", 3, 2),
    (Kind.PARAGRAPH, "Net income in 2015 was 3.1 million, which is the highest figure since records began. " * 6, 3, 0),
    (Kind.TABLE, "Year Sales 2015 3.1", 3, 0),
    (Kind.HEADING, "2 Outlook", 4, 1),
    (Kind.PARAGRAPH, "Nothing is certain.", 4, 0),
]
LABELS = ["i", "ii", "1", "2"]


def document(name: str = "report.pdf", *, labels: Sequence[str] = LABELS) -> Document:
    """Return a document of four pages whose labels are not its page numbers."""
    plain = synthetic.document(ROWS, pages=4, name=name)
    return dataclasses.replace(plain, pages=dataclasses.replace(plain.pages, label=TextColumn.of(labels)))


def info(of: Document, path: str = "") -> DocumentInfo:
    """Return what a corpus lists of a document."""
    return DocumentInfo(
        of.id, of.name, path or f"/docs/{of.name}", 4, 1, len(of.blocks), 3, 3, 123456, "2025-03-01T14:05:09Z"
    )


@dataclasses.dataclass
class FakeCorpus:
    """Holds documents by id. A file named bad*.pdf cannot be read; others become `document(name)`."""

    path: Path = Path("/corpus")
    documents: dict[str, Document] = dataclasses.field(default_factory=dict)
    answerable: bool = True
    findings: tuple[Finding, ...] = ()
    jobs: tuple[Job, ...] = ()
    calls: list[tuple[str, dict[str, Any]]] = dataclasses.field(default_factory=list)
    raises: BaseException | None = None

    @property
    def location(self) -> str:
        return self.path

    def count(self) -> int:
        return len(self.documents)

    def __enter__(self) -> FakeCorpus:
        return self

    def __exit__(self, *_: object) -> None:
        self.calls.append(("close", {}))

    def names_apart(self, _documents: Sequence[DocumentInfo]) -> dict[str, str]:
        return {}

    def add(self, paths: Sequence[Path], **options: Any) -> AddReport:
        self.calls.append(("add", {"paths": [str(path) for path in paths], **options}))
        added, unchanged, failed = [], [], []
        for path in (file for given in paths for file in (sorted(given.glob("*.pdf")) if given.is_dir() else [given])):
            options["progress"].start(str(path), "parse", 4)
            options["progress"].advance(str(path), "parse", 4)
            if self.raises is not None:
                raise self.raises
            if path.name.startswith("bad"):
                failed.append(Failure(str(path), "damaged", f"{path} is damaged; get another copy"))
                options["progress"].finish(str(path), "failed")
                continue
            made = document(path.name)
            (unchanged if made.id in self.documents else added).append(info(made, str(path)))
            self.documents[made.id] = made
            options["progress"].finish(str(path), "added")
        return AddReport(tuple(added), tuple(unchanged), tuple(failed))

    def list(
        self, match: str | None = None, *, where: str | None = None, limit: int | None = None
    ) -> tuple[DocumentInfo, ...]:
        assert where is None
        fitting = [
            one for one in self.documents.values() if match in (None, one.id) or fnmatch.fnmatch(one.name, match or "")
        ]
        return tuple(info(one) for one in fitting[:limit])

    def holdings(self) -> tuple[Holding, ...]:
        count = len(self.documents)
        return (Holding("/docs", count, 4 * count, 3 * count, 123456 * count),)

    def warnings(self, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        return {}

    def layers(self, ids: Sequence[str] | None = None) -> dict[str, dict[str, str]]:
        return {one: {"passages": "rule"} for one in self.documents if ids is None or one in ids}

    def select(self, references: Sequence[str]) -> tuple[DocumentInfo, ...]:
        return tuple(self.resolve(reference) for reference in references)

    def resolve(self, reference: str) -> DocumentInfo:
        for one in self.documents.values():
            if reference in {one.id, one.name} or one.id.startswith(f"sha256:{reference}"):
                return info(one)
        raise UnknownDocumentError(reference, near(reference, [one.name for one in self.documents.values()]))

    is_there = True

    def removals(self, *references: str, in_full: bool = True) -> tuple[Removal, ...]:
        found = self.select(references)
        return tuple(Removal(**dataclasses.asdict(one), forgotten=(one.path,)) for one in found)

    def remove(self, *removals: Removal) -> tuple[Removal, ...]:
        for one in removals:
            del self.documents[one.id]
        return removals

    def paths(self, ids: Sequence[str] | None = None) -> dict[str, tuple[str, ...]]:
        return {one: (f"/docs/{one}",) for one in ids or self.documents}

    def hidden(self, infos: Sequence[DocumentInfo]) -> set[str]:
        return set()

    def document(self, identity: str) -> Document:
        return self.documents[identity]

    def _evidence(self, documents: Sequence[str] | None) -> Evidence:
        view = View([one for one in self.documents.values() if documents is None or one.id in documents])
        return Evidence.of(view, [3, 4, 6], source="bm25", bm25=[0.9, 0.4, 0.1])

    stopped: str | None = None

    def search(
        self, question: str, *, documents: Sequence[str] | None, system: str, limit: int, caps: Caps | None
    ) -> Result:
        self.calls.append(("search", {"documents": documents, "system": system, "limit": limit, "caps": caps}))
        if self.raises is not None:
            raise self.raises
        return Result(
            question, "bm25", self._evidence(documents), "bm25", Usage(seconds=0.01), {"rule": 1}, None, STEPS
        )

    def ask(
        self,
        question: str,
        *,
        documents: Sequence[str] | None,
        where: str | None = None,
        system: str,
        limit: int,
        caps: Caps | None,
    ) -> Answer:
        assert where is None
        result = self.search(question, documents=documents, system=system, limit=limit, caps=caps)
        evidence = result.evidence
        quote = evidence.view.blocks.text[3].strip()
        citation = Citation.of(evidence.view, 3, quote)
        assert citation is not None
        return Answer(
            question=question,
            system="bm25",
            text="3.1 million" if self.answerable else "Not answerable: nothing found says so.",
            outcome=Outcome.ANSWER if self.answerable else Outcome.NOTHING,
            evidence=evidence,
            by="bm25",
            value=3.1 if self.answerable else None,
            citations=(citation,) if self.answerable else (),
            usage=Usage(seconds=0.01),
            decided_by={"rule": 1},
            stopped=self.stopped,
            trace=STEPS,
        )

    def conversation(self, documents: Sequence[str] | None = None) -> Conversation:
        return Conversation(self, documents)  # type: ignore[arg-type]

    def judge(self, caps: Budget) -> Judge:
        return Judge(budget=caps)

    def status(self) -> Status:
        return Status("/corpus", len(self.documents), 4, 3, 5_000_000, 1_000, self.jobs, ())

    def check(self, *, repair: bool = False) -> CheckReport:
        return CheckReport(tuple(dataclasses.replace(one, repaired=repair) for one in self.findings))


STEPS = (TraceStep("Search", {"kind": "bm25"}, 7, 3, 0.0021),)


@dataclasses.dataclass
class Done:
    """How a run of the program ended."""

    status: int
    out: str
    err: str


def octavo(*arguments: str) -> Done:
    """Run the program in this process and return its exit status and what it wrote."""
    from octavo.cli.main import run

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(arguments)
    return Done(status, out.getvalue(), err.getvalue())


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
