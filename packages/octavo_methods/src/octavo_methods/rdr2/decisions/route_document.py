"""How to read on in a document found for a question: lines that answer, headings to open, or none of it (RDR2, 3.3).

A trained router writes its actions as lines of tags: `[ANSWER] 19: The first words`, `[EXPAND] 40: Records`,
`[REFUSE]`. A tag is read with the ids that follow it; the words behind the colon ground an id in its text and are not
read. The rule goes by how good each line is beside the best of all documents.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, share, shorten
from octavo.decisions.select_sections import titles_above
from octavo.models.language import estimate_tokens
from octavo.question import understand
from octavo_documents.text.analyzer import coverages, sentence_spans
from octavo_documents.text.lines import on_one_line

_INDENT = "  "
_TITLE_TOKENS = 60
_FOUND_TOKENS, _FOUND_LINE_TOKENS = 600, 120
"""Of what was found before: all of it, and a line, at most."""
_ROWS = " / "
"""Between the rows of a table in one line."""
_MARK_TOKENS = 8
_MARKS = ("+", "#")
"""Before the title of a heading: one whose content is hidden, and any other."""
_ESCAPE = "\\"
_FREE = "Answer, expand or refuse."
_LEFT = "Headings that can still be opened here: {left}."
_AT_ONCE = "At most {at_once} are opened in one step, others that were named in the next ones."
_PARTS = 'Where text stands under a heading with "+", more of it is hidden: open it to read on.'
_LOOKS = (
    "Whoever answers sees the pictures beside the lines in answer: where something in a figure has to be looked at, "
    "its caption or the text beside it answers."
)
_BOUND = "Refusing is not possible here: answer or expand at least one line."
_TAG_WORDS = 6
"""How many words of its text an id is written with."""
_TAG_CHARACTERS = 60
"""Characters of these words, for scripts without spaces."""
_IDS = r"#?\d+(?:[ \t,]+#?\d+)*"
_TAG = re.compile(rf"[\s*-]*\[(ANSWER|EXPAND|REFUSE)\][ \t]*({_IDS})?[ \t]*", re.IGNORECASE)
_ID = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
_ENOUGH = 0.78
"""A line is strong that has so much of the strength of the best: of all documents, where retrieval was asked."""
_NEAR_BEST = 0.97
"""In a document that has no such line, those are strong that have so much of the strength of its own best."""
_REFUSED = 0.3
"""A document whose best line has less than this is given up."""
_MOST_EXPANDED = 3


@dataclasses.dataclass(frozen=True, slots=True)
class RouteLine:
    """A visible node of a document's structure: a heading, or a block of content under one.

    `id` is the node's number in the whole document, `depth` 0 at the top. `can_expand` is true for a heading that has
    content and none of it visible, or where `Routing.left` is told, not all of it seen. `score` is how good the line is
    for the question by retrieval and by the headings over it, 1.0 for the best of all documents; for a heading that can
    be expanded, the best of what it hides; None where nobody scored. A model does not see it.
    """

    id: int
    depth: int
    is_heading: bool
    text: str
    can_expand: bool
    score: float | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Routing:
    """A question, the name of a document, and its visible lines in document order.

    `can_refuse` is false where the router must answer or expand something. `found` is what was marked before, in any
    document: a line each, with the name of its document; a model sees it, the rule does not. `left` is how many
    headings of the document can still be opened, `at_once` of them in one step, where a model is told that. `looks`
    says whether it is told that whoever answers sees the pictures.
    """

    question: str
    document: str
    lines: tuple[RouteLine, ...]
    can_refuse: bool = True
    found: tuple[str, ...] = ()
    left: int | None = None
    at_once: int = 1
    looks: bool = False


class Actions(BaseModel):
    """The actions of one step: content that answers, headings to open (most promising first), or a refusal."""

    model_config = ConfigDict(json_schema_extra={"required": ["answer", "expand", "refuse", "done"]})

    answer: list[int] = Field(default_factory=list[int])
    expand: list[int] = Field(default_factory=list[int])
    refuse: bool = False
    done: bool = False
    """Whether what was found settles the question; there is no tag for it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Legal:
    """What of some actions can be done: ids in the order they were given, each once.

    `dropped` counts the actions that cannot be. `collapsed` says that nothing is left and nothing was refused.
    """

    answer: tuple[int, ...]
    expand: tuple[int, ...]
    refuse: bool
    dropped: int
    collapsed: bool


