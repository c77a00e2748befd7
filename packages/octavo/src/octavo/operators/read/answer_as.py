"""Fixing the type of an answer before anything else is done, for readers that ask by type."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from octavo.errors import UsageError
from octavo.evidence import AnswerFormat, Query
from octavo.operators.columns import Columns
from octavo.operators.core import QueryStep, Run
from octavo.operators.sentence_forms import Sentence, silent


@dataclasses.dataclass(frozen=True)
class AnswerAs(QueryStep):
    """Fix the type of the answer: "Str", "Int", "Float", "List" or "None"."""

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = silent

    form: str

    def __post_init__(self) -> None:
        known = [form.value for form in AnswerFormat]
        if self.form not in known:
            raise UsageError(f"There is no answer type {self.form!r}: choose one of {', '.join(known)}")

    def apply(self, value: Query, using: Run) -> Query:
        """Return the query with the type."""
        return dataclasses.replace(value, answer_format=AnswerFormat(self.form))
