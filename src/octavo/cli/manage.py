"""`octavo list`, `remove`, `status`, `check` and `doctor`: what is indexed, taking it out, and whether all is well."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from octavo.cli import context, guard, terminal
from octavo.cli.options import CorpusOptions, JsonOption, RayOption, command, flag, text
from octavo.cli.remarks import remarks
from octavo.cli.settings import load
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.corpus.store import DocumentInfo


@dataclasses.dataclass(frozen=True, kw_only=True)
class ListOptions(JsonOption, CorpusOptions):
    """The options of `list`."""

    match: str | None = text(
        "--match",
        "PATTERN",
        "Only these: a part of names, a folder, a file of many, or a pattern such as '*pier*' that fits "
        "names or paths.",
    )
    limit: str | None = text("--limit", "N", "The first N of them.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class RemoveOptions(JsonOption, RayOption, CorpusOptions):
    """The options of `remove`."""

    yes: bool = flag("--yes", "Do not ask; names are needed in full then.", short="-y")


_SHOWN = 100
"""Documents that are listed one by one where nobody says which."""
_NAMED = 8
"""Documents named one by one before they are removed."""
_AT_ONCE = 500
"""Documents whose layers are asked for at once."""

References = Annotated[
    list[str],
    typer.Argument(
        metavar="ID...", help="Ids (or how they begin), names or paths; folders, files of many and patterns."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    command(app, ListOptions, name="list")(show_list)
    command(app, RemoveOptions)(remove)
    command(app, StatusOptions)(status)
    command(app, CheckOptions)(check)
    command(app, DoctorOptions)(doctor)


def show_list(*, options: ListOptions) -> None:
    """List the documents in the corpus.

    Of many documents it shows how many each folder and file holds, unless some are asked for.
    """
    limit = _limit(options.limit)
    with context.open_corpus(load(options.given())) as corpus:
        if options.json:
            terminal.write_json_rows("documents", _rows(corpus, options.match, limit))
        elif options.match is None and limit is None and len(corpus.list(limit=_SHOWN + 1)) > _SHOWN:
            from octavo.cli.show.corpus import show_holdings

            show_holdings(terminal.console(), corpus.holdings())
        else:
            from octavo.cli.show.corpus import remarks_of, show_documents

            folder = corpus.path if options.match is None else None
            documents = corpus.list(options.match, limit=limit)
            show_documents(terminal.console(), documents, folder=folder)
            for line in remarks_of(documents, remarks(corpus, documents[:_SHOWN])):
                terminal.note(line)  # the table stands alone on the standard output


def _limit(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--limit is a number of documents, 1 or more, not {text!r}")
    return int(text)


def _rows(corpus: Corpus, match: str | None, limit: int | None) -> Iterator[dict[str, Any]]:
    documents = corpus.list(match, limit=limit)
    for at in range(0, len(documents), _AT_ONCE):
        some = documents[at : at + _AT_ONCE]
        layers = corpus.layers([info.id for info in some])
        # Each document is opened for what was said of it: of the first ones, as a listing of very many stays quick.
        said = remarks(corpus, some) if not at else {}
        for info in some:
            yield {**dataclasses.asdict(info), "layers": layers.get(info.id, {}), "warnings": said.get(info.id, [])}


def remove(ids: References, *, options: RemoveOptions) -> None:
    """Take documents out of the corpus.

    The files themselves stay where they are. It asks first; where there is no terminal to ask on it needs --yes.
    """
    with context.open_corpus(load(options.given())) as corpus:
        if not options.yes:
            ids = _confirmed(corpus.select(ids))
        removed = corpus.remove(*ids)
    if options.json:
        terminal.write_json_rows("removed", map(dataclasses.asdict, removed))
        return
    for info in removed[:_SHOWN]:
        terminal.write(f"removed {terminal.one_line(info.name)} ({info.id[:19]})")
    if len(removed) > _SHOWN:
        terminal.write(f"removed {len(removed) - _SHOWN:,} more")


def _confirmed(chosen: Sequence[DocumentInfo]) -> list[str]:
    """Return the ids of documents that a person agrees to have removed; leave the program when they do not.

    Raises UsageError where nobody can be asked.
    """
    from octavo.document import number_of

    if not sys.stdin.isatty():
        raise UsageError(
            f"{number_of(len(chosen), 'document')} would be removed and there is no terminal to ask on: "
            "add --yes to remove without asking"
        )
    for info in chosen[:_NAMED]:
        terminal.note(
            f"{terminal.one_line(info.name)}  {number_of(info.pages, 'page')}, {terminal.one_line(info.path)}"
        )
    if len(chosen) > _NAMED:
        terminal.note(f"and {len(chosen) - _NAMED:,} more")
    sys.stderr.write(f"Remove {number_of(len(chosen), 'document')} from the corpus? The files stay. [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        terminal.note("octavo: nothing was removed")
        raise typer.Exit(guard.FAILED)
    return [info.id for info in chosen]


@dataclasses.dataclass(frozen=True, kw_only=True)
class StatusOptions(JsonOption, CorpusOptions):
    """The options of `status`, shared by `doctor`."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class DoctorOptions(StatusOptions):
    """The options of `doctor`."""

    online: bool = flag("--online", "Ask the endpoints of configured models whether they answer.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class CheckOptions(JsonOption, CorpusOptions):
    """The options of `check`."""

    repair: bool = flag("--repair", "Mend what can be mended.")


def status(*, options: StatusOptions) -> None:
    """Show the size of the corpus and unfinished work."""
    with context.open_corpus(load(options.given())) as corpus:
        found = corpus.status()
    if options.json:
        terminal.write_json(dataclasses.asdict(found))
        return
    from octavo.cli.show.corpus import show_status

    show_status(terminal.console(), found)


def check(*, options: CheckOptions) -> None:
    """Look for damage in the corpus, and repair it.

    The exit status is 1 when something is left to mend.
    """
    with context.open_corpus(load(options.given())) as corpus:
        report = corpus.check(repair=options.repair)
    if options.json:
        findings = [dataclasses.asdict(finding) for finding in report.findings]
        terminal.write_json({"sound": report.is_sound, "findings": findings})
    else:
        from octavo.cli.show.corpus import show_findings

        show_findings(terminal.console(), report, is_repaired=options.repair)
    if not report.is_sound:
        raise typer.Exit(guard.FAILED)


def doctor(*, options: DoctorOptions) -> None:
    """Show which parts are usable here, and mends for others.

    The exit status is 1 when a part that is needed is not usable.
    """
    from octavo.cli import health

    parts = health.examine(options.given())
    if options.json:
        terminal.write_json({"parts": [dataclasses.asdict(part) for part in parts]})
    else:
        from octavo.cli.health import show_parts

        show_parts(terminal.console(), parts)
    if any(part.state is health.State.BROKEN for part in parts):
        raise typer.Exit(guard.FAILED)
