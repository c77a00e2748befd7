"""`octavo status`, `octavo check` and `octavo doctor`: is everything as it should be."""

from __future__ import annotations

import dataclasses

import typer

from octavo.cli import context, guard, terminal
from octavo.cli.declare import command, flag
from octavo.cli.options import CorpusOptions, JsonOption
from octavo.cli.settings import load


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


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    command(app, StatusOptions)(status)
    command(app, CheckOptions)(check)
    command(app, DoctorOptions)(doctor)


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
        from octavo.cli.show.machine import show_parts

        show_parts(terminal.console(), parts)
    if any(part.state is health.State.BROKEN for part in parts):
        raise typer.Exit(guard.FAILED)
