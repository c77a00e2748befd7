"""How much one page helps to answer a question, with reasons first (MMRAG-DocQA, equation 12 and its prompt)."""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, inert, share
from octavo.models.language import estimate_tokens


@dataclasses.dataclass(frozen=True, slots=True)
class PageRated:
    """A question and a page: all that the page says, and its similarity, -1..1, which only the rule goes by.

    `where` is what the page is called: "page 7", after its document where there are several.
    """

    question: str
    text: str
    similarity: float = 0.0
    where: str = ""


class PageRating(BaseModel):
    """Why, and how much the page helps: 0 not at all, 1 it answers the question."""

    model_config = ConfigDict(json_schema_extra={"required": ["reasoning", "relevance"]})

    reasoning: str = ""
    relevance: float = Field(ge=0.0, le=1.0)


def _render(value: PageRated, room: int) -> Filled:
    """Show the page as a whole; a longer one than there is room for ends with how much is missing."""
    where = inert(value.where)
    (question, page), cut = share([inert(value.question), inert(value.text)], room - estimate_tokens(where))
    return Filled({"question": question, "page": page, "where": where}, left_out=cut)


def _rule(value: PageRated) -> PageRating:
    """Rate by similarity, which keeps the order that the pages have by it."""
    return PageRating(reasoning="", relevance=min(max(value.similarity, 0.0), 1.0))


RATE_PAGE: Decision[PageRated, PageRating] = Decision(
    name="rate_page",
    version="3",
    finds=True,
    template=Template.beside(__file__),
    output=PageRating,
    render=_render,
    rule=_rule,
    max_output_tokens=400,
)
