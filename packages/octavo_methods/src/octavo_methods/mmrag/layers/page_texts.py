"""The layers of MMRAG-DocQA's in-page index: what each page says, its chunks, and their vectors.

What pages say is equation 3: plain text, tables row by row, layout (titles, headings, captions), and descriptions of
pictures, each where it stands. Chunks are equation 6: runs of 300 tokens of one page, each beginning with the last 50
of the one before. The layers whose names begin with `text_` leave the descriptions out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from octavo.evidence import SummaryTable
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.passages import without_leaders
from octavo.layers.vectors import embedded
from octavo.models.bert import token_spans
from octavo_documents.document import PICTURED, BlockTable, Document, Kind, TextColumn
from octavo_documents.document.blocks import FURNITURE
from octavo_documents.document.grid import Grid
from octavo_documents.text.analyzer import Span
from octavo_documents.text.lines import on_one_line

TEXT, TABLE, LAYOUT, DESCRIPTION = "text", "table", "layout", "description"
"""The four kinds of text of a page (equation 3)."""
CHUNK = "chunk"
CHUNK_TOKENS, OVERLAP_TOKENS = 300, 50
"""Tokens of a chunk at most, and of those it shares with the one before (appendix, "Implementation Details")."""
_LAID_OUT = (Kind.TITLE, Kind.HEADING, Kind.CAPTION)
_Piece = tuple[int, str, str]
"""Block row, kind of text, text."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `SummaryTable` of what the pages say, in reading order; `target` is the kind of text."""
    described = SummaryTable.from_bytes(inputs.stored["descriptions"])
    said = dict(zip(described.start.tolist(), described.text, strict=True))
    return _table(list(_pieces(inputs.document, said))).to_bytes()


def _pieces(document: Document, said: dict[int, str]) -> Iterator[_Piece]:
    blocks, captions = document.blocks, document.links.captions()
    for row in range(len(blocks)):
        if blocks.kind_of(row) in FURNITURE:
            continue
        kind, text = _own(blocks, row)
        if text:
            yield row, kind, text
        if blocks.kind_of(row) in PICTURED:
            told = [text, *(on_one_line(blocks.text[at]) for at in captions.get(row, ()))]
            description = _without(said.get(row, ""), told)
            if description:
                yield row, DESCRIPTION, description


def _own(blocks: BlockTable, row: int) -> tuple[str, str]:
    """Return the kind and the text of a block; a table's row by row, each value with its headers."""
    text = blocks.text[row]
    kind = LAYOUT if blocks.kind_of(row) in _LAID_OUT else TEXT
    if blocks.kind_of(row) == Kind.TABLE:
        kind = TABLE
        text = "\n".join(filter(None, Grid.from_json(blocks.grid[row]).linearised())) or text
    return kind, without_leaders(text).strip()


def _without(description: str, told: Sequence[str]) -> str:
    """Return a description without the words that the page says already: the caption, the words in the picture."""
    for text in filter(None, told):
        description = description.replace(text, "", 1)
    lines = (line.strip() for line in description.splitlines())
    return "\n".join(line for line in lines if line and line != "Text in it:")


def _table(pieces: Sequence[_Piece]) -> SummaryTable:
    rows = np.array([row for row, _, _ in pieces], np.int32)
    return _summary_table([text for _, _, text in pieces], [kind for _, kind, _ in pieces], rows, rows + 1)


def _summary_table(texts: Sequence[str], targets: Sequence[str], start: np.ndarray, stop: np.ndarray) -> SummaryTable:
    return SummaryTable(
        text=TextColumn.of(texts),
        target=TextColumn.of(targets),
        start=start.astype(np.int32),
        stop=stop.astype(np.int32),
        level=np.zeros(len(texts), np.int32),
    )


PAGE_TEXTS = Layer(name="page_texts", version=1, reads=("descriptions",), build=build)


