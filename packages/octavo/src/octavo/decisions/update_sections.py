"""Which sections are open once a page was read: the first part of the running memory (LAD-RAG section 2.1, figure 10).

The rule goes by the levels of headings: a heading ends every open section of its level or deeper.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert
from octavo.decisions.extract_nodes import REPLY_TOKENS
from octavo_documents.text.lines import on_one_line

_MOST_OPEN = 12
_LONGEST = 160
_QUEUE_SHARE = 0.4
_ID = re.compile(r"\s*\[?p?(\d{1,7})\s*-\s*(\d{1,5})\]?\s*", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True)
class SectionName:
    """A section by the id of the node it begins with, "p3-2" for the second of page 3; its words and level."""

    id: str
    text: str
    level: int = 1


@dataclasses.dataclass(frozen=True, slots=True)
class SectionsRead:
    """The sections open before a page, outermost first, and the titles and headings on it, in order."""

    open: tuple[SectionName, ...]
    found: tuple[SectionName, ...]


def node_id(page: int, number: int) -> str:
    """Return the id of a node: its page and its number there, both from 1."""
    return f"p{page}-{number}"


def read_id(value: object) -> str:
    """Return an id as it is written here for the ways a model writes it; the text itself where it is none."""
    found = _ID.fullmatch(str(value))
    return node_id(int(found[1]), int(found[2])) if found else str(value)


def place_of_id(text: str) -> tuple[int, int]:
    """Return (page, number) of an id; (0, 0) of what is none."""
    found = _ID.fullmatch(text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _ids(value: Any) -> Any:
    """Take objects with an id for their ids."""
    if not isinstance(value, list):
        return value
    listed: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
    return [read_id(one.get("id", "") if isinstance(one, dict) else one) for one in listed]  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]


class OpenSections(BaseModel):
    """The ids of the sections that are open after the page, outermost first."""

    sections: Annotated[list[str], BeforeValidator(_ids), Field(max_length=100)]


def _render(value: SectionsRead, room: int) -> Filled:
    opened, _ = first_that_fit(_lines(value.open), int(room * _QUEUE_SHARE))
    found, cut = first_that_fit(_lines(value.found), int(room * (1 - _QUEUE_SHARE)))
    return Filled({"open": "\n".join(opened) or "(none yet)", "found": "\n".join(found)}, left_out=cut)


def _lines(sections: tuple[SectionName, ...]) -> list[str]:
    return [f"[{one.id}] {inert(on_one_line(one.text)[:_LONGEST])}" for one in sections]


def _check(value: SectionsRead, output: OpenSections) -> OpenSections:
    """Drop what was not shown; raise ValueError where a section would stand before the one it is inside of."""
    known = {one.id for one in (*value.open, *value.found)}
    kept = list(dict.fromkeys(one for one in output.sections if one in known))
    if output.sections and not kept:
        raise ValueError("sections: use the ids in brackets")
    if any(place_of_id(inner) < place_of_id(outer) for outer, inner in itertools.pairwise(kept)):
        raise ValueError("sections: outermost first; a section begins after the one that it is inside of")
    return OpenSections(sections=kept[-_MOST_OPEN:])


def _rule(value: SectionsRead) -> OpenSections:
    opened = list(value.open)
    for one in value.found:
        opened = [*under(opened, one.level), one]
    return OpenSections(sections=[one.id for one in opened[-_MOST_OPEN:]])


def under(opened: list[SectionName], level: int) -> list[SectionName]:
    """Return the open sections that a heading of a level stands in."""
    at = next((at for at, one in enumerate(opened) if one.level >= level), len(opened))
    return opened[:at]


UPDATE_SECTIONS: Decision[SectionsRead, OpenSections] = Decision(
    name="update_sections",
    version="1",
    template=Template.beside(__file__),
    output=OpenSections,
    render=_render,
    rule=_rule,
    check=_check,
    role="vision",
    max_output_tokens=REPLY_TOKENS,
)
