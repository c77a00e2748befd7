"""Citations in the formats that scholars and auditors use: a table of formats, each a pure function of a `Bundle`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from types import MappingProxyType

from octavo.errors import UsageError, did_you_mean
from octavo.server.exports.annotation import web_annotation
from octavo.server.exports.bibtex import bibtex
from octavo.server.exports.bundle import Bundle, Quotation, Source
from octavo.server.exports.csl import csl_json
from octavo.server.exports.highlighted import highlighted
from octavo.server.exports.markdown import markdown
from octavo.server.exports.ris import ris

__all__ = ["FORMATS", "Bundle", "Exported", "Format", "Quotation", "Source", "export"]


@dataclasses.dataclass(frozen=True, slots=True)
class Format:
    """A format: its media type, the ending of its files, and what writes it."""

    media_type: str
    suffix: str
    write: Callable[[Bundle], bytes]


@dataclasses.dataclass(frozen=True, slots=True)
class Exported:
    """A file: its bytes, its media type, and a name for it that is safe in a header and on a disk."""

    data: bytes
    media_type: str
    name: str


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "bibtex": Format("application/x-bibtex", ".bib", bibtex),
        "csl-json": Format("application/vnd.citationstyles.csl+json", ".json", csl_json),
        "ris": Format("application/x-research-info-systems", ".ris", ris),
        "web-annotation": Format(
            'application/ld+json; profile="http://www.w3.org/ns/anno.jsonld"', ".jsonld", web_annotation
        ),
        "markdown": Format("text/markdown; charset=utf-8", ".md", markdown),
        "pdf": Format("application/pdf", ".pdf", highlighted),
    }
)
"""Every format by the name it is asked for."""


def export(bundle: Bundle, name: str) -> Exported:
    """Return a bundle as a file of a format of `FORMATS`.

    Raises UsageError for another format, for a bundle without citations, and for one that the format cannot hold.
    """
    from difflib import get_close_matches

    chosen = FORMATS.get(name)
    if chosen is None:
        near = get_close_matches(name, FORMATS, 2)
        raise UsageError(
            f"there is no format {name!r}: {did_you_mean(near) if near else 'choose ' + ', '.join(FORMATS)}"
        )
    if not bundle.quotations:
        raise UsageError("there is nothing to export: the answer has no citations")
    return Exported(chosen.write(bundle), chosen.media_type, bundle.file_stem() + chosen.suffix)
