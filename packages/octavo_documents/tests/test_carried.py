"""Files in files: read under their names with pages of their own, to a depth and size, and named where not."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pikepdf
import pytest
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import PROG_ID

import pdfs
from binary_sheets import PLAIN, Cell, compound, xls, xlsb
from octavo_documents.document import Document
from octavo_documents.parsing.compound_files import compound_file
from octavo_documents.parsing.sheets.xls_looks import workbook_in
from octavo_documents.reading import read
from octavo_documents.structuring.parser_pool import ParserPool
from office_files import OFFICE, WORD, archive, docx, p, relations

LEASE = ("The lease of the boathouse runs for nine years.", "The deposit is 275 francs.")


def _mail(text: str = "See the files.", subject: str = "Boathouse") -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "Ana Heron <ana@example.org>", subject
    mail.set_content(text)
    return mail


def _with(mail: EmailMessage, name: str, data: bytes) -> EmailMessage:
    mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return mail


def _lease(folder: Path) -> bytes:
    path = pdfs.write(folder / "lease.pdf", pdfs.say("Cover of the lease of the boathouse."), pdfs.say(*LEASE))
    return path.read_bytes()


def _read(folder: Path, name: str, data: bytes) -> Document:
    (folder / name).write_bytes(data)
    return read(folder / name)


def _where(document: Document, words: str) -> tuple[str, tuple[str, ...]]:
    """Return the label of the page on which words stand, and their sections."""
    row = next(row for row, text in enumerate(document.blocks.text) if words in text)
    return document.pages.label[int(document.blocks.page[row]) - 1], document.blocks.section_path(row)


def test_a_pdf_in_a_letter_in_a_letter_has_its_pages_and_boxes(tmp_path: Path) -> None:
    inner = _with(_mail("The lease is enclosed.", "Lease"), "lease.pdf", _lease(tmp_path))
    mail = _with(_mail(), "notes.txt", b"The keys hang behind the door.")
    mail.add_attachment(inner)
    document = _read(tmp_path, "letter.eml", mail.as_bytes())
    assert document.metadata.warnings == ()
    assert _where(document, "275 francs") == (
        "page 2 of lease.pdf",
        ("Attachment: Lease", "Lease", "Attachment: lease.pdf"),
    )
    row = next(row for row, text in enumerate(document.blocks.text) if "275 francs" in text)
    page = int(document.blocks.page[row])
    assert document.blocks.box[row].tolist()[0] == pytest.approx(72, abs=1)
    assert not document.has_pages
    assert [document.is_drawn(number) for number in range(1, len(document.pages) + 1)] == [False] * 3 + [True] * 2
    with ParserPool(1) as pool:
        within = document.pages.within[page - 1]
        assert pool.render(tmp_path / "letter.eml", page, dpi=36, within=within).shape == (396, 306, 3)
        found = pool.words(tmp_path / "letter.eml", page, within=within)
        assert "francs." in list(found.texts)


def test_letters_in_letters_are_opened_to_a_depth_and_the_next_is_named(tmp_path: Path) -> None:
    mail = _mail("The innermost secret.", "Letter 0")
    for number in range(1, 9):
        around = _mail(f"Words of letter {number}.", f"Letter {number}")
        around.add_attachment(mail)
        mail = around
    document = _read(tmp_path, "letter.eml", mail.as_bytes())
    texts = "\n".join(document.blocks.text)
    assert "Words of letter 2." in texts
    assert "Words of letter 1." not in texts
    (told,) = document.metadata.warnings
    assert told.startswith("not read: attached file Letter 1 (message/rfc822")
    assert "too deep" in told


def test_a_bomb_in_a_letter_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    bomb = archive({"[Content_Types].xml": "", "xl/workbook.xml": b"<a/>" + b" " * (300 << 20)})
    mail = _with(_with(_mail(), "bomb.xlsx", bomb), "lease.pdf", _lease(tmp_path))
    document = _read(tmp_path, "letter.eml", mail.as_bytes())
    (told,) = document.metadata.warnings
    assert told.startswith('attachment "bomb.xlsx" cannot be read: a part of it unpacks to more than')
    assert "Attached: bomb.xlsx" in "\n".join(document.blocks.text)
    assert _where(document, "275 francs")[0] == "page 2 of lease.pdf"


def test_a_letter_whose_attachment_ends_the_reader_is_read_without_attachments(tmp_path: Path) -> None:
    mail = _with(_with(_mail(), "notes.txt", b"The keys."), "bomb.pdf", pdfs.bomb(layers=2, size=1 << 30))
    document = _read(tmp_path, "letter.eml", mail.as_bytes())
    texts = list(document.blocks.text)
    assert "See the files." in texts
    assert texts[-1].startswith("Attached: notes.txt (application/octet-stream, 9 bytes), bomb.pdf")
    assert all(one.startswith("not read: attached file") for one in document.metadata.warnings)
    assert len(document.metadata.warnings) == 2


def test_a_picture_without_words_is_named(tmp_path: Path) -> None:
    kept = io.BytesIO()
    Image.new("RGB", (200, 60), "white").save(kept, "png")
    document = _read(tmp_path, "letter.eml", _with(_mail(), "logo.png", kept.getvalue()).as_bytes())
    assert document.blocks.text[len(document.blocks) - 1].startswith("Attached: logo.png (application/octet-stream")
    (told,) = document.metadata.warnings
    assert told.startswith("no words were read in: attached file logo.png")


def test_files_in_a_pdf_follow_its_pages(tmp_path: Path) -> None:
    cover = pdfs.write(tmp_path / "cover.pdf", pdfs.say("The contract has two annexes."))
    with pikepdf.open(cover, allow_overwriting_input=True) as file:
        file.attachments["prices.csv"] = b"Crate;Price\nLamps;318 euros\n"
        file.attachments["lease.pdf"] = _lease(tmp_path)
        pinned = pikepdf.AttachedFileSpec(file, b"The pinned words.", filename="pinned.txt")
        note = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.FileAttachment, Rect=[100, 100, 120, 120], FS=pinned.obj
        )
        file.pages[0].Annots = file.make_indirect([file.make_indirect(note)])
        file.save(cover)
    document = read(cover)
    assert list(document.pages.label) == [
        *("1", "page 1 of lease.pdf", "page 2 of lease.pdf"),
        *("part 1 of prices.csv", "part 1 of pinned.txt"),
    ]
    assert document.has_pages
    assert _where(document, "318 euros") == ("part 1 of prices.csv", ("Attachment: prices.csv",))
    assert _where(document, "275 francs")[1] == ("Attachment: lease.pdf",)


def _native(name: str, data: bytes) -> bytes:
    """Return a file as a person drops it into a document (OLE 1.0 native data)."""
    held = b"\x02\0" + f"{name}\0C:\\old\\{name}\0".encode() + b"\0\0\x03\0"
    held += struct.pack("<I", 4) + b"C:\\\0" + struct.pack("<I", len(data)) + data
    return struct.pack("<I", len(held)) + held


def _word(inner: bytes, dropped: bytes) -> bytes:
    return archive(
        {
            "_rels/.rels": relations({"word/document.xml": "officeDocument"}),
            "word/document.xml": f"<w:document {WORD}><w:body>{p('The terms are below.')}</w:body></w:document>",
            "word/_rels/document.xml.rels": relations(_TARGETS),
            "word/embeddings/annex1.docx": inner,
            "word/embeddings/oleObject1.bin": dropped,
        }
    )


def _slides(inner: bytes, dropped: bytes) -> bytes:
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Terms"
    slide.shapes.add_ole_object(io.BytesIO(inner), PROG_ID.DOCX, 0, 0)
    slide.shapes.add_ole_object(io.BytesIO(dropped), "Package", 0, 0)
    kept = io.BytesIO()
    made.save(kept)
    return kept.getvalue()


def _workbook(inner: bytes, dropped: bytes) -> bytes:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    targets = {name.replace("embeddings", "../embeddings"): kind for name, kind in _TARGETS.items()}
    cell = '<c r="A1" t="inlineStr"><is><t>Terms</t></is></c>'
    return archive(
        {
            "_rels/.rels": relations({"xl/workbook.xml": "officeDocument"}),
            "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{OFFICE}"><sheets><sheet name="One" r:id="rId1"/>'
            "</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": relations({"worksheets/sheet1.xml": "worksheet"}),
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData><row r="1">{cell}</row></sheetData>'
            "</worksheet>",
            "xl/worksheets/_rels/sheet1.xml.rels": relations(targets),
            "xl/embeddings/annex1.docx": inner,
            "xl/embeddings/oleObject1.bin": dropped,
        }
    )


_TARGETS = {"embeddings/annex1.docx": "package", "embeddings/oleObject1.bin": "oleObject"}


@pytest.mark.parametrize(("kind", "made"), [("docx", _word), ("pptx", _slides), ("xlsx", _workbook)])
def test_objects_in_office_files_are_read_as_files(
    kind: str, made: Callable[[bytes, bytes], bytes], tmp_path: Path
) -> None:
    inner = docx(p("The sluice opens at 05:40."))
    dropped = compound(_native("lease.pdf", _lease(tmp_path)), name="\x01Ole10Native")
    document = _read(tmp_path, f"outer.{kind}", made(inner, dropped))
    assert document.metadata.warnings == ()
    (first, second) = ("Attachment: annex1.docx", "Attachment: lease.pdf")
    label, sections = _where(document, "05:40")
    assert (label.removeprefix("part 1 of "), sections) == (sections[0].removeprefix("Attachment: "), sections)
    assert sections[0] == first or kind == "pptx"
    assert _where(document, "275 francs") == ("page 2 of lease.pdf", (second,))


def _in_folders(*held: dict[str, bytes]) -> bytes:
    """Return a workbook of before 2007 with these streams in folders, as objects of other programs stand there."""
    streams = {"Workbook": workbook_in(xls(SHEET))}
    inside: dict[str, tuple[int, int]] = {}
    for number, one in enumerate(held):
        inside[f"MBD{number}"] = len(streams) + 1, len(streams) + len(one)
        streams |= one
    streams |= dict.fromkeys(inside, b"")
    made = bytearray(compound_file(streams) or b"")
    at = 512 * (int.from_bytes(made[48:52], "little") + 1)

    def put(entry: int, field: int, value: int) -> None:
        made[at + 128 * entry + field : at + 128 * entry + field + 4] = value.to_bytes(4, "little")

    put(1, 72, len(streams) - len(inside) + 1)  # the folders come after the workbook
    for entry, (first, last) in enumerate(inside.values(), len(streams) - len(inside) + 1):
        made[at + 128 * entry + 66] = 1
        put(entry, 76, first)
        put(last, 72, 0xFFFFFFFF)
    return bytes(made)


SHEET = [[Cell([("Terms", PLAIN)]), Cell([("Fee", PLAIN)])], [Cell([("Lease", PLAIN)]), Cell(4.0)]]


def test_objects_in_workbooks_of_before_2007_are_read_as_files(tmp_path: Path) -> None:
    dropped = {"\x01Ole10Native": _native("lease.pdf", _lease(tmp_path)), "\x03ObjInfo": b"\0"}
    whole = {"Book": workbook_in(xls([[Cell([("Sluice", PLAIN)]), Cell([("05:40", PLAIN)])]]))}
    packed = {"Package": docx(p("The yard is closed.")), "\x01CompObj": b"\0"}
    document = _read(tmp_path, "outer.xls", _in_folders(dropped, whole, packed))
    assert document.metadata.warnings == ()
    assert _where(document, "275 francs") == ("page 2 of lease.pdf", ("Attachment: lease.pdf",))
    assert _where(document, "05:40")[1][0] == "Attachment: MBD1.xls"
    assert _where(document, "yard is closed")[1][0] == "Attachment: MBD2.docx"


def test_objects_in_binary_workbooks_of_today_are_read_as_files(tmp_path: Path) -> None:
    kept = io.BytesIO(xlsb(SHEET))
    with zipfile.ZipFile(kept, "a") as file:
        file.writestr("xl/worksheets/_rels/sheet1.bin.rels", relations({"../embeddings/annex.docx": "package"}))
        file.writestr("xl/embeddings/annex.docx", docx(p("The yard is closed.")))
    document = _read(tmp_path, "outer.xlsb", kept.getvalue())
    assert _where(document, "yard is closed")[1] == ("Attachment: annex.docx",)


def test_what_is_no_file_that_is_read_is_named(tmp_path: Path) -> None:
    document = _read(tmp_path, "outer.docx", _word(b"PK\3\4 no archive", b"no object"))
    assert [one.partition(" cannot")[0] for one in document.metadata.warnings] == [
        'attachment "annex1.docx"',
        "not read: attached file oleObject1.bin (application/octet-stream, 9 bytes)",
    ]


def test_files_of_formats_that_are_not_read_are_named_before_those_beside_them(tmp_path: Path) -> None:
    word = compound_file({"WordDocument": b"words" * 1000}) or b""
    slides = compound_file({"PowerPoint Document": b"words" * 1000}) or b""
    letter = EmailMessage()
    letter["Subject"] = "Files"
    letter.set_content("See below.")
    for name, data in (
        ("old.doc", word), ("book.xls", xls(SHEET)), ("old.ppt", slides), ("more.zip", b"PK\3\4")
    ):  # fmt: skip
        letter.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    document = _read(tmp_path, "a.eml", letter.as_bytes())
    assert [one.partition(" cannot")[0] for one in document.metadata.warnings] == [
        'attachment "old.doc"',
        'attachment "old.ppt"',
        "not read: attached file more.zip (application/octet-stream, 4 bytes)",
    ]
    (named,) = [text for text in document.blocks.text if text.startswith("Attached: ")]
    assert [name in named for name in ("old.doc", "old.ppt", "more.zip", "book.xls")] == [True, True, True, False]
    assert [_where(document, text)[1] for text in ("old.ppt", "Terms")] == [(), ("Attachment: book.xls", "Sheet")]
