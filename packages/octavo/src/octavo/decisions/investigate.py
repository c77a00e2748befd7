"""One turn of LAD-RAG's retrieval agent (section 2.2): which tools to call, or which blocks are the evidence.

What was called and found so far stands at the end of the prompt, so that everything before it is the same from turn to
turn and providers' caches hit.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from octavo.decisions.agent_tools import TOOLS, ToolName, described
from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, shorten
from octavo.decisions.engine.replies import schema_of
from octavo.evidence import Operation
from octavo.models.language import estimate_tokens
from octavo.question import Question, Reference, understand
from octavo_documents.document import number_of
from octavo_documents.text.statements import STATEMENT_TITLES

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


class ToolTurn(BaseModel, title="Turn"):
    """What the agent does next. It ends when it calls nothing; `blocks` is then its evidence."""

    model_config = ConfigDict(json_schema_extra={"required": ["plan", "calls", "blocks"]})

    plan: str = ""
    # A reply with more is taken and cut; one that is held to the schema keeps to it.
    calls: list[ToolCall] = Field(
        default_factory=list[ToolCall], max_length=20, json_schema_extra={"maxItems": MOST_CALLS}
    )
    blocks: Ids = Field(default_factory=list[str])
    """Numbers of blocks ("b12") or of whole results ("r2")."""


_QUESTION_SHARE, _OUTLINE_SHARE = 0.15, 0.15
_LEFT_OUT = "(an earlier result is left out here for want of room)"

_SPELLINGS = {"figure": ("Figure {}", "Fig. {}", "Fig {}"), "table": ("Table {}",), "equation": ("Equation {}",)}
_TITLE_CHARACTERS = 150
"""A title of a statement, with the company and the unit that often stand in the same line."""
_TABLE_AFTER = 3
"""Blocks between the title of a statement and its table."""


@dataclasses.dataclass(frozen=True, slots=True)
class InvestigateInput:
    """A question, what it is asked about, and all that was called and found so far, one text for each result.

    `more_titles` are left out. `best` are the numbers of the blocks that score best so far; `is_first` says that no
    turn was taken yet. `wanted` is what a reader found missing, where the rest is known.
    """

    question: str
    history: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    document: str = ""
    tools: tuple[ToolName, ...] = TOOLS
    best: tuple[str, ...] = ()
    is_first: bool = True
    turns_left: int = 20
    wanted: tuple[str, ...] = ()
    more_titles: int = 0


def _render(value: InvestigateInput, room: int) -> Filled:
    """Keep the question, the outline and the latest results; of the rest what fits, the earliest left out first."""
    question, cut = shorten(value.question, int(room * _QUESTION_SHARE))
    titles, fewer = first_that_fit([f"- {title}" for title in value.titles], int(room * _OUTLINE_SHARE))
    left = value.more_titles + fewer
    more = [f'(and {number_of(left, "title")} more: {TOOLS[1]} with "kinds": ["heading"])'] if left else []
    given = {
        "question": inert(question),
        "document": inert(value.document) or "(not known)",
        "titles": inert("\n".join([*titles, *more])) or "(not known)",
        "tools": described(_texts(value.tools)),
        "turns_left": str(value.turns_left),
        "missing": _missing(value.wanted),
    }
    history, dropped = _latest(value.history, room - estimate_tokens("".join(given.values())))
    return Filled({**given, "history": history or "(nothing yet)"}, left_out=bool(cut) + fewer + dropped)


def _texts(tools: tuple[ToolName, ...]) -> tuple[str, ...]:
    """Return what is told of some tools."""
    return tuple(text for name in tools for text in (name, *(("entities",) if name == TOOLS[1] else ())))


def _missing(wanted: tuple[str, ...]) -> str:
    said = "The rest of the answer is known: this is all that you look for, and that you list."
    return f"<missing>\n{inert('; '.join(wanted))}\n</missing>\n{said}" if wanted else ""


def _latest(history: tuple[str, ...], room: int) -> tuple[str, int]:
    texts, dropped = [inert(text) for text in history], 0
    sizes = [estimate_tokens(text) + 1 for text in texts]
    while dropped < len(sizes) - 1 and sum(sizes[dropped:]) > room:
        dropped += 1
    kept = [_LEFT_OUT] * bool(dropped) + texts[dropped:]
    if kept:
        kept[-1], _ = shorten(kept[-1], max(64, room))
    return "\n\n".join(kept), dropped


def _rule(value: InvestigateInput) -> ToolTurn:
    """Put the best block in context first; after that the scores of all decide."""
    if value.is_first and value.best and "contextualize" in value.tools:
        return ToolTurn(
            plan="context of the best block", calls=[ToolCall(tool="contextualize", ids=list(value.best[:1]))]
        )
    return ToolTurn(plan="what scores best")


def _check(value: InvestigateInput, output: ToolTurn) -> ToolTurn:
    """Keep the first calls; raise ValueError for a tool that is not there."""
    missing = sorted({call.tool for call in output.calls} - {*value.tools})
    if missing:
        raise ValueError(f"calls: there is no tool {', '.join(missing)} here; use {', '.join(value.tools)}")
    return output.model_copy(update={"calls": output.calls[:MOST_CALLS]})


def room_for_history(context_tokens: int) -> int:
    """Return how many tokens of results a model of this context can be shown beside all else, 0 for none."""
    said = (INVESTIGATE.template.instructions, described(_texts(TOOLS)), schema_of(ToolTurn))
    fixed = sum(map(estimate_tokens, said))
    room = context_tokens - fixed - INVESTIGATE.max_output_tokens
    return max(0, int(room * (1 - _QUESTION_SHARE - _OUTLINE_SHARE)))


def look_ups(text: str) -> list[ToolCall]:
    """Return the first calls for a question: a search for its words, and the symbolic queries that it cues."""
    found = [ToolCall(tool="neuro_semantic_search", query=text)]
    queries = {repr(query): query for query in _queries(understand(text))}
    return found + [ToolCall(tool="symbolic_graph_query", query=query) for query in queries.values()]


def _queries(question: Question) -> Iterator[dict[str, Any]]:
    for reference in question.references:
        yield from _labelled(reference)
    if question.sections:
        yield {"sections": list(question.sections)}
    if question.kinds_gone_through:
        operation = "count" if question.operation is Operation.COUNT else "select"
        yield {"kinds": [*question.kinds_gone_through], "operation": operation, "group_by": "page"}
    if question.statements:
        yield {
            "kinds": ["title", "heading", "caption", "paragraph"],
            "contains": list(STATEMENT_TITLES),
            "max_characters": _TITLE_CHARACTERS,
            "follow": ["next"],
            "hops": _TABLE_AFTER,
            "direction": "out",
            "reached": ["table"],
        }


def _labelled(reference: Reference) -> Iterator[dict[str, Any]]:
    """Yield the query for a figure or table by its label: its caption, itself, and what refers to it."""
    spellings = _SPELLINGS.get(reference.what, ())
    numbers = reference.numbers() if reference.relation in ("", "in") else ()
    words = [spelling.format(number) for number in numbers for spelling in spellings]
    if words:
        yield {"contains": words[:20], "follow": ["caption_of", "refers_to"], "hops": 1}


INVESTIGATE: Decision[InvestigateInput, ToolTurn] = Decision(
    name="investigate",
    version="6",
    finds=True,
    template=Template.beside(__file__),
    output=ToolTurn,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=400,
)

__all__ = [
    "INVESTIGATE",
    "InvestigateInput",
    "ToolCall",
    "ToolTurn",
    "look_ups",
    "room_for_history",
]
