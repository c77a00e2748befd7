"""BibTeX: an entry a document, its pages and quotes in the annotation."""

from __future__ import annotations

import re
import unicodedata

from octavo.server.exports.bundle import Bundle, Source, one_line, page_list
from octavo.server.exports.kinds import sort_of
from octavo.server.exports.names import names_of

_ESCAPES = str.maketrans(
    {
        "\\": r"{\textbackslash}",
        "{": r"{\textbraceleft}",
        "}": r"{\textbraceright}",
        "$": r"\$",
        "&": r"\&",
        "%": r"\%",
        "#": r"\#",
        "_": r"\_",
        "~": r"{\textasciitilde}",
        "^": r"{\textasciicircum}",
    }
)
_VERBATIM = str.maketrans({"{": "%7B", "}": "%7D", "\\": "%5C", " ": "%20"})


def bibtex(bundle: Bundle) -> bytes:
    """Return a .bib file in UTF-8."""
    keys: set[str] = set()
    return "\n".join(_entry(bundle, source, _key(source, keys)) for source in bundle.sources).encode()


def _entry(bundle: Bundle, source: Source, key: str) -> str:
    quotations = bundle.of(source)
    authors = [
        "{" + _tex(name.literal) + "}" if name.literal else _tex(name.inverted) for name in names_of(source.author)
    ]
    date = source.date
    link = bundle.document_link(source)
    notes = [
        f"{'p. ' + _tex(one.printed) + ': ' if source.has_pages else ''}``{_tex(one.quote)}''"
        + (f" [\\url{{{bundle.link(one).translate(_VERBATIM)}}}]" if bundle.link(one) else "")
        for one in quotations
    ]
    fields = {
        "author": " and ".join(authors),
        "title": "{" + _tex(source.title) + "}",
        "year": str(date[0]) if date else "",
        "month": str(date[1]) if len(date) > 1 else "",
        "pages": _tex(", ".join(page_list(quotations))) if source.has_pages else "",
        "howpublished": _tex(source.name),
        "url": link.translate(_VERBATIM),
        "note": f"SHA-256 {source.digits}",
        "annote": " ".join(notes),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{sort_of(source).bibtex}{{{key},\n{lines}}}\n"


def _tex(text: str) -> str:
    return one_line(text).translate(_ESCAPES)


def _key(source: Source, taken: set[str]) -> str:
    """Return a key such as "lee2019handbook" that no entry before has, and note it."""
    names = names_of(source.author)
    who = _plain((names[0].family or names[0].literal).split()[0]) if names else ""
    words = [word for word in map(_plain, source.title.split()) if len(word) > 3]
    stem = f"{who}{source.date[0] if source.date else ''}{words[0] if words else ''}" or "document"
    key = stem if stem not in taken else f"{stem}-{source.digits[:8]}"
    taken.add(key)
    return key


def _plain(word: str) -> str:
    """Return the letters and digits of ASCII in a word, in lower case, accents taken off."""
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", word).lower())
