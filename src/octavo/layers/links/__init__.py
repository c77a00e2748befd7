"""The links layer: the document graph (LAD-RAG), completed over the whole document.

In order: links of structuring, sections and reading order, titles and bare words that point, then interpretive links by
one decision a window of pages. Who found a link is in its `origin`, the words that made it in its `text`; an EXPLAINS
link begins there with its relation, "explains: ", "summarizes: " or "updates: ".
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.decisions.engine.base import Decided
from octavo.decisions.interpret_links import INTERPRET_LINKS, BlockLinks
from octavo.document import LinkKind, LinkOrigin, LinkTable
from octavo.layers.base import Layer, LayerInputs, rehearsed
from octavo.layers.links.by_rule import Found, Link, Titles, nearby, structural
from octavo.layers.links.windows import WINDOW_PAGES, WINDOW_TOKENS, Windows

_SURE_INTERPRETED = {LinkOrigin.RULE: 0.5, LinkOrigin.MODEL: 0.8}
_REPLY_TOKENS = 100
"""What a model says of a window at least, about: the rule finds few links."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `LinkTable` of a document: the links of its structure first, then those added."""
    return links_of(inputs).to_bytes()


def links_of(inputs: LayerInputs) -> LinkTable:
    """Return the links of a document."""
    document = inputs.document
    found = Found(document)
    for link in _by_rule(inputs):
        found.add(link)
    windows = list(Windows(document, found.table(), remembers=inputs.judge.has_model(INTERPRET_LINKS.name)))
    for done, decided in enumerate(inputs.judge.decide_many(INTERPRET_LINKS, windows), start=1):
        for link in _interpreted(decided):
            found.add(link)
        if inputs.progress:
            inputs.progress(done, len(windows))
    return found.table()


def _by_rule(inputs: LayerInputs) -> Iterator[Link]:
    yield from structural(inputs.document)
    yield from Titles(inputs.document.blocks).links()
    yield from nearby(inputs.document.blocks)


def _interpreted(decided: Decided[BlockLinks]) -> Iterator[Link]:
    origin = LinkOrigin.RULE if decided.by == "rule" else LinkOrigin.MODEL
    for one in decided.output.links:
        text = f"{one.relation}: {one.evidence}"
        yield Link(one.source, one.target, LinkKind.EXPLAINS, _SURE_INTERPRETED[origin], text, origin)


LINKS = Layer(
    name="links",
    version=2,
    reads=(),
    build=build,
    decisions=(INTERPRET_LINKS.name,),
    parameters=f"window={WINDOW_TOKENS} pages={WINDOW_PAGES}",
    estimate=rehearsed(build, {INTERPRET_LINKS.name: lambda ruled: max(ruled, _REPLY_TOKENS)}),
)

__all__ = ["LINKS", "links_of"]
