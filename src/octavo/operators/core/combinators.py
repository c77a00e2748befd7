"""Named ways to put operators together beside `>>` and `|`: the first that finds, one for each, one by reach."""

from __future__ import annotations

import dataclasses
from typing import TypeVar

from octavo.document import Evidence, Query, Reach, TraceStep
from octavo.operators.core.base import Operator, rows_of
from octavo.operators.core.run import Run

In = TypeVar("In")
Out = TypeVar("Out")


@dataclasses.dataclass(frozen=True)
class FirstFound(Operator[In, Evidence]):
    """The first of several operators that finds anything (BookRAG equation 9); the last one's result if none does."""

    options: tuple[Operator[In, Evidence], ...]

    def __post_init__(self) -> None:
        if not self.options:
            raise ValueError("FirstFound takes one operator or more")

    def __call__(self, value: In, using: Run) -> Evidence:
        """Return the first evidence that has a row."""
        for option in self.options[:-1]:
            found = option(value, using)
            if len(found):
                return found
        return self.options[-1](value, using)

    def needs(self) -> frozenset[str]:
        """Return what any of them needs."""
        return frozenset[str]().union(*(option.needs() for option in self.options))


@dataclasses.dataclass(frozen=True)
class ForEach(Operator[tuple[Query, ...], tuple[Out, ...]]):
    """An operator on each of several questions (BookRAG equation 11); at once where a model is asked.

    In the trace each question is a step with the steps of its own inside.
    """

    step: Operator[Query, Out]

    def __call__(self, value: tuple[Query, ...], using: Run) -> tuple[Out, ...]:
        """Return the result for each question, in order."""
        found = using.judge.map(lambda query: self._one(query, using.branch(query)), value)
        for branch, done, _ in found:
            using.join(branch)
            using.note(done)
        return tuple(result for _, _, result in found)

    def _one(self, query: Query, branch: Run) -> tuple[Run, TraceStep, Out]:
        started = branch.clock()
        result = self.step(query, branch)
        usage = branch.judge.usage()
        done = TraceStep(
            step="ForEach",
            parameters={"question": query.question},
            rows_in=len(branch.view),
            rows_out=rows_of(result, branch),
            seconds=round(branch.clock() - started, 6),
            steps=tuple(branch.trace),
        ).taking(usage)
        return branch, done, result

    def needs(self) -> frozenset[str]:
        """Return what the step needs."""
        return self.step.needs()


@dataclasses.dataclass(frozen=True)
class ByReach(Operator[Query, Out]):
    """One of three operators, by how far the question reaches (BookRAG section 5.1); unplanned ones are single-hop."""

    single: Operator[Query, Out]
    multi: Operator[Query, Out]
    whole: Operator[Query, Out]

    def __call__(self, value: Query, using: Run) -> Out:
        """Return the result of the operator for the question's reach."""
        by_reach = {Reach.MULTI: self.multi, Reach.GLOBAL: self.whole}
        chosen = by_reach.get(value.reach, self.single) if value.reach else self.single
        return chosen(value, using)

    def needs(self) -> frozenset[str]:
        """Return what any of the three needs."""
        return self.single.needs() | self.multi.needs() | self.whole.needs()
