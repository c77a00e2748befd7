"""RTF as programs write it carelessly: stars in groups, notes in words, rows without ends, tables in tables."""

from __future__ import annotations

import pytest

from binary_sheets import compound
from octavo_documents.document import Kind
from octavo_documents.parsing.flow import CarriedFile
from octavo_documents.parsing.markup import rtf

ROW = rb"\trowd\cellx1000\cellx2000\pard\intbl "
INNER = (
    rb"\pard\intbl\itap2 Berth\nestcell{\nonesttables\par}Length\nestcell{\nonesttables\par}"
    rb"{\*\nesttableprops\trowd\cellx500\cellx800\nestrow}{\nonesttables\par}"
    rb"\pard\intbl\itap2 1\nestcell 12 m\nestcell{\*\nesttableprops\trowd\cellx500\cellx800\nestrow}"
)
COMMENT = (
    rb"har{\*\atrfstart 1}{\*\atnid BL}{\*\atnauthor B. Lund}\chatn"
    rb"{\*\annotation{\*\atnref 1}\pard\plain Which one?\par}{\*\atrfend 1}bour"
)


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        (rb"{\i0\b0\*\cs7\cf0 The ferry leaves at 07:25.}\par", ["The ferry leaves at 07:25."]),
        (rb"Before {\*\unknown lost} after\par", ["Before after"]),
        (rb"The " + COMMENT + rb" is closed.\par", ["The harbour is closed.", "Comment by B. Lund: Which one?"]),
        (ROW + rb"A\cell B\cell\pard\par After.\par", ["A | B", "After."]),
        (ROW + rb"A\cell B\cell " + ROW + rb"C\cell D\cell\row\pard After.\par", ["A | B\nC | D", "After."]),
        (ROW + rb"A\cell B\cell\trowd\cellx1000\cellx2000\row\pard After.\par", ["A | B", "After."]),
        (ROW + rb"A\cell B\cell", ["A | B"]),
        (ROW + rb"Left\cell " + INNER + rb"\pard\intbl\cell\row", ["Left | Berth, Length; 1, 12 m"]),
        (ROW + rb"Left\cell Over\par " + INNER + rb"\pard\intbl Under\cell\row",
         ["Left | Over\nBerth, Length; 1, 12 m\nUnder"]),
    ],
)  # fmt: skip
def test_what_is_written_is_read(body: bytes, texts: list[str]) -> None:
    assert [block.text for block in rtf.read(rb"{\rtf1\ansi " + body + b"}").blocks] == texts


def test_pictures_and_objects_are_files_in_the_file() -> None:
    png, held = b"\x89PNG picture", compound(b"Words", name="WordDocument")
    head = b"\x01\x05\0\0\x02\0\0\0\x0d\0\0\0Word.Document\0"
    body = (
        rb"See {\*\shppict{\pict\pngblip\picw10 " + png.hex().encode() + rb"}}{\nonshppict{\pict 00}} this.\par "
        rb"{\object\objemb{\*\objclass Word.Document.8}{\*\objdata "
        + (head + held).hex().encode()
        + rb"}{\result{\pict ff}}}"
    )
    first, picture, file = rtf.read(rb"{\rtf1 " + body + b"}").blocks
    assert first.text == "See this."
    assert (picture.kind, picture.file) == (Kind.FIGURE, CarriedFile("picture.png", data=png))
    assert (file.text, file.file) == ("Attachment: object1.doc", CarriedFile("object1.doc", data=held))
