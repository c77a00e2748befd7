"""`octavo remove`: says which files are forgotten and which documents go with them, asks, and does it."""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from octavo.cli import context, guard, terminal
from octavo.cli.options import CorpusOptions, JsonOption, RayOption, flag
from octavo.cli.settings import load
from octavo.errors import UsageError
from octavo_documents.wording import translated

if TYPE_CHECKING:
    from octavo.corpus.reports import Removal


@dataclasses.dataclass(frozen=True, kw_only=True)
class RemoveOptions(JsonOption, RayOption, CorpusOptions):
    """The options of `remove`."""

    yes: bool = flag("--yes", "Do not ask; names are needed in full then.", short="-y")


_SHOWN = 100
"""Documents that are named one by one after they were removed."""
_NAMED = 8
"""Documents, and files of one document, that are named one by one before they are removed."""
_ID_LENGTH = 19
"""Characters shown of an id: "sha256:" and 12 digits."""

References = Annotated[
    list[str],
    typer.Argument(
        metavar="ID...", help="Paths, names, folders, files of many and patterns; ids (or how they begin) of documents."
    ),
]


def remove(ids: References, *, options: RemoveOptions) -> None:
    """Take files and their documents out of the corpus.

    A document that other files lead to stays; its id means it with all its files. The files themselves stay where they
    are. It asks first; where there is no terminal to ask on it needs --yes.
    """
    asks = not options.yes and sys.stdin.isatty()
    with context.open_to_read(load(options.given())) as corpus:
        planned = corpus.removals(*ids, in_full=not asks)
        if asks:
            _ask(planned)
        elif not options.yes:
            told = f"{_sum(planned)} ({_names(planned)}) and there is no terminal to ask on"
            raise UsageError(f"{told}: add --yes to remove without asking")
        removed = corpus.remove(*planned)
    if options.json:
        terminal.write_json({"removed": _rows(removed, gone=True), "kept": _rows(removed, gone=False)})
        return
    for one in removed[:_SHOWN]:
        terminal.write(_done(one))
    if len(removed) > _SHOWN:
        terminal.write(f"removed {len(removed) - _SHOWN:,} more")


def _ask(planned: Sequence[Removal]) -> None:
    """Say what would be done; leave the program where the person does not agree."""
    for one in planned[:_NAMED]:
        terminal.note(_planned(one))
    if len(planned) > _NAMED:
        terminal.note(f"and {len(planned) - _NAMED:,} more")
    sys.stderr.write(f"{translated(_question(planned))} {translated(_deleted(planned))} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        terminal.note("octavo: nothing was removed")
        raise typer.Exit(guard.FAILED)


def _counts(planned: Sequence[Removal]) -> tuple[str, str]:
    """Return the documents that would go and the files whose documents would stay, each "" where there is none."""
    from octavo_documents.document import number_of

    gone = sum(one.is_gone for one in planned)
    kept = sum(len(one.forgotten) for one in planned if not one.is_gone)
    return number_of(gone, "document") if gone else "", number_of(kept, "file") if kept else ""


def _question(planned: Sequence[Removal]) -> str:
    gone, kept = _counts(planned)
    if not kept:
        return f"Remove {gone} from the corpus?"
    told = f"forget {kept} and keep {'its document' if kept.startswith('1 ') else 'their documents'}?"
    return f"Remove {gone} from the corpus and {told}" if gone else told.capitalize()


def _deleted(planned: Sequence[Removal]) -> str:
    """Return what becomes of the files themselves: those that were sent to the corpus have no other copy."""
    from octavo_documents.document import number_of

    files = sum(len(one.deleted) for one in planned)
    return f"{number_of(files, 'file')} that only the corpus has would be deleted." if files else "No file is deleted."


def _sum(planned: Sequence[Removal]) -> str:
    gone, kept = _counts(planned)
    parts = [f"{gone} would be removed"] if gone else []
    return " and ".join([*parts, *([f"{kept} of documents that stay would be forgotten"] if kept else [])])


def _names(planned: Sequence[Removal]) -> str:
    more = f" and {len(planned) - _NAMED:,} more" if len(planned) > _NAMED else ""
    return ", ".join(terminal.one_line(one.name) for one in planned[:_NAMED]) + more


def _planned(one: Removal) -> str:
    """Return a line of what would become of a document."""
    from octavo_documents.document import number_of

    if not one.is_gone:
        files = ", ".join(map(terminal.one_line, map(_shown, one.forgotten)))
        return f"{terminal.one_line(one.name)}  {files} is forgotten; the document stays, {_as(one.remaining)}"
    copies = f"; its copies are forgotten too: {_listed(one.forgotten[1:])}" if one.forgotten[1:] else ""
    return f"{terminal.one_line(one.name)}  {number_of(one.pages, 'page')}, {terminal.one_line(one.path)}{copies}"


def _done(one: Removal) -> str:
    """Return a line of what became of a document."""
    name, identity = terminal.one_line(one.name), one.id[:_ID_LENGTH]
    if not one.is_gone:
        return f"forgot {name} ({_listed(one.forgotten)}): the document {identity} stays, {_as(one.remaining)}"
    copies = f" and its copies: {_listed(one.forgotten[1:])}" if one.forgotten[1:] else ""
    return f"removed {name} ({identity}){copies}"


def _as(paths: Sequence[str]) -> str:
    """Return the files that a document stays under, and whether they are there."""
    from octavo.corpus.store.paths import is_address

    is_lost = not any(is_address(path) or "#" in path or os.path.lexists(path) for path in paths)
    lost = " (no longer there; name that too, or the document's id, to remove it)" if is_lost else ""
    return f"as {_listed(paths)}{lost}"


def _listed(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - _NAMED:,} more" if len(paths) > _NAMED else ""
    return ", ".join(terminal.one_line(_shown(path)) for path in paths[:_NAMED]) + more


def _shown(path: str) -> str:
    from octavo.corpus.store.paths import shown

    return shown(path)


def _rows(removed: Sequence[Removal], *, gone: bool) -> list[dict[str, Any]]:
    """Return as JSON the documents that went, or those that other files lead to still."""
    return [
        {
            **dataclasses.asdict(one),
            "forgotten": [*map(_shown, one.forgotten)],
            "remaining": [*map(_shown, one.remaining)],
        }
        for one in removed
        if one.is_gone == gone
    ]
