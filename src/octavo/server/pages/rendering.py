"""Views printed as HTML by the templates, escaped throughout."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any, cast

from jinja2 import Environment, PackageLoader, StrictUndefined

from octavo.document.citation_ids import document_digits
from octavo.server.pages import printed, views
from octavo.server.pages.assets import assets

_THEMES = ("light", "dark")
_TAKEN_OVER = ("view", "title", "status", "documents", "match", "document", "page", "citation", "answer", "problem")
"""What the viewer starts from; the rest it asks for."""
_WORD = re.compile(r"[^\W\d_]{3}")
_NO_TITLE = re.compile(
    r"^(untitled|microsoft |slide |powerpoint|document ?\d*$|layout \d)|\.(pdf|docx?|pptx?|xlsx?|indd|html?|tex|dvi)$",
    re.IGNORECASE,
)
"""What programs write where a title belongs: their own words, and names of files."""


def html(view: views.View, *, theme: str | None = None) -> str:
    """Return a view as a page; `theme` is the one a visitor chose."""
    template = _environment().get_template(f"{view['view']}.html")
    data = {name: view[name] for name in _TAKEN_OVER if name in view}
    return template.render(**view, data=data, theme=theme if theme in _THEMES else None)


@functools.cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("octavo.server.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    functions = {"assets": assets, "parts": printed.parts, "considered": views.considered, "sure": views.sureness}
    cast("dict[str, Any]", environment.globals).update(functions)
    cast("dict[str, Any]", environment.filters).update(
        {"short": document_digits, "plural": _plural, "title_of": title_of}
    )
    return environment


def title_of(document: Mapping[str, Any]) -> str:
    """Return a document's title where it reads as one, else ""; titleOf of web/src/words.ts is the same rule."""
    name, title = str(document["name"]), " ".join(str(document["title"]).split())
    is_title = _WORD.search(title) and not _NO_TITLE.search(title) and title != re.sub(r"\.\w+$", "", name)
    return title if is_title else ""


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