def pieces_of(inputs: LayerInputs, *, has_descriptions: bool) -> list[_Piece]:
    """Return (block row, kind, text) of what the pages say, in reading order, with or without the descriptions."""
    table = SummaryTable.from_bytes(inputs.stored["page_texts"])
    pieces = zip(table.start.tolist(), table.target, table.text, strict=True)
    return [piece for piece in pieces if has_descriptions or piece[1] != DESCRIPTION]


def windows(text: str, tokens: int = CHUNK_TOKENS, overlap: int = OVERLAP_TOKENS) -> list[Span]:
    """Return spans of at most `tokens` tokens that cover the text, each with the last `overlap` tokens of the one
    before.

    A span begins and ends between words, so that it may have a few tokens less and share a few less; a word that is
    longer than a span is cut.
    """
    pieces = token_spans(text)
    begins = [True, *(right[0] > left[1] for left, right in pairwise(pieces)), True]
    found: list[Span] = []
    first = 0
    while first < len(pieces):
        last = min(first + tokens, len(pieces))
        last = next((at for at in range(last, first, -1) if begins[at]), last)
        found.append((pieces[first][0], pieces[last - 1][1]))
        if last == len(pieces):
            break
        shared = max(last - overlap, first + 1)
        first = next((at for at in range(shared, last) if begins[at]), last)
    return found


def _chunks(inputs: LayerInputs, *, has_descriptions: bool) -> bytes:
    """Return the packed `SummaryTable` of the chunks: their texts, and the blocks `[start, stop)` these are of."""
    pages = inputs.document.blocks.page
    found: list[tuple[str, int, int]] = []
    some: list[_Piece] = []
    for piece in pieces_of(inputs, has_descriptions=has_descriptions):
        if some and pages[some[0][0]] != pages[piece[0]]:
            found += _of_page(some)
            some = []
        some.append(piece)
    found += _of_page(some)
    bounds = np.array([(start, stop) for _, start, stop in found], np.int32).reshape(-1, 2)
    return _summary_table([text for text, _, _ in found], [CHUNK] * len(found), bounds[:, 0], bounds[:, 1]).to_bytes()


def _of_page(pieces: Sequence[_Piece]) -> Iterator[tuple[str, int, int]]:
    """Yield the chunks of one page: text, first row, row after the last."""
    text = "\n".join(piece[2] for piece in pieces)
    ends = np.cumsum([len(piece[2]) + 1 for piece in pieces])
    for start, stop in windows(text):
        first, last = np.searchsorted(ends, [start, stop - 1], side="right").tolist()
        yield text[start:stop], pieces[first][0], pieces[last][0] + 1


def _vectors(inputs: LayerInputs, chunks: str) -> bytes:
    """Return the packed (n_chunks, dimension) float16 matrix named "vectors", rows of length 1."""
    texts = list(SummaryTable.from_bytes(inputs.stored[chunks]).text)
    return embedded(inputs, texts)


def _chunk_layer(name: str, *, has_descriptions: bool) -> Layer:
    return Layer(
        name=name,
        version=1,
        reads=("page_texts",),
        build=lambda inputs: _chunks(inputs, has_descriptions=has_descriptions),
        parameters=f"tokens={CHUNK_TOKENS} overlap={OVERLAP_TOKENS}",
    )


def _chunk_vectors(name: str, chunks: str) -> Layer:
    return Layer(
        name=name,
        version=1,
        reads=(chunks,),
        build=lambda inputs: _vectors(inputs, chunks),
        model=text_embedding,
    )


PAGE_CHUNKS = _chunk_layer("page_chunks", has_descriptions=True)
PAGE_CHUNK_VECTORS = _chunk_vectors("page_chunk_vectors", "page_chunks")
TEXT_PAGE_CHUNKS = _chunk_layer("text_page_chunks", has_descriptions=False)
TEXT_PAGE_CHUNK_VECTORS = _chunk_vectors("text_page_chunk_vectors", "text_page_chunks")
