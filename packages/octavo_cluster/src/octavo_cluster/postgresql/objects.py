"""The bytes of parts in object storage: S3, Google Cloud Storage, Azure, or a folder, each part under its mark.

An object is written once and never changed. Knows nothing of documents or of the database.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from obstore import exceptions

from octavo.corpus.store.object_storage import said, store_at
from octavo.errors import CorpusError

_T = TypeVar("_T")
_R = TypeVar("_R")

_MARKER = "octavo.json"
"""Says whose the bucket is."""
_PARTS = "parts"
_AT_ONCE = 32
"""Objects that one process reads or writes at the same time."""
_PAGE = 1000
"""Objects that are listed at once."""
_FULL = ("No space left", "quota exceeded", "507 Insufficient Storage")
"""What is said of a disk or a store without room."""


class Bucket:
    """Parts by their marks, in a bucket or folder that a URL names. Thread-safe.

    Methods raise CorpusError: `unreachable`, `missing` (there is no such bucket), `locked` (rights), `full`.
    """

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._lock = threading.Lock()
        self._threads: ThreadPoolExecutor | None = None
        with self._explained():
            self._store = store_at(self.url)

    def close(self) -> None:
        """Let go of threads."""
        with self._lock:
            threads, self._threads = self._threads, None
        if threads:
            threads.shutdown()

    # Whose it is

    def claim(self, identity: str) -> None:
        """Mark the bucket as that of a corpus. Raises CorpusError (`locked`) when it is another's."""
        with self._explained():
            try:
                self._store.put(_MARKER, json.dumps({"corpus": identity}).encode(), mode="create")
            except exceptions.AlreadyExistsError:
                self.confirm(identity)

    def confirm(self, identity: str) -> None:
        """Raise CorpusError unless the bucket is that of a corpus: `locked` for another's, `missing` for nobody's."""
        with self._explained():
            try:
                kept = bytes(self._store.get(_MARKER).bytes())
            except FileNotFoundError:
                raise CorpusError(
                    "missing",
                    f"{self.url} holds nothing of this corpus: check the address and the account it is read by",
                ) from None
        try:
            owner = json.loads(kept)["corpus"]
        except (ValueError, KeyError, TypeError):
            owner = ""
        if owner != identity:
            raise CorpusError(
                "locked", f"{self.url} belongs to another corpus: choose another bucket, or another folder in it"
            )

    # Parts

    def put_all(self, parts: Sequence[tuple[int, bytes]]) -> None:
        """Write parts by their marks; returns when all are safe."""
        self._each(lambda part: self._put(*part), parts)

    def _put(self, mark: int, data: bytes) -> None:
        with self._explained():
            self._store.put(_path(mark), data)

    def get_all(self, marks: Sequence[int]) -> list[bytes | None]:
        """Return parts, None for each that is not there."""
        return self._each(self._get, marks)

    def _get(self, mark: int) -> bytes | None:
        with self._explained():
            try:
                return bytes(self._store.get(_path(mark)).bytes())
            except FileNotFoundError:
                return None

    def delete_all(self, marks: Sequence[int]) -> None:
        """Remove parts; one that is not there is no error."""
        self._each(self._delete, marks)

    def _delete(self, mark: int) -> None:
        with self._explained(), contextlib.suppress(FileNotFoundError):
            self._store.delete(_path(mark))

    def older(self, seconds: float) -> Iterator[list[int]]:
        """Yield the marks of all parts that were written longer ago, page by page."""
        before = datetime.now(UTC) - timedelta(seconds=seconds)
        with self._explained():
            for page in self._store.list(_PARTS, chunk_size=_PAGE):  # pyright: ignore[reportUnknownMemberType]
                names = [item["path"].rpartition("/")[2] for item in page if item["last_modified"] <= before]
                yield [mark for name in names if (mark := _mark(name)) is not None]

    def _each(self, work: Callable[[_T], _R], items: Iterable[_T]) -> list[_R]:
        """Return what some work gives for each item, many at a time."""
        found = [*items]
        if len(found) < 2:
            return [work(item) for item in found]
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(_AT_ONCE, "octavo-objects")
            threads = self._threads
        return [*threads.map(work, found)]

    @contextlib.contextmanager
    def _explained(self) -> Generator[None]:
        try:
            yield
        except (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError, PermissionError) as error:
            raise CorpusError(
                "locked", f"{self.url} refuses the account ({said(error)}): give it rights on it"
            ) from error
        except FileNotFoundError as error:
            raise CorpusError("missing", f"{self.url} is not there: make the bucket, or check its name") from error
        except (exceptions.BaseError, OSError, ValueError) as error:
            if any(sign in str(error) for sign in _FULL):
                raise CorpusError(
                    "full",
                    f"No space left in {self.url}: make some and run the command again, what is indexed is kept",
                ) from error
            raise CorpusError(
                "unreachable", f"{self.url} cannot be reached ({said(error)}): check the address and that it runs"
            ) from error


def _path(mark: int) -> str:
    name = f"{mark & (1 << 64) - 1:016x}"
    return f"{_PARTS}/{name[:2]}/{name}"


def _mark(name: str) -> int | None:
    """Return the mark of an object's name, None for a name that no part has."""
    try:
        value = int(name, 16) if len(name) == 16 else -1
    except ValueError:
        return None
    return None if value < 0 else value - (1 << 64) if value >> 63 else value
