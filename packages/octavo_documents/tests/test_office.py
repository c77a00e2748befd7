"""Office files and books as a reader sees them: what is printed is kept, with its structure, and named by its place."""

from __future__ import annotations

import io
from collections.abc import Callable

import docx as word
import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from octavo_documents.document import Kind
from octavo_documents.parsing.flow import FlowContent, NoText
from octavo_documents.parsing.numerals import numeral
from octavo_documents.parsing.office import docx, epub, odp, odt, pptx
from octavo_documents.structuring.flow import flowing
from office_files import WORD, archive, flat, opendocument, p, relations
from office_files import docx as docx_of
from office_files import epub as epub_of

TITLE, HEADING, PARAGRAPH, ITEM, TABLE = Kind.TITLE, Kind.HEADING, Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.TABLE
FIGURE, FORMULA, CAPTION, NOTE, CODE = Kind.FIGURE, Kind.FORMULA, Kind.CAPTION, Kind.FOOTNOTE, Kind.CODE

Shape = tuple[Kind, int, str]
Read = Callable[[bytes], FlowContent]


def shape(content: FlowContent) -> list[Shape]:
    return [(block.kind, block.level, block.text) for block in content.blocks]


def texts(content: FlowContent) -> list[str]:
    return [block.text for block in content.blocks]


def grids(content: FlowContent) -> list[list[list[str]]]:
    return [block.grid.filled() for block in content.blocks if block.grid]


# DOCX


def test_a_document_that_word_writes_has_its_headings_lists_tables_and_properties() -> None:
    made = word.Document()
    made.core_properties.title, made.core_properties.author = "Harbour rules", "A. Berg"
    made.add_heading("The harbour", 0)
    made.add_heading("Fees", 1)
    paragraph = made.add_paragraph("The fee is ")
    paragraph.add_run("12.50").bold = True
    paragraph.add_run(" crowns\ta night.")
    made.add_paragraph("buoys", style="List Bullet")
    made.add_paragraph("red", style="List Bullet 2")
    made.add_paragraph("Table 1: Fees", style="Caption")
    table = made.add_table(rows=3, cols=3)
    for at, text in enumerate(("Berth", "Summer", "Winter", "A", "1.5", "1", "B", "2.5", "2")):
        table.cell(*divmod(at, 3)).text = text
    table.cell(1, 1).merge(table.cell(1, 2))
    kept = io.BytesIO()
    made.save(kept)

    content = docx.read(kept.getvalue())
    assert (content.title, content.author) == ("Harbour rules", "A. Berg")
    assert shape(content) == [
        (HEADING, 1, "The harbour"),
        (HEADING, 2, "Fees"),
        (PARAGRAPH, 0, "The fee is 12.50 crowns a night."),
        (ITEM, 1, "buoys"),
        (ITEM, 2, "red"),
        (CAPTION, 0, "Table 1: Fees"),
        (TABLE, 0, "Berth | Summer | Winter\nA | 1.5 1\nB | 2.5 | 2"),
    ]
    assert grids(content) == [[["Berth", "Summer", "Winter"], ["A", "1.5 1", "1.5 1"], ["B", "2.5", "2"]]]
    assert [block.grid.header_rows for block in content.blocks if block.grid] == [1]


STYLES = """
<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:basedOn w:val="loop"/>
  <w:pPr><w:outlineLvl w:val="0"/><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/>
  <w:pPr><w:outlineLvl w:val="1"/><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="own"><w:name w:val="Own"/><w:basedOn w:val="berschrift2"/></w:style>
<w:style w:type="paragraph" w:styleId="loop"><w:name w:val="Loop"/><w:basedOn w:val="berschrift1"/></w:style>
<w:style w:type="paragraph" w:styleId="code"><w:name w:val="Source Code"/></w:style>
"""


def level(at: int, form: str, text: str, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{form}"/>{more}<w:lvlText w:val="{text}"/></w:lvl>'
    )


NUMBERING = (
    f'<w:abstractNum w:abstractNumId="0">{level(0, "upperRoman", "%1.")}{level(1, "decimal", "%1.%2", "<w:isLgl/>")}'
    f'</w:abstractNum><w:abstractNum w:abstractNumId="1">{level(0, "lowerLetter", "(%1)")}{level(1, "bullet", "o")}'
    '</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/>'
    '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>'
)


def style(name: str) -> str:
    return f'<w:pStyle w:val="{name}"/>'


