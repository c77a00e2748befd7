"""One turn of the retriever agent as it is printed: a plan, then one call a turn, then the nodes (LAD-RAG, figure 12).

The agent is told of the tools it has and no others. The rule plans by the cues of the question: where it goes through
all things of a kind, all of these are the evidence; else what is nearest in meaning and what the question names, with
the group of the nearest node.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from pydantic import BaseModel, Field

from octavo.decisions.agent_tools import ToolName, described
from octavo.decisions.engine import Decision, Filled, Template, inert, shorten
from octavo.decisions.engine.replies import schema_of
from octavo.decisions.investigate import Ids, ToolCall, look_ups
from octavo.models.language import estimate_tokens
from octavo.question import understand

_QUESTION_SHARE = 0.15
_LEFT_OUT = "(an earlier result is left out here for want of room)"
_TEXTS: dict[ToolName, str] = {
    "neuro_semantic_search": "neuro_semantic_search",
    "symbolic_graph_query": "symbolic_graph_query",
    "contextualize": "community",
}
"""What is told of each tool."""


@dataclasses.dataclass(frozen=True, slots=True)
class Retrieval:
    """A question, the tools there are, and the conversation so far: a text for each plan, call and result.

    `made` are the calls in the order they were carried out, `best` the first node of the first result.
    """

    question: str
    tools: tuple[ToolName, ...]
    history: tuple[str, ...] = ()
    made: tuple[ToolCall, ...] = ()
    best: str = ""
    document: str = ""
    turns_left: int = 20


class RetrievalTurn(BaseModel):
    """What the agent does next. Without a call it is done, and `nodes` are its evidence."""

    plan: str = ""
    call: ToolCall | None = None
    nodes: Ids = Field(default_factory=list[str])
    """Ids of nodes ("n12") or of all nodes of a result ("r2")."""


def _render(value: Retrieval, room: int) -> Filled:
    """Keep the question and the latest results; of the rest what fits, the earliest left out first."""
    question, cut = shorten(value.question, int(room * _QUESTION_SHARE))
    given = {
        "tools": described(_TEXTS[name] for name in value.tools),
        "document": inert(value.document) or "(not known)",
        "question": inert(question),
        "turns_left": str(value.turns_left),
    }
    left = room - estimate_tokens("".join(given.values()))
    texts, dropped = [inert(text) for text in value.history], 0
    sizes = [estimate_tokens(text) + 1 for text in texts]
    while dropped < len(sizes) - 1 and sum(sizes[dropped:]) > left:
        dropped += 1
    kept = [_LEFT_OUT] * bool(dropped) + texts[dropped:]
    if kept:
        kept[-1], _ = shorten(kept[-1], max(64, left))
    return Filled({**given, "history": "\n\n".join(kept) or "(nothing yet)"}, left_out=bool(cut) + dropped)


def _check(value: Retrieval, output: RetrievalTurn) -> RetrievalTurn:
    """Raise ValueError for a tool that is not there."""
    if output.call is not None and output.call.tool not in value.tools:
        raise ValueError(f"call: there is no tool {output.call.tool} here; use {', '.join(value.tools)}")
    return output


def _rule(value: Retrieval) -> RetrievalTurn:
    planned = [call for call in _planned(value) if call.tool in value.tools]
    plan = "\n".join(f"{at}. {call.tool}" for at, call in enumerate(planned, start=1))
    made = {call.key() for call in value.made}
    for call in planned:
        if call.key() not in made:
            return RetrievalTurn(plan=plan, call=call)
    return RetrievalTurn(plan=plan, nodes=[f"r{at}" for at in range(1, len(value.made) + 1)])


def _planned(value: Retrieval) -> Iterator[ToolCall]:
    """Yield the calls that the words of a question cue."""
    search, *queries = look_ups(value.question)
    goes_through = bool(understand(value.question).kinds_gone_through) and "symbolic_graph_query" in value.tools
    if not goes_through:
        yield search
    yield from queries
    if not goes_through and value.best:
        yield ToolCall(tool="contextualize", ids=[value.best])


def room_for_history(context_tokens: int) -> int:
    """Return how many tokens of results a model of this context can be shown beside all else, 0 for none."""
    said = (RETRIEVE_NODES.template.instructions, described(_TEXTS.values()), schema_of(RetrievalTurn))
    room = context_tokens - sum(map(estimate_tokens, said)) - RETRIEVE_NODES.max_output_tokens
    return max(0, int(room * (1 - _QUESTION_SHARE)))


RETRIEVE_NODES: Decision[Retrieval, RetrievalTurn] = Decision(
    name="retrieve_nodes",
    version="3",
    finds=True,
    template=Template.beside(__file__),
    output=RetrievalTurn,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=2048,
)
