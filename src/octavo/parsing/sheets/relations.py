"""Parts of OOXML and the ties between them, in whatever namespace: strict files use others than transitional ones."""

from __future__ import annotations

from octavo.parsing.office.opc import relations_of
from octavo.parsing.package import Element, Package, name_of


def relations(package: Package, part: str) -> dict[str, list[str]]:
    """Return the parts that a part is tied to, by the last word of the tie's type and by its id."""
    found: dict[str, list[str]] = {}
    for id_, one in relations_of(package, part, package.xml).items():
        found.setdefault(one.type, []).append(one.target)
        found[id_] = [one.target]
    return found


def child(element: Element | None, name: str) -> Element | None:
    """Return the first child of this name in any namespace."""
    return None if element is None else next((one for one in element if name_of(one) == name), None)


def children(element: Element, name: str) -> list[Element]:
    """Return what stands in the first child of this name; nothing where there is none."""
    found = child(element, name)
    return [] if found is None else list(found)


def attribute(element: Element, name: str) -> str:
    """Return an attribute by its name in any namespace, "" where there is none."""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")
