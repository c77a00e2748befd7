"""What an operator is: a typed step from one flow value to the next, and how steps compose.

Owns `>>` (then), `|` (both, evidence united) and the trace. Knows no particular operator and no system.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from octavo.document import Answer, Evidence, TraceStep
from octavo.operators.run import Run

In = TypeVar("In")
Out = TypeVar("Out")
Next = TypeVar("Next")


class Operator(ABC, Generic[In, Out]):
    """A step from `In` to `Out`. Operators are frozen dataclasses: they compare by value and print as their plan."""

    @abstractmethod
    def __call__(self, value: In, using: Run) -> Out:
        """Return the value after this step."""

    def needs(self) -> frozenset[str]:
        """Return the names of the layers this step and its parts read."""
        return frozenset()

    def __rshift__(self, then: Operator[Out, Next]) -> Operator[In, Next]:
        """Return the chain: this, then the other on its result."""
        return Then(self, then)

    def __or__(self: Operator[In, Evidence], other: Operator[In, Evidence]) -> Operator[In, Evidence]:
        """Return both on the same value, their evidence united."""
        return Both(self, other)


@dataclasses.dataclass(frozen=True)
class Step(Operator[In, Out]):
    """An operator that does work of its own: it implements `apply` and is traced under its class name."""

    @abstractmethod
    def apply(self, value: In, using: Run) -> Out:
        """Return the value after this step."""

    def __call__(self, value: In, using: Run) -> Out:
        """Apply the step and note in the trace what it took."""
        started = using.clock()
        result = self.apply(value, using)
        parameters = {spec.name: getattr(self, spec.name) for spec in dataclasses.fields(self)}
        using.trace.append(
            TraceStep(
                step=type(self).__name__,
                parameters=parameters,
                rows_in=_rows(value, using),
                rows_out=_rows(result, using),
                seconds=round(using.clock() - started, 6),
            )
        )
        return result


@dataclasses.dataclass(frozen=True, repr=False)
class Then(Operator[In, Out]):
    """Two operators in a row; in the trace only its parts appear."""

    first: Operator[In, Any]
    second: Operator[Any, Out]

    def __call__(self, value: In, using: Run) -> Out:
        """Return the second's result on the first's."""
        return self.second(self.first(value, using), using)

    def needs(self) -> frozenset[str]:
        """Return what either part needs."""
        return self.first.needs() | self.second.needs()

    def __repr__(self) -> str:
        return " >> ".join(
            f"({part!r})" if isinstance(part, Both) else repr(part) for part in (self.first, self.second)
        )


@dataclasses.dataclass(frozen=True, repr=False)
class Both(Operator[In, Evidence]):
    """Two operators on the same value, their evidence united: score columns side by side, nan where one has none."""

    left: Operator[In, Evidence]
    right: Operator[In, Evidence]

    def __call__(self, value: In, using: Run) -> Evidence:
        """Return the rows of either, with the scores of both."""
        return self.left(value, using) | self.right(value, using)

    def needs(self) -> frozenset[str]:
        """Return what either part needs."""
        return self.left.needs() | self.right.needs()

    def __repr__(self) -> str:
        return f"{self.left!r} | {self.right!r}"


def _rows(value: object, using: Run) -> int:
    """Return how many rows a flow value stands for: a question, the whole view; an answer, its citations."""
    if isinstance(value, Answer):
        return len(value.citations)
    return len(value) if isinstance(value, Evidence) else len(using.view)
