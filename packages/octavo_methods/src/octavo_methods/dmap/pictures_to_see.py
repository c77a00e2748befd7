"""The pictures that an agent of DMAP looks at, and why it looks at none."""

from __future__ import annotations

from collections.abc import Sequence

from octavo.decisions.answer_from_evidence import Seen
from octavo.decisions.answer_from_pictures import ANSWER_FROM_PICTURES
from octavo.decisions.engine import DecisionRecord
from octavo.evidence import View
from octavo.operators.core import Run
from octavo.operators.read.image_evidence import Spot, drawn


def pictures_to_see(view: View, spots: Sequence[Spot], using: Run) -> list[tuple[Spot, Seen]]:
    """Return the pictures of some places; where none can be drawn it is noted why nobody looks."""
    found = drawn(view, spots, using)
    if spots and not found:
        why = "skipped: the pages cannot be drawn: their files have gone or changed"
        using.judge.record(DecisionRecord(ANSWER_FROM_PICTURES.name, "rule", why=why))
    return found
