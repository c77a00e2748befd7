"""The errors a reader of documents may see.

Each message is one line: what was wrong, where (file, page, option), and what to do about it. A command line prints
the message and exits with `exit_status`; it never prints a traceback for these.
"""

from __future__ import annotations

KINDS = "PDF, Word, PowerPoint, Excel, OpenDocument, EPUB, mail, pictures, HTML, Markdown, LaTeX, text and more"
"""What is read, as messages name it."""


class OctavoError(Exception):
    """Base of every error that is the user's to see. `exit_status` is what the command line exits with."""

    exit_status = 1


class UsageError(OctavoError):
    """The call itself is wrong: an unknown system, an option out of range."""

    exit_status = 2


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


class ModelError(OctavoError):
    """A model is missing, damaged or cannot be loaded."""
