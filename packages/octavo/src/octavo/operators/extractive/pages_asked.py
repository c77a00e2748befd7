"""What stands on pages that a question asks for and nothing else: each from its beginning; or that there are none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from octavo.evidence import Passage, View
from octavo.operators.extractive.passages import render_passage
from octavo.operators.extractive.units import MOST_WORDS, Span, stream_of
from octavo.operators.score.refer import named_pages
from octavo.question import Question
from octavo_documents.text.lines import on_one_line
from octavo_documents.wording import counted, t

_PAGES = 3
"""Pages that are shown."""


def pages_shown(question: Question, view: View) -> Sequence[Passage] | None:
    """Return how the pages begin that a question asks for by themselves; None for any other question, and for parts."""
    if not question.asks_for_pages or len(view.documents) != 1 or view.documents[0].unit == "part":
        return None
    pages = named_pages(question.text, view.documents[0])[:_PAGES]
    return [*_beginnings(view, pages)] or None


def pages_beyond(question: Question, view: View) -> str:
    """Return that a document has no page of a number that a question is about; "" where it has, or names none."""
    if len(view.documents) != 1 or view.documents[0].unit == "part":
        return ""
    document, named = view.documents[0], question.references
    numbers = [number for one in named for number in one.numbers() if number.isdecimal()]
    is_of_pages = all(one.what == "page" and one.number and not one.relation for one in named)
    if not (numbers and is_of_pages) or named_pages(question.text, document):
        return ""
    words = t(" and ").join(dict.fromkeys(on_one_line(one.words) for one in named))
    count = counted(len(document.pages), document.unit)
    return t("There is no {words}: {name} has {count}", words=words, name=document.name, count=count)


def _beginnings(view: View, pages: Sequence[int]) -> Iterator[Passage]:
    """Yield the units at the start of each page, up to 120 words and one at least; dots say that it goes on."""
    for page in pages:
        stream = stream_of(view, page - 1)
        if stream.start == stream.stop:
            continue
        last, words = stream.start, stream.units[stream.start].words
        while last + 1 < stream.stop and words + stream.units[last + 1].words <= MOST_WORDS:
            last += 1
            words += stream.units[last].words
        text, _ = render_passage(view, stream, Span(stream.start, last), stream.start)
        first = next((one for one in stream.units[stream.start : last + 1] if not one.is_heading), None)
        row = (first or stream.units[stream.start]).row
        yield Passage.at(view, row, text if last + 1 == stream.stop else f"{text}\n…")
