"""Files in a PDF: those in its list of embedded files, and those pinned to a page (ISO 32000-2, 7.11.4, 12.5.6.15)."""

from __future__ import annotations

import ctypes
import re
import zlib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pypdfium2.raw as raw

from octavo_documents.parsing import MEBIBYTE, Limits
from octavo_documents.parsing.flow import CarriedFile
from octavo_documents.parsing.pdf import pdfium


class _Most:
    FILES = 500
    BYTES = 256 * MEBIBYTE  # of all of them
    PAGES = 1000  # that are looked at for files that are pinned to them
    ON_A_PAGE = 500  # annotations
    NAME = 2000  # bytes
    UNPACKED, OF_ONE = 64 * MEBIBYTE, 4 * MEBIBYTE  # of the streams that objects are packed in


def _function(name: str, result: Any, *arguments: Any) -> Any:
    address = ctypes.cast(getattr(raw, name), ctypes.c_void_p).value
    prototype: Any = ctypes.CFUNCTYPE(result, *arguments)
    return prototype(address)


_P, _I, _L = ctypes.c_size_t, ctypes.c_int, ctypes.c_ulong
_count_embedded = _function("FPDFDoc_GetAttachmentCount", _I, _P)
_embedded_file = _function("FPDFDoc_GetAttachment", _P, _P, _I)
_pinned_file = _function("FPDFAnnot_GetFileAttachment", _P, _P)
_name_of = _function("FPDFAttachment_GetName", _L, _P, _P, _L)
_data_of = _function("FPDFAttachment_GetFile", _I, _P, _P, _L, _P)
_PINNED = b"/FileAttachment"
_PACKED = re.compile(rb"/ObjStm.{0,1000}?stream\r?\n", re.DOTALL)


def attachments_of(path: Path, *, password: str | None, limits: Limits) -> list[CarriedFile]:
    """Return the files in a PDF, each once, the embedded ones first. Raises SourceError where it cannot be opened."""
    with pdfium.opened(path, password=password, limits=limits) as (document, _):
        found: dict[tuple[str, bytes], CarriedFile] = {}
        room = _Most.BYTES
        for one in chain(_embedded(document), _pinned(document, path)):
            if (one.name, one.data) not in found:
                found[one.name, one.data] = one if len(one.data) <= room else CarriedFile(one.name)
                room -= len(one.data)
            if len(found) >= _Most.FILES:
                break
        return list(found.values())


def _embedded(document: int) -> Iterator[CarriedFile]:
    for at in range(min(_count_embedded(document), _Most.FILES)):
        yield from _file(_embedded_file(document, at))


def _pinned(document: int, path: Path) -> Iterator[CarriedFile]:
    if not _may_pin(path.read_bytes()):
        return
    for index in range(min(int(pdfium.page_count(document)), _Most.PAGES)):
        with pdfium.page_opened(document, index) as page:
            for at in range(min(int(pdfium.count_annotations(page)), _Most.ON_A_PAGE) if page else 0):
                annotation = pdfium.get_annotation(page, at)
                if annotation and pdfium.annotation_type(annotation) == raw.FPDF_ANNOT_FILEATTACHMENT:
                    yield from _file(_pinned_file(annotation))
                if annotation:
                    pdfium.close_annotation(annotation)


def _may_pin(data: bytes) -> bool:
    """Whether a file may have files pinned to its pages, as its objects say, packed ones too."""
    room = _Most.UNPACKED
    for packed in _PACKED.finditer(data) if _PINNED not in data else ():
        try:
            body = zlib.decompressobj().decompress(data[packed.end() : packed.end() + _Most.OF_ONE], _Most.OF_ONE)
        except zlib.error:
            continue
        room -= len(body)
        if _PINNED in body or room < 0:
            return True
    return _PINNED in data


def _file(handle: int) -> Iterator[CarriedFile]:
    if not handle:
        return
    name = ctypes.create_string_buffer(_Most.NAME)
    length = min(int(_name_of(handle, ctypes.addressof(name), _Most.NAME)), _Most.NAME)
    called = name.raw[: max(length - 2, 0)].decode("utf-16-le", "replace").replace("\\", "/").rpartition("/")[2]
    size = ctypes.c_ulong(0)
    data = b""
    if _data_of(handle, 0, 0, ctypes.addressof(size)) and 0 < size.value <= _Most.BYTES:
        held = ctypes.create_string_buffer(size.value)
        if _data_of(handle, ctypes.addressof(held), size.value, ctypes.addressof(size)):
            data = held.raw[: size.value]
    yield CarriedFile(called or "attachment", data=data)
