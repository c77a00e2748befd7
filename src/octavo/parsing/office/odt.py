"""OpenDocument texts (ODT, OTT, flat FODT) to blocks.

Headings are those of the outline, with the numbers that are printed before them; notes and comments follow the block
that refers to them. Scripts and objects of other programs are never opened.
"""

from __future__ import annotations

from octavo.document import Kind
from octavo.parsing.flow import FlowBlock, FlowContent
from octavo.parsing.office.counted import Counted
from octavo.parsing.office.odf import OFFICE, STYLE, TEXT, OpenDocument
from octavo.parsing.office.odf_blocks import Walk
from octavo.parsing.office.odf_styles import Styles
from octavo.parsing.office.odf_text import Reader


def read(data: bytes) -> FlowContent:
    """Return the blocks of a text. Raises NoText."""
    file = OpenDocument(data, "text")
    styles, left_out = Styles(file.roots), Counted()
    walk = Walk(file, styles, left_out)
    walk.walk(file.body)
    walk.end_code()
    headers, footers = _furniture(file, styles)
    said = file.properties()
    blocks = (*headers, *walk.found, *footers)
    return FlowContent(blocks, said.title, said.author, said.created, left_out.warnings())


def _furniture(file: OpenDocument, styles: Styles) -> tuple[list[FlowBlock], list[FlowBlock]]:
    """Return the headers and the footers of pages, each text once."""
    reader = Reader(file, styles)
    found: dict[Kind, dict[str, None]] = {Kind.PAGE_HEADER: {}, Kind.PAGE_FOOTER: {}}
    masters = (one for root in file.roots for one in root.iterchildren(f"{OFFICE}master-styles"))
    for area in (area for one in masters for area in one.iter(*_AREAS) if area.get(f"{STYLE}display") != "false"):
        kind = Kind.PAGE_HEADER if "header" in area.tag else Kind.PAGE_FOOTER
        paragraphs = area.iter(f"{TEXT}p", f"{TEXT}h")
        texts = [reader.words(one, styles.of(one.get(f"{TEXT}style-name"))).text() for one in paragraphs]
        text = " ".join(filter(None, texts))
        if any(letter.isalpha() for letter in text):
            found[kind].setdefault(text)
    headers, footers = ([FlowBlock(kind, text) for text in texts] for kind, texts in found.items())
    return headers, footers


_AREAS = tuple(f"{STYLE}{area}{page}" for area in ("header", "footer") for page in ("", "-first", "-left"))
