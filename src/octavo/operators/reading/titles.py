"""Candidates for what a labelled thing is called: the words after "Chapter 5" in its heading, or in a caption.

Owns which questions ask for that. Knows nothing about what stands below the heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo.decisions.rules.question import Expects, Question
from octavo.document import Kind, View
from octavo.operators.labels import without_label
from octavo.operators.reading.candidate import Candidate, Quote
from octavo.operators.refer import rows_labelled

_THING = (
    r"(?:the )?(?:[\w'’-]+ ){0,3}?"
    r"(?:chapter|section|sub-?section|unit|module|lesson|part|appendix|annex|table|figure|exhibit|box)s?"
)
_ASKED = re.compile(
    rf"\b(?:title|topic|name|heading|caption|subject|theme) (?:of|for|given (?:to|in)) {_THING}\b"
    rf"|\b(?:what|which) (?:is|are|was) {_THING} [\w.-]+ (?:about|called|titled|named|entitled|on)\W*$"
    rf"|\bwhat (?:does|do) {_THING} [\w.-]+ (?:cover|discuss|deal with|talk about)\W*$",
    re.IGNORECASE,
)
_VALUES = (Expects.COUNT, Expects.YES_NO, Expects.LIST)
_LONGEST = 200


def from_titles(question: Question, view: View) -> Iterator[Candidate]:
    """Yield the title of each heading or caption that opens with the label a question names."""
    if question.expects in _VALUES or not _ASKED.search(question.text):
        return
    for row in rows_labelled(view, question.text):
        text = view.blocks.text[row]
        title = without_label(text, is_heading=view.blocks.kind[row] == Kind.HEADING)
        if title and len(title) <= _LONGEST:
            yield Candidate(title, (Quote(row, text),), text, 1.0, 1.0, 1.0, relevance=1.0)
