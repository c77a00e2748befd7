"""What a layer is: a named, versioned builder of bytes.

Owns the contract between the indexing pipeline and the builders. Knows nothing about stores or fingerprints.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from octavo.document import Document


def no_model() -> str:
    """Name the model of a layer that uses none."""
    return ""


@dataclasses.dataclass(frozen=True)
class LayerInputs:
    """What a builder may use: the document, the stored bytes of the layers it reads, and whom to tell of progress.

    `progress` receives (done, total) in the layer's own units.
    """

    document: Document
    stored: Mapping[str, bytes] = dataclasses.field(default_factory=dict[str, bytes])
    progress: Callable[[int, int], None] | None = None


@dataclasses.dataclass(frozen=True)
class Layer:
    """A builder. `version` is raised when its output changes; `reads` names layers that come before it.

    `build` returns the bytes to store, the same for the same inputs; `model` names the model it depends on, empty for
    none.
    """

    name: str
    version: int
    reads: tuple[str, ...]
    build: Callable[[LayerInputs], bytes]
    model: Callable[[], str] = no_model
