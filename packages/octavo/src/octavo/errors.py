"""The errors a user may see: those of reading documents, and those of a corpus and its questions.

Each message is one line: what was wrong, where (file, page, option), and what to do about it. The command line prints
the message and exits with `exit_status`; it never prints a traceback for these.
"""

from __future__ import annotations

from collections.abc import Iterable

from octavo_documents.errors import (
    FULL,
    KINDS,
    OFFLINE,
    PASSING,
    CorpusError,
    ModelError,
    OctavoError,
    SourceError,
    UsageError,
)

__all__ = [
    "FULL",
    "KINDS",
    "OFFLINE",
    "PASSING",
    "AmbiguousDocumentError",
    "BudgetError",
    "CorpusError",
    "ModelError",
    "OctavoError",
    "SourceError",
    "UnbuiltError",
    "UnknownDocumentError",
    "UsageError",
    "did_you_mean",
    "disk_full",
]


class BudgetError(OctavoError):
    """A cap on calls, tokens, seconds or money ended the work."""

    exit_status = 3


class UnbuiltError(CorpusError):
    """A question needs layers that some documents lack, and nothing is built for it here (reason `unbuilt`).

    `system` is who reads them, "" where that is not told; `layers` are their names, `document_ids` who lacks them, and
    `seconds` about how long it takes to build them by rule, which asks no model.
    """

    def __init__(self, system: str, layers: tuple[str, ...], document_ids: tuple[str, ...], seconds: float) -> None:
        self.system, self.layers, self.document_ids, self.seconds = system, layers, document_ids, seconds
        count = len(document_ids)
        lack = "a document lacks" if count == 1 else f"{count:,} documents lack"
        super().__init__(
            "unbuilt",
            f"{system or 'This'} reads {' and '.join(layers)}, which {lack}, and nothing is built here: choose a "
            f"system that does without, as auto does, or run 'octavo add --for {system or 'SYSTEM'} FILE' where the "
            f"corpus may be written (about {max(1, round(seconds)):,} s, no call of a model)",
        )


def disk_full(path: object) -> CorpusError:
    """Return the error for a disk without room."""
    return CorpusError(
        "full",
        f"No space left on the disk that holds {path}: free some and run the command again, what is indexed is kept",
    )


class UnknownDocumentError(CorpusError):
    """No document is called so (reason `unknown`); `near` are names that read like it, the nearest first."""

    def __init__(self, reference: str, near: tuple[str, ...] = ()) -> None:
        self.near = near
        advice = did_you_mean(near) if near else "'octavo list' shows all"
        super().__init__("unknown", f"There is no document {reference!r} in the corpus: {advice}")


class AmbiguousDocumentError(UsageError):
    """Several documents are called so; `candidates` are the id and path of each of the first of them."""

    def __init__(self, message: str, candidates: tuple[tuple[str, str], ...]) -> None:
        self.candidates = candidates
        super().__init__(message)


def did_you_mean(names: Iterable[str]) -> str:
    """Return the question that an error ends with where names are near: "did you mean 'a.pdf' or 'b.pdf'?"."""
    return f"did you mean {' or '.join(map(repr, names))}?"
