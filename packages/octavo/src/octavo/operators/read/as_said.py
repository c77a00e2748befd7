"""Reading as published systems do: a model is shown what was found and nothing else, and its reply stands as said.

`VerbatimReader` and the readers of published plans use it. What Octavo's own readers weigh stands in `answering`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from octavo.decisions.answer_from_evidence import ABOUT, ANSWER_FROM_EVIDENCE, EvidenceReply, Seen, Shown
from octavo.decisions.engine import Decided
from octavo.evidence import Answer, Citation, Evidence
from octavo.operators.core import Run
from octavo.operators.read.answering import citations_of, known_in_part, refused, stated, without_reply
from octavo.operators.read.has_read import has_read
from octavo.operators.read.image_evidence import Spot
from octavo.operators.read.material import Material
from octavo.operators.read.packing import Packed


def shown_alone(evidence: Evidence, packed: Sequence[Packed], looked_at: Sequence[tuple[Spot, Seen]] = ()) -> Material:
    """Return passages and pictures as what a model is shown, without lines about the documents."""
    return Material(evidence, tuple(packed), Packed(Shown(ABOUT, "", ""), (), 0.0), looked_at=tuple(looked_at))


def read_as_said(
    material: Material,
    using: Run,
    decide: Callable[[], Decided[EvidenceReply]],
    otherwise: Callable[[], Answer],
    decision: str = ANSWER_FROM_EVIDENCE.name,
) -> Answer:
    """Return what a model replies to what it is shown; `otherwise` answers where none has replied to the question.

    `decide` asks the decision of that name.
    """
    material.announce(using)
    has_replied, question = has_read(using, decision), using.query.question
    decided = decide()
    if decided.by == "rule":
        return without_reply(material, decided, question, otherwise, has_replied=has_replied)
    material.note_read(using, decided.left_out)
    return answer_as_said(material, decided.output, question)


def answer_as_said(material: Material, reply: EvidenceReply, question: str) -> Answer:
    """Return a model's reply as it stands: nothing in it is weighed.

    Quotes are still looked for in what was shown; a passage that a reply names and does not quote is cited by its
    place alone.
    """
    if not reply.answerable:
        return (known_in_part if reply.answer.strip() else refused)(material, reply, question)
    view, named = material.evidence.view, material.named(reply.evidence)
    cited = citations_of(material, reply, question) or tuple(
        Citation.at(view, one.rows[0]) for one in named if one.rows
    )
    return stated(material, reply, question, cited)
