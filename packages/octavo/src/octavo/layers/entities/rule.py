"""Extraction by rule, over the whole document: names, acronyms, terms, values and elements with their mentions.

Tables, figures and formulas are entities too, with what is contained in them: row and column headers.
"""

from __future__ import annotations

import bisect
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import groupby

from octavo.layers.entities.extraction import (
    CO_OCCURS,
    CONTAINED_IN,
    DATE,
    ELEMENTS,
    FIGURE,
    FORMULA,
    LABEL,
    NAME,
    QUANTITY,
    TABLE,
    TERM,
    EntityExtraction,
    Mention,
    Statement,
)
from octavo.layers.entities.names import Letters, breaks, may_end, names_in, ranked_terms, type_of, values_of
from octavo.layers.entities.words import (
    BlockWords,
    Forms,
    Gazetteer,
    KnownWords,
    blocks_as_words,
    form,
    forms_of,
    is_capital,
    is_marked,
    tokens,
)
from octavo_documents.document import BlockTable, Document, FigureKind, Kind, LinkKind
from octavo_documents.document.grid import Grid
from octavo_documents.text.analyzer import sentence_spans
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.names import acronyms

_TYPES = {Kind.TABLE: TABLE, Kind.FIGURE: FIGURE, Kind.CHART: FIGURE, Kind.FORMULA: FORMULA}
ELEMENT_KINDS = frozenset(_TYPES)
"""Kinds of block that are entities themselves."""
_LONGEST_NAME = 120
_LONGEST_HEADER = 80
_MOST_HEADERS = 60
"""Row headers of a table, and column headers, that become entities."""
_BLANK = frozenset(
    [
        "total",
        "totals",
        "other",
        "others",
        "amount",
        "amounts",
        "change",
        "millions",
        "thousands",
        "note",
        "notes",
        "yes",
        "none",
        "n/a",
        "no",
    ]
)
_NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix)\s+(?:\d+(?:\.\d+)*|[a-z]|[ivx]+)[.:)]?|\d+(?:\.\d+)*[.:)]?"
    r"|[a-z](?:\.\d+)+[.:)]?|[a-z][.)])\s+",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_NOTE = re.compile(r"\s*(?:\(\d+\)|\[\d+\]|[*†‡]+|\(?in (?:millions|thousands|billions)[^)]*\)?)\s*$", re.IGNORECASE)


def add_elements(document: Document, extraction: EntityExtraction) -> dict[int, int]:
    """Add the document's tables, figures and numbered formulas with their headers; return name number by block row."""
    blocks = document.blocks
    captions = document.links.captions()
    firsts, references = _links(document)
    numbers: dict[int, int] = {}
    places: Counter[tuple[int, Kind]] = Counter()
    for row in range(len(blocks)):
        kind = blocks.kind_of(row)
        if kind not in _TYPES or (kind is Kind.FORMULA and row not in references):
            continue
        if blocks.figure_kind_of(row) is FigureKind.LOGO:
            continue
        place = (int(blocks.page[row]), kind)
        places[place] += 1
        first = numbers.get(firsts.get(row, -1))
        if first is None:
            first = _add(blocks, extraction, row, captions.get(row, []), places[place])
        numbers[row] = first
        extraction.mentions.append(Mention(first, row, -1, -1))
        if kind is Kind.TABLE:
            _add_headers(blocks, extraction, row, first)
    for row, spoken in references.items():
        if row in numbers:
            extraction.mentions.extend(Mention(numbers[row], *one) for one in spoken)
    return numbers


def _links(document: Document) -> tuple[dict[int, int], dict[int, list[tuple[int, int, int]]]]:
    """Return the part before by part that continues it, and places that refer to an element."""
    firsts: dict[int, int] = {}
    references: defaultdict[int, list[tuple[int, int, int]]] = defaultdict(list)
    links = document.links
    for source, target, kind, words in zip(
        links.source.tolist(), links.target.tolist(), links.kind.tolist(), links.text, strict=True
    ):
        if kind == LinkKind.CONTINUES:
            firsts[source] = target
        elif kind == LinkKind.REFERS_TO and words:
            start = document.blocks.text[source].find(words)
            references[target].append((source, start, start + len(words) if start >= 0 else -1))
    return firsts, references


def _add(blocks: BlockTable, extraction: EntityExtraction, row: int, captions: list[int], place: int) -> int:
    """Add one element: named by its caption, else by what it shows and where it stands."""
    type_ = _TYPES[blocks.kind_of(row)]
    caption = on_one_line(" ".join(blocks.text[at] for at in captions))
    name = _first_sentences(caption) if caption else _unnamed(blocks, row, type_, place)
    number = extraction.name(name, type_, caption or _shown(blocks, row), element=row)
    for at in captions:
        text = blocks.text[at]
        is_verbatim = text.startswith(name)
        extraction.mentions.append(Mention(number, at, *((0, len(name)) if is_verbatim else (-1, -1))))
    return number


