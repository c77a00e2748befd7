"""The columns of evidence that steps read and write, followed through a plan when it is put together.

A column that is read and that nothing before writes is an error then, and not in the middle of a question.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator, Mapping, Set
from typing import Any

from octavo.errors import UsageError
from octavo.operators import OPERATORS

_MOST_WRITERS = 6
_ANY_WORD = "score"
"""What an operator is made with that is to be made with any column."""
Given = Mapping[str, str] | None
"""The columns that evidence has at one place of a plan, each with the step that wrote it; None: any may be there."""


@dataclasses.dataclass(frozen=True, slots=True)
class Columns:
    """What a step does with the columns of evidence.

    `reads` must be there, `uses` are read where they are there. `writes` are there after the step, added or replaced;
    `may_write` are so in some cases only. Of the columns that come in the evidence keeps `keeps`, None: all of them.
    An answer has the columns of the evidence it was found in.
    """

    reads: Set[str] = frozenset()
    uses: Set[str] = frozenset()
    writes: Set[str] = frozenset()
    may_write: Set[str] = frozenset()
    keeps: Set[str] | None = None
    is_declared: bool = True

    def after(self, step: str, given: Given) -> Given:
        """Return the columns after a step of this name; raise UsageError where one that it reads is not there."""
        if not self.is_declared:
            return None
        if given is not None and (missing := sorted(self.reads - given.keys())):
            raise UsageError(_missing(step, missing[0], given))
        if self.keeps is not None:
            given = {name: (given or {}).get(name, "") for name in self.keeps if given is None or name in given}
        return None if given is None else {**given, **dict.fromkeys(sorted(self.writes), step)}

    def __str__(self) -> str:
        if not self.is_declared:
            return "not declared"
        named = (("reads", self.reads), ("may read", self.uses), ("writes", self.writes), ("may write", self.may_write))
        return "; ".join(f"{what} {', '.join(sorted(names))}" for what, names in named if names)


UNDECLARED = Columns(is_declared=False)
"""The columns of an operator that says nothing of them: it reads none, and may write any."""
NEW: Set[str] = frozenset()
"""What is kept by a step whose evidence is its own: none of the columns that come in."""


def united(*given: Given) -> Given:
    """Return the columns of evidence that is united."""
    known = [one for one in given if one is not None]
    return {name: step for one in known for name, step in one.items()} if len(known) == len(given) else None


def shared(*given: Given) -> Given:
    """Return the columns that are there whichever of several pieces of evidence is taken."""
    known = [one for one in given if one is not None]
    if not known:
        return None
    return {name: step for name, step in known[0].items() if all(name in other for other in known)}


def _missing(step: str, column: str, given: Mapping[str, str]) -> str:
    there = ", ".join(f"{name} (by {by})" if by else name for name, by in given.items()) or "none"
    writers = [*_writers(column)]
    more = ", and others" if len(writers) > _MOST_WRITERS else ""
    found = f"; what writes it: {', '.join(writers[:_MOST_WRITERS])}{more}" if writers else ""
    return f"{step} reads the column {column!r}, and no step before it writes that; there are: {there}{found}"


def _writers(column: str) -> Iterator[str]:
    """Yield the operators that add a column, of those that can be made without another operator inside."""
    for name in OPERATORS:
        for word, said in ((_ANY_WORD, name), (column, f"{name}({column!r})")):
            with contextlib.suppress(Exception):  # whatever is wrong with one of them, the column is missing
                columns: Columns = _made(OPERATORS[name], word).declared()
                if column in columns.writes - columns.reads:
                    yield said
                    break


def _made(kind: Any, word: str) -> Any:
    """Return an operator with `word` where it needs one; raise ValueError where it needs another operator."""
    arguments: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            kinds = {"str": word, "float": 1.0}
            if field.type not in kinds and not str(field.type).startswith("tuple"):
                raise ValueError(field.name)
            arguments[field.name] = kinds.get(str(field.type), ())
    return kind(**arguments)
