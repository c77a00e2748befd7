"""An answer while it is written: shown as it grows, taken away when it is whole.

Owns the moving part of the terminal. Knows nothing about where the text comes from.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from rich.constrain import Constrain
from rich.live import Live
from rich.text import Text

from octavo.cli.terminal import one_line, plain, prose_width
from octavo.corpus.streaming import AnswerText, Ending, Event
from octavo.document import Answer, TraceStep

if TYPE_CHECKING:
    from rich.console import Console


def follow(screen: Console, events: Generator[Event]) -> Answer:
    """Show what happens until the answer is there, and return it; what was shown meanwhile is gone then."""
    with Live(console=screen, transient=True, refresh_per_second=12) as live:
        try:
            for event in events:
                if isinstance(event, Answer):
                    return event
                live.update(Constrain(_shown(event), prose_width(screen)))
        except KeyboardInterrupt:
            live.update(_shown(Ending()))
            events.close()
            raise
    raise RuntimeError("a stream ended without an answer")


def _shown(event: TraceStep | AnswerText | Ending) -> Text:
    if isinstance(event, Ending):
        return Text("waiting for the reply under way, so that it is not paid twice; Ctrl-C again leaves it")
    if isinstance(event, AnswerText):  # bold is for the answer whose quotes were checked
        return Text.assemble(("being written: ", "dim"), plain(event.text))
    if "understood" in event.parameters:
        return Text(f"understood as: {one_line(event.parameters['understood'])}", style="dim")
    return Text(f"{event.step}: {event.rows_in:,} \N{RIGHTWARDS ARROW} {event.rows_out:,} blocks ...", style="dim")
