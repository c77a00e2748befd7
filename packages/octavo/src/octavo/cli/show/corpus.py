"""What a corpus holds and what came of adding to it, on the terminal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from octavo.cli.show.prose import pairs, paragraph, rate_of, seconds_of, size_of, table_of
from octavo.cli.terminal import draw, one_line, shorten
from octavo.corpus.store.paths import ends_apart
from octavo_documents.document import number_of
from octavo_documents.wording import counted, t, translated

if TYPE_CHECKING:
    from rich.console import Console

    from octavo.about.document_about import AboutShape
    from octavo.corpus.index.planning import IndexingPlan
    from octavo.corpus.reports import AddReport, CheckReport, CollectionReport, Status
    from octavo.corpus.store import DocumentInfo
    from octavo.corpus.store.catalogue import Holding
    from octavo.models.gateway import UsageRow


_NONE: Mapping[str, Sequence[str]] = MappingProxyType({})
_WIDE = 90
"""Columns from which on a terminal gets all columns of a list."""
_MOST_COPIES = 20
"""Copies that are named one by one."""
ID_LENGTH = 19
"""Characters shown of an id: "sha256:" and 12 digits, enough to name a document with."""


def show_added(screen: Console, report: AddReport, seconds: float, said: Mapping[str, Sequence[str]] = _NONE) -> None:
    """Print a line for each document, what its reader `said` of it by its id, and one for the whole."""
    names = _names_apart((*report.added, *report.unchanged))
    for word, infos in (("added", report.added), ("unchanged", report.unchanged)):
        for info in infos:
            scanned = t(", {n} read as images", n=info.scanned_pages) if info.scanned_pages else ""
            damaged = t(", damaged: {what}", what=translated(info.damage)) if info.damage else ""
            counts = f"{counted(info.pages, 'page')}{scanned}, {counted(info.sections, 'section')}{damaged}"
            paragraph(
                screen, Text.assemble((f"{t(word):<10}", "green"), one_line(names[info.id]), (f"  {counts}", "dim"))
            )
            _show_remarks(screen, said.get(info.id, ()))
    for copy in report.copies[:_MOST_COPIES]:
        what = "is no longer there; the document stays, as" if copy.is_moved else "is a copy of"
        told = f"{one_line(copy.path)} {what} {one_line(copy.of)}"
        paragraph(screen, Text.assemble((f"{'gone' if copy.is_moved else 'copy':<10}", "green"), told))
    if len(report.copies) > _MOST_COPIES:
        paragraph(screen, f"and {len(report.copies) - _MOST_COPIES:,} copies more; 'octavo list' names them")
    for collection in report.collections:
        _show_collection(screen, collection)
    pages = sum(info.pages for info in report.added)
    articles = sum(collection.added for collection in report.collections)
    if report.collections and not (report.added or report.unchanged):
        failed = f", {number_of(len(report.failed), 'file')} failed" if report.failed else ""
        rate = rate_of(articles, seconds, "articles")
        paragraph(screen, f"{number_of(articles, 'article')} added{failed} in {seconds_of(seconds)}{rate}")
        return
    added, unchanged, failed = map(len, (report.added, report.unchanged, report.failed))
    parts = [t("{n} added", n=added), t("{n} unchanged", n=unchanged), t("{n} failed", n=failed)]
    done = [counted(pages, "page"), *([counted(articles, "article")] if report.collections else [])]
    rate = rate_of(pages, seconds, "pages")
    told, both = ", ".join(parts), t(" and ").join(done)
    paragraph(screen, t("{parts}: {done} in {time}", parts=told, done=both, time=seconds_of(seconds)) + rate)


def _show_remarks(screen: Console, said: Sequence[str]) -> None:
    for one in said:
        paragraph(screen, Text.assemble((f"{'':<10}", ""), (translated(one_line(one)), "dim")))


def _names_apart(documents: Sequence[DocumentInfo]) -> dict[str, str]:
    """Return, by id, the names of documents; of those that share one, as much of the path as tells them apart."""
    named = defaultdict[str, dict[str, str]](dict)
    for info in documents:
        named[info.name][info.id] = info.path
    return {
        identity: end
        for name, paths in named.items()
        for identity, end in zip(paths, ends_apart([*paths.values()]) if len(paths) > 1 else [name], strict=True)
    }


def remarks_of(documents: Sequence[DocumentInfo], said: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield what readers said of documents, each after its name."""
    names = _names_apart(documents)
    for info in documents:
        yield from (f"{one_line(names[info.id])}: {translated(one_line(one))}" for one in said.get(info.id, ()))


