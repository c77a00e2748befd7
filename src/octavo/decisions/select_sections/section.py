"""A line of an outline, as sections are chosen from it. Knows nothing about documents."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class OutlineLine:
    """A section: `id` is the caller's, `depth` 1 at the top, pages are physical, 1-based, both included.

    `score` is what retrieval gave the section (0..1, higher is better), None where it was not asked.
    """

    id: int
    title: str
    depth: int = 1
    first_page: int = 0
    last_page: int = 0
    score: float | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class SectionsInput:
    """A question and an outline in document order; at most `limit` sections are chosen."""

    question: str
    outline: tuple[OutlineLine, ...]
    limit: int = 5
