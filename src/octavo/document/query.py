"""A query: the question and what has been understood of it.

Owns the words for reach and answer format. Knows nothing about how a question is understood.
"""

from __future__ import annotations

import dataclasses
import enum


class AnswerFormat(enum.Enum):
    """The type of a final answer, as in MMLongBench-Doc and MMRAG-DocQA."""

    STR = "Str"
    INT = "Int"
    FLOAT = "Float"
    LIST = "List"
    NONE = "None"


@dataclasses.dataclass(frozen=True)
class Query:
    """A question. `limit` is the number of pages for fixed-size retrievers, a cap for those that choose their size."""

    question: str
    limit: int = 10
    format: AnswerFormat | None = None
    sub_questions: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