def _first_sentences(caption: str) -> str:
    """Return a caption's first sentence with its label: as many sentences as give more than a label."""
    stop = 0
    for _, end in sentence_spans(caption):
        stop = end
        if stop > 20:
            break
    return caption[: min(stop, _LONGEST_NAME)].strip().rstrip(".")


def _unnamed(blocks: BlockTable, row: int, type_: str, place: int) -> str:
    section = blocks.text[int(blocks.parent[row])] if blocks.parent[row] >= 0 else ""
    where = f"page {int(blocks.page[row])}" + (f" ({place})" if place > 1 else "")
    title = on_one_line(section)[: _LONGEST_NAME - 30]
    return f"{type_.capitalize()} on {where}: {title}" if title else f"{type_.capitalize()} on {where}"


def _shown(blocks: BlockTable, row: int) -> str:
    if blocks.kind_of(row) != Kind.TABLE:
        return on_one_line(blocks.text[row])[:200]
    headers = [header for header in Grid.from_json(blocks.grid[row]).headers() if header]
    return f"Columns: {'; '.join(headers)}"[:200] if headers else ""


def _add_headers(blocks: BlockTable, extraction: EntityExtraction, row: int, table: int) -> None:
    text = blocks.text[row]
    for at, header in enumerate(dict.fromkeys(_headers(Grid.from_json(blocks.grid[row])))):
        if at >= 2 * _MOST_HEADERS:
            break
        number = extraction.name(header, LABEL)
        start = text.find(header)
        stop = start + len(header) if start >= 0 else -1
        extraction.mentions.append(Mention(number, row, start, stop))
        extraction.statements.append(Statement(number, table, CONTAINED_IN, row, 1.0))


def _headers(grid: Grid) -> Iterator[str]:
    """Yield what names columns and rows: words, not numbers or long texts."""
    columns = [text for text in grid.headers() if text][:_MOST_HEADERS]
    rows = [texts[0] for texts in grid.rows()[grid.header_rows :] if texts and texts[0]]
    for text in [*columns, *rows[:_MOST_HEADERS]]:
        header = _NOTE.sub("", on_one_line(text)).strip(" :.|$%·•-–—#*,;")
        header = header[1:-1] if header[:1] == "(" and header[-1:] == ")" and header.count("(") == 1 else header
        if 2 < len(header) <= _LONGEST_HEADER and header.lower() not in _BLANK and _is_worded(header):
            yield header


def _is_worded(header: str) -> bool:
    """Return whether a header is words, at most one in three a number or mark."""
    words = header.split()
    return 3 * sum(1 for word in words if _LETTERS.search(word)) > 2 * len(words)


_TERMS_A_PAGE = 8
_TERMS_AT_LEAST = 60
_LONGEST = 220
_DEFINES = re.compile(
    r"\s*(?:\([^)]{1,40}\)\s*)?,?\s*(?:(?:is|are|was|were)\s+(?:an?|the|one|defined)\b|means\b|refers? to\b|denotes?\b)"
)
_PROSE = frozenset({Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FOOTNOTE})
_REACH = 6
"""How many names further in a sentence a name is still related to."""
_IN_CELL = 0.5
"""Weight of what is named inside a table, where its headers have 1."""
_LONGEST_BETWEEN = 60


def extract(document: Document) -> EntityExtraction:
    """Return what the rules find in a document."""
    blocks = blocks_as_words(document)
    extraction = EntityExtraction()
    elements = add_elements(document, extraction)
    extraction.acronyms.extend(acronyms(block.text for block in blocks if not block.apart))
    gazetteer = Gazetteer(_known(len(document.pages), blocks, extraction))
    for block in blocks:
        _add_mentions(block, gazetteer, extraction)
    add_meetings(blocks, elements, extraction)
    add_descriptions({block.row: block for block in blocks}, extraction)
    return extraction


def _known(pages: int, blocks: Sequence[BlockWords], extraction: EntityExtraction) -> dict[Forms, KnownWords]:
    """Return the runs of words that are entities of the document, and what they are."""
    ranked = ranked_terms(blocks, _TERMS_AT_LEAST + _TERMS_A_PAGE * pages)
    terms = [*ranked, *_header_terms(extraction), *_title_terms(blocks)]
    known = {forms: KnownWords(TERM) for forms in terms}
    for forms, name in _capitalised(blocks):
        type_ = type_of(name)
        if forms not in known or type_ != NAME:
            letters = "" if forms in known else "marked" if len(forms) == 1 and is_marked(name) else "capital"
            known[forms] = KnownWords(type_, letters)
    for short, long in extraction.acronyms:
        known[forms_of(short)] = KnownWords(NAME, "marked")
        known[forms_of(long)] = KnownWords(type_of(long) if is_capital(long) else TERM)
    known.pop((), None)
    return known


def _header_terms(extraction: EntityExtraction) -> Iterator[Forms]:
    """Yield the table headers that are terms of the document wherever they stand: two to four words that say much."""
    for named in extraction.names:
        if named.type == LABEL and _is_term(named.name):
            yield forms_of(named.name)