def numbered(list_id: int, at: int = 0) -> str:
    return f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{list_id}"/></w:numPr>'


def test_headings_and_lists_have_the_numbers_that_word_prints() -> None:
    body = [
        p("Begin", style("berschrift1")),
        p("Sea", style("berschrift2")),
        p("Land", style("own")),
        p("End", style("berschrift1")),
        p("Air", style("berschrift2")),
        p("Plain", style("berschrift2") + numbered(0)),
        p("ropes", numbered(2)),
        p("thick", numbered(2, 1)),
        p("sails", numbered(2)),
        p("masts", numbered(3)),
        p("Outlined", '<w:outlineLvl w:val="0"/>'),
    ]
    assert shape(docx.read(docx_of("".join(body), styles=STYLES, numbering=NUMBERING))) == [
        (HEADING, 2, "I. Begin"),
        (HEADING, 3, "1.1 Sea"),
        (HEADING, 3, "1.2 Land"),
        (HEADING, 2, "II. End"),
        (HEADING, 3, "2.1 Air"),
        (HEADING, 3, "Plain"),
        (ITEM, 1, "(a) ropes"),
        (ITEM, 2, "thick"),
        (ITEM, 1, "(b) sails"),
        (ITEM, 1, "(e) masts"),
        (HEADING, 2, "Outlined"),
    ]
    forms = ("lowerRoman", "upperLetter", "decimalZero", "ordinal", "chineseCounting", "none")
    assert [numeral(28, form) for form in forms] == ["xxviii", "BB", "28", "28th", "28", ""]


def test_what_hangs_on_a_paragraph_follows_it() -> None:
    box = f"<w:txbxContent>{p('In a box')}</w:txbxContent>"
    drawn = '<w:r><w:drawing><wp:inline><wp:docPr id="1" descr="{}"/>{}</wp:inline></w:drawing></w:r>'
    body = [
        p(
            '<w:r><w:t>Deep</w:t><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r>'
            "<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t> water</w:t></w:r></w:ins>"
            "<w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r>"
        ),
        p(
            "<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx>"
            f"{box}</wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict>"
            "</mc:Fallback></mc:AlternateContent></w:r>"
        ),
        p(drawn.format("A chart of the sea", "<pic:pic/>")),
        p(drawn.format("", '<c:chart r:id="rId3"/>')),
        p("x = 1", style("code")),
        p("y = 2", style("code")),
        p("L", '<w:framePr w:dropCap="drop"/>'),
        p("arge letters"),
    ]
    chart = (
        "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Depth</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>"
        "<c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>Share</c:v></c:pt></c:strCache></c:strRef>"
        "</c:tx><c:cat><c:strRef><c:strCache><c:pt idx='0'><c:v>North</c:v></c:pt></c:strCache></c:strRef></c:cat>"
        "<c:val><c:numRef><c:numCache><c:formatCode>0%</c:formatCode><c:pt idx='0'><c:v>0.25</c:v></c:pt></c:numCache>"
        "</c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart>"
    )
    content = docx.read(
        docx_of(
            "".join(body),
            footnotes=f'<w:footnote w:id="2">{p("Sounded in 1911.")}</w:footnote>',
            comments=f'<w:comment w:id="0" w:author="B. Lund">{p("Check this")}</w:comment>',
            chart=chart,
            styles=STYLES,
            header1=p("Pilot book"),
        )
    )
    assert shape(content) == [
        (Kind.PAGE_HEADER, 0, "Pilot book"),
        (PARAGRAPH, 0, "Deep¹ water"),
        (NOTE, 0, "1 Sounded in 1911."),
        (NOTE, 0, "Comment by B. Lund: Check this"),
        (PARAGRAPH, 0, "In a box"),
        (FIGURE, 0, "A chart of the sea"),
        (CAPTION, 0, "Depth"),
        (TABLE, 0, " | Share\nNorth | 25%"),
        (CODE, 0, "x = 1\ny = 2"),
        (PARAGRAPH, 0, "Large letters"),
    ]
    assert content.warnings == (
        "left out: 1 × tracked deletion",
        'left out: 1 word not shown on the page, beginning "unseen"',
    )


