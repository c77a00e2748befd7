"""The options of `octavo reproduce`."""

from __future__ import annotations

import dataclasses

from octavo.cli.options import (
    BudgetOptions,
    JsonOption,
    LayerModelOption,
    ModelOption,
    ReadingOptions,
    RouterOption,
    flag,
    text,
)
from octavo.models.spec import NONE

OUT = "reproduced"


@dataclasses.dataclass(frozen=True, kw_only=True)
class ReproduceOptions(JsonOption, BudgetOptions, ReadingOptions, LayerModelOption, RouterOption, ModelOption):
    """The options of `reproduce`; caps are for the whole run."""

    listing: bool = flag("--list", "List the tables and figures that can be asked for.")
    data: list[str] | None = text(
        "--data",
        "FOLDER",
        "Folder with a folder for each benchmark, or BENCHMARK=FOLDER for one; as its authors publish it. May be given "
        "several times.",
    )
    benchmark: str | None = text("--benchmark", "A,B,...", "Only these benchmarks of the table.")
    system: str | None = text("--system", "A,B,...", "Only the rows of these systems.")
    predictions: list[str] | None = text(
        "--predictions",
        "SYSTEM=FILE",
        "Measure predictions that were made elsewhere in the place of a system's answers. May be given several times.",
    )
    judge: str | None = text(
        "--judge", "PROVIDER:NAME", "Model that reads short answers out of responses and judges them. [default: a rule]"
    )
    out: str | None = text("--out", "FOLDER", f"Where reports, indexes and answers are kept. [default: {OUT}]")
    limit: str | None = text("--limit", "N", "Only so many questions of each benchmark, the first ones.")
    parallel: str | None = text(
        "--parallel", "N", "Questions asked at once, for models that answer several requests at a time. [default: 1]"
    )
    sample: str | None = text("--sample", "SEED", "With --limit: questions drawn at random, by this seed.")
    incomplete: bool = flag("--incomplete", "Leave questions out whose documents are not there.")
    dry_run: bool = flag("--dry-run", "Say what is needed, what is missing and what it would take, and do nothing.")
    yes: bool = flag("--yes", "Agree that models are paid for.", short="-y")

    @property
    def judging(self) -> str:
        """The model that judges, "none" for the rule."""
        return self.judge or NONE
