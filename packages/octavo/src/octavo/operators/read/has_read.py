"""`has_read`: did a model reply to a question before, so that no rule may overrule it?"""

from __future__ import annotations

from octavo.operators.core import Run


def has_read(using: Run, decision: str = "answer_from_evidence") -> bool:
    """Whether a model has read for this question, by a reader's own decision or as small ones do."""
    return any(map(using.judge.has_replied, (decision, "answer_from_passage")))
