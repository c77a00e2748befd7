"""The `octavo` program: its commands and how it starts and ends."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from octavo.cli import about, add, ask, chat, export, guard, manage, models, show_page, table, terminal, watch
from octavo.cli.greeting import greet
from octavo.cli.options import CONTEXT, PlainGroup
from octavo.errors import UsageError
from octavo_documents import plugins, wording

app = typer.Typer(
    name="octavo",
    cls=PlainGroup,
    rich_markup_mode=None,
    context_settings=CONTEXT,
    help="Answers questions over long documents and shows page and quote for each answer.",
    epilog="Start with: octavo ask 'What was net income in 2015?' report.pdf",
)
for group in (ask, table, chat, add, watch, show_page, about, manage, models, export):
    group.register(app)
_FEW_COLLECTIONS = 20_000
"""Objects made beyond those given up after which some are looked through: what is loaded stays, and nothing goes."""
_BROUGHT = "octavo.commands"
"""The group of entry points by which packages bring commands: the name is the command's, the object registers it."""
_EXTRAS = {
    "evaluate": "evaluate",
    "reproduce": "evaluate",
    "train-router": "evaluate",
    "serve": "serve",
    "mcp": "mcp",
    "key": "serve",
    "cluster": "cluster",
}
"""The extra of `octavo` that brings each command which is not in this package."""


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,  # noqa: FBT002
) -> None:
    """Answer what is asked of `octavo` itself, without a command."""
    if version:
        from importlib import metadata

        terminal.write(f"octavo {metadata.version('octavo')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        greet()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program with the arguments of the process, or with given ones, and leave with its exit status."""
    try:
        status = run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # a second one, while the first was being dealt with
        terminal.show_cursor()
        terminal.note("octavo: interrupted; run the same command again to go on")
        status = guard.INTERRUPTED
    if status == guard.INTERRUPTED:
        sys.stderr.flush()
        try:
            if engines := sys.modules.get("octavo.models.engine_process"):
                engines.end_all()
        finally:
            os._exit(status)  # threads may be in the middle of a page; all is closed, and nobody wants to wait for them
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run the program and return its exit status."""
    terminal.prepare()
    gc.set_threshold(_FEW_COLLECTIONS, 50, 100)
    if not os.environ.get("OCTAVO_DEBUG"):
        warnings.simplefilter("ignore")
    given = _with_corpus_behind(list(arguments))
    if "_OCTAVO_COMPLETE" in os.environ:
        typer.main.get_command(all_commands()).main(given, prog_name="octavo")
    with wording.speaking(wording.of_environment(os.environ)):
        return guard.run(lambda: _invoke(typer.main.get_command(_with_brought(given)), given))


_CORPUS = "--corpus"


def _with_corpus_behind(given: list[str]) -> list[str]:
    """Return arguments with a corpus that stands before the command behind its own: `octavo --corpus here list`."""
    count = 2 if given[:1] == [_CORPUS] else int(bool(given) and given[0].startswith(f"{_CORPUS}="))
    if not count or len(given) <= count:
        return given
    rest = given[count:]
    at = rest.index("--") if "--" in rest else len(rest)
    return [*rest[:at], *given[:count], *rest[at:]]


def all_commands() -> typer.Typer:
    """Return the program with the commands of all packages that are installed."""
    return _with_brought(())


def _with_brought(arguments: Sequence[str]) -> typer.Typer:
    """Return the program with the commands that other packages bring: the one called, or all unless it is one of ours.

    Raises UsageError for a command whose package is not installed.
    """
    name = arguments[0] if arguments else ""
    registered, brought = _registered(), plugins.names(_BROUGHT)
    if name in registered:
        return app
    wanted = (name,) if name in brought else brought
    for register in dict.fromkeys(plugins.load(_BROUGHT, one) for one in wanted if one not in registered):
        register(app)
    if name in _EXTRAS and name not in brought:
        raise UsageError(f"'octavo {name}' needs another package: pip install 'octavo[{_EXTRAS[name]}]'")
    return app


def _registered() -> frozenset[str]:
    """Return the names of the commands that the program has by now."""
    commands = (one.name or getattr(one.callback, "__name__", "") for one in app.registered_commands)
    return frozenset(commands) | {str(one.name) for one in app.registered_groups}


def _invoke(program: Any, arguments: list[str]) -> None:
    with program.make_context("octavo", arguments) as context:
        program.invoke(context)
