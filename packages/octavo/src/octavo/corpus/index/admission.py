"""Which candidates are indexed here: those that are not current, nor left alone, nor indexed by someone else.

The leases of the store keep two runs, in one process or in several, from building the same document. One that someone
else has is put aside, and looked at again when they are done with it, or gone.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from octavo.corpus.index import sources
from octavo.corpus.index.batching import batches
from octavo.corpus.index.document_builder import DocumentBuilder
from octavo.corpus.index.tasks import Candidate, IndexingOutcome, Task
from octavo.corpus.store import NO_TEXT, Quarantined, Store
from octavo.corpus.store.paths import name_of, shown
from octavo.errors import CorpusError, SourceError
from octavo_documents.parsing.article_messages import ToRead
from octavo_documents.parsing.formats import format_of

_POLL_SECONDS = 0.2
"""Between two looks whether another process is done with a document."""


class Admission:
    """Admits the candidates of a run batch by batch, and keeps those that have to be looked at again."""

    def __init__(self, builder: DocumentBuilder, outcome: IndexingOutcome, failed: dict[str, SourceError]) -> None:
        """Take what documents are built with, who hears what becomes of candidates, and why files failed before.

        `failed` is by document: another file of the same bytes fails as well. Those of this run are added.
        """
        self._builder, self._outcome, self._failed = builder, outcome, failed
        self._store = builder.store
        self._again: deque[list[Candidate]] = deque()
        self._aside: list[Candidate] = []
        self._waited_for: set[str] = set()

    def admit(self, batch: Sequence[Candidate]) -> list[Task]:
        """Take the leases of those of a batch that are to be indexed here."""
        found = self._identified(batch)
        expected = {one.id: self._builder.expected(one.id, by_rule=one.is_article) for one in found}
        stored = self._builder.stored(expected)
        there = self._attach([one for one in found if self._is_there(expected[one.id], stored.get(one.id))])
        due = self._without_quarantined([one for one in found if one.id not in there])
        if not due:
            return []
        wanted = {one.id: one.source.path for one in reversed(due)}
        leases = dict(zip(wanted, self._store.bulk.claim_many([*wanted.items()]), strict=True))
        tasks: list[Task] = []
        try:
            for one in due:
                lease = leases.pop(one.id, None)  # of two files with the same bytes, one is indexed, the other waits
                if lease is None:
                    self.put_aside(one)
                else:
                    remembered = sources.settled(one.source)
                    tasks.append(Task(one, lease, expected[one.id], remembered, is_visible=one.id in stored))
            return self.without_done(tasks)
        except BaseException:
            release(self._store, tasks)
            raise

    def without_done(self, tasks: Sequence[Task]) -> list[Task]:
        """Return the tasks that are left to do: before the lease was taken someone else may have done some."""
        stored = self._builder.stored(task.id for task in tasks)
        there = self._attach(
            [task.candidate for task in tasks if self._is_there(task.fingerprints, stored.get(task.id))]
        )
        if there:
            self._store.bulk.release_many([task.lease for task in tasks if task.id in there])
        return [task for task in tasks if task.id not in there]

    def fail(self, candidate: Candidate, error: SourceError) -> None:
        """Note why a candidate cannot be indexed."""
        if candidate.id and not candidate.is_article and error.reason != NO_TEXT:
            self._failed[candidate.id] = SourceError(error.reason, candidate.source.message_of(error))
        self._outcome.failed(candidate, error)

    # Which are to be indexed

    def _is_there(self, expected: dict[str, str], stored: dict[str, str] | None) -> bool:
        """Whether a document is there as it is to be, by the fingerprints of its parts."""
        return stored is not None and not self._builder.lacks(expected, stored)

    def _identified(self, batch: Sequence[Candidate]) -> list[Candidate]:
        """Return candidates with the ids of their documents, and small files with their texts."""
        found: list[Candidate] = []
        for one in batch:
            try:
                known = _with_text(one) if one.is_small else _with_id(one)
            except SourceError as error:
                self.fail(one, error)
                continue
            if known is None:
                self.read_alone(one)
                continue
            if not known.is_article:  # whatever its title ends with
                self._builder.how.prints.want(known.id, known.source.path)
            if earlier := self._failed.get(known.id):
                self.fail(known, earlier)
            else:
                found.append(known)
        return found

    def _attach(self, current: Sequence[Candidate]) -> set[str]:
        """Have files lead to their documents, which are current; return the ids of those that have not gone."""
        if not current:
            return set()
        there = self._store.bulk.attach_many([sources.settled(one.source) for one in current])
        attached = [one for one, is_there in zip(current, there, strict=True) if is_there]
        self._outcome.unchanged(attached)
        return {one.id for one in attached}

    def _without_quarantined(self, found: Sequence[Candidate]) -> list[Candidate]:
        cases = self._store.quarantined([one.id for one in found]) if found else {}
        left: list[Candidate] = []
        for one in found:
            if (case := cases.get(one.id)) and (error := self._refusal(one, case)):
                self.fail(one, error)
            else:
                left.append(one)
        return left

    def _refusal(self, one: Candidate, case: Quarantined) -> SourceError | None:
        """Return why a file that killed its reader, or a picture that says nothing, is left alone; None to try it."""
        if case.reason == NO_TEXT:
            is_as_it_was = one.is_found and case.parser == self._builder.image_reader_version
            return SourceError(NO_TEXT, case.message) if is_as_it_was else None
        if case.parser != self._builder.builders.version:
            return None
        if one.is_article:
            return SourceError("quarantined", f"left alone because, read before, it {case.reason}")
        happened = case.message.removeprefix(case.path).lstrip(": ")
        return SourceError("quarantined", f"{shown(one.source.path)} is left alone because, read before, it {happened}")

    # What is looked at again

    def put_aside(self, candidate: Candidate) -> None:
        """Keep a candidate whose document someone else has until they are done; a small file is then read alone."""
        self._aside.append(_alone(candidate))

    def read_alone(self, candidate: Candidate) -> None:
        """Have a small file that could not be read together with others read by itself."""
        self._again.append([_alone(candidate)])

    def next_again(self) -> list[Candidate] | None:
        """Return the next batch that is to be admitted again, None for none."""
        return self._again.popleft() if self._again else None

    def wait_for_others(self) -> bool:
        """Take up what others are done with, after a while where there is nothing; return whether any is awaited.

        They renew their leases while they live. A lease that this process was left with ends, for it is not renewed
        while nothing is at work here.
        """
        if self._aside and not self._again:
            busy = {job.document_id for job in self._store.jobs([one.id for one in self._aside]) if job.is_running}
            free = [one for one in self._aside if one.id not in busy]
            self._aside = [one for one in self._aside if one.id in busy]
            self._again.extend(batches(one for one in free if one.is_article))
            self._again.extend([one] for one in free if not one.is_article)
            if not free:
                self._wait()
        return bool(self._aside or self._again)

    def _wait(self) -> None:
        paths = {one.source.container or one.source.path for one in self._aside}
        for path in paths - self._waited_for:
            self._builder.progress.start(path, "waiting", 0)
        self._waited_for |= paths
        time.sleep(_POLL_SECONDS)


def release(store: Store, tasks: Sequence[Task]) -> None:
    """Give back the leases of tasks that are not done; the finished parts of large files stay."""
    with contextlib.suppress(CorpusError):  # the disk is full: the leases end with this process
        store.bulk.release_many([task.lease for task in tasks if task.candidate.text is not None])
        for task in tasks:
            if task.candidate.text is None:
                store.release(task.lease, keep=True)


def _alone(candidate: Candidate) -> Candidate:
    return candidate if candidate.is_article else replace(candidate, is_small=False, text=None)


def _with_id(one: Candidate) -> Candidate:
    """Return a candidate with its document's id. Raises SourceError (`missing`)."""
    if one.id:
        return one
    return replace(one, source=replace(one.source, document_id=sources.document_id(one.source.at)))


def _with_text(one: Candidate) -> Candidate | None:
    """Return a small file with its document's id and its text, None for one that is not what it seemed."""
    source = one.source
    try:
        data = Path(source.at).read_bytes()
        sources.confirm(source)
    except (OSError, SourceError):
        return None
    form, digest = format_of(source.at, data), hashlib.sha256(data).hexdigest()
    if not data or form is None:
        return None
    text = ToRead(form, shown(name_of(source)), "", digest, data, is_apart=True)
    return replace(one, source=replace(source, document_id=f"sha256:{digest}"), text=text)
