"""The `octavo` program: its commands and how it starts and ends."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from octavo.cli import (
    add,
    ask,
    chat,
    cluster,
    evaluate,
    export,
    guard,
    manage,
    models,
    serve,
    show_page,
    terminal,
    train_router,
)
from octavo.cli.options import CONTEXT, PlainGroup

app = typer.Typer(
    name="octavo",
    cls=PlainGroup,
    rich_markup_mode=None,
    context_settings=CONTEXT,
    help="Answers questions over long documents and shows page and quote for each answer.",
    epilog="Start with: octavo ask 'What was net income in 2015?' report.pdf",
)
for group in (
    ask,
    chat,
    add,
    show_page,
    manage,
    models,
    evaluate,
    train_router,
    serve,
    cluster,
    export,
):
    group.register(app)


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
        terminal.note(context.get_help())
        raise typer.Exit(guard.WRONG_USAGE)


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
    if not os.environ.get("OCTAVO_DEBUG"):
        warnings.simplefilter("ignore")
    program = typer.main.get_command(app)
    if "_OCTAVO_COMPLETE" in os.environ:
        program.main(list(arguments), prog_name="octavo")
    return guard.run(lambda: _invoke(program, list(arguments)))


def _invoke(program: Any, arguments: list[str]) -> None:
    with program.make_context("octavo", arguments) as context:
        program.invoke(context)
