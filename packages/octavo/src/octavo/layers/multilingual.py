"""What the layer of vectors adds for passages in other languages than English: vectors by a model of many languages.

The packed layer has them as "multilingual" (n, dimension) float16, with the rows of their passages, ascending, as
"multilingual.passage"; its header names the model, "" where there was none. A document in English has neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from octavo.errors import ModelError
from octavo.evidence import PassageTable
from octavo.layers.base import LayerInputs
from octavo.layers.long_tables import long_tables
from octavo_documents.document.columns import unpack
from octavo_documents.text.language_identification import runs_of
from octavo_documents.text.languages import ENGLISH

MULTILINGUAL, PASSAGE = "multilingual", "multilingual.passage"
Added = tuple[Mapping[str, npt.NDArray[Any]], Mapping[str, str]]
"""Arrays and what the header tells."""


def multilingual_vectors(inputs: Sequence[LayerInputs], texts: Sequence[Sequence[str]]) -> list[Added]:
    """Return for each document what is added, given the texts of its passages; all are embedded together."""
    rows = [_in_other_languages(one) for one in inputs]
    wanted = [own[row] for own, found in zip(texts, rows, strict=True) for row in found]
    if not wanted:
        return [({}, {})] * len(inputs)
    model = inputs[0].multilingual()
    try:
        vectors = None if model is None else model.embed(wanted).astype(np.float16)
    except ModelError:  # no engine computes it
        vectors = None
    if model is None or vectors is None:
        return [({}, {MULTILINGUAL: ""} if found else {}) for found in rows]
    parts = np.split(vectors, np.cumsum([len(found) for found in rows])[:-1])
    return [
        ({MULTILINGUAL: own, PASSAGE: np.array(found, np.int32)}, {MULTILINGUAL: model.name}) if found else ({}, {})
        for own, found in zip(parts, rows, strict=True)
    ]


def read_by(data: bytes) -> str | None:
    """Return which model embedded the passages in other languages, "" for none; None where there are no such."""
    found = unpack(data)[1].get(MULTILINGUAL)
    return None if found is None else str(found)


def is_whole(data: bytes, inputs: LayerInputs) -> bool:
    """Return whether a packed layer has what there is to be added."""
    read = read_by(data)
    if not _in_other_languages(inputs):
        return read is None
    model = inputs.multilingual()
    return read is not None and (model is None or read == model.name)


def share_in_other_languages(passages: bytes) -> float:
    """Return the share (0..1) of packed passages that are not in English; 0 where there are none."""
    texts = PassageTable.from_bytes(passages).text
    return len(_not_english(texts)) / len(texts) if len(texts) else 0.0


def _in_other_languages(inputs: LayerInputs) -> list[int]:
    passages = PassageTable.from_bytes(inputs.stored["passages"])
    left = {row for table in long_tables(inputs.document, passages) for row in table.tolist()}
    return [row for row in _not_english(passages.text) if row not in left]


def _not_english(texts: Sequence[str]) -> list[int]:
    return [row for row, code in enumerate(runs_of(list(texts))) if code != ENGLISH]
