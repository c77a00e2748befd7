"""Selectors of style sheets: which elements a rule is for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


Attributes = Mapping[str, "str | None"]
_TOKEN = re.compile(
    r"\s*([>+~])\s*|(\s+)|([a-zA-Z][\w-]*|\*)|\.(-?[_a-zA-Z\u0080-\uffff](?:[\w-]|\\.)*)|#((?:[\w-]|\\.)+)"
    r"|\[\s*([\w-]+)\s*(?:([~|^$*]?)=\s*[\"']?([^\"'\]]*?)[\"']?\s*[is]?\s*)?\]|(::?)([\w-]+)(\([^()]*(?:\([^()]*\)[^()]*)*\))?"
)
IS_LINK = ("href", "any", "")
_OLD_ELEMENTS = ("before", "after", "first-line", "first-letter")
_OPENS = frozenset(("hover", "focus", "focus-within", "focus-visible", "active", "target", "checked", "open", "not"))
"""States that a person or a script brings about."""


@dataclass(frozen=True, slots=True)
class Compound:
    """What one element must be: its name, its id, its classes and its attributes."""

    tag: str = ""
    id: str = ""
    classes: frozenset[str] = frozenset()
    attributes: tuple[tuple[str, str, str], ...] = ()

    @property
    def is_name(self) -> bool:
        """Whether it asks for the name of an element alone."""
        return not (self.id or self.classes or self.attributes)

    def fits(self, tag: str, attributes: Attributes) -> bool:
        """Return whether an element of this name and these attributes is meant."""
        if self.tag and self.tag != tag:
            return False
        if self.id and attributes.get("id") != self.id:
            return False
        if self.classes and not self.classes.issubset((attributes.get("class") or "").split()):
            return False
        return all(_holds(attributes, *one) for one in self.attributes)


def _holds(attributes: Attributes, name: str, how: str, wanted: str) -> bool:
    if name not in attributes:
        return False
    value = attributes[name] or ""
    if how == "any":
        return True
    tests = {
        "": value == wanted,
        "~": wanted in value.split(),
        "|": value == wanted or value.startswith(f"{wanted}-"),
        "^": bool(wanted) and value.startswith(wanted),
        "$": bool(wanted) and value.endswith(wanted),
        "*": bool(wanted) and wanted in value,
    }
    return tests[how]


@dataclass(slots=True)
class Selector:
    """`parts` are compounds from the right, each with what ties it to the one on its right."""

    parts: list[tuple[str, Compound]]
    weight: tuple[int, int, int]
    is_state: bool = False
    """Whether it holds only where a person or a script brings it about."""


def parse_selector(text: str) -> Selector | None:
    """Return a selector; None for one that is not understood, or is about no element."""
    reader = _SelectorReader()
    at = 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or not reader.take(match):
            return None
        at = match.end()
    return reader.selector()


@dataclass(slots=True)
class _SelectorReader:
    compounds: list[tuple[str, Compound]] = field(default_factory=list[tuple[str, Compound]])
    tie: str = ""
    tag: str = ""
    id: str = ""
    classes: set[str] = field(default_factory=set[str])
    attributes: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    is_state: bool = False
    is_any: bool = False

    def take(self, match: re.Match[str]) -> bool:
        tie, space, tag, class_, id_, attribute, how, value, colons, pseudo, _ = match.groups()
        if tie or space:
            self._end(tie or " ")
        elif tag:
            self.tag, self.is_any = ("" if tag == "*" else tag.lower()), True
        elif class_:
            self.classes.add(class_.replace("\\", ""))
        elif id_:
            self.id = id_.replace("\\", "")
        elif attribute:
            self.attributes.append((attribute.lower(), "any" if value is None else how, value or ""))
        else:
            return self._pseudo(colons, pseudo.lower())
        return True

    def _pseudo(self, colons: str, name: str) -> bool:
        if colons == "::" or name in _OLD_ELEMENTS:
            return False
        if name == "root":
            self.tag = "html"
        elif name in ("link", "any-link"):
            self.attributes.append(IS_LINK)
        elif name in _OPENS:
            self.is_state = self.is_any = True
        else:
            return False
        return True

    def _end(self, tie: str) -> None:
        self.compounds.append((self.tie, Compound(self.tag, self.id, frozenset(self.classes), (*self.attributes,))))
        self.tie, self.tag, self.id = tie, "", ""
        self.classes, self.attributes = set(), []

    def selector(self) -> Selector | None:
        self._end("")
        if not any((one.tag, one.id, one.classes, one.attributes, self.is_any) for _, one in self.compounds):
            return None
        ids = sum(bool(one.id) for _, one in self.compounds)
        classes = sum(len(one.classes) + len(one.attributes) for _, one in self.compounds)
        tags = sum(bool(one.tag) for _, one in self.compounds)
        ties = [tie for tie, _ in self.compounds[1:]] + [""]
        parts = [(tie, one) for tie, (_, one) in zip(ties, self.compounds, strict=True)]
        return Selector(parts[::-1], (ids, classes, tags), self.is_state)


def matches(parts: list[tuple[str, Compound]], node: LexborNode, tag: str, attributes: Attributes) -> bool:
    """Whether a selector holds of an element; siblings are looked at one by one, ancestors up to the first that fit."""
    if not parts[0][1].fits(tag, attributes):
        return False
    here: LexborNode | None = node
    for tie, compound in parts[1:]:
        here = _tied(here, tie, compound)
        if here is None:
            return False
    return True


def _tied(node: LexborNode | None, tie: str, compound: Compound) -> LexborNode | None:
    step = 0
    while node is not None and step < 200:
        node = node.parent if tie in (" ", ">") else node.prev
        if node is None:
            return None
        name = node.tag or ""
        if name.startswith("-"):
            continue
        step += 1
        if (not compound.tag or compound.tag == name) and (compound.is_name or compound.fits(name, node.attributes)):
            return node
        if tie in (">", "+"):
            return None
    return None
