"""The fields that may be set of a document, and what each takes."""

from __future__ import annotations

import datetime
import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias, cast

from octavo.about.names import BETWEEN
from octavo.errors import UsageError
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.versions import versions_in

FieldValue: TypeAlias = str | int | float | tuple[str, ...]
"""What a field holds: a text, in the fields of one's own a number too, or texts."""

TEXTS: Mapping[str, int] = {
    "title": 300,
    "issuer": 200,
    "kind": 60,
    "date": 10,
    "period": 60,
    "version": 60,
    "language": 40,
}
"""Fields of one text, with the most characters."""
LISTS: Mapping[str, int] = {"tags": 60, "names": 120, "former": 120}
"""Fields of several texts, with the most characters of each."""
FIELDS = (*TEXTS, *LISTS)
ALIASES: Mapping[str, str] = {"type": "kind", "author": "issuer", "tag": "tags", "formerly": "former"}
"""Other words for fields: what is set or asked under one is the field's."""
_NUMBERS = ("date", "period", "version")
"""Those that JSON may have as a number: 2023, 2.1."""
_LONGEST_OWN = 1_000
_MOST_IN_LIST, _MOST_OWN = 50, 40
_OWN = re.compile(r"[a-z][a-z0-9_]{0,39}")
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
_BARE_VERSION = re.compile(r"\d+(?:\.\d+){0,3}[a-z]?|[A-Za-z]")
_LONGEST_SHOWN = 40


def checked(fields: Mapping[str, object]) -> dict[str, FieldValue | None]:
    """Return fields as they are kept, None for an empty value, which takes one back.

    Raises UsageError, one line, for a name or a value that none may have.

    A field that has two names is kept under the first. Raises UsageError too where both say different things.

    >>> checked({"title": " Annual  report ", "tags": ["a", "b", "a"], "date": "2023-08", "author": ""})
    {'title': 'Annual report', 'tags': ('a', 'b'), 'date': '2023-08', 'issuer': None}
    """
    found = dict[str, FieldValue | None]()
    for given, value in fields.items():
        name = field_called(_name(given))
        new, before = _value(name, value), found.get(name)
        if None not in (new, before) and new != before:
            other = next(other for other, field in ALIASES.items() if field == name)
            raise UsageError(f"{other} and {name} are one field, and are set to different values: set it once")
        found[name] = before if new is None else new
    return found


def field_called(name: str) -> str:
    """Return the field that a name is of: "type" is "kind"."""
    return ALIASES.get(name, name)


def as_fields(values: Mapping[str, FieldValue]) -> dict[str, FieldValue]:
    """Return fields that were kept under any of their names, each under its first; the first name counts before."""
    others = {name: _as_kept(ALIASES[name], value) for name, value in values.items() if name in ALIASES}
    return {ALIASES[name]: value for name, value in others.items()} | {
        name: _as_kept(name, value) if name in LISTS else value for name, value in values.items() if name not in ALIASES
    }


def _as_kept(field: str, value: FieldValue) -> FieldValue:
    """Return a value of any sort as a field of texts keeps it."""
    if field in LISTS:
        return value if isinstance(value, tuple) else (str(value),)
    return BETWEEN.join(value) if isinstance(value, tuple) else str(value)


def check_count(fields: Collection[str]) -> None:
    """Raise UsageError where a document has too many fields of its own."""
    own = len({*fields} - {*FIELDS})
    if own > _MOST_OWN:
        raise UsageError(f"a document may have {_MOST_OWN} fields of its own, not {own}: take some back first")


def period_keys(period: str) -> list[str]:
    """Return the years and quarters that a period names: "2023 Q2" is of 2023 too."""
    from octavo_documents.text.periods import periods_in

    keys = [key for one in periods_in(period) for key in one.keys if len(key) != len("2023-08-30")]
    return [*dict.fromkeys(keys)] or _YEAR.findall(period)


def version_key(version: str) -> str:
    """Return a version as documents are looked up by it: "2.1" and "v2.1" are "version 2.1", "B" "revision b"."""
    found = versions_in(version, bare=True)
    if found or not _BARE_VERSION.fullmatch(version):
        return found[0] if found else version.casefold()
    return f"{'version' if version[0].isdigit() else 'revision'} {version.lower()}"


def _name(name: object) -> str:
    if not isinstance(name, str) or not _OWN.fullmatch(name):
        raise UsageError(
            f"{_shown(name)} is no name of a field: it has small letters, digits and '_', and 40 of them at most"
        )
    return name


def _value(name: str, value: object) -> FieldValue | None:
    if value is None:
        return None
    if name in LISTS or (name not in TEXTS and isinstance(value, list | tuple)):
        return _list(name, cast("object", value)) or None
    if name not in TEXTS:
        return _own(name, value)
    if name == "issuer" and isinstance(value, list | tuple):
        value = BETWEEN.join(_list(name, cast("object", value)))
    is_written_as_number = name in _NUMBERS and isinstance(value, int | float) and not isinstance(value, bool)
    text = _text(name, str(value) if is_written_as_number else value, TEXTS[name])
    if text and name == "date":
        _check_date(text)
    if text and name == "period":
        return _period(text)
    return text or None


def _own(name: str, value: object) -> FieldValue | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) >= 1e300 or not math.isfinite(value):
            raise UsageError(f"{name} takes a text, a number or a list of texts, not {_shown(value)}")
        return value
    return _text(name, value, _LONGEST_OWN, "a text, a number or a list of texts") or None


def _text(name: str, value: object, most: int, takes: str = "a text") -> str:
    """Return a text as one line. Raises UsageError for another value, and one that is too long."""
    if not isinstance(value, str):
        raise UsageError(f"{name} takes {takes}, not {_shown(value)}")
    line = "".join(letter for letter in on_one_line(value) if unicodedata.category(letter) not in ("Cc", "Cs"))
    if len(line) > most:
        raise UsageError(f"{name} takes {most:,} characters at most, not {len(line):,}")
    return line


def _list(name: str, value: object) -> tuple[str, ...]:
    """Return texts, each once; one text is a list of it."""
    takes = "a list of texts"
    if not isinstance(value, str | list | tuple):
        raise UsageError(f"{name} takes {takes}, not {_shown(value)}")
    items = cast("Iterable[object]", [value] if isinstance(value, str) else value)
    found = [_text(name, one, LISTS.get(name, _LONGEST_OWN), takes) for one in items]
    texts = tuple(dict.fromkeys(filter(None, found)))
    if len(texts) > _MOST_IN_LIST:
        raise UsageError(f"{name} takes {_MOST_IN_LIST} texts at most, not {len(texts)}")
    return texts


def _check_date(text: str) -> None:
    match = _DATE.fullmatch(text)
    try:
        if match is None:
            raise ValueError
        datetime.date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        raise UsageError(f"date takes 2023, 2023-08 or 2023-08-30, not {_shown(text)}") from None


def _period(text: str) -> str:
    """Return a period: a year or a quarter as documents have it, any other as it is written."""
    from octavo_documents.text.periods import periods_in

    found = periods_in(text)
    if not period_keys(text):
        raise UsageError(
            f"period takes years or quarters, such as 2023, '2023 Q2' or '2021 to 2023', not {_shown(text)}"
        )
    return period_keys(text)[-1] if len(found) == 1 and not found[0].month else text


def _shown(value: object) -> str:
    """Return a short value as it is written, and of any other what it is."""
    if value is None or isinstance(value, str | int | float):
        text = repr(value)
        return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
