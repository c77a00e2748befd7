"""The numbers that Word prints before headings and list items, counted as it does (ECMA-376 part 1, 17.9)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from octavo.parsing.office.docx_styles import VAL, NumberOf, Styles, W
from octavo.parsing.office.numerals import BULLET, numeral
from octavo.parsing.package import Element

_LEVELS = 9
_PLACE = re.compile(r"%([1-9])")
_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level of a list is numbered. `after`: up to which level (from 1) others start it anew; 0 for none."""

    start: int = 1
    form: str = "decimal"
    text: str = ""
    style: str = ""
    after: int | None = None
    legal: bool = False


@dataclass(slots=True)
class _List:
    """A list as it is defined, with the number that each level has reached."""

    levels: list[_Level]
    linked: str = ""
    """The style of lists that it stands for."""
    counts: list[int | None] = field(default_factory=lambda: [None] * _LEVELS)


@dataclass(frozen=True, slots=True)
class _Use:
    """A list as paragraphs refer to it: by which definition, started where, and levels of its own."""

    definition: str
    starts: Mapping[int, int]
    levels: Mapping[int, _Level]


class Numbering:
    """Counts the numbered paragraphs of a document, asked in their order."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._lists: dict[str, _List] = {}
        self._uses: dict[str, _Use] = {}
        self._started: set[tuple[str, int]] = set()
        for one in root.iterchildren(f"{W}abstractNum") if root is not None else ():
            link = one.find(f"{W}numStyleLink")
            levels = _levels(one)
            defined = [levels.get(at, _Level()) for at in range(_LEVELS)]
            self._lists[one.get(f"{W}abstractNumId", "")] = _List(defined, "" if link is None else link.get(VAL, ""))
        for one in root.iterchildren(f"{W}num") if root is not None else ():
            self._uses[one.get(f"{W}numId", "")] = _use(one)

    def level_of(self, number: NumberOf) -> int | None:
        """Return the level (0-based) at which a paragraph is numbered; None where it is not."""
        found = self._list(number.list_id)
        if found is None:
            return None
        if number.level is not None:
            return number.level
        return next((at for at, level in enumerate(found.levels) if level.style and level.style == number.style), 0)

    def next(self, number: NumberOf) -> str:
        """Count a paragraph and return what is printed before it: "1.2", "(a)"; "" for a bullet."""
        found, level = self._list(number.list_id), self.level_of(number)
        if found is None or level is None:
            return ""
        use = self._uses[number.list_id]
        shown = [use.levels.get(at, one) for at, one in enumerate(found.levels)]
        self._count(found, shown, number.list_id, level)
        if shown[level].form == BULLET:
            return ""
        return _printed(shown, found.counts, level)

    def _count(self, found: _List, shown: list[_Level], list_id: str, level: int) -> None:
        begun, own = found.counts[level], self._uses[list_id].starts.get(level)
        if own is not None and (list_id, level) not in self._started:
            found.counts[level] = own
        else:
            found.counts[level] = shown[level].start if begun is None else begun + 1
        self._started.add((list_id, level))
        for below in range(level + 1, _LEVELS):
            after = shown[below].after
            if after is None or level < after:
                found.counts[below] = None
        for above in range(level):
            if found.counts[above] is None:
                found.counts[above] = shown[above].start

    def _list(self, list_id: str) -> _List | None:
        use = self._uses.get(list_id)
        found = self._lists.get(use.definition) if use else None
        if found is not None and found.linked:
            other = self._uses.get(self._styles.numbered_by(found.linked))
            found = self._lists.get(other.definition, found) if other else found
        return found


def _levels(node: Element) -> dict[int, _Level]:
    return {_number(one.get(f"{W}ilvl", "")) % _LEVELS: _level(one) for one in node.iterchildren(f"{W}lvl")}


def _level(node: Element) -> _Level:
    said = {one.tag[len(W) :]: one.get(VAL, "") for one in node}
    return _Level(
        start=_number(said.get("start", "0")),
        form=said.get("numFmt", "decimal"),
        text=said.get("lvlText", ""),
        style=said.get("pStyle", ""),
        after=_number(said["lvlRestart"]) if "lvlRestart" in said else None,
        legal="isLgl" in said and said["isLgl"] not in ("0", "false"),
    )


def _use(node: Element) -> _Use:
    definition = node.find(f"{W}abstractNumId")
    starts: dict[int, int] = {}
    levels: dict[int, _Level] = {}
    for one in node.iterchildren(f"{W}lvlOverride"):
        at = _number(one.get(f"{W}ilvl", "")) % _LEVELS
        start, level = one.find(f"{W}startOverride"), one.find(f"{W}lvl")
        if level is not None:
            levels[at] = _level(level)
        if start is not None:
            starts[at] = _number(start.get(VAL, ""))
            if at in levels:
                levels[at] = replace(levels[at], start=starts[at])
    return _Use("" if definition is None else definition.get(VAL, ""), starts, levels)


def _number(text: str) -> int:
    return min(int(text), _LARGEST) if text.isdecimal() and len(text) < 12 else 0


def _printed(shown: list[_Level], counts: list[int | None], level: int) -> str:
    is_legal = shown[level].legal

    def one(match: re.Match[str]) -> str:
        at = int(match[1]) - 1
        value = counts[at]
        form = "decimal" if is_legal and shown[at].form != "decimalZero" else shown[at].form
        return "" if value is None else numeral(value, form)

    return _PLACE.sub(one, shown[level].text).strip()
