"""A plan as a list of its steps, with the columns of evidence that each reads and writes."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, cast

from octavo.operators.columns import Columns
from octavo.operators.core import Both, Operator, Then


def columns_by_step(plan: Operator[Any, Any]) -> str:
    """Return a line for each step of a plan, in order: what it is, reads and writes; steps inside one are indented."""
    return "\n".join(_lines(plan, depth=0))


def _lines(step: Operator[Any, Any], depth: int) -> Iterator[str]:
    if isinstance(step, (Then, Both)):
        for part in _parts(step):
            yield from _lines(part, depth)
        return
    parts = [*_parts(step)]
    name, own = type(step).__name__ if parts else repr(step), step.declared()
    yield f"{'  ' * depth}{name}: {own}" if own != Columns() else f"{'  ' * depth}{name}"
    for part in parts:
        yield from _lines(part, depth + 1)


def _parts(step: Any) -> Iterator[Operator[Any, Any]]:
    """Yield the operators that one is made of."""
    for field in dataclasses.fields(step):
        value = getattr(step, field.name)
        for part in cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,):
            if isinstance(part, Operator):
                yield cast("Operator[Any, Any]", part)
