"""Filters of documents by what they are about: a small closed language, read into a tree and held against fields.

    date >= 2024 and type = report
    (tags = urgent or issuer ~ "Harbour Trust") and not language = de

`or` binds least, then `and`, then `not`. A comparison is a field, one of = != < <= > >= ~ and a value, ~ is "holds".
A document that has nothing in a field fits no comparison with it, but `!=` and `not`.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any

from octavo.about.fields import ALIASES, FIELDS, FieldValue, field_called, period_keys
from octavo.errors import UsageError, did_you_mean
from octavo_documents.text.document_kinds import kinds_called
from octavo_documents.text.lines import on_one_line

if TYPE_CHECKING:
    from octavo.about.document_about import DocumentAbout

NAME = "name"
"""The name of the file, which may be asked for as a field is."""
_LONGEST, _DEEPEST = 2_000, 30
_TOKEN = re.compile(
    r"""\s*(?:(?P<operator>!=|<=|>=|[=<>~])|(?P<bracket>[()])|"(?P<double>[^"]*)"|'(?P<single>[^']*)'|"""
    r"""(?P<word>[^\s()=<>!~"']+))"""
)
_FIELD = re.compile(r"[a-z][a-z0-9_]{0,39}")
_DAY = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")
_QUARTER = re.compile(r"(\d{4}) Q([1-4])")
_NUMBERS = re.compile(r"\d+")
_MONTHS, _DAYS = 12, 31
Days = tuple[str, str]
"""The first and the last day of a span of time."""


@dataclasses.dataclass(frozen=True)
class Comparison:
    """A field, an operator and a value."""

    field: str
    operator: str
    value: str

    def holds(self, about: DocumentAbout) -> bool:
        """Whether a document fits."""
        if self.operator == "!=":
            return not dataclasses.replace(self, operator="=").holds(about)
        value = about.name if self.field == NAME else about.fields().get(self.field)
        if value is None or value == "":
            return False
        return any(_HELD.get(self.field, _compare)(one, self.operator, self.value) for one in _each(value))

    def fields(self) -> Iterator[str]:
        """Yield the fields it names."""
        yield self.field


@dataclasses.dataclass(frozen=True)
class Not:
    """What does not fit."""

    part: Part

    def holds(self, about: DocumentAbout) -> bool:
        """Whether a document does not fit the part."""
        return not self.part.holds(about)

    def fields(self) -> Iterator[str]:
        """Yield the fields it names."""
        yield from self.part.fields()


@dataclasses.dataclass(frozen=True)
class Joined:
    """Parts of which all have to fit, or any."""

    parts: tuple[Part, ...]
    is_all: bool

    def holds(self, about: DocumentAbout) -> bool:
        """Whether a document fits all the parts, or any."""
        return (all if self.is_all else any)(part.holds(about) for part in self.parts)

    def fields(self) -> Iterator[str]:
        """Yield the fields it names."""
        for part in self.parts:
            yield from part.fields()


Part = Comparison | Not | Joined


def parsed(text: str) -> Part:
    """Read a filter. Raises UsageError, one line that says what is wrong where.

    >>> parsed("type = report").holds
    <bound method ...>
    """
    if len(text) > _LONGEST:
        raise UsageError(f"where takes {_LONGEST:,} characters at most, not {len(text):,}")
    reader = _Reader([*_tokens(text)])
    if not reader.tokens:
        raise UsageError("where is empty: write a filter, such as 'date >= 2024 and type = report'")
    part = reader.either(0)
    if reader.at < len(reader.tokens):
        raise reader.wrong("'and' or 'or'")
    return part


def check_fields(part: Part, own: Collection[str]) -> None:
    """Raise UsageError for a field that there is not: neither one of all documents nor one of `own`."""
    from difflib import get_close_matches

    known = [NAME, *FIELDS, *ALIASES, *sorted(own)]
    for field in part.fields():
        if field not in known:
            near = get_close_matches(field, known, len(known), cutoff=0.7)
            mend = did_you_mean(near) if near else f"the fields are {', '.join(known)}"
            raise UsageError(f"where: no document has a field {field!r}; {mend}")


@dataclasses.dataclass(frozen=True)
class _Token:
    kind: str
    text: str


