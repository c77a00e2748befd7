"""`octavo evaluate` on the command line; `evaluate_run` does it."""

from __future__ import annotations

from typing import Annotated

import typer

from octavo.cli.options import command
from octavo.errors import UsageError
from octavo_lab.commands.evaluate_options import EvaluateOptions

Name = Annotated[
    str | None,
    typer.Argument(
        metavar="BENCHMARK",
        help="mmlongbench, mmlongbench-first, financebench, longdocurl, dude, dude-val, mpdocvqa, m3docvqa, qasper, "
        "papertab, papertext, fetatab, asqa, asqa-train, qampari, eli5, hotpotqa, triviaqa, multihop, natural, "
        "or a JSON lines file of your own.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, EvaluateOptions)(evaluate)


def evaluate(benchmark: Name = None, *, options: EvaluateOptions) -> None:
    """Run systems side by side on a benchmark.

    Writes report.json, report.html and report.md. Documents are indexed where they are not yet, and questions answered
    by an earlier run are not asked again. The exit status is 1 when every question failed.
    """
    if options.init is not None:
        from octavo_lab.commands.evaluate_init import propose

        propose(options.init, options)
        return
    if not benchmark:
        raise UsageError("BENCHMARK is missing; see 'octavo evaluate --help', or propose questions with --init FOLDER")
    from octavo_lab.commands.evaluate_run import run_evaluation

    run_evaluation(benchmark, options)
