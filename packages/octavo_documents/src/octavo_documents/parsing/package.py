"""Files that are a ZIP archive of XML parts, and XML itself, opened with suspicion.

What an archive says of itself is checked before anything in it is unpacked; nothing is written to disk, no archive in
an archive is opened. XML is read without entities, without a DTD and without the network. lxml is imported on use.
"""

from __future__ import annotations

import importlib
import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, overload

from octavo_documents.parsing import MEBIBYTE
from octavo_documents.parsing.flow import NoText


class Element(Protocol):
    """What is used of lxml's elements, which have no types of their own. Iterating yields the children."""

    @property
    def tag(self) -> str:
        """The name, "{NAMESPACE}NAME" where it has a namespace."""
        ...

    @property
    def text(self) -> str | None:
        """The text before the first child."""
        ...

    @property
    def tail(self) -> str | None:
        """The text from the end of it to the next element."""
        ...

    @property
    def attrib(self) -> Mapping[str, str]:
        """All attributes."""
        ...

    def __iter__(self) -> Iterator[Element]: ...

    def __len__(self) -> int: ...

    @overload
    def get(self, key: str) -> str | None: ...

    @overload
    def get(self, key: str, default: str) -> str: ...

    def find(self, path: str) -> Element | None:
        """Return the first element at a path below."""
        ...

    def findall(self, path: str) -> list[Element]:
        """Return the elements at a path below."""
        ...

    def iter(self, *tags: str) -> Iterator[Element]:
        """Yield it and all below it in order, or those of these names."""
        ...

    def iterchildren(self, *tags: str) -> Iterator[Element]:
        """Yield the children of these names."""
        ...

    def itertext(self, *tags: str) -> Iterator[str]:
        """Yield the pieces of text in it, in order."""
        ...

    def getparent(self) -> Element | None:
        """Return the element around it."""
        ...


class _Most:
    """What an archive may hold; beyond it the file is refused as too large."""

    ENTRIES = 20_000
    BYTES = 1024 * MEBIBYTE
    MEMBER_BYTES = 256 * MEBIBYTE
    RATIO = 200
    """Bytes unpacked for each packed one, of members above `RATIO_FROM`."""
    RATIO_FROM = 10 * MEBIBYTE


ZIP_MARK = b"PK\x03\x04"
"""What a ZIP archive begins with."""
OLE_MARK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What Word, Excel and PowerPoint files of before 2007 begin with, and encrypted ones of today."""
_ENTRY_MARK = b"PK\x01\x02"
ENCRYPTED_STREAM = "EncryptedPackage".encode("utf-16-le")
"""Stands in the directory of an encrypted office file."""
_IS_ENCRYPTED = 0x1
_KNOWN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DECLARATION = re.compile(rb"<!DOCTYPE[^>\[]*(\[)?")
_PASSWORD = "it is encrypted: open it with its program and save it without a password"  # noqa: S105  (a message)


class Package:
    """The parts of a file that is a ZIP archive, by their names in it ("word/document.xml"), in any case of letters."""

    def __init__(self, data: bytes) -> None:
        """Open an archive and check its directory. Raises NoText (`empty`, `format`, `damaged`, `encrypted`, ...)."""
        _check_start(data)
        if data.count(_ENTRY_MARK) > _Most.ENTRIES:
            raise NoText(f"it is an archive of more than {_Most.ENTRIES:,} entries", "too_large")
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError) as error:
            raise NoText(f"it is cut off or damaged ({error})", "damaged") from None
        entries = self._archive.infolist()
        _check_sizes(entries)
        self._entries = {name.lower(): entry for entry in entries if (name := _name(entry))}

    def __contains__(self, name: str) -> bool:
        """Whether there is a part of this name."""
        return name.lower() in self._entries

    def names(self) -> Iterator[str]:
        """Yield the names of all parts in the order of the archive, as they are written."""
        yield from map(_name, self._entries.values())

    def read(self, name: str) -> bytes:
        """Return the bytes of a part. Raises NoText (`damaged`, `encrypted`), also where there is none."""
        entry = self._entries.get(name.lower())
        if entry is None:
            raise NoText(f"its part {name} is missing", "damaged")
        if entry.flag_bits & _IS_ENCRYPTED:
            raise NoText(_PASSWORD, "encrypted")
        if entry.compress_type not in _KNOWN_METHODS:
            raise NoText(f"its part {name} is packed in a way that is not read", "damaged")
        try:
            return self._archive.read(entry)
        except (zipfile.BadZipFile, zlib.error, ValueError, NotImplementedError, OSError, EOFError) as error:
            raise NoText(f"its part {name} is damaged ({error})", "damaged") from None

    def xml(self, name: str, *, doctype: bool = False) -> Element:
        """Return the root of a part that is XML, as `xml_of` does. Raises NoText as `read` and `xml_of`."""
        return xml_of(self.read(name), name=name, doctype=doctype)


def name_of(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def xml_of(data: bytes, *, name: str = "", doctype: bool = False) -> Element:
    """Return the root element of XML; its comments and processing instructions are left out.

    `name` is that of the part for the message, `doctype` whether it may name a DTD, which is not loaded; one with
    declarations is never read. Raises NoText (`damaged`).
    """
    etree: Any = importlib.import_module("lxml.etree")
    what = f"its part {name}" if name else "it"
    found = _DECLARATION.search(data)
    if found and (found[1] or not doctype):
        raise _own_type(what)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root: Any = etree.fromstring(data, parser)
    except (SyntaxError, ValueError, LookupError) as error:
        raise NoText(f"{what} is no well-formed XML ({str(error)[:200]})", "damaged") from None
    dtd: Any = root.getroottree().docinfo.internalDTD  # of other encodings nothing is found before
    if dtd is not None and (not doctype or any(True for _ in dtd.iterentities())):
        raise _own_type(what)
    return root


def _own_type(what: str) -> NoText:
    return NoText(f"{what} declares a document type of its own, which is not read", "damaged")


def _check_start(data: bytes) -> None:
    if not data.strip(b"\0 \r\n\t"):
        raise NoText("it is empty: copy or download it again", "empty")
    if data.startswith(OLE_MARK):
        if ENCRYPTED_STREAM in data:
            raise NoText("it is encrypted; give its password with --password", "encrypted")
        raise NoText("it is a file of Office 97 to 2003 under another ending: save it in the format of today")
    if not data.startswith(b"PK"):
        raise NoText("its first bytes are not those of such a file, whatever its name says")


def _check_sizes(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > _Most.ENTRIES:
        raise NoText(f"it is an archive of more than {_Most.ENTRIES:,} entries", "too_large")
    if sum(entry.file_size for entry in entries) > _Most.BYTES:
        raise NoText(f"it unpacks to more than {_Most.BYTES // MEBIBYTE:,} MiB", "too_large")
    for entry in entries:
        if entry.file_size > _Most.MEMBER_BYTES:
            raise NoText(f"a part of it unpacks to more than {_Most.MEMBER_BYTES // MEBIBYTE:,} MiB", "too_large")
        if entry.file_size > _Most.RATIO_FROM and entry.file_size > _Most.RATIO * max(entry.compress_size, 1):
            raise NoText(f"a part of it unpacks to more than {_Most.RATIO} times its size", "too_large")


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the name of a part, with slashes; "" for folders and for what leads out of the archive."""
    name = entry.filename.replace("\\", "/").lstrip("/")
    return "" if name.endswith("/") or ".." in name.split("/") else name
