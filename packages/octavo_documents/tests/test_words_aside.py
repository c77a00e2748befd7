"""Words that stand beside the running text: drawn letters, text boxes of heads, dates of slides, fields, remarks."""

from __future__ import annotations

import copy
import io
from collections.abc import Iterable
from pathlib import Path

import pikepdf
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls
from pptx.util import Inches

import pdfs
from octavo_documents.document import Kind
from octavo_documents.parsing.flow import FlowBlock
from octavo_documents.parsing.markup import rtf
from octavo_documents.parsing.office import docx, odp, odt, pptx
from octavo_documents.parsing.sheets import ods
from octavo_documents.reading import read
from office_files import docx as word
from office_files import flat, p

_RUN = "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>"
_BOX = (
    "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:txbx><w:txbxContent>{0}</w:txbxContent>"
    "</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>{0}</w:txbxContent>"
    "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
)


def _texts(blocks: Iterable[FlowBlock]) -> list[str]:
    return [block.text for block in blocks]


def test_a_text_box_in_a_head_is_read_once() -> None:
    made = word(p("Body"), header1=p(_RUN.format("Harbour") + _BOX.format(p("office"))), footer1=p("Foot"))
    assert _texts(docx.read(made).blocks) == ["Harbour office", "Body", "Foot"]


def test_letters_that_are_drawn_are_words() -> None:
    drawn = '<w:r><w:pict><v:shape><v:textpath string="Not for sale"/></v:shape></w:pict></w:r>'
    assert _texts(docx.read(word(p(_RUN.format("Pier 3") + drawn))).blocks) == ["Pier 3 Not for sale"]


def test_a_date_that_is_written_on_slides_is_read() -> None:
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    for one in made.slide_layouts[6].placeholders:
        slide.shapes._spTree.append(copy.deepcopy(one._element))
    for one in slide.placeholders:
        one.text_frame.text = f"Said by {one.placeholder_format.type}"
    kept = io.BytesIO()
    made.save(kept)
    assert _texts(pptx.read(kept.getvalue()).blocks) == ["Said by DATE (16)", "Said by FOOTER (15)"]


def _covered(*, is_clear: bool = False, is_small: bool = False, moves: bool = False) -> bytes:
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[6])
    for at, text in enumerate(("Covered words", "Words beside")):
        slide.shapes.add_textbox(Inches(1 + 5 * at), Inches(1), Inches(3), Inches(1)).text_frame.text = text
    cover = slide.shapes.add_shape(1, Inches(0.9), Inches(0.9), Inches(2 if is_small else 3.5), Inches(1.4))
    cover.fill.solid()
    cover.fill.fore_color.rgb = RGBColor(0, 0, 0)
    colour = cover.fill._xPr.find(".//{*}srgbClr")
    if is_clear:
        colour.append(parse_xml(f'<a:alpha {nsdecls("a")} val="40000"/>'))
    if moves:
        slide.element.append(parse_xml(f"<p:timing {nsdecls('p')}><p:childTnLst/></p:timing>"))
    kept = io.BytesIO()
    made.save(kept)
    return kept.getvalue()


def test_words_under_a_shape_that_hides_them_are_told_and_not_read() -> None:
    content = pptx.read(_covered())
    assert _texts(content.blocks) == ["Words beside"]
    assert content.warnings == ('left out: 2 words not shown on the page, beginning "Covered words"',)
    for made in (_covered(is_clear=True), _covered(is_small=True), _covered(moves=True)):
        assert _texts(pptx.read(made).blocks) == ["Covered words", "Words beside"]


