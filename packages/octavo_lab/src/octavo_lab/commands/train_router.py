"""`octavo train-router` on the command line; `train_router_run` does it."""

from __future__ import annotations

from typing import Annotated

import typer

from octavo.cli.options import command
from octavo_lab.commands.train_router_options import TrainOptions

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="[BENCHMARK]",
        help="Questions with gold evidence, as `octavo evaluate` takes them: a folder, or a JSON lines file. Without "
        "any, the examples in --out are used.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, TrainOptions, name="train-router")(train_router)


def train_router(benchmark: Name = None, *, options: TrainOptions) -> None:
    """Train a router for rdr2 on questions, and measure it.

    Curates examples, fine-tunes a model on them, and scores it before and after.

    Writes the adapter to OUT/router, for --router, and report.html. Each step is kept; an interrupted one goes on from
    its last checkpoint.
    """
    from octavo_lab.commands.train_router_run import run_training

    run_training(benchmark, options)
