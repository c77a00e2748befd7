"""The links layer: the document graph (LAD-RAG), completed over the whole document.

Owns the order: links of structuring, sections and reading order, titles and bare words that point, then interpretive
links by one decision a window of pages. Who found a link is in its `origin`, the words that made it in its `text`; an
EXPLAINS link begins there with its relation, "explains: ", "summarizes: " or "updates: ".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from octavo.decisions.base import Decided
from octavo.decisions.interpret_links import INTERPRET_LINKS, BlockLinks, PageWindow
from octavo.document import LinkKind, LinkOrigin, LinkTable
from octavo.layers.base import Layer, LayerInputs
from octavo.layers.links.found import Found, Link
from octavo.layers.links.nearby import nearby
from octavo.layers.links.structure import structural
from octavo.layers.links.titles import Titles
from octavo.layers.links.windows import WINDOW_PAGES, WINDOW_TOKENS, Windows
from octavo.models.language import estimate_tokens

_SURE_INTERPRETED = {LinkOrigin.RULE: 0.5, LinkOrigin.MODEL: 0.8}
_OUTPUT_TOKENS = 200
"""What a window's reply takes, about."""


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


def estimate(inputs: LayerInputs) -> Sequence[tuple[str, int, int]]:
    """Return (decision, input tokens, output tokens) of each window's call."""
    fixed = estimate_tokens(INTERPRET_LINKS.template.instructions)
    windows = Windows(inputs.document, inputs.document.links)
    return [(INTERPRET_LINKS.name, fixed + _size(window), _OUTPUT_TOKENS) for window in windows]


def _size(window: PageWindow) -> int:
    room = 1_000_000
    return estimate_tokens(INTERPRET_LINKS.template.fill(INTERPRET_LINKS.render(window, room).values))


LINKS = Layer(
    name="links",
    version=1,
    reads=(),
    build=build,
    decisions=(INTERPRET_LINKS.name,),
    parameters=f"window={WINDOW_TOKENS} pages={WINDOW_PAGES}",
    estimate=estimate,
)

__all__ = ["LINKS", "links_of"]
