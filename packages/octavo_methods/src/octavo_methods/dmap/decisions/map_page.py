"""The outline of a document with one page more, and that page in a sentence (DMAP equation 5, appendix A.2).

The document map grows page by page: what is known so far, the page before and the page itself give the next outline,
`S_i = A(S_(i-1), P_i, P_(i-1))`. The rule goes by headings: each opens a section with the next number of its level, and
what stands before the first one goes on with the section that was open.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, share
from octavo.decisions.summarize import in_one_sentence
from octavo.models.language import Picture
from octavo_documents.text.lines import on_one_line
from octavo_methods.dmap.grown_map import MapSection

NO_CONTENT = "no content"
"""What is said of an empty page."""
_LINE = re.compile(r"\s*(\d+(?:\.\d+)*)\.?\s*:\s*(.*?)\s*<\s*-?\s*>\s*([\d\s,]*)")
_LONGEST_TITLE, _LONGEST_SUMMARY = 200, 500
"""Characters."""
_OUTLINE_SHARE, _BEFORE_SHARE = 0.4, 0.2
_DEEPEST = 9


@dataclasses.dataclass(frozen=True, slots=True)
class PageBlock:
    """A block: its number as the model sees it, its kind, what it says; a heading's depth is 1 at the top, else 0."""

    id: int
    kind: str
    text: str
    depth: int = 0
    is_element: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class PageShown:
    """A page (1-based) with its blocks in reading order, and its picture where somebody sees."""

    number: int
    blocks: tuple[PageBlock, ...]
    picture: Picture | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class PageToMap:
    """The outline so far, the page that comes next, and the page before it; None for the first."""

    outline: tuple[MapSection, ...]
    page: PageShown
    before: PageShown | None = None


class ElementSaid(BaseModel):
    """One sentence on the element of a number."""

    id: int
    summary: str = ""


class MappedPage(BaseModel):
    """The whole outline with the page in it, the page in a sentence, and its elements."""

    model_config = ConfigDict(json_schema_extra={"required": ["outline", "summary", "elements"]})

    outline: list[str]
    summary: str = ""
    elements: list[ElementSaid] = Field(default_factory=list[ElementSaid])

    @property
    def sections(self) -> tuple[MapSection, ...]:
        """The sections that the lines of the outline give."""
        return sections_of(self.outline)


def line_of(section: MapSection) -> str:
    """Return a section as a line: "2.1: Fees <-> 5, 6"."""
    return f"{section.number}: {section.title} <-> {', '.join(map(str, section.pages))}"


def sections_of(lines: Iterable[str]) -> tuple[MapSection, ...]:
    """Return the sections of the lines that are of the form, the first of each number, in order of their numbers."""
    found: dict[str, MapSection] = {}
    for line in lines:
        match = _LINE.match(line)
        pages = sorted({int(page) for page in re.findall(r"\d+", match[3])}) if match else []
        if match and pages and match[1].count(".") < _DEEPEST:
            number = ".".join(str(int(part)) for part in match[1].split("."))
            title = on_one_line(match[2])[:_LONGEST_TITLE]
            found.setdefault(number, MapSection(number, title, tuple(pages)))
    return tuple(sorted(found.values(), key=lambda one: one.path))


def _render(value: PageToMap, room: int) -> Filled:
    """Share the room: two fifths for the outline, its last lines first; a fifth for the page before; the rest."""
    lines, fewer = first_that_fit([line_of(one) for one in reversed(value.outline)], int(room * _OUTLINE_SHARE))
    before, cut_before = _shown(value.before, int(room * _BEFORE_SHARE))
    page, cut = _shown(value.page, int(room * (1 - _OUTLINE_SHARE - _BEFORE_SHARE)))
    pictures = (value.page.picture, value.before.picture if value.before else None)
    return Filled(
        {
            "outline": inert("\n".join(reversed(lines))) or "(none yet)",
            "before": before,
            "before_number": str(value.before.number) if value.before else "none",
            "page": page,
            "number": str(value.page.number),
        },
        pictures=tuple(one for one in pictures if one is not None),
        left_out=fewer + cut_before + cut,
    )


def _shown(page: PageShown | None, room: int) -> tuple[str, int]:
    blocks = page.blocks if page else ()
    texts, cut = share([block.text for block in blocks], max(64, room - 8 * len(blocks)))
    told = (_told(block, text) for block, text in zip(blocks, texts, strict=True))
    return "\n".join(told) or "(nothing)", cut


