"""The layers of links: the document graph (LAD-RAG), completed over the whole document, and communities of its blocks.

Links, in order: links of structuring, sections and reading order, titles and bare words that point, then interpretive
links by one decision a window of pages. Who found a link is in its `origin`, the words that made it in its `text`; an
EXPLAINS link begins there with its relation, "explains: ", "summarizes: " or "updates: ".

Communities (Louvain) maximise modularity on the weighted undirected projection of the links, at resolution 1.0 and with
a fixed seed. They are numbered by their first block.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from octavo.decisions.engine import Decided
from octavo.decisions.interpret_links import INTERPRET_LINKS, BlockLinks, Memory, PageWindow, PlacedBlock
from octavo.layers.base import Layer, LayerInputs, rehearsed
from octavo.layers.descriptions import ELEMENTS
from octavo.layers.links_by_rule import FoundLink, Link, Titles, nearby, structural
from octavo.models.language import estimate_tokens
from octavo_documents.document import FURNITURE, Document, Kind, LinkKind, LinkOrigin, LinkTable
from octavo_documents.document.columns import pack
from octavo_documents.structuring.pointers import SHOWN, NamedPointer, pointers
from octavo_documents.text.analyzer import analyze

WINDOW_TOKENS = 3000
WINDOW_PAGES = 6
_BLOCK_CHARACTERS = 700
_EARLIER_CHARACTERS = 160
_EARLIER = 24
"""Blocks before the window that may be linked to: headings and elements, and the last texts."""
_LAST_TEXTS = 4
_TOPICS = 12
_TOPIC_PAGES = 4
_MOST_UNRESOLVED = 12
_TEXTS = (Kind.PARAGRAPH, Kind.LIST_ITEM)
_SURE_INTERPRETED = {LinkOrigin.RULE: 0.5, LinkOrigin.MODEL: 0.8}
_REPLY_TOKENS = 100
"""What a model says of a window at least, about: the rule finds few links."""


class Windows:
    """The windows of a document, in order; without memory where it is not read, since it takes time to gather."""

    def __init__(self, document: Document, links: LinkTable, *, remembers: bool = True) -> None:
        self._document = document
        self._blocks = document.blocks
        self._texts = list(document.blocks.text)
        self._captions = {row: captions[0] for row, captions in document.links.captions().items()}
        self._remembers = remembers
        self._first_named = self._labels_named(links) if remembers else []

    def __iter__(self) -> Iterator[PageWindow]:
        title = self._document.metadata.title.strip() or self._document.name
        for rows in self._spans():
            yield PageWindow(tuple(self._placed(row, _BLOCK_CHARACTERS) for row in rows), self._memory(rows[0]), title)

    def _spans(self) -> Iterator[list[int]]:
        """Yield the rows of each window: whole pages while they fit, at least one."""
        rows: list[int] = []
        tokens, first_page = 0, 0
        for page in np.unique(self._blocks.page).tolist():
            own = [row for row in self._page_rows(page) if self._is_shown(row)]
            size = sum(estimate_tokens(self._said(row)[:_BLOCK_CHARACTERS]) + 12 for row in own)
            if rows and (tokens + size > WINDOW_TOKENS or page - first_page >= WINDOW_PAGES):
                yield rows
                rows, tokens = [], 0
            if own and not rows:
                first_page = page
            rows, tokens = rows + own, tokens + size
        if rows:
            yield rows

    def _page_rows(self, page: int) -> range:
        rows = self._document.on_page(page)
        return range(rows.start, rows.stop)

    def _is_shown(self, row: int) -> bool:
        return self._blocks.kind_of(row) not in FURNITURE and bool(self._said(row))

    def _said(self, row: int) -> str:
        """Return a block's text, an element's with its caption before it."""
        caption = self._captions.get(row)
        text = self._texts[row]
        return f"{self._texts[caption]}\n{text}".strip() if caption is not None else text

    def _placed(self, row: int, characters: int) -> PlacedBlock:
        kind = self._blocks.kind_of(row).label
        return PlacedBlock(row, kind, int(self._blocks.page[row]), self._said(row)[:characters])

    # Memory

    def _memory(self, row: int) -> Memory:
        """Return what is remembered when the window that begins with a row is read."""
        if not self._remembers:
            return Memory()
        return Memory(
            path=self._blocks.section_path(row),
            topics=self._topics(row),
            unresolved=self._unresolved(row),
            earlier=tuple(self._placed(at, _EARLIER_CHARACTERS) for at in self._earlier(row)),
        )

    def _topics(self, row: int) -> tuple[str, ...]:
        """Return the words that the pages just before use most, as they are written there."""
        first = int(self._blocks.page[row]) - _TOPIC_PAGES
        start = int(np.searchsorted(self._blocks.page, first))
        written: dict[str, str] = {}
        counts: Counter[str] = Counter()
        for at in range(start, row):
            if self._blocks.kind_of(at) in (*_TEXTS, Kind.HEADING):
                for word in self._texts[at][:_BLOCK_CHARACTERS].split():
                    for term in analyze(word) if word[:1].isalpha() else ():
                        counts[term] += 1
                        written.setdefault(term, word.strip(".,;:()'\"“”’"))
        often = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_TOPICS]
        return tuple(written[term] for term, count in often if count > 1)

    def _unresolved(self, row: int) -> tuple[str, ...]:
        """Return the labels named before a row whose block comes after it."""
        open_labels = [text for text, named, shown in self._first_named if named < row <= shown]
        return tuple(dict.fromkeys(open_labels))[-_MOST_UNRESOLVED:]

    def _labels_named(self, links: LinkTable) -> list[tuple[str, int, int]]:
        """Return (label, row that names it, row it leads to); labels that lead nowhere lead behind the document."""
        is_reference = links.kind == LinkKind.REFERS_TO
        sources, targets = links.source[is_reference].tolist(), links.target[is_reference].tolist()
        texts = links.text.take(np.flatnonzero(is_reference).tolist())
        resolved = set(zip(sources, texts, strict=True))
        named = [(text, source, target) for source, target, text in zip(sources, targets, texts, strict=True)]
        for row, text in enumerate(self._texts):
            if self._blocks.kind_of(row) not in _TEXTS:
                continue
            named += [
                (found.text, row, len(self._texts))
                for found in pointers(text)
                if isinstance(found, NamedPointer) and found.what in SHOWN and (row, found.text) not in resolved
            ]
        return sorted(named, key=lambda item: (item[1], item[2], item[0]))

    def _earlier(self, row: int) -> list[int]:
        """Return the last headings, elements and texts before a row, in order."""
        marked = np.flatnonzero(np.isin(self._blocks.kind[:row], (Kind.HEADING, *ELEMENTS)))
        texts = np.flatnonzero(np.isin(self._blocks.kind[:row], _TEXTS))[-_LAST_TEXTS:]
        kept = [at for at in marked[-_EARLIER:].tolist() if self._is_shown(at)]
        return sorted({*kept, *texts.tolist()})


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `LinkTable` of a document: the links of its structure first, then those added."""
    return links_of(inputs).to_bytes()


