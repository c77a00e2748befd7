"""The parts of Octavo and whether they are usable, as a table.

Owns its look. Knows nothing about how parts are examined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from octavo.cli.health import Part, State
from octavo.cli.terminal import draw, one_line

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {State.OK: "green", State.LIMITED: "yellow", State.BROKEN: "red"}


def show_parts(screen: Console, parts: Sequence[Part]) -> None:
    """Print a line for each part, and under it what to do where something is to be done."""
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for part in parts:
        table.add_row(Text(part.state, style=_STYLES[part.state]), Text(part.name), Text(one_line(part.detail)))
        if part.mend:
            table.add_row("", "", Text(f"-> {one_line(part.mend)}"))
    draw(screen, table)
