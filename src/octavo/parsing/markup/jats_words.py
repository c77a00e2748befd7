"""The words of elements of JATS."""

from __future__ import annotations

from collections.abc import Iterator

from octavo.parsing.flow import tidy
from octavo.parsing.package import Element

NOT_SAID = ("tex-math", "annotation", "annotation-xml", "inline-graphic", "object-id", "table-wrap", "fig", "fn")
"""Elements whose words are not part of the text around them."""
_DEEPEST = 60


def name_of(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


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
        elif name == "alternatives":
            chosen = next((inner for inner in one if name_of(inner) in ("math", "textual-form")), None)
            chosen = chosen if chosen is not None else next((i for i in one if name_of(i) == "tex-math"), None)
            if chosen is not None:
                yield from pieces(chosen, depth + 1)
        elif name not in NOT_SAID and depth < _DEEPEST:
            yield from pieces(one, depth + 1)
        yield one.tail or ""


def said_apart(element: Element | None) -> str:
    """Return the words of an element whose parts are paragraphs."""
    return "" if element is None else tidy(" ".join([element.text or "", *(said(one) for one in element)]))
