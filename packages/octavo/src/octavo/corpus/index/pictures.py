"""Pictures of pages of indexed files: PDFs that LibreOffice printed of office files, and pages drawn when asked for.

Prints are kept in the folder of the corpus. Pages are drawn in a guarded process, once the file is proved to be the
one that was indexed.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import threading
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from octavo.corpus import private
from octavo.corpus.index import sources
from octavo.corpus.store.paths import shown
from octavo.errors import SourceError

if TYPE_CHECKING:
    from octavo.layers.base import Renderer
    from octavo.models.ports import Raster
    from octavo_documents.document import TextColumn
    from octavo_documents.structuring.parser_pool import ParserPool


class RenderedPdfs:
    """The prints of a corpus, by document. Threads may share it; `notes` say what cannot be printed."""

    def __init__(self, folder: Path, *, is_wanted: bool = False) -> None:
        """Take the folder, made when something is printed, and whether office files are to be printed now."""
        self._folder, self._is_wanted = folder, is_wanted
        self._wanted: set[str] = set()
        self._lock = threading.Lock()
        self.notes: list[str] = []

    def find(self, document_id: str) -> Path | None:
        """Return the print of a document, None where there is none."""
        path = self._file(document_id)
        return path if path.is_file() else None

    def takes(self, path: str) -> bool:
        """Whether a file may get printed pages, by its name."""
        from octavo_documents.parsing import printing

        return self._folder != Path(os.devnull) and printing.is_printed(path)

    def want(self, document_id: str, path: str) -> None:
        """Have a document printed when it is read, where files are to be printed and LibreOffice prints such."""
        from octavo_documents.parsing import printing

        if not self._is_wanted or not printing.is_printed(path) or self.find(document_id):
            return
        if printing.office():
            self._wanted.add(document_id)
        else:
            self._note("LibreOffice is not installed: office files are read without pages")

    def is_expected(self, document_id: str) -> bool:
        """Whether a document is one with printed pages, printed already or to be."""
        return document_id in self._wanted or self.find(document_id) is not None

    def print_if_wanted(self, document_id: str, path: str) -> bool:
        """Print a document that is to be printed; return False where that failed, and note why."""
        if document_id not in self._wanted or self.find(document_id):
            return True
        from octavo_documents.parsing import printing

        target = self._file(document_id)
        draft = self._folder / f".{secrets.token_hex(8)}"
        try:
            with printing.printed(path) as print_of_it:
                private.make_folder(self._folder)
                private.make_file(draft)
                shutil.copyfile(print_of_it, draft)
            draft.replace(target)
        except (SourceError, OSError) as error:
            self._note(f"{shown(path)} is read without pages: {error}")
        finally:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
        self._wanted.discard(document_id)
        return target.is_file()

    def unmatched(self, path: str) -> None:
        """Note that the pages printed of a file do not fit it."""
        self._note(f"{shown(path)} is read without pages: what LibreOffice prints of it cannot be matched with it")

    def forget(self, document_ids: Iterable[str]) -> None:
        """Drop the prints of documents."""
        for document_id in document_ids:
            self._wanted.discard(document_id)
            with contextlib.suppress(OSError):
                self._file(document_id).unlink(missing_ok=True)

    def _note(self, text: str) -> None:
        with self._lock:
            if text not in self.notes:
                self.notes.append(text)

    def _file(self, document_id: str) -> Path:
        return self._folder / f"{document_id.removeprefix('sha256:')}.pdf"


NONE = RenderedPdfs(Path(os.devnull))
"""Those of a corpus without any."""


class Pictures:
    """Draws pages of one document. A context manager; several threads may draw, one after the other."""

    def __init__(
        self, document_id: str, path: str, password: str | None = None, *, print_of_it: Path | None = None
    ) -> None:
        """Take the document and its file, and the print of a file that has no pages; nothing is opened yet."""
        self._id, self._path, self._password, self._print = document_id, path, password, print_of_it
        self._file = path
        self._within: Sequence[str] | TextColumn = ()
        self._stack = ExitStack()
        self._pool: ParserPool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def renderer(self, within: Sequence[str] | TextColumn = ()) -> Renderer | None:
        """Return what draws; None when the file has gone or is another one now.

        `within` says of each page where it stands in a file in the file (`PageTable.within`).
        """
        self._within = within
        return self._draw if self._pool is not None or self._is_as_it_was() else None

    def _is_as_it_was(self) -> bool:
        from octavo_documents.structuring.parser_pool import ParserPool

        if self._print is not None:
            self._path = str(self._print)
            self._pool = self._stack.enter_context(ParserPool(1))
            return True
        try:
            is_same = Path(self._path).is_file() and sources.document_id(self._path) == self._id
        except SourceError:
            return False
        if is_same:
            self._pool = self._stack.enter_context(ParserPool(1))
        return is_same

    def _draw(self, page: int, box: tuple[float, float, float, float] | None, dpi: float) -> Raster:
        if self._pool is None:
            raise SourceError("missing", f"{shown(self._path)} is not open: draw while its layer is built")
        within = self._within[page - 1] if 0 < page <= len(self._within) else ""
        path = self._file if within else self._path
        return self._pool.render(path, page, box=box, dpi=dpi, password=self._password, within=within)
