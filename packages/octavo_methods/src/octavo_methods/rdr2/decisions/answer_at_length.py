"""Answer a question in a paragraph from numbered passages: what long-form questions ask for, as ASQA and ELI5 do.

Their reference answers have 65 and 131 words on average (RDR2 section 4.1). The prompt is ours.
"""

from __future__ import annotations

import dataclasses

from octavo.decisions.answer_from_evidence import EvidenceReply, Reading, check, render
from octavo.decisions.engine import Decision, Filled, Template

AMBIGUOUS_WORDS, EXPLAINING_WORDS = 65, 131
"""Words of an answer to a question that has several, and of one that explains something in depth."""


@dataclasses.dataclass(frozen=True, slots=True)
class LongReading(Reading):
    """A question and its passages, and about how many words the answer is to have."""

    words: int = EXPLAINING_WORDS


def _render(value: LongReading, room: int) -> Filled:
    """Show the passages that fit, in their order; the others are counted as left out."""
    shown = render(value, room)
    return dataclasses.replace(shown, values={**shown.values, "words": str(value.words)})


ANSWER_AT_LENGTH: Decision[LongReading, EvidenceReply] = Decision(
    name="answer_at_length",
    version="1",
    template=Template.beside(__file__),
    output=EvidenceReply,
    render=_render,
    check=check,
    max_output_tokens=900,
)
