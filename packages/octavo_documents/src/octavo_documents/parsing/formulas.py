"""Formulas of MathML and of Office (OMML, ECMA-376 part 1, 22.1) as text on one line: (a + b)/c, x^2, √(y)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from octavo_documents.parsing.flow import collapse_whitespace
from octavo_documents.parsing.package import Element, name_of

MATHML = "{http://www.w3.org/1998/Math/MathML}"
_DEEPEST = 80
_LONGEST_WORD = 40
_SIGNED = re.compile(r"[-−+]\d+")
_RAISED = re.compile(r"[_^/]\w+$")
_UNSEEN: Mapping[int, str | None] = {0x2061: " ", 0x2062: None, 0x2063: None, 0x2064: None, 0x200B: None}
"""Signs that are not seen: that a function is applied, that something is multiplied."""


def of_mathml(node: Element, depth: int = 0) -> str:
    """Return what a formula, or a part of one, says."""
    name = name_of(node)
    if depth > _DEEPEST:
        return "".join(node.itertext())
    if name in ("annotation", "annotation-xml", "mphantom"):
        return ""
    parts = [of_mathml(one, depth + 1) for one in node]
    if not parts:
        return collapse_whitespace((node.text or "").translate(_UNSEEN))
    make = _FORMS.get(name)
    return make(parts) if make else _joined(parts)


def _grouped(text: str) -> str:
    """Return a part of a formula so that it reads as one: in brackets unless it is a word or has some already."""
    text = text.strip()
    is_bracketed = text[:1] in "([{" and text[-1:] in ")]}" and text.count(text[:1]) == 1
    is_one = len(text) < 2 or text.isalpha() or text.isdecimal()
    return text if is_one or is_bracketed else f"({text})"


def _joined(parts: Sequence[str]) -> str:
    """Return parts one after the other, with a space where one would seem to belong to the one before: "x^2 y"."""
    found = ""
    for part in parts:
        start = max(len(found) - _LONGEST_WORD, 0)
        runs_on = part[:1].isalnum() and _RAISED.search(found, start) is not None
        found += f" {part}" if runs_on else part
    return found


def _fraction(parts: Sequence[str]) -> str:
    return "/".join(map(_grouped, parts))


def _exponent(text: str) -> str:
    """Return what stands raised after a caret; a number with a sign needs no brackets."""
    return text.strip() if _SIGNED.fullmatch(text.strip()) else _grouped(text)


def _raised(parts: Sequence[str]) -> str:
    return _grouped(parts[0]) + "".join(f"^{_exponent(one)}" for one in parts[1:] if one)


def _lowered(parts: Sequence[str]) -> str:
    return _grouped(parts[0]) + "".join(f"_{_grouped(one)}" for one in parts[1:] if one)


def _both(parts: Sequence[str]) -> str:
    signs = ("_", "^")
    return _grouped(parts[0]) + "".join(
        f"{sign}{_grouped(one)}" for sign, one in zip(signs, parts[1:], strict=False) if one
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
    "msqrt": lambda parts: f"√({_joined(parts)})",
    "mroot": _root,
    "mfenced": lambda parts: f"({', '.join(parts)})",
    "mtable": _rows,
    "mtr": ", ".join,
    "semantics": lambda parts: parts[0],
}


M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
FORMULA, FORMULAS = f"{M}oMath", f"{M}oMathPara"
_DEEPEST_OMML = 60


def of_omml(formula: Element, depth: int = 0) -> str:
    """Return what a formula, or a part of one, says."""
    if depth > _DEEPEST_OMML:
        return "".join(formula.itertext())
    return _joined([_one(child, depth) for child in formula])


def _one(node: Element, depth: int) -> str:
    if not node.tag.startswith(M):
        return of_omml(node, depth + 1) if len(node) else (node.text or "").translate(_UNSEEN)
    name = node.tag[len(M) :]
    if name == "t":
        return (node.text or "").translate(_UNSEEN)
    make = _OMML_FORMS.get(name)
    if make:
        return make(node, depth + 1)
    return "" if name.endswith("Pr") else of_omml(node, depth + 1)


def _part(node: Element, name: str, depth: int) -> str:
    found = node.find(M + name)
    return "" if found is None else collapse_whitespace(of_omml(found, depth))


def _sign(node: Element, name: str, default: str) -> str:
    """Return a sign that a formula's properties name, the default where they do not."""
    found = node.find(f"{M}{node.tag[len(M) :]}Pr/{M}{name}")
    return default if found is None else found.get(f"{M}val", default)


def _omml_fraction(node: Element, depth: int) -> str:
    above, below = _part(node, "num", depth), _part(node, "den", depth)
    if _sign(node, "type", "bar") == "noBar":
        return f"{above} choose {below}"
    return f"{_grouped(above)}/{_grouped(below)}"


def _omml_raised(node: Element, depth: int) -> str:
    text = _grouped(_part(node, "e", depth))
    below, above = _part(node, "sub", depth), _part(node, "sup", depth)
    return text + (f"_{_grouped(below)}" if below else "") + (f"^{_exponent(above)}" if above else "")


def _omml_root(node: Element, depth: int) -> str:
    degree, under = _part(node, "deg", depth), _part(node, "e", depth)
    return f"{f'root {degree} of ' if degree else '√'}({under})"


def _sum(node: Element, depth: int) -> str:
    sign = _sign(node, "chr", "∫")
    below, above = _part(node, "sub", depth), _part(node, "sup", depth)
    bounds = (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")
    return f"{sign}{bounds} {_part(node, 'e', depth)}"


def _bracketed(node: Element, depth: int) -> str:
    inside = _sign(node, "sepChr", "|").join(collapse_whitespace(of_omml(one, depth)) for one in node.findall(f"{M}e"))
    return f"{_sign(node, 'begChr', '(')}{inside}{_sign(node, 'endChr', ')')}"


def _function(node: Element, depth: int) -> str:
    name, argument = _part(node, "fName", depth), _part(node, "e", depth)
    return f"{name}{argument}" if argument[:1] in "([{|" else f"{name} {argument}"


def _accented(node: Element, depth: int) -> str:
    return _part(node, "e", depth) + _sign(node, "chr", "\u0302")


def _limit(node: Element, depth: int) -> str:
    sign = "_" if node.tag.endswith("limLow") else "^"
    return f"{_part(node, 'e', depth)}{sign}{_grouped(_part(node, 'lim', depth))}"


def _matrix(node: Element, depth: int) -> str:
    rows = (
        ", ".join(collapse_whitespace(of_omml(one, depth)) for one in row.findall(f"{M}e"))
        for row in node.findall(f"{M}mr")
    )
    return f"[{'; '.join(rows)}]"


def _equations(node: Element, depth: int) -> str:
    return "; ".join(collapse_whitespace(of_omml(one, depth)) for one in node.findall(f"{M}e"))


def _lines(node: Element, depth: int) -> str:
    return "; ".join(collapse_whitespace(of_omml(one, depth)) for one in node.findall(FORMULA))


_OMML_FORMS: Mapping[str, Callable[[Element, int], str]] = {
    "f": _omml_fraction,
    "sSup": _omml_raised,
    "sSub": _omml_raised,
    "sSubSup": _omml_raised,
    "rad": _omml_root,
    "nary": _sum,
    "d": _bracketed,
    "func": _function,
    "acc": _accented,
    "limLow": _limit,
    "limUpp": _limit,
    "m": _matrix,
    "eqArr": _equations,
    "oMathPara": _lines,
}
