"""The files of the passage index: kept in step with the store, by writing no more than what is new.

Segments are made from stored layers and never changed. A process that finds the store at another generation than the
manifest says looks which parts are in no segment and writes those; what it wrote is found again even when it is killed
before the manifest is. Of a document that changed, the old rows stay in their segment, unseen, until it is put
together with others; of one that was removed nothing stays.
"""

from __future__ import annotations

import contextlib
import errno
import json
import tempfile
import threading
import time
import uuid
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from octavo.corpus.ask import segments
from octavo.corpus.ask.passage_index import LiveSegment, PassageIndex
from octavo.corpus.ask.segments import Member, Segment
from octavo.corpus.index import fingerprints
from octavo.corpus.store import StoredPart
from octavo.corpus.store.catalogue import Catalogue, CatalogueState, Stamp
from octavo.corpus.store.checksums import Numbers
from octavo.errors import CorpusError, disk_full
from octavo_documents.document.columns import Mask

SEGMENT_PASSAGES = 1 << 15
"""Passages of a segment, where documents allow: what is written again at most when one document is removed."""
_GROWTH = 2
"""New passages take in segments of up to so many times their number, so that few stay and each is moved seldom."""
_SPARSE = 0.75
"""A segment of which less than this share is visible is written again."""
_DRAFT_SECONDS = 600
"""Age from which a draft counts as left behind by a process that died: writing one takes seconds."""
_MANIFEST = "index.json"
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, CorpusError)


@dataclass(frozen=True, slots=True)
class _Due:
    """A document that goes into a new segment."""

    number: int
    id: str
    passages: int


