"""The passages layer: runs of blocks inside one page and one section, of about 200 tokens; and the terms layer.

A heading opens the passage of its section. Short neighbours on a page are joined while one section holds them both;
blocks too long for a passage are split after lines and sentences, tables between rows. Page furniture is left out.
The terms are an inverted index over passages, for lexical search inside a view.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from octavo.evidence import PassageTable, PostingTable, TermTable
from octavo.layers.base import Layer, LayerInputs
from octavo.models.bert import count_tokens, token_spans
from octavo_documents.document import FURNITURE, BlockTable, Document, Kind, Mask, TextColumn
from octavo_documents.document.columns import pack
from octavo_documents.document.grid import Grid
from octavo_documents.text.analyzer import ANALYZER_VERSION, STEMMER, Span, analyze, line_spans, sentence_spans
from octavo_documents.text.language_identification import runs_of
from octavo_documents.text.languages import ENGLISH

PASSAGE_TOKENS = 200
"""The most tokens in a passage's text; with its prefix it stays within what the embedding model sees (256)."""
SHORT_TOKENS = 60
"""A passage with fewer is joined to a neighbour."""
_LEADERS = re.compile(r"(?:[.·•…_]\s?){4,}")
_LONGEST_SAID = 900
"""Characters that the embedding model surely sees."""
_LONGEST_HEADER = 200
"""Characters of a table's first row that are repeated for its later parts."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A passage in the making; `section` is the row of the heading it stands under, -1 at the root.

    A part of a block has its characters `[char_start, char_stop)`; whole blocks have (0, 0).
    """

    start: int
    stop: int
    tokens: int
    section: int
    char_start: int = 0
    char_stop: int = 0
    header: str = ""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `PassageTable` of a document."""
    return passages_of(inputs.document).to_bytes()


def passages_of(document: Document) -> PassageTable:
    """Return the passages in reading order; `char_start` and `char_stop` are 0 for passages of whole blocks."""
    blocks = document.blocks
    is_content = _has_content(blocks)
    texts = list(blocks.text)
    lengths = count_tokens([without_leaders(text) for text in texts])
    pieces = [piece for rows in _runs(blocks, is_content) for piece in _pieces(blocks, texts, lengths, rows)]
    joined = _join_short(blocks, pieces)
    paths = {section: _path(blocks, section) for section in {piece.section for piece in joined}}
    return PassageTable(
        text=TextColumn.of(_text(texts, is_content, piece) for piece in joined),
        heading=TextColumn.of(" > ".join(filter(None, (paths[piece.section], piece.header))) for piece in joined),
        start=np.array([piece.start for piece in joined], np.int32),
        stop=np.array([piece.stop for piece in joined], np.int32),
        page=blocks.page[[piece.start for piece in joined]] if joined else np.zeros(0, np.int32),
        char_start=np.array([piece.char_start for piece in joined], np.int32),
        char_stop=np.array([piece.char_stop for piece in joined], np.int32),
    )


def search_texts(document: Document, passages: PassageTable) -> list[str]:
    """Return what each passage is embedded as: document title and heading path on the first line, then the text.

    A heading that already opens the text is not said twice. The rows of a table, where they fit, are said with their
    headers ("Site: Mast; Built: 2010"), so that each is understood alone.
    """
    title = document.metadata.title.strip()
    texts = [_said(document.blocks, passages, at) for at in range(len(passages))]
    pairs = zip(passages.heading, texts, strict=True)
    return [without_leaders(_prefixed(title, heading, text)) for heading, text in pairs]


def _said(blocks: BlockTable, passages: PassageTable, at: int) -> str:
    """Return a passage's text, its tables row by row with headers unless that makes it too long to be seen whole."""
    text = passages.text[at]
    rows = [row for row in range(int(passages.start[at]), int(passages.stop[at])) if blocks.grid[row]]
    for row in rows if not passages.char_stop[at] else ():
        grid = Grid.from_json(blocks.grid[row])
        printed = blocks.text[row] if blocks.kind_of(row) == Kind.TABLE else grid.text()
        text = text.replace(printed, "\n".join(filter(None, grid.linearised())), 1) if printed else text
    return text if len(text) <= _LONGEST_SAID else passages.text[at]


def _prefixed(title: str, heading: str, text: str) -> str:
    path = heading.split(" > ") if heading else []
    if path and text.startswith(path[-1]):
        path.pop()
    if title and title not in path and not text.startswith(title):
        path.insert(0, title)
    return f"{' > '.join(path)}\n{text}" if path else text


def without_leaders(text: str) -> str:
    """Return the text with the dots or underscores that lead the eye across a line left out."""
    return _LEADERS.sub(" ", text)


