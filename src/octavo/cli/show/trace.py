"""The steps of a plan as it ran, as a table.

Owns the look of a trace. Knows nothing about what the steps do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from octavo.cli.show.prose import number_of, paragraph, seconds_of
from octavo.cli.terminal import draw, shorten
from octavo.document import Answer, Result, TraceStep

if TYPE_CHECKING:
    from rich.console import Console

_LENGTH = 64
"""Characters shown of a step and its parameters; JSON has all of them."""


def show_trace(screen: Console, ran: Answer | Result) -> None:
    """Print one line for each step, those inside it indented below, and one for the whole."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("step", overflow="fold")
    for name in ("rows in", "rows out", "time", "calls", "tokens"):
        table.add_column(name, justify="right", no_wrap=True)
    for step in ran.trace:
        _add(table, step, depth=0)
    screen.print()
    draw(screen, table)
    for step in ran.trace:
        for line in _planned(step):
            paragraph(screen, Text(line, style="dim"))
    paragraph(screen, Text(_summary(ran), style="dim"))


def _planned(step: TraceStep) -> list[str]:
    """Return what a step chose to do, why, what that saved, and the plan itself to be carried out again."""
    told = step.parameters
    if "planned" not in told:
        return []
    saved = f"; saved {told['saved']}" if told.get("saved") else ""
    return [f"planned: {told['way']}, because {told['because']} ({told['shape']}){saved}", f"plan: {told['planned']}"]


def _add(table: Table, step: TraceStep, depth: int) -> None:
    """Add a step and those inside it; a decision has no rows."""
    indent = "  " * (depth - 1) + "└ " if depth else ""
    call = indent + shorten(f"{step.step}{_parameters(step.parameters)}", _LENGTH)
    rows = (f"{step.rows_in:,}", f"{step.rows_out:,}") if step.rows_in or step.rows_out or not depth else ("", "")
    tokens = step.input_tokens + step.output_tokens
    table.add_row(Text(call), *rows, seconds_of(step.seconds), str(step.calls), f"{tokens:,}" if tokens else "0")
    for inner in step.steps:
        _add(table, inner, depth + 1)


def _summary(ran: Answer | Result) -> str:
    usage = ran.usage
    parts = [f"system {ran.system}", seconds_of(usage.seconds), number_of(usage.calls, "model call")]
    if usage.cached_calls:
        parts.append(f"{number_of(usage.cached_calls, 'reply')} kept from before")
    if usage.calls:
        parts.append(f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out")
    if usage.cost is not None:
        parts.append(f"cost {usage.cost:.4f}")
    decided = ", ".join(f"{who} {count}" for who, count in ran.decided_by.items())
    if decided:
        parts.append(f"decided by {decided}")
    if ran.stopped:
        parts.append(f"ended by {ran.stopped}")
    return "; ".join(parts)


def _parameters(values: Mapping[str, Any]) -> str:
    return f"({', '.join(f'{name}={value}' for name, value in values.items())})" if values else ""
