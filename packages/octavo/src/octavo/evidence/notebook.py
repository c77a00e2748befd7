"""What notebooks show of answers and evidence: a few lines of HTML, in which text of documents is never markup."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from octavo_documents.text.lines import on_one_line

if TYPE_CHECKING:
    from octavo.evidence.answer import Answer, Result
    from octavo.evidence.citation import Citation, Passage

_MOST_PLACES = 5
_LONGEST = 400
"""Characters shown of a passage."""


def answer_html(answer: Answer) -> str:
    """Return an answer as HTML: what was found, and the places it stands on, or the passages to read."""
    text = f"<p><b>{escape(answer.text)}</b></p>" if answer.answerable else ""
    return f"<div><p>{escape(answer.lead)}</p>{text}{_places(answer.citations or answer.passages)}</div>"


def result_html(result: Result) -> str:
    """Return what a search led to as HTML: its best passages."""
    return f"<div><p>{escape(result.evidence.summary())}</p>{_places(result.passages)}</div>"


def _places(places: Sequence[Citation | Passage]) -> str:
    rows = "".join(_place(place) for place in places[:_MOST_PLACES])
    more = f"<p>and {len(places) - _MOST_PLACES} more</p>" if len(places) > _MOST_PLACES else ""
    return f"<ol>{rows}</ol>{more}" if rows else ""


def _place(place: Citation | Passage) -> str:
    words = on_one_line(getattr(place, "quote", "") or getattr(place, "text", ""))
    shown = words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"
    section = " &gt; ".join(escape(on_one_line(title)) for title in place.section)
    return (
        f"<li>{escape(place.document)}, page {place.page}{f' · {section}' if section else ''}"
        f"<blockquote>{escape(shown)}</blockquote></li>"
    )
