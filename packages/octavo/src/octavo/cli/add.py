"""`octavo add`: files and folders into the corpus, what became of each, and what Ctrl-C leaves."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from octavo.cli import context, guard, progress, terminal
from octavo.cli.models_from_settings import caps_of
from octavo.cli.options import (
    BudgetOptions,
    CorpusOptions,
    FetchOptions,
    JsonOption,
    LayerModelOption,
    ModelOption,
    ReadingOptions,
    command,
    flag,
    text,
)
from octavo.cli.remarks import remarks
from octavo.cli.settings import Settings, load
from octavo.errors import KINDS, BudgetError, UsageError
from octavo_documents.wording import translated

if TYPE_CHECKING:
    from octavo.corpus import Corpus
    from octavo.corpus.index.planning import IndexingPlan
    from octavo.corpus.reports import AddReport

_FEW_CALLS = 3
"""Calls that are made without a word; of more the cost is told first."""
_RESUME = "what was indexed is kept; run the same command again to go on from there"


@dataclasses.dataclass(frozen=True, kw_only=True)
class AddOptions(JsonOption, BudgetOptions, FetchOptions, ReadingOptions, LayerModelOption, ModelOption, CorpusOptions):
    """The options of `add`."""

    systems: list[str] | None = text(
        "--for",
        "SYSTEM,...",
        "Also build what these systems need, by the model where one is named; 'about': what each document is about.",
    )
    dry_run: bool = flag("--dry-run", "Say what would be built and what it may cost, and do nothing.")
    verbose: bool = flag("--verbose", "Name every file that is not read.")
    retry: bool = flag("--retry", "Try files again that are left alone because they failed badly before.")


Paths = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH...",
        help=f"Files ({KINDS}, JSON lines, wiki exports), folders, or addresses: https://..., s3://BUCKET/...",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    command(app, AddOptions)(add)


def add(paths: Paths = None, *, options: AddOptions) -> None:
    """Index files or folders into the corpus.

    Files that did not change are skipped; what was interrupted goes on from where it was.
    """
    started = time.monotonic()
    given = options.all_of(paths or [])
    if not given:
        raise UsageError("PATH... is missing: name files, folders or addresses, or a file with --from that lists them")
    chosen = load(options.given())
    layers = _layers(chosen, options, started)
    with guard.within(chosen.max_seconds, kept=f"; {_RESUME}"), context.open_corpus(chosen) as corpus:
        if options.dry_run:
            _plan(corpus, given, chosen, options)
            return
        if options.retry:
            corpus.retry()
        with progress.listener(quiet=options.json) as listener:
            try:
                report = context.add(
                    corpus, given, chosen, options, listener, allow_private=options.allow_private, **layers
                )
            except KeyboardInterrupt:
                raise guard.Stopped(f"interrupted when {_done(listener)} had been done; {_RESUME}") from None
        said = remarks(corpus, (*report.added, *(report.unchanged if options.verbose else ())))
        for note in report.notes:
            terminal.note(f"octavo: {terminal.one_line(note)}")
        if options.json:
            terminal.write_json(_json(report, said, listener.seconds))
        else:
            _show(report, said, listener.seconds, is_verbose=options.verbose)
    if report.stopped:
        terminal.note(f"octavo: the budget ended it ({report.stopped}); {_RESUME}")
        raise typer.Exit(BudgetError.exit_status)
    if report.failed or report.damaged:
        raise typer.Exit(guard.FAILED)


def _done(listener: progress.Listener) -> str:
    """Return what was done: "3 files", with the articles of files that hold many."""
    from octavo_documents.document import number_of

    files = number_of(listener.finished, "file")
    return f"{files} and {number_of(listener.articles, 'article')}" if listener.articles else files


def _systems(options: AddOptions) -> list[str]:
    """Return the systems of `--for`, which may be given several times, each with several names."""
    names = [name.strip() for given in options.systems or () for name in given.split(",")]
    return list(dict.fromkeys(filter(None, names)))


def _layers(settings: Settings, options: AddOptions, started: float) -> dict[str, Any]:
    """Return the arguments of `Corpus.add` about layers; none without `--for`: then nothing is asked of a model."""
    systems = _systems(options)
    return {"systems": systems, "caps": caps_of(settings, started), "announce": announce} if systems else {}


def announce(plan: IndexingPlan) -> None:
    """Say in one line what a job may take, before its first call."""
    if plan.calls > _FEW_CALLS or not plan.is_complete:
        terminal.note(f"octavo: {estimate_of(plan)}; Ctrl-C keeps what is done")


def estimate_of(plan: IndexingPlan) -> str:
    """Return what a plan may take: "about 120 calls, 340,000 tokens, cost 0.21"."""
    more = "" if plan.is_complete else ", and what some layers cannot tell"
    cost = "cost not known (no price)" if plan.cost is None else f"cost {plan.cost:,.4f}"
    return f"about {plan.calls:,} calls, {plan.tokens:,} tokens, {cost}{more}"


def _plan(corpus: Corpus, paths: list[str], settings: Settings, options: AddOptions) -> None:
    with progress.listener(quiet=options.json) as listener:
        how = context.reading_of(paths, settings, options)
        plan = corpus.plan([context.named(path) for path in paths], progress=listener, systems=_systems(options), **how)
    if options.json:
        parts = [dataclasses.asdict(part) for part in plan.parts]
        terminal.write_json({"parts": parts, "calls": plan.calls, "tokens": plan.tokens, "cost": plan.cost})
        return
    from octavo.cli.show.corpus import show_plan

    show_plan(terminal.console(), plan)
    terminal.write(translated(estimate_of(plan) if plan.parts else "nothing is to be built"))


def _json(report: AddReport, said: Mapping[str, list[str]], seconds: float) -> dict[str, Any]:
    return {
        "added": [{**dataclasses.asdict(info), "warnings": said.get(info.id, [])} for info in report.added],
        "unchanged": [dataclasses.asdict(info) for info in report.unchanged],
        "failed": [dataclasses.asdict(failure) for failure in report.failed],
        "left_out": [dataclasses.asdict(one) for one in report.left_out],
        "copies": [dataclasses.asdict(copy) for copy in report.copies],
        "collections": [dataclasses.asdict(collection) for collection in report.collections],
        "stopped": report.stopped,
        "notes": list(report.notes),
        "usage": dataclasses.asdict(report.usage),
        "seconds": round(seconds, 3),
    }


def _show(report: AddReport, said: Mapping[str, list[str]], seconds: float, *, is_verbose: bool) -> None:
    from octavo.cli.show.corpus import show_added, unread

    show_added(terminal.console(), report, seconds, said)
    for line in unread(report, is_verbose=is_verbose):
        terminal.note(f"octavo: {terminal.one_line(line)}")
