"""Pictures of an indexed document's pages, drawn from its file when first asked for.

They are drawn in a guarded process, once the file is proved to be the one that was indexed.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from octavo.corpus.index import sources
from octavo.corpus.store.paths import shown
from octavo.errors import SourceError

if TYPE_CHECKING:
    from octavo.layers.base import Renderer
    from octavo.models.ports import Raster
    from octavo.parsing.child import ParserPool


class Pictures:
    """Draws pages of one document. A context manager; several threads may draw, one after the other."""

    def __init__(
        self, document_id: str, path: str, password: str | None = None, *, print_of_it: Path | None = None
    ) -> None:
        """Take the document and its file, and the print of a file that has no pages; nothing is opened yet."""
        self._id, self._path, self._password, self._print = document_id, path, password, print_of_it
        self._stack = ExitStack()
        self._pool: ParserPool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def renderer(self) -> Renderer | None:
        """Return what draws; None when the file has gone or is another one now."""
        return self._draw if self._pool is not None or self._is_as_it_was() else None

    def _is_as_it_was(self) -> bool:
        from octavo.parsing.child import ParserPool

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
        return self._pool.render(self._path, page, box=box, dpi=dpi, password=self._password)
