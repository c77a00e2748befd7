"""Formulas of Office (OMML, ECMA-376 part 1, 22.1) as text on one line: (a + b)/c, x^2, √(y)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from octavo.parsing.flow import tidy
from octavo.parsing.mathml import UNSEEN, grouped, joined
from octavo.parsing.package import Element

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
FORMULA, FORMULAS = f"{M}oMath", f"{M}oMathPara"
_DEEPEST = 60


def linear(formula: Element, depth: int = 0) -> str:
    """Return what a formula, or a part of one, says."""
    if depth > _DEEPEST:
        return "".join(formula.itertext())
    return joined([_one(child, depth) for child in formula])


def _one(node: Element, depth: int) -> str:
    if not node.tag.startswith(M):
        return linear(node, depth + 1) if len(node) else (node.text or "").translate(UNSEEN)
    name = node.tag[len(M) :]
    if name == "t":
        return (node.text or "").translate(UNSEEN)
    make = _FORMS.get(name)
    if make:
        return make(node, depth + 1)
    return "" if name.endswith("Pr") else linear(node, depth + 1)


def _part(node: Element, name: str, depth: int) -> str:
    found = node.find(M + name)
    return "" if found is None else tidy(linear(found, depth))


def _sign(node: Element, name: str, default: str) -> str:
    """Return a sign that a formula's properties name, the default where they do not."""
    found = node.find(f"{M}{node.tag[len(M) :]}Pr/{M}{name}")
    return default if found is None else found.get(f"{M}val", default)


def _fraction(node: Element, depth: int) -> str:
    above, below = _part(node, "num", depth), _part(node, "den", depth)
    if _sign(node, "type", "bar") == "noBar":
        return f"{above} choose {below}"
    return f"{grouped(above)}/{grouped(below)}"


def _raised(node: Element, depth: int) -> str:
    text = grouped(_part(node, "e", depth))
    below, above = _part(node, "sub", depth), _part(node, "sup", depth)
    return text + (f"_{grouped(below)}" if below else "") + (f"^{grouped(above)}" if above else "")


def _root(node: Element, depth: int) -> str:
    degree, under = _part(node, "deg", depth), _part(node, "e", depth)
    return f"{f'root {degree} of ' if degree else '√'}({under})"


def _sum(node: Element, depth: int) -> str:
    sign = _sign(node, "chr", "∫")
    below, above = _part(node, "sub", depth), _part(node, "sup", depth)
    bounds = (f"_{grouped(below)}" if below else "") + (f"^{grouped(above)}" if above else "")
    return f"{sign}{bounds} {_part(node, 'e', depth)}"


def _bracketed(node: Element, depth: int) -> str:
    inside = _sign(node, "sepChr", "|").join(tidy(linear(one, depth)) for one in node.findall(f"{M}e"))
    return f"{_sign(node, 'begChr', '(')}{inside}{_sign(node, 'endChr', ')')}"


def _function(node: Element, depth: int) -> str:
    name, argument = _part(node, "fName", depth), _part(node, "e", depth)
    return f"{name}{argument}" if argument[:1] in "([{|" else f"{name} {argument}"


def _accented(node: Element, depth: int) -> str:
    return _part(node, "e", depth) + _sign(node, "chr", "\u0302")


def _limit(node: Element, depth: int) -> str:
    sign = "_" if node.tag.endswith("limLow") else "^"
    return f"{_part(node, 'e', depth)}{sign}{grouped(_part(node, 'lim', depth))}"


def _matrix(node: Element, depth: int) -> str:
    rows = (", ".join(tidy(linear(one, depth)) for one in row.findall(f"{M}e")) for row in node.findall(f"{M}mr"))
    return f"[{'; '.join(rows)}]"


def _equations(node: Element, depth: int) -> str:
    return "; ".join(tidy(linear(one, depth)) for one in node.findall(f"{M}e"))


def _lines(node: Element, depth: int) -> str:
    return "; ".join(tidy(linear(one, depth)) for one in node.findall(FORMULA))


_FORMS: Mapping[str, Callable[[Element, int], str]] = {
    "f": _fraction,
    "sSup": _raised,
    "sSub": _raised,
    "sSubSup": _raised,
    "rad": _root,
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
