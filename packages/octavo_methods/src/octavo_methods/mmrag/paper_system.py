"""MMRAG-DocQA as its paper prints it, and the rows of its tables.

Chunks of 300 tokens lead to their parent pages (equation 11), a model rates each page, which alone ranks them, the ten
best are kept (12), every picture on them is looked at (13, 14), ten summaries are joined (16), and a reader reasons to
a typed value (17, 18).

Tables 3 and 4 leave parts out: `v1` all visual information, `v2` all pages but one, `v3` summaries too, `v4` all pages.
"""

from __future__ import annotations

from octavo.evidence import Evidence, Query
from octavo.operators.core import Operator
from octavo.operators.keep import RELEVANCE, RankPages
from octavo.systems import System
from octavo_methods.mmrag.pages import SIMILARITY, ParentPages
from octavo_methods.mmrag.rate_pages import RatePages
from octavo_methods.mmrag.two_level_index import CHUNK, SearchChunks, SearchSummaries
from octavo_methods.mmrag.typed_reader import TypedReader

PAPER = (
    ("parser", "Docling"),
    ("embedder", "text-embedding-v4 (in-page), multi-qa-mpnet-base-cos-v1 (cross-page)"),
    ("model", "Qwen-turbo (Table 2: GPT-4o), Gpt-3-turbo (summaries)"),
    ("vision", "Qwen-VL-Plus"),
)
_CHUNKS, _PAGES, _SUMMARIES, _PICTURES = 30, 10, 10, 50

_PARENTS: Operator[Query, Evidence] = SearchChunks(_CHUNKS) >> ParentPages(CHUNK, as_scored=True)
_REST: Operator[Query, Evidence] = SearchChunks(None) >> ParentPages(CHUNK, as_scored=True) >> RankPages(SIMILARITY)
_READ = TypedReader(summaries=_SUMMARIES, pictures=_PICTURES)


def _plan(name: str, pages: int, reader: TypedReader) -> System:
    """Return the plan that reads so many of the rated pages."""
    retrieve = _PARENTS >> RatePages() >> RankPages(RELEVANCE, most=pages)
    return System(name, retrieve, retrieve >> reader, rest=_REST, limit=pages, paper=PAPER, looks=True, by_type=True)


_WORDS_ALONE: Operator[Query, Evidence] = (
    SearchChunks(_CHUNKS, descriptions=False)
    >> ParentPages(CHUNK, as_scored=True)
    >> RatePages(descriptions=False)
    >> RankPages(RELEVANCE, most=_PAGES)
)
_REST_WORDS_ALONE: Operator[Query, Evidence] = (
    SearchChunks(None, descriptions=False) >> ParentPages(CHUNK, as_scored=True) >> RankPages(SIMILARITY)
)
_NO_PAGES: Operator[Query, Evidence] = SearchSummaries(_SUMMARIES) >> RankPages(RELEVANCE)

MMRAG_PAPER = _plan("mmrag-paper", _PAGES, _READ)
MMRAG_PAPER_ABLATIONS = (
    System(
        "mmrag-paper-v1",
        _WORDS_ALONE,
        _WORDS_ALONE >> TypedReader(summaries=_SUMMARIES, pictures=0, descriptions=False),
        rest=_REST_WORDS_ALONE,
        limit=_PAGES,
        paper=PAPER,
        by_type=True,
    ),
    _plan("mmrag-paper-v2", 1, _READ),
    _plan("mmrag-paper-v3", 1, TypedReader(summaries=0, pictures=_PICTURES)),
    System(
        "mmrag-paper-v4",
        _NO_PAGES,
        _NO_PAGES >> TypedReader(summaries=_SUMMARIES, pictures=0, pages=False),
        paper=PAPER,
        by_type=True,
    ),
    _plan("mmrag-paper-page-4", 4, _READ),
)
"""The variants of Tables 3 and 4 under the names they have there, and the row of four pages of Tables 1 and 2."""
