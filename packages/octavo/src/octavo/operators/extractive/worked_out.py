"""Questions whose answer is worked out of several cells: none of these is the answer, unless it is called so."""

from __future__ import annotations

from collections.abc import Collection

from octavo_documents.text.analyzer import analyze

_WORKED_OUT = frozenset(analyze("average mean change difference ratio increase decrease growth"))


def is_worked_out(asked: Collection[str], said: Collection[str]) -> bool:
    """Return whether the terms of a question ask for what is worked out, and what a cell says does not name it."""
    wanted = _WORKED_OUT.intersection(asked)
    return bool(wanted) and wanted.isdisjoint(said)
