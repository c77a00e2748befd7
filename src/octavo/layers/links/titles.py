"""Sections that a text calls by their titles: "see Risk Factors", "in the section 'Tides and currents'".

Owns which words call a section and the choice among sections of one title. Knows nothing about numbers of sections.

A title counts after words that announce one; in quotation marks also where such a word stands some way before. A single
word counts only in quotation marks or beside the word "section". Of several sections with one title the nearest within
the same sections is meant; a heading without anything under it, as in a list of contents, is none.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from octavo.document import FURNITURE, BlockTable, Kind, LinkKind
from octavo.layers.links.found import Link
from octavo.structuring.markers import numbering

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
        """Tell a title from words that only look like one: capitals throughout, or quotation marks."""
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
