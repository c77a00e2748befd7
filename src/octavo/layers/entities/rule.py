"""Extraction by rule, over the whole document: names, acronyms, terms, values and elements with their mentions.

Owns which candidates are taken. Knows nothing about resolution or models.
"""

from __future__ import annotations

import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from octavo.document import Document
from octavo.layers.entities.capitalised import Letters, names_in
from octavo.layers.entities.descriptions import add_descriptions
from octavo.layers.entities.elements import add_elements
from octavo.layers.entities.entity_types import type_of
from octavo.layers.entities.extraction import LABEL, NAME, TERM, Extraction, Mention
from octavo.layers.entities.matching import Forms, Gazetteer, Known
from octavo.layers.entities.meetings import add_meetings
from octavo.layers.entities.terms import ranked_terms
from octavo.layers.entities.values import values_of
from octavo.layers.entities.vocabulary import breaks, may_end
from octavo.layers.entities.words import BlockWords, blocks_as_words, form, forms_of, is_capital, is_marked, tokens
from octavo.text.acronyms import acronyms

_TERMS_A_PAGE = 8
_TERMS_AT_LEAST = 60


def extract(document: Document) -> Extraction:
    """Return what the rules find in a document."""
    blocks = blocks_as_words(document)
    extraction = Extraction()
    elements = add_elements(document, extraction)
    extraction.acronyms.extend(acronyms(block.text for block in blocks if not block.apart))
    gazetteer = Gazetteer(_known(len(document.pages), blocks, extraction))
    for block in blocks:
        _add_mentions(block, gazetteer, extraction)
    add_meetings(blocks, elements, extraction)
    add_descriptions({block.row: block for block in blocks}, extraction)
    return extraction


def _known(pages: int, blocks: Sequence[BlockWords], extraction: Extraction) -> dict[Forms, Known]:
    """Return the runs of words that are entities of the document, and what they are."""
    terms = [*ranked_terms(blocks, _TERMS_AT_LEAST + _TERMS_A_PAGE * pages), *_header_terms(extraction)]
    known = {forms: Known(TERM) for forms in terms}
    for forms, name in _capitalised(blocks):
        type_ = type_of(name)
        if forms not in known or type_ != NAME:
            letters = "" if forms in known else "marked" if len(forms) == 1 and is_marked(name) else "capital"
            known[forms] = Known(type_, letters)
    for short, long in extraction.acronyms:
        known[forms_of(short)] = Known(NAME, "marked")
        known[forms_of(long)] = Known(type_of(long) if is_capital(long) else TERM)
    known.pop((), None)
    return known


def _header_terms(extraction: Extraction) -> Iterator[Forms]:
    """Yield the table headers that are terms of the document wherever they stand: two to four words that say much."""
    for named in extraction.names:
        words = [token.lower() for token in tokens(named.name)]
        if named.type == LABEL and 1 < len(words) <= 4 and not any(map(breaks, words)) and may_end(words[-1]):
            yield forms_of(named.name)


def _capitalised(blocks: Sequence[BlockWords]) -> Iterator[tuple[Forms, str]]:
    """Yield the capitalised names of running text with how each is written most often."""
    letters = Letters(blocks)
    written: defaultdict[Forms, Counter[str]] = defaultdict(Counter)
    for word in letters.always_capital():
        written[form(word),][word.capitalize()] += 1
    for block in blocks:
        if not block.telling or block.apart:
            continue
        for first, stop in names_in(block, letters):
            text = block.text[block.starts[first] : block.stops[stop - 1]]
            written[tuple(block.forms[first:stop])][" ".join(text.split())] += 1
    for forms, texts in written.items():
        yield forms, texts.most_common(1)[0][0]


def _add_mentions(block: BlockWords, gazetteer: Gazetteer, extraction: Extraction) -> None:
    """Add the mentions of known names in a block, and of the dates and quantities outside them, in order."""
    found: list[tuple[int, int, str]] = []
    for first, stop, known in gazetteer.found_in(block):
        if block.texts[stop : stop + 1] != ["et"]:
            found.append((block.starts[first], block.stops[stop - 1], known.type))
    names = list(found)
    for start, stop, type_ in values_of(block):
        if not any(start < end and begin < stop for begin, end, _ in names):
            found.append((start, stop, type_))
    for start, stop, type_ in sorted(found):
        number = extraction.name(" ".join(block.text[start:stop].split()), type_)
        unit = block.units[max(0, bisect.bisect_right(block.starts, start) - 1)] if block.units else -1
        extraction.mentions.append(Mention(number, block.row, start, stop, unit))
