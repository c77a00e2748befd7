"""The layer of the document map: an outline grown page by page, with a sentence for each page and each element.

DMAP, section 3.2 and appendix A.2: one decision for each page in its turn, which sees the outline so far, the page and
the one before it, and pictures of both where the file can be drawn (equation 5). Without a model that sees the headings
that structuring found are the outline. Replies are kept in the journal, so that a job that was stopped goes on where it
was: each call is made of the replies before it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo.errors import SourceError
from octavo.evidence import SummaryTable
from octavo.layers.base import Layer, LayerInputs, rehearsed
from octavo.layers.passages import without_leaders
from octavo.models.language import LONG_SIDE, Picture, dots_per_inch, encoded, pixels_of
from octavo_documents.document import FURNITURE, Document, Kind
from octavo_documents.text.lines import on_one_line
from octavo_methods.dmap.decisions.map_page import MAP_PAGE, MappedPage, PageBlock, PageShown, PageToMap
from octavo_methods.dmap.grown_map import GrownMap, MapElement

MAP_ELEMENTS = (Kind.FIGURE, Kind.CHART, Kind.TABLE)
"""The kinds of blocks that are elements of the map, beside the content of each page."""
_LONGEST_BLOCK = 4000
"""Characters of a block that are shown."""
_PIXELS_PER_TOKEN = 750
_SUMMARY_TOKENS = 60
"""What a model says of a page and of each element at least, about, beside the outline."""


class _Pages:
    """The pages of a document as they are shown."""

    def __init__(self, inputs: LayerInputs) -> None:
        self._document = inputs.document
        self._inputs = inputs
        self._draws = inputs.render is not None and inputs.judge.has_model(MAP_PAGE.name, MAP_PAGE.role)
        described = SummaryTable.from_bytes(inputs.stored["descriptions"])
        self._described = dict(zip(described.start.tolist(), described.text, strict=True))
        self._captions = inputs.document.links.captions()
        self._told = {row for rows in self._captions.values() for row in rows}
        self._depths: dict[int, int] = {}

    def at(self, number: int) -> PageShown:
        """Return a page (1-based) with its blocks and its picture."""
        rows = self._document.on_page(number)
        blocks = (self._block(row) for row in range(rows.start, rows.stop))
        return PageShown(number, tuple(one for one in blocks if one is not None), self._picture(number))

    def name_of(self, row: int) -> str:
        """Return the caption of an element as it is printed, its kind where it has none."""
        captions = (on_one_line(self._document.blocks.text[at]) for at in self._captions.get(row, ()))
        return " ".join(captions) or self._document.blocks.kind_of(row).label

    def _block(self, row: int) -> PageBlock | None:
        blocks = self._document.blocks
        kind = blocks.kind_of(row)
        if kind in FURNITURE or row in self._told:
            return None
        is_element = kind in MAP_ELEMENTS and row in self._described
        text = self._described[row] if is_element else without_leaders(blocks.text[row])
        if not text.strip():
            return None
        return PageBlock(row, kind.label, text[:_LONGEST_BLOCK], self._depth(row), is_element)

    def _depth(self, row: int) -> int:
        """Return how deep a heading is, 1 at the top; 0 for what is none."""
        blocks = self._document.blocks
        if blocks.kind_of(row) != Kind.HEADING:
            return 0
        parent = int(blocks.parent[row])
        self._depths[row] = self._depths.get(parent, 0) + 1
        return self._depths[row]

    def _picture(self, number: int) -> Picture | None:
        """Return a picture of a whole page; None where nobody sees it, it cannot be drawn, or no call is left."""
        if not self._draws or self._inputs.render is None or self._inputs.judge.stopped:
            return None
        try:
            return encoded(self._inputs.render(number, None, dots_per_inch(_whole(self._document, number))))
        except SourceError:
            return None


def _whole(document: Document, number: int) -> tuple[float, float, float, float]:
    pages = document.pages
    return (0.0, 0.0, float(pages.width[number - 1]), float(pages.height[number - 1]))


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `GrownMap`."""
    return grown(inputs).to_bytes()


def grown(inputs: LayerInputs) -> GrownMap:
    """Return the map of a document, page after page: each outline is made of the one before it."""
    pages, count = _Pages(inputs), len(inputs.document.pages)
    found = GrownMap()
    before: PageShown | None = None
    for number in range(1, count + 1):
        page = pages.at(number)
        decided = inputs.judge.decide(MAP_PAGE, PageToMap(found.sections, page, before))
        found = _with_page(found, page, decided.output, pages, is_written=decided.by != "rule")
        before = page
        if inputs.progress:
            inputs.progress(number, count)
    return found


def _with_page(before: GrownMap, page: PageShown, mapped: MappedPage, pages: _Pages, *, is_written: bool) -> GrownMap:
    """Return the map with a page more; of an element nothing was said of, its name has to do."""
    said = {one.id: one.summary for one in mapped.elements}
    rows = [block.id for block in page.blocks if block.is_element]
    return GrownMap(
        mapped.sections,
        (*before.pages, mapped.summary),
        (*before.elements, *(MapElement(row, pages.name_of(row), said.get(row, "")) for row in rows)),
        (*before.written, is_written),
    )


def estimate(inputs: LayerInputs) -> Sequence[tuple[str, int, int]]:
    """Return (decision, input tokens, output tokens) of each page's call, the pictures of two pages included."""
    calls = rehearsed(build, {MAP_PAGE.name: lambda ruled: ruled + _SUMMARY_TOKENS})(
        dataclasses.replace(inputs, render=None)
    )
    if not inputs.document.has_pages:
        return calls
    sizes = [0, *(_picture_tokens(inputs.document, number) for number in range(1, len(calls) + 1))]
    return [(name, read + sizes[at] + sizes[at + 1], written) for at, (name, read, written) in enumerate(calls)]


def _picture_tokens(document: Document, number: int) -> int:
    return round(pixels_of(_whole(document, number)) / _PIXELS_PER_TOKEN)


DOCUMENT_MAP = Layer(
    name="document_map",
    version=1,
    reads=("descriptions",),
    build=build,
    decisions=(MAP_PAGE.name,),
    parameters=f"page={LONG_SIDE}",
    estimate=estimate,
)
