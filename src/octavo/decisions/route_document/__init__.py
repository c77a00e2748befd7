"""How to read on in a document found for a question: lines that answer, headings to open, or none of it (RDR2, 3.3)."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import first_that_fit, share, shorten
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.route_document import rule, tags
from octavo.decisions.route_document.actions import Actions, Legal, legal
from octavo.decisions.route_document.lines import RouteLine, Routing
from octavo.models.language import estimate_tokens

_INDENT = "  "
_TITLE_TOKENS = 60
_MARKS = ("+", "#")
"""Before the title of a heading: one whose content is hidden, and any other."""
_ESCAPE = "\\"
_FREE = "Answer, expand or refuse."
_BOUND = "Refusing is not possible here: answer or expand at least one line."


def _render(value: Routing, room: int) -> Filled:
    """Show the lines that fit.

    Headings that take more than half of the room lose their deepest level, then the next; the longest texts are cut to
    a common length; at last the end goes.
    """
    question, cut = shorten(value.question, room // 4)
    document = shorten(" ".join(value.document.split()), _TITLE_TOKENS)[0]
    space = room - estimate_tokens(question) - estimate_tokens(document) - estimate_tokens(_BOUND)
    lines = _without_deep_headings(value.lines, space // 2)
    shown, shortened = _fitted(lines, space)
    kept, _ = first_that_fit(shown, space)
    left_out = len(value.lines) - len(kept) + shortened + bool(cut)
    values = {
        "document": inert(document),
        "lines": inert("\n".join(kept)),
        "question": inert(question),
        "ending": _FREE if value.can_refuse else _BOUND,
    }
    return Filled(values, left_out=left_out)


def _without_deep_headings(lines: Sequence[RouteLine], space: int) -> list[RouteLine]:
    """Return the lines without the deepest levels of headings, as many as it takes for the headings to fit."""
    kept = list(lines)
    while True:
        headings = [line for line in kept if line.is_heading]
        depths = {line.depth for line in headings}
        if len(depths) < 2 or sum(estimate_tokens(_line(line, line.text)) + 1 for line in headings) <= space:
            return kept
        kept = [line for line in kept if not line.is_heading or line.depth < max(depths)]


def _fitted(lines: Sequence[RouteLine], space: int) -> tuple[list[str], int]:
    """Return the lines as text, long ones cut so that all fit where that is possible, and how many were cut."""
    frame = sum(estimate_tokens(_line(line, line.text if line.is_heading else "")) + 1 for line in lines)
    texts, cut = share([line.text for line in lines if not line.is_heading], max(0, space - frame))
    rest = iter(texts)
    return [_line(line, line.text if line.is_heading else next(rest)) for line in lines], cut


def _line(line: RouteLine, text: str) -> str:
    flat, indent = " ".join(text.split()), _INDENT * line.depth
    if not line.is_heading:
        # Text that begins like a heading's mark is told from one.
        return f"{indent}{line.id}: {_ESCAPE if flat.startswith(_MARKS) else ''}{flat}"
    mark = _MARKS[0] if line.can_expand else _MARKS[1]
    return f"{indent}{line.id}: {mark} {shorten(flat, _TITLE_TOKENS)[0]}"


def _check(value: Routing, output: Actions) -> Actions:
    """Take any ids: what is not legal is dropped, and counted, by who asks. Raises ValueError for a vain refusal."""
    if not value.can_refuse and output.refuse and legal(output, value.lines).refuse:
        raise ValueError("refuse: not possible here; give at least one id in answer or expand")
    return output


ROUTE_DOCUMENT: Decision[Routing, Actions] = Decision(
    name="route_document",
    version="1",
    template=Template.beside(__file__),
    output=Actions,
    render=_render,
    rule=rule.route,
    check=_check,
    read=tags.read,
    max_output_tokens=256,
)

__all__ = ["ROUTE_DOCUMENT", "Actions", "Legal", "RouteLine", "Routing", "legal", "tags"]
