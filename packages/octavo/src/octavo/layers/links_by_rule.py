"""Links by rule: of nesting and order, of titles that a text calls, of bare words like "as shown below".

A title counts after words that announce one; in quotation marks also where such a word stands some way before. A single
word counts only in quotation marks or beside the word "section". Of several sections with one title the nearest within
the same sections is meant; a heading without anything under it, as in a list of contents, is none.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from octavo.layers.descriptions import ELEMENTS
from octavo_documents.document import FURNITURE, BlockTable, Document, Kind, LinkKind, LinkOrigin, LinkTable, TextColumn
from octavo_documents.structuring.markers import numbering
from octavo_documents.text.analyzer import analyze, sentence_spans
from octavo_documents.text.lines import on_one_line

_LONGEST_TEXT = 200
_MARK = re.compile(r"\s*[-–—:,]?\s*[(\[]?\s*\b(?:continued|cont['’]d|cont\.|concluded)(?=\W|$)[\s.)\]]*", re.IGNORECASE)
_SURE_CONTINUED = 0.9
_SHOWN = r"shown|illustrated|depicted|given|listed|presented|summari[sz]ed|displayed|tabulated|set\s+out|set\s+forth"
_SAID = (
    r"described|discussed|explained|mentioned|noted|defined|stated|outlined|introduced|indicated|specified|"
    r"referred\s+to"
)
_BARE = re.compile(
    rf"\b(?:(?:(?P<shown>{_SHOWN})|(?P<said>{_SAID})|(?P<see>see|refer\s+to))\s+(?:in\s+(?:more\s+)?detail\s+)?"
    r"(?P<way>above|below|earlier|previously|later)\b"
    r"|(?:shown|given|listed|summari[sz]ed|presented)\s+(?P<follow>as\s+follows)\b)",
    re.IGNORECASE,
)
_MORE = re.compile(r"\s+(?:in|on|at|the|zero|average|\d)\b", re.IGNORECASE)
"""What makes of "shown below" another thing: "listed below in Table 3" names its target, "below zero" none."""
_NAMED = re.compile(r"[\"”»][,.]?\s+$")
"""What comes before words that only say where a title in quotation marks stands."""
_TEXTS = (Kind.PARAGRAPH, Kind.LIST_ITEM, Kind.FORMULA, Kind.CODE)
_BACK = ("above", "earlier", "previously")
_REACH = 60
"""Blocks looked at in one direction."""
_READ = 1500
"""Characters of a text that are compared."""
_LEAST_SHARED = 3
_SURE_SHOWN = 0.7
_SURE_SAID = 0.5
_POINTING = ("above", "below", "earlier", "previously", "later", "as follows")
_ANNOUNCED = re.compile(
    r"(?:\b(?:[Ss]ee(?:\s+also)?|[Rr]efer(?:s|red)?\s+to|(?:described|discussed|included|contained|presented|explained|"
    r"set\s+forth|listed|found|given|shown|detailed|reported|outlined|provided|captioned|entitled|titled|headed|called|"
    r"section|chapter|part|heading|caption|Appendix|Annex)(?:\s+(?:in|under|on|at|entitled|titled|called|headed))?|"
    r"[Uu]nder|[Ii]n)"
    r"(?:\s+(?:the|our))?(?:\s+(?:[Ss]ection|[Cc]hapter|[Pp]art|heading|caption)s?)?(?:\s+(?:on|entitled|titled|called|headed))?"
    r"[\s,:–—-]+)(?P<quote>[\"“”‘'«])?(?=[A-Z])"
)
_CALLING = re.compile(
    r"\b(?:see|refer|sections?|chapters?|appendix|annex|headings?|captions?|items?|parts?|(?:en)?titled|described|discussed)\b",
    re.IGNORECASE,
)
"""What makes of words in quotation marks a title."""
_CALLED_WITHIN = 160
_LEADER = re.compile(r"(?:[.·…]\s?){4,}")
_QUOTED = re.compile(r"[\"“«](?P<title>[A-Z][^\"“”«»\n]{3,120}?)[,.]?[\"”»]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_PART_WORD = re.compile(r"[\s\"”’'»]*\b(?:[Ss]ections?|[Cc]hapters?|[Aa]ppendi(?:x|ces)|[Aa]nnex)\b")
_CUES = (
    "see",
    "refer",
    "section",
    "chapter",
    "entitled",
    "titled",
    "heading",
    "caption",
    "appendix",
    "annex",
    "“",
    '"',
)
_ONLY_IN = re.compile(r"[Ii]n(?:\s+(?:the|our))?[\s,:–—-]+")
"""What comes before names as often as before titles: "in Hamilton County"."""
_LEAST_WORDS_AFTER_IN = 3
_MOST_WORDS = 14
_MOST_SAME = 6
"""A title that more sections bear says nothing of which is meant."""
_SURE = 0.9
_AMBIGUOUS = 0.6


@dataclasses.dataclass(frozen=True, slots=True)
class Link:
    """A link from block row to block row; `text` is the evidence."""

    source: int
    target: int
    kind: LinkKind
    weight: float
    text: str = ""
    origin: LinkOrigin = LinkOrigin.RULE


class FoundLink:
    """The links of a document, those of its structure first."""

    def __init__(self, document: Document) -> None:
        self._own = document.links
        kinds = map(LinkKind, self._own.kind.tolist())
        self._known = set(zip(self._own.source.tolist(), self._own.target.tolist(), kinds, strict=True))
        self._added: list[Link] = []

    def add(self, link: Link) -> None:
        """Take a link unless it leads nowhere or its blocks are linked so already."""
        key = (link.source, link.target, link.kind)
        if link.source != link.target and key not in self._known:
            self._known.add(key)
            self._added.append(link)

    def table(self) -> LinkTable:
        """Return all links, those added ordered by source, kind and target."""
        added = sorted(self._added, key=lambda link: (link.source, link.kind, link.target))
        table = LinkTable(
            source=np.array([link.source for link in added], np.int32),
            target=np.array([link.target for link in added], np.int32),
            kind=np.array([link.kind for link in added], np.uint8),
            weight=np.array([link.weight for link in added], np.float32),
            text=TextColumn.of(on_one_line(link.text)[:_LONGEST_TEXT] for link in added),
            origin=np.array([link.origin for link in added], np.uint8),
        )
        return LinkTable.join([self._own, table], {})


def structural(document: Document) -> Iterator[Link]:
    """Yield the links between blocks that are no page furniture."""
    blocks = document.blocks
    rows: list[int] = np.flatnonzero(~np.isin(blocks.kind, FURNITURE)).tolist()
    for row in rows:
        if blocks.parent[row] >= 0:
            yield Link(row, int(blocks.parent[row]), LinkKind.PART_OF, 1.0)
    for before, after in itertools.pairwise(rows):
        yield Link(before, after, LinkKind.NEXT, 1.0)
    yield from _continued(blocks, _shown_by(document))


def _continued(blocks: BlockTable, shown_by: dict[int, int]) -> Iterator[Link]:
    """Yield what a heading or caption with "(continued)" goes on from: the last of the same words before it."""
    last: dict[tuple[int, str], int] = {}
    for row in np.flatnonzero(np.isin(blocks.kind, (Kind.HEADING, Kind.CAPTION))).tolist():
        text = on_one_line(blocks.text[row])
        found = _MARK.search(text)
        plain = (text[: found.start()] if found else text).casefold().rstrip(" .:")
        key = (blocks.kind_of(row), plain)
        if found and key in last:
            before = last[key]
            yield Link(shown_by.get(row, row), shown_by.get(before, before), LinkKind.CONTINUES, _SURE_CONTINUED, text)
        if plain:
            last[key] = row


def _shown_by(document: Document) -> dict[int, int]:
    """Return what each caption belongs to."""
    links = document.links
    is_caption = links.kind == LinkKind.CAPTION_OF
    return dict(zip(links.source[is_caption].tolist(), links.target[is_caption].tolist(), strict=True))


class _Pointed(NamedTuple):
    """Words that point up or down (`step` -1 or 1), to something shown or something said."""

    step: int
    is_shown: bool
    text: str
    sentence: str


def nearby(blocks: BlockTable) -> Iterator[Link]:
    """Yield the links that such words make."""
    for row, (kind, text) in enumerate(zip(blocks.kind.tolist(), blocks.text, strict=True)):
        if kind not in _TEXTS and kind not in (Kind.CAPTION, Kind.FOOTNOTE):
            continue
        lowered = text.lower()
        if any(word in lowered for word in _POINTING):
            yield from _pointing_links(blocks, row, text)


def _pointing_links(blocks: BlockTable, row: int, text: str) -> Iterator[Link]:
    for pointed in _pointed(text):
        shown = _nearest_element(blocks, row, pointed.step) if pointed.is_shown else None
        if shown is not None:
            yield Link(row, shown, LinkKind.REFERS_TO, _SURE_SHOWN, pointed.text)
            continue
        said = _most_alike(blocks, row, pointed)
        if said is not None:
            yield Link(row, said, LinkKind.REFERS_TO, _SURE_SAID, pointed.text)


def _pointed(text: str) -> Iterator[_Pointed]:
    sentences = sentence_spans(text)
    for found in _BARE.finditer(text):
        if _MORE.match(text, found.end()) or _NAMED.search(text, max(0, found.start() - 4), found.start()):
            continue
        way = (found["way"] or "below").lower()
        start, stop = next((span for span in sentences if span[0] <= found.start() < span[1]), (0, len(text)))
        is_shown = found["said"] is None
        yield _Pointed(-1 if way in _BACK else 1, is_shown, found.group(), text[start:stop])


def _around(blocks: BlockTable, row: int, step: int) -> Iterator[int]:
    stop = min(len(blocks), row + _REACH) if step > 0 else max(-1, row - _REACH)
    for at in range(row + step, stop, step):
        if blocks.kind_of(at) not in FURNITURE:
            yield at


def _nearest_element(blocks: BlockTable, row: int, step: int) -> int | None:
    """Return the nearest element on this page or the next one in that direction, within the section."""
    for at in _around(blocks, row, step):
        is_far = abs(int(blocks.page[at]) - int(blocks.page[row])) > 1
        if is_far or blocks.kind_of(at) == Kind.HEADING:
            return None
        if blocks.kind_of(at) in ELEMENTS:
            return at
    return None


def _most_alike(blocks: BlockTable, row: int, pointed: _Pointed) -> int | None:
    """Return the text in that direction that has most terms of the sentence, the nearest of equals."""
    asked = _terms(pointed.sentence) - _terms(pointed.text)
    best, most = None, _LEAST_SHARED - 1
    for at in _around(blocks, row, pointed.step):
        if blocks.kind_of(at) not in (*_TEXTS, Kind.HEADING, Kind.TABLE):
            continue
        shared = len(asked & _terms(blocks.text[at][:_READ]))
        if shared > most:
            best, most = at, shared
    return best


@lru_cache(maxsize=4 * _REACH)
def _terms(text: str) -> frozenset[str]:
    return frozenset(analyze(text))


class Titles:
    """The sections of a document by the words of their titles."""

    def __init__(self, blocks: BlockTable) -> None:
        self._blocks = blocks
        self._rows: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        headings = blocks.headings()
        for row in headings[blocks.end[headings] > headings + 1].tolist():
            text = blocks.text[row]
            number = numbering(text)
            plain = number.title if number is not None and number.title.strip() else text
            for words in {_words(plain), _words(text)}:
                if words and len(words) <= _MOST_WORDS:
                    self._rows[words].append(row)
        self._longest = max((len(words) for words in self._rows), default=0)

    def links(self) -> Iterator[Link]:
        """Yield what the blocks that are no headings call by title."""
        if not self._rows:
            return
        for row, (kind, text) in enumerate(zip(self._blocks.kind.tolist(), self._blocks.text, strict=True)):
            if kind in FURNITURE or kind in (Kind.HEADING, Kind.TITLE):
                continue
            lowered = text.lower()
            if any(cue in lowered for cue in _CUES) and not _LEADER.search(text):
                yield from self._called(row, text)

    def _called(self, row: int, text: str) -> Iterator[Link]:
        for found in _ANNOUNCED.finditer(text):
            title = self._longest_title(text, found.end(), is_quoted=found["quote"] is not None, cue=found.group())
            if title:
                yield from self._link(row, *title)
        for found in _QUOTED.finditer(text):
            words = _words(found["title"])
            if words not in self._rows:
                continue
            is_called = len(words) > 1 and _CALLING.search(text, max(0, found.start() - _CALLED_WITHIN), found.start())
            if is_called or _PART_WORD.match(text, found.end()):
                yield from self._link(row, words, found.group())

    def _longest_title(self, text: str, start: int, *, is_quoted: bool, cue: str) -> tuple[tuple[str, ...], str] | None:
        """Return the longest title that begins at a place of a text, and its words there."""
        spans = [found.span() for _, found in zip(range(self._longest), _WORD.finditer(text, start), strict=False)]
        words = tuple(text[first:last].casefold() for first, last in spans)
        for count in range(len(words), 0, -1):
            if words[:count] not in self._rows:
                continue
            last = spans[count - 1][1]
            is_named = bool(_PART_WORD.match(text, last)) or re.search(r"[Ss]ection|[Cc]hapter|titled|head", cue)
            is_name = not (is_quoted or is_named) and _is_like_a_name(words[:count], cue)
            if not is_name and self._is_meant(text[start:last], count, is_quoted=is_quoted, is_named=bool(is_named)):
                return words[:count], text[start:last]
        return None

    @staticmethod
    def _is_meant(written: str, count: int, *, is_quoted: bool, is_named: bool) -> bool:
        """Return whether words are a title, and do not only look so: capitals throughout, or quotation marks."""
        if is_quoted or is_named:
            return True
        long_words = [word for word in _WORD.findall(written) if len(word) > 3]
        return count > 1 and len(long_words) > 1 and all(word[0].isupper() for word in long_words)

    def _link(self, row: int, words: tuple[str, ...], written: str) -> Iterator[Link]:
        above = self._blocks.ancestors(row)
        rows = [at for at in self._rows[words] if at != row and at not in above]
        if not rows or len(self._rows[words]) > _MOST_SAME:
            return
        target = min(rows, key=lambda at: (-self._shared(at, above), abs(at - row)))
        yield Link(row, target, LinkKind.REFERS_TO, _SURE if len(rows) == 1 else _AMBIGUOUS, written)

    def _shared(self, row: int, above: list[int]) -> int:
        return len(set(self._blocks.ancestors(row)) & set(above))


def _is_like_a_name(words: tuple[str, ...], cue: str) -> bool:
    """Whether a title is as short as a name after nothing but "in": a longer one and one with a number are none."""
    has_number = any(word.isdigit() for word in words)
    return bool(_ONLY_IN.fullmatch(cue)) and len(words) < _LEAST_WORDS_AFTER_IN and not has_number


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in _WORD.findall(text))
