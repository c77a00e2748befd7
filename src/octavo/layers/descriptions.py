"""The descriptions layer: what each figure, chart, table and formula shows, for search and for summaries.

A formula goes to the model when the text refers to it. Crops are drawn only for a model that sees, fine enough to read
and small enough to pay for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from octavo.decisions.describe_element import DESCRIBE_ELEMENT, Description, Element
from octavo.document import Document, SummaryTable, TextColumn
from octavo.document.columns import pack
from octavo.errors import SourceError
from octavo.layers.base import Layer, LayerInputs, rehearsed
from octavo.layers.derived_vectors import WRITTEN
from octavo.layers.elements import Gathered, elements_of
from octavo.models.crops import LONG_SIDE, Box, around, dots_per_inch, encoded, pixels_of
from octavo.models.language import Picture

_PIXELS_PER_TOKEN = 750
_LEAST_PICTURE_TOKENS = 85
_REPLY_TOKENS = 90
"""What a model says of an element at least, about."""
_BATCH = 16
"""Elements between two reports of progress; their crops are held at once."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `SummaryTable` (target "element") and `WRITTEN`; the header has the sort of each row."""
    elements = elements_of(inputs.document)
    described: list[tuple[Description, bool]] = []
    for start in range(0, len(elements), _BATCH):
        described += _describe(inputs, elements[start : start + _BATCH])
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


def _describe(inputs: LayerInputs, elements: Sequence[Gathered]) -> list[tuple[Description, bool]]:
    """Return the descriptions of some elements and whether a model wrote them: it is asked where that is worth it."""
    model = inputs.judge.has_model(DESCRIBE_ELEMENT.name, DESCRIBE_ELEMENT.role)
    asked = [at for at, element in enumerate(elements) if model and _is_worth_a_call(element)]
    # Crops are drawn one after the other: a page may only be drawn by one thread.
    values = [_as_asked(elements[at], _crop(inputs, elements[at].row)) for at in asked]
    decided = inputs.judge.decide_many(DESCRIBE_ELEMENT, values)
    found = {at: (one.output, one.by != "rule") for at, one in zip(asked, decided, strict=True)}
    rule = DESCRIBE_ELEMENT.rule
    assert rule is not None
    return [found[at] if at in found else (rule(_as_asked(one)), False) for at, one in enumerate(elements)]


def _is_worth_a_call(element: Gathered) -> bool:
    return element.sort not in ("formula", "logo") or bool(element.mentions)


def _as_asked(element: Gathered, picture: Picture | None = None) -> Element:
    return Element(element.sort, element.caption, element.inside, element.mentions, picture)


def _crop(inputs: LayerInputs, row: int) -> Picture | None:
    """Return an element's picture, None where the file cannot be drawn or no call is left for it."""
    if inputs.render is None or inputs.judge.stopped:
        return None
    try:
        box = _crop_of(inputs.document, row)
        return encoded(inputs.render(int(inputs.document.blocks.page[row]), box, dots_per_inch(box)))
    except SourceError:
        return None


def _crop_of(document: Document, row: int) -> Box:
    page = int(document.blocks.page[row]) - 1
    x0, y0, x1, y1 = document.blocks.box[row].tolist()
    return around((x0, y0, x1, y1), float(document.pages.width[page]), float(document.pages.height[page]))


def _text(document: Document, element: Gathered, described: Description) -> str:
    """Return what is stored: caption, description, and text in the picture; where nothing is known, where it stands."""
    said = described.description.strip()
    caption = element.caption if element.caption and element.caption not in said else ""
    inside = f"Text in it: {' '.join(described.text.split())}" if described.text.strip() else ""
    text = "\n".join(part for part in (caption, said, inside) if part)
    path = " > ".join(" ".join(title.split()) for title in document.blocks.section_path(element.row))
    return f"{text} in {path}" if text == element.sort and path else text


def estimate(inputs: LayerInputs) -> Sequence[tuple[str, int, int]]:
    """Return (decision, input tokens, output tokens) of each call, its crop included; none where no model sees."""
    rehearse = rehearsed(build, {DESCRIBE_ELEMENT.name: lambda ruled: max(ruled, _REPLY_TOKENS)})
    calls = rehearse(dataclasses.replace(inputs, render=None))
    asked = [element.row for element in elements_of(inputs.document) if _is_worth_a_call(element)]
    if not calls:
        return []
    pictures = [_picture_tokens(_crop_of(inputs.document, row)) for row in asked]
    return [(name, read + shown, written) for (name, read, written), shown in zip(calls, pictures, strict=True)]


def _picture_tokens(box: Box) -> int:
    """Return what a crop takes, as large providers count it."""
    return max(_LEAST_PICTURE_TOKENS, round(pixels_of(box) / _PIXELS_PER_TOKEN))


DESCRIPTIONS = Layer(
    name="descriptions",
    version=2,
    reads=(),
    build=build,
    decisions=(DESCRIBE_ELEMENT.name,),
    parameters=f"crop={LONG_SIDE}",
    estimate=estimate,
)
