"""Reading a plan: the text an expression prints, back as the expression.

The grammar: operators and other exported values by name with plain arguments, tuples, `>>`, `|` and brackets.
Nothing is executed that is not listed, so that a plan may come from anywhere.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable
from types import UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from octavo import operators
from octavo.errors import UsageError
from octavo.evidence import Evidence, Query
from octavo.operators.core import Both, Operator, Then
from octavo_documents.text.lines import on_one_line

LONGEST = 20_000
"""Characters of a plan at most."""

FORMER_NAMES = {
    "DocumentStanding": "DocumentScoreGap",
    "Mentioned": "BoostMentionedDocuments",
    "PagesBeside": "AddNeighbourPages",
    "Statements": "FinancialStatementPages",
}
"""What operators were called before: plans that were printed then are read too."""


def read_plan(text: str) -> Operator[Query, Evidence]:
    """Return the plan that prints as the text, from a question to evidence; raise UsageError where it is none."""
    plan = read_back(text)
    taken, given = flow(plan)
    if (taken or Query, given or Evidence) != (Query, Evidence):
        raise UsageError("a plan goes from a question to evidence; the reader is not part of it")
    plan.after({})
    return plan


def read_back(text: str) -> Operator[Any, Any]:
    """Return the expression that prints as the text; raise UsageError saying what cannot be read."""
    if len(text) > LONGEST:
        raise UsageError(f"the plan is too long: {len(text)} characters of at most {LONGEST}")
    try:
        expression = _operator(ast.parse(on_one_line(text), mode="eval").body)
        flow(expression)
    except (SyntaxError, ValueError, TypeError, AttributeError, NameError, RecursionError, MemoryError) as wrong:
        raise UsageError(f"the plan cannot be read: {wrong}; print one with --trace") from wrong
    return expression


def _value(node: ast.expr) -> Any:
    read = _READERS.get(type(node))
    if read is None:
        raise ValueError(f"{ast.unparse(node)[:60]!r} is not part of a plan")
    return read(node)


def _constant(node: ast.Constant) -> Any:
    return node.value


def _tuple(node: ast.Tuple) -> tuple[Any, ...]:
    return tuple(_value(item) for item in node.elts)


def _negative(node: ast.UnaryOp) -> Any:
    value = _value(node.operand)
    if not isinstance(node.op, ast.USub) or not isinstance(value, (int, float)):
        raise ValueError(f"{ast.unparse(node)[:60]!r} is not part of a plan")
    return -value


def _composed(node: ast.BinOp) -> Operator[Any, Any]:
    left, right = _operator(node.left), _operator(node.right)
    if isinstance(node.op, ast.RShift):
        return left >> right
    if isinstance(node.op, ast.BitOr):
        return left | right
    raise ValueError("operators go together by >> and |")


def flow(operator: Operator[Any, Any]) -> tuple[Any, Any]:
    """Return the types an operator takes and gives, None for one that is left open; raise ValueError for a misfit."""
    if isinstance(operator, Then):
        (taken, between), (wanted, given) = flow(operator.first), flow(operator.second)
        if between != wanted and between is not None and wanted is not None:
            raise ValueError(f"{type(operator.second).__name__} does not go on from what stands before it")
        return taken, given
    if isinstance(operator, Both):
        flow(operator.right)
        return flow(operator.left)
    declared = next(_declared(kind) for kind in type(operator).__mro__ if _declared(kind))
    taken, given = (None if _is_open(one) else one for one in declared)
    return taken, given


def _declared(kind: type) -> tuple[Any, ...]:
    """Return the types a class states for its flow, nothing where it states none itself."""
    bases = getattr(kind, "__orig_bases__", ()) if "__orig_bases__" in vars(kind) else ()
    return next((get_args(base) for base in bases if len(get_args(base)) == 2), ())


def _is_open(declared: Any) -> bool:
    return isinstance(declared, TypeVar) or any(map(_is_open, get_args(declared)))


def _operator(node: ast.expr) -> Operator[Any, Any]:
    value = _value(node)
    if not isinstance(value, Operator):
        raise ValueError(f"{ast.unparse(node)[:60]!r} is no operator")
    return cast("Operator[Any, Any]", value)


def _called(node: ast.Call) -> Any:
    made = _named(node.func)
    if any(keyword.arg is None for keyword in node.keywords):
        raise ValueError("arguments are given one by one")
    given = [_value(argument) for argument in node.args]
    named = {str(keyword.arg): _value(keyword.value) for keyword in node.keywords}
    return _checked(made(*given, **named))


def _checked(made: Any) -> Any:
    """Return a value whose fields are of the types they are declared with; raise ValueError for one that is not."""
    hints = get_type_hints(cast("type[Any]", type(made)))
    for field in dataclasses.fields(made):
        if not _fits(getattr(made, field.name), hints[field.name]):
            raise ValueError(f"{type(made).__name__} cannot have {field.name}={getattr(made, field.name)!r:.60}")
    return made


def _fits(value: Any, hint: Any) -> bool:
    """Return whether a value is of a declared type, as far as plans use types."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return value in parts
    if origin in (Union, UnionType):
        return any(_fits(value, part) for part in parts)
    if origin is tuple:
        return isinstance(value, tuple) and _items_fit(cast("tuple[Any, ...]", value), parts)
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    kind = origin or hint
    return (
        isinstance(value, kind) if isinstance(kind, type) and (kind is bool or not isinstance(value, bool)) else False
    )


def _items_fit(values: tuple[Any, ...], hints: tuple[Any, ...]) -> bool:
    if len(hints) == 2 and hints[1] is Ellipsis:
        return all(_fits(value, hints[0]) for value in values)
    return len(values) == len(hints) and all(map(_fits, values, hints))


def _named(node: ast.expr) -> Callable[..., Any]:
    """Return the operator or other plain value that a name stands for."""
    name = node.id if isinstance(node, ast.Name) else ""
    found = operators.OPERATORS.get(FORMER_NAMES.get(name, name))
    if not isinstance(found, type) or not dataclasses.is_dataclass(found):
        raise ValueError(f"there is no operator called {ast.unparse(node)[:60]!r}")
    return found


_READERS: dict[type[ast.expr], Callable[[Any], Any]] = {
    ast.Constant: _constant,
    ast.Tuple: _tuple,
    ast.UnaryOp: _negative,
    ast.BinOp: _composed,
    ast.Call: _called,
}