def _show_collection(screen: Console, report: CollectionReport) -> None:
    """Print the counts of a file with many articles, and of what was skipped the reasons with an example."""
    counts = [f"{report.added:,} added", f"{report.unchanged:,} unchanged"]
    counts += [f"{report.removed:,} removed"] if report.removed else []
    name = one_line(Path(report.path).name)
    said = f"  {number_of(report.articles, 'article')}: {', '.join(counts)}"
    paragraph(screen, Text.assemble((f"{'articles':<10}", "green"), name, (said, "dim")))
    for reason, count in report.skipped.items():
        example = next(iter(report.examples.get(reason, ())), "")
        shown = f", such as {one_line(example)}" if example else ""
        paragraph(screen, Text.assemble((f"{'skipped':<10}", "bold"), f"{count:,} {reason}", (shown, "dim")))
    for remark, count in report.remarks.items():
        paragraph(screen, Text.assemble((f"{'remark':<10}", "bold"), f"{number_of(count, 'article')} {remark}"))


def show_plan(screen: Console, plan: IndexingPlan) -> None:
    """Print what would be built, a line for each part of a document."""
    numbers = ("calls", "tokens", "cost")
    table = table_of("document", "builds", "by", *numbers, right=numbers)
    for part in plan.parts:
        by = ", ".join(part.models) or "rule"
        cells = [one_line(Path(part.path).name), part.part, one_line(by)]
        if part.models:
            tokens = None if part.calls is None else (part.input_tokens or 0) + (part.output_tokens or 0)
            cells += [_count(part.calls), _count(tokens), "?" if part.cost is None else f"{part.cost:,.4f}"]
        table.add_row(*map(Text, cells))
    if plan.parts:
        draw(screen, table)


def _count(number: int | None) -> str:
    return "?" if number is None else f"{number:,}"


def show_holdings(screen: Console, holdings: Sequence[Holding]) -> None:
    """Print what each folder and file of many holds, and how to see the documents themselves."""
    numbers = ("documents", "passages", "size")
    table = table_of("place", *numbers, right=numbers)
    for held in holdings:
        cells = [one_line(held.path), f"{held.documents:,}", f"{held.passages:,}", size_of(held.size_bytes)]
        table.add_row(*map(Text, cells))
    draw(screen, table)
    count = number_of(sum(held.documents for held in holdings), "document")
    paragraph(screen, f"{count}: 'octavo list --match PATTERN' or '--limit N' shows them")


def show_documents(
    screen: Console,
    documents: Sequence[DocumentInfo],
    *,
    folder: Path | None,
    copies: Mapping[str, Sequence[str]] = _NONE,
    hidden: Collection[str] = (),
) -> None:
    """Print the documents as a table, and the folder or file each is in.

    On a terminal a line names the folder above its documents, and a narrow one gets fewer columns; in a pipe, where
    lines are read one by one, the folder is the last column. Without any document it says that the corpus in `folder`
    is empty, or, where that is None, that none is meant. `copies` are further files of documents, by id,
    `hidden` the ids of those that left a watched folder.
    """
    if not documents and folder is None:
        paragraph(screen, t("No document fits; 'octavo list' shows what there is."))
        return
    if not documents:
        paragraph(
            screen,
            t("The corpus at {path} is empty; 'octavo add FILE' puts a document in.", path=one_line(str(folder))),
        )
        return
    if not screen.is_terminal:
        draw(screen, _listed(documents, hidden, is_wide=True, has_folder=True))
        _show_copies(screen, documents, copies)
        return
    for at, (place, there) in enumerate(groupby(documents, _place)):
        if at:
            screen.print()
        paragraph(screen, place)
        draw(screen, _listed([*there], hidden, is_wide=screen.width >= _WIDE, has_folder=False))
    _show_copies(screen, documents, copies)


_TITLE = 60
"""Characters of a title or an issuer in a table."""


