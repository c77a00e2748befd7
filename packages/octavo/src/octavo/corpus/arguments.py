"""What the public calls take: every argument is looked at before anything is done, by what its annotation says.

A wrong one is a UsageError in one line that names the argument and what it takes.
"""

from __future__ import annotations

import functools
import inspect
import numbers
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from octavo.corpus.reports import Removal
from octavo.errors import UsageError
from octavo.models.gateway import Budget, Caps

_Class = TypeVar("_Class", bound=type)
_Check = Callable[[str, Any], Any]
"""Takes the name of an argument and its value; returns the value to go on with, or raises UsageError."""
_LONGEST = 40
_NAMES = "the name, path or id of a document, or several"


def checked(cls: _Class) -> _Class:
    """Return a class whose public methods look at their arguments first."""
    for name, method in [*vars(cls).items()]:
        if inspect.isfunction(method) and (name == "__init__" or not name.startswith("_")):
            setattr(cls, name, _checking(method))
    return cls


def _checking(method: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(method)
    checks = {name: check for name, one in signature.parameters.items() if (check := check_of(one)) is not None}
    if not checks:
        return method

    @functools.wraps(method)
    def call(*given: Any, **named: Any) -> Any:
        bound = signature.bind(*given, **named)
        for name in bound.arguments.keys() & checks.keys():
            if bound.arguments[name] is not signature.parameters[name].default:
                bound.arguments[name] = checks[name](name, bound.arguments[name])
        return method(*bound.args, **bound.kwargs)

    return call


def check_of(parameter: inspect.Parameter) -> _Check | None:
    """Return what looks at a parameter, None for one that takes anything."""
    return _BY_NAME.get(parameter.name) or _CHECKS.get(str(parameter.annotation))


def wrong(name: str, takes: str, value: object) -> UsageError:
    """Return the error for an argument that is not what it takes."""
    return UsageError(f"{name} takes {takes}, not {_as_shown(value)}")


def _as_shown(value: object) -> str:
    """Return a short value as it is written, and of any other what it is."""
    if value is None or isinstance(value, str | int | float | bytes | Path):
        text = repr(str(value) if isinstance(value, Path) else value)
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    kind = type(value).__name__
    if kind in ("list", "tuple", "set", "dict") and not value:
        return f"an empty {kind}"
    return f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def _text(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        raise wrong(name, "a text", value)
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        if name != "quote":  # what stands nowhere is just not found
            raise UsageError(f"{name} is not UTF-8: give it as text in that encoding") from None
    return value


def _text_or_none(name: str, value: Any) -> Any:
    if value is not None and not isinstance(value, str):
        raise wrong(name, "a text, or None", value)
    return value


def _path_or_text(name: str, value: Any) -> Any:
    if not isinstance(value, str | Path):
        raise wrong(name, "the name, path or id of a document", value)
    return str(value)


def _place(name: str, value: Any) -> Any:
    if value is not None and not isinstance(value, str | Path):
        raise wrong(name, "a folder or an address, or None for the usual place", value)
    if value is not None and not str(value).strip():
        raise UsageError(f"{name} is empty: name a folder, or leave it out for the usual place")
    return value


def _match(name: str, value: Any) -> Any:
    if value is not None and not isinstance(value, str | Path):
        raise wrong(name, "a part of a name, a folder or a pattern, or None for all", value)
    return None if value is None else str(value)


def _names(name: str, value: Any) -> Any:
    return None if value is None else _several(name, value, f"{_NAMES}, or None for all")


def _items(name: str, value: Any, takes: str) -> list[Any]:
    """Return what an iterable gives as a list."""
    if isinstance(value, bytes | Mapping) or not isinstance(value, Iterable):
        raise wrong(name, takes, cast("object", value))
    return [*cast("Iterable[Any]", value)]


def _several(name: str, value: Any, takes: str) -> Any:
    """Return one name as it is and several as a list, in which there has to be one."""
    if isinstance(value, str | Path):
        return value
    found = _items(name, value, takes)
    if not found:
        raise wrong(name, takes, cast("object", value) if isinstance(value, list | tuple | set) else [])
    for one in found:
        if not isinstance(one, str | Path):
            raise UsageError(f"{name} takes {takes}; {_as_shown(one)} is in it")
    return found


def _paths(name: str, value: Any) -> Any:
    takes = "a file, folder or address, or several"
    found = value if isinstance(value, str | Path) else _items(name, value, takes)
    found = _several(name, found, takes) if found else found  # a program's list may be empty: nothing is added
    if not all(str(one).strip() for one in ([found] if isinstance(found, str | Path) else found)):
        raise UsageError(f"{name} holds an empty name: name a file, or '.' for the current folder")
    return found


def _each_text(name: str, value: Any) -> Any:
    return value if value is None else _texts(name, value)


def _texts(name: str, value: Any) -> Any:
    if isinstance(value, str):
        return [value]
    found = _items(name, value, "texts")
    for one in found:
        if not isinstance(one, str):
            raise UsageError(f"{name} takes texts; {_as_shown(one)} is in it")
    return found


def _whole(name: str, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise wrong(name, "a whole number", value)
    return int(value)


def _whole_or_none(name: str, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        raise wrong(name, "a whole number, 1 or more, or None", value)
    return int(value)


def _above_zero(name: str, value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 < float(value) < float("inf"):
        raise wrong(name, "a number above 0", value)
    return float(value)


def _share_or_none(name: str, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 <= float(value) <= 1:
        raise wrong(name, "a number from 0 to 1, or None", value)
    return float(value)


def _flag(name: str, value: Any) -> Any:
    if type(value).__name__ not in {"bool", "bool_"}:  # those of arrays too
        raise wrong(name, "True or False", value)
    return bool(value)


def _one_of(*values: str) -> _Check:
    def check(name: str, value: Any) -> Any:
        if value not in values:
            raise wrong(name, f"one of {', '.join(map(repr, values))}", value)
        return value

    return check


def _box(name: str, value: Any) -> Any:
    if value is None:
        return None
    takes = "four numbers, left, top, right and bottom in points, or None"
    found = () if isinstance(value, str) else tuple(_items(name, value, takes))
    if len(found) != len("ltrb") or not all(isinstance(one, numbers.Real) and one == one for one in found):
        raise wrong(name, takes, value)
    return found


def _system(name: str, value: Any) -> Any:
    from octavo.systems import System

    if not isinstance(value, str | System):
        raise wrong(name, "the name of a system, or a System", value)
    return value


def _caps(name: str, value: Any) -> Any:
    if value is not None and not isinstance(value, Caps | Budget):
        raise wrong(name, "Caps, a Budget, or None", value)
    return value


def _models(name: str, value: Any) -> Any:
    if isinstance(value, bytes | int | float | list | tuple | set):
        takes = "'PROVIDER:NAME', a mapping from roles or decisions to such names, ModelConfig, or None"
        raise wrong(name, takes, cast("object", value))
    return value


def _text_or_object(takes: str) -> _Check:
    def check(name: str, value: Any) -> Any:
        if isinstance(value, bytes | int | float | list | tuple | set | dict):
            raise wrong(name, takes, cast("object", value))
        return value

    return check


def _callable(name: str, value: Any) -> Any:
    if value is not None and not callable(value):
        raise wrong(name, "something that can be called, or None", value)
    return value


def _progress(name: str, value: Any) -> Any:
    if value is not None and not all(callable(getattr(value, one, None)) for one in ("start", "advance", "finish")):
        raise wrong(name, "an object with start, advance and finish, or None", value)
    return value


def _removed(name: str, value: Any) -> Any:
    for one in value:
        if not isinstance(one, str | Path | Removal):
            raise UsageError(f"{name} takes {_NAMES}, each by itself; {_as_shown(one)} is among them")
    return value


_CHECKS: dict[str, _Check] = {
    "Box | None": _box,
    "Callable[[IndexingPlan], None] | None": _callable,
    "Callable[[TablePlan], None] | None": _callable,
    "Callable[[], AbstractContextManager[Progress]] | None": _callable,
    "Callable[[], Builders] | None": _callable,
    "Caps | Budget | None": _caps,
    "Collection[str]": _texts,
    "Collection[str] | None": _each_text,
    "ImageTextEmbedder | LateInteraction | str | None": _text_or_object("the name of a model, or one"),
    "Iterable[str] | None": _each_text,
    "LayoutModel | str | Path | None": _text_or_object("a model of layout, or its file"),
    "Listen": _callable,
    "ModelConfig | ModelNames | None": _models,
    "ModelConfig | None": _text_or_object("ModelConfig or None"),
    "Names": lambda name, value: _several(name, value, _NAMES),
    "Names | None": _names,
    "OnCell | None": _callable,
    "OcrMode": _one_of("auto", "always", "never"),
    "Progress | None": _progress,
    "Sequence[str]": _texts,
    "Sort": _one_of("path", "title", "newest", "pages"),
    "bool": _flag,
    "float": _above_zero,
    "int": _whole,
    "int | None": _whole_or_none,
    "str": _text,
    "str | Callable[[], TextEmbedder] | None": _text_or_object("the name of an embedding model, or what makes one"),
    "str | ImageTextEmbedder | LateInteraction | None": _text_or_object("the name of a model, or one"),
    "str | LateInteraction | None": _text_or_object("the name of a model, or one"),
    "str | None": _text_or_none,
    "str | Path | None": _place,
    "str | Path | Removal": _removed,
    "str | Path | Sequence[str | Path]": _paths,
    "str | Sequence[str]": _texts,
    "str | System": _system,
}
"""What looks at an argument, by its annotation."""
_BY_NAME: dict[str, _Check] = {"reference": _path_or_text, "match": _match, "sure": _share_or_none}
"""What looks at an argument that takes more than its annotation says."""