def test_formulas_read_as_text() -> None:
    x, two = "<m:r><m:t>x</m:t></m:r>", "<m:r><m:t>2</m:t></m:r>"
    power = f"<m:sSup><m:e>{x}</m:e><m:sup>{two}</m:sup></m:sSup>"
    root = f"<m:rad><m:deg/><m:e>{power}<m:r><m:t>+y</m:t></m:r></m:e></m:rad>"
    fraction = f"<m:f><m:num>{root}</m:num><m:den>{two}</m:den></m:f>"
    body = p(f"<m:oMathPara><m:oMath>{fraction}</m:oMath></m:oMathPara>") + p(f"<m:oMath>{power}{x}</m:oMath>")
    assert shape(docx.read(docx_of(body))) == [(FORMULA, 0, "(√(x^2+y))/2"), (FORMULA, 0, "x^2 x")]


def test_the_strict_variant_and_words_of_any_script_are_read() -> None:
    names = WORD.replace("schemas.openxmlformats.org/wordprocessingml/2006", "purl.oclc.org/ooxml/wordprocessingml")
    data = docx_of(p("港の料金") + p("رسوم الميناء"))
    assert texts(docx.read(data)) == ["港の料金", "رسوم الميناء"]
    strict = {
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" '
        'Target="/word/document.xml"/></Relationships>',
        "word/document.xml": (
            f'<?xml version="1.0" encoding="UTF-16"?><w:document {names}><w:body>{p("Strict")}</w:body></w:document>'
        ).encode("utf-16"),
    }
    assert texts(docx.read(archive(strict))) == ["Strict"]


# ODT

ODT_STYLES = """
<style:style style:name="Heading" style:family="paragraph"/>
<style:style style:name="H1" style:family="paragraph" style:parent-style-name="Heading"
  style:default-outline-level="1"/>
<style:style style:name="Title" style:family="paragraph" style:parent-style-name="Heading"/>
<style:style style:name="Illustration" style:family="paragraph"/>
<style:style style:name="Preformatted_20_Text" style:family="paragraph"/>
<style:style style:name="Gone" style:family="text"><style:text-properties text:display="none"/></style:style>
<text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/>
<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>
<text:list-style style:name="Num"><text:list-level-style-number text:level="1" style:num-format="a"
  style:num-suffix=")"/>
<text:list-level-style-bullet text:level="2" text:bullet-char="o"/></text:list-style>
"""
CELL = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
ODT = f"""
<text:sequence-decls><text:sequence-decl text:name="Figure"/></text:sequence-decls>
<text:p text:style-name="Title">The harbour</text:p>
<text:h text:outline-level="1">Fees</text:h>
<text:h text:outline-level="2">Summer<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>
<text:note-body><text:p>Since 1911.</text:p></text:note-body></text:note></text:h>
<text:p>The  fee<text:s/>is<text:tab/><text:span>12.50</text:span><text:span text:style-name="Gone">unseen</text:span>
crowns.<office:annotation><dc:creator>B. Lund</dc:creator><text:p>Check</text:p></office:annotation></text:p>
<text:list text:style-name="Num"><text:list-item><text:p>ropes</text:p><text:list><text:list-item><text:p>thick</text:p>
</text:list-item></text:list></text:list-item><text:list-item><text:p>sails</text:p><text:p>Of linen.</text:p>
</text:list-item></text:list>
<text:list text:style-name="Num" text:continue-numbering="true"><text:list-item><text:p>masts</text:p></text:list-item>
</text:list>
<table:table><table:table-header-rows><table:table-row>{CELL.format("", "Berth")}{CELL.format("", "Fee")}
</table:table-row></table:table-header-rows><table:table-row>
{CELL.format(' table:number-rows-spanned="2"', "A")}{CELL.format("", "1.5")}
</table:table-row><table:table-row><table:covered-table-cell/>{CELL.format("", "2")}</table:table-row></table:table>
<text:p text:style-name="Illustration">Figure <text:sequence>1</text:sequence>: The pier</text:p>
<text:p><draw:frame><draw:text-box><text:p>In a box</text:p></draw:text-box></draw:frame>
<draw:frame><draw:image/><svg:desc>A chart of the sea</svg:desc></draw:frame>
<draw:frame><draw:image/></draw:frame></text:p><text:p><draw:frame><draw:object><m:math><m:mfrac><m:mi>a</m:mi><m:msup><m:mi>b</m:mi><m:mn>2</m:mn></m:msup></m:mfrac>
</m:math></draw:object></draw:frame></text:p>
<text:p text:style-name="Preformatted_20_Text">x = 1</text:p><text:p text:style-name="Preformatted_20_Text"><text:s
text:c="2"/>y = 2</text:p>
<text:section text:display="none"><text:p>hidden</text:p></text:section>
<text:section><text:h text:outline-level="1">Rules</text:h></text:section>
"""


