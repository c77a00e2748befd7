"""Reading files in guarded child processes, one file each."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import threading
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from octavo_documents.document.page_words import PageWords
from octavo_documents.errors import OctavoError, SourceError
from octavo_documents.models.ports import LayoutModel, Raster, TextRecognizer
from octavo_documents.parsing import DEFAULT_LIMITS, MEBIBYTE, Limits
from octavo_documents.parsing.article_messages import RawBatch, ToRead, Unread, pack_to_read, unpack_raw, unpack_read
from octavo_documents.parsing.content import Box
from octavo_documents.parsing.fork_server import OUT_OF_MEMORY, UNEXPECTED
from octavo_documents.parsing.formats import number_of_module, number_of_reader
from octavo_documents.parsing.launch import Ending, Process, launcher
from octavo_documents.parsing.messages import (
    LONGEST,
    ChildExited,
    ChildTimeout,
    MessageKind,
    ProtocolError,
    Request,
    Wire,
    longest_page,
    longest_raster,
    pack_lines,
    pack_regions,
    pack_request,
    unpack_error,
    unpack_page,
    unpack_progress,
    unpack_raster,
)
from octavo_documents.parsing.older_office import converted
from octavo_documents.parsing.recognition import OcrMode, Progress

_WORKER = f"{__package__}.worker"
_STREAM_SECONDS = 30 * 86400.0
"""The most seconds, of the clock and of the processor, that reading a container may take: silence ends it before."""
_MOST_WORDS = 32 * MEBIBYTE
"""Bytes of the words of one page."""
_DEADLY = ("crashed", "timeout", "too_large")
"""Reasons of errors that may come of a file in the file, which then is read without those in it."""
_HUNGRY = 0.4
"""Share of its memory limit from which on a crash is put down to memory."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Services:
    """What the parent does for a child that reads a file."""

    recognizer: TextRecognizer | None = None
    layout: LayoutModel | None = None
    progress: Progress | None = None
    figures: Progress | None = None
    opened: list[bool] = dataclasses.field(default_factory=list[bool])
    """Not empty once the child has begun to open files in the file."""


