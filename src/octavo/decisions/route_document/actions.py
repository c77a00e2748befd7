"""What a router may do with a document, and which of what it said can be done.

Owns the typed output and its legality (RDR2 section 3.3). Knows nothing about prompts or how content is shown.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.route_document.lines import RouteLine


class Actions(BaseModel):
    """The actions of one step: content that answers, headings to open (most promising first), or a refusal."""

    model_config = ConfigDict(json_schema_extra={"required": ["answer", "expand", "refuse"]})

    answer: list[int] = Field(default_factory=list[int])
    expand: list[int] = Field(default_factory=list[int])
    refuse: bool = False


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
