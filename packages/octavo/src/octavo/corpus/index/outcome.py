"""What became of the files of a run, as it is reported at its end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from octavo.corpus.index.copies import copies_among
from octavo.corpus.index.tasks import Candidate
from octavo.corpus.progress import Progress
from octavo.corpus.reports import AddReport, CollectionReport, Failure, LeftOut
from octavo.corpus.store import NO_TEXT, DocumentInfo, Source, Store
from octavo.corpus.store.paths import name_of, shown
from octavo.errors import SourceError


class FileOutcome:
    """Notes what became of files; an `IndexingOutcome`."""

    def __init__(self, store: Store, progress: Progress) -> None:
        self._store, self._progress = store, progress
        self._added: list[tuple[int, DocumentInfo]] = []
        self._unchanged: dict[str, Source] = {}
        """The first file of each document, by id, in order."""
        self.files: list[Source] = []
        """All that lead to documents."""
        self._failed: list[tuple[int, Failure]] = []
        self._left_out: list[tuple[int, LeftOut]] = []
        self._collections: list[CollectionReport] = []

    def added(self, candidates: Sequence[Candidate]) -> None:
        """Note files whose documents are new, or new again; they are reported under the files' names."""
        infos = {info.id: info for info in self._store.bulk.find_documents([one.id for one in candidates])}
        for one in candidates:
            if one.id in infos:
                self.files.append(one.source)
                self._added.append((one.order, _under(infos[one.id], one.source)))
            self._progress.finish(one.source.path, "added")

    def unchanged(self, candidates: Sequence[Candidate]) -> None:
        """Note files whose documents were there as they are to be."""
        for one in candidates:
            self._unchanged.setdefault(one.id, one.source)
            self.files.append(one.source)
            self._progress.finish(one.source.path, "unchanged")

    def failed(self, candidate: Candidate, error: SourceError) -> None:
        """Note why a file is not in the corpus; for a picture found in a folder that says nothing it is no failure."""
        source = candidate.source
        if error.reason == NO_TEXT:
            self.left_out(source.path, candidate.order, NO_TEXT)
            self._progress.finish(source.path, "left out")
            return
        self._failed.append((candidate.order, Failure(shown(source.path), error.reason, source.message_of(error))))
        self._progress.finish(source.path, "failed")

    def left_out(self, path: str, order: int, reason: str) -> None:
        """Note what is no document."""
        self._left_out.append((order, LeftOut(shown(path), reason)))

    def collected(self, report: CollectionReport, problem: SourceError | None) -> None:
        """Note what became of a file that holds many articles, and what kept it from being read to its end."""
        self._collections.append(report)
        if problem is None and not report.articles:
            skipped = f" ({sum(report.skipped.values()):,} skipped)" if report.skipped else ""
            problem = SourceError("empty", f"{report.path} holds no article that can be indexed{skipped}")
        if problem is not None:
            self._failed.append((len(self._failed), Failure(report.path, problem.reason, str(problem))))

    def report(self, *, forgets: bool) -> AddReport:
        """Return all that was noted, in the order the files were found in; see `copies_among` for `forgets`."""
        added = {info.id: info for _, info in sorted(self._added, key=lambda pair: pair[0])}
        found = self._store.bulk.find_documents([*self._unchanged]) if self._unchanged else []
        infos = {info.id: _under(info, self._unchanged[info.id]) for info in found}
        return AddReport(
            added=tuple(added.values()),
            unchanged=tuple(infos[item] for item in self._unchanged if item in infos and item not in added),
            failed=tuple(failure for _, failure in sorted(self._failed, key=lambda pair: pair[0])),
            collections=tuple(self._collections),
            left_out=tuple(one for _, one in sorted(self._left_out, key=lambda pair: pair[0])),
            copies=copies_among(self._store, self.files, forgets=forgets),
        )


def _under(info: DocumentInfo, source: Source) -> DocumentInfo:
    """Return what is listed of a document under the name of one of its files."""
    return replace(info, name=shown(name_of(source)), path=shown(source.path))
