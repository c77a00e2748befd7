"""The descriptions layer: what each figure, chart, table and formula shows, for search and for summaries.

A formula goes to the model when the text refers to it. Crops are drawn only for a model that sees, fine enough to read
and small enough to pay for.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from octavo.decisions.describe_element import DESCRIBE_ELEMENT, Description, Element
from octavo.evidence import SummaryTable
from octavo.layers.base import Layer, LayerInputs, rehearsed
from octavo.layers.crops import BATCH, crop, crop_of, picture_tokens
from octavo.layers.passages import without_leaders
from octavo.layers.vectors import WRITTEN
from octavo.models.language import LONG_SIDE, Picture
from octavo_documents.document import Document, FigureKind, Kind, LinkKind, TextColumn
from octavo_documents.document.columns import pack
from octavo_documents.document.grid import Grid
from octavo_documents.text.analyzer import sentence_spans
from octavo_documents.text.lines import on_one_line

ELEMENTS = (Kind.FIGURE, Kind.CHART, Kind.TABLE, Kind.FORMULA)
_SORTS = {FigureKind.PHOTO: "photo", FigureKind.DIAGRAM: "diagram", FigureKind.MAP: "map", FigureKind.LOGO: "logo"}
_MOST_MENTIONS = 5
_LONGEST_INSIDE = 4000
_SMALL = 0.002
"""Share of the page under which a picture without words is an ornament."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Gathered:
    """An element: its block row, what rules take it for, its captions, the text in it, sentences that refer to it."""

    row: int
    sort: str
    caption: str
    inside: str
    mentions: tuple[str, ...]


def _elements_of(document: Document) -> list[_Gathered]:
    """Return the elements of a document in reading order; ornaments without any words are none."""
    blocks = document.blocks
    rows = np.flatnonzero(np.isin(blocks.kind, ELEMENTS)).tolist()
    captions, references = document.links.captions(), _references(document)
    found: list[_Gathered] = []
    for row in rows:
        gathered = _Gathered(
            row,
            _sort(document, row),
            " ".join(on_one_line(blocks.text[at]) for at in captions.get(row, ())),
            _inside(document, row),
            _mentions(document, references.get(row, [])),
        )
        if gathered.caption or gathered.inside or gathered.mentions or not _is_ornament(document, row):
            found.append(gathered)
    return found


def _references(document: Document) -> dict[int, list[tuple[int, str]]]:
    """Return the (row, words) that refer to each block, in reading order."""
    links = document.links
    found: defaultdict[int, list[tuple[int, str]]] = defaultdict(list)
    for at in np.flatnonzero(links.kind == LinkKind.REFERS_TO).tolist():
        found[int(links.target[at])].append((int(links.source[at]), links.text[at]))
    return {target: sorted(places) for target, places in found.items()}


def _sort(document: Document, row: int) -> str:
    kind = document.blocks.kind_of(row)
    return _SORTS.get(document.blocks.figure_kind_of(row), kind.label) if kind is Kind.FIGURE else kind.label


def _inside(document: Document, row: int) -> str:
    """Return the text inside an element, a table's row by row, each value with its headers."""
    blocks = document.blocks
    text = blocks.text[row]
    if blocks.kind_of(row) == Kind.TABLE:
        lines = [line for line in Grid.from_json(blocks.grid[row]).linearised() if line]
        text = "\n".join(lines) or text
    return without_leaders(text)[:_LONGEST_INSIDE].strip()


def _mentions(document: Document, places: list[tuple[int, str]]) -> tuple[str, ...]:
    kept: dict[str, None] = {}
    for row, words in places:
        text = document.blocks.text[row]
        at = max(text.find(words), 0)
        start, stop = next((span for span in sentence_spans(text) if span[0] <= at < span[1]), (0, len(text)))
        kept[on_one_line(text[start:stop])] = None
        if len(kept) == _MOST_MENTIONS:
            break
    return tuple(kept)


