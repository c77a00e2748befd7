"""Parts of OOXML and the ties between them, in whatever namespace: strict files use others than transitional ones."""

from __future__ import annotations

import posixpath

from octavo.parsing.package import Element, Package


def relations(package: Package, part: str) -> dict[str, list[str]]:
    """Return the parts that a part is tied to, by the last word of the tie's type and by its id."""
    folder, name = posixpath.split(part)
    path = posixpath.join(folder, "_rels", f"{name}.rels")
    found: dict[str, list[str]] = {}
    if path not in package:
        return found
    for one in package.xml(path):
        if one.get("TargetMode", "") == "External":
            continue
        target = one.get("Target", "")
        full = posixpath.normpath(target.lstrip("/") if target.startswith("/") else posixpath.join(folder, target))
        found.setdefault(one.get("Type", "").rpartition("/")[2], []).append(full)
        found[one.get("Id", "")] = [full]
    return found


def name_of(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


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
