"""`octavo reproduce` on the command line; `reproduce_run` does it."""

from __future__ import annotations

from typing import Annotated

import typer

from octavo.cli.options import command
from octavo_lab.commands.reproduce_options import ReproduceOptions

Name = Annotated[str | None, typer.Argument(metavar="TABLE", help="A name of --list, such as bookrag-table5, or all.")]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, ReproduceOptions)(reproduce)


def reproduce(name: Name = None, *, options: ReproduceOptions) -> None:
    """Make a result table of a paper again.

    Prints the paper's figures beside those measured, and writes them as HTML, Markdown, CSV and JSON. What was indexed,
    answered and paid for by an earlier run into the same folder, for this table or another, is used again.
    """
    from octavo_lab.commands.reproduce_run import run_reproduction

    run_reproduction(name, options)
