"""Where in a document map the answer to a question stands, most relevant first (DMAP equation 6, appendix A.1).

`R(s) = A_S(q, M_summary)`: one look at the outline and at the summaries of all pages and elements. The rule takes the
pages, tables and figures that the question names by number, then the pages whose summaries have most of its words.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator

from pydantic import BaseModel

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, shorten
from octavo.models.language import estimate_tokens
from octavo.question import understand
from octavo_documents.text.analyzer import coverages

NOT_MENTIONED = "not mentioned"
_PLACE = re.compile(r"\s*(page|table|figure|fig\.|chart)\s+(?:no\.?\s*|#)?([\w.-]*\w)\s*", re.IGNORECASE)
_SHOWN = ("table", "figure", "chart")
_MOST = 40
_BY_RULE = 4
"""Pages that the rule takes by their words."""
_NEAR = 0.8
"""Share of the best page's words that such a page has at least."""
_OUTLINE_SHARE = 0.4


@dataclasses.dataclass(frozen=True, slots=True)
class PageLine:
    """A page by its number, in one sentence, and what is said of each element on it, "Table 3: Keepers: by tower"."""

    page: int
    summary: str
    elements: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The page with its elements, a line each."""
        return "\n".join((f"Page {self.page}: {self.summary}", *(f"  {one}" for one in self.elements)))


@dataclasses.dataclass(frozen=True, slots=True)
class MapQuestion:
    """A question, the lines of the outline, and the pages; `pages` are all there are, or those that were chosen."""

    question: str
    outline: tuple[str, ...]
    pages: tuple[PageLine, ...]
    last_page: int = 0
    """The highest number of a page there is."""


class Locations(BaseModel):
    """Places in the paper's spelling, "Page 7", "Table 3", "Figure 2"; none where nothing is located."""

    location: list[str]


def place_in(text: str) -> tuple[str, str] | None:
    """Return what a place is and its number, ("table", "3"); None for words that are no place."""
    found = _PLACE.fullmatch(text)
    if not found:
        return None
    what = found[1].lower()
    return ("figure" if what == "fig." else what), found[2]


def _render(value: MapQuestion, room: int) -> Filled:
    """Share the room: the outline gets two fifths at most, the pages what is left; the last ones are left out first."""
    question, cut = shorten(value.question, room // 4)
    left = room - estimate_tokens(question)
    lines, fewer = first_that_fit(value.outline, int(left * _OUTLINE_SHARE))
    left -= sum(estimate_tokens(line) + 1 for line in lines)
    pages, left_out = first_that_fit([one.told for one in value.pages], left)
    return Filled(
        {
            "question": inert(question),
            "outline": inert("\n".join(lines)) or "(none)",
            "pages": inert("\n".join(pages)) or "(none)",
        },
        left_out=bool(cut) + fewer + left_out,
    )


def _check(value: MapQuestion, output: Locations) -> Locations:
    """Keep the places, each once, pages that there are. Raises ValueError where nothing that is said is a place."""
    found = [place for one in output.location if (place := place_in(one)) is not None]
    said = [one for one in output.location if one.strip() and one.strip().lower() != NOT_MENTIONED]
    if said and not found:
        raise ValueError('location: write places as "Page 7", "Table 3" or "Figure 2"')
    kept = [f"{what.title()} {number}" for what, number in found if what != "page" or _is_page(value, number)]
    return Locations(location=list(dict.fromkeys(kept))[:_MOST])


def _is_page(value: MapQuestion, number: str) -> bool:
    return number.isdecimal() and 1 <= int(number) <= value.last_page


def _rule(value: MapQuestion) -> Locations:
    named = dict.fromkeys(_named(value))
    return Locations(location=list(dict.fromkeys([*named, *likely(value)]))[:_MOST])


def _named(value: MapQuestion) -> Iterator[str]:
    """Yield the pages, tables, figures and charts that the question names by number."""
    for one in understand(value.question).references:
        for number in () if one.relation else one.numbers():
            if one.what in _SHOWN:
                yield f"{one.what.title()} {number}"
            elif one.what == "page" and _is_page(value, number):
                yield f"Page {number}"


def likely(value: MapQuestion) -> list[str]:
    """Return up to four pages whose summaries have most of the question's words, best first; none that has none."""
    shares = coverages(understand(value.question).terms, [one.told for one in value.pages])
    best = max(shares, default=0.0)
    order = sorted(range(len(shares)), key=lambda at: (-shares[at], at))
    return [f"Page {value.pages[at].page}" for at in order if shares[at] > 0 and shares[at] >= _NEAR * best][:_BY_RULE]


LOCATE_ON_MAP: Decision[MapQuestion, Locations] = Decision(
    name="locate_on_map",
    version="1",
    finds=True,
    template=Template.beside(__file__),
    output=Locations,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=256,
)