def _has_content(blocks: BlockTable) -> Mask:
    return ~np.isin(blocks.kind, FURNITURE) & (blocks.text.lengths() > 0)


def _runs(blocks: BlockTable, is_content: Mask) -> Iterator[list[int]]:
    """Yield the rows with content of one page and one section, run after run."""
    rows = np.flatnonzero(is_content)
    if not len(rows):
        return
    sections = np.where(blocks.kind == Kind.HEADING, np.arange(len(blocks)), blocks.parent)[rows]
    breaks = np.flatnonzero((np.diff(blocks.page[rows]) != 0) | (np.diff(sections) != 0)) + 1
    for run in np.split(rows, breaks):
        yield run.tolist()


def _pieces(blocks: BlockTable, texts: Sequence[str], lengths: Sequence[int], rows: list[int]) -> Iterator[_Piece]:
    """Yield the pieces of one run: blocks gathered up to the limit, long blocks by themselves in parts."""
    section = rows[0] if blocks.kind_of(rows[0]) == Kind.HEADING else int(blocks.parent[rows[0]])
    waiting: list[int] = []
    for row in rows:
        if lengths[row] <= PASSAGE_TOKENS:
            waiting.append(row)
            continue
        yield from _gathered(blocks, lengths, waiting, section)
        waiting = []
        yield from _parts(blocks, texts, row, section)
    yield from _gathered(blocks, lengths, waiting, section)


def _gathered(blocks: BlockTable, lengths: Sequence[int], rows: list[int], section: int) -> Iterator[_Piece]:
    for first, last in group([lengths[row] for row in rows], PASSAGE_TOKENS):
        members = rows[first : last + 1]
        tokens = sum(lengths[row] for row in members)
        yield _Piece(members[0], members[-1] + 1, tokens, section, header=_carried(blocks, members))


def _carried(blocks: BlockTable, rows: Sequence[int]) -> str:
    """Return the header of the first table among blocks that goes on from a page before and prints none itself."""
    for row in rows:
        if blocks.kind_of(row) == Kind.TABLE and (carried := Grid.from_json(blocks.grid[row]).carried):
            return " | ".join(carried)[:_LONGEST_HEADER].rstrip(" |")
    return ""


def _parts(blocks: BlockTable, texts: Sequence[str], row: int, section: int) -> Iterator[_Piece]:
    """Yield the parts of a long block, a table's with the header that does not stand in them."""
    text = texts[row]
    is_table = blocks.kind_of(row) == Kind.TABLE
    grid = Grid.from_json(blocks.grid[row]) if is_table else Grid(0, 0, ())
    header = " | ".join(grid.headers()).rstrip(" |") or (text.split("\n", 1)[0] if is_table else "")
    for start, stop in split(text, tokens=PASSAGE_TOKENS, units=line_spans if is_table else sentence_spans):
        is_apart = bool(start or grid.carried)
        yield _Piece(row, row + 1, PASSAGE_TOKENS, section, start, stop, header[:_LONGEST_HEADER] if is_apart else "")


def _join_short(blocks: BlockTable, pieces: Sequence[_Piece]) -> list[_Piece]:
    joined: list[_Piece] = []
    for piece in pieces:
        wider = _joined(blocks, joined[-1], piece) if joined else None
        if wider:
            joined[-1] = wider
        else:
            joined.append(piece)
    return joined


def _joined(blocks: BlockTable, left: _Piece, right: _Piece) -> _Piece | None:
    """Return both as one piece, None when they are not short, not on one page, or no section holds them both."""
    is_part = left.char_stop or right.char_stop
    is_short = min(left.tokens, right.tokens) < SHORT_TOKENS and left.tokens + right.tokens <= PASSAGE_TOKENS
    if is_part or not is_short or blocks.page[left.start] != blocks.page[right.start]:
        return None
    section = _common(blocks, left.section, right.section)
    if section < 0 <= max(left.section, right.section):
        return None
    return _Piece(left.start, right.stop, left.tokens + right.tokens, section, header=left.header or right.header)


def _common(blocks: BlockTable, left: int, right: int) -> int:
    """Return the innermost section that holds both, -1 when only the document does."""
    while left != right:
        if left > right:
            left = int(blocks.parent[left])
        else:
            right = int(blocks.parent[right])
    return left


def _path(blocks: BlockTable, section: int) -> str:
    return " > ".join(blocks.section_path(section)) if section >= 0 else ""


def _text(texts: Sequence[str], is_content: Mask, piece: _Piece) -> str:
    if piece.char_stop:
        return texts[piece.start][piece.char_start : piece.char_stop]
    rows = range(piece.start, piece.stop)
    return "\n".join(texts[row] for row in rows if is_content[row])


