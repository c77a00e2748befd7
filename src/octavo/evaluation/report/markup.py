"""HTML and SVG by construction: text is escaped unless it was made here.

Owns escaping. Knows nothing about what is written.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_VOID = frozenset({"meta", "br", "input", "hr", "wbr"})


class Html(str):
    """Markup; only the functions here make it."""

    __slots__ = ()


def text(value: object) -> Html:
    """Return a value as escaped text; characters that no page may hold are replaced."""
    return value if isinstance(value, Html) else Html(html.escape(_UNPRINTABLE.sub("\ufffd", str(value)), quote=True))


def join(parts: Iterable[object]) -> Html:
    """Return parts one after the other, escaping those that are plain text."""
    return Html("".join(text(part) for part in parts))


def breakable(name: str) -> Html:
    """Return a name that may be broken after "@" and "." where there is little room."""
    return Html(re.sub(r"([@.])", r"\1<wbr>", text(name)))


def element(tag: str, /, *parts: object, **attributes: object) -> Html:
    """Return an element; an attribute that is None is left out, `class_` and `for_` lose their underscore.

    Other underscores in attribute names become hyphens, so that `stroke_width` is "stroke-width".
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in _VOID:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{join(parts)}</{tag}>")
