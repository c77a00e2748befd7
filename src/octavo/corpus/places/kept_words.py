"""Words that OCR read on pages, kept in the folder of the corpus: reading a page again takes seconds."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from octavo.document.page_words import PageWords
from octavo.errors import CorpusError

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

    def __init__(self, folder: Path) -> None:
        """Take the folder, made when something is kept."""
        self._folder = folder
        self._left = 0

    def get(self, document_id: str, page: int, recognizer: str) -> PageWords | None:
        """Return the words of a page, if they are kept."""
        try:
            return PageWords.from_bytes(self._file(document_id, page, recognizer).read_bytes())
        except (OSError, ValueError, CorpusError):
            return None

    def put(self, document_id: str, page: int, recognizer: str, words: PageWords) -> None:
        """Keep the words of a page."""
        draft = self._folder / f".{secrets.token_hex(8)}"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
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
