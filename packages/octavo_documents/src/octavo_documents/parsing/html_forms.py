"""Forms in HTML: those that hold a page's text, and what is filled in, ticked or chosen there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

FIELDS = frozenset(("input", "select", "textarea"))
_TEXT = "h1, h2, h3, h4, p, table, textarea, input[type=checkbox], input[type=radio], li"
_SHOWN = frozenset(
    ("text", "email", "number", "tel", "url", "date", "time", "month", "week", "datetime-local", "color", "range")
)
"""Types of fields whose values are seen; passwords, buttons and hidden fields are not."""
_TICKED = {("checkbox", True): "☒", ("checkbox", False): "☐", ("radio", True): "◉", ("radio", False): "○"}


def holds_text(form: LexborNode) -> bool:
    """Whether a form holds text or is one to fill in; others search, sign in or subscribe."""
    return form.css_first(_TEXT) is not None or any(map(value_of, form.css("input, select")))


def value_of(field: LexborNode) -> str:
    """Return what a field shows of its value."""
    said, name = field.attributes, field.tag
    if name == "textarea":
        return field.text()
    if name == "select":
        return ", ".join(one.text().strip() for one in field.css("option") if "selected" in one.attributes)
    kind = (said.get("type") or "text").lower()
    ticked = _TICKED.get((kind, "checked" in said))
    if ticked is not None:
        return ticked
    return (said.get("value") or "") if kind in _SHOWN else ""
