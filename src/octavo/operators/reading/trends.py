"""Candidates for yes or no by figures: whether a measure of the statements rose, fell, changed, or is above zero.

Owns the years that are compared. Knows no formula and no wording.
"""

from __future__ import annotations

from collections.abc import Iterator

from octavo.decisions.rules.question import Expects, Question
from octavo.decisions.rules.trends import Trend, holds, trend_asked
from octavo.document import View
from octavo.operators.reading.candidate import Candidate
from octavo.operators.reading.measures import Found, quotes_of, statement_figures, value_in

YES, NO = "Yes", "No"


def from_trends(question: Question, view: View) -> Iterator[Candidate]:
    """Yield yes or no where one document's statements tell, with the rows that the figures are taken from."""
    trend = trend_asked(question.text) if question.expects is Expects.YES_NO and len(view.documents) == 1 else None
    if trend is None:
        return
    found = statement_figures(view)
    years = _years(trend, found)
    values = [value_in(trend.asked, year, found) for year in years]
    if not values or any(value is None for value in values):
        return
    known = [value for value in values if value is not None]
    text = YES if holds(trend.way, known[0], known[-1]) else NO
    quotes = quotes_of(trend.asked, years, found)
    yield Candidate(text, quotes, trend.asked.measure.name, 1.0, 1.0, 1.0, relevance=1.0, similarity=1.0, linked=1.0)


def _years(trend: Trend, found: Found) -> list[str]:
    """Return the years compared, latest first: two where a change is asked about; none where they are not there."""
    printed = sorted({year for _, year in found}, reverse=True)
    last = trend.asked.years[0] if trend.asked.years else next(iter(printed), "")
    if not trend.is_over_time:
        return [last] if last in printed else []
    first = trend.asked.years[-1] if len(trend.asked.years) > 1 else _year_before(last)
    return [last, first] if {last, first} <= set(printed) else []


def _year_before(year: str) -> str:
    return str(int(year) - 1) if year else ""
