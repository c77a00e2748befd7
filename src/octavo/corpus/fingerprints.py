"""Fingerprints: what a stored part was made from, so that nothing is computed twice and nothing stale is kept.

Owns their composition. Knows nothing about where parts are stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from octavo.corpus.store import DOCUMENT_PART

if TYPE_CHECKING:
    from octavo.layers import Layer


def of(*parts: str) -> str:
    """Return the hex digest of texts; their borders count."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def of_document(document_id: str, *, parser: str, ocr: str, recognizer: str, layout: str = "") -> str:
    """Return the fingerprint of a parsed document.

    `parser` names the versions of extraction and structuring, `recognizer` the OCR model and `layout` the layout model,
    each empty when none is used.
    """
    return of(DOCUMENT_PART, document_id, parser, ocr, recognizer, layout)


def of_layers(document: str, layers: Iterable[Layer], models: dict[str, str]) -> dict[str, str]:
    """Return, by part name, the fingerprint of a document and of every layer built on it, in build order.

    Args:
        document: The document's own fingerprint.
        layers: Layers, each after those it reads.
        models: The model each layer depends on, by layer name.
    """
    known = {DOCUMENT_PART: document}
    for layer in layers:
        reads = [known[name] for name in (DOCUMENT_PART, *layer.reads)]
        known[layer.name] = of("layer", layer.name, str(layer.version), models[layer.name], *reads)
    return known