def _is_ornament(document: Document, row: int) -> bool:
    blocks, pages = document.blocks, document.pages
    x0, y0, x1, y1 = blocks.box[row].tolist()
    page = int(blocks.page[row]) - 1
    area = float(pages.width[page] * pages.height[page]) or 1.0
    return (x1 - x0) * (y1 - y0) / area < _SMALL or blocks.figure_kind_of(row) is FigureKind.LOGO


_REPLY_TOKENS = 90
"""What a model says of an element at least, about."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `SummaryTable` (target "element") and `WRITTEN`; the header has the sort of each row."""
    elements = _elements_of(inputs.document)
    described: list[tuple[Description, bool]] = []
    for start in range(0, len(elements), BATCH):
        described += _describe(inputs, elements[start : start + BATCH])
        if inputs.progress:
            inputs.progress(len(described), len(elements))
    texts = [_text(inputs.document, one, said) for one, (said, _) in zip(elements, described, strict=True)]
    written = np.array([by_model for _, by_model in described], np.bool_)
    rows = np.array([element.row for element in elements], np.int32)
    table = SummaryTable(
        text=TextColumn.of(texts),
        target=TextColumn.of(["element"] * len(texts)),
        start=rows,
        stop=rows + 1,
        level=np.zeros(len(rows), np.int32),
    )
    return pack(table.arrays("table") | {WRITTEN: written}, {"sorts": [said.sort for said, _ in described]})


def _describe(inputs: LayerInputs, elements: Sequence[_Gathered]) -> list[tuple[Description, bool]]:
    """Return the descriptions of some elements and whether a model wrote them: it is asked where that is worth it."""
    model = inputs.judge.has_model(DESCRIBE_ELEMENT.name, DESCRIBE_ELEMENT.role)
    asked = [at for at, element in enumerate(elements) if model and _is_worth_a_call(element)]
    # Crops are drawn one after the other: a page may only be drawn by one thread.
    values = [_as_asked(elements[at], crop(inputs, elements[at].row)) for at in asked]
    decided = inputs.judge.decide_many(DESCRIBE_ELEMENT, values)
    found = {at: (one.output, one.by != "rule") for at, one in zip(asked, decided, strict=True)}
    rule = DESCRIBE_ELEMENT.rule
    assert rule is not None
    return [found[at] if at in found else (rule(_as_asked(one)), False) for at, one in enumerate(elements)]


def _is_worth_a_call(element: _Gathered) -> bool:
    return element.sort not in ("formula", "logo") or bool(element.mentions)


def _as_asked(element: _Gathered, picture: Picture | None = None) -> Element:
    return Element(element.sort, element.caption, element.inside, element.mentions, picture)


def _text(document: Document, element: _Gathered, described: Description) -> str:
    """Return what is stored: caption, description, and text in the picture; where nothing is known, where it stands."""
    said = described.description.strip()
    caption = element.caption if element.caption and element.caption not in said else ""
    inside = f"Text in it: {on_one_line(described.text)}" if described.text.strip() else ""
    text = "\n".join(part for part in (caption, said, inside) if part)
    path = " > ".join(on_one_line(title) for title in document.blocks.section_path(element.row))
    return f"{text} in {path}" if text == element.sort and path else text


def estimate(inputs: LayerInputs) -> Sequence[tuple[str, int, int]]:
    """Return (decision, input tokens, output tokens) of each call, its crop included; none where no model sees."""
    rehearse = rehearsed(build, {DESCRIBE_ELEMENT.name: lambda ruled: max(ruled, _REPLY_TOKENS)})
    calls = rehearse(dataclasses.replace(inputs, render=None))
    asked = [element.row for element in _elements_of(inputs.document) if _is_worth_a_call(element)]
    if not calls:
        return []
    pictures = [picture_tokens(crop_of(inputs.document, row)) for row in asked]
    return [(name, read + shown, written) for (name, read, written), shown in zip(calls, pictures, strict=True)]


DESCRIPTIONS = Layer(
    name="descriptions",
    version=2,
    reads=(),
    build=build,
    decisions=(DESCRIBE_ELEMENT.name,),
    parameters=f"crop={LONG_SIDE}",
    estimate=estimate,
)
