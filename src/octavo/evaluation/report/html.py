"""HTML and SVG by construction: text is escaped unless it was made here; the style sheet and each system's look.

Nothing is fetched: fonts are the reader's own. Coordinates are pixels of the view box.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

COLORS = 8
MARKS = 4

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_VOID = frozenset({"meta", "br", "input", "hr", "wbr"})
_SHAPES = {
    1: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    2: ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
    3: ((0.0, -1.2), (1.2, 1.0), (-1.2, 1.0)),
}
"""Corners of square, diamond and triangle, in sizes from the middle."""


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


def table(heads: Iterable[Html], rows: Iterable[Html], *, class_: str | None = None) -> Html:
    """Return a table that scrolls by itself where it is too wide, from the cells of its head and its rows."""
    head, body = element("thead", element("tr", *heads)), element("tbody", *rows)
    return element("div", element("table", head, body, class_=class_), class_="wide")


@cache
def sheet() -> str:
    """Return the style sheet."""
    return resources.files("octavo.evaluation.report").joinpath("style.css").read_text(encoding="utf-8")


def whole_page(title: str, main: Html) -> str:
    """Return a page that fetches nothing and runs nothing.

    Its security policy says so: no script, no request, and no style but the one sheet, by its hash.
    """
    digest = base64.b64encode(hashlib.sha256(sheet().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", Html(sheet())),
    )
    return "<!doctype html>\n" + element("html", head, element("body", main), lang="en") + "\n"


@dataclasses.dataclass(frozen=True)
class Look:
    """A colour, 0 to 7, and a mark with its kind of line, 0 to 3."""

    color: int
    mark: int


def looks(systems: Sequence[Mapping[str, Any]]) -> dict[str, Look]:
    """Return a look for each system, by name: variants have the colour of their base, all 32 looks come before a twin.

    Systems without variants take the colours in order, and after the eighth the next mark.
    """
    bases = list(dict.fromkeys(str(system["base"]) for system in systems))
    colors = {base: number % COLORS for number, base in enumerate(bases)}
    found: dict[str, Look] = {}
    for system in systems:
        taken = set(found.values())
        wanted = _looks_from(colors[str(system["base"])])
        found[str(system["system"])] = next(
            (look for look in wanted if look not in taken), Look(len(found) % COLORS, len(found) // COLORS % MARKS)
        )
    return found


def _looks_from(color: int) -> Iterator[Look]:
    """Yield all looks, those of a colour first."""
    for step in range(COLORS):
        yield from (Look((color + step) % COLORS, mark) for mark in range(MARKS))


def mark(look: Look, x: float, y: float, told: str, *, size: float = 4, hollow: bool = False) -> Html:
    """Return the mark of a system, with words for who points at it."""
    drawn = f"ring line{look.color}" if hollow else f"fill{look.color}"
    title = element("title", told)
    if look.mark == 0:
        return element("circle", title, cx=x, cy=y, r=size, class_=drawn)
    corners = " ".join(
        f"{round(x + size * across, 1)},{round(y + size * down, 1)}" for across, down in _SHAPES[look.mark]
    )
    return element("polygon", title, points=corners, class_=drawn)


def legend(looks: Mapping[str, Look]) -> Html:
    """Return a list of names, each with its line and mark."""
    return element("ul", *(element("li", sample(look), name) for name, look in looks.items()), class_="legend")


def sample(look: Look) -> Html:
    """Return a short line with the mark on it."""
    line = element("line", x1=1, x2=25, y1=7, y2=7, class_=f"curve line{look.color} dash{look.mark}")
    return element("svg", line, mark(look, 13, 7, "", size=4), viewBox="0 0 26 14", class_="sample")
