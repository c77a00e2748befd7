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
from octavo.document import Answer, Result

if TYPE_CHECKING:
    from rich.console import Console

_LENGTH = 64
"""Characters shown of a step and its parameters; JSON has all of them."""


def show_trace(screen: Console, ran: Answer | Result) -> None:
    """Print one line for each step and one for the whole."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("step", overflow="fold")
    for name in ("rows in", "rows out", "time", "calls"):
        table.add_column(name, justify="right", no_wrap=True)
    for step in ran.trace:
        call = shorten(f"{step.step}{_parameters(step.parameters)}", _LENGTH)
        table.add_row(Text(call), f"{step.rows_in:,}", f"{step.rows_out:,}", seconds_of(step.seconds), str(step.calls))
    screen.print()
    draw(screen, table)
    decided = ", ".join(f"{who} {count}" for who, count in ran.decided_by.items())
    parts = [f"system {ran.system}", seconds_of(ran.usage.seconds), number_of(ran.usage.calls, "model call")]
    paragraph(screen, Text("; ".join([*parts, f"decided by {decided}"] if decided else parts), style="dim"))


def _parameters(values: Mapping[str, Any]) -> str:
    return f"({', '.join(f'{name}={value}' for name, value in values.items())})" if values else ""