PASSAGES = Layer(name="passages", version=3, reads=(), build=build)


def split(text: str, *, tokens: int, units: Callable[[str], list[Span]] = sentence_spans) -> list[Span]:
    """Return spans of at most `tokens` tokens that cover the text, as equal as whole units allow.

    Args:
        text: What to cut.
        tokens: The most tokens in a piece.
        units: Cuts a text where it is best cut; a unit that is too long itself is cut between words.
    """
    spans = [part for span in units(text) for part in _fitting(text, span, tokens)]
    lengths = count_tokens([text[start:stop] for start, stop in spans])
    return [(spans[first][0], spans[last][1]) for first, last in group(lengths, tokens)]


def group(lengths: Sequence[int], most: int) -> list[Span]:
    """Return inclusive (first, last) runs of items, about equal and at most `most` each; a longer item is alone."""
    runs: list[Span] = []
    total = sum(lengths)
    aim = total / max(1, -(-total // most))
    first, filled = 0, 0
    for at, length in enumerate(lengths):
        # A run closes when the item would overfill it, or lies more beyond the even share than within it.
        if at > first and (filled + length > most or filled + length / 2 > aim):
            runs.append((first, at - 1))
            first, filled = at, 0
        filled += length
    if lengths:
        runs.append((first, len(lengths) - 1))
    return runs


def _fitting(text: str, span: Span, tokens: int) -> list[Span]:
    """Return the span, cut before the first of every `tokens` tokens when it has more."""
    start, stop = span
    if stop - start <= tokens:
        return [span]
    pieces = token_spans(text[start:stop])
    cuts = [start]
    for at in range(tokens, len(pieces), tokens):
        cut = start + pieces[at][0]
        # Back to the last space, so that no word is cut, where there is one.
        cuts.append(max(text.rfind(" ", cuts[-1], cut) + 1, cuts[-1] + 1) if " " in text[cuts[-1] : cut] else cut)
    return [(left, right) for left, right in pairwise([*cuts, stop]) if left < right]


def build_terms(inputs: LayerInputs) -> bytes:
    """Return the packed `TermTable` ("terms") and `PostingTable` ("postings"); the header counts the "passages".

    Where any passage is not in English it names the "languages", each with the first passage of a run in it.
    """
    passages = PassageTable.from_bytes(inputs.stored["passages"])
    languages = runs_of(list(passages.text))
    terms, postings = index(count_terms(inputs.document, passages, languages))
    header: dict[str, Any] = {"passages": len(passages)}
    if any(code != ENGLISH for code in languages):
        header["languages"] = [(code, at) for at, code in enumerate(languages) if languages[at - 1 : at] != [code]]
    return pack(terms.arrays("terms") | postings.arrays("postings"), header)


def count_terms(document: Document, passages: PassageTable, languages: Sequence[str]) -> list[Counter[str]]:
    """Return how often each passage holds each term; a term of its heading path or the document's title counts once.

    `languages` are those of the passages.
    """
    counts: list[Counter[str]] = []
    known: dict[tuple[str, str], list[str]] = {}
    for heading, text, code in zip(passages.heading, passages.text, languages, strict=True):
        for over in (heading, document.metadata.title):
            if (over, code) not in known:
                known[over, code] = analyze(over, code)
        counted = Counter(analyze(text, code))
        counted.update({*known[heading, code], *known[document.metadata.title, code]})
        counts.append(counted)
    return counts


def index(counts: list[Counter[str]]) -> tuple[TermTable, PostingTable]:
    """Return the vocabulary and postings of counted passages: terms sorted, each term's passages ascending."""
    vocabulary = sorted({term for counted in counts for term in counted})
    number = {term: at for at, term in enumerate(vocabulary)}
    sizes = [len(counted) for counted in counts]
    term = np.fromiter((number[name] for counted in counts for name in counted), np.int32, sum(sizes))
    count = np.fromiter((times for counted in counts for times in counted.values()), np.int32, sum(sizes))
    passage = np.repeat(np.arange(len(counts), dtype=np.int32), sizes)
    order = np.argsort(term, kind="stable")
    first = np.searchsorted(term[order], np.arange(len(vocabulary) + 1))
    return (
        TermTable(term=TextColumn.of([*vocabulary, ""]), first=first.astype(np.int32)),
        PostingTable(passage=passage[order], count=count[order]),
    )


TERMS = Layer(
    name="terms", version=1 + 1000 * ANALYZER_VERSION, reads=("passages",), build=build_terms, parameters=STEMMER
)
