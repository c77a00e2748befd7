"""What indexing is done with: the parser, the recogniser and the layers.

Owns which ones there are by default, loaded when first used. Knows nothing about stores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Protocol, Self

if TYPE_CHECKING:
    from octavo.layers import Layer
    from octavo.models.ports import LayoutModel, TextRecognizer

OcrMode = Literal["auto", "always", "never"]


class Parser(Protocol):
    """Reads files in other processes; several threads may call it at once. A context manager."""

    def parse(
        self,
        path: str,
        *,
        name: str,
        digest: str,
        password: str | None = None,
        ocr: OcrMode = "auto",
        recognizer: TextRecognizer | None = None,
        layout: LayoutModel | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> bytes:
        """Return a packed `Document`. Raises SourceError."""
        ...

    def close(self) -> None:
        """End the processes; running calls end with CancelledError."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...


def _parser(workers: int) -> Parser:
    """Make the pool of guarded processes; imported here because most runs find nothing to read."""
    from octavo.parsing.child import ParserPool

    return ParserPool(workers)


@dataclass(frozen=True)
class Builders:
    """The parts of an indexing pipeline. `version` names the parser's code: what it reads changes when it does."""

    version: str
    parser: Callable[[int], Parser]
    """Makes a parser with so many processes."""
    recognizer: Callable[[], TextRecognizer]
    layers: Mapping[str, Layer]
    """In build order."""

    @classmethod
    def default(cls) -> Builders:
        """Return the builders that come with Octavo."""
        from octavo.layers import LAYERS
        from octavo.models import recognizer
        from octavo.parsing import EXTRACT_VERSION
        from octavo.structuring import STRUCTURE_VERSION

        return cls(f"pdf{EXTRACT_VERSION}.structure{STRUCTURE_VERSION}", _parser, recognizer, LAYERS)
