"""The filters of a global question and what is done with what they leave (BookRAG section 5.2, Figure 12)."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from octavo.decisions.engine import Decision, Template, question_alone
from octavo.question import understand
from octavo_methods.bookrag.decisions.plan_question import page_range

FilterType = Literal["section", "image", "table", "page"]
_Operation = Literal["COUNT", "LIST", "SUMMARIZE", "ANALYZE"]
_MOST = 8
_BY_KIND: dict[str, FilterType] = {"figure": "image", "chart": "image", "table": "table", "heading": "section"}


@dataclasses.dataclass(frozen=True, slots=True)
class FiltersInput:
    """A global question, as typed."""

    question: str


def _plain(value: Any) -> Any:
    return str(value).strip().lower()


def _capitals(value: Any) -> Any:
    return str(value).strip().upper()


def _words(value: Any) -> Any:
    return "" if value is None else str(value).strip()


class Filter(BaseModel):
    """One filter: its type, and for a section its title or number, for pages "5" or "3-10"; "" for all of the type."""

    filter_type: Annotated[FilterType, BeforeValidator(_plain)]
    filter_value: Annotated[str, BeforeValidator(_words)] = ""


class Filters(BaseModel):
    """Filters that are applied one inside the other, and the operation on what is left."""

    model_config = ConfigDict(json_schema_extra={"required": ["filters", "operation"]})

    filters: list[Filter] = Field(default_factory=list[Filter])
    operation: Annotated[_Operation, BeforeValidator(_capitals)]

    @property
    def pages(self) -> tuple[tuple[int, int], ...]:
        """The pages to look through as (first, last), both included."""
        found = (page_range(one.filter_value) for one in self.filters if one.filter_type == "page")
        return tuple(one for one in found if one)

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections to look through, by title or number."""
        return tuple(one.filter_value for one in self.filters if one.filter_type == "section" and one.filter_value)

    @property
    def kinds(self) -> tuple[str, ...]:
        """What is gone through: image, table or section; none for all blocks."""
        kinds = (one.filter_type for one in self.filters if one.filter_type != "page" and not one.filter_value)
        return tuple(dict.fromkeys(kinds))


def _rule(value: FiltersInput) -> Filters:
    question = understand(value.question)
    kinds = dict.fromkeys(_BY_KIND[kind] for kind in question.kinds_gone_through if kind in _BY_KIND)
    filters: list[dict[str, str]] = [
        *({"filter_type": "page", "filter_value": page} for page in question.pages),
        *({"filter_type": "section", "filter_value": section} for section in question.sections),
        *({"filter_type": kind} for kind in kinds),
    ]
    operation = question.operation.value if question.operation else "ANALYZE"
    return Filters.model_validate({"filters": filters[:_MOST], "operation": operation})


def _check(_value: FiltersInput, output: Filters) -> Filters:
    """Drop what says nothing: pages that are none, and values of images and tables, which have none."""
    kept: list[Filter] = []
    for one in output.filters[:_MOST]:
        is_page = one.filter_type == "page"
        if is_page and not page_range(one.filter_value):
            continue
        has_value = is_page or one.filter_type == "section"
        kept.append(one if has_value else one.model_copy(update={"filter_value": ""}))
    return output.model_copy(update={"filters": kept})


PLAN_FILTERS: Decision[FiltersInput, Filters] = Decision(
    name="plan_filters",
    version="1",
    finds=True,
    template=Template.beside(__file__),
    output=Filters,
    render=question_alone,
    rule=_rule,
    check=_check,
    max_output_tokens=200,
)
