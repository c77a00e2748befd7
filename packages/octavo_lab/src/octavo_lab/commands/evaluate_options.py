"""The options of `octavo evaluate`."""

from __future__ import annotations

import dataclasses

from octavo.cli.options import (
    BudgetOptions,
    CorpusOptions,
    JsonOption,
    LayerModelOption,
    ReadingOptions,
    RouterOption,
    flag,
    text,
)

DEFAULT_SYSTEMS = "auto,bm25,dense,hybrid"


@dataclasses.dataclass(frozen=True, kw_only=True)
class EvaluateOptions(JsonOption, BudgetOptions, ReadingOptions, LayerModelOption, RouterOption, CorpusOptions):
    """The options of `evaluate`; caps are for the whole run."""

    corpus: str | None = text(
        "--corpus", "FOLDER", "Corpus to use. [env OCTAVO_CORPUS; default the folder 'corpus' in --out]"
    )
    system: str | None = text(
        "--system",
        "A,B,...",
        "Systems to run, the first to compare with; NAME@SETTING=VALUE runs one with another setting. "
        f"[default: {DEFAULT_SYSTEMS}]",
    )
    sweep: list[str] | None = text(
        "--sweep",
        "SETTING=A,B,...",
        "Also run each system with these values of a setting and plot them: limit (pages) or a field of the "
        "system's plan. May be given several times.",
    )
    model: str | None = text(
        "--model", "PROVIDER:NAME", "Language model that the systems may ask. [env OCTAVO_MODEL; default none]"
    )
    judge: str | None = text(
        "--judge",
        "PROVIDER:NAME",
        "Model that reads short answers out of responses and judges them. [default: a rule]",
    )
    documents: str | None = text(
        "--documents",
        "FOLDER",
        "Folder of the benchmark: its questions and its documents, which own questions name and which may lie "
        "anywhere below it.",
    )
    together: bool = flag(
        "--together",
        "Ask every question of all documents of the benchmark together, in one index, and not of those it is about.",
    )
    beside: list[str] | None = text(
        "--beside",
        "FOLDER",
        "With --together: index the files of this folder and below it too; no question is about them. May be given "
        "several times.",
    )
    init: str | None = text(
        "--init", "FOLDER", "Propose questions about the documents of this folder, in a file there to correct."
    )
    out: str | None = text("--out", "FOLDER", "Where the report and all that is computed on the way are kept.")
    limit: str | None = text("--limit", "N", "Only so many questions, the first ones.")
    parallel: str | None = text(
        "--parallel", "N", "Questions asked at once, for models that answer several requests at a time. [default: 1]"
    )
    sample: str | None = text("--sample", "SEED", "With --limit: questions drawn at random, by this seed.")
    pages: str | None = text(
        "--pages", "N", "Pages handed to a reader, at most. [default: what each system takes, mostly 10]"
    )
    on_error: str | None = text(
        "--on-error", "MODE", "At a bad row, file or question: skip (and count it) or stop. [default: skip]"
    )
    give_format: bool = flag("--give-format", "Tell answer extraction the gold's answer format; the report says so.")
    tell_format: bool = flag(
        "--tell-format", "Tell systems that ask by the type of the answer (mmrag-paper) the gold's; the report says so."
    )
