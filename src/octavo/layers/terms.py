"""The terms layer: an inverted index over passages, for lexical search inside a view."""

from __future__ import annotations

from collections import Counter

import numpy as np

from octavo.document import Document, PassageTable, PostingTable, TermTable, TextColumn
from octavo.document.columns import pack
from octavo.layers.base import Layer, LayerInputs
from octavo.text.analyzer import ANALYZER_VERSION, STEMMER, analyze


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `TermTable` ("terms") and `PostingTable` ("postings"); the header counts the "passages"."""
    passages = PassageTable.from_bytes(inputs.stored["passages"])
    terms, postings = index(count_terms(inputs.document, passages))
    return pack(terms.arrays("terms") | postings.arrays("postings"), {"passages": len(passages)})


def count_terms(document: Document, passages: PassageTable) -> list[Counter[str]]:
    """Return how often each passage holds each term; a term of its heading path or the document's title counts once."""
    title = analyze(document.metadata.title)
    counts: list[Counter[str]] = []
    known: dict[str, list[str]] = {}
    for heading, text in zip(passages.heading, passages.text, strict=True):
        if heading not in known:
            known[heading] = analyze(heading)
        counted = Counter(analyze(text))
        counted.update({*known[heading], *title})
        counts.append(counted)
    return counts


def index(counts: list[Counter[str]]) -> tuple[TermTable, PostingTable]:
    """Return the vocabulary and postings of counted passages: terms sorted, each term's passages ascending."""
    vocabulary = sorted({term for counted in counts for term in counted})
    number = {term: at for at, term in enumerate(vocabulary)}
    sizes = [len(counted) for counted in counts]
    term = np.fromiter((number[name] for counted in counts for name in counted), np.int32, sum(sizes))
    count = np.fromiter((times for counted in counts for times in counted.values()), np.int32, sum(sizes))
    passage = np.repeat(np.arange(len(counts), dtype=np.int32), sizes)
    order = np.argsort(term, kind="stable")
    first = np.searchsorted(term[order], np.arange(len(vocabulary) + 1))
    return (
        TermTable(term=TextColumn.of([*vocabulary, ""]), first=first.astype(np.int32)),
        PostingTable(passage=passage[order], count=count[order]),
    )


TERMS = Layer(name="terms", version=1 + 1000 * ANALYZER_VERSION, reads=("passages",), build=build, parameters=STEMMER)
