"""Values of PDF forms, what readers wrote on pages, and files that a PDF carries."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pikepdf
from reportlab.pdfgen.canvas import Canvas

from octavo_documents.document import Document, Kind
from octavo_documents.parsing import Limits, pdf
from octavo_documents.structuring.layout import structured
from pdfs import write

DATA = (
    "<xfa:datasets xmlns:xfa='http://www.xfa.org/schema/xfa-data/1.0/'><xfa:data><form>"
    "<owner_name>Ada Brook</owner_name>"
    "<boat>Silver Heron</boat><none/></form></xfa:data></xfa:datasets>"
)


def _form(canvas: Canvas) -> None:
    canvas.setFont("Helvetica", 11)
    for at, label in enumerate(("Name of the boat:", "Harbour wanted:", "Power needed:", "Water needed:", "Remarks:")):
        canvas.drawString(72, 700 - 40 * at, label)
    form = canvas.acroForm
    form.textfield(name="boat", value="Silver Heron", x=220, y=692, width=200, height=18, relative=False)
    form.choice(name="harbour", value="Southbay", options=["Northgut", "Southbay"], x=220, y=652, width=200, height=18)
    form.checkbox(name="power", checked=True, x=220, y=612, size=18)
    form.checkbox(name="water", checked=False, x=220, y=572, size=18)
    form.textfield(name="remarks", value="Arrives late\nNeeds a crane", x=220, y=520, width=200, height=40)
    for at, (value, label) in enumerate((("spring", "Spring"), ("autumn", "Autumn"))):
        canvas.drawString(100 + 120 * at, 470, label)
        form.radio(name="season", value=value, selected=value == "autumn", x=75 + 120 * at, y=465, size=18)


def _read(path: Path) -> Document:
    return structured(pdf.extract(path, ocr="never"), name=path.name, digest="0")


def test_values_of_a_form_are_read_where_they_stand_and_by_name(tmp_path: Path) -> None:
    document = _read(write(tmp_path / "a.pdf", _form))
    text = "\n".join(document.blocks.text)
    for row in (
        "Name of the boat: | Silver Heron",
        "Harbour wanted: | Southbay",
        "Power needed: | ☒",
        "Water needed: | ☐",
    ):
        assert row in text
    named = document.blocks.text[-1]
    assert named == (
        "Form fields: boat: Silver Heron; harbour: Southbay; power: yes; water: no; "
        "remarks: Arrives late Needs a crane; season: autumn"
    )
    assert text.count("◉") == text.count("○") == 1


def test_values_are_drawn_and_their_words_have_places(tmp_path: Path) -> None:
    path = write(tmp_path / "a.pdf", _form)
    drawn = pdf.render(path, 1, box=(220, 80, 420, 100), dpi=72)
    assert np.ptp(drawn) > 200
    found = pdf.words(path, 1)
    at = found.texts.index("Heron")
    x0, y0, x1, y1 = found.boxes[at].tolist()
    assert 220 < x0 < x1 < 420
    assert 82 <= y0 < y1 <= 100


def _annotated(path: Path, *notes: dict[str, object]) -> Path:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        canvas.drawString(72, 700, "The monthly rent is 2,150 euros, due on the first working day.")

    write(path, draw)
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        made = [
            file.make_indirect(
                pikepdf.Dictionary(
                    Type=pikepdf.Name.Annot, **{"F": 4, "Rect": pikepdf.Array([72, 600, 300, 620]), **note}
                )
            )
            for note in notes
        ]
        for one in made:
            if "/IRT" in one:
                one.IRT = made[0]
        file.pages[0].Annots = pikepdf.Array(made)
        file.save(path)
    return path


def test_text_boxes_notes_replies_and_comments_of_marks_are_read(tmp_path: Path) -> None:
    name = pikepdf.Name
    marked = pikepdf.Array([171, 711, 233, 711, 171, 697, 233, 697])
    path = _annotated(
        tmp_path / "a.pdf",
        {"Subtype": name.Text, "Contents": "Why so much?", "T": "Auditor"},
        {"Subtype": name.FreeText, "Contents": "The notice period is ten weeks."},
        {"Subtype": name.Highlight, "Contents": "Raised to 2,275", "T": "Owner", "QuadPoints": marked},
        {"Subtype": name.Text, "Contents": "As agreed in May.", "T": "Owner", "IRT": True},
        {"Subtype": name.Popup, "Contents": "Why so much?"},
        {"Subtype": name.Popup, "Contents": "Seen by the clerk"},
        {"Subtype": name.Text, "Contents": "Nobody sees this", "F": 2},
    )
    document = _read(path)
    kinds = document.blocks.kind.tolist()
    assert [text for text, kind in zip(document.blocks.text, kinds, strict=True) if kind == Kind.FOOTNOTE] == [
        "Comment by Auditor: Why so much?",
        "Comment by Owner on “2,150 euros,”: Raised to 2,275",
        "Reply by Owner: As agreed in May.",
        "Comment: Seen by the clerk",
    ]
    assert "The notice period is ten weeks." in [*document.blocks.text]
    assert not any("Nobody" in text for text in document.blocks.text)


def test_the_data_of_an_xfa_form_are_read_once(tmp_path: Path) -> None:
    path = write(tmp_path / "a.pdf", _form)
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        parts = pikepdf.Array([pikepdf.String("datasets"), file.make_stream(DATA.encode())])
        file.Root.AcroForm.XFA = parts
        file.save(path)
    assert _read(path).blocks.text[-1] == "Form fields: owner name: Ada Brook"


def test_hostile_forms_are_bounded(tmp_path: Path) -> None:
    note = {"Subtype": pikepdf.Name.Text, "Contents": "x" * 60_000}
    path = _annotated(tmp_path / "a.pdf", *[note] * 300)
    content = pdf.extract(path, ocr="never", limits=Limits(links_per_page=50))
    assert sum(len(one.text) for one in content.pages[0].comments) <= 50 * 10_020
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        bomb = "<!DOCTYPE a [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;'>]><a><b>&b;</b></a>"
        parts = pikepdf.Array([pikepdf.String("datasets"), file.make_stream(bomb.encode())])
        file.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array([]), XFA=parts)
        file.save(path)
    assert not any("aaaa" in one.text for one in pdf.extract(path, ocr="never").pages[0].comments)
