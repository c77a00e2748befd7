"""Which language each row of a document is in, as its terms were indexed."""

from __future__ import annotations

from octavo.errors import CorpusError
from octavo.evidence import View
from octavo.operators.score.search import terms_of
from octavo_documents.text.languages import ENGLISH


def row_language(view: View, row: int) -> str:
    """Return the language of a row of a view of one document; English where its terms were not indexed."""
    return view.derived(_by_row).get(row, ENGLISH)


def _by_row(view: View) -> dict[int, str]:
    """Return the language of each row that is not in English."""
    try:
        index, passages = terms_of(view), view.passages
    except CorpusError:
        return {}
    if index.languages <= {ENGLISH}:
        return {}
    spans = zip(passages.start.tolist(), passages.stop.tolist(), index.by_passage, strict=True)
    return {row: code for start, stop, code in spans if code != ENGLISH for row in range(start, stop)}
