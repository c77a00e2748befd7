"""Fields of forms in OpenDocument files: what is filled in, ticked or chosen where the page shows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from octavo_documents.parsing.flow import collapse_whitespace
from octavo_documents.parsing.open_xml import attribute
from octavo_documents.parsing.package import Element, name_of

_FORM = "{urn:oasis:names:tc:opendocument:xmlns:form:1.0}"
_WRITTEN = frozenset(("text", "textarea", "formatted-text", "number", "date", "time", "combobox", "file"))
_TICKED = {"checkbox": ("☒", "☐"), "radio": ("◉", "○")}


def fields_of(roots: Iterable[Element]) -> Mapping[str, str]:
    """Return what each field of a form shows, by the names that drawings call them by; passwords left out."""
    found: dict[str, str] = {}
    for root in roots:
        for field in root.iter():
            if field.tag.startswith(_FORM):
                text = collapse_whitespace(_shown(field))
                if text and (called := attribute(field, "id")):
                    found[called] = text
    return found


def _shown(field: Element) -> str:
    kind = name_of(field)
    if kind in _WRITTEN:
        return attribute(field, "current-value") or attribute(field, "value")
    if kind in _TICKED:
        state = attribute(field, "current-state") or attribute(field, "state")
        is_on = state == "checked" or attribute(field, "current-selected") == "true"
        return f"{_TICKED[kind][not is_on]} {attribute(field, 'label')}"
    if kind == "listbox":
        chosen = [one for one in field if attribute(one, "current-selected") == "true"]
        chosen = chosen or [one for one in field if attribute(one, "selected") == "true"]
        return ", ".join(attribute(one, "label") or attribute(one, "value") for one in chosen)
    return attribute(field, "label") if kind == "fixed-text" else ""
