"""Views printed as HTML by the templates, escaped throughout."""

from __future__ import annotations

import functools
from typing import Any, cast

from jinja2 import Environment, PackageLoader, StrictUndefined

from octavo.document.citation_ids import document_digits
from octavo.server.pages import printed, views
from octavo.server.pages.assets import assets

_THEMES = ("light", "dark")
_TAKEN_OVER = ("view", "title", "status", "documents", "match", "document", "page", "citation", "answer", "problem")
"""What the viewer starts from; the rest it asks for."""


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
    cast("dict[str, Any]", environment.filters).update({"short": document_digits, "plural": _plural})
    return environment


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
