"""Pictures in HTML: what stands in the page itself as data, and the words of drawings (SVG)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from octavo_documents.document import Kind
from octavo_documents.parsing.flow import CarriedFile, FlowBlock, collapse_whitespace

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

FileAt = Callable[[str], CarriedFile | None]
"""Gives the picture at an address in a page; None for those that are not in the file."""
_DATA = re.compile(r"\s*data:image/(png|jpe?g|gif|bmp|webp|tiff)((?:;[\w=-]+)*),", re.IGNORECASE)
_FEWEST = 600
"""Bytes of a picture that has room for words: smaller ones are icons and spacers."""
_FEWEST_WORDS = 2
_LINKS = ("href", "xlink:href")


def file_in_address(address: str) -> CarriedFile | None:
    """Return the picture that an address holds itself ("data:image/png;base64,..."); None for other addresses."""
    found = _DATA.match(address)
    if found is None:
        return None
    words = address[found.end() :]
    try:
        data = base64.b64decode(unquote_to_bytes(words)) if "base64" in found[2].lower() else unquote_to_bytes(words)
    except (binascii.Error, ValueError):
        return None
    return CarriedFile(f"picture.{found[1].lower()}", data=data) if len(data) >= _FEWEST else None


def picture(image: LexborNode, file_at: FileAt) -> FlowBlock | None:
    """Return the figure of a picture that is in the file or says what it shows; the others are mostly ornaments."""
    text = collapse_whitespace(image.attributes.get("alt") or "")
    file = file_at(image.attributes.get("src") or "")
    return FlowBlock(Kind.FIGURE, text, file=file) if text or file else None


def drawing(svg: LexborNode, file_at: FileAt) -> FlowBlock | None:
    """Return the figure of a drawing: its words, or the picture that it holds; None for icons."""
    words = collapse_whitespace(" ".join(one.text() for one in svg.css("text")))
    for image in svg.css("image"):
        address = next(filter(None, map(image.attributes.get, _LINKS)), "")
        if (file := file_at(address)) is not None:
            return FlowBlock(Kind.FIGURE, words, file=file)
    return FlowBlock(Kind.FIGURE, words) if len(words.split()) >= _FEWEST_WORDS else None
