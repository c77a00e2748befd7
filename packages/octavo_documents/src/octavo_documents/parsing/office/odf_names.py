"""The namespaces of OpenDocument files."""

from __future__ import annotations

_URN = "urn:oasis:names:tc:opendocument:xmlns:"
OFFICE, TEXT, TABLE = f"{{{_URN}office:1.0}}", f"{{{_URN}text:1.0}}", f"{{{_URN}table:1.0}}"
DRAW, STYLE, SVG = f"{{{_URN}drawing:1.0}}", f"{{{_URN}style:1.0}}", f"{{{_URN}svg-compatible:1.0}}"
FO, META, NUMBER = f"{{{_URN}xsl-fo-compatible:1.0}}", f"{{{_URN}meta:1.0}}", f"{{{_URN}datastyle:1.0}}"
PRESENTATION, CHART = f"{{{_URN}presentation:1.0}}", f"{{{_URN}chart:1.0}}"
DC, XLINK = "{http://purl.org/dc/elements/1.1/}", "{http://www.w3.org/1999/xlink}"
HREF = f"{XLINK}href"
