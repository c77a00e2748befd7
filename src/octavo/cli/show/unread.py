"""What an `add` did not read, in a few lines: each file that failed, and the others summed up by ending and reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.document import number_of

if TYPE_CHECKING:
    from octavo.corpus.reports import AddReport

_NAMED = 20
"""Files that failed which are named one by one."""
_SUMS = 8
"""Endings in one line."""
_LONGEST_ENDING = 12
_WHY = {
    "format": ("not a document", "not documents"),
    "no_text": ("a picture without text", "pictures without text"),
    "hidden": ("hidden", "hidden"),
    "link": ("link to a folder", "links to folders"),
    "closed": ("folder that may not be read", "folders that may not be read"),
    "too_large": ("too large", "too large"),
    "too_many_pages": ("too many pages", "too many pages"),
    "no_pages": ("no pages", "no pages"),
    "password": ("the password is wrong", "the password is wrong"),
    "timeout": ("took too long", "took too long"),
    "crashed": ("broke its reader", "broke their reader"),
    "bug": ("an error inside Octavo", "errors inside Octavo"),
    "quarantined": ("left alone", "left alone"),
}
"""What a reason is called, of one file and of several; others are called by their word."""


def unread(report: AddReport, *, is_verbose: bool = False, before: str = "") -> Iterator[str]:
    """Yield a line for each file that failed, `before` first, or was read in part, then a sum of all that was not read.

    Beyond twenty failures the rest is in the sum only, unless `is_verbose`, which names what was left out too.
    """
    for failure in report.failed[: None if is_verbose else _NAMED]:
        yield before + failure.message
    for info in report.damaged:
        yield f"{info.path} is damaged: {info.damage}; copy or download it again"
    if is_verbose:
        for one in report.left_out:
            yield f"{one.path} is left out: {_why(one.reason, 1)}"
    if report.left_out or len(report.failed) > _NAMED:
        yield _sum(report, is_verbose=is_verbose)


def _sum(report: AddReport, *, is_verbose: bool) -> str:
    """Return "12 files not read: 5 .exe (not documents), 3 .png (pictures without text), ..."."""
    counts = Counter((_ending(one.path, one.reason), one.reason) for one in (*report.failed, *report.left_out))
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    told = [
        f"{count:,} {ending} ({_why(reason, count)})" if ending else f"{count:,} {_why(reason, count)}"
        for (ending, reason), count in ranked[:_SUMS]
    ]
    if rest := sum(count for _, count in ranked[_SUMS:]):
        told.append(f"{rest:,} more")
    advice = "" if is_verbose else "; 'octavo add --verbose' names them all"
    return f"{number_of(counts.total(), 'file')} not read: {', '.join(told)}{advice}"


def _ending(path: str, reason: str) -> str:
    """Return the ending of a file's name; "" where the reason says enough."""
    if reason in ("hidden", "link", "closed"):
        return ""
    ending = Path(path).suffix.lower()
    return ending if 1 < len(ending) <= _LONGEST_ENDING else "without an ending"


def _why(reason: str, count: int) -> str:
    return _WHY.get(reason, (reason, reason))[count > 1]