def _told(block: PageBlock, text: str) -> str:
    said = inert(on_one_line(text))
    if block.is_element:
        return f"[{block.id}] ({block.kind}) {said}"
    return f"({block.kind}) {said}" if block.depth else said


def _check(value: PageToMap, output: MappedPage) -> MappedPage:
    """Bring an outline in order, and keep of the earlier one what would be lost.

    Pages are those read so far, and count for all sections above. A section that is left out stays while one of its
    pages is in no section: what was cut for want of room is not lost. Raises ValueError for lines of another form.
    """
    said = sections_of(output.outline)
    if output.outline and not said:
        raise ValueError('outline: write each line as "2.1: Title <-> 5, 6"')
    known = [kept for one in said if (kept := _read_so_far(one, value.page.number)) is not None]
    numbers, covered = {one.number for one in known}, {page for one in known for page in one.pages}
    known += [one for one in value.outline if one.number not in numbers and not covered.issuperset(one.pages)]
    elements = {block.id for block in value.page.blocks if block.is_element}
    told = {one.id: ElementSaid(id=one.id, summary=_short(one.summary)) for one in output.elements}
    return MappedPage(
        outline=[line_of(one) for one in with_those_above(known)],
        summary=_short(output.summary) or NO_CONTENT,
        elements=[one for at, one in told.items() if at in elements and one.summary],
    )


def _read_so_far(section: MapSection, page: int) -> MapSection | None:
    pages = tuple(one for one in section.pages if 1 <= one <= page)
    return dataclasses.replace(section, pages=pages) if pages else None


def _short(text: str) -> str:
    return on_one_line(text)[:_LONGEST_SUMMARY]


def with_those_above(sections: Iterable[MapSection]) -> list[MapSection]:
    """Return sections in order of their numbers; the pages of each belong to all sections above it as well."""
    ordered = sorted(sections, key=lambda one: one.path)
    pages = {one.path: set(one.pages) for one in ordered}
    for one in ordered:
        for depth in range(1, len(one.path)):
            pages.get(one.path[:depth], set[int]()).update(one.pages)
    return [dataclasses.replace(one, pages=tuple(sorted(pages[one.path]))) for one in ordered]


def _rule(value: PageToMap) -> MappedPage:
    """Open a section for each heading; what stands before the first goes on with the section that was open."""
    outline = list(value.outline)
    number = value.page.number
    first = next((block for block in value.page.blocks if block.text.strip() or block.is_element), None)
    if outline and first is not None and not first.depth:
        outline[-1] = dataclasses.replace(outline[-1], pages=tuple(sorted({*outline[-1].pages, number})))
    for block in value.page.blocks:
        if block.depth:
            opened = next_number(outline[-1].path if outline else (), block.depth)
            title = on_one_line(block.text)[:_LONGEST_TITLE]
            outline.append(MapSection(".".join(map(str, opened)), title, (number,)))
    text = "\n".join(_ended(block.text.strip()) for block in value.page.blocks if block.text.strip())
    said = [
        ElementSaid(id=block.id, summary=_short(in_one_sentence(block.text)))
        for block in value.page.blocks
        if block.is_element and block.text.strip()
    ]
    lines = [line_of(one) for one in with_those_above(outline)]
    return MappedPage(outline=lines, summary=_short(in_one_sentence(text)) or NO_CONTENT, elements=said)


def _ended(text: str) -> str:
    """Return a text that ends like a sentence, so that it does not run into the next block."""
    return text if text.endswith((".", "!", "?", ":", ";")) else f"{text}."


def next_number(last: Sequence[int], depth: int) -> tuple[int, ...]:
    """Return the number of a section of a depth that follows the section `last`; one level deeper at most."""
    at = min(max(depth, 1), len(last) + 1, _DEEPEST)
    return (*last[:at], 1) if at > len(last) else (*last[: at - 1], last[at - 1] + 1)


MAP_PAGE: Decision[PageToMap, MappedPage] = Decision(
    name="map_page",
    version="1",
    template=Template.beside(__file__),
    output=MappedPage,
    render=_render,
    rule=_rule,
    check=_check,
    role="vision",
    max_output_tokens=4096,
)
