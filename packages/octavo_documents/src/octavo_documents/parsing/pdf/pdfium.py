"""The edge to PDFium: the library's functions with plain types, and opening a file.

Scripts and actions of forms are never run.

Handles are plain integers and buffers are addresses, because a call through pypdfium2's own prototypes (typed
pointers) costs twice as much and a page needs thousands of them.
"""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as raw

from octavo_documents.errors import KINDS, SourceError
from octavo_documents.parsing import Limits
from octavo_documents.parsing.held_file import HeldFile
from octavo_documents.parsing.page_checks import check_file_size
from octavo_documents.parsing.pdf.rebuild import LARGEST as LARGEST_REVIVED
from octavo_documents.parsing.pdf.rebuild import rebuild_xref

Handle = int
Call = Callable[..., Any]
Floats = npt.NDArray[np.float32]
Table = npt.NDArray[Any]
"""(n, fields), C-contiguous; the type of its items is the one the call writes."""
_P, _I, _F, _U = ctypes.c_size_t, ctypes.c_int, ctypes.c_float, ctypes.c_uint
_L = ctypes.c_ulong


def _function(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    return _bound(ctypes.CFUNCTYPE, name, result, arguments)


def _getter(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return a function that is called for every character or object: it keeps the lock, which costs less each time."""
    return _bound(ctypes.PYFUNCTYPE, name, result, arguments)


def _bound(kind: Callable[..., Any], name: str, result: Any, arguments: Sequence[Any]) -> Callable[..., Any]:
    address = ctypes.cast(getattr(raw, name), ctypes.c_void_p).value
    prototype: Any = kind(result, *arguments)
    return prototype(address)


load_memory = _function("FPDF_LoadMemDocument64", _P, _P, ctypes.c_size_t, ctypes.c_char_p)
load_document = _function("FPDF_LoadDocument", _P, ctypes.c_char_p, ctypes.c_char_p)
close_document = _function("FPDF_CloseDocument", None, _P)
last_error = _function("FPDF_GetLastError", _L)
page_count = _function("FPDF_GetPageCount", _I, _P)
load_page = _function("FPDF_LoadPage", _P, _P, _I)
close_page = _function("FPDF_ClosePage", None, _P)
page_rotation = _function("FPDFPage_GetRotation", _I, _P)
page_bounds = _function("FPDF_GetPageBoundingBox", _I, _P, _P)
page_label = _function("FPDF_GetPageLabel", _L, _P, _I, _P, _L)
meta_text = _function("FPDF_GetMetaText", _L, _P, ctypes.c_char_p, _P, _L)
load_text = _function("FPDFText_LoadPage", _P, _P)
close_text = _function("FPDFText_ClosePage", None, _P)
count_characters = _function("FPDFText_CountChars", _I, _P)
get_text = _function("FPDFText_GetText", _I, _P, _I, _I, _P)
character_code = _getter("FPDFText_GetUnicode", _U, _P, _I)
character_object = _getter("FPDFText_GetTextObject", _P, _P, _I)
character_loose_box = _getter("FPDFText_GetLooseCharBox", _I, _P, _I, _P)
character_box = _getter("FPDFText_GetCharBox", _I, _P, _I, _P, _P, _P, _P)
character_origin = _getter("FPDFText_GetCharOrigin", _I, _P, _I, _P, _P)
character_matrix = _getter("FPDFText_GetMatrix", _I, _P, _I, _P)
character_size = _getter("FPDFText_GetFontSize", ctypes.c_double, _P, _I)
is_unmapped = _getter("FPDFText_HasUnicodeMapError", _I, _P, _I)
text_mode = _getter("FPDFTextObj_GetTextRenderMode", _I, _P)
set_active = _function("FPDFPageObj_SetIsActive", _I, _P, _I)
object_clip = _getter("FPDFPageObj_GetClipPath", _P, _P)
count_clips = _getter("FPDFClipPath_CountPaths", _I, _P)
clip_segment = _getter("FPDFClipPath_GetPathSegment", _P, _P, _I, _I)
segment_point = _getter("FPDFPathSegment_GetPoint", _I, _P, _P, _P)
count_marks = _getter("FPDFPageObj_CountMarks", _I, _P)
get_mark = _function("FPDFPageObj_GetMark", _P, _P, _L)
mark_name = _function("FPDFPageObjMark_GetName", _I, _P, _P, _L, _P)
text_font = _getter("FPDFTextObj_GetFont", _P, _P)
glyph_path = _function("FPDFFont_GetGlyphPath", _P, _P, _U, _F)
count_glyph_segments = _getter("FPDFGlyphPath_CountGlyphSegments", _I, _P)
glyph_segment = _getter("FPDFGlyphPath_GetGlyphPathSegment", _P, _P, _I)
font_name = _function("FPDFFont_GetBaseFontName", _P, _P, _P, _P)
font_flags = _function("FPDFFont_GetFlags", _I, _P)
font_weight = _function("FPDFFont_GetWeight", _I, _P)
font_ascent = _function("FPDFFont_GetAscent", _I, _P, _F, _P)
font_descent = _function("FPDFFont_GetDescent", _I, _P, _F, _P)
count_objects = _function("FPDFPage_CountObjects", _I, _P)
get_object = _getter("FPDFPage_GetObject", _P, _P, _I)
count_form_objects = _function("FPDFFormObj_CountObjects", _I, _P)
get_form_object = _getter("FPDFFormObj_GetObject", _P, _P, _L)
object_type = _getter("FPDFPageObj_GetType", _I, _P)
count_filters = _function("FPDFImageObj_GetImageFilterCount", _I, _P)
image_filter = _function("FPDFImageObj_GetImageFilter", _L, _P, _I, _P, _L)
image_pixels = _function("FPDFImageObj_GetImagePixelSize", _I, _P, _P, _P)
image_data = _function("FPDFImageObj_GetImageDataRaw", _L, _P, _P, _L)
object_bounds = _getter("FPDFPageObj_GetBounds", _I, _P, _P, _P, _P, _P)
object_matrix = _function("FPDFPageObj_GetMatrix", _I, _P, _P)
fill_color = _getter("FPDFPageObj_GetFillColor", _I, _P, _P, _P, _P, _P)
stroke_color = _getter("FPDFPageObj_GetStrokeColor", _I, _P, _P, _P, _P, _P)
count_segments = _getter("FPDFPath_CountSegments", _I, _P)
path_segment = _getter("FPDFPath_GetPathSegment", _P, _P, _I)
segment_type = _getter("FPDFPathSegment_GetType", _I, _P)
segment_closes = _getter("FPDFPathSegment_GetClose", _I, _P)
stroke_width = _getter("FPDFPageObj_GetStrokeWidth", _I, _P, _P)
path_draw_mode = _getter("FPDFPath_GetDrawMode", _I, _P, _P, _P)
next_link = _function("FPDFLink_Enumerate", _I, _P, _P, _P)
link_box = _function("FPDFLink_GetAnnotRect", _I, _P, _P)
link_destination = _function("FPDFLink_GetDest", _P, _P, _P)
link_action = _function("FPDFLink_GetAction", _P, _P)
action_type = _function("FPDFAction_GetType", _L, _P)
action_destination = _function("FPDFAction_GetDest", _P, _P, _P)
action_uri = _function("FPDFAction_GetURIPath", _L, _P, _P, _P, _L)
destination_page = _function("FPDFDest_GetDestPageIndex", _I, _P, _P)
destination_place = _function("FPDFDest_GetLocationInPage", _I, _P, _P, _P, _P, _P, _P, _P)
first_bookmark = _function("FPDFBookmark_GetFirstChild", _P, _P, _P)
next_bookmark = _function("FPDFBookmark_GetNextSibling", _P, _P, _P)
bookmark_title = _function("FPDFBookmark_GetTitle", _L, _P, _P, _L)
bookmark_destination = _function("FPDFBookmark_GetDest", _P, _P, _P)
bookmark_action = _function("FPDFBookmark_GetAction", _P, _P)
create_bitmap = _function("FPDFBitmap_CreateEx", _P, _I, _I, _I, _P, _I)
fill_bitmap = _function("FPDFBitmap_FillRect", _I, _P, _I, _I, _I, _I, _L)
destroy_bitmap = _function("FPDFBitmap_Destroy", None, _P)
render_matrix = _function("FPDF_RenderPageBitmapWithMatrix", None, _P, _P, _P, _P, _I)
count_annotations = _function("FPDFPage_GetAnnotCount", _I, _P)
get_annotation = _function("FPDFPage_GetAnnot", _P, _P, _I)
annotation_type = _function("FPDFAnnot_GetSubtype", _I, _P)
annotation_flags = _function("FPDFAnnot_GetFlags", _I, _P)
count_quads = _function("FPDFAnnot_CountAttachmentPoints", ctypes.c_size_t, _P)
get_quad = _function("FPDFAnnot_GetAttachmentPoints", _I, _P, ctypes.c_size_t, _P)
create_annotation = _function("FPDFPage_CreateAnnot", _P, _P, _I)
close_annotation = _function("FPDFPage_CloseAnnot", None, _P)
append_quad = _function("FPDFAnnot_AppendAttachmentPoints", _I, _P, _P)
set_annotation_box = _function("FPDFAnnot_SetRect", _I, _P, _P)
_annotation_color = _function("FPDFAnnot_GetColor", _I, _P, _I, _P, _P, _P, _P)
set_annotation_color = _function("FPDFAnnot_SetColor", _I, _P, _I, _U, _U, _U, _U)
set_annotation_flags = _function("FPDFAnnot_SetFlags", _I, _P, _I)
set_annotation_text = _function("FPDFAnnot_SetStringValue", _I, _P, ctypes.c_char_p, ctypes.c_char_p)
annotation_box = _function("FPDFAnnot_GetRect", _I, _P, _P)
annotation_text = _function("FPDFAnnot_GetStringValue", _L, _P, ctypes.c_char_p, _P, _L)
has_entry = _function("FPDFAnnot_HasKey", _I, _P, ctypes.c_char_p)
bounded_text = _function("FPDFText_GetBoundedText", _I, _P, *[ctypes.c_double] * 4, _P, _I)
form_type = _function("FPDF_GetFormType", _I, _P)
_start_form = _function("FPDFDOC_InitFormFillEnvironment", _P, _P, _P)
_end_form = _function("FPDFDOC_ExitFormFillEnvironment", None, _P)
_leave_page = _function("FORM_OnBeforeClosePage", None, _P, _P)
draw_form = _function("FPDF_FFLDraw", None, _P, _P, _P, *[_I] * 6)
field_type = _function("FPDFAnnot_GetFormFieldType", _I, _P, _P)
field_flags = _function("FPDFAnnot_GetFormFieldFlags", _I, _P, _P)
field_name = _function("FPDFAnnot_GetFormFieldName", _L, _P, _P, _P, _L)
field_title = _function("FPDFAnnot_GetFormFieldAlternateName", _L, _P, _P, _P, _L)
field_value = _function("FPDFAnnot_GetFormFieldValue", _L, _P, _P, _P, _L)
count_options = _function("FPDFAnnot_GetOptionCount", _I, _P, _P)
is_option_selected = _function("FPDFAnnot_IsOptionSelected", _I, _P, _P, _I)
option_label = _function("FPDFAnnot_GetOptionLabel", _L, _P, _P, _I, _P, _L)
count_packets = _function("FPDF_GetXFAPacketCount", _I, _P)
packet_name = _function("FPDF_GetXFAPacketName", _L, _P, _I, _P, _L)
packet_content = _function("FPDF_GetXFAPacketContent", _I, _P, _I, _P, _L, _P)
_save = _function("FPDF_SaveAsCopy", _I, _P, _P, _L)
BGR = int(raw.FPDFBitmap_BGR)
REVERSE_BYTES = int(raw.FPDF_REVERSE_BYTE_ORDER)
DRAW_ANNOTATIONS = int(raw.FPDF_ANNOT)
MOVE_TO, CURVE_TO = int(raw.FPDF_SEGMENT_MOVETO), int(raw.FPDF_SEGMENT_BEZIERTO)
PATH_OBJECT = int(raw.FPDF_PAGEOBJ_PATH)
IMAGE_OBJECT = int(raw.FPDF_PAGEOBJ_IMAGE)
SHADING_OBJECT = int(raw.FPDF_PAGEOBJ_SHADING)
FORM_OBJECT = int(raw.FPDF_PAGEOBJ_FORM)
UNDERLINE = int(raw.FPDF_ANNOT_UNDERLINE)
STRIKE_OUT = int(raw.FPDF_ANNOT_STRIKEOUT)
TEXT_OBJECT = int(raw.FPDF_PAGEOBJ_TEXT)
INVISIBLE_TEXT = (int(raw.FPDF_TEXTRENDERMODE_INVISIBLE), int(raw.FPDF_TEXTRENDERMODE_CLIP))
HIGHLIGHT = int(raw.FPDF_ANNOT_HIGHLIGHT)
ANNOTATION_COLOR = int(raw.FPDFANNOT_COLORTYPE_Color)
URI_ACTION = int(raw.PDFACTION_URI)
WIDGET, POPUP, LINK = int(raw.FPDF_ANNOT_WIDGET), int(raw.FPDF_ANNOT_POPUP), int(raw.FPDF_ANNOT_LINK)
FREE_TEXT = int(raw.FPDF_ANNOT_FREETEXT)
_STATE = {"ready": False}
_FORMS: dict[Handle, Handle] = {}
"""The forms of open documents and pages that have fields."""
_LONGEST_TEXT = 1 << 16


def color_of_annotation(annotation: Handle) -> int:
    """Return the colour of an annotation, 0xRRGGBB; -1 where it has none."""
    parts = (ctypes.c_uint * 4)()
    places = [ctypes.addressof(parts) + 4 * at for at in range(4)]
    if not _annotation_color(annotation, ANNOTATION_COLOR, *places):
        return -1
    return (parts[0] & 255) << 16 | (parts[1] & 255) << 8 | parts[2] & 255


def start() -> None:
    """Initialise the library once per process."""
    if not _STATE["ready"]:
        config = raw.FPDF_LIBRARY_CONFIG(version=2)
        raw.FPDF_InitLibraryWithConfig(ctypes.byref(config))  # pyright: ignore[reportUnknownMemberType]
        _STATE["ready"] = True


@contextmanager
def opened(path: Path, *, password: str | None, limits: Limits) -> Generator[tuple[Handle, bool]]:
    """Open a PDF and close it at the end; yields it and whether its end was missing and had to be made anew.

    Raises:
        SourceError: it cannot be read; `reason` says why.
    """
    check_file(path, limits=limits)
    start()
    key = None if password is None else password.encode()
    held = path.data if isinstance(path, HeldFile) else b""  # PDFium reads it for as long as the document is open
    document = load_memory(_address(held), len(held), key) if held else load_document(os.fsencode(path), key)
    error = None if document else _open_error(path, int(last_error()), has_password=password is not None)
    is_lost = error.reason == "damaged" if error else page_count(document) < 1
    data = b""
    if is_lost:
        # PDFium reads from the buffer for as long as the document is open.
        document, data = _rebuilt(path, document, limits=limits)
    if error and not document:
        raise error
    information = raw.FPDF_FORMFILLINFO(version=2)  # without callbacks: no action of a form is taken
    form = _start_form(document, ctypes.addressof(information)) if form_type(document) > 0 else 0
    if form:
        _FORMS[document] = form
    try:
        yield document, bool(data)
    finally:
        if form:
            del _FORMS[document]
            _end_form(form)
        close_document(document)


def _rebuilt(path: Path, document: Handle, *, limits: Limits) -> tuple[Handle, bytes]:
    """Return the document of a file with its end made anew and the bytes it lives in, else what there was."""
    data = rebuild_xref(path.read_bytes(), pages=limits.pages) if path.stat().st_size <= LARGEST_REVIVED else None
    other = load_memory(_address(data), len(data), None) if data else 0
    if other and page_count(other) > 0 and data:
        if document:
            close_document(document)
        return other, data
    if other:
        close_document(other)
    return document, b""


def _address(data: bytes) -> int:
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


@contextmanager
def page_opened(document: Handle, index: int) -> Generator[Handle]:
    """Open page `index` (from 0); yields 0 when the page is damaged."""
    page, form = load_page(document, index), form_of(document)
    if page and form:
        _FORMS[page] = form
    try:
        yield page
    finally:
        if page and form:
            del _FORMS[page]
            _leave_page(page, form)
        if page:
            close_page(page)


def form_of(handle: Handle) -> Handle:
    """Return the form of an open document or page, 0 where it has no fields."""
    return _FORMS.get(handle, 0)


class _Writer(ctypes.Structure):
    """`FPDF_FILEWRITE`: version 1 and what takes a block of bytes (itself, address, size) and returns 0 to stop."""

    _fields_ = (("version", _I), ("take", ctypes.CFUNCTYPE(_I, _P, _P, _L)))


def save(document: Handle, take: Callable[[int, int, int], int], *, is_whole: bool) -> bool:
    """Give a document's bytes to `take`: the file's own and what was added, or all anew; tell whether it took all."""
    kinds: Any = _Writer._fields_[1][1]
    writer = _Writer(1, kinds(take))
    flags = raw.FPDF_NO_INCREMENTAL if is_whole else raw.FPDF_INCREMENTAL
    return bool(_save(document, ctypes.addressof(writer), int(flags)))


def check_file(path: Path, *, limits: Limits) -> None:
    """Raise `SourceError` unless `path` is a file that may be a PDF: exists, not empty, not too large, marked so."""
    if not path.exists():
        raise SourceError("missing", f"{path}: no such file")
    if not path.is_file():
        raise SourceError("format", f"{path} is not a file; give the path of a PDF")
    size = path.stat().st_size
    if size == 0:
        raise SourceError("empty", f"{path} is empty; copy or download it again")
    check_file_size(path, size, limits)
    with path.open("rb") as file:
        if b"%PDF-" not in file.read(1024):
            raise SourceError("format", _other_kind(path))


def _other_kind(path: Path) -> str:
    """Say why a file that does not begin as a PDF does is none: everything whose name says nothing else is tried."""
    if path.suffix.lower() == ".pdf":
        return f"{path} is not a PDF (its first bytes are not %PDF-)"
    kinds = f"{KINDS}, JSON lines, exports of a wiki"
    return f"{path} is none of the documents that are read ({kinds}), by its name and its first bytes"


def _open_error(path: Path, code: int, *, has_password: bool) -> SourceError:
    if code == raw.FPDF_ERR_PASSWORD and has_password:
        return SourceError("password", f"{path}: the password is wrong")
    if code == raw.FPDF_ERR_PASSWORD:
        return SourceError("encrypted", f"{path} is encrypted; give its password with --password")
    if code == raw.FPDF_ERR_SECURITY:
        return SourceError("encrypted", f"{path} is encrypted in a way that cannot be read; save it without encryption")
    return SourceError("damaged", f"{path} is damaged and cannot be opened as a PDF; copy or download it again")


def read_string(call: Callable[[int, int], int], *, encoding: str = "utf-16-le") -> str:
    """Return the text of a PDFium call that fills a buffer (address, bytes) and returns the bytes it needs."""
    needed = int(call(0, 0))
    if needed <= 0 or needed > _LONGEST_TEXT:
        return ""
    buffer = ctypes.create_string_buffer(needed)
    call(ctypes.addressof(buffer), needed)
    return buffer.raw[:needed].decode(encoding, "replace").rstrip("\0").strip()


def fill_indexed(call: Callable[..., int], owner: Handle, indices: Sequence[int], *, columns: int = 4) -> Floats:
    """Call `call(owner, index, address)` for each index and return the (n, columns) float32 written there.

    The loop runs inside `map`, without a Python frame per call; rows whose call fails stay 0.
    """
    rows = np.zeros((len(indices), columns), np.float32)
    deque(map(call, repeat(owner), indices, _addresses(rows, 0)), maxlen=0)
    return rows


def fill_fields(call: Callable[..., int], first: Sequence[int], rows: Table, *, owner: Handle | None = None) -> None:
    """Call `call([owner,] item, address, address...)` for each item, with the addresses of the fields of its row."""
    fields = [_addresses(rows, column) for column in range(rows.shape[1])]
    leading = () if owner is None else (repeat(owner),)
    deque(map(call, *leading, first, *fields), maxlen=0)


def _addresses(rows: Table, column: int) -> range:
    start, step = rows.ctypes.data + column * rows.strides[1], rows.strides[0]
    return range(start, start + step * len(rows), step or 1)


Boxes = npt.NDArray[np.float64]
"""(n, 4): x0, y0, x1, y1."""
