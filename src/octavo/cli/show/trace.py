"""What was done for a question: in a few words, then the steps as a table, then the plan to be carried out again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from octavo import systems
from octavo.cli.show.prose import best_pages, pairs, paragraph, seconds_of
from octavo.cli.terminal import draw, one_line, shorten
from octavo.document import Answer, Result, TraceStep, number_of

if TYPE_CHECKING:
    from rich.console import Console

_LENGTH = 64
"""Characters shown of a step and its parameters; JSON has all of them."""


def show_trace(screen: Console, ran: Answer | Result) -> None:
    """Print what was done in words, a line for each step, those inside it indented below, and the system's plan."""
    screen.print()
    draw(screen, pairs(_in_words(ran)))
    screen.print()
    draw(screen, _steps(ran))
    if ran.system in systems.SYSTEMS:
        screen.print()
        paragraph(screen, Text(f"plan: {systems.get(ran.system).retrieve!r}", style="dim"))


def _steps(ran: Answer | Result) -> Table:
    """Return a row for each step; where no model was asked, without the columns that would tell what that took."""
    is_asked = _is_asked(ran)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("step", overflow="fold")
    for name in ("rows in", "rows out", "time", *(("calls", "tokens") if is_asked else ())):
        table.add_column(name, justify="right", no_wrap=True)
    for step in ran.trace:
        for cells in _rows(step, depth=0):
            table.add_row(*map(Text, cells if is_asked else cells[:-2]))
    return table


def _is_asked(ran: Answer | Result) -> bool:
    """Whether a model was asked, or its kept replies were used."""
    return bool(ran.usage.calls or ran.usage.cached_calls)


def _in_words(ran: Answer | Result) -> list[tuple[str, str]]:
    """Return what was looked for and where, what was read, who decided and how long it took."""
    rows = [("question", one_line(ran.question))]
    if isinstance(ran, Answer) and ran.understood:
        rows.append(("understood", one_line(ran.understood)))
    rows.append(("looked in", _scope(ran)))
    pages = ran.evidence.pages(ran.by)
    best = f", best first {'; '.join(best_pages(ran.evidence, ran.by))}" if pages else ""
    rows += [("read", number_of(len(pages), "page") + best), ("decided by", _deciders(ran))]
    if ran.unsearched:
        rows.append(("left out", one_line(str(ran.unsearched))))
    if ran.stopped:
        rows.append(("ended by", ran.stopped))
    return [*rows, ("took", f"{seconds_of(ran.usage.seconds)}, with the system {ran.system}")]


def _scope(ran: Answer | Result) -> str:
    """Return the documents that were opened, and of how many they are the best."""
    documents = ran.evidence.view.documents
    pages = number_of(sum(len(document.pages) for document in documents), "page")
    if len(documents) == 1:
        return f"{one_line(documents[0].name)}, {pages}"
    chosen = next((step.parameters for step in ran.trace if step.step == "FirstStage"), dict[str, Any]())
    of = f", the best of {chosen['documents']:,}" if "documents" in chosen else ""
    return f"{number_of(len(documents), 'document')}{of}, {pages}"


def _rows(step: TraceStep, depth: int) -> Iterator[tuple[str, ...]]:
    """Yield the cells of a step and of those inside it; a decision has no rows."""
    indent = "  " * (depth - 1) + "└ " if depth else ""
    call = indent + shorten(f"{step.step}{_parameters(step.parameters)}", _LENGTH)
    rows = (f"{step.rows_in:,}", f"{step.rows_out:,}") if step.rows_in or step.rows_out or not depth else ("", "")
    yield call, *rows, seconds_of(step.seconds), str(step.calls), f"{step.input_tokens + step.output_tokens:,}"
    for inner in step.steps:
        yield from _rows(inner, depth + 1)


def _deciders(ran: Answer | Result) -> str:
    """Return who decided how often, and what models took for it."""
    usage = ran.usage
    if not _is_asked(ran):
        return "rules; no model was asked"
    parts = [", ".join(f"{who} {count}" for who, count in ran.decided_by.items()), number_of(usage.calls, "model call")]
    if usage.cached_calls:
        parts.append(f"{number_of(usage.cached_calls, 'reply')} kept from before")
    if usage.calls:
        parts.append(f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out")
    if usage.cost is not None:
        parts.append(f"cost {usage.cost:.4f}")
    return "; ".join(filter(None, parts))


def _parameters(values: Mapping[str, Any]) -> str:
    return f"({', '.join(f'{name}={value}' for name, value in values.items())})" if values else ""