def test_an_opendocument_text_has_its_printed_numbers_notes_tables_and_formulas() -> None:
    content = odt.read(flat("text", ODT, styles=ODT_STYLES))
    assert (content.title, content.author) == ("Harbour rules", "A. Berg")
    assert shape(content) == [
        (HEADING, 1, "The harbour"),
        (HEADING, 2, "1 Fees"),
        (HEADING, 3, "1.1 Summer¹"),
        (NOTE, 0, "1 Since 1911."),
        (PARAGRAPH, 0, "The fee is 12.50 crowns."),
        (NOTE, 0, "Comment by B. Lund: Check"),
        (ITEM, 1, "a) ropes"),
        (ITEM, 2, "thick"),
        (ITEM, 1, "b) sails"),
        (PARAGRAPH, 0, "Of linen."),
        (ITEM, 1, "c) masts"),
        (TABLE, 0, "Berth | Fee\nA | 1.5\n | 2"),
        (CAPTION, 0, "Figure 1: The pier"),
        (PARAGRAPH, 0, "In a box"),
        (FIGURE, 0, "A chart of the sea"),
        (FORMULA, 0, "a/(b^2)"),
        (CODE, 0, "x = 1\n  y = 2"),
        (HEADING, 2, "2 Rules"),
    ]
    assert grids(content) == [[["Berth", "Fee"], ["A", "1.5"], ["A", "2"]]]
    assert content.warnings == (
        "left out: 1 × picture without a description",
        'left out: 2 words not shown on the page, beginning "unseen"',
    )


def test_an_encrypted_opendocument_file_is_refused_as_such() -> None:
    manifest = '<m:manifest xmlns:m="urn:x"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    with pytest.raises(NoText) as refused:
        odt.read(opendocument("text", "<text:p>x</text:p>", **{"META-INF__manifest": manifest}))
    assert refused.value.reason == "encrypted"
    assert texts(odt.read(opendocument("text", "<text:p>x</text:p>"))) == ["x"]
    with pytest.raises(NoText, match="another program"):
        odt.read(opendocument("presentation", ""))


# Slides


def slides() -> bytes:
    """Return slides with a title slide, two columns, a group, a table, a chart, notes, a picture and no title."""
    made = Presentation()
    first = made.slides.add_slide(made.slide_layouts[0])
    first.shapes.title.text, first.placeholders[1].text = "The harbour", "A. Berg"
    second = made.slides.add_slide(made.slide_layouts[3])
    second.shapes.title.text = "Fees"
    left, right = second.placeholders[1].text_frame, second.placeholders[2].text_frame
    left.text, right.text = "Berths", "Rules"
    nested = left.add_paragraph()
    nested.text, nested.level = "of wood", 1
    right.add_paragraph().text = "Pay first"
    second.notes_slide.notes_text_frame.text = "Speak slowly.\nSmile."
    third = made.slides.add_slide(made.slide_layouts[6])
    places = {"at the foot": (1, 6), "Left below": (1, 3), "Right": (6, 1.5), "Left": (1, 1.5), "Over all": (1, 0.2)}
    group = third.shapes.add_group_shape()
    for text, (x, y) in places.items():
        shapes = group.shapes if text.startswith("Left") else third.shapes
        shapes.add_textbox(Inches(x), Inches(y), Inches(3), Inches(0.8)).text_frame.text = text
    table = third.shapes.add_table(2, 2, Inches(1), Inches(4.2), Inches(8), Inches(1)).table
    for at, text in enumerate(("Berth", "Fee", "A", "1.5")):
        table.cell(*divmod(at, 2)).text = text
    data = CategoryChartData()
    data.categories = ["North", "South"]
    data.add_series("Ships", (4.1, 5))
    fourth = made.slides.add_slide(made.slide_layouts[5])
    fourth.shapes.title.text = "Ships"
    fourth.shapes.add_chart(XL_CHART_TYPE.PIE, Inches(1), Inches(2), Inches(5), Inches(4), data)
    kept = io.BytesIO()
    made.save(kept)
    return kept.getvalue()


