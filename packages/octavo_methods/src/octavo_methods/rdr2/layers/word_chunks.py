"""The layers of chunks of 100 words and of their vectors: what RDR2 retrieves (section 4.3, Karpukhin et al., 2020).

The content of a document, headings left out, is one run of words that is cut after every hundredth, wherever a section
or a sentence ends; the last chunk is shorter. A chunk is embedded after the title of its document, as those are that
the paper's retriever was trained for.
"""

from __future__ import annotations

import numpy as np

from octavo.evidence import PassageTable
from octavo.layers.base import Layer, LayerInputs, text_embedding
from octavo.layers.vectors import embedded
from octavo.layers.word_runs import passages_of, words_of
from octavo_documents.document import FURNITURE, Kind

CHUNK_WORDS = 100
_NO_CONTENT = (*FURNITURE, Kind.TITLE, Kind.HEADING)


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `PassageTable` of chunks, as `passages_of` has it; `heading` is the title."""
    document = inputs.document
    words = list(words_of(document, np.flatnonzero(~np.isin(document.blocks.kind, _NO_CONTENT)).tolist()))
    chunks = [words[at : at + CHUNK_WORDS] for at in range(0, len(words), CHUNK_WORDS)]
    return passages_of(document, chunks, heading=document.called).to_bytes()


def build_vectors(inputs: LayerInputs) -> bytes:
    """Return the packed (n_chunks, dimension) float16 matrix named "vectors", rows of length 1."""
    table = PassageTable.from_bytes(inputs.stored[WORD_CHUNKS.name])
    texts = [f"{title}\n{text}" for title, text in zip(table.heading, table.text, strict=True)]
    return embedded(inputs, texts)


WORD_CHUNKS = Layer("word_chunks", 1, (), build)
WORD_CHUNK_VECTORS = Layer("word_chunk_vectors", 1, ("word_chunks",), build_vectors, model=text_embedding)
