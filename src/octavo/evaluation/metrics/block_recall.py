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
    joined = " ".join(block_texts)
    held = runs(joined)
    found = [_is_held(text, held, joined) for text in evidence_texts]
    return sum(found) / len(found) if found else 1.0


def _is_held(text: str, held: set[tuple[str, ...]], joined: str) -> bool:
    words = tokens(text)
    if len(words) < RUN:
        return bool(words) and tuple(words) in runs(joined, len(words))
    wanted = runs(text)
    return len(wanted & held) >= FOUND * len(wanted)


def runs(text: str, size: int = RUN) -> set[tuple[str, ...]]:
    """Return the runs of `size` words of a text's normal form; a shorter text is one run."""
    words = tokens(text)
    if 0 < len(words) < size:
        return {tuple(words)}
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}