def _title_terms(blocks: Sequence[BlockWords]) -> Iterator[Forms]:
    """Yield the titles of sections that are terms, without their numbers: what a section is about is an entity."""
    for block in blocks:
        title = _NUMBERING.sub("", block.text.strip()) if block.kind == Kind.HEADING and not block.apart else ""
        if _is_term(title):
            yield forms_of(title)


def _is_term(name: str) -> bool:
    """Return whether these are two to four words that say much and belong together."""
    words = [token.lower() for token in tokens(name)]
    return 1 < len(words) <= 4 and not any(map(breaks, words)) and may_end(words[-1])


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
            written[tuple(block.forms[first:stop])][on_one_line(text)] += 1
    for forms, texts in written.items():
        yield forms, texts.most_common(1)[0][0]


def _add_mentions(block: BlockWords, gazetteer: Gazetteer, extraction: EntityExtraction) -> None:
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
        number = extraction.name(on_one_line(block.text[start:stop]), type_)
        unit = block.units[max(0, bisect.bisect_right(block.starts, start) - 1)] if block.units else -1
        extraction.mentions.append(Mention(number, block.row, start, stop, unit))


def add_descriptions(words: Mapping[int, BlockWords], extraction: EntityExtraction) -> None:
    """Give every name of running text without a description a sentence of the document."""
    chosen: dict[int, tuple[int, Mention]] = {}
    for mention in extraction.mentions:
        block = words.get(mention.block)
        named = extraction.names[mention.name]
        if block is None or mention.start < 0 or named.description or named.type in ELEMENTS or named.type == DATE:
            continue
        if block.kind not in _PROSE or block.apart:
            continue
        rank = 0 if _DEFINES.match(block.text, mention.stop) else 1
        if mention.name not in chosen or rank < chosen[mention.name][0]:
            chosen[mention.name] = (rank, mention)
    for number, (_, mention) in chosen.items():
        extraction.names[number].description = _sentence(words[mention.block], mention)


def _sentence(block: BlockWords, mention: Mention) -> str:
    """Return the sentence of a mention; of one too long, the part around the mention."""
    inside = [at for at, unit in enumerate(block.units) if unit == mention.unit]
    if not inside:
        return ""
    start, stop = block.starts[inside[0]], block.stops[inside[-1]]
    if stop - start > _LONGEST:
        start = max(start, mention.start - _LONGEST // 3)
        stop = min(stop, start + _LONGEST)
        start = block.text.find(" ", start, mention.start) + 1 if start > block.starts[inside[0]] else start
        stop = max(mention.stop, block.text.rfind(" ", start, stop))
    return on_one_line(block.text[start:stop])


def add_meetings(blocks: Iterable[BlockWords], elements: Mapping[int, int], extraction: EntityExtraction) -> None:
    """Add relations between names that are mentioned together; `elements` gives the name number of element rows."""
    words = {block.row: block for block in blocks if not block.apart}
    met = [one for one in extraction.mentions if one.unit >= 0 and one.block in words]
    known = {(one.source, one.target, one.block) for one in extraction.statements if one.type == CONTAINED_IN}
    for row, mentions in groupby(met, lambda one: one.block):
        block = words[row]
        if block.kind == Kind.TABLE and row in elements:
            extraction.statements.extend(_contained(elements[row], mentions, known))
            continue
        for _, together in groupby(mentions, lambda one: one.unit):
            ordered = sorted(together, key=lambda one: one.start)
            extraction.statements.extend(_pairs(block, extraction, ordered))


def _contained(table: int, mentions: Iterable[Mention], known: Set[tuple[int, int, int]]) -> Iterator[Statement]:
    """Yield that names stand in a table; `known` are the (name, table, block) that are said already."""
    for name, block in dict.fromkeys((one.name, one.block) for one in mentions):
        if (name, table, block) not in known:
            yield Statement(name, table, CONTAINED_IN, block, _IN_CELL)


def _pairs(block: BlockWords, extraction: EntityExtraction, mentions: list[Mention]) -> Iterator[Statement]:
    """Yield each two names within reach of each other once; two quantities say nothing of each other."""
    seen: set[tuple[int, int]] = set()
    types = [extraction.names[one.name].type for one in mentions]
    for at, left in enumerate(mentions):
        for step, right in enumerate(mentions[at + 1 : at + 1 + _REACH], start=1):
            pair = (left.name, right.name)
            if left.name == right.name or pair in seen or types[at] == types[at + step] == QUANTITY:
                continue
            seen.add(pair)
            between = block.text[left.stop : right.start] if step == 1 else ""
            yield Statement(*pair, CO_OCCURS, block.row, 0.0, _said(between))


def _said(between: str) -> str:
    """Return the words between two names when they are few enough to say how they are related."""
    plain = on_one_line(between)
    return plain if 2 < len(plain) <= _LONGEST_BETWEEN and any(map(str.isalpha, plain)) else ""
