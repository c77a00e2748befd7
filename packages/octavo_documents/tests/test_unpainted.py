"""Words that slides and OpenDocument files paint in the colour of what is behind them are left out, and told of.

Where the ground or the colour is not known they are read.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.dml import MSO_THEME_COLOR
from pptx.enum.shapes import MSO_SHAPE
from pptx.util import Inches, Pt

from octavo_documents.document import Document
from octavo_documents.parsing import Limits
from octavo_documents.parsing.formats import read_flow
from octavo_documents.structuring.flow import flowing
from office_files import flat

WHITE, BLACK, NAVY = RGBColor(255, 255, 255), RGBColor(0, 0, 0), RGBColor(0, 0, 64)


def _document(name: str, data: bytes, folder: Path) -> Document:
    path = folder / name
    path.write_bytes(data)
    return flowing(read_flow(path, Limits()), name=name, digest="0")


def _check(document: Document, *, is_read: bool) -> None:
    text = "\n".join(document.blocks.text)
    assert "Seen." in text
    assert ("Ghost words" in text) is is_read
    told = any("2 words not shown on" in one and '"Ghost words"' in one for one in document.metadata.warnings)
    assert told is not is_read


def _deck(draw: Callable[..., None], layout: int = 6) -> bytes:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[layout])
    slide.shapes.add_textbox(Inches(1), Inches(6), Inches(4), Inches(1)).text_frame.text = "Seen."
    draw(deck, slide)
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def _box(slide: Any, colour: Any = WHITE) -> Any:
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
    run = box.text_frame.paragraphs[0].add_run()
    run.text = "Ghost words"
    if isinstance(colour, RGBColor):
        run.font.color.rgb = colour
    elif colour is not None:
        run.font.color.theme_color = colour
    return box


def _ground(slide: Any, colour: RGBColor) -> None:
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = colour


def _rectangle(slide: Any, colour: Any, left: float, wide: float, form: Any = MSO_SHAPE.RECTANGLE) -> Any:
    shape = slide.shapes.add_shape(form, Inches(left), Inches(0.5), Inches(wide), Inches(2))
    if colour is not None:
        shape.fill.solid()
        shape.fill.fore_color.rgb = colour
    return shape


def _white_on_white(deck: Any, slide: Any) -> None:
    _box(slide)


def _by_theme(deck: Any, slide: Any) -> None:
    _box(slide, MSO_THEME_COLOR.BACKGROUND_1)


def _nearly(deck: Any, slide: Any) -> None:
    _box(slide, RGBColor(253, 254, 252))


def _on_own_ground(deck: Any, slide: Any) -> None:
    _ground(slide, NAVY)
    slide.shapes[0].text_frame.paragraphs[0].runs[0].font.color.rgb = WHITE
    _box(slide, RGBColor(0, 0, 66))


def _on_ground_of_master(deck: Any, slide: Any) -> None:
    _ground(deck.slide_masters[0], NAVY)
    slide.shapes[0].text_frame.paragraphs[0].runs[0].font.color.rgb = WHITE
    _box(slide, NAVY)


def _in_own_fill(deck: Any, slide: Any) -> None:
    box = _box(slide, BLACK)
    box.fill.solid()
    box.fill.fore_color.rgb = BLACK


def _on_other_shape(deck: Any, slide: Any) -> None:
    _rectangle(slide, BLACK, 0.5, 5)
    _box(slide, BLACK)


def _by_placeholder(deck: Any, slide: Any) -> None:
    """Text of a placeholder, white by the style of its layout."""
    frame = slide.placeholders[1].text_frame
    frame.text = "Ghost words"
    for shape in slide.slide_layout.placeholders:
        if shape.placeholder_format.idx == 1:
            _style(shape.text_frame._txBody)


def _by_master(deck: Any, slide: Any) -> None:
    """Text of a placeholder, white by the body style of the master."""
    slide.placeholders[1].text_frame.text = "Ghost words"
    root = deck.slide_masters[0]._element
    body = next(root.iter("{http://schemas.openxmlformats.org/presentationml/2006/main}bodyStyle"))
    for colour in body.iter("{http://schemas.openxmlformats.org/drawingml/2006/main}schemeClr"):
        colour.set("val", "bg1")


def _style(body: Any) -> None:
    from lxml import etree

    names = {"a": "http://schemas.openxmlformats.org/drawingml/2006/main"}
    style = body.find("a:lstStyle", names)
    level = etree.SubElement(style, f"{{{names['a']}}}lvl1pPr")
    letters = etree.SubElement(level, f"{{{names['a']}}}defRPr")
    fill = etree.SubElement(letters, f"{{{names['a']}}}solidFill")
    etree.SubElement(fill, f"{{{names['a']}}}srgbClr").set("val", "FFFFFF")


def _without_ink(deck: Any, slide: Any) -> None:
    box = _box(slide, None)
    box.text_frame.paragraphs[0].runs[0].font.fill.background()


def _tiny(deck: Any, slide: Any) -> None:
    box = _box(slide, None)
    box.text_frame.paragraphs[0].runs[0].font.size = Pt(1)


def _cell(deck: Any, slide: Any, ground: RGBColor = WHITE) -> None:
    table = slide.shapes.add_table(2, 2, Inches(1), Inches(1), Inches(4), Inches(2)).table
    for at, text in enumerate(("Name", "Pay", "Ann", "Ghost words")):
        cell = table.cell(at // 2, at % 2)
        cell.text = text
        cell.fill.solid()
        cell.fill.fore_color.rgb = ground
    table.cell(1, 1).text_frame.paragraphs[0].runs[0].font.color.rgb = WHITE


UNSEEN_SLIDES = (
    _white_on_white, _by_theme, _nearly, _on_own_ground, _on_ground_of_master, _in_own_fill, _on_other_shape,
    _by_placeholder, _by_master, _without_ink, _tiny, _cell,
)  # fmt: skip


def _on_dark_ground(deck: Any, slide: Any) -> None:
    _ground(slide, NAVY)
    _box(slide)


def _on_dark_shape(deck: Any, slide: Any) -> None:
    _rectangle(slide, NAVY, 0.5, 5)
    _box(slide)


def _half_on_dark_shape(deck: Any, slide: Any) -> None:
    _rectangle(slide, NAVY, 2, 1)
    _box(slide)


def _on_dark_oval(deck: Any, slide: Any) -> None:
    _rectangle(slide, NAVY, 0.5, 5, MSO_SHAPE.OVAL)
    _box(slide)


def _in_themed_shape(deck: Any, slide: Any) -> None:
    _rectangle(slide, None, 1, 3).text_frame.text = "Ghost words"


def _on_picture(deck: Any, slide: Any) -> None:
    from PIL import Image

    picture = io.BytesIO()
    Image.new("RGB", (20, 20), "navy").save(picture, "png")
    slide.shapes.add_picture(picture, 0, 0, Inches(10), Inches(5))
    _box(slide)


def _on_shape_of_layout(deck: Any, slide: Any) -> None:
    from copy import deepcopy

    shape = _rectangle(slide, NAVY, 0, 10)
    slide.slide_layout.shapes._spTree.append(deepcopy(shape._element))
    shape._element.getparent().remove(shape._element)
    _box(slide)


def _on_gradient(deck: Any, slide: Any) -> None:
    slide.background.fill.gradient()
    _box(slide)


def _with_outline(deck: Any, slide: Any) -> None:
    from lxml import etree

    run = _box(slide).text_frame.paragraphs[0].runs[0]
    etree.SubElement(run._r.get_or_add_rPr(), "{http://schemas.openxmlformats.org/drawingml/2006/main}ln")


def _in_dark_cell(deck: Any, slide: Any) -> None:
    _cell(deck, slide, NAVY)


def _darker_theme(deck: Any, slide: Any) -> None:
    box = _box(slide, MSO_THEME_COLOR.BACKGROUND_1)
    box.text_frame.paragraphs[0].runs[0].font.color.brightness = -0.5


SEEN_SLIDES = (
    _on_dark_ground, _on_dark_shape, _half_on_dark_shape, _on_dark_oval, _in_themed_shape, _on_picture,
    _on_shape_of_layout, _on_gradient, _with_outline, _in_dark_cell, _darker_theme,
)  # fmt: skip


@pytest.mark.parametrize("draw", UNSEEN_SLIDES)
def test_words_of_slides_that_are_not_painted_are_left_out(draw: Callable[..., None], tmp_path: Path) -> None:
    layout = 1 if draw in (_by_placeholder, _by_master) else 6
    _check(_document("a.pptx", _deck(draw, layout), tmp_path), is_read=False)


@pytest.mark.parametrize("draw", SEEN_SLIDES)
def test_words_of_slides_on_other_or_unknown_grounds_are_read(draw: Callable[..., None], tmp_path: Path) -> None:
    _check(_document("a.pptx", _deck(draw), tmp_path), is_read=True)


def _look(name: str, properties: str, family: str = "text", parent: str = "", more: str = "") -> str:
    above = f' style:parent-style-name="{parent}"' if parent else ""
    return (
        f'<style:style style:name="{name}" style:family="{family}"{above}>{more}'
        f"<style:text-properties {properties}/></style:style>"
    )


def _area(kind: str, properties: str) -> str:
    return f"<style:{kind}-properties {properties}/>"


WHITE_INK, DARK = 'fo:color="#ffffff"', 'fo:background-color="#000040"'
SPAN = '<text:p>Seen.</text:p><text:p><text:span text:style-name="S">Ghost words</text:span></text:p>'
PLAIN = '<text:p>Seen.</text:p><text:p text:style-name="S">Ghost words</text:p>'
CELL = (
    "<text:p>Seen.</text:p><table:table><table:table-row><table:table-cell><text:p>Name</text:p></table:table-cell>"
    '<table:table-cell table:style-name="C"><text:p text:style-name="S">Ghost words</text:p></table:table-cell>'
    "</table:table-row></table:table>"
)
FRAME = (
    '<text:p>Seen.</text:p><draw:frame draw:style-name="F"><draw:text-box><text:p text:style-name="S">'
    "Ghost words</text:p></draw:text-box></draw:frame>"
)
PAGES = (
    '<office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties {}/></style:page-layout>'
    '</office:automatic-styles><office:master-styles><style:master-page style:name="M" style:page-layout-name="L"/>'
    "</office:master-styles>"
)
NAVY_PAGE = 'draw:fill="solid" draw:fill-color="#000040"'
PARAGRAPH = _look("S", WHITE_INK, "paragraph")
UNSEEN_TEXTS = {
    "span": (SPAN, _look("S", WHITE_INK), ""),
    "parent": (SPAN, _look("S", "", parent="T") + _look("T", WHITE_INK), ""),
    "paragraph": (PLAIN, PARAGRAPH, ""),
    "own ground": (PLAIN, _look("S", 'fo:color="#000041"', "paragraph", more=_area("paragraph", DARK)), ""),
    "letters": (SPAN, _look("S", f'fo:color="#000040" {DARK}'), ""),
    "cell": (CELL, _look("S", 'fo:color="#000040"', "paragraph")
             + _look("C", "", "table-cell", more=_area("table-cell", DARK)), ""),
    "frame": (FRAME, _look("S", 'fo:color="#000040"', "paragraph")
              + _look("F", "", "graphic", more=_area("graphic", NAVY_PAGE)), ""),
    "page": (PLAIN, _look("S", 'fo:color="#000040"', "paragraph"), PAGES.format(DARK)),
    "tiny": (SPAN, _look("S", 'fo:font-size="0.5pt"'), ""),
}  # fmt: skip
SEEN_TEXTS = {
    "own colour": (SPAN, _look("S", 'style:use-window-font-color="true" fo:color="#ffffff"'), ""),
    "dark paragraph": (PLAIN, _look("S", WHITE_INK, "paragraph", more=_area("paragraph", DARK)), ""),
    "dark letters": (SPAN, _look("S", f"{WHITE_INK} {DARK}"), ""),
    "dark cell": (CELL, PARAGRAPH + _look("C", "", "table-cell", more=_area("table-cell", DARK)), ""),
    "dark frame": (FRAME, PARAGRAPH
                   + _look("F", "", "graphic", more=_area("graphic", NAVY_PAGE)), ""),
    "gradient": (FRAME, PARAGRAPH + _look("F", "", "graphic", more=_area("graphic", 'draw:fill="gradient"')), ""),
    "dark page": (PLAIN, PARAGRAPH, PAGES.format(DARK)),
    "picture page": (PLAIN, PARAGRAPH, PAGES.format('draw:fill="bitmap"')),
    "over a picture": (PLAIN, PARAGRAPH
                       + _look("G", "", "graphic", more=_area("graphic", 'style:run-through="background"')), ""),
    "back to black": ('<text:p>Seen.</text:p><text:p text:style-name="S"><text:span text:style-name="B">Ghost words'
                      "</text:span></text:p>", PARAGRAPH + _look("B", 'fo:color="#000000"'), ""),
}  # fmt: skip


@pytest.mark.parametrize("case", UNSEEN_TEXTS)
def test_words_of_texts_that_are_not_painted_are_left_out(case: str, tmp_path: Path) -> None:
    body, styles, more = UNSEEN_TEXTS[case]
    _check(_document("a.fodt", flat("text", body, styles=styles, more=more), tmp_path), is_read=False)


@pytest.mark.parametrize("case", SEEN_TEXTS)
def test_words_of_texts_on_other_or_unknown_grounds_are_read(case: str, tmp_path: Path) -> None:
    body, styles, more = SEEN_TEXTS[case]
    _check(_document("a.fodt", flat("text", body, styles=styles, more=more), tmp_path), is_read=True)


def _slide(shapes: str, *, ink: str, page: str = "", fill: str = 'draw:fill="none"', master: str = "") -> bytes:
    place = 'svg:x="2cm" svg:y="2cm" svg:width="8cm" svg:height="3cm"'
    body = (
        f'<draw:page draw:name="one" draw:style-name="D" draw:master-page-name="M">{shapes}'
        f'<draw:frame draw:style-name="seen" svg:x="2cm" svg:y="12cm" svg:width="8cm" svg:height="3cm"><draw:text-box>'
        f'<text:p>Seen.</text:p></draw:text-box></draw:frame><draw:frame draw:style-name="F" {place}><draw:text-box>'
        "<text:p>Ghost words</text:p></draw:text-box></draw:frame></draw:page>"
    )
    styles = _look("D", "", "drawing-page", more=_area("drawing-page", page))
    styles += _look("seen", 'fo:color="#808080"', "graphic", more=_area("graphic", 'draw:fill="none"'))
    styles += _look("F", f'fo:color="{ink}"', "graphic", more=_area("graphic", fill))
    styles += _look("R", "", "graphic", more=_area("graphic", NAVY_PAGE))
    styles += _look("N", "", "drawing-page", more=_area("drawing-page", master))
    masters = '<office:master-styles><style:master-page style:name="M" draw:style-name="N"/></office:master-styles>'
    return flat("presentation", body, styles=styles, more=masters)


BEHIND = '<draw:rect draw:style-name="R" svg:x="1cm" svg:y="1cm" svg:width="{}cm" svg:height="6cm"/>'


@pytest.mark.parametrize(
    ("data", "is_read"),
    [
        (_slide("", ink="#ffffff"), False),
        (_slide("", ink="#000040", page=NAVY_PAGE), False),
        (_slide("", ink="#000040", master=NAVY_PAGE), False),
        (_slide("", ink="#000040", fill=NAVY_PAGE), False),
        (_slide(BEHIND.format(12), ink="#000040"), False),
        (_slide("", ink="#ffffff", page=NAVY_PAGE), True),
        (_slide("", ink="#ffffff", page='draw:fill="bitmap"'), True),
        (_slide("", ink="#ffffff", master='draw:fill="gradient"'), True),
        (_slide(BEHIND.format(12), ink="#ffffff"), True),
        (_slide(BEHIND.format(4), ink="#ffffff"), True),
        (_slide("", ink="#ffffff", fill='draw:fill="hatch"'), True),
    ],
)
def test_words_of_open_slides_are_left_out_where_they_are_not_painted(
    data: bytes, is_read: bool, tmp_path: Path
) -> None:
    _check(_document("a.fodp", data, tmp_path), is_read=is_read)


def _sheet(cell: str, styles: str, columns: str = "") -> bytes:
    body = (
        f'<table:table table:name="S">{columns}<table:table-row><table:table-cell><text:p>Seen.</text:p>'
        f"</table:table-cell>{cell}</table:table-row></table:table>"
    )
    return flat("spreadsheet", body, styles=styles)


GHOST = "<table:table-cell{}><text:p>Ghost words</text:p></table:table-cell>"
STYLED = GHOST.format(' table:style-name="S"')
COLUMNS = '<table:table-column/><table:table-column table:default-cell-style-name="S"/>'


@pytest.mark.parametrize(
    ("data", "is_read"),
    [
        (_sheet(STYLED, _look("S", WHITE_INK, "table-cell")), False),
        (_sheet(STYLED, _look("S", "", "table-cell", "T") + _look("T", WHITE_INK, "table-cell")), False),
        (_sheet(GHOST.format(""), _look("S", WHITE_INK, "table-cell"), COLUMNS), False),
        (_sheet(STYLED, _look("S", 'fo:color="#000040"', "table-cell", more=_area("table-cell", DARK))), False),
        (_sheet(f"<table:table-cell>{SPAN.split('</text:p>', 1)[1]}</table:table-cell>", _look("S", WHITE_INK)), False),
        (_sheet(STYLED, _look("S", WHITE_INK, "table-cell", more=_area("table-cell", DARK))), True),
        (_sheet(STYLED, _look("S", WHITE_INK, "table-cell", more='<style:map style:condition="x"/>')), True),
    ],
)
def test_words_of_open_sheets_are_left_out_where_they_are_not_painted(
    data: bytes, is_read: bool, tmp_path: Path
) -> None:
    _check(_document("a.fods", data, tmp_path), is_read=is_read)


def test_cells_of_open_sheets_are_struck_out_by_their_column_or_a_parent_and_runs_are_not(tmp_path: Path) -> None:
    out = 'style:text-line-through-style="solid"'
    styles = _look("S", "", "table-cell", "T") + _look("T", out, "table-cell")
    styles += _look("B", 'style:text-line-through-style="none"')
    words = "4 euros<text:span text:style-name='B'> 5 euros</text:span>"
    cell = f"<table:table-cell><text:p>{words}</text:p></table:table-cell>"
    text = "\n".join(_document("a.fods", _sheet(cell, styles, COLUMNS), tmp_path).blocks.text)
    assert "~~4 euros~~ 5 euros" in text