def links_of(inputs: LayerInputs) -> LinkTable:
    """Return the links of a document."""
    document = inputs.document
    found = FoundLink(document)
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


_RESOLUTION = 1.0
_SEED = 1
_BONDS = {LinkKind.CAPTION_OF: 2.0, LinkKind.CONTINUES: 2.0, LinkKind.NEXT: 0.5}
"""How much a kind of link binds, 1 where it is not named: caption and continuation are one thing with their target."""


def build_communities(inputs: LayerInputs) -> bytes:
    """Return the packed (n_blocks,) int32 array named "communities"; the header counts them ("count")."""
    labels = communities_of(LinkTable.from_bytes(inputs.stored["links"]), len(inputs.document.blocks))
    return pack({"communities": labels}, {"count": int(labels.max(initial=-1)) + 1})


def communities_of(links: LinkTable, count: int, *, is_weighted: bool = True) -> npt.NDArray[np.int32]:
    """Return the (count,) int32 community of each of so many blocks or nodes, -1 for one without links.

    All links bind alike where the graph `is_weighted` not.
    """
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    bonds = _bonds(links)
    bonds = bonds if is_weighted else dict.fromkeys(bonds, 1.0)
    graph.add_nodes_from(sorted({row for pair in bonds for row in pair}))
    graph.add_weighted_edges_from((left, right, weight) for (left, right), weight in sorted(bonds.items()))
    labels = np.full(count, -1, np.int32)
    if bonds:
        found = nx.community.louvain_communities(graph, resolution=_RESOLUTION, seed=_SEED)
        for number, rows in enumerate(sorted(found, key=min)):
            labels[list(rows)] = number
    return labels


def _bonds(links: LinkTable) -> dict[tuple[int, int], float]:
    """Return what binds each pair of blocks, whichever way their links lead."""
    bonds: defaultdict[tuple[int, int], float] = defaultdict(float)
    columns = zip(links.source.tolist(), links.target.tolist(), links.kind.tolist(), links.weight.tolist(), strict=True)
    for source, target, kind, weight in columns:
        if source != target:
            bonds[min(source, target), max(source, target)] += weight * _BONDS.get(LinkKind(kind), 1.0)
    return {pair: bond for pair, bond in bonds.items() if bond > 0}


COMMUNITIES = Layer(
    name="communities",
    version=1,
    reads=("links",),
    build=build_communities,
    parameters=f"louvain resolution={_RESOLUTION} seed={_SEED}",
)
