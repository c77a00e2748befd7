"""Objects of other programs in office files: the file that an object holds, taken out of what is wrapped around it.

Objects are compound files (MS-CFB). What a program embedded as a whole, or a person dropped there as a file (OLE 1.0
native data), is found by its stream; nothing in them is run.
"""

from __future__ import annotations

import importlib
import io
import struct
from collections.abc import Iterable
from posixpath import basename, splitext
from typing import Any

from octavo_documents.parsing import MEBIBYTE
from octavo_documents.parsing.compound_files import compound_file
from octavo_documents.parsing.flow import CarriedFile, NoText
from octavo_documents.parsing.open_xml import relations_of
from octavo_documents.parsing.package import OLE_MARK, ZIP_MARK, Package

_KINDS = ("package", "oleObject")
"""Types of relations to embedded objects."""
_MOST = 500
_LARGEST = _MOST_BYTES = 256 * MEBIBYTE
"""Bytes of a stream, and of all objects of a file."""
_NATIVE, _PACKAGE = "\x01Ole10Native", "Package"
_WHOLE = {"WordDocument": ".doc", "Workbook": ".xls", "Book": ".xls", "PowerPoint Document": ".ppt"}
"""The ending of a compound file that is a document by itself, by the stream that tells."""
_FOLDERS = (("word/", ".docx"), ("xl/", ".xlsx"), ("ppt/", ".pptx"))
_LABELS = (b"application/vnd.oasis.opendocument.", {b"text": ".odt", b"spreadsheet": ".ods", b"presentation": ".odp"})


def embedded_in(package: Package, parts: Iterable[str]) -> list[CarriedFile]:
    """Return the files embedded in parts of a package, each part of it once; damaged ones with their names alone."""
    found: dict[str, CarriedFile] = {}
    room = _MOST_BYTES
    for part in parts:
        try:
            relations = relations_of(package, part, package.xml).values()
        except NoText:
            continue
        for one in relations:
            if one.type in _KINDS and one.target not in found and one.target in package and len(found) < _MOST:
                found[one.target] = _read(package, one.target) if room > 0 else CarriedFile(basename(one.target))
                room -= len(found[one.target].data)
    return list(found.values())


def _read(package: Package, name: str) -> CarriedFile:
    called = basename(name)
    try:
        return unwrapped(called, package.read(name))
    except NoText:
        return CarriedFile(called)


def unwrapped(name: str, data: bytes) -> CarriedFile:
    """Return the file that an embedded object holds; where none is found, what there is under the name it has."""
    if data.startswith(ZIP_MARK):
        return CarriedFile(_named(name, _zip_ending(data)), data=data)
    if data.startswith(b"%PDF-"):
        return CarriedFile(_named(name, ".pdf"), data=data)
    if not data.startswith(OLE_MARK):
        return CarriedFile(name, "application/octet-stream", data)
    olefile: Any = importlib.import_module("olefile")
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            return _of_compound(file, name, data, [])
    except (MemoryError, RecursionError):
        raise
    except Exception:  # noqa: BLE001 - olefile raises errors of any kind for damaged files
        return CarriedFile(name, "application/octet-stream", data)


def embedded_in_workbook(data: bytes) -> list[CarriedFile]:
    """Return the files embedded in a workbook of before 2007: each stands in a folder of it."""
    olefile: Any = importlib.import_module("olefile")
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            folders = dict.fromkeys(path[0] for path in file.listdir() if len(path) > 1 and path[0].startswith("MBD"))
            return [_of_compound(file, f"{one}.bin", None, [one]) for one in list(folders)[:_MOST]]
    except (MemoryError, RecursionError):
        raise
    except Exception:  # noqa: BLE001 - olefile raises errors of any kind for damaged files
        return []


def _of_compound(file: Any, name: str, data: bytes | None, folder: list[str]) -> CarriedFile:
    """Return what a compound file, or a folder in one, holds; `data` is the whole file."""
    streams: dict[str, list[str]] = {
        path[-1]: path for path in file.listdir() if len(path) == len(folder) + 1 and path[:-1] == folder
    }
    room = _MOST_BYTES
    for stream, ending in _WHOLE.items():
        if stream in streams:
            return CarriedFile(_named(name, ending), data=data or _whole(file, streams.values()))
    for stream, path in streams.items():
        if file.get_size(path) > min(_LARGEST, room):
            continue
        held: bytes = file.openstream(path).read()
        room -= len(held)
        if stream == _NATIVE and (native := _native(held)) is not None:
            return native
        for mark in (ZIP_MARK, b"%PDF-"):
            if mark in held[:64]:
                return unwrapped(name, held[held.index(mark) :])
    return CarriedFile(name, "application/octet-stream", data or b"")


def _whole(file: Any, paths: Iterable[list[str]]) -> bytes:
    """Return a file of the streams of a folder; nothing where they are too large."""
    found = {path[-1]: path for path in paths}
    if sum(file.get_size(path) for path in found.values()) > _LARGEST:
        return b""
    return compound_file({name: file.openstream(path).read() for name, path in found.items()}) or b""


def _native(data: bytes) -> CarriedFile | None:
    """Return the file in OLE 1.0 native data: names that end with a zero, then its bytes; None where it is none."""
    at = 6
    names: list[bytes] = []
    for _ in range(2):
        end = data.find(b"\0", at)
        if end < 0 or end - at > 1000:
            return None
        names.append(data[at:end])
        at = end + 1
    try:
        (length,) = struct.unpack_from("<I", data, at + 4)
        at += 8 + length
        (size,) = struct.unpack_from("<I", data, at)
    except struct.error:
        return None
    held = data[at + 4 : at + 4 + size]
    name = names[0].decode("cp1252", "replace").replace("\\", "/").rpartition("/")[2]
    return CarriedFile(name or "embedded file", data=held) if size and len(held) == size else None


def _named(name: str, ending: str) -> str:
    """Return a name with an ending; one that has another ending gets it instead."""
    stem, own = splitext(name)
    return name if not ending or own.lower() == ending or (ending[:4] == own.lower()[:4]) else f"{stem}{ending}"


def _zip_ending(data: bytes) -> str:
    """Return the ending that tells what kind of office file an archive is, "" for others."""
    try:
        package = Package(data)
        names = [name.lower() for name in package.names()]
        if "mimetype" in package:
            kind = package.read("mimetype").removeprefix(_LABELS[0]).strip()
            return _LABELS[1].get(kind, "")
    except NoText:
        return ""
    return next((ending for folder, ending in _FOLDERS if any(name.startswith(folder) for name in names)), "")