def test_a_slide_is_a_part_with_its_title_shapes_in_reading_order_and_notes_apart() -> None:
    content = pptx.read(slides())
    assert shape(content) == [
        (HEADING, 1, "The harbour"),
        (PARAGRAPH, 0, "A. Berg"),
        (HEADING, 4, "Fees"),
        (ITEM, 1, "Berths"),
        (ITEM, 2, "of wood"),
        (ITEM, 1, "Rules"),
        (ITEM, 1, "Pay first"),
        (NOTE, 0, "Notes: Speak slowly."),
        (NOTE, 0, "Smile."),
        (HEADING, 4, "Over all"),
        (PARAGRAPH, 0, "Left"),
        (PARAGRAPH, 0, "Left below"),
        (PARAGRAPH, 0, "Right"),
        (TABLE, 0, "Berth | Fee\nA | 1.5"),
        (PARAGRAPH, 0, "at the foot"),
        (HEADING, 4, "Ships"),
        (TABLE, 0, " | Ships\nNorth | 4.1\nSouth | 5"),
    ]
    document = flowing(content, name="x.pptx", digest="0" * 64)
    assert list(document.pages.label) == ["slide 1", "slide 2", "slide 3", "slide 4"]
    assert (document.unit, document.blocks.kind[0], document.blocks.section_path(4)) == ("slide", TITLE, ("Fees",))


SLIDE = f"""
<draw:page draw:name="p1"><draw:frame presentation:class="subtitle" svg:x="1cm" svg:y="5cm"><draw:text-box>
<text:p>A. Berg</text:p></draw:text-box></draw:frame><draw:frame presentation:class="title" svg:y="9cm" svg:x="1cm">
<draw:text-box><text:p>The harbour</text:p></draw:text-box></draw:frame></draw:page>
<draw:page draw:name="p2"><draw:frame presentation:class="title"><draw:text-box><text:p>Fees</text:p></draw:text-box>
</draw:frame><draw:g><draw:custom-shape svg:x="20mm" svg:y="80mm" svg:width="5cm"
svg:height="1cm"><text:p>below</text:p>
</draw:custom-shape></draw:g><draw:frame presentation:class="outline" svg:x="2cm" svg:y="2cm" svg:width="5cm"
svg:height="1cm"><draw:text-box><text:list><text:list-item><text:p>Berths</text:p></text:list-item></text:list>
</draw:text-box></draw:frame><draw:frame presentation:placeholder="true"><draw:text-box><text:p>Click</text:p>
</draw:text-box></draw:frame><draw:frame svg:x="2cm" svg:y="4cm" svg:height="1cm"><table:table><table:table-row>
{CELL.format("", "Berth")}{CELL.format("", "Fee")}</table:table-row><table:table-row>{CELL.format("", "A")}
{CELL.format("", "1.5")}</table:table-row></table:table></draw:frame><office:annotation><dc:creator>B. Lund</dc:creator>
<text:p>Check</text:p></office:annotation><presentation:notes><draw:frame presentation:class="notes"><draw:text-box>
<text:p>Speak slowly.</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>
"""


def test_slides_of_opendocument_are_read_alike() -> None:
    content = odp.read(flat("presentation", SLIDE))
    assert [(block.part, *one) for block, one in zip(content.blocks, shape(content), strict=True)] == [
        ("slide 1", HEADING, 1, "The harbour"),
        ("", PARAGRAPH, 0, "A. Berg"),
        ("slide 2", HEADING, 4, "Fees"),
        ("", ITEM, 1, "Berths"),
        ("", TABLE, 0, "Berth | Fee\nA | 1.5"),
        ("", PARAGRAPH, 0, "below"),
        ("", NOTE, 0, "Notes: Speak slowly."),
        ("", NOTE, 0, "Comment by B. Lund: Check"),
    ]


# Books

