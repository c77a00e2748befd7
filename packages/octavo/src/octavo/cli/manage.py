"""`octavo list`, `status`, `check` and `doctor`: what is indexed, and whether all is well."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import typer

from octavo.cli import context, guard, terminal
from octavo.cli.options import CorpusOptions, JsonOption, WhereOption, command, flag, text
from octavo.cli.remarks import remarks
from octavo.cli.remove import RemoveOptions, remove
from octavo.cli.settings import load
from octavo.errors import UsageError
from octavo_documents import plugins

if TYPE_CHECKING:
    from pathlib import Path

    from octavo.about.document_about import AboutShape
    from octavo.corpus import Corpus, DocumentInfo
    from octavo.corpus.reports import Finding


@dataclasses.dataclass(frozen=True, kw_only=True)
class ListOptions(JsonOption, WhereOption, CorpusOptions):
    """The options of `list`."""

    match: str | None = text(
        "--match",
        "PATTERN",
        "Only these: a part of names, a folder, a file of many, or a pattern such as '*pier*' that fits "
        "names or paths.",
    )
    limit: str | None = text("--limit", "N", "The first N of them.")
    about: bool = flag("--about", "What each is about: title, issuer, kind, period, date and version.")


_CHECKS = "octavo.checks"
"""Entry points of what looks for damage beside a corpus: functions of its folder and whether to repair."""
_SHOWN = 100
"""Documents that are listed one by one where nobody says which."""
_AT_ONCE = 500
"""Documents whose layers are asked for at once."""


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
    with context.open_to_read(load(options.given())) as corpus:
        if options.json:
            terminal.write_json_rows("documents", _rows(corpus, options, limit))
        elif options.about:
            from octavo.cli.show.corpus import show_about

            documents = _with_about(corpus, options, limit)
            hidden = corpus.hidden([info for info, _ in documents])
            show_about(terminal.console(), documents, folder=_asked(corpus, options), hidden=hidden)
        elif options.match is options.where is limit is None and len(corpus.list(limit=_SHOWN + 1)) > _SHOWN:
            from octavo.cli.show.corpus import show_holdings

            show_holdings(terminal.console(), corpus.holdings())
        else:
            from octavo.cli.show.corpus import remarks_of, show_documents

            documents = corpus.list(options.match, where=options.where, limit=limit)
            copies = _copies(corpus, [info.id for info in documents])
            asked, hidden = _asked(corpus, options), corpus.hidden(documents)
            show_documents(terminal.console(), documents, folder=asked, copies=copies, hidden=hidden)
            for line in remarks_of(documents, remarks(corpus, documents[:_SHOWN])):
                terminal.note(line)  # the table stands alone on the standard output


def _limit(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--limit is a number of documents, 1 or more, not {text!r}")
    return int(text)


def _asked(corpus: Corpus, options: ListOptions) -> Path | None:
    """Return the folder of the corpus where all of it is listed, None where some documents are asked for."""
    return corpus.path if options.match is options.where is None else None


def _with_about(corpus: Corpus, options: ListOptions, limit: int | None) -> list[tuple[DocumentInfo, AboutShape]]:
    documents = corpus.list(options.match, where=options.where, limit=limit)
    return [(info, about.to_json()) for info, about in zip(documents, corpus.all_about(documents), strict=True)]


def _rows(corpus: Corpus, options: ListOptions, limit: int | None) -> Iterator[dict[str, Any]]:
    documents = corpus.list(options.match, where=options.where, limit=limit)
    for at in range(0, len(documents), _AT_ONCE):
        some = documents[at : at + _AT_ONCE]
        ids = [info.id for info in some]
        layers, copies, hidden = corpus.layers(ids), _copies(corpus, ids), corpus.hidden(some)
        # Each document is opened for what was said of it: of the first ones, as a listing of very many stays quick.
        said: Mapping[str, list[str]] = remarks(corpus, some) if not at else {}
        about = dict(zip(ids, corpus.all_about(some), strict=True)) if options.about else {}
        for info in some:
            yield {
                **dataclasses.asdict(info),
                "copies": copies.get(info.id, []),
                "layers": layers.get(info.id, {}),
                "warnings": said.get(info.id, []),
                "hidden": info.id in hidden,
                **({"about": about[info.id].to_json()} if options.about else {}),
            }


def _copies(corpus: Corpus, ids: Sequence[str]) -> dict[str, list[str]]:
    """Return, by document id, the files that lead to a document besides the first."""
    from octavo.corpus.store.paths import shown

    return {document: [*map(shown, paths[1:])] for document, paths in corpus.paths(ids).items() if len(paths) > 1}


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
    with context.open_to_read(load(options.given())) as corpus:
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
    from octavo.corpus.reports import CheckReport

    with context.open_to_read(load(options.given())) as corpus:
        found = corpus.check(repair=options.repair)
        beside = [examine(corpus.path, repair=options.repair) for examine in _examinations()]
    report = CheckReport((*found.findings, *itertools.chain.from_iterable(beside)))
    if options.json:
        findings = [dataclasses.asdict(finding) for finding in report.findings]
        terminal.write_json({"sound": report.is_sound, "findings": findings})
    else:
        from octavo.cli.show.corpus import show_findings

        show_findings(terminal.console(), report, is_repaired=options.repair)
    if not report.is_sound:
        raise typer.Exit(guard.FAILED)


def _examinations() -> list[Callable[..., Sequence[Finding]]]:
    """Return what other packages look for beside a corpus, such as what a server keeps there."""
    return [plugins.load(_CHECKS, name) for name in plugins.names(_CHECKS)]


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
    if any(part.state is health.HealthState.BROKEN for part in parts):
        raise typer.Exit(guard.FAILED)