def legal(actions: Actions, lines: Sequence[RouteLine]) -> Legal:
    """Return the actions that are legal for these lines.

    A visible content line can answer, and a heading none of whose content is visible can be expanded. Refusing is
    for when there is nothing else to do: beside a legal action it is dropped.
    """
    contents = {line.id for line in lines if not line.is_heading}
    closed = {line.id for line in lines if line.is_heading and line.can_expand}
    named, opened = list(dict.fromkeys(actions.answer)), list(dict.fromkeys(actions.expand))
    answer = tuple(one for one in named if one in contents)
    expand = tuple(one for one in opened if one in closed)
    does_something = bool(answer or expand)
    dropped = len(named) - len(answer) + len(opened) - len(expand) + (actions.refuse and does_something)
    return Legal(
        answer=answer,
        expand=expand,
        refuse=actions.refuse and not does_something,
        dropped=dropped,
        collapsed=not does_something and not actions.refuse,
    )


def _render(value: Routing, room: int) -> Filled:
    """Show the lines that fit.

    Headings that take more than half of the room lose their deepest level, then the next; the longest texts are cut to
    a common length; at last the end goes.
    """
    question, cut = shorten(value.question, room // 4)
    document = shorten(on_one_line(value.document), _TITLE_TOKENS)[0]
    found = _found_before(value.found, value.question, room // 8)
    told = (_PARTS, _LOOKS) if value.left is not None else ()
    space = room - sum(map(estimate_tokens, (question, document, found, _LEFT, _AT_ONCE, _BOUND, *told)))
    lines = _without_deep_headings(value.lines, space // 2)
    shown, shortened = _fitted(lines, space)
    kept, _ = first_that_fit(shown, space)
    left_out = len(value.lines) - len(kept) + shortened + bool(cut)
    values = {
        "document": inert(document),
        "lines": inert("\n".join(kept)),
        "found": found,
        "question": inert(question),
        "ending": _ending(value),
    }
    return Filled(values, left_out=left_out)


def _ending(value: Routing) -> str:
    """Return what is asked last, after how many headings can still be opened where a model is told."""
    asked = _FREE if value.can_refuse else _BOUND
    if value.left is None:
        return asked
    at_once = _AT_ONCE.format(at_once=value.at_once) if value.left > value.at_once else ""
    told = [
        _LEFT.format(left=value.left),
        at_once,
        _PARTS if _has_parts(value.lines) else "",
        _LOOKS if value.looks else "",
    ]
    return " ".join([*filter(None, told), asked])


def _has_parts(lines: Sequence[RouteLine]) -> bool:
    """Return whether some content is visible under a heading that can be opened."""
    return any(above.can_expand and not line.is_heading for above, line in pairwise(lines))


def _found_before(found: Sequence[str], question: str, room: int) -> str:
    """Return what was marked before in its place, as much of it as fits; nothing for nothing."""
    if not found:
        return ""
    texts = [_telling(on_one_line(one), question) for one in found]
    kept, more = first_that_fit([f"- {inert(text)}" for text in texts], min(_FOUND_TOKENS, room))
    told = [*kept, f"(and {more} more)"] if more else kept
    return "\n".join(["<found>", *told, "</found>", ""])


def _telling(text: str, question: str) -> str:
    """Return a line that was found, of a long one its beginning and the rows or sentences that are likest the question.

    What settles a question may stand anywhere in a long table.
    """
    if estimate_tokens(text) <= _FOUND_LINE_TOKENS:
        return text
    rows = text.split(_ROWS) if _ROWS in text else [text[start:stop] for start, stop in sentence_spans(text)]
    shares = coverages(understand(question).terms, rows)
    kept, room = {0}, _FOUND_LINE_TOKENS - estimate_tokens(rows[0]) - _MARK_TOKENS
    for at in sorted(range(1, len(rows)), key=lambda at: -shares[at]):
        size = estimate_tokens(rows[at]) + 1
        if size <= room:
            kept.add(at)
            room -= size
    if len(kept) == 1:
        return on_one_line(shorten(text, _FOUND_LINE_TOKENS)[0])
    words = sum(len(row.split()) for at, row in enumerate(rows) if at not in kept)
    return f"{(_ROWS if _ROWS in text else ' ').join(rows[at] for at in sorted(kept))} [... {words} other words]"


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
    flat, indent = on_one_line(text), _INDENT * line.depth
    if not line.is_heading:
        # Text that begins like a heading's mark is told from one.
        return f"{indent}{line.id}: {_ESCAPE if flat.startswith(_MARKS) else ''}{flat}"
    mark = _MARKS[0] if line.can_expand else _MARKS[1]
    return f"{indent}{line.id}: {mark} {shorten(flat, _TITLE_TOKENS)[0]}"


def _check(value: Routing, output: Actions) -> Actions:
    """Take any ids: what is not legal is dropped, and counted, by who asks. Raises ValueError for a vain refusal."""
    settles = output.done and bool(value.found)
    if not value.can_refuse and not settles and output.refuse and legal(output, value.lines).refuse:
        raise ValueError("refuse: not possible here; give at least one id in answer or expand")
    return output


def to_tags(actions: Actions, lines: Sequence[RouteLine]) -> str:
    """Return the actions, one a line, each id with the first words of its text; `[REFUSE]` where there are none."""
    texts = {line.id: line.text for line in lines}
    said = [f"[ANSWER] {one}: {_prefix(texts.get(one, ''))}" for one in actions.answer]
    said += [f"[EXPAND] {one}: {_prefix(texts.get(one, ''))}" for one in actions.expand]
    return "\n".join(one.rstrip(": ") for one in said) if said else "[REFUSE]"


def tags_of(value: Routing) -> tuple[str, ...]:
    """Return the beginning of every line that a reply in tags may have: one for each legal action."""
    answers = [f"[ANSWER] {line.id}:" for line in value.lines if not line.is_heading]
    expands = [f"[EXPAND] {line.id}:" for line in value.lines if line.is_heading and line.can_expand]
    return (*answers, *expands, *(["[REFUSE]"] if value.can_refuse else []))


def from_tags(text: str) -> Actions | None:
    """Return the actions that tags name, None where there is no tag; a tag in the words of a text is not one.

    What is named first counts: after a refusal there is no more to do, and after an action no refusal.
    """
    found = [tag for line in text.splitlines() for tag in _tags(line)]
    if not found:
        return None
    meant = [(name, ids) for name, ids in found if ids or name == "REFUSE"]
    if meant and meant[0][0] == "REFUSE":
        return Actions(refuse=True)
    answer = [one for name, ids in meant if name == "ANSWER" for one in ids]
    expand = [one for name, ids in meant if name == "EXPAND" for one in ids]
    return Actions(answer=list(dict.fromkeys(answer)), expand=list(dict.fromkeys(expand)))


def _tags(line: str) -> Iterator[tuple[str, list[int]]]:
    """Yield the tags at the head of a line with their ids; what follows a colon is the text of an id."""
    at = 0
    while (tag := _TAG.match(line, at)) is not None:
        yield tag[1].upper(), [int(one) for one in _ID.findall(tag[2] or "")]
        at = tag.end()


def _prefix(text: str) -> str:
    return " ".join(text.split()[:_TAG_WORDS])[:_TAG_CHARACTERS].rstrip()


def route_by_scores(value: Routing) -> Actions:
    """Return what to do: answer with the strong lines, open headings that hide such, else refuse."""
    strengths = _strengths(value)
    usable = [at for at, line in enumerate(value.lines) if line.can_expand or not line.is_heading]
    best = max((strengths[at] for at in usable), default=0.0)
    bound = min(_ENOUGH, _NEAR_BEST * best) if best >= _REFUSED else _ENOUGH
    strong = [at for at in usable if strengths[at] >= bound]
    answer = [value.lines[at].id for at in strong if not value.lines[at].is_heading]
    closed = [at for at in strong if value.lines[at].is_heading]
    closed.sort(key=lambda at: (-strengths[at], at))
    expand = [value.lines[at].id for at in closed[:_MOST_EXPANDED]]
    if answer or expand or value.can_refuse:
        return Actions(answer=answer, expand=expand, refuse=not answer and not expand)
    return _best(value, strengths)


def _best(value: Routing, strengths: Sequence[float]) -> Actions:
    """Return the one best action where the document may not be given up."""
    for at in sorted(range(len(strengths)), key=lambda at: (-strengths[at], at)):
        line = value.lines[at]
        if not line.is_heading:
            return Actions(answer=[line.id])
        if line.can_expand:
            return Actions(expand=[line.id])
    return Actions(refuse=True)


def _strengths(value: Routing) -> list[float]:
    """Return how strong each line is: its score, and where there is none the words it shares with the question.

    Words are those of the line and of the headings above it, beside those of the line that has most of them.
    """
    wanted = understand(value.question).terms
    above = titles_above([(line.depth, line.text, line.is_heading) for line in value.lines])
    texts = [f"{titles}\n{line.text}" for titles, line in zip(above, value.lines, strict=True)]
    shares = coverages(wanted, texts)
    most = max(shares, default=0.0) or 1.0
    return [share / most if line.score is None else line.score for line, share in zip(value.lines, shares, strict=True)]


ROUTE_DOCUMENT: Decision[Routing, Actions] = Decision(
    name="route_document",
    version="4",
    finds=True,
    template=Template.beside(__file__),
    output=Actions,
    render=_render,
    rule=route_by_scores,
    check=_check,
    read=from_tags,
    lines=tags_of,
    max_output_tokens=256,
)