CHAPTERS = {
    "front.xhtml": "<p>For the pilots.</p>",
    "one.xhtml": (
        '<section id="one"><h2>I</h2><h3>The Sea</h3><a id="p1"/><p>It is deep.&nbsp;And<span id="p2" '
        'epub:type="pagebreak"/> cold.</p><p>Ships sink.</p><h4>Tides</h4><p>They turn.</p></section>'
        '<article><h3 id="ships">Ships</h3><p>They float: <math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>a</mi>'
        "<mn>2</mn></msup></math>.</p></article>"
    ),
    "two.xhtml": "<p>No heading here.</p>",
}
NAV = (
    '<nav epub:type="toc"><ol><li><a href="one.xhtml#one">I: The Sea</a><ol><li><a href="one.xhtml#ships">Ships</a>'
    '</li></ol></li><li><a href="two.xhtml">Chapter 2: <i>The Land</i></a></li></ol></nav>'
    '<nav epub:type="page-list"><ol><li><a href="one.xhtml#p1">1</a></li>'
    '<li><a href="one.xhtml#p2">2</a></li></ol></nav>'
)
POINT = '<navPoint><navLabel><text>{}</text></navLabel><content src="{}"/>{}</navPoint>'
NCX = f"""<navMap>{POINT.format("I: The Sea", "one.xhtml#one", POINT.format("Ships", "one.xhtml#ships", ""))}
{POINT.format("Chapter 2: The Land", "two.xhtml", "")}</navMap><pageList><pageTarget><navLabel><text>1</text></navLabel>
<content src="one.xhtml#p1"/></pageTarget><pageTarget><navLabel><text>2</text></navLabel><content src="one.xhtml#p2"/>
</pageTarget></pageList>"""


@pytest.mark.parametrize("contents", [{"nav": NAV}, {"ncx": NCX}])
def test_a_book_has_the_chapters_of_its_contents_and_its_printed_pages(contents: dict[str, str]) -> None:
    content = epub.read(epub_of(CHAPTERS, **contents))
    assert (content.title, content.author) == ("Harbour book", "A. Berg, B. Lund")
    assert [(block.part, *one) for block, one in zip(content.blocks, shape(content), strict=True)] == [
        ("", PARAGRAPH, 0, "For the pilots."),
        ("chapter I: The Sea", HEADING, 1, "I The Sea"),
        ("chapter I: The Sea, page 1", PARAGRAPH, 0, "It is deep. And cold."),
        ("chapter I: The Sea, page 2", PARAGRAPH, 0, "Ships sink."),
        ("", HEADING, 2, "Tides"),
        ("", PARAGRAPH, 0, "They turn."),
        ("", HEADING, 2, "Ships"),
        ("", PARAGRAPH, 0, "They float: a^2."),
        ("chapter 2: The Land, page 2", HEADING, 1, "Chapter 2: The Land"),
        ("", PARAGRAPH, 0, "No heading here."),
    ]


def test_a_book_without_contents_is_parted_by_its_files() -> None:
    content = epub.read(epub_of({"b.xhtml": "<h1>The Sea</h1><p>Deep.", "a.xhtml": "<h1>The Land</h1><p>Dry.</p>"}))
    assert [block.part for block in content.blocks] == ["chapter The Sea", "", "chapter The Land", ""]


def test_a_book_under_rights_management_is_refused_but_veiled_fonts_are_no_matter() -> None:
    data = (
        '<encryption xmlns:e="urn:x"><e:EncryptedData><e:EncryptionMethod Algorithm="{}"/>'
        '<e:CipherReference URI="OPS/{}"/></e:EncryptedData></encryption>'
    )
    for method, part in (("http://www.idpf.org/2008/embedding", "a.xhtml"), ("urn:aes", "font.otf")):
        book = epub_of({"a.xhtml": "<p>x</p>"}, **{"META-INF__encryption.xml": data.format(method, part)})
        assert texts(epub.read(book)) == ["x"]
    with pytest.raises(NoText) as refused:
        epub.read(epub_of({"a.xhtml": "<p>x</p>"}, **{"META-INF__encryption.xml": data.format("urn:aes", "a.xhtml")}))
    assert refused.value.reason == "encrypted"


# What is no such file

BAD = [
    ("", "empty"),
    ("no archive", "format"),
    ({"a.xml": "<a/>"}, "damaged"),
    ({"_rels/.rels": "<a"}, "damaged"),
]


@pytest.mark.parametrize("read", [docx.read, pptx.read, odt.read, odp.read, epub.read])
@pytest.mark.parametrize(("made", "reason"), BAD)
def test_what_is_no_such_file_is_refused_with_its_reason(read: Read, made: str | dict[str, str], reason: str) -> None:
    with pytest.raises(NoText) as refused:
        read(made.encode() if isinstance(made, str) else archive(made))
    assert refused.value.reason == reason


def test_a_file_of_another_program_and_entities_are_refused() -> None:
    for document in ("<w:settings {}/>", '<!DOCTYPE a [<!ENTITY b "c">]><w:document {}/>'):
        data = archive(
            {
                "_rels/.rels": relations({"word/document.xml": "officeDocument"}),
                "word/document.xml": document.format(WORD),
            }
        )
        with pytest.raises(NoText):
            docx.read(data)
