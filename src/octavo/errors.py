"""The errors a user may see.

Each message is one line: what was wrong, where (file, page, option), and what to do about it. The command line prints
the message and exits with `exit_status`; it never prints a traceback for these.
"""

from __future__ import annotations

from collections.abc import Iterable

KINDS = "PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, mail, pictures, HTML, Markdown, LaTeX, text and more"
"""What is read, as messages name it."""


class OctavoError(Exception):
    """Base of every error that is the user's to see. `exit_status` is what the command line exits with."""

    exit_status = 1


class UsageError(OctavoError):
    """The call itself is wrong: an unknown system, an option out of range."""

    exit_status = 2


class BudgetError(OctavoError):
    """A cap on calls, tokens, seconds or money ended the work."""

    exit_status = 3


FULL, OFFLINE = "full", "offline"
"""Reasons that are the machine's: its disk has no room, it has no network."""
PASSING = frozenset({FULL, OFFLINE, "unreachable"})
"""Reasons that say nothing of a document: what an address leads to could not be fetched now."""


class SourceError(OctavoError):
    """A file cannot be read as a document. `reason` is a stable word for programs, the message is for people.

    Reasons: `missing`, `empty`, `format` (not a supported format), `damaged`, `encrypted` (needs a password),
    `password` (the one given is wrong), `no_pages`, `too_many_pages`, `too_large` (bytes, pixels or memory),
    `no_text` (a picture in a folder that says nothing), `timeout`, `crashed` (the parser process died), `bug` (an error
    inside Octavo), `quarantined` (the parser process died on this file before); of an address also `unreachable` (its
    server does not answer, or says that it cannot for now), `offline` and `full`, which are the machine's.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class CorpusError(OctavoError):
    """The corpus cannot be opened, read or written. `reason` is a stable word for programs.

    Reasons: `version` (written by a newer Octavo), `damaged`, `full` (no disk space), `locked`, `missing`, `unknown`,
    `unreachable` (the database or the bucket of a shared one), `unbuilt` (`UnbuiltError`), `gone` (its file was
    deleted, moved away or replaced while it was open), `removed` (documents that a conversation is about).
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


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


class ModelError(OctavoError):
    """A model is missing, damaged or cannot be loaded."""