class DerivedIndex:
    """Gives the passage index of a corpus, from memory or files as far as they are up to date. Thread-safe."""

    def __init__(self, folder: Path, catalogue: Catalogue, *, is_fixed: bool = False) -> None:
        """Take the folder, and whether nothing is written there: what is missing then goes into a temporary one."""
        self._folder, self._catalogue = folder, catalogue
        self._is_fixed = is_fixed
        self._spare: tempfile.TemporaryDirectory[str] | None = None
        self._lock = threading.Lock()
        self._stamp: Stamp | None = None
        self._index = PassageIndex()

    def current(self) -> PassageIndex:
        """Return the index of all visible documents. Raises CorpusError (`full`, `locked`, `damaged`)."""
        with self._lock:
            stamp = self._catalogue.stamp()
            if stamp != self._stamp:
                self._index, self._stamp = self._opened(stamp)
            return self._index

    def prepare(self) -> None:
        """Bring the files in step where a question would look; what stands in the way is told when one is asked."""
        from octavo.systems import System

        if self._catalogue.count() > System.opens:
            with contextlib.suppress(CorpusError):
                self.current()

    def forget(self, numbers: Iterable[int]) -> None:
        """Leave nothing of these documents in any file: those that hold some are written again without them."""
        gone = np.array([*numbers], np.int64)
        with self._lock:
            self._stamp, self._index = None, PassageIndex()
            for segment in self.segments():
                self._write_without(segment, np.isin(segment.numbers, gone))

    def _write_without(self, segment: Segment, gone: Mask) -> None:
        """Write a segment again without some documents; where that fails the others come from the store later."""
        if not gone.any():
            return
        if not gone.all():
            with contextlib.suppress(OSError):
                segments.write(self._folder, segments.without(segment, gone), segment.embedding, segment.corpus)
        _remove(self._folder / segment.name)

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            self._stamp, self._index = None, PassageIndex()
            if self._spare is not None:
                self._spare.cleanup()
                self._spare = None

    def segments(self) -> list[Segment]:
        """Return every segment whose file can be read, of this corpus or not, by name."""
        return [segment for path in self._files() if (segment := self._loaded(path.name)) is not None]

    def damage(self) -> list[Path]:
        """Return files that are not what was written, and drafts and others that nobody will take up; reads all."""
        named = {name for name, _ in self._manifest().get("segments", [])}
        broken = [path for path in self._files() if not self._is_sound(path)]
        left = [path for path in self._folder.glob("*") if path.name not in named and self._is_abandoned(path)]
        return sorted({*broken, *left})

    def _is_sound(self, path: Path) -> bool:
        segment = self._loaded(path.name)
        return segment is not None and segments.is_sound(self._folder, segment)

    def _is_abandoned(self, path: Path) -> bool:
        return path.name != _MANIFEST and _is_old(path)

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("segment-*.bin"))

    def _loaded(self, name: str) -> Segment | None:
        try:
            return segments.load(self._folder, name)
        except _UNREADABLE:
            return None

    # The manifest

    def _manifest(self) -> dict[str, Any]:
        try:
            return dict(json.loads((self._folder / _MANIFEST).read_bytes()))
        except (OSError, ValueError, TypeError):
            return {}

    def _opened(self, stamp: Stamp) -> tuple[PassageIndex, Stamp]:
        """Return the index as the manifest describes it, brought in step where that is of another state."""
        manifest = self._manifest()
        written = Stamp(manifest.get("corpus", ""), manifest.get("generation", -1), manifest.get("token", ""))
        described = self._described(manifest) if written.identity == stamp.identity else None
        if described is not None and written == stamp:
            return PassageIndex(tuple(described.values())), stamp
        if self._is_fixed and self._spare is None:
            self._spare = tempfile.TemporaryDirectory(prefix="octavo-", ignore_cleanup_errors=True)
            self._folder = Path(self._spare.name)
            return self._opened(stamp)
        return self._refreshed(described, written)

    def _described(self, manifest: dict[str, Any]) -> dict[str, LiveSegment] | None:
        """Return the segments that the manifest names, by name, None when a file of one is missing."""
        parts: dict[str, LiveSegment] = {}
        for name, dead in manifest["segments"]:
            segment = self._loaded(name)
            if segment is None:
                return None
            alive = np.ones(len(segment.numbers), np.bool_)
            alive[dead] = False
            parts[name] = LiveSegment(segment, alive)
        return parts

    def _describe(self, index: PassageIndex, state: CatalogueState) -> None:
        named = [(part.segment.name, np.flatnonzero(~part.alive).tolist()) for part in index.segments]
        corpus, generation, token = state.stamp
        text = json.dumps({"corpus": corpus, "generation": generation, "token": token, "segments": named})
        draft = self._folder / f"{uuid.uuid4().hex}.tmp"
        try:
            draft.write_text(text)
            draft.replace(self._folder / _MANIFEST)
        finally:
            draft.unlink(missing_ok=True)

    # Getting in step

    def _refreshed(self, described: dict[str, LiveSegment] | None, written: Stamp) -> tuple[PassageIndex, Stamp]:
        """Write what is missing and return the index; what was `described` is believed but for what changed since."""
        state = self._catalogue.state(written if described is not None else None)
        known = described if described is not None and state.changed is not None else {}
        found = self.segments()
        live, due = _compare(found, known, state, self._catalogue)
        kept, taken = _plan(live, sum(document.passages for document in due))
        batch = sorted(
            [*due, *(document for part in taken for document in _documents(part))], key=lambda item: item.number
        )
        with _explained(self._folder):
            made = [*self._written(batch, state)]
            index = PassageIndex((*kept, *made))
            if made or found or self._folder.exists():
                self._describe(index, state)
        self._sweep({part.segment.name for part in index.segments}, {segment.name for segment in found})
        return index, state.stamp

    def _written(self, batch: Sequence[_Due], state: CatalogueState) -> Iterator[LiveSegment]:
        for documents in _chunks(batch):
            for embedding, members in _members(documents, self._catalogue):
                arrays = segments.build(members)
                segment = segments.write(self._folder, arrays, embedding, state.stamp.identity)
                yield LiveSegment(segment, np.ones(len(members), np.bool_))

    def _sweep(self, named: set[str], before: set[str]) -> None:
        """Remove segments that were put together with others, and what processes that died have left."""
        for path in self._folder.glob("*"):
            if path.name in before - named or (path.name not in {*named, _MANIFEST} and _is_old(path)):
                _remove(path)


