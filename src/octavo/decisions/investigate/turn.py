"""One turn of the agent that looks for evidence: the tools it calls, or the list of blocks it ends with.

Owns the typed output and its reading from what a model may write. Knows nothing about prompts, documents or how a tool
does its work.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

ToolName = Literal["neuro_semantic_search", "symbolic_graph_query", "contextualize"]
TOOLS: tuple[ToolName, ...] = get_args(ToolName)
MOST_CALLS = 4
"""Calls of one turn that are carried out."""
_MOST_BLOCKS = 300
_IN_SHORT = {"semantic": TOOLS[0], "search": TOOLS[0], "symbolic": TOOLS[1], "graph": TOOLS[1], "context": TOOLS[2]}


def _tool_name(value: Any) -> Any:
    """Take "NeuroSemanticSearch", "symbolic" and "Contextualize" for the tools they mean."""
    plain = re.sub(r"[^a-z]", "", str(value).lower())
    named = {name.replace("_", ""): name for name in TOOLS}
    return named.get(plain) or next((name for part, name in _IN_SHORT.items() if part in plain), value)


def _listed(value: Any) -> Any:
    values = [value] if isinstance(value, (str, int)) else value
    return [str(one) for one in values] if isinstance(values, list) else values  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


Ids = Annotated[list[str], BeforeValidator(_listed), Field(max_length=_MOST_BLOCKS)]


class ToolCall(BaseModel):
    """A call of one tool. `query` is words for the search and an object for the graph; `ids` are what is widened."""

    model_config = ConfigDict(frozen=True)

    tool: Annotated[ToolName, BeforeValidator(_tool_name)]
    query: str | dict[str, Any] = ""
    k: Annotated[int, Field(ge=0, le=50)] = 0
    """How many blocks a search shows; 0 for as many as it shows by itself."""
    ids: Ids = Field(default_factory=list[str])
    part: Annotated[int, Field(ge=1, le=100)] = 1
    """Which part of a long list of context, from 1."""

    def key(self) -> str:
        """Return what is equal for calls that ask the same."""
        return self.model_dump_json()


class Turn(BaseModel):
    """What the agent does next. It ends when it calls nothing; `blocks` is then its evidence."""

    model_config = ConfigDict(json_schema_extra={"required": ["plan", "calls", "blocks"]})

    plan: str = ""
    # A reply with more is taken and cut; one that is held to the schema keeps to it.
    calls: list[ToolCall] = Field(
        default_factory=list[ToolCall], max_length=20, json_schema_extra={"maxItems": MOST_CALLS}
    )
    blocks: Ids = Field(default_factory=list[str])
    """Numbers of blocks ("b12") or of whole results ("r2")."""
