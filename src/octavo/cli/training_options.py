"""The options of `octavo train-router`, and the plan of a training they stand for."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated

import typer

from octavo.cli.options import BudgetOptions, CorpusOptions, JsonOption, ReadingOptions, whole
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.training.plan import TrainingPlan


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrainOptions(JsonOption, BudgetOptions, ReadingOptions, CorpusOptions):
    """The options of `train-router`; caps are for what a labelling model takes."""

    corpus: Annotated[
        str | None,
        typer.Option("--corpus", metavar="FOLDER", help="Corpus to use. [default: the folder 'corpus' in --out]"),
    ] = None
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FOLDER", help="Where examples, checkpoints, router and report are kept."),
    ] = None
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="MODEL",
            help="Model to train: a folder of transformers, a GGUF file, or a name on the hub (OWNER/NAME), which is "
            "downloaded.",
        ),
    ] = None
    documents: Annotated[
        str | None,
        typer.Option("--documents", metavar="FOLDER", help="Folder with the documents, when they are elsewhere."),
    ] = None
    label_with: Annotated[
        str | None,
        typer.Option(
            "--label-with",
            metavar="PROVIDER:NAME",
            help="Model that chooses the right actions. [default: they follow from the gold evidence]",
        ),
    ] = None
    limit: Annotated[
        str | None, typer.Option("--limit", metavar="N", help="Only so many questions, the first ones.")
    ] = None
    hold_out: Annotated[
        str | None,
        typer.Option(
            "--hold-out",
            metavar="SHARE",
            help="Share of the questions, with their documents, that is kept for measuring. [default: 0.2]",
        ),
    ] = None
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="STEP", help="Do one step: curate, train or evaluate. [default: all]"),
    ] = None
    device: Annotated[
        str | None,
        typer.Option("--device", metavar="NAME", help="Where to compute: auto, cpu, cuda or mps. [default: auto]"),
    ] = None
    rank: Annotated[str | None, typer.Option("--rank", metavar="N", help="Rank of the adapter. [default: 8]")] = None
    alpha: Annotated[str | None, typer.Option("--alpha", metavar="N", help="Its scale. [default: 16]")] = None
    learning_rate: Annotated[
        str | None, typer.Option("--learning-rate", metavar="X", help="Highest learning rate. [default: 0.00001]")
    ] = None
    batch: Annotated[str | None, typer.Option("--batch", metavar="N", help="Examples in a step. [default: 8]")] = None
    epochs: Annotated[
        str | None, typer.Option("--epochs", metavar="X", help="How often each example is seen. [default: 3.5]")
    ] = None
    max_length: Annotated[
        str | None,
        typer.Option("--max-length", metavar="N", help="Tokens of the longest example that is used. [default: 4096]"),
    ] = None
    checkpoint_steps: Annotated[
        str | None, typer.Option("--checkpoint-steps", metavar="N", help="Steps from save to save. [default: 20]")
    ] = None
    seed: Annotated[str | None, typer.Option("--seed", metavar="N", help="Seed of order and weights.")] = None
    no_instructions: Annotated[
        bool,
        typer.Option(
            "--no-instructions",
            help="Leave the instructions out of the prompt: shorter prompts, for a router that has learnt its task.",
        ),
    ] = False
    measure: Annotated[
        str | None,
        typer.Option(
            "--measure", metavar="N", help="Measure on so many held-out examples and questions at most. [default: 200]"
        ),
    ] = None
    reply_tokens: Annotated[
        str | None,
        typer.Option("--reply-tokens", metavar="N", help="Tokens of a reply when measuring. [default: 256]"),
    ] = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done and what a labelling model may cost; do nothing.")
    ] = False


def plan_of(options: TrainOptions) -> TrainingPlan:
    """Return the settings of the training. Raises UsageError for a value out of range."""
    from octavo.training.plan import TrainingPlan

    usual = TrainingPlan()
    return TrainingPlan(
        rank=whole("--rank", options.rank, usual.rank),
        alpha=whole("--alpha", options.alpha, usual.alpha),
        learning_rate=number("--learning-rate", options.learning_rate, usual.learning_rate),
        batch=whole("--batch", options.batch, usual.batch),
        epochs=number("--epochs", options.epochs, usual.epochs),
        max_tokens=whole("--max-length", options.max_length, usual.max_tokens),
        instructions=not options.no_instructions,
        checkpoint_steps=whole("--checkpoint-steps", options.checkpoint_steps, usual.checkpoint_steps),
        seed=whole("--seed", options.seed, usual.seed, least=0),
    )


def number(option: str, given: str | None, usual: float) -> float:
    """Return the number of an option. Raises UsageError for another text."""
    try:
        return usual if given is None else float(given)
    except ValueError:
        raise UsageError(f"{option}: needs a number, not {given!r}") from None
