"""What one cluster of texts says, in a call of its own (MMRAG-DocQA, equation 8).

The rule takes the sentences nearest to the centre of the whole, as it does for other parts of a document.
"""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, Field, field_validator

from octavo.decisions.engine import Decision, Filled, Template, inert, share
from octavo.decisions.summarize import central_summary
from octavo_documents.text.lines import on_one_line

_LONGEST = 2_000
"""Characters; a longer one is no summary."""


@dataclasses.dataclass(frozen=True, slots=True)
class ClusterText:
    """The texts of a cluster's members, in their order."""

    texts: tuple[str, ...]


class ClusterSummary(BaseModel):
    """One paragraph."""

    summary: str = Field(min_length=1, max_length=4 * _LONGEST)

    @field_validator("summary")
    @classmethod
    def _one_paragraph(cls, value: str) -> str:
        text = on_one_line(value)[:_LONGEST]
        if not text:
            raise ValueError('"summary" is empty.')
        return text


def _render(value: ClusterText, room: int) -> Filled:
    """Show every text, the long ones shortened to a fair share where they do not fit."""
    texts, cut = share([f"- {inert(text)}" for text in value.texts], room)
    return Filled({"texts": "\n".join(texts)}, left_out=cut)


def _rule(value: ClusterText) -> ClusterSummary:
    return ClusterSummary(summary=central_summary("", "\n".join(value.texts)) or "texts")


SUMMARIZE_CLUSTER: Decision[ClusterText, ClusterSummary] = Decision(
    name="summarize_cluster",
    version="1",
    template=Template.beside(__file__),
    output=ClusterSummary,
    render=_render,
    rule=_rule,
    max_output_tokens=400,
)
