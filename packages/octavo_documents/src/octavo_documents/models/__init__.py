"""Models that read pages, OCR and layout, behind ports, and what runs a network on the processor."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octavo_documents.models.ports import TextRecognizer

_making = threading.RLock()


def recognizer() -> TextRecognizer:
    """Return the model that reads text in images, the same object each time. Raises ModelError, ImportError."""
    with _making:
        return _recognizer()


@cache
def _recognizer() -> TextRecognizer:
    from octavo_documents.models.ocr import RapidRecognizer

    return RapidRecognizer()
