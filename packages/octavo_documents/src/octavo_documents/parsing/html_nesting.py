"""How deep the elements of a page may stand in each other: as deep as browsers build them."""

from __future__ import annotations

import re
from collections import Counter

DEEPEST = 512
"""Elements in each other, as in browsers; a parser looks through all that are open at every start of a list or item."""
# fmt: off
_CLOSED = (
    "a", "abbr", "address", "article", "aside", "b", "blockquote", "center", "cite", "code", "del", "details",
    "div", "dl", "em", "fieldset", "figure", "font", "footer", "form", "header", "i", "ins", "label", "main",
    "nav", "ol", "pre", "q", "s", "section", "small", "span", "strike", "strong", "sub", "sup", "table", "tt",
    "u", "ul",
)
# fmt: on
"""Elements that end only where the page says so."""
_TAG = re.compile(rf"<(/?)({'|'.join(_CLOSED)})(?=[\s/>])[^<>]*>", re.IGNORECASE)


def bounded(page: str) -> str:
    """Return a page without the tags of elements that stand deeper than `DEEPEST`; what is in them stays."""
    if sum(page.count(f"<{name}") + page.count(f"<{name.upper()}") for name in _CLOSED) <= DEEPEST:
        return page
    pieces: list[str] = []
    at = depth = 0
    dropped = Counter[str]()
    for tag in _TAG.finditer(page):
        name = tag[2].lower()
        if not tag[1]:
            is_out = depth >= DEEPEST
            depth += not is_out
            dropped[name] += is_out
        else:
            is_out = dropped[name] > 0
            dropped[name] -= is_out
            depth = max(depth - (not is_out), 0)
        if is_out:
            pieces.append(page[at : tag.start()])
            at = tag.end()
    return "".join([*pieces, page[at:]]) if at else page