def _tokens(text: str) -> Iterator[_Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            raise UsageError(f"where: {text[at:].strip()[:20]!r} cannot be read: put a value with signs in quotes")
        kind = str(found.lastgroup)
        yield _Token("text" if kind in ("double", "single") else kind, found[kind])
        at = found.end()


class _Reader:
    """Reads tokens by recursive descent."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens, self.at = tokens, 0

    def either(self, depth: int) -> Part:
        return self._joined("or", self._all, depth, is_all=False)

    def _all(self, depth: int) -> Part:
        return self._joined("and", self._one, depth, is_all=True)

    def _joined(self, word: str, read: Callable[[int], Part], depth: int, *, is_all: bool) -> Part:
        parts = [read(depth)]
        while self._takes("word", word):
            parts.append(read(depth))
        return parts[0] if len(parts) == 1 else Joined(tuple(parts), is_all)

    def _one(self, depth: int) -> Part:
        if depth > _DEEPEST:
            raise UsageError(f"where: more than {_DEEPEST} brackets stand in each other")
        if self._takes("word", "not"):
            return Not(self._one(depth + 1))
        if self._takes("bracket", "("):
            part = self.either(depth + 1)
            if not self._takes("bracket", ")"):
                raise self.wrong("')'")
            return part
        return self._comparison()

    def _comparison(self) -> Comparison:
        field = self._taken("word", "a field")
        name = field_called(field.casefold())
        if not _FIELD.fullmatch(name):
            raise UsageError(f"where: {field[:40]!r} is no name of a field")
        operator = self._taken("operator", f"= != < <= > >= or ~ after {field!r}")
        kind = self._kind()
        if kind not in ("word", "text"):
            raise self.wrong(f"a value after '{field} {operator}'")
        value = self._taken(kind, "a value").strip()
        while kind == "word" and self._kind() == "word" and self._next().casefold() not in ("and", "or", "not"):
            value += f" {self._taken('word', 'a value')}"  # several words without quotes: issuer = Harbour Trust
        if not value:
            raise UsageError(f"where: the value after '{field} {operator}' is empty")
        return _checked(Comparison(name, operator, value))

    def _kind(self) -> str:
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def _next(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def _takes(self, kind: str, text: str) -> bool:
        if self._kind() == kind and self._next().casefold() == text:
            self.at += 1
            return True
        return False

    def _taken(self, kind: str, what: str) -> str:
        if self._kind() != kind:
            raise self.wrong(what)
        self.at += 1
        return self.tokens[self.at - 1].text

    def wrong(self, what: str) -> UsageError:
        """Return the error for another token than the one wanted."""
        there = f"not {self._next()[:40]!r}" if self.at < len(self.tokens) else "and it ends there"
        return UsageError(f"where: {what} is wanted, {there}; as in: date >= 2024 and type = report")


def _checked(comparison: Comparison) -> Comparison:
    """Return a comparison. Raises UsageError for a value that a date or a period cannot have."""
    if comparison.field in ("date", "period") and comparison.operator != "~" and _span(comparison.value) is None:
        takes = "2023, 2023-08 or 2023-08-30" if comparison.field == "date" else "2023 or '2023 Q2'"
        raise UsageError(f"where: {comparison.field} is compared with {takes}, not {comparison.value[:40]!r}")
    return comparison


def _each(value: FieldValue) -> tuple[FieldValue, ...]:
    return value if isinstance(value, tuple) else (value,)


def _compare(held: FieldValue, operator: str, wanted: str) -> bool:
    """Compare a number with a number as such, everything else as texts, case aside."""
    if isinstance(held, int | float):
        try:
            return _ordered(float(held), operator, float(wanted.replace(",", "")))
        except ValueError:
            return False
    text, value = on_one_line(str(held)).casefold(), on_one_line(wanted).casefold()
    return value in text if operator == "~" else _ordered(text, operator, value)


def _ordered(held: Any, operator: str, wanted: Any) -> bool:
    """Compare two texts, or two numbers."""
    if operator in ("=", "~"):
        return bool(held == wanted)
    holds = {"<": held < wanted, ">": held > wanted, "<=": held <= wanted, ">=": held >= wanted}
    return bool(holds[operator])


def _kind(held: FieldValue, operator: str, wanted: str) -> bool:
    """Compare kinds: "10-K" is an annual report, "report" is every report, and a journal article is a paper."""
    if operator != "=":
        return _compare(held, operator, wanted)
    kinds = {*kinds_called(wanted), wanted.casefold()}
    words = {word for kind in (str(held), *kinds_called(str(held))) for word in kind.casefold().split()}
    return str(held).casefold() in kinds or {*wanted.casefold().split()} <= words


def _version(held: FieldValue, operator: str, wanted: str) -> bool:
    """Compare versions number by number: 2.10 comes after 2.9."""
    numbers = [[int(one) for one in _NUMBERS.findall(text)] for text in (str(held), wanted)]
    if operator == "~" or not all(numbers):
        return _compare(held, operator, wanted)
    is_less, is_more = numbers[0] < numbers[1], numbers[0] > numbers[1]
    return {"=": not is_less and not is_more, "<": is_less, ">": is_more, "<=": not is_more, ">=": not is_less}[
        operator
    ]


def _time(held: FieldValue, operator: str, wanted: str) -> bool:
    """Compare spans of time: 2024-03 is in 2024, after 2023, and not after 2024."""
    if operator == "~":
        return _compare(held, operator, wanted)
    here, there = _span(str(held)), _span(wanted)
    if here is None or there is None:
        return False
    holds = {
        "=": there[0] <= here[0] and here[1] <= there[1],
        "<": here[1] < there[0],
        "<=": here[1] <= there[1],
        ">": here[0] > there[1],
        ">=": here[0] >= there[0],
    }
    return holds[operator]


def _span(text: str) -> Days | None:
    """Return the first and the last day of a day, month, quarter, year or several of them; None for another text."""
    day, quarter = _DAY.fullmatch(text.strip()), _QUARTER.fullmatch(text.strip())
    if day is not None:
        return _days(int(day[1]), int(day[2] or 0), int(day[3] or 0))
    if quarter is not None:
        last = 3 * int(quarter[2])
        return f"{quarter[1]}-{last - 2:02}-01", f"{quarter[1]}-{last:02}-31"
    spans = [span for key in period_keys(text) if (span := _span(key) if key != text else None)]
    return (min(first for first, _ in spans), max(last for _, last in spans)) if spans else None


def _days(year: int, month: int, day: int) -> Days | None:
    if month > _MONTHS or day > _DAYS:
        return None
    first = f"{year:04}-{month or 1:02}-{day or 1:02}"
    return first, first if day else f"{year:04}-{month or 12:02}-31"


_HELD: dict[str, Callable[[FieldValue, str, str], bool]] = {
    "kind": _kind,
    "version": _version,
    "date": _time,
    "period": _time,
}
"""How fields are compared that are no plain texts."""
