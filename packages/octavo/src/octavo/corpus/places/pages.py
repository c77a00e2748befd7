"""Pages of indexed files, drawn and read for their words by guarded processes that stand ready.

A file is proved to be the one that was indexed by its hash, and after that by its size and the time it was changed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.corpus import private
from octavo.corpus.index import sources
from octavo.corpus.index.pictures import NONE, RenderedPdfs
from octavo.corpus.store import DocumentInfo, Source
from octavo.corpus.store.paths import shown
from octavo.errors import CorpusError, SourceError
from octavo_documents.document.page_words import PageWords
from octavo_documents.structuring.parser_pool import ParserPool

if TYPE_CHECKING:
    from octavo.models.ports import Raster, TextRecognizer
    from octavo_documents.parsing.content import Box


_AT_ONCE = 2
"""Processes that draw at the same time."""
_KEPT = 256
"""Pages whose words are kept in memory: some 50 kB each."""


class Pages:
    """Draws pages and finds their words. Threads may share it; `close` ends its processes."""

    def __init__(
        self,
        recognizer: Callable[[], TextRecognizer],
        kept: KeptWords,
        password: str | None = None,
        prints: RenderedPdfs = NONE,
    ) -> None:
        """Take what gives the recogniser of pages without a text layer, what it read, the password of encrypted
        files, and the prints of office files; nothing is started yet.
        """
        self._recognizer, self._kept, self._password, self._prints = recognizer, kept, password, prints
        self._pool = ParserPool(_AT_ONCE)
        self._proved: dict[str, Source] = {}
        self._words: OrderedDict[tuple[str, int], PageWords] = OrderedDict()
        self._lock = threading.Lock()

    def close(self) -> None:
        """End the processes."""
        self._pool.close()

    def picture(
        self,
        info: DocumentInfo,
        page: int,
        box: Box | None,
        dpi: float,
        password: str | None = None,
        within: str = "",
    ) -> Raster:
        """Return a page, or a box on it, as `Corpus.picture` does; `within` is that of the page in its table."""
        path, password = self._proven(info, is_own=bool(within)), password or self._password
        return self._pool.render(path, page, box=box, dpi=dpi, password=password, within=within)

    def words(self, info: DocumentInfo, page: int, *, is_scanned: bool, within: str = "") -> PageWords:
        """Return the words of a page in the order of the file; OCR reads the pages that it read when indexing."""
        path, key = self._proven(info, is_own=bool(within)), (info.id, page)
        with self._lock:
            if key in self._words:
                self._words.move_to_end(key)
                return self._words[key]
        if is_scanned:
            found = self._recognized(info, page, within)
        else:
            found = self._pool.words(path, page, password=self._password, within=within)
        with self._lock:
            self._words[key] = found
            while len(self._words) > _KEPT:
                self._words.popitem(last=False)
        return found

    def _recognized(self, info: DocumentInfo, page: int, within: str) -> PageWords:
        """Return the words of a page that OCR reads, or has read."""
        recognizer = self._recognizer()
        found = self._kept.get(info.id, page, recognizer.name)
        if found is None:
            password = self._password
            found = self._pool.words(info.path, page, recognizer=recognizer, password=password, within=within)
            self._kept.put(info.id, page, recognizer.name, found)
        return found

    def highlighted(self, info: DocumentInfo, highlights: Sequence[tuple[int, Sequence[Box], str]]) -> bytes:
        """Return a document's PDF with highlights: pages, boxes on them and what is said of them."""
        return self._pool.highlighted(self._proven(info), highlights)

    def _proven(self, info: DocumentInfo, *, is_own: bool = False) -> str:
        """Return the path of a document's file, or of its print where the file itself has no pages.

        `is_own` asks for the file in any case. Raises SourceError (`missing`, `damaged`) when it is not there so.
        """
        print_of_it = None if is_own else self._prints.find(info.id)
        if print_of_it:
            return str(print_of_it)
        if not is_own and self._prints.takes(info.path):
            raise SourceError("missing", f"the print of {shown(info.path)} is gone: add it with --render again")
        now = sources.look(info.path)
        looks = Source(now.path, now.size, now.mtime_ns, info.id)
        with self._lock:
            if self._proved.get(info.path) == looks:
                return info.path
        if sources.document_id(info.path) != info.id:
            raise SourceError("damaged", f"{shown(info.path)} has changed since it was indexed: add it again")
        sources.confirm(now)
        with self._lock:
            self._proved[info.path] = sources.settled(looks)
        return info.path


# Words that OCR read, kept in the folder of the corpus: reading a page again takes seconds


_MOST = 4000
"""Pages that are kept, some 20 kB each; of more the oldest tenth goes."""
_LOOK_EVERY = 50
"""Pages that are kept between two counts."""
_ENDING = ".words"


class KeptWords:
    """Words of pages in files of one folder, by document, page and recogniser.

    Nothing depends on them: what cannot be written is not kept, and what cannot be read is not there. Several processes
    may share the folder.
    """

    def __init__(self, folder: Path, *, is_fixed: bool = False) -> None:
        """Take the folder, made when something is kept; with `is_fixed` nothing is."""
        self._folder, self._is_fixed = folder, is_fixed
        self._left = 0

    def get(self, document_id: str, page: int, recognizer: str) -> PageWords | None:
        """Return the words of a page, if they are kept."""
        try:
            return PageWords.from_bytes(self._file(document_id, page, recognizer).read_bytes())
        except (OSError, ValueError, CorpusError):
            return None

    def put(self, document_id: str, page: int, recognizer: str, words: PageWords) -> None:
        """Keep the words of a page."""
        if self._is_fixed:
            return
        draft = self._folder / f".{secrets.token_hex(8)}"
        try:
            private.make_folder(self._folder)
            private.make_file(draft)
            draft.write_bytes(words.to_bytes())
            draft.replace(self._file(document_id, page, recognizer))
        except OSError:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
            return
        self._left -= 1
        if self._left < 0:
            self._left = _LOOK_EVERY
            self._bound()

    def forget(self, document_ids: Iterable[str]) -> None:
        """Forget the words of documents."""
        for document_id in document_ids:
            _remove(self._folder.glob(f"{_start(document_id)}-*"))

    def _file(self, document_id: str, page: int, recognizer: str) -> Path:
        engine = hashlib.sha256(recognizer.encode()).hexdigest()[:8]
        return self._folder / f"{_start(document_id)}-{page}-{engine}{_ENDING}"

    def _bound(self) -> None:
        """Keep the folder within its bound."""
        with contextlib.suppress(OSError), os.scandir(self._folder) as entries:
            found = sorted((entry.stat().st_mtime, entry.path) for entry in entries)
            if len(found) > _MOST:
                _remove(Path(path) for _, path in found[: len(found) - _MOST + _MOST // 10])


def _start(document_id: str) -> str:
    return document_id.removeprefix("sha256:")


def _remove(paths: Iterable[Path]) -> None:
    for path in [*paths]:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
