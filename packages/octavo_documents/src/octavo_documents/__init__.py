"""Documents read into one model: outline, blocks, boxes and tables of PDF, office files, HTML and more.

`octavo_documents.read(path)` gives a `Document`. The public names are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from octavo_documents.document import Document, FoundTable, Grid, Kind, Section
    from octavo_documents.errors import SourceError
    from octavo_documents.reading import read

    __version__: str

__all__ = ["Document", "FoundTable", "Grid", "Kind", "Section", "SourceError", "__version__", "read"]

_HOMES = {"read": "reading", "SourceError": "errors"}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("octavo-documents")
    if name in __all__:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_HOMES.get(name, 'document')}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
