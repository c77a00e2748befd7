"""Two articles about parks, as an encyclopaedia has them, and what a scripted router says about them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from octavo.evidence import Evidence, View
from octavo.models.language import Request
from octavo_documents.document import Document, Kind
from synthetic import document

GARDENS = document(
    [
        (Kind.TITLE, "Petrel Gardens", 1, 0),
        (Kind.PARAGRAPH, "Petrel Gardens is a pleasure garden by the estuary.", 1, 0),
        (Kind.PARAGRAPH, "The town owns it and lends it to a society of friends.", 1, 0),
        (Kind.HEADING, "History", 1, 1),
        (Kind.HEADING, "1990s", 1, 2),
        (Kind.PARAGRAPH, "In the 1990s the gardens opened a wooden ride that was the tallest of the county.", 1, 0),
        (Kind.HEADING, "Visitors", 2, 1),
        (Kind.PARAGRAPH, "Half a million come each year.", 2, 0),
    ],
    name="Petrel Gardens",
)
PARK = document(
    [
        (Kind.TITLE, "Heron Park", 1, 0),
        (Kind.PARAGRAPH, "Heron Park is an amusement park on the marsh.", 1, 0),
        (Kind.HEADING, "History", 1, 1),
        (Kind.HEADING, "1990s", 1, 2),
        (Kind.PARAGRAPH, "The decade began with a flood.", 1, 0),
        (Kind.HEADING, "2000s", 1, 2),
        (Kind.PARAGRAPH, "In 2001 the park opened Storm Petrel, then its tallest ride.", 1, 0),
        (Kind.HEADING, "Firsts and records", 2, 1),
        (Kind.HEADING, "Records", 2, 2),
        (Kind.LIST_ITEM, "Tallest coaster of the country: Storm Petrel (75 m)", 2, 1),
        (Kind.LIST_ITEM, "Fastest coaster: Storm Petrel (137 km/h)", 2, 1),
        (Kind.LIST_ITEM, "Largest pond: the Mirror", 2, 1),
        (Kind.LIST_ITEM, "Tallest swing of the world: Marsh Lark (122 m)", 2, 1),
        (Kind.HEADING, "Awards", 2, 2),
        (Kind.PARAGRAPH, "The park won a medal for its hedges.", 2, 0),
    ],
    name="Heron Park",
)
QUESTION = "Which is the tallest ride of the park?"


def retrieved(view: View, *texts: str) -> Evidence:
    """Return evidence of the blocks that begin so, the first retrieved best; everything else scores low."""
    rows = [row for text in texts for row in range(len(view)) if view.blocks.text[row].startswith(text)]
    found = Evidence.of(view, rows, retrieved=[1.0 - 0.1 * at for at in range(len(rows))])
    every = Evidence.of(view, range(len(view)), fused=[1.0 if row in rows else 0.1 for row in range(len(view))])
    return found | every


def reply(answer: tuple[int, ...] = (), expand: tuple[int, ...] = (), *, refuse: bool = False) -> str:
    """Return a router's reply as JSON."""
    return json.dumps({"answer": answer, "expand": expand, "refuse": refuse})


def lines_of(request: Request) -> list[str]:
    """Return the lines that a router is shown."""
    return re.search(r"<lines>\n(.*?)\n</lines>", request.turns[0].text, re.DOTALL)[1].split("\n")  # pyright: ignore


def document_of(request: Request) -> str:
    """Return the document that a router is asked about."""
    return re.search(r"<document>\n(.*?)\n</document>", request.turns[0].text)[1]  # pyright: ignore[reportOptionalSubscript]


def router(said: Mapping[str, list[str]]) -> Callable[[Request], str]:
    """Return a script that gives each document its replies in turn."""
    waiting = {name: iter(replies) for name, replies in said.items()}
    return lambda request: next(waiting[document_of(request)])


def number_of(document: Document, text: str) -> int:
    """Return the number a router knows the block by that begins so."""
    return 1 + next(row for row in range(len(document.blocks)) if document.blocks.text[row].startswith(text))
