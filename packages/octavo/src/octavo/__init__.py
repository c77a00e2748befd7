"""Octavo answers questions over long documents and shows page, box and quote for each answer.

`octavo.open(path)` gives a `Corpus`; see there. Owns the public names, which are loaded when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from octavo.corpus import Corpus, open  # noqa: A004  (octavo.open is the public name)

    __version__: str

__all__ = ["Corpus", "__version__", "open"]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("octavo")
    if name in __all__:
        from octavo import corpus

        return getattr(corpus, name)
    raise AttributeError(f"module 'octavo' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
