"""What was found of the gold: pages, documents, blocks, and answers in the text of retrieved passages."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TypeVar

from octavo_lab.metrics.overlap import aliases, includes, tokens

Id = TypeVar("Id", bound=Hashable)

RUN = 4
"""Words of a run; long enough that common phrases do not match by chance."""
FOUND = 0.5
"""Share of a text's runs of words that have to be met."""


def perfect(wanted: Collection[Hashable], found: Collection[Hashable]) -> float:
    """Return 1.0 when everything wanted was found, else 0.0: perfect recall (LAD-RAG, 2025, section 3.3)."""
    return float(set(wanted) <= set(found))


def recall(wanted: Collection[Hashable], found: Collection[Hashable]) -> float:
    """Return the share of what is wanted that was found, in 0..1; 1.0 where there is nothing to find.

    Of blocks it is BookRAG's block recall (appendix A.1.3, equation 20): one that the parser lost counts as not found.
    """
    gold = set(wanted)
    return len(gold & set(found)) / len(gold) if gold else 1.0


def irrelevant(wanted: Collection[Hashable], found: Collection[Hashable]) -> float:
    """Return the share of what was found that is not gold, lower is better; 0.0 where nothing was found.

    Of pages it is the irrelevant pages ratio (LAD-RAG, section 3.3).
    """
    given = set(found)
    return len(given - set(wanted)) / len(given) if given else 0.0


def alternatives_found(wanted: Iterable[frozenset[Id]], found: Collection[Id]) -> list[bool]:
    """Return for each thing looked for whether one of those that will do for it was found."""
    given = frozenset(found)
    return [not given.isdisjoint(alternatives) for alternatives in wanted]


def alternatives_recall(wanted: Iterable[frozenset[Id]], found: Collection[Id]) -> float | None:
    """Return the share of gold that was found, in 0..1; None without gold."""
    hits = alternatives_found(wanted, found)
    return sum(hits) / len(hits) if hits else None


def alternatives_perfect(wanted: Iterable[frozenset[Id]], found: Collection[Id]) -> float | None:
    """Return 1.0 when all gold was found, else 0.0; None without gold."""
    hits = alternatives_found(wanted, found)
    return float(all(hits)) if hits else None


def text_recall(evidence: Sequence[str], texts: Sequence[str]) -> float:
    """Return the share of gold texts that retrieved texts hold, in 0..1: at least half of their runs of four words."""
    joined = " ".join(texts)
    held = runs(joined)
    found = [_is_held(text, held, joined) for text in evidence]
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


def passage_score(answer: object, passages: Sequence[str]) -> float:
    """Return the mean over the short answers of one over the rank of the first passage that holds one, in 0..1.

    After RDR2 (Xu et al., 2025), section 4.4 and appendix B.2, whose "inverse information rank score" rewards correct
    information the more the earlier it stands. Figures are comparable between systems here, not with the paper's.
    """
    ranks = [_first_rank(group, passages) for group in aliases(answer)]
    return sum(1 / rank for rank in ranks if rank) / len(ranks) if ranks else 0.0


def _first_rank(group: Sequence[str], passages: Sequence[str]) -> int:
    """Return the 1-based rank of the first passage with an alias, 0 when none has one."""
    ranks = (rank for rank, passage in enumerate(passages, start=1) if any(includes(passage, name) for name in group))
    return next(ranks, 0)
