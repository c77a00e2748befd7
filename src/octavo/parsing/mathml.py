"""MathML as text on one line, in the same form as formulas of Office: (a + b)/c, x^2, √(y)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from octavo.parsing.flow import tidy
from octavo.parsing.package import Element, name_of

MATHML = "{http://www.w3.org/1998/Math/MathML}"
_DEEPEST = 80
_LONGEST_WORD = 40
_RAISED = re.compile(r"[_^/]\w+$")
UNSEEN: Mapping[int, str | None] = {0x2061: " ", 0x2062: None, 0x2063: None, 0x2064: None, 0x200B: None}
"""Signs that are not seen: that a function is applied, that something is multiplied."""


def linear(node: Element, depth: int = 0) -> str:
    """Return what a formula, or a part of one, says."""
    name = name_of(node)
    if depth > _DEEPEST:
        return "".join(node.itertext())
    if name in ("annotation", "annotation-xml", "mphantom"):
        return ""
    parts = [linear(one, depth + 1) for one in node]
    if not parts:
        return tidy((node.text or "").translate(UNSEEN))
    make = _FORMS.get(name)
    return make(parts) if make else joined(parts)


def grouped(text: str) -> str:
    """Return a part of a formula so that it reads as one: in brackets unless it is a word or has some already."""
    text = text.strip()
    is_bracketed = text[:1] in "([{" and text[-1:] in ")]}" and text.count(text[:1]) == 1
    is_one = len(text) < 2 or text.isalpha() or text.isdecimal()
    return text if is_one or is_bracketed else f"({text})"


def joined(parts: Sequence[str]) -> str:
    """Return parts one after the other, with a space where one would seem to belong to the one before: "x^2 y"."""
    found = ""
    for part in parts:
        start = max(len(found) - _LONGEST_WORD, 0)
        runs_on = part[:1].isalnum() and _RAISED.search(found, start) is not None
        found += f" {part}" if runs_on else part
    return found


def _fraction(parts: Sequence[str]) -> str:
    return "/".join(map(grouped, parts))


def _raised(parts: Sequence[str]) -> str:
    return grouped(parts[0]) + "".join(f"^{grouped(one)}" for one in parts[1:] if one)


def _lowered(parts: Sequence[str]) -> str:
    return grouped(parts[0]) + "".join(f"_{grouped(one)}" for one in parts[1:] if one)


def _both(parts: Sequence[str]) -> str:
    signs = ("_", "^")
    return grouped(parts[0]) + "".join(
        f"{sign}{grouped(one)}" for sign, one in zip(signs, parts[1:], strict=False) if one
    )


def _root(parts: Sequence[str]) -> str:
    return f"root {parts[1]} of ({parts[0]})" if len(parts) > 1 else f"√({parts[0]})"


def _rows(parts: Sequence[str]) -> str:
    return f"[{'; '.join(parts)}]"


_FORMS: Mapping[str, Callable[[Sequence[str]], str]] = {
    "mfrac": _fraction,
    "msup": _raised,
    "mover": _raised,
    "msub": _lowered,
    "munder": _lowered,
    "msubsup": _both,
    "munderover": _both,
    "msqrt": lambda parts: f"√({joined(parts)})",
    "mroot": _root,
    "mfenced": lambda parts: f"({', '.join(parts)})",
    "mtable": _rows,
    "mtr": ", ".join,
    "semantics": lambda parts: parts[0],
}
