"""What operators really do with the columns of evidence, held against what they declare, while systems run."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import numpy as np
import pytest

from octavo.evidence import Answer, Evidence, Query
from octavo.operators.core import Operator, Run


class _Noted(dict[str, Any]):
    """The score columns of some evidence; which are asked for is noted for the step that is under way."""

    note: Callable[[str], None]

    def __getitem__(self, name: str) -> Any:
        self.note(name)
        return super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        self.note(str(name))
        return super().__contains__(name)

    def get(self, name: str, default: Any = None) -> Any:
        frame = inspect.currentframe()
        if frame is None or frame.f_back is None or frame.f_back.f_code.co_name != "_spread":
            self.note(name)  # the union of evidence goes through all columns, and reads none
        return super().get(name, default)


@dataclasses.dataclass
class Seen:
    """What came of the steps: where a declaration is wrong, and by class the columns that steps asked for."""

    wrong: set[str] = dataclasses.field(default_factory=set[str])
    read: defaultdict[str, set[str]] = dataclasses.field(default_factory=lambda: defaultdict(set))
    declared: defaultdict[str, set[str]] = dataclasses.field(default_factory=lambda: defaultdict(set))
    """By class the columns that its steps declare to read, or to use."""

    @property
    def never_read(self) -> dict[str, list[str]]:
        """The columns that are declared to be read, or used, and that no step asked for."""
        return {name: sorted(left) for name, own in self.declared.items() if (left := own - self.read[name])}


@dataclasses.dataclass
class _Step:
    """A step that is under way: which columns it asked for, and which the evidence has that steps inside it found."""

    read: set[str] = dataclasses.field(default_factory=set[str])
    found_inside: set[str] = dataclasses.field(default_factory=set[str])


def watch(patch: pytest.MonkeyPatch) -> Seen:
    """Return what is seen of all steps from now on, until the patches are undone."""
    seen, under_way = Seen(), threading.local()

    def note(name: str) -> None:
        if (step := getattr(under_way, "step", None)) is not None:
            step.read.add(name)

    checked = Evidence.__post_init__

    def made(self: Evidence) -> None:
        checked(self)
        scores = _Noted(self.scores)
        scores.note = note
        object.__setattr__(self, "scores", scores)

    patch.setattr(Evidence, "__post_init__", made)
    for kind in [*_kinds(Operator)]:
        if "__call__" in vars(kind) and not getattr(kind.__call__, "__isabstractmethod__", False):
            patch.setattr(kind, "__call__", _watched(kind.__call__, seen, under_way))
    return seen


def _kinds(kind: type) -> Iterator[type]:
    yield kind
    for below in kind.__subclasses__():
        yield from _kinds(below)


def _watched(call: Callable[..., Any], seen: Seen, under_way: threading.local) -> Callable[..., Any]:
    @functools.wraps(call)
    def watched(self: Operator[Any, Any], value: Any, using: Run) -> Any:
        outer = getattr(under_way, "step", None)
        step = under_way.step = _Step()
        try:
            result = call(self, value, using)
        finally:
            under_way.step = None
        if "tests" not in str(sys.modules[type(self).__module__].__file__).split("/"):
            _hold(self, value, result, step, seen)
        if outer is not None:
            outer.found_inside |= (_columns(result) or {}).keys()
        under_way.step = outer
        return result

    return watched


def _hold(step: Operator[Any, Any], value: Any, result: Any, done: _Step, seen: Seen) -> None:
    """Note where a step does with columns what it does not declare, or not what it declares."""
    name, own = type(step).__name__, step.declared()
    seen.read[name] |= done.read
    seen.declared[name] |= own.reads | own.uses
    before, after = _columns(value), _columns(result)
    if before is None or after is None:
        return
    known = own.reads | own.uses | own.writes | own.may_write
    seen.wrong |= {f"{name} reads {column}" for column in before.keys() & done.read - known - done.found_inside}
    promised = step.after(dict.fromkeys(before, "before")) or {}
    if _has_rows(value) and (isinstance(result, Evidence) or _has_rows(result)):
        seen.wrong |= {f"{name} leaves no {column}" for column in promised.keys() - after.keys()}
    if any(isinstance(part, Operator) for part in _parts(step)) or not isinstance(result, Evidence):
        return
    kept = before.keys() if own.keeps is None else before.keys() & own.keeps
    is_one = not isinstance(value, tuple)  # of several the best score counts
    changed = {one for one in after if one not in before or (is_one and _differs(before[one], after[one]))}
    seen.wrong |= {f"{name} writes {column}" for column in changed - own.writes - own.may_write}
    seen.wrong |= {f"{name} keeps {column}" for column in after.keys() - kept - own.writes - own.may_write}


def _columns(value: Any) -> Mapping[str, Mapping[int, float]] | None:
    """Return the columns of a value, each by row; of several values those that all have; none for a question."""
    if isinstance(value, Answer):
        return _columns(value.evidence)
    if isinstance(value, Evidence):
        rows = value.rows.tolist()
        return {name: dict(zip(rows, scores.tolist(), strict=True)) for name, scores in value.scores.items()}
    if isinstance(value, tuple):
        several = cast("tuple[object, ...]", value)
        found = [columns for one in several if (columns := _columns(one)) is not None]
        if not found or len(found) < len(several):
            return None
        return {name: rows for name, rows in found[0].items() if all(name in one for one in found)}
    return {} if isinstance(value, Query) else None


def _has_rows(value: Any) -> bool:
    if isinstance(value, Answer):
        return len(value.evidence) > 0
    if isinstance(value, tuple):
        return any(map(_has_rows, cast("tuple[object, ...]", value)))
    return not isinstance(value, Evidence) or len(value) > 0


def _differs(before: Mapping[int, float], after: Mapping[int, float]) -> bool:
    both = before.keys() & after.keys()
    return not np.array_equal([before[row] for row in both], [after[row] for row in both], equal_nan=True)


def _parts(step: Operator[Any, Any]) -> Iterator[object]:
    for field in dataclasses.fields(cast("Any", step)):
        value = getattr(step, field.name)
        yield from cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
