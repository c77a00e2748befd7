"""What agents are told of the tools they have: a text for each tool beside this module, none for those they lack."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal, get_args

ToolName = Literal["neuro_semantic_search", "symbolic_graph_query", "contextualize"]
TOOLS: tuple[ToolName, ...] = get_args(ToolName)


@cache
def _text(name: str) -> str:
    return (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8").strip()


def described(names: Iterable[str]) -> str:
    """Return the texts of some tools, in their order; raise FileNotFoundError for one that there is no text of."""
    return "\n".join(map(_text, names))