def test_words_under_a_shape_of_an_open_document_slide() -> None:
    place = 'svg:x="{0}cm" svg:y="1cm" svg:width="{1}cm" svg:height="2cm"'
    frame = "<draw:frame {0}><draw:text-box><text:p>{1}</text:p></draw:text-box></draw:frame>"
    style = (
        '<style:style style:name="B" style:family="graphic"><style:graphic-properties draw:fill="solid" '
        'draw:fill-color="#000000"/></style:style>'
    )
    body = frame.format(place.format(1, 4), "Covered words") + frame.format(place.format(8, 4), "Words beside")
    body += f'<draw:rect draw:style-name="B" {place.format(1, 5)}/>'
    made = flat("presentation", f'<draw:page draw:name="1">{body}</draw:page>', styles=style)
    assert _texts(odp.read(made).blocks) == ["Words beside"]


_FORM = (
    '<office:forms xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"><form:form>'
    '<form:text form:id="a" form:value="Old" form:current-value="Silver Heron"/>'
    '<form:checkbox form:id="b" form:label="Insured" form:current-state="checked"/>'
    '<form:radio form:id="c" form:label="Towed"/><form:password form:id="d" form:value="x7"/>'
    '<form:listbox form:id="e"><form:option form:label="North"/>'
    '<form:option form:label="South" form:current-selected="true"/></form:listbox></form:form></office:forms>'
)
_CONTROLS = "".join(f'<draw:control draw:control="{one}"/>' for one in "abcde")


def test_fields_of_open_document_forms_have_their_values() -> None:
    filled = ["Silver Heron", "☒ Insured", "○ Towed", "South"]
    text = odt.read(flat("text", f"{_FORM}<text:p>Boat {_CONTROLS}</text:p>")).blocks
    assert _texts(text) == [" ".join(["Boat", *filled])]
    slide = odp.read(flat("presentation", f'<draw:page draw:name="1">{_FORM}{_CONTROLS}</draw:page>')).blocks
    assert [one for one in _texts(slide) if one in filled] == filled
    cell = "<table:table-row><table:table-cell><text:p>Boat</text:p></table:table-cell></table:table-row>"
    sheet = f'<table:table table:name="A">{_FORM}<table:shapes>{_CONTROLS}</table:shapes>{cell}</table:table>'
    assert [one for one in _texts(ods.read(flat("spreadsheet", sheet)).blocks) if one in filled] == filled


def test_notes_and_remarks_in_heads_of_open_document_are_apart() -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>From 1987.</text:p>"
        "</text:note-body></text:note><office:annotation><dc:creator>Bo</dc:creator><text:p>Check</text:p>"
        "</office:annotation>"
    )
    head = f"<style:header><text:p>Harbour rules{note}</text:p></style:header>"
    master = (
        f'<office:master-styles><style:master-page style:name="S">{head}</style:master-page></office:master-styles>'
    )
    found = [(block.kind, block.text) for block in odt.read(flat("text", "<text:p>Body</text:p>", more=master)).blocks]
    assert found == [
        (Kind.PAGE_HEADER, "Harbour rules¹"),
        (Kind.FOOTNOTE, "1 From 1987."),
        (Kind.FOOTNOTE, "Comment by Bo: Check"),
        (Kind.PARAGRAPH, "Body"),
    ]


def test_what_is_shown_of_an_object_in_rtf_is_read() -> None:
    made = rb"{\rtf1 Before {\object\objemb{\*\objclass Word}{\result{The quay is 90 m long.}}} after\par}"
    assert _texts(rtf.read(made).blocks) == ["Before The quay is 90 m long. after"]


def test_a_note_in_a_pdf_that_is_rich_text_alone_is_read(tmp_path: Path) -> None:
    path = pdfs.write(tmp_path / "a.pdf", pdfs.say("The rent is 430 crowns."))
    with pikepdf.open(path, allow_overwriting_input=True) as file:
        rich = '<body xmlns="http://www.w3.org/1999/xhtml"><p>Paid &amp; signed</p></body>'
        note = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Text, Rect=[72, 600, 90, 618], RC=pikepdf.String(rich)
        )
        file.pages[0].Annots = file.make_indirect([file.make_indirect(note)])
        file.save(path)
    assert list(read(path, ocr="never").blocks.text) == ["The rent is 430 crowns.", "Comment: Paid & signed"]
