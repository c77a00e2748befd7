"""Small office files written by hand, for tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
    'xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    f'xmlns:r="{OFFICE}"'
)


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a ZIP archive of these parts, the first of them unpacked."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts.items():
            file.writestr(name, data, zipfile.ZIP_STORED if name == "mimetype" else None)
    return kept.getvalue()


def relations(targets: Mapping[str, str]) -> str:
    """Return a part that relates "rId1" and so on to parts, each given by the last word of its type."""
    rows = "".join(
        f'<Relationship Id="rId{number}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for number, (target, kind) in enumerate(targets.items(), 1)
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rows}</Relationships>'


def docx(body: str, **parts: str) -> bytes:
    """Return a Word document; `parts` are what stands in word/styles.xml and the like, by the type of the relation."""
    files = {
        "_rels/.rels": relations({"word/document.xml": "officeDocument"}),
        "word/document.xml": f"<w:document {WORD}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations({f"{kind}.xml": kind.rstrip("0123456789") for kind in parts}),
    }
    for kind, content in parts.items():
        root = {"chart": "c:chartSpace", "header": "w:hdr", "footer": "w:ftr"}.get(kind.rstrip("12"), f"w:{kind}")
        files[f"word/{kind}.xml"] = f"<{root} {WORD}>{content}</{root}>"
    return archive(files)


def p(text: str, properties: str = "") -> str:
    """Return a paragraph of a Word document; `text` may hold XML of runs, in which case it is taken as it is."""
    runs = text if text.startswith("<") else f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{runs}</w:p>"


_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
OPEN_DOCUMENT = " ".join(
    [
        *(f'xmlns:{name}="{_ODF}{name}:1.0"' for name in ("office", "text", "table", "style", "meta", "presentation")),
        f'xmlns:draw="{_ODF}drawing:1.0" xmlns:svg="{_ODF}svg-compatible:1.0"',
        f'xmlns:fo="{_ODF}xsl-fo-compatible:1.0" xmlns:chart="{_ODF}chart:1.0"',
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"',
        'xmlns:m="http://www.w3.org/1998/Math/MathML"',
    ]
)


def flat(kind: str, body: str, *, styles: str = "", more: str = "") -> bytes:
    """Return a flat OpenDocument file: a "text" or a "presentation"."""
    return (
        f"<office:document {OPEN_DOCUMENT}><office:meta><dc:title>Harbour rules</dc:title>"
        f"<dc:creator>A. Berg</dc:creator></office:meta>"
        f"<office:styles>{styles}</office:styles>{more}<office:body><office:{kind}>{body}</office:{kind}>"
        "</office:body></office:document>"
    ).encode()


def opendocument(kind: str, body: str, **parts: str) -> bytes:
    """Return a packed OpenDocument file; `parts` are further ones by their name without the ending."""
    content = (
        f"<office:document-content {OPEN_DOCUMENT}><office:body><office:{kind}>{body}</office:{kind}></office:body>"
        "</office:document-content>"
    )
    return archive({"content.xml": content, **{f"{name.replace('__', '/')}.xml": text for name, text in parts.items()}})


CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
)


def epub(files: Mapping[str, str], *, nav: str = "", ncx: str = "", **parts: str) -> bytes:
    """Return a book of files in this order, with what stands in its navigation document or its NCX."""
    rows = "".join(f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in files)
    rows += '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>' if nav else ""
    rows += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>' if ncx else ""
    spine = "".join(f'<itemref idref="{name}"/>' for name in files)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>Harbour book</dc:title><dc:creator>A. Berg</dc:creator><dc:creator>B. Lund</dc:creator></metadata>"
        f"<manifest>{rows}</manifest><spine>{spine}</spine></package>"
    )
    kept = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, "OPS/book.opf": package}
    kept |= {f"OPS/{name}": _page(text) for name, text in files.items()}
    kept |= {"OPS/nav.xhtml": _page(nav)} if nav else {}
    kept |= {"OPS/toc.ncx": f'{NCX_TYPE}<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/">{ncx}</ncx>'} if ncx else {}
    return archive(kept | {name.replace("__", "/"): text for name, text in parts.items()})


NCX_TYPE = '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://localhost:9/ncx-2005-1.dtd">'


def _page(body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body>{body}</body></html>'
    )
