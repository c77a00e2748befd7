"""Questions over the rows of a long table where a model reads: it writes a query, which is carried out over all rows.

A model is shown as much of a table as fits, so it cannot count, add up or compare rows that it was not shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.decisions.query_table import QUERY_TABLE, TableAsked
from octavo.evidence import Answer, Evidence
from octavo.operators.core import Run
from octavo.operators.extractive.table_answers import carried_out, readings_of, stated
from octavo.operators.extractive.whole_tables import OneTable, whole_table
from octavo.operators.keep import ranked_pages
from octavo.question.table_forms import goes_over_rows
from octavo_documents.document import Kind

_LONG = 40
"""Rows above which a table is asked by a query: fewer are shown to a model, which reads them as they are."""
_PAGES = 3
"""Pages, the best ones, whose tables may be meant."""


def read_over_table(evidence: Evidence, using: Run) -> Answer | None:
    """Return the answer to a question over all rows of a long table; None for another one, or where no query fits.

    The model writes the query, of plain questions too; what rules read in these stands where it failed alone.
    """
    question = using.query.question
    if not goes_over_rows(question) or not using.judge.has_model(QUERY_TABLE.name):
        return None
    for one in _long_tables(evidence):
        decided = using.judge.decide(QUERY_TABLE, TableAsked(question, one.table))
        query = decided.output.query
        found = readings_of(question, one) if decided.by == "rule" else carried_out([query] if query else [], one)
        answer = stated(question, evidence, found)
        if answer is not None and answer.answerable:
            return answer
    return None


def _long_tables(evidence: Evidence) -> Iterator[OneTable]:
    """Yield the long tables on the best pages, the first one on each."""
    view = evidence.view
    _, pages = ranked_pages(evidence)
    seen: set[int] = set()
    for page in pages[:_PAGES].tolist():
        document, _ = view.locate_page(page)
        first, rows = int(view.row_starts[document]), view.page_rows(page)
        for row in range(rows.start, rows.stop):
            if view.blocks.kind_of(row) != Kind.TABLE or row in seen:
                continue
            table = whole_table(view.parts[document], row - first)
            if table is not None and len(table) > _LONG:
                seen.update(first + block for block, _ in table.places)
                yield OneTable(table, first)
                break
