"""Block recall: the share of gold blocks among the retrieved ones.

BookRAG appendix A.1.3, equation 20: a gold block that the parser lost counts as not retrieved. Benchmarks give gold
blocks as texts: one is found when at least half of its runs of four words stand in the retrieved blocks.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from octavo.evaluation.metrics import page_recall
from octavo.evaluation.metrics.normal import tokens

RUN = 4
"""Words; long enough that common phrases do not match by chance."""
FOUND = 0.5


def score(evidence_blocks: Collection[str], blocks: Collection[str]) -> float:
    """Return the share of gold block ids that were retrieved, in 0..1."""
    return page_recall.score(evidence_blocks, blocks)


def of_texts(evidence_texts: Sequence[str], block_texts: Sequence[str]) -> float:
    """Return the share of gold texts that the retrieved blocks hold, in 0..1."""
    held = _runs(" ".join(block_texts))
    found = [_is_held(text, held) for text in evidence_texts]
    return sum(found) / len(found) if found else 1.0


def _is_held(text: str, held: set[tuple[str, ...]]) -> bool:
    wanted = _runs(text)
    return len(wanted & held) >= FOUND * len(wanted) if wanted else False


def _runs(text: str) -> set[tuple[str, ...]]:
    words = tokens(text)
    if 0 < len(words) < RUN:
        return {tuple(words)}
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}