def show_about(
    screen: Console,
    documents: Sequence[tuple[DocumentInfo, AboutShape]],
    *,
    folder: Path | None = None,
    hidden: Collection[str] = (),
) -> None:
    """Print what documents are about as a table; of none as `show_documents` does.

    In a pipe the id is the first column and the folder the last; on a terminal a narrow one has no date and version.
    """
    infos = [info for info, _ in documents]
    if not documents:
        show_documents(screen, infos, folder=folder)
        return
    is_piped, names = not screen.is_terminal, _names_apart(infos)
    is_wide = is_piped or screen.width >= _WIDE
    states = _states(infos, hidden)
    more = [*(("date", "version") if is_wide else ()), *(("state",) if states else ()), *(("in",) if is_piped else ())]
    table = table_of(*(("id",) if is_piped else ()), "name", "title", "issuer", "kind", "period", *more)
    for info, about in documents:
        cells = [shorten(about["title"], _TITLE), shorten(about["issuer"], _TITLE), about["kind"]]
        cells += [about["period"], *((about["date"], about["version"]) if is_wide else ())]
        cells += [states.get(info.id, "")] if states else []
        cells += [_place(info)] if is_piped else []
        table.add_row(*map(Text, [*([info.id[:ID_LENGTH]] if is_piped else []), one_line(names[info.id]), *cells]))
    draw(screen, table)


def _show_copies(screen: Console, documents: Sequence[DocumentInfo], copies: Mapping[str, Sequence[str]]) -> None:
    """Print a line for each further file of a document."""
    names = _names_apart(documents)
    for info in documents:
        for path in copies.get(info.id, ()):
            paragraph(screen, t("{path} is a copy of {name}", path=one_line(path), name=one_line(names[info.id])))


def _listed(documents: Sequence[DocumentInfo], hidden: Collection[str], *, is_wide: bool, has_folder: bool) -> Table:
    numbers = ("pages", *(("sections", "passages", "size") if is_wide else ()))
    states = _states(documents, hidden)
    more = [*(("added",) if is_wide else ()), *(("state",) if states else ()), *(("in",) if has_folder else ())]
    table = table_of("id", "name", *numbers, *more, right=numbers)
    for info in documents:
        cells = [info.id[:ID_LENGTH], one_line(info.name), f"{info.pages:,}"]
        if is_wide:
            cells += [f"{info.sections:,}", f"{info.passages:,}", size_of(info.size_bytes), _minute(info.added)]
        if states:
            cells.append(states.get(info.id, ""))
        if has_folder:
            cells.append(_place(info))
        table.add_row(*map(Text, cells))
    return table


def _states(documents: Sequence[DocumentInfo], hidden: Collection[str]) -> dict[str, str]:
    """Return by id what is the matter with documents, of those with which anything is."""
    told = {info.id: _state(info, is_hidden=info.id in hidden) for info in documents}
    return {identity: state for identity, state in told.items() if state}


def _state(info: DocumentInfo, *, is_hidden: bool) -> str:
    damaged = [t("damaged: {what}", what=translated(info.damage))] if info.damage else []
    return "; ".join([*damaged, *([t("no longer in the watched folder")] if is_hidden else [])])


def _place(info: DocumentInfo) -> str:
    """Return the folder a document's file is in; of an article the file that holds it and others."""
    held = f"#{info.name}"
    return one_line(info.path.removesuffix(held) if info.path.endswith(held) else str(Path(info.path).parent))


def show_status(screen: Console, status: Status) -> None:
    """Print the figures of the corpus, what models were asked, and the jobs that run or were interrupted."""
    derived = t(", {size} of it can be made again", size=size_of(status.derived_bytes)) if status.derived_bytes else ""
    rows = [
        ("corpus", one_line(status.path)),
        ("documents", f"{status.documents:,}"),
        ("pages", f"{status.pages:,}"),
        ("passages", f"{status.passages:,}"),
        ("on disk", size_of(status.bytes) + derived),
    ]
    if status.layers:
        rows.insert(4, ("layers", ", ".join(f"{name} {count:,}" for name, count in sorted(status.layers.items()))))
    draw(screen, pairs(rows))
    if status.models:
        draw(screen, _usage(status.models))
    for job in status.jobs:
        state = t("being indexed" if job.is_running else "interrupted; add it again to go on")
        done = f" ({', '.join(job.parts)} done)" if job.parts else ""
        paragraph(screen, Text.assemble((f"{one_line(job.path)}: ", "bold"), f"{state}{done}"))
    for case in status.quarantined:
        paragraph(screen, Text.assemble((f"{one_line(case.path)}: ", "red"), one_line(case.message)))


def show_findings(screen: Console, report: CheckReport, *, is_repaired: bool) -> None:
    """Print what a check found, and what to do about what is left unless mending it was tried already."""
    for finding in report.findings:
        mark = (f"{t('repaired'):<9}", "green") if finding.repaired else (f"{t('found'):<9}", "bold")
        paragraph(screen, Text.assemble(mark, f"{finding.code}: {one_line(finding.message)}"))
    if not report.findings:
        paragraph(screen, t("The corpus is sound."))
    elif report.is_sound:
        paragraph(screen, t("Nothing is left to repair."))
    elif not is_repaired:
        paragraph(screen, t("Run 'octavo check --repair' to mend what can be mended."))


