"""Which sections of an outline are worth reading for a question, most promising first.

The rule goes by the words their titles share with the question, those of the titles above counting less, and by scores.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from pydantic import BaseModel

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, shorten
from octavo.models.language import estimate_tokens
from octavo.question import understand
from octavo_documents.text.analyzer import analyze, coverages
from octavo_documents.text.lines import on_one_line

_TITLE_TOKENS = 60
_ABOVE = 0.3
"""What the titles above a section count for."""
_NAMED = 2.0
"""What a section the question names outright is worth: more than any overlap."""


@dataclasses.dataclass(frozen=True, slots=True)
class OutlineLine:
    """A section: `id` is the caller's, `depth` 1 at the top, pages are physical, 1-based, both included.

    `score` is what retrieval gave the section (0..1, higher is better), None where it was not asked.
    """

    id: int
    title: str
    depth: int = 1
    first_page: int = 0
    last_page: int = 0
    score: float | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class SectionsInput:
    """A question and an outline in document order; at most `limit` sections are chosen."""

    question: str
    outline: tuple[OutlineLine, ...]
    limit: int = 5


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
    title = shorten(on_one_line(line.title), _TITLE_TOKENS)[0]
    last = f"-{line.last_page}" if line.last_page > line.first_page else ""
    pages = f" (page {line.first_page}{last})" if line.first_page else ""
    return f"{'  ' * (line.depth - 1)}[{line.id}] {title}{pages}"


def _check(value: SectionsInput, output: SelectedSections) -> SelectedSections:
    """Keep ids of the outline, each once. Raises ValueError when none is left although there are sections."""
    known = {line.id for line in value.outline}
    kept = [one for one in dict.fromkeys(output.sections) if one in known][: value.limit]
    if known and not kept:
        raise ValueError("sections: give at least one number that stands in square brackets in the outline")
    return SelectedSections(sections=kept)


def _rule(value: SectionsInput) -> SelectedSections:
    """Choose the most promising; where nothing speaks for any, the first ones of the highest level."""
    scores = _promise(value)
    ranked = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    chosen = [value.outline[at].id for at in ranked if scores[at] > 0][: value.limit]
    if chosen or not value.outline:
        return SelectedSections(sections=chosen)
    top = min(line.depth for line in value.outline)
    return SelectedSections(sections=[line.id for line in value.outline if line.depth == top][: value.limit])


def _promise(value: SectionsInput) -> list[float]:
    """Return how promising each section is, 0 for not at all."""
    wanted = understand(value.question).terms
    own = coverages(wanted, [line.title for line in value.outline])
    above = coverages(wanted, titles_above([(line.depth, line.title, True) for line in value.outline]))
    named = _named(value)
    return [
        max(own[at], 0.0) + _ABOVE * above[at] + (line.score or 0.0) + (_NAMED if at in named else 0.0)
        for at, line in enumerate(value.outline)
    ]


def titles_above(lines: Sequence[tuple[int, str, bool]]) -> list[str]:
    """Return the titles above each line, outermost first, as one text; lines are (depth, text, is a heading)."""
    open_headings: list[tuple[int, str]] = []
    above: list[str] = []
    for depth, text, is_heading in lines:
        while open_headings and open_headings[-1][0] >= depth:
            open_headings.pop()
        above.append(" > ".join(title for _, title in open_headings))
        if is_heading:
            open_headings.append((depth, text))
    return above


def _named(value: SectionsInput) -> set[int]:
    """Return the positions of sections that the question names by number or title."""
    named = [one for one in understand(value.question).references if one.what in ("section", "chapter", "appendix")]
    numbers = {number for one in named for number in one.numbers()}
    titles = [set(analyze(one.title)) for one in named if one.title]
    return {
        at
        for at, line in enumerate(value.outline)
        if _number_of(line.title) & numbers or any(title and title <= set(analyze(line.title)) for title in titles)
    }


def _number_of(title: str) -> set[str]:
    """Return the number a title opens with, "Chapter 3" and "3.1 Results" alike."""
    words = title.lower().split()
    if words and words[0] in ("section", "chapter", "appendix", "annex"):
        words = words[1:]
    return {words[0].rstrip(".:)")} if words else set()


SELECT_SECTIONS: Decision[SectionsInput, SelectedSections] = Decision(
    name="select_sections",
    version="2",
    finds=True,
    template=Template.beside(__file__),
    output=SelectedSections,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=96,
)
