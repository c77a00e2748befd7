"""The layers of chunks of 100 words and of their vectors: what RDR2 retrieves (section 4.3, Karpukhin et al., 2020).

The content of a document, headings left out, is one run of words that is cut after every hundredth, wherever a section
or a sentence ends; the last chunk is shorter. A chunk is embedded after the title of its document, as those are that
the paper's retriever was trained for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from octavo.evidence import PassageTable
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.vectors import embedded
from octavo_documents.document import FURNITURE, Document, Kind, TextColumn

CHUNK_WORDS = 100
_NO_CONTENT = (*FURNITURE, Kind.TITLE, Kind.HEADING)
_WORD = re.compile(r"\S{1,30}")
"""In a script without spaces a word is 30 characters."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `PassageTable` of chunks: rows `[start, stop)` hold words of it, `heading` is the title.

    `char_start` is where it begins in its first row, `char_stop` where it ends in its last.
    """
    document = inputs.document
    words = list(_words(document))
    chunks = [words[at : at + CHUNK_WORDS] for at in range(0, len(words), CHUNK_WORDS)]
    table = PassageTable(
        text=TextColumn.of(_text(document, chunk) for chunk in chunks),
        heading=TextColumn.of([document.called] * len(chunks)),
        start=np.array([chunk[0][0] for chunk in chunks], np.int32),
        stop=np.array([chunk[-1][0] + 1 for chunk in chunks], np.int32),
        page=document.blocks.page[[chunk[0][0] for chunk in chunks]] if chunks else np.zeros(0, np.int32),
        char_start=np.array([chunk[0][1] for chunk in chunks], np.int32),
        char_stop=np.array([chunk[-1][2] for chunk in chunks], np.int32),
    )
    return table.to_bytes()


def _words(document: Document) -> Iterator[tuple[int, int, int]]:
    """Yield each word of the content, as its row and characters [start, stop)."""
    blocks = document.blocks
    for row in np.flatnonzero(~np.isin(blocks.kind, _NO_CONTENT)).tolist():
        for found in _WORD.finditer(blocks.text[row]):
            yield row, *found.span()


def _text(document: Document, words: list[tuple[int, int, int]]) -> str:
    """Return the text of a chunk, a line for each row it has words of."""
    spans: dict[int, tuple[int, int]] = {}
    for row, start, stop in words:
        spans[row] = (spans[row][0] if row in spans else start, stop)
    return "\n".join(document.blocks.text[row][start:stop] for row, (start, stop) in spans.items())


def build_vectors(inputs: LayerInputs) -> bytes:
    """Return the packed (n_chunks, dimension) float16 matrix named "vectors", rows of length 1."""
    table = PassageTable.from_bytes(inputs.stored[WORD_CHUNKS.name])
    texts = [f"{title}\n{text}" for title, text in zip(table.heading, table.text, strict=True)]
    return embedded(inputs, texts)


WORD_CHUNKS = Layer("word_chunks", 1, (), build)
WORD_CHUNK_VECTORS = Layer("word_chunk_vectors", 1, ("word_chunks",), build_vectors, model=text_embedding)
