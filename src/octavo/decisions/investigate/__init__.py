"""One turn of LAD-RAG's retrieval agent (section 2.2): which tools to call, or which blocks are the evidence.

What was called and found so far stands at the end of the prompt and only grows, so that everything before it is the
same from turn to turn and providers' caches hit.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import first_that_fit, shorten
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.engine.replies import schema_of
from octavo.decisions.investigate import rule
from octavo.decisions.investigate.rule import goes_through_all, kinds_gone_through, look_ups
from octavo.decisions.investigate.turn import MOST_CALLS, TOOLS, ToolCall, ToolName, Turn
from octavo.models.language import estimate_tokens

_QUESTION_SHARE, _OUTLINE_SHARE = 0.15, 0.15
_LEFT_OUT = "(an earlier result is left out here for want of room)"


@dataclasses.dataclass(frozen=True, slots=True)
class InvestigateInput:
    """A question, what it is asked about, and all that was called and found so far, one text for each result.

    `best` are the numbers of the blocks that score best so far; `is_first` says that no turn was taken yet. `wanted` is
    what a reader found missing, where the rest is known.
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


def _render(value: InvestigateInput, room: int) -> Filled:
    """Keep the question, the outline and the latest results; of the rest what fits, the earliest left out first."""
    question, cut = shorten(value.question, int(room * _QUESTION_SHARE))
    titles, fewer = first_that_fit([f"- {title}" for title in value.titles], int(room * _OUTLINE_SHARE))
    given = {
        "question": inert(question),
        "document": inert(value.document[:200]) or "(not known)",
        "titles": inert("\n".join(titles)) or "(not known)",
        "tools": ", ".join(value.tools),
        "turns_left": str(value.turns_left),
        "missing": _missing(value.wanted),
    }
    history, dropped = _latest(value.history, room - estimate_tokens("".join(given.values())))
    return Filled({**given, "history": history or "(nothing yet)"}, left_out=bool(cut) + fewer + dropped)


def _missing(wanted: tuple[str, ...]) -> str:
    return f"<missing>\n{inert('; '.join(wanted))}\n</missing>" if wanted else ""


def _latest(history: tuple[str, ...], room: int) -> tuple[str, int]:
    texts, dropped = [inert(text) for text in history], 0
    sizes = [estimate_tokens(text) + 1 for text in texts]
    while dropped < len(sizes) - 1 and sum(sizes[dropped:]) > room:
        dropped += 1
    kept = [_LEFT_OUT] * bool(dropped) + texts[dropped:]
    if kept:
        kept[-1], _ = shorten(kept[-1], max(64, room))
    return "\n\n".join(kept), dropped


def _rule(value: InvestigateInput) -> Turn:
    return rule.turn(value.tools, value.best, is_first=value.is_first)


def _check(value: InvestigateInput, output: Turn) -> Turn:
    """Keep the first calls; raise ValueError for a tool that is not there."""
    missing = sorted({call.tool for call in output.calls} - {*value.tools})
    if missing:
        raise ValueError(f"calls: there is no tool {', '.join(missing)} here; use {', '.join(value.tools)}")
    return output.model_copy(update={"calls": output.calls[:MOST_CALLS]})


def room_for_history(context_tokens: int) -> int:
    """Return how many tokens of results a model of this context can be shown beside all else, 0 for none."""
    fixed = estimate_tokens(INVESTIGATE.template.instructions) + estimate_tokens(schema_of(Turn))
    room = context_tokens - fixed - INVESTIGATE.max_output_tokens
    return max(0, int(room * (1 - _QUESTION_SHARE - _OUTLINE_SHARE)))


INVESTIGATE: Decision[InvestigateInput, Turn] = Decision(
    name="investigate",
    version="2",
    template=Template.beside(__file__),
    output=Turn,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=400,
)

__all__ = [
    "INVESTIGATE",
    "TOOLS",
    "InvestigateInput",
    "ToolCall",
    "ToolName",
    "Turn",
    "goes_through_all",
    "kinds_gone_through",
    "look_ups",
    "room_for_history",
]