class ParserPool:
    """Reads files in at most `workers` guarded children at once (default: one per processor).

    A context manager. May be used by several threads: each call takes one child and waits for it, and beyond `workers`
    for its turn. The processes start with the first call. `entry` is the module the children run.
    """

    def __init__(self, workers: int | None = None, limits: Limits = DEFAULT_LIMITS, *, entry: str = _WORKER) -> None:
        self._limits = limits
        self._places = threading.BoundedSemaphore(workers or os.cpu_count() or 1)
        self._launcher = launcher(entry)
        self._is_closed = False

    def parse(
        self,
        path: str | Path,
        *,
        name: str,
        digest: str,
        password: str | None = None,
        ocr: OcrMode = "auto",
        recognizer: TextRecognizer | None = None,
        layout: LayoutModel | None = None,
        printed: str = "",
        progress: Progress | None = None,
        figures: Progress | None = None,
    ) -> bytes:
        """Return the packed `Document` of a file; `name` and `digest` (hex SHA-256 of its bytes) go into it.

        Pages without text go to `recognizer` and all pages to `layout`. These run here, in the caller's thread and
        outside the limits on time and memory. `printed` is a PDF that was printed of a file of flowing text,
        which gets its pages. `progress` receives (pages done, pages in all),
        and `figures` (figures done, figures in all) while these are read as images, after all pages.

        Raises:
            SourceError: the file cannot be read; `reason` says why. The pool stays usable.
            concurrent.futures.CancelledError: the pool was closed.
        """
        options = {
            "name": name,
            "digest": digest,
            "password": password,
            "ocr": ocr,
            "has_recognizer": recognizer is not None,
            "layout_dpi": None if layout is None else layout.dpi,
            "printed": printed,
            "may_open": True,
        }
        services = _Services(recognizer, layout, progress, figures)
        with converted(Path(path), self._limits, password) as source:
            try:
                return bytes(self._run("parse", source, options, services))
            except SourceError as error:
                if not services.opened or error.reason not in _DEADLY:
                    raise
            # A file in it is to blame: it is read without them, and they are named.
            return bytes(self._run("parse", source, {**options, "may_open": False}, services))

    def render(
        self,
        path: str | Path,
        page: int,
        *,
        box: Box | None = None,
        dpi: float = 150.0,
        password: str | None = None,
        within: str = "",
    ) -> Raster:
        """Draw page `page` (1-based) of a file, or `box` on it (points), as (height, width, 3) uint8 RGB.

        `within` names a page of a file in it in place of `page` (`PageTable.within`). A picture beyond `Limits.pixels`
        is drawn more coarsely. Raises as `parse` does.
        """
        options = {"page": page, "box": box, "dpi": dpi, "password": password, "within": within}
        data = self._run("render", Path(path), options, _Services())
        try:
            return unpack_raster(data)
        except ProtocolError as nonsense:
            raise SourceError("crashed", f"{path} was given up: its reader sent {nonsense}") from None

    def words(
        self,
        path: str | Path,
        page: int,
        *,
        recognizer: TextRecognizer | None = None,
        password: str | None = None,
        within: str = "",
    ) -> PageWords:
        """Return the words of page `page` (1-based) of a file and their boxes; with a recogniser those in pictures too.

        `within` is as for `render`. Raises as `parse` does.
        """
        options = {"page": page, "has_recognizer": recognizer is not None, "password": password, "within": within}
        limits = dataclasses.replace(self._limits, output_bytes=_MOST_WORDS)
        data = self._run("words", Path(path), options, _Services(recognizer), limits)
        try:
            return PageWords.from_bytes(bytes(data))
        except (ValueError, OctavoError) as wrong:
            raise SourceError("crashed", f"{path} was given up: its reader sent {wrong}") from None

    def highlighted(self, path: str | Path, highlights: Sequence[tuple[int, Sequence[Box], str]]) -> bytes:
        """Return the bytes of a PDF with highlights, each a page (1-based), boxes in points and what is said of them.

        Raises as `parse` does.
        """
        return bytes(self._run("highlight", Path(path), {"highlights": [*highlights]}, _Services()))

    def articles(self, path: str | Path) -> Iterator[RawBatch]:
        """Yield the articles of a container as they stand there, batch after batch, with little of it in memory.

        Its process is beside the `workers`. Raises as `parse` does, also after batches.
        """
        path = Path(path).absolute()
        limits = dataclasses.replace(self._limits, seconds=_STREAM_SECONDS)
        with self._session(path, limits, _Services()) as session:
            yield from session.batches(self._request("articles", path, {}, limits))

    def read_batch(self, batch: Sequence[ToRead], path: str | Path) -> list[bytes | Unread]:
        """Return the packed `Document` of each article, or why there is none; `path` is the file named in errors.

        Raises as `parse` does when the whole batch fails.
        """
        pieces, path = pack_to_read(batch), Path(path).absolute()
        number = number_of_module(batch[0].format) if batch else 0
        with self._places, self._session(path, self._limits, _Services(), number) as session:
            data = session.run(self._request("read_batch", path, {}, self._limits), pieces)
            return unpack_read(data, len(batch))

    def close(self) -> None:
        """End all children; calls in other threads raise CancelledError. May be called again."""
        self._is_closed = True
        self._launcher.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(
        self, job: str, path: Path, options: Mapping[str, Any], services: _Services, limits: Limits | None = None
    ) -> bytearray:
        path, limits = path.absolute(), limits or self._limits  # the children keep the working directory of their start
        with self._places, self._session(path, limits, services) as session:
            return session.run(self._request(job, path, options, limits))

    def _request(self, job: str, path: Path, options: Mapping[str, Any], limits: Limits) -> Request:
        return Request(job, {**options, "path": str(path), "limits": dataclasses.asdict(limits)})

    @contextlib.contextmanager
    def _session(
        self, path: Path, limits: Limits, services: _Services, number: int | None = None
    ) -> Generator[ChildSession]:
        """Give a session with a new child; what ends it too early is raised as an error for people.

        `number` is that of what reads the file; by default its name decides.
        """
        if self._is_closed:
            raise CancelledError
        process = self._launch(number_of_reader(path) if number is None else number)
        try:
            yield ChildSession(Wire(process.wire), path, limits, services)
        except ChildTimeout:
            raise _too_slow(path, limits) from None
        except ChildExited:
            raise self._death(process, path) from None
        except ProtocolError as nonsense:
            raise SourceError("crashed", f"{path} was given up: its reader sent {nonsense}") from None
        finally:
            process.end()

    def _launch(self, number: int) -> Process:
        try:
            return self._launcher.launch(number)
        except OSError as error:
            complaint = self._launcher.complaint() or str(error)
            raise OctavoError(f"no process to read files in can be started: {complaint}") from error

    def _death(self, process: Process, path: Path) -> BaseException:
        ending = process.ending()
        if self._is_closed:
            return CancelledError()
        complaint = "" if ending else self._launcher.complaint()
        if complaint:
            return OctavoError(f"no process to read files in can be started: {complaint}; run `octavo doctor`")
        return _exit_error(path, ending, self._limits)


