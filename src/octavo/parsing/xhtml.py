"""XHTML as HTML: what XML ends at once (`<a id="x"/>`) a browser that reads HTML takes to go on."""

from __future__ import annotations

import re

TAG = re.compile(r"""<([A-Za-z][\w:.-]*)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>""")
"""The start of an element: its name and what follows it in the brackets."""
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)


_SAYS_SO = re.compile(r"<\?xml\b|<html\b[^>]*\bxmlns\s*=", re.I)
_LOOKED_AT = 4096


def as_html(text: str) -> str:
    """Return a page as HTML has it where it says that it is XHTML; any other as it is."""
    return TAG.sub(ended, text) if _SAYS_SO.search(text, 0, _LOOKED_AT) else text


def body_of(text: str) -> str:
    """Return a file from the start of its body on."""
    return text[max(text.find("<body"), 0) :]


def ended(tag: re.Match[str], inside: str = "") -> str:
    """Return a start as HTML has it, with text right after it: one that is ended at once is ended behind that."""
    name, rest = tag[1], tag[2]
    if rest.endswith("/") and name.lower() not in _VOID:
        return f"<{name}{rest[:-1]}>{inside}</{name}>"
    return f"{tag[0]}{inside}"
