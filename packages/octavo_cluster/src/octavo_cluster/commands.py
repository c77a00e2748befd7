"""`octavo cluster`: a corpus that many machines share, in PostgreSQL and object storage."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from octavo.cli import context, guard, progress, terminal
from octavo.cli.options import (
    CONTEXT,
    CorpusOptions,
    FetchOptions,
    JsonOption,
    PlainGroup,
    RayOption,
    ReadingOptions,
    command,
    flag,
    text,
    whole,
)
from octavo.cli.settings import load
from octavo.errors import UsageError
from octavo_documents.wording import t, translated

if TYPE_CHECKING:
    from octavo.cli.settings import Settings
    from octavo.corpus import Corpus
    from octavo.corpus.progress import Progress
    from octavo.corpus.reports import AddReport
    from octavo_cluster.searchers import SearcherStatus

_HOURS = 24
"""After which bytes that nothing names are swept up: longer than anything takes between writing and naming them."""
_COPIES = 2
"""Searchers of each shard: one may die."""
_RESUME = "what is done is kept, and the rest is taken up by other workers, or by this one when it is started again"

_group = typer.Typer(
    cls=PlainGroup,
    context_settings=CONTEXT,
    rich_markup_mode=None,
    help="Share a corpus between machines.",
)

Database = Annotated[str, typer.Argument(metavar="DATABASE", help="The database, as postgresql://HOST/NAME.")]
Bucket = Annotated[
    str, typer.Argument(metavar="BUCKET", help="s3://BUCKET/FOLDER, gs://..., az://..., or a folder all machines see.")
]
Folder = Annotated[str, typer.Argument(metavar="FOLDER", help="The corpus to copy.")]
Paths = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PATH...]", help="Files, folders and addresses to put into the queue first."),
]


@dataclasses.dataclass(frozen=True, kw_only=True)
class InitOptions(JsonOption):
    """The options of `init`."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ImportOptions(JsonOption):
    """The options of `import`."""

    to: str | None = text("--to", "DATABASE", "The shared corpus, as postgresql://HOST/NAME.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class ClusterOptions(JsonOption, CorpusOptions):
    """The options of all that work on a shared corpus."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class StatusOptions(RayOption, ClusterOptions):
    """The options of `status`."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class SearchOptions(StatusOptions):
    """The options of `search`."""

    shards: str | None = text("--shards", "N", "Shards the passages are in. [default: as before, or one a machine]")
    copies: str | None = text("--copies", "N", "Searchers of each shard, on different machines. [default: 2]")
    stop: bool = flag("--stop", "Stop them all.")


@dataclasses.dataclass(frozen=True, kw_only=True)
class SweepOptions(ClusterOptions):
    """The options of `sweep`."""

    older_than: str | None = text("--older-than", "HOURS", "Leave what was written since. [default: 24]")


@dataclasses.dataclass(frozen=True, kw_only=True)
class WorkerOptions(FetchOptions, ReadingOptions, ClusterOptions):
    """The options of `worker`."""

    ray: str | None = text(
        "--ray", "ADDRESS", "Have workers in a Ray cluster index, auto or HOST:PORT; --workers is how many of them."
    )
    stay: bool = flag("--stay", "Wait for more when the queue is empty.")


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.add_typer(_group, name="cluster")
    command(_group, InitOptions)(init)
    command(_group, ImportOptions, name="import")(import_corpus)
    command(_group, WorkerOptions)(worker)
    command(_group, SearchOptions)(search)
    command(_group, StatusOptions)(status)
    command(_group, SweepOptions)(sweep)


def init(database: Database, bucket: Bucket, *, options: InitOptions) -> None:
    """Set up a shared corpus: its tables in a database, and the place of its bytes.

    The database must be there and hold no such corpus yet; the bucket, or the folder in it, must be no other corpus's.
    """
    from octavo.corpus.location import locate
    from octavo_cluster import shared_corpus

    place, corpus = shared_corpus.create(database, bucket), str(locate(database))
    if options.json:
        terminal.write_json({"corpus": corpus, "bucket": place})
    else:
        _say(f"{corpus} is set up, with its bytes in {place}; use it with --corpus")


def import_corpus(folder: Folder, *, options: ImportOptions) -> None:
    """Copy a corpus from a folder into a shared one: documents, layers and paid replies; nothing is built again.

    What is there already is left as it is; interrupted, it goes on where it was.
    """
    from octavo.corpus import Corpus
    from octavo_cluster import shared_corpus

    if not options.to:
        raise UsageError("--to is missing; name the shared corpus as postgresql://HOST/NAME")
    if not (Path(folder) / "corpus.db").exists():
        raise UsageError(f"{folder} holds no corpus; name the folder that 'octavo add' made")
    with Corpus(folder) as source, Corpus(options.to) as target:
        copied = shared_corpus.copy(source, target)
        total = target.count()
    if options.json:
        terminal.write_json({"copied": copied, "documents": total})
    else:
        _say(f"copied {copied:,}; the shared corpus holds {total:,} documents")


def worker(paths: Paths = None, *, options: WorkerOptions) -> None:
    """Index what is in the queue of a shared corpus, together with other workers.

    Each document is indexed by one of them; what a worker had that dies is taken up by another. Paths are seen alike by
    all machines. It ends when nothing is left, or with --stay by Ctrl-C.
    """
    from octavo.corpus.progress import Once
    from octavo_cluster import shared_corpus

    chosen = load(options.given())
    counts = {"added": 0, "unchanged": 0, "failed": 0}
    noted = set[str]()
    with context.open_corpus(chosen) as corpus, progress.listener(quiet=options.json) as listener:
        once = Once(listener)

        def add(some: list[str]) -> AddReport:
            return context.add(corpus, some, chosen, options, once, allow_private=options.allow_private)

        def told(report: AddReport) -> None:
            counts["added"] += len(report.added)
            counts["unchanged"] += len(report.unchanged)
            counts["failed"] += len(report.failed)
            new = [note for note in report.notes if note not in noted]
            noted.update(new)
            for line in (*(failure.message for failure in report.failed), *new):
                terminal.note(f"octavo: {terminal.one_line(line)}")

        try:
            _, containers, failed = shared_corpus.queue(corpus, options.all_of(paths or []))
            for failure in failed:
                counts["failed"] += 1
                terminal.note(f"octavo: {terminal.one_line(failure.message)}")
            if containers:  # each is read by one process, from its beginning to its end
                told(add(containers))
            if options.ray:
                _on_ray(corpus, chosen, options, told, listener)
            else:
                shared_corpus.work(corpus, add, told, stay=options.stay)
        except KeyboardInterrupt:
            raise guard.Stopped(f"interrupted when {counts['added']:,} had been added; {_RESUME}") from None
    if options.json:
        terminal.write_json(counts)
    else:
        terminal.write(t(", ").join(translated(f"{count:,} {what}") for what, count in counts.items()))
    if counts["failed"]:
        raise typer.Exit(guard.FAILED)


def _on_ray(
    corpus: Corpus,
    chosen: Settings,
    options: WorkerOptions,
    told: Callable[[AddReport], None],
    listener: progress.Listener,
) -> None:
    """Have workers on the machines of a Ray cluster do the work."""
    try:
        from octavo_cluster import ray_workers
    except ImportError as error:
        raise UsageError("--ray needs Ray: pip install 'octavo[cluster]'") from error

    there = dataclasses.replace(chosen, ray="", workers=None)
    how = functools.partial(context.open_corpus, there), functools.partial(_add_there, there, options)
    died = ray_workers.work(
        corpus, how, told, listener, address=options.ray or "", workers=chosen.workers, stay=options.stay
    )
    if died:
        terminal.note(f"octavo: {died:,} workers died, and others went on with what they were at")


def _add_there(
    chosen: Settings, options: WorkerOptions, corpus: Corpus, paths: list[str], told: Progress, workers: int, /
) -> AddReport:
    """Index files on the machine of a worker."""
    here = dataclasses.replace(chosen, workers=workers)
    return context.add(corpus, paths, here, options, told, allow_private=options.allow_private)


def search(*, options: SearchOptions) -> None:
    """Start searchers in a Ray cluster: they hold the passages of a shared corpus, in shards, for whoever asks.

    They are ready when it returns, and go on when it has; those that are there stay. `ask --ray` and `serve --ray` use
    them.
    """
    from octavo_cluster import shared_corpus

    chosen = load(options.given())
    address = chosen.ray or "auto"
    shards = whole("--shards", options.shards, None)
    copies = whole("--copies", options.copies, _COPIES)

    def told(one: SearcherStatus) -> None:
        if not options.json:
            _show_searcher(one)

    with context.open_corpus(chosen) as corpus:
        if options.stop:
            stopped = shared_corpus.stop_searching(corpus, address)
            if options.json:
                terminal.write_json({"stopped": stopped})
            else:
                _say(f"stopped {stopped:,} searchers")
            return
        try:
            found = shared_corpus.search(corpus, address, told, shards=shards, copies=copies)
        except KeyboardInterrupt:
            raise guard.Stopped("interrupted; the searchers that were started go on, --stop ends them") from None
    if options.json:
        terminal.write_json({"searchers": [dataclasses.asdict(one) for one in found]})
    if any(one.why for one in found):
        raise typer.Exit(guard.FAILED)


def _say(text: str) -> None:
    """Write a line in the language of whoever reads it."""
    terminal.write(translated(text))


def _show_searcher(one: SearcherStatus) -> None:
    from octavo.cli.show.prose import size_of

    state = one.why or f"{one.passages:,} passages, {size_of(one.bytes)}"
    where = f" on {one.node}" if one.node else ""
    _say(f"shard {one.shard} of {one.of}, copy {one.copy}{where}: {terminal.one_line(state)}")
    terminal.flush()


def status(*, options: StatusOptions) -> None:
    """Show what a shared corpus holds, what waits in its queue, what is being done, and with --ray its searchers."""
    from octavo_cluster import shared_corpus

    chosen = load(options.given())
    with context.open_corpus(chosen) as corpus:
        found = shared_corpus.status(corpus, chosen.ray)
    if options.json:
        terminal.write_json(dataclasses.asdict(found))
        return
    from octavo.cli.show.prose import size_of

    _say(f"corpus: {terminal.one_line(found.corpus)}")
    _say(f"bytes: {size_of(found.bytes)} in {terminal.one_line(found.bucket)} and the database")
    _say(f"documents: {found.documents:,} of {found.pages:,} pages and {found.passages:,} passages")
    again = f" ({found.again:,} of them for another attempt)" if found.again else ""
    _say(f"queue: {found.waiting:,} waiting{again}, {found.running:,} being indexed")
    if found.quarantined:
        _say(f"left alone: {found.quarantined:,} files; 'octavo add --retry' tries them again")
    for one in found.searchers:
        _show_searcher(one)
    if chosen.ray and not found.searchers:
        _say("searchers: none; 'octavo cluster search' starts some")


def sweep(*, options: SweepOptions) -> None:
    """Remove bytes that nothing names any more, as processes that were killed leave them."""
    from octavo_cluster import shared_corpus

    hours = whole("--older-than", options.older_than, _HOURS)
    with context.open_corpus(load(options.given())) as corpus:
        seen, removed = shared_corpus.sweep(corpus, older=3600.0 * hours)
    if options.json:
        terminal.write_json({"seen": seen, "removed": removed})
    else:
        _say(f"removed {removed:,} of {seen:,} objects older than {hours:,} hours")