class ChildSession:
    """The parent's side of one job in a child process."""

    def __init__(self, wire: Wire, path: Path, limits: Limits, services: _Services) -> None:
        self._wire, self._path, self._limits, self._services = wire, path, limits, services
        self._end = time.monotonic() + limits.seconds
        self._longest: dict[MessageKind, int] = {
            MessageKind.PROGRESS: LONGEST[MessageKind.PROGRESS],
            MessageKind.FIGURES: LONGEST[MessageKind.FIGURES],
            MessageKind.OPENS: LONGEST[MessageKind.OPENS],
            MessageKind.ERROR: LONGEST[MessageKind.ERROR],
            MessageKind.RESULT: limits.output_bytes,
        }
        if services.recognizer is not None:
            self._longest[MessageKind.RASTER] = longest_raster(limits.pixels)
        if services.layout is not None:
            self._longest[MessageKind.PAGE] = longest_page(limits.pixels)

    def run(self, request: Request, articles: Sequence[bytes] = ()) -> bytearray:
        """Send the request, and articles to be read; serve what the child asks for, and return its result."""
        self._wire.send(MessageKind.REQUEST, pack_request(request), seconds=self._limits.progress_seconds)
        if articles:
            self._wire.send(MessageKind.ARTICLES, *articles, seconds=self._limits.progress_seconds)
        while True:
            kind, data = self._wire.receive(self._longest, deadline=self._deadline())
            if kind == MessageKind.RESULT:
                return data
            if kind == MessageKind.ERROR:
                raise _error(self._path, *unpack_error(data), self._limits)
            self._serve(kind, data)

    def batches(self, request: Request) -> Iterator[RawBatch]:
        """Send the request and yield the batches of articles that the child hands over."""
        self._wire.send(MessageKind.REQUEST, pack_request(request), seconds=self._limits.progress_seconds)
        longest = {**self._longest, MessageKind.ARTICLES: LONGEST[MessageKind.ARTICLES]}
        while True:
            kind, data = self._wire.receive(longest, deadline=self._deadline())
            if kind == MessageKind.ARTICLES:
                yield unpack_raw(data)
            elif kind == MessageKind.ERROR:
                raise _error(self._path, *unpack_error(data), self._limits)
            elif kind == MessageKind.RESULT:
                return

    def _serve(self, kind: MessageKind, data: bytearray) -> None:
        if kind == MessageKind.OPENS:
            self._services.opened.append(True)
            return
        if kind in (MessageKind.PROGRESS, MessageKind.FIGURES):
            report = self._services.progress if kind == MessageKind.PROGRESS else self._services.figures
            done, total = unpack_progress(data)
            if report:
                report(done, total)
            return
        start = time.monotonic()
        answer = self._answer(kind, data)
        self._end += time.monotonic() - start
        self._wire.send(*answer, seconds=self._limits.progress_seconds)

    def _answer(self, kind: MessageKind, data: bytearray) -> tuple[MessageKind, bytes]:
        """Have a model look at a picture; only kinds whose model is there are received."""
        if kind == MessageKind.RASTER and self._services.recognizer is not None:
            return MessageKind.LINES, pack_lines(self._services.recognizer.read(unpack_raster(data)))
        if kind == MessageKind.PAGE and self._services.layout is not None:
            raster, dpi = unpack_page(data)
            return MessageKind.REGIONS, pack_regions(self._services.layout.detect(raster, dpi))
        raise ProtocolError(f"message {kind.name} to no model")

    def _deadline(self) -> float:
        return min(self._end, time.monotonic() + self._limits.progress_seconds)


def _error(path: Path, reason: str, message: str, limits: Limits) -> SourceError:
    if reason == OUT_OF_MEMORY:
        return _too_large(path, limits)
    if reason == UNEXPECTED:
        return SourceError("bug", f"{path} cannot be read for an error inside Octavo ({message}); please report it")
    return SourceError(reason, message)


def _exit_error(path: Path, ending: Ending | None, limits: Limits) -> SourceError:
    if ending and ending.status == -getattr(signal, "SIGXCPU", 0):
        return _too_slow(path, limits)
    was_killed = ending is not None and ending.status == -getattr(signal, "SIGKILL", 0)
    if was_killed or (ending and ending.memory > _HUNGRY * limits.memory):
        return _too_large(path, limits)
    return SourceError(
        "crashed", f"{path} made its reader crash: it is damaged or hostile; save it again with another program"
    )


def _too_slow(path: Path, limits: Limits) -> SourceError:
    return SourceError(
        "timeout",
        f"{path} took too long to read (more than {limits.progress_seconds:.0f} s for a page or {limits.seconds:.0f} s "
        "in all) and was stopped; save it again with another program or split it",
    )


def _too_large(path: Path, limits: Limits) -> SourceError:
    most = limits.memory // MEBIBYTE
    return SourceError("too_large", f"{path} needs more than {most:,} MiB of memory to be read; split the file")
