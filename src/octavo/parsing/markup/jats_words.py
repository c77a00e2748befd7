"""The words of elements of JATS."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.parsing.flow import tidy
from octavo.parsing.markup.latex_text import formula
from octavo.parsing.mathml import MATHML, linear
from octavo.parsing.package import Element, name_of

NOT_SAID = ("annotation", "annotation-xml", "inline-graphic", "object-id", "table-wrap", "fig", "fn")
"""Elements whose words are not part of the text around them."""
_FORMULAS = ("math", "textual-form", "tex-math")
_DEEPEST = 60


def first(element: Element | None, *path: str) -> Element | None:
    """Return the first element down a path of names."""
    for name in path:
        if element is None:
            return None
        element = next((one for one in element if name_of(one) == name), None)
    return element


def said(element: Element | None) -> str:
    """Return the words of an element on one line; formulas by their characters, notes left out."""
    return "" if element is None else tidy("".join(pieces(element, 0)))


def pieces(element: Element, depth: int) -> Iterator[str]:
    """Yield the words of an element in order, of a formula in several forms those in MathML."""
    yield element.text or ""
    for one in element:
        name = name_of(one)
        if name == "break":
            yield " "
        elif name in _FORMULAS:
            yield _formula(one)
        elif name == "alternatives":
            forms = {name_of(inner): inner for inner in reversed(list(one))}
            yield next((_formula(forms[form]) for form in _FORMULAS if form in forms), "")
        elif name not in NOT_SAID and depth < _DEEPEST:
            yield from pieces(one, depth + 1)
        yield one.tail or ""


def _formula(element: Element) -> str:
    """Return a formula as it can be read on a line."""
    if element.tag == f"{MATHML}math":
        return linear(element)
    text = "".join(element.itertext())
    if name_of(element) != "tex-math":
        return text
    inside = text.partition(r"\begin{document}")[2].partition(r"\end{document}")[0] or text
    return formula(inside.replace("$", " "))


def said_apart(element: Element | None) -> str:
    """Return the words of an element whose parts are paragraphs."""
    return "" if element is None else tidy(" ".join([element.text or "", *(said(one) for one in element)]))
