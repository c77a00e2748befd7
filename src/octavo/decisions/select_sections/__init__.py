"""Which sections of an outline are worth reading for a question, most promising first."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel

from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import first_that_fit, shorten
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.select_sections import rule
from octavo.decisions.select_sections.section import OutlineLine, SectionsInput
from octavo.models.language import estimate_tokens

_TITLE_TOKENS = 60


class SelectedSections(BaseModel):
    """Ids of the caller's sections, most promising first."""

    sections: list[int]


def _render(value: SectionsInput, room: int) -> Filled:
    """Show the outline; one that does not fit loses its deepest level, then the next, and at last its end."""
    question, cut = shorten(value.question, room // 4)
    space = room - estimate_tokens(question)
    shown = list(value.outline)
    while _size(shown) > space and len({line.depth for line in shown}) > 1:
        deepest = max(line.depth for line in shown)
        shown = [line for line in shown if line.depth < deepest]
    lines, _ = first_that_fit([_line(line) for line in shown], space)
    left_out = len(value.outline) - len(lines) + bool(cut)
    return Filled(
        {"question": inert(question), "outline": inert("\n".join(lines)), "limit": str(value.limit)}, left_out=left_out
    )


def _size(lines: Sequence[OutlineLine]) -> int:
    return sum(estimate_tokens(_line(line)) + 1 for line in lines)


def _line(line: OutlineLine) -> str:
    title = shorten(" ".join(line.title.split()), _TITLE_TOKENS)[0]
    last = f"-{line.last_page}" if line.last_page > line.first_page else ""
    pages = f" (page {line.first_page}{last})" if line.first_page else ""
    return f"{'  ' * (line.depth - 1)}[{line.id}] {title}{pages}"


def _rule(value: SectionsInput) -> SelectedSections:
    return SelectedSections(sections=rule.select(value))


def _check(value: SectionsInput, output: SelectedSections) -> SelectedSections:
    """Keep ids of the outline, each once. Raises ValueError when none is left although there are sections."""
    known = {line.id for line in value.outline}
    kept = [one for one in dict.fromkeys(output.sections) if one in known][: value.limit]
    if known and not kept:
        raise ValueError("sections: give at least one number that stands in square brackets in the outline")
    return SelectedSections(sections=kept)


SELECT_SECTIONS: Decision[SectionsInput, SelectedSections] = Decision(
    name="select_sections",
    version="1",
    template=Template.beside(__file__),
    output=SelectedSections,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=96,
)

__all__ = ["SELECT_SECTIONS", "OutlineLine", "SectionsInput", "SelectedSections"]