def _usage(rows: Sequence[UsageRow]) -> Table:
    """Return a table of model calls: a row for each decision and model.

    Attempts that brought no reply and may have been billed have a column when there were any, with their most tokens.
    """
    has_failed = any(row.failed for row in rows)
    numbers = ("calls", "cached", "tokens", "time", "cost", *(["failed"] if has_failed else []))
    table = table_of("decision", "model", *numbers, right=numbers)
    for row in rows:
        tokens = f"{row.input_tokens + row.output_tokens:,}"
        cost = "" if row.cost is None else f"{row.cost:,.4f}"
        cells = [one_line(row.decision), one_line(row.model), f"{row.calls:,}", f"{row.cached:,}", tokens]
        failed = [f"{row.failed:,} ({row.failed_tokens:,} tokens)" if row.failed else ""] if has_failed else []
        table.add_row(*map(Text, [*cells, seconds_of(row.seconds), cost, *failed]))
    return table


def _minute(stamp: str) -> str:
    """Return an ISO time to the minute: "2025-03-01 14:05"."""
    return stamp[:16].replace("T", " ")


_NAMED = 20
"""Files that failed which are named one by one."""
_SUMS = 8
"""Endings in one line."""
_LONGEST_ENDING = 12
_WHY = {
    "format": ("not a document", "not documents"),
    "no_text": ("a picture without text", "pictures without text"),
    "hidden": ("hidden", "hidden"),
    "link": ("link to a folder", "links to folders"),
    "loop": ("a link that leads back to itself", "links that lead back to themselves"),
    "closed": ("folder that may not be read", "folders that may not be read"),
    "too_large": ("too large", "too large"),
    "too_many_pages": ("too many pages", "too many pages"),
    "no_pages": ("no pages", "no pages"),
    "password": ("the password is wrong", "the password is wrong"),
    "timeout": ("took too long", "took too long"),
    "crashed": ("broke its reader", "broke their reader"),
    "bug": ("an error inside Octavo", "errors inside Octavo"),
    "quarantined": ("left alone", "left alone"),
    "unreachable": ("its server does not answer", "their servers do not answer"),
    "offline": ("no network", "no network"),
    "full": ("no space left", "no space left"),
}
"""What a reason is called, of one file and of several; others are called by their word."""


def unread(report: AddReport, *, is_verbose: bool = False, before: str = "") -> Iterator[str]:
    """Yield a line for each file that failed, `before` first, or was read in part, then a sum of all that was not read.

    Beyond twenty failures the rest is in the sum only, unless `is_verbose`, which names what was left out too.
    """
    for failure in report.failed[: None if is_verbose else _NAMED]:
        yield before + failure.message
    for info in report.damaged:
        yield f"{info.path} is damaged: {info.damage}; copy or download it again"
    for one in report.left_out:
        if is_verbose or one.reason == "loop":
            yield f"{one.path} is left out: {_why(one.reason, 1)}"
    if report.left_out or len(report.failed) > _NAMED:
        yield _sum(report, is_verbose=is_verbose)


def _sum(report: AddReport, *, is_verbose: bool) -> str:
    """Return "12 files not read: 5 .exe (not documents), 3 .png (pictures without text), ..."."""
    counts = Counter((_ending(one.path, one.reason), one.reason) for one in (*report.failed, *report.left_out))
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    told = [
        f"{count:,} {ending} ({_why(reason, count)})" if ending else f"{count:,} {_why(reason, count)}"
        for (ending, reason), count in ranked[:_SUMS]
    ]
    if rest := sum(count for _, count in ranked[_SUMS:]):
        told.append(f"{rest:,} more")
    advice = "" if is_verbose else "; 'octavo add --verbose' names them all"
    return f"{number_of(counts.total(), 'file')} not read: {', '.join(told)}{advice}"


def _ending(path: str, reason: str) -> str:
    """Return the ending of a file's name; "" where the reason says enough."""
    if reason in ("hidden", "link", "loop", "closed"):
        return ""
    ending = Path(path).suffix.lower()
    return ending if 1 < len(ending) <= _LONGEST_ENDING else "without an ending"


def _why(reason: str, count: int) -> str:
    return _WHY.get(reason, (reason, reason))[count > 1]
