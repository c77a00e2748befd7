"""Candidates for what an acronym stands for: the words that a document introduces it with.

Owns which acronym a question asks about and where its expansion is printed. Knows nothing about other definitions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo.decisions.rules.acronyms import acronyms
from octavo.decisions.rules.names import is_short_for
from octavo.decisions.rules.question import Question
from octavo.document import View
from octavo.models.analyzer import analyze
from octavo.operators.lexical import terms_of
from octavo.operators.reading.candidate import Candidate, Quote

_SHORT = r"[\"“'‘]?(?P<short>(?=[\w&.-]*[A-Z][\w&.-]*[A-Z])[A-Za-z][\w&.-]*\w)[\"”'’]?"
_ASKED = (
    re.compile(rf"{_SHORT} (?:stands?|is short|an acronym|an abbreviation) for\b"),
    re.compile(rf"\b(?:does|do|is) (?:the )?(?:\w+ )?{_SHORT} (?:mean|stand|abbreviate)\b"),
    re.compile(
        r"\b(?:full (?:form|name)|long form|expansion|meaning) of (?:the )?(?:abbreviation |acronym |term |initials )?"
        rf"{_SHORT}"
    ),
)
_ROW = re.compile(r"^\s*(?P<short>[^|:=–—\t]{2,12}?)\s*(?:\||:|=|[–—-]\s)\s*(?P<long>[^|.;:]{5,90}?)\s*(?:[|.;].*)?$")
"""A line of a glossary: the acronym, then what it stands for."""


def asked_acronym(question: str) -> str:
    """Return the acronym whose expansion a question asks for, empty for none."""
    return next((found["short"] for pattern in _ASKED if (found := pattern.search(question))), "")


def from_expansions(question: Question, view: View) -> Iterator[Candidate]:
    """Yield what the acronym of a question stands for, from wherever the documents introduce it."""
    short = asked_acronym(question.text)
    for row in _rows_with(view, short) if short else ():
        for line in view.blocks.text[row].split("\n"):
            for long in _longs(line, short):
                yield Candidate(long, (Quote(row, line.strip()),), line, 1.0, 1.0, 1.0, relevance=1.0)


def _rows_with(view: View, short: str) -> list[int]:
    """Return the rows, ascending, of the passages that have an acronym."""
    index, table = terms_of(view), view.passages
    held = [set(index.postings(term)[0].tolist()) for term in analyze(short)]
    passages = held[0].intersection(*held[1:]) if held else set[int]()
    rows = {row for at in passages for row in range(int(table.start[at]), int(table.stop[at]))}
    return [row for row in sorted(rows) if short in view.blocks.text[row]]


def _longs(line: str, short: str) -> Iterator[str]:
    yield from (long for known, long in acronyms([line]) if known == short)
    entry = _ROW.match(line)
    if entry and entry["short"] == short and is_short_for(short, entry["long"]):
        yield entry["long"]
