"""Packages of Office Open XML (ECMA-376, part 2): parts, relationships between them, and properties.

The names of the strict variant are turned into those of the transitional one, so that readers know only these; those of
sheets look for names in any namespace.
"""

from __future__ import annotations

import codecs
import posixpath
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from octavo_documents.parsing.flow import NoText, collapse_whitespace
from octavo_documents.parsing.package import Element, Package, name_of, xml_of

_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/"
_ENCODED = re.compile(rb"\A<\?xml[^>]*>")
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_EXTERNAL = "External"
_NAMES_NOTHING = re.compile(
    r"(powerpoint|word) (presentation|document)|presentation|untitled|microsoft word - .*", re.I
)
R_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
R_EMBED = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed"
R_DATA = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}dm"
CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
ALTERNATE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
"""The same thing in several ways: the first is that of the newest programs."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part refers to: the last word of the relation's type ("image"), and the name of the other part."""

    type: str
    target: str


@dataclass(frozen=True, slots=True)
class Properties:
    """What a file says of itself; each "" where it says nothing."""

    title: str = ""
    author: str = ""
    created: str = ""


class OpenXml:
    """A file in Office Open XML."""

    def __init__(self, data: bytes, root: str) -> None:
        """Open a file whose main part has the element `root`. Raises NoText."""
        self.package = Package(data)
        self._relations: dict[str, Mapping[str, Relation]] = {}
        self.name = self.first("", "officeDocument")
        if not self.name:
            raise NoText("its main part is missing", "damaged")
        self.main = self.xml(self.name)
        if self.main.tag != root:
            raise NoText("it is a file of another program under this ending")

    def xml(self, name: str) -> Element:
        """Return the root of a part. Raises NoText (`damaged`)."""
        data = self.package.read(name)
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            data = _ENCODED.sub(b"", data.decode("utf-16", "replace").encode())
        return xml_of(_STRICT.sub(_TRANSITIONAL, data) if b"purl.oclc.org" in data else data, name=name)

    def relations(self, part: str) -> Mapping[str, Relation]:
        """Return what a part ("" for the file) refers to inside the file, by the id of the relation."""
        if part not in self._relations:
            self._relations[part] = relations_of(self.package, part, self.xml)
        return self._relations[part]

    def first(self, part: str, kind: str) -> str:
        """Return the name of the first part of a type that a part refers to; "" where it has none."""
        found = (one.target for one in self.relations(part).values() if one.type == kind)
        return next((target for target in found if target in self.package), "")

    def related(self, part: str, kind: str) -> Element | None:
        """Return the root of the first part of a type that a part refers to. Raises NoText (`damaged`)."""
        name = self.first(part, kind)
        return self.xml(name) if name else None

    def linked(self, part: str, id_: str | None) -> str:
        """Return the name of the part that is referred to by an id; "" where there is none."""
        found = self.relations(part).get(id_ or "")
        return found.target if found and found.target in self.package else ""

    def properties(self) -> Properties:
        """Return what the file says of itself; nothing where that part is damaged."""
        try:
            core = self.related("", "core-properties")
        except NoText:
            core = None
        if core is None:
            return Properties()
        said = {name_of(one): collapse_whitespace(one.text or "") for one in core}
        title = "" if _NAMES_NOTHING.fullmatch(said.get("title", "")) else said.get("title", "")
        return Properties(title, said.get("creator", ""), said.get("created", ""))


def relations_of(package: Package, part: str, xml: Callable[[str], Element]) -> Mapping[str, Relation]:
    """Return what a part ("" for the file) refers to inside the file, by the id of the relation; `xml` reads a part."""
    folder, _, name = part.rpartition("/")
    source = posixpath.join(folder, "_rels", f"{name}.rels")
    if source not in package:
        return {}
    return {
        one.get("Id", ""): Relation(one.get("Type", "").rpartition("/")[2], _resolved(folder, one.get("Target", "")))
        for one in xml(source).iter(_RELATION)
        if one.get("TargetMode") != _EXTERNAL
    }


def _resolved(folder: str, target: str) -> str:
    return posixpath.normpath(posixpath.join("/", folder, unquote(target.replace("\\", "/")))).lstrip("/")


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
