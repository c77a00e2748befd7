"""What a tool of the agent is: a name, what it reads, and what one call of it finds.

Owns the shape. Knows no particular tool and nothing about turns.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from octavo.decisions.investigate import ToolCall, ToolName
from octavo.document import Evidence, TraceStep
from octavo.document.columns import Rows
from octavo.operators.core.run import Run


class Refused(ValueError):
    """A call that cannot be carried out; the message says why, in words the agent can act on."""


@dataclasses.dataclass(frozen=True)
class Called:
    """What a call found: evidence with the tool's score column, and the rows to show, best or nearest first.

    `note` is told above the rows, `asked` is what the trace shows of the call, `steps` what ran inside. `rows` are the
    whole result where not all of it is shown.
    """

    evidence: Evidence
    shown: Rows
    note: str = ""
    asked: Any = ""
    steps: tuple[TraceStep, ...] = ()
    rows: Rows | None = None

    @property
    def result(self) -> Rows:
        """All rows that the number of the result stands for."""
        return self.shown if self.rows is None else self.rows


class Tool(ABC):
    """A tool. `column` is the score column its evidence has; the rows of a call may be any of the view."""

    name: ClassVar[ToolName]
    column: ClassVar[str]

    @abstractmethod
    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return what one call finds; `rows` are the blocks it names. Raises Refused."""

    def needs(self) -> frozenset[str]:
        """Return the names of the layers it reads."""
        return frozenset()