def _compare(
    found: Sequence[Segment], known: Mapping[str, LiveSegment], state: CatalogueState, catalogue: Catalogue
) -> tuple[list[LiveSegment], list[_Due]]:
    """Return segments with what of them is visible, each document once, and the documents that are in none.

    Of those that are `known` only what changed is looked at; others are good for what changed alone.
    """
    seen = np.zeros(0, np.int64)
    visible = [np.sort(parts[:, 1]) for parts in (state.terms, state.vectors)]
    gone = np.zeros(0, np.int64) if state.changed is None else state.changed
    live = [LiveSegment(part.segment, part.alive & ~np.isin(part.segment.numbers, gone)) for part in known.values()]
    for segment in found:
        if segment.name in known:
            continue
        of_corpus = segment.corpus == state.stamp.identity
        alive = of_corpus & _is_visible(segment, visible) & ~np.isin(segment.numbers, seen)
        seen = np.concatenate([seen, segment.numbers[alive]])
        live.append(LiveSegment(segment, alive))
    held = [part.segment.marks[part.alive] for part in live]
    marks = np.concatenate([np.zeros((0, 2), np.int64), *held])
    missing = [
        parts[~_are_among(parts[:, 1], np.sort(marks[:, column])), 0]
        for column, parts in enumerate((state.terms, state.vectors))
    ]
    due = [_Due(*row) for row in catalogue.owners(np.concatenate(missing))]
    changed = np.array([document.number for document in due], np.int64)
    return [LiveSegment(part.segment, part.alive & ~np.isin(part.segment.numbers, changed)) for part in live], due


def _is_visible(segment: Segment, visible: Sequence[Numbers]) -> Mask:
    """Return (n,) which documents of a segment were made of visible parts: `visible` are the marks of these, sorted."""
    found = np.ones(len(segment.numbers), np.bool_)
    for marks, among in zip(segment.marks.T, visible, strict=True):
        found &= (marks == 0) | _are_among(marks, among)
    return found


def _are_among(values: Numbers, among: Numbers) -> Mask:
    """Return (n,) which values are among others, sorted."""
    if not len(among):
        return np.zeros(len(values), np.bool_)
    return among[np.minimum(np.searchsorted(among, values), len(among) - 1)] == values


def _plan(live: Sequence[LiveSegment], new: int) -> tuple[list[LiveSegment], list[LiveSegment]]:
    """Return the segments that stay and those whose documents are written again, with so many new passages."""
    kept: list[LiveSegment] = []
    taken: list[LiveSegment] = []
    gathered = new
    for part in sorted(live, key=lambda part: part.passages):
        is_sparse = part.passages < _SPARSE * part.segment.passages or not part.alive.any()
        is_small = part.passages <= _GROWTH * gathered and gathered + part.passages <= SEGMENT_PASSAGES
        if is_sparse or is_small:
            taken.append(part)
            gathered += part.passages
        else:
            kept.append(part)
    return kept, taken


def _documents(part: LiveSegment) -> Iterator[_Due]:
    sizes = np.diff(part.segment.starts)
    for row in np.flatnonzero(part.alive).tolist():
        yield _Due(int(part.segment.numbers[row]), part.segment.ids[row], int(sizes[row]))


def _chunks(batch: Sequence[_Due]) -> Iterator[Sequence[_Due]]:
    """Yield the documents in runs of about `SEGMENT_PASSAGES` passages."""
    first = passages = 0
    for at, document in enumerate(batch):
        if passages and passages + document.passages > SEGMENT_PASSAGES:
            yield batch[first:at]
            first, passages = at, 0
        passages += document.passages
    if first < len(batch):
        yield batch[first:]


def _members(documents: Sequence[_Due], catalogue: Catalogue) -> list[tuple[str, list[Member]]]:
    """Return documents with their layers by the embedding model of their vectors; those that have gone are left out.

    No model made those of documents that words alone find.
    """
    parts: dict[str, dict[str, StoredPart]] = {}
    for part in catalogue.load([document.id for document in documents], ("terms", "vectors")):
        parts.setdefault(part.key.document_id, {})[part.key.name] = part
    members: dict[tuple[str, bool], list[Member]] = {}
    for document in documents:
        held = parts.get(document.id, {})
        terms, vectors = held.get("terms"), held.get("vectors")
        if terms or vectors:
            embedding = fingerprints.embedding_of(vectors.key.fingerprint) if vectors else ""
            member = Member(document.id, document.number, terms, vectors)
            members.setdefault((embedding, vectors is None), []).append(member)
    return [(embedding, found) for (embedding, _), found in members.items()]


@contextlib.contextmanager
def _explained(folder: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise disk_full(folder) from error
        raise CorpusError("locked", f"{folder} cannot be written ({error.strerror}): check the folder") from error


def _is_old(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > _DRAFT_SECONDS
    except FileNotFoundError:
        return False


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):  # still mapped by a reader on Windows: the next sweep takes it
        path.unlink()
