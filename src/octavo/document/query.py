"""A query: a question, and the plan that was decided for it."""

from __future__ import annotations

import dataclasses
import enum

from octavo.document.blocks import Kind


class AnswerFormat(enum.Enum):
    """The type of a final answer, as in MMLongBench-Doc and MMRAG-DocQA."""

    STR = "Str"
    INT = "Int"
    FLOAT = "Float"
    LIST = "List"
    NONE = "None"


class Reach(enum.Enum):
    """How much of a document a question needs: one place, several places, or all items of a kind (BookRAG 5.1)."""

    SINGLE = "single-hop"
    MULTI = "multi-hop"
    GLOBAL = "global"


class Operation(enum.Enum):
    """What a global question does with its items."""

    COUNT = "COUNT"
    LIST = "LIST"
    SUMMARIZE = "SUMMARIZE"
    ANALYZE = "ANALYZE"


@dataclasses.dataclass(frozen=True)
class Query:
    """A question. `limit` is the number of pages for fixed-size retrievers, a cap for those that choose their size.

    What its words say is told by `octavo.question.understand`. Here is what a planner decided: its `reach`;
    `sub_questions`, each found by its own words, and the `synthesis` questions that put their answers together; the
    `entities` it is about and, once they are looked up, the rows of the view's graph they are `linked` to; and the
    filters of a global question, where empty means any: `kinds` of blocks, `pages` as (first, last) both included and
    numbered as in the question, `sections` by title or number, the `topic` an item must have, and the `operation` on
    the items that are left. `part_of` is the whole question of which this is a sub-question, "" for none.
    """

    question: str
    limit: int = 10
    reach: Reach | None = None
    sub_questions: tuple[str, ...] = ()
    synthesis: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    linked: tuple[int, ...] = ()
    kinds: tuple[Kind, ...] = ()
    pages: tuple[tuple[int, int], ...] = ()
    sections: tuple[str, ...] = ()
    topic: str = ""
    operation: Operation | None = None
    part_of: str = ""
