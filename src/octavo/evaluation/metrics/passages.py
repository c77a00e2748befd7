"""How good routed passages are: string EM and hit, length, and a score that decays with rank.

RDR2 (Xu et al., 2025), section 4.4 and appendix B.2. The paper's "inverse information rank score" rewards correct
information the more the earlier it stands; here it is the mean over the short answers of one over the rank of the
first passage that holds one. Figures are comparable between systems here, not with the paper's.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.evaluation.metrics import string_match
from octavo.evaluation.metrics.inclusion import includes
from octavo.models.language import estimate_tokens


def score(answer: object, passages: Sequence[str], answer_format: str = "") -> float:
    """Return the rank-decayed score in 0..1; `passages` are texts, best first."""
    del answer_format
    groups = string_match.aliases(answer)
    ranks = [_first_rank(group, passages) for group in groups]
    return sum(1 / rank for rank in ranks if rank) / len(ranks) if ranks else 0.0


def string_em(answer: object, passages: Sequence[str]) -> float:
    """Return the share of short answers that stand in any passage."""
    return string_match.score(answer, "\n".join(passages))


def string_hit(answer: object, passages: Sequence[str]) -> float:
    """Return 1.0 when every short answer stands in some passage."""
    return string_match.hit(answer, "\n".join(passages))


def length(passages: Sequence[str]) -> float:
    """Return the words of all passages together."""
    return float(sum(len(passage.split()) for passage in passages))


def tokens(passages: Sequence[str]) -> float:
    """Return about how many tokens all passages have together, as prompts are estimated."""
    return float(sum(map(estimate_tokens, passages)))


def _first_rank(group: Sequence[str], passages: Sequence[str]) -> int:
    """Return the 1-based rank of the first passage with an alias, 0 when none has one."""
    for rank, passage in enumerate(passages, start=1):
        if any(includes(passage, name) for name in group):
            return rank
    return 0
