"""What there is to see in a document at first: its sections in brief, its tables and figures, and what it may be asked.

All of it is read off the document by rule. A question is made from one place, which answers it; whether it is found
there is for who asks it (`octavo.corpus.first_look`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest

import numpy as np

from octavo.about.proposals import named_cells, named_numbers, spread
from octavo_documents.document import PICTURED, Document, FigureKind, Kind
from octavo_documents.text.analyzer import sentence_spans
from octavo_documents.text.lines import on_one_line

_MOST_SECTIONS = 12
"""Sections that are told in brief."""
_MOST_PROPOSED = 8
"""Questions of each kind that are made."""
_LONGEST = 160
"""Characters of what an element is called."""
_SHORTEST_SENTENCE, _LONGEST_SENTENCE = 40, 260
_DEFINED = re.compile(
    r"(?P<of>(?:(?:The|An?) )?(?:[\w’'-]+ ){0,4}?[\w’'-]+) (?P<verb>is|are) (?:an? |the \w+ (?:of|that|which) )"
)
_NO_SUBJECT = re.compile(
    r"(?:the )?(?:it|this|that|these|those|there|here|he|she|they|we|you|i|one|what|which|who|how|if|when|where|as|"
    r"but|and|so|thus|then|whatever|whoever|such|each|another|other|others|no|in|on|at|for|from|to|of|by|with|after|before|first|second|last|"
    r"next|following|"
    r"same|reason|result|aim|purpose|example|idea|point|problem|question|answer|latter|former|only|most|least|best)\b",
    re.IGNORECASE,
)
"""What points elsewhere and tells nobody what is asked about."""
_INNER = re.compile(
    r"\b(?:that|which|who|is|are|was|were|has|have|not|and|or|in|on|at|for|from|to|by|with)\b", re.IGNORECASE
)
_OFTEN = 3
"""How often a document speaks of what it is asked about."""
_ABOUT_ITSELF = frozenset(("contents", "table of contents", "index", "revision history", "change history"))
"""Sections that lead to others, or say how the document came about."""
_NAMES_OF_CELLS = ((4, 60), (3, 30), (3, 40))
"""Characters, at least and at most, of what a table is about and of the names of a column and a row."""
_ARTICLE = re.compile(r"^(?:The|An?) ")
_ASKS = re.compile(r"[A-Z].{8,118}\?")


@dataclass(frozen=True, slots=True)
class BriefSection:
    """A section of the highest levels and where it begins."""

    title: str
    page: int
    row: int


@dataclass(frozen=True, slots=True)
class ListedElement:
    """A table, chart or figure: what it is called, by its caption or else by the section that it stands in."""

    kind: str
    called: str
    page: int
    row: int


@dataclass(frozen=True, slots=True)
class Proposed:
    """A question, the words that answer it, and the page they stand on."""

    question: str
    answer: str
    page: int


def brief_sections(document: Document) -> list[BriefSection]:
    """Return the sections of the highest level; where that is one that holds all others, those under it."""
    found = document.outline
    while len(found) == 1 and found[0].sections:
        found = found[0].sections
    told = [BriefSection(on_one_line(one.title), one.page, one.row) for one in found if one.title.strip()]
    return [one for one in told if one.title.casefold() not in _ABOUT_ITSELF][:_MOST_SECTIONS]


def elements(document: Document) -> list[ListedElement]:
    """Return the tables, charts and figures with a caption or a title, in reading order; logos are none."""
    blocks, captions = document.blocks, document.links.captions()
    wanted = np.isin(blocks.kind, [Kind.TABLE, *PICTURED]) & (blocks.figure != FigureKind.LOGO)
    found = list[ListedElement]()
    for row in np.flatnonzero(wanted).tolist():
        kind = blocks.kind_of(row)
        caption = on_one_line(" ".join(blocks.text[one] for one in captions.get(row, ())))
        path = blocks.section_path(row)
        called = caption or (on_one_line(path[-1]) if path and kind == Kind.TABLE else "")
        if called:
            label = FigureKind(int(blocks.figure[row])).label or kind.label
            found.append(ListedElement(label, called[:_LONGEST], int(blocks.page[row]), row))
    return found


def proposed(document: Document) -> list[Proposed]:
    """Return questions that a document may answer, of different kinds by turns: the first ones are the best."""
    cells = spread([*named_cells(document)], _MOST_PROPOSED)
    numbers = spread([*named_numbers(document)], 2 * _MOST_PROPOSED - len(cells))
    stated = [Proposed(one.question, one.answers[-1], one.page) for one in numbers]
    looked_up = [
        Proposed(
            f"What does the table “{one.about}” say under “{one.head[:1].upper()}{one.head[1:]}” for “{one.row}”?",
            one.text,
            one.page,
        )
        for one in cells
        if one.about.casefold() not in _ABOUT_ITSELF
        and all(
            first <= len(text) <= last
            for text, (first, last) in zip((one.about, one.head, one.row), _NAMES_OF_CELLS, strict=True)
        )
    ]
    kinds = [[*_definitions(document)], [*_headings(document)], stated, looked_up]
    picked = [spread(one, _MOST_PROPOSED) for one in kinds if one]
    found = {one.question: one for one in chain.from_iterable(zip_longest(*picked)) if one is not None}
    return [*found.values()]


def _definitions(document: Document) -> Iterator[Proposed]:
    """Yield what is said to be something."""
    blocks = document.blocks
    whole = " ".join(blocks.text).casefold()
    for row in np.flatnonzero(blocks.kind == Kind.PARAGRAPH).tolist():
        text = blocks.text[row]
        for start, stop in sentence_spans(text):
            sentence = on_one_line(text[start:stop])
            found = _DEFINED.match(sentence)
            if found is None or not _SHORTEST_SENTENCE <= len(sentence) <= _LONGEST_SENTENCE or sentence[-1:] != ".":
                continue
            subject = found["of"]
            if _tells(subject) and whole.count(_ARTICLE.sub("", subject).casefold()) >= _OFTEN:
                yield Proposed(f"What {found['verb']} {_in_a_sentence(subject)}?", sentence, int(blocks.page[row]))


def _tells(subject: str) -> bool:
    """Whether a subject says by itself what it is."""
    return not (subject.isupper() or _NO_SUBJECT.match(subject) or _INNER.search(subject))


def _in_a_sentence(subject: str) -> str:
    first, _, rest = subject.partition(" ")
    return f"{first.lower()} {rest}" if first in ("The", "A", "An") else subject


def _headings(document: Document) -> Iterator[Proposed]:
    """Yield headings that are questions, which the paragraph after them answers."""
    blocks = document.blocks
    for row in document.blocks.headings().tolist():
        asked = on_one_line(blocks.text[row])
        after = row + 1
        if _ASKS.fullmatch(asked) and after < len(blocks) and blocks.kind_of(after) == Kind.PARAGRAPH:
            text = blocks.text[after]
            first = sentence_spans(text)[:1]
            if first:
                yield Proposed(asked, on_one_line(text[slice(*first[0])]), int(blocks.page[after]))
