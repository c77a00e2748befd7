"""Which claims a response bears out, each by itself: for measuring, never for answering (claim recall of ALCE).

Its rule needs the scorers of evaluation and is handed in by whoever measures.
"""

from __future__ import annotations

import dataclasses

from pydantic import BaseModel, Field

from octavo.decisions.engine import Decision, Filled, Template, inert, share, shorten
from octavo_documents.text.lines import on_one_line


@dataclasses.dataclass(frozen=True, slots=True)
class Claims:
    """A question, claims of a reference answer to it, and the response that is measured."""

    question: str
    claims: tuple[str, ...]
    response: str


class Entailed(BaseModel):
    """The numbers of the claims that follow from the response, from 1."""

    claims: list[int] = Field(default_factory=list[int])


def _render(value: Claims, room: int) -> Filled:
    """Show everything; what is too long is shortened: the response most."""
    question, cut = shorten(value.question, room // 8)
    claims, shortened = share(list(value.claims), room // 4)
    response, cut_response = shorten(value.response, room // 2)
    numbered = "\n".join(f"{number}. {on_one_line(claim)}" for number, claim in enumerate(claims, 1))
    values = {"question": inert(question), "claims": inert(numbered), "response": inert(response)}
    return Filled(values, left_out=bool(cut) + shortened + bool(cut_response))


def _check(value: Claims, output: Entailed) -> Entailed:
    """Keep the numbers of claims that were shown, each once."""
    known = range(1, len(value.claims) + 1)
    return Entailed(claims=[number for number in dict.fromkeys(output.claims) if number in known])


JUDGE_CLAIMS = Decision(
    name="judge_claims",
    version="1",
    template=Template.beside(__file__),
    output=Entailed,
    render=_render,
    check=_check,
    max_output_tokens=100,
)
