"""OpenDocument files of all kinds (OASIS, version 1.3): the parts of a file and what it says of itself."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from functools import cached_property

from octavo_documents.document import Kind
from octavo_documents.parsing.embedded_objects import unwrapped
from octavo_documents.parsing.flow import CarriedFile, FlowBlock, NoText, attached, collapse_whitespace
from octavo_documents.parsing.odf_decryption import is_encrypted
from octavo_documents.parsing.office.odf_forms import fields_of
from octavo_documents.parsing.office.odf_names import DC, META, OFFICE
from octavo_documents.parsing.open_xml import Properties
from octavo_documents.parsing.package import ZIP_MARK, Element, Package, xml_of
from octavo_documents.parsing.pictures_inside import PicturesInside

_ENCRYPTED = "it is encrypted; give its password with --password"


class OpenDocument:
    """A file in OpenDocument. `roots` are those that hold styles, the content's own last."""

    def __init__(self, data: bytes, body: str) -> None:
        """Open a file whose body is the element `body` ("text"). Raises NoText."""
        self._package = None if _is_flat(data) else Package(data)
        if self._package is not None and is_encrypted(self._package):
            raise NoText(_ENCRYPTED, "encrypted")
        self.content = xml_of(data) if self._package is None else self._package.xml("content.xml")
        self.roots = [*self._roots("styles.xml"), self.content]
        found = self.content.find(f"{OFFICE}body/{OFFICE}{body}")
        if found is None:
            raise NoText("it is a file of another program under this ending")
        self.body = found
        self._pictures = None if self._package is None else PicturesInside(self._package)
        self._objects: dict[str, None] = {}

    @cached_property
    def fields(self) -> Mapping[str, str]:
        """What the fields of its forms show, by the names that drawings call them by."""
        return fields_of(self.roots)

    def properties(self) -> Properties:
        """Return what the file says of itself."""
        for root in [*self._roots("meta.xml"), self.content]:
            said = root.find(f"{OFFICE}meta")
            if said is not None:
                author = _said(said, f"{META}initial-creator") or _said(said, f"{DC}creator")
                return Properties(_said(said, f"{DC}title"), author, _said(said, f"{META}creation-date"))
        return Properties()

    def object(self, href: str) -> Element | None:
        """Return the root of an object that is kept in the file; None for other objects and damaged ones."""
        name = f"{href.removeprefix('./').strip('/')}/content.xml"
        try:
            return self._package.xml(name, doctype=True) if self._package and name in self._package else None
        except NoText:
            return None

    def picture(self, href: str, about: str) -> FlowBlock | None:
        """Return the figure of a picture in the file, with what is written about it; None where there is neither."""
        if self._pictures is None:
            return FlowBlock(Kind.FIGURE, about) if about else None
        return self._pictures.block(href.removeprefix("./"), about)

    def carries(self, href: str) -> bool:
        """Note that an object of another program is shown; tell whether it is in the file."""
        name = href.removeprefix("./")
        if self._package is None or not name or name not in self._package:
            return False
        self._objects[name] = None
        return True

    def carried(self) -> Iterator[FlowBlock]:
        """Yield the headings of the objects of other programs that are shown in the file, each once."""
        package = self._package
        if package is None:
            return
        for name in self._objects:
            try:
                yield attached(unwrapped(posixpath.basename(name), package.read(name)), 1)
            except NoText:
                yield attached(CarriedFile(posixpath.basename(name)), 1)

    def _roots(self, name: str) -> Iterator[Element]:
        if self._package is not None and name in self._package:
            yield self._package.xml(name)


def _is_flat(data: bytes) -> bool:
    return not data.startswith(ZIP_MARK[:2]) and b"office:document" in data[:4096]


def _said(meta: Element, name: str) -> str:
    found = meta.find(name)
    return "" if found is None else collapse_whitespace("".join(found.itertext()))
