"""What bare words like "as shown below", "see above" or "as follows" point to.

Owns these words and the choice of the block they mean: for what is shown the nearest element in that direction; for
what is said the earlier or later text of the section that has most words of the sentence. Knows nothing about labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from octavo.document import FURNITURE, BlockTable, Kind, LinkKind
from octavo.layers.elements import ELEMENTS
from octavo.layers.links.found import Link
from octavo.text.analyzer import analyze
from octavo.text.sentences import sentence_spans

_SHOWN = r"shown|illustrated|depicted|given|listed|presented|summari[sz]ed|displayed|tabulated|set\s+out|set\s+forth"
_SAID = (
    r"described|discussed|explained|mentioned|noted|defined|stated|outlined|introduced|indicated|specified|"
    r"referred\s+to"
)
_BARE = re.compile(
    rf"\b(?:(?:(?P<shown>{_SHOWN})|(?P<said>{_SAID})|(?P<see>see|refer\s+to))\s+(?:in\s+(?:more\s+)?detail\s+)?"
    r"(?P<way>above|below|earlier|previously|later)\b"
    r"|(?:shown|given|listed|summari[sz]ed|presented)\s+(?P<follow>as\s+follows)\b)",
    re.IGNORECASE,
)
_MORE = re.compile(r"\s+(?:in|on|at|the|zero|average|\d)\b", re.IGNORECASE)
"""What makes of "shown below" another thing: "listed below in Table 3" names its target, "below zero" none."""
_NAMED = re.compile(r"[\"”»][,.]?\s+$")
"""What comes before words that only say where a title in quotation marks stands."""
_TEXTS = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FORMULA, Kind.CODE)
_BACK = ("above", "earlier", "previously")
_REACH = 60
"""Blocks looked at in one direction."""
_READ = 1500
"""Characters of a text that are compared."""
_LEAST_SHARED = 3
_SURE_SHOWN = 0.7
_SURE_SAID = 0.5
_WORDS = ("above", "below", "earlier", "previously", "later", "as follows")


class _Pointed(NamedTuple):
    """Words that point up or down (`step` -1 or 1), to something shown or something said."""

    step: int
    is_shown: bool
    text: str
    sentence: str


def nearby(blocks: BlockTable) -> Iterator[Link]:
    """Yield the links that such words make."""
    for row, (kind, text) in enumerate(zip(blocks.kind.tolist(), blocks.text, strict=True)):
        if kind not in _TEXTS and kind not in (Kind.CAPTION, Kind.FOOTNOTE):
            continue
        lowered = text.lower()
        if any(word in lowered for word in _WORDS):
            yield from _links(blocks, row, text)


def _links(blocks: BlockTable, row: int, text: str) -> Iterator[Link]:
    for pointed in _pointed(text):
        shown = _nearest_element(blocks, row, pointed.step) if pointed.is_shown else None
        if shown is not None:
            yield Link(row, shown, LinkKind.REFERS_TO, _SURE_SHOWN, pointed.text)
            continue
        said = _most_alike(blocks, row, pointed)
        if said is not None:
            yield Link(row, said, LinkKind.REFERS_TO, _SURE_SAID, pointed.text)


def _pointed(text: str) -> Iterator[_Pointed]:
    sentences = sentence_spans(text)
    for found in _BARE.finditer(text):
        if _MORE.match(text, found.end()) or _NAMED.search(text, max(0, found.start() - 4), found.start()):
            continue
        way = (found["way"] or "below").lower()
        start, stop = next((span for span in sentences if span[0] <= found.start() < span[1]), (0, len(text)))
        is_shown = found["said"] is None
        yield _Pointed(-1 if way in _BACK else 1, is_shown, found.group(), text[start:stop])


def _around(blocks: BlockTable, row: int, step: int) -> Iterator[int]:
    stop = min(len(blocks), row + _REACH) if step > 0 else max(-1, row - _REACH)
    for at in range(row + step, stop, step):
        if blocks.kind[at] not in FURNITURE:
            yield at


def _nearest_element(blocks: BlockTable, row: int, step: int) -> int | None:
    """Return the nearest element on this page or the next one in that direction, within the section."""
    for at in _around(blocks, row, step):
        is_far = abs(int(blocks.page[at]) - int(blocks.page[row])) > 1
        if is_far or blocks.kind[at] == Kind.HEADING:
            return None
        if blocks.kind[at] in ELEMENTS:
            return at
    return None


def _most_alike(blocks: BlockTable, row: int, pointed: _Pointed) -> int | None:
    """Return the text in that direction that has most terms of the sentence, the nearest of equals."""
    asked = _terms(pointed.sentence) - _terms(pointed.text)
    best, most = None, _LEAST_SHARED - 1
    for at in _around(blocks, row, pointed.step):
        if blocks.kind[at] not in (*_TEXTS, Kind.HEADING, Kind.TABLE):
            continue
        shared = len(asked & _terms(blocks.text[at][:_READ]))
        if shared > most:
            best, most = at, shared
    return best


@lru_cache(maxsize=4 * _REACH)
def _terms(text: str) -> frozenset[str]:
    return frozenset(analyze(text))
