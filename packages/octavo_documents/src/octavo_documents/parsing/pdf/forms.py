"""The fields of a PDF form with their values, as lines where they are shown and by their names."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pypdfium2.raw as raw

from octavo_documents.parsing.content import Span, TextLine, normalise
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.package import name_of, xml_of
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.frame import Frame
from octavo_documents.text.lines import on_one_line

_CHECK_BOX, _RADIO_BUTTON = int(raw.FPDF_FORMFIELD_CHECKBOX), int(raw.FPDF_FORMFIELD_RADIOBUTTON)
_LISTS = (int(raw.FPDF_FORMFIELD_COMBOBOX), int(raw.FPDF_FORMFIELD_LISTBOX))
_WITHOUT_VALUE = (int(raw.FPDF_FORMFIELD_PUSHBUTTON), int(raw.FPDF_FORMFIELD_SIGNATURE))
_PASSWORD = 1 << 13
_HIDDEN = 1 << 1 | 1 << 5
"""Flags of an annotation that is not shown on a screen (PDF 32000-1, table 165)."""
_MOST_OPTIONS, _MOST_LINES = 500, 200
_LONGEST = 10_000
"""Characters of a value."""
_MOST_PACKET = 4 << 20
"""Bytes of the data of an XFA form."""


class _Type:
    """How a value is set, as far as a form does not say; chosen by hand."""

    SMALLEST, LARGEST = 6.0, 12.0  # points
    SIZE = 0.7  # type size by the height of a field of one line
    WIDTH = 0.5  # width of a character, by its size
    INDENT = 2.0  # points


@dataclass(frozen=True, slots=True)
class Field:
    """A field with a value: its name for people or programs, what it says, and the lines of that as shown."""

    name: str
    value: str
    lines: tuple[TextLine, ...]


def read_fields(page: pdfium.Handle, frame: Frame, *, most: int) -> list[Field]:
    """Return at most `most` fields of an open page that have a value and are shown; boxes that may be ticked always."""
    form = pdfium.form_of(page)
    if not form:
        return []
    found: list[Field] = []
    for index in range(min(pdfium.count_annotations(page), most)):
        widget = pdfium.get_annotation(page, index)
        if not widget:
            continue
        try:
            if pdfium.annotation_type(widget) == pdfium.WIDGET and not pdfium.annotation_flags(widget) & _HIDDEN:
                found.extend(_fields(form, widget, frame))
        finally:
            pdfium.close_annotation(widget)
    return found


def _fields(form: pdfium.Handle, widget: pdfium.Handle, frame: Frame) -> Iterator[Field]:
    kind = int(pdfium.field_type(form, widget))
    if kind in _WITHOUT_VALUE or pdfium.field_flags(form, widget) & _PASSWORD:
        return
    name = _line(_text(pdfium.field_title, form, widget) or _text(pdfium.field_name, form, widget))
    if kind in (_CHECK_BOX, _RADIO_BUTTON):
        state = _line(pdfium.read_string(lambda address, size: pdfium.annotation_text(widget, b"AS", address, size)))
        is_checked = state not in ("", "Off")
        shown = ("☐☒" if kind == _CHECK_BOX else "○◉")[is_checked]
        value = "yes" if is_checked else "no"
        if kind == _RADIO_BUTTON:
            value = state if is_checked else ""
        yield Field(name, value, _lines([shown], widget, frame))
        return
    value = _selected(form, widget) if kind in _LISTS else ""
    value = value or _text(pdfium.field_value, form, widget)
    texts = [text for line in value.splitlines()[:_MOST_LINES] if (text := _line(line))]
    if texts:
        yield Field(name, " ".join(texts), _lines(texts, widget, frame))


def _selected(form: pdfium.Handle, widget: pdfium.Handle) -> str:
    """Return the options of a list that are chosen, as people read them."""
    count = min(int(pdfium.count_options(form, widget)), _MOST_OPTIONS)
    chosen = (index for index in range(count) if pdfium.is_option_selected(form, widget, index))
    return "\n".join(
        pdfium.read_string(lambda address, size, at=index: pdfium.option_label(form, widget, at, address, size))
        for index in chosen
    )


def _text(call: pdfium.Call, form: pdfium.Handle, widget: pdfium.Handle) -> str:
    return pdfium.read_string(lambda address, size: call(form, widget, address, size))[:_LONGEST]


def _line(text: str) -> str:
    return normalise(on_one_line(text)).strip()


def _lines(texts: list[str], widget: pdfium.Handle, frame: Frame) -> tuple[TextLine, ...]:
    """Return the lines of a value in the box of its field, one under the other."""
    sides = np.zeros(4, np.float32)
    if not pdfium.annotation_box(widget, sides.ctypes.data) or not np.isfinite(sides).all():
        return ()
    left, top, right, bottom = sides.tolist()
    x0, y0, x1, y1 = frame.box((left, top, right, bottom))
    step = (y1 - y0) / len(texts)
    size = round(min(max(_Type.SIZE * step, _Type.SMALLEST), _Type.LARGEST), 1)
    x0 = min(x0 + _Type.INDENT, x1)
    lines: list[TextLine] = []
    for at, text in enumerate(texts):
        middle = y0 + (at + 0.5) * step
        end = min(x1, x0 + max(_Type.WIDTH * size * len(text), size))
        box = (round(x0, 2), round(middle - size / 2, 2), round(end, 2), round(middle + size / 2, 2))
        if frame.holds(box):
            span = Span(0, len(text), box, "", size, bold=False, italic=False, color=0)
            lines.append(TextLine(text, box, (span,)))
    return tuple(lines)


def named_values(fields: Iterable[Field]) -> str:
    """Return the values of fields by their names as a text, "" where none has both."""
    values: dict[str, str] = {}
    for one in fields:
        if one.name and one.value and values.get(one.name, one.value) != one.value:
            values[one.name] += f", {one.value}"
        elif one.name and one.value:
            values[one.name] = one.value
    said = "; ".join(f"{name.rstrip(' :')}: {value}" for name, value in values.items())
    return f"Form fields: {said}" if said else ""


def form_data(document: pdfium.Handle, *, most: int) -> list[Field]:
    """Return what the data of an XFA form say, at most `most` values; none where there are no such data."""
    for index in range(min(max(int(pdfium.count_packets(document)), 0), 20)):
        name = pdfium.read_string(
            lambda address, size, at=index: pdfium.packet_name(document, at, address, size), encoding="utf-8"
        )
        if name == "datasets":
            return list(islice(_values(_packet(document, index)), most))
    return []


def _packet(document: pdfium.Handle, index: int) -> bytes:
    size = np.zeros(1, np.uint64)
    if not pdfium.packet_content(document, index, 0, 0, size.ctypes.data) or not 0 < int(size[0]) <= _MOST_PACKET:
        return b""
    buffer = ctypes.create_string_buffer(int(size[0]))
    pdfium.packet_content(document, index, ctypes.addressof(buffer), len(buffer), size.ctypes.data)
    return buffer.raw


def _values(data: bytes) -> Iterator[Field]:
    """Yield the leaves of XML that have text, by their names."""
    try:
        root = xml_of(data.strip(b"\0"))
    except NoText:
        return
    for node in root.iter():
        value = _line(node.text or "") if not len(node) else ""
        if value:
            yield Field(name_of(node).replace("_", " "), value[:_LONGEST], ())
