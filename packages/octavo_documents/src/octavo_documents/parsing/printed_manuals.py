"""Headings and terms of manual pages that were printed as text: what stands further left than the lines under it.

NAME
       lamp - lights the tower

OPTIONS
       -o, --oil KIND
           The oil that burns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from octavo_documents.document import Kind
from octavo_documents.parsing.flow import FlowBlock, collapse_whitespace

_LEAST = 3
"""Headings in capitals at the margin, with lines indented under them, that make a file a manual."""
_DEEPEST = 6
_LONGEST = 80


def is_manual(groups: Sequence[Sequence[str]]) -> bool:
    """Return whether lines between blank ones are those of a manual page."""
    heads = [group for group in groups if _opens(group) and _indent(group[0]) == 0 and group[0].upper() == group[0]]
    return len(heads) >= _LEAST and sum(map(_is_indented, groups)) >= 0.7 * len(groups)


def _is_indented(group: Sequence[str]) -> bool:
    return all(_indent(line) for line in group[1:]) and (_indent(group[0]) > 0 or _opens(group))


def _opens(group: Sequence[str]) -> bool:
    """Return whether a group has a line that heads those under it: these stand further right."""
    return len(group) > 1 and _indent(group[0]) < min(map(_indent, group[1:])) and any(map(str.isalpha, group[0]))


def _indent(line: str) -> int:
    line = line.expandtabs(8)
    return len(line) - len(line.lstrip())


class Manual:
    """A manual page as it is read; `groups` are its lines between blank ones."""

    def __init__(self, groups: Sequence[Sequence[str]]) -> None:
        self._width = min(max(len(line.rstrip()) for group in groups for line in group), _LONGEST)
        heads = {_indent(line) for group in groups for line in group[: self._heads(group)]}
        self._levels = {indent: min(at, _DEEPEST) for at, indent in enumerate(sorted(heads), 1)}

    def headings(self, group: list[str]) -> tuple[list[FlowBlock], list[str]]:
        """Return the headings that a group of lines opens with, each further right than the last, and the rest."""
        count = self._heads(group)
        return [*self._blocks(group[:count])], group[count:]

    def _blocks(self, lines: Sequence[str]) -> Iterator[FlowBlock]:
        for line in lines:
            yield FlowBlock(Kind.HEADING, collapse_whitespace(line), self._levels[_indent(line)])

    def _heads(self, group: Sequence[str]) -> int:
        """Return how many lines of a group are headings: the next line's first word would have had room in each."""
        count = 0
        while _opens(group[count:]) and self._is_broken_on_purpose(group[count], group[count + 1]):
            count += 1
        return count

    def _is_broken_on_purpose(self, line: str, after: str) -> bool:
        is_whole = line.rstrip().endswith(("...", "…")) or not line.rstrip().endswith((".", ",", ";", ":", "!", "?"))
        return is_whole and len(line.rstrip()) + 1 + len(after.split()[0]) <= self._width
