"""The options of `octavo train-router`."""

from __future__ import annotations

import dataclasses

from octavo.cli.options import BudgetOptions, CorpusOptions, JsonOption, ReadingOptions, flag, text


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrainOptions(JsonOption, BudgetOptions, ReadingOptions, CorpusOptions):
    """The options of `train-router`; caps are for what a labelling model takes."""

    corpus: str | None = text("--corpus", "FOLDER", "Corpus to use. [default: the folder 'corpus' in --out]")
    out: str | None = text("--out", "FOLDER", "Where examples, checkpoints, router and report are kept.")
    base: str | None = text(
        "--base",
        "MODEL",
        "Model to train: a folder of transformers, a GGUF file, or a name on the hub (OWNER/NAME), which is "
        "downloaded.",
    )
    documents: str | None = text("--documents", "FOLDER", "Folder with the documents, when they are elsewhere.")
    label_with: str | None = text(
        "--label-with",
        "PROVIDER:NAME",
        "Model that chooses the right actions. [default: they follow from the gold evidence]",
    )
    paper: bool = flag(
        "--paper",
        "Make and use examples as RDR2's paper does, for the system rdr2-paper: questions alone, 5 chunks each, one "
        "turn, actions chosen by --label-with.",
    )
    limit: str | None = text("--limit", "N", "Only so many questions, the first ones.")
    hold_out: str | None = text(
        "--hold-out",
        "SHARE",
        "Share of the questions, with their documents, that is kept for measuring. [default: 0.2; 0.0206 with --paper]",
    )
    only: str | None = text("--only", "STEP", "Do one step: curate, train or evaluate. [default: all]")
    device: str | None = text("--device", "NAME", "Where to compute: auto, cpu, cuda or mps. [default: auto]")
    rank: str | None = text("--rank", "N", "Rank of the adapter. [default: 8]")
    alpha: str | None = text("--alpha", "N", "Its scale. [default: 16]")
    learning_rate: str | None = text("--learning-rate", "X", "Highest learning rate. [default: 0.00001]")
    batch: str | None = text("--batch", "N", "Examples in a step. [default: 8]")
    epochs: str | None = text("--epochs", "X", "How often each example is seen. [default: 3.5]")
    max_length: str | None = text("--max-length", "N", "Tokens of the longest example that is used. [default: 4096]")
    checkpoint_steps: str | None = text("--checkpoint-steps", "N", "Steps from save to save. [default: 20]")
    seed: str | None = text("--seed", "N", "Seed of order and weights.")
    no_instructions: bool = flag(
        "--no-instructions",
        "Leave the instructions out of the prompt: shorter prompts, for a router that has learnt its task.",
    )
    measure: str | None = text(
        "--measure", "N", "Measure on so many held-out examples and questions at most. [default: 200]"
    )
    reply_tokens: str | None = text("--reply-tokens", "N", "Tokens of a reply when measuring. [default: 256]")
    dry_run: bool = flag("--dry-run", "Say what would be done and what a labelling model may cost; do nothing.")
