"""How to act on one retrieval subtree, as RDR2 has it: a tree of `id: text` lines in, lines of tagged actions out.

Section 3.3 gives both forms: each level of the hierarchy is one more indentation, the root is the document's title
under the id -1, and an action is written `[ACTION] id: text_prefix`. The router is told nothing else: not what it chose
before, and not which headings are closed. The words of the prompt are ours.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, share, shorten
from octavo.models.language import estimate_tokens
from octavo_documents.text.lines import on_one_line
from octavo_methods.rdr2.decisions.route_document import Actions, RouteLine, Routing, from_tags, legal, route_by_scores

ROOT = -1
"""The id of the root in what a router is shown."""
_INDENT = "  "
_FREE = "Write the actions."
_BOUND = "Write the actions. Here [REFUSE] is not allowed: answer or expand at least one id."


def _render(value: Routing, room: int) -> Filled:
    """Show the root and the lines; where they do not fit long texts are cut to a common length, then the end goes."""
    question, cut = shorten(value.question, room // 4)
    root = f"{ROOT}: {shorten(on_one_line(value.document), room // 8)[0]}"
    space = room - sum(map(estimate_tokens, (question, root, _BOUND)))
    shown, shortened = _fitted(value.lines, space)
    kept, left_out = first_that_fit(shown, space)
    values = {
        "tree": inert("\n".join([root, *kept])),
        "question": inert(question),
        "ending": _FREE if value.can_refuse else _BOUND,
    }
    return Filled(values, left_out=left_out + shortened + bool(cut))


def _fitted(lines: Sequence[RouteLine], space: int) -> tuple[list[str], int]:
    """Return the lines as text, long ones cut so that all fit where that is possible, and how many were cut."""
    frames = [f"{_INDENT * (line.depth + 1)}{line.id}: " for line in lines]
    taken = sum(estimate_tokens(frame) + 1 for frame in frames)
    texts, cut = share([on_one_line(line.text) for line in lines], max(0, space - taken))
    return [frame + on_one_line(text) for frame, text in zip(frames, texts, strict=True)], cut


def _check(value: Routing, output: Actions) -> Actions:
    """Take any ids: what is not legal is dropped, and counted, by who asks. Raises ValueError for a vain refusal."""
    if not value.can_refuse and output.refuse and legal(output, value.lines).refuse:
        raise ValueError("[REFUSE] is not allowed here: answer or expand at least one id")
    return output


ROUTE_SUBTREE: Decision[Routing, Actions] = Decision(
    name="route_subtree",
    version="1",
    finds=True,
    template=Template.beside(__file__),
    output=Actions,
    render=_render,
    rule=route_by_scores,
    check=_check,
    read=from_tags,
    is_plain=True,
    max_output_tokens=512,
)
