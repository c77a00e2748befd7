"""A turn of a conversation as far as later questions may speak of it."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class PastTurn:
    """A question as it was understood, and what came of it."""

    question: str
    answer: str = ""
    """The short answer; "" where passages were shown or nothing was found."""
    places: tuple[str, ...] = ()
    """Documents and sections that were cited, as "report.pdf, 3 Results"."""
    documents: tuple[str, ...] = ()
    """Names of the documents that were cited."""
