"""Articles given as sections: a JSON list of {level, title, and a text as in a whole article}."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from octavo_documents.document import Kind
from octavo_documents.parsing.articles.json_lines import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, NoText, collapse_whitespace

_DEEPEST = 255


def read(data: bytes) -> FlowContent:
    """Return the blocks of the sections: a heading for each that has a title, and what its text holds. Raises NoText.

    A section without a level is of level 1; headings inside its text are below it.
    """
    sections = json.loads(data)
    if not isinstance(sections, list):
        raise NoText("its sections are no list")
    found = [cast("dict[str, Any]", one) for one in cast("list[Any]", sections) if isinstance(one, dict)]
    return FlowContent(tuple(block for section in found for block in _blocks(section)))


def _blocks(section: dict[str, Any]) -> Iterator[FlowBlock]:
    level = section.get("level")
    depth = min(max(level, 1), _DEEPEST) if isinstance(level, int) else 1
    title = section.get("title")
    heading = collapse_whitespace(title) if isinstance(title, str) else ""
    given = text_of(section)
    if heading:
        yield FlowBlock(Kind.HEADING, _shown(heading, given[0] if given else ""), depth)
    if given is None:
        return
    for block in _read(*given):
        below = block.kind == Kind.HEADING and heading
        yield replace(block, level=min(max(block.level, depth + 1), _DEEPEST)) if below else block


def _read(form: str, text: str) -> tuple[FlowBlock, ...]:
    content: FlowContent = importlib.import_module(f"octavo_documents.parsing.{form}").read(
        text.encode("utf-8", "replace")
    )
    return content.blocks


def _shown(heading: str, form: str) -> str:
    """Return a title without the marks of its section's text."""
    if form != "wikitext" or not any(mark in heading for mark in "'<{[&"):
        return heading
    return collapse_whitespace(" ".join(block.text for block in _read(form, heading))) or heading
