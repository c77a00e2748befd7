"""What is on this machine, as tables: the parts of Octavo and whether they are usable, and language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from octavo.cli.health import Part, State
from octavo.cli.show.prose import paragraph, size_of
from octavo.cli.terminal import draw, one_line

if TYPE_CHECKING:
    from rich.console import Console

    from octavo.models.finding import FoundModel

_STYLES = {State.OK: "green", State.LIMITED: "yellow", State.BROKEN: "red"}
_SEES = {True: "yes", False: "no", None: ""}


def show_models(screen: Console, models: Sequence[FoundModel], chosen: str) -> None:
    """Print the models that can be used, the others with what keeps them from it, and which one answers now."""
    ready = [model for model in models if not model.problem]
    if ready:
        draw(screen, _table(ready))
    for model in models:
        if model.problem:
            size = "" if model.size_bytes is None else f"{size_of(model.size_bytes)}, "
            told = (f"  ({size}{one_line(model.where)})", "dim")
            paragraph(screen, Text.assemble(("not ready: ", "yellow"), one_line(model.name), told))
            paragraph(screen, one_line(model.problem), indent=4)
    if not models:
        paragraph(screen, "No language model was found on this machine. Three ways to one:")
        for way in _WAYS:
            paragraph(screen, f"* {way}", indent=2)
    now = "The rules answer now" if chosen == "none" else f"{one_line(chosen)} answers now"
    paragraph(screen, f"{now}; --model NAME asks another once, 'octavo models use NAME' from now on.")


_WAYS = (
    "Ollama (ollama.com): 'ollama pull qwen3:4b', then --model ollama:qwen3:4b",
    "a GGUF file of a Qwen or Llama model: pip install 'octavo[local]', then --model local:FILE",
    "a provider, which reads what is sent to it: --model openai:NAME, with a key in OPENAI_API_KEY",
)


def _table(models: Sequence[FoundModel]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("model", overflow="fold")
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("sees", no_wrap=True)
    table.add_column("where", no_wrap=True)
    for model in models:
        size = "" if model.size_bytes is None else size_of(model.size_bytes)
        table.add_row(*map(Text, (one_line(model.name), size, _SEES[model.sees], one_line(model.where))))
    return table


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
