"""What stands in a sentence where the gap of a question is: before its verb, after it, or behind "by".

"Who founded the mill at Arn?" is answered by "The mill at Arn was founded by Ada Lee", and by no other name in that
sentence. Where a sentence says all that such a question says, what stands in the gap answers, in small letters too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from octavo.question import Expects, Gap, Question, Slot
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze, is_function_word

_TOKEN = lazy_regex(r"[^\W_]+(?:[-'’.&/][^\W_]+)*|\S")
_BE = frozenset(("is", "are", "was", "were", "be", "been", "being"))
_BETWEEN = _BE | frozenset(
    ("has", "have", "had", "will", "would", "can", "could", "may", "might", "also", "later", "first", "then")
)
"""What may stand between a phrase and its verb, adverbs in "ly" aside."""
_OPENS = frozenset(
    ("the", "a", "an", "its", "his", "her", "their", "our", "your", "this", "that", "these", "those", "some", "any")
)
_WITHIN_NAMES = frozenset(("of", "the", "and", "for", "&", "de", "von", "van", "der"))
_TIES = frozenset(("of", "for", "by", "with", "to", "and", "or", "&", "’", "'", "-"))
"""What before or after a phrase says that it goes on there."""
_OTHER_TIES = frozenset(("in", "at", "on", "from", "under", "over", "between", "against", "that", "which", "who"))
"""What goes on with a phrase in small letters, and mostly not with a name."""
_MOST_WORDS = 7
_MOST_BEFORE_BY = 5
_MOST_BEFORE_PREPOSITION = 3


@dataclasses.dataclass(frozen=True, slots=True)
class _Token:
    text: str
    start: int
    stop: int

    @property
    def lower(self) -> str:
        return self.text.lower()

    @property
    def is_content(self) -> bool:
        return self.text[0].isalnum() and not is_function_word(self.lower)

    @property
    def is_name(self) -> bool:
        return self.text[0].isupper() or self.text[0].isdigit()


def in_gap(gap: Gap, text: str) -> set[tuple[int, int]]:
    """Return characters [start, stop) of what stands in a gap in a sentence, for each mention of its verb."""
    tokens = [_Token(found.group(), *found.span()) for found in _TOKEN.finditer(text)]
    spans = (_at_verb(gap, tokens, at) for at, token in enumerate(tokens) if gap.verb in analyze(token.text))
    return {span for span in spans if span is not None}


def filling(question: Question, gap: Gap, text: str) -> tuple[int, int] | None:
    """Return the one stretch of a sentence that fills a gap, where it says all else that the question says."""
    if not gap.told <= set(analyze(text)):
        return None
    spans = in_gap(gap, text)
    if len(spans) != 1:
        return None
    start, stop = spans.pop()
    phrase = text[start:stop]
    terms = set(analyze(phrase))
    if not terms or terms <= question.asked or terms & (gap.told - {*gap.noun}) or any(map(str.isdigit, phrase)):
        return None
    return None if question.expects is Expects.PERSON and not phrase[:1].isupper() else (start, stop)


def _at_verb(gap: Gap, tokens: Sequence[_Token], at: int) -> tuple[int, int] | None:
    """Return what stands in the gap beside one mention of its verb; None where nothing is told from its words."""
    before = at - 1
    while before >= 0 and (tokens[before].lower in _BETWEEN or tokens[before].lower.endswith("ly")):
        before -= 1
    by = _by(tokens, at)
    is_passive = by is not None or not _BE.isdisjoint(token.lower for token in tokens[before + 1 : at])
    if gap.slot is Slot.UNDERGOES:
        return _before(tokens, before) if is_passive else _after(tokens, at + 1)
    if gap.slot is Slot.AFTER:
        start = _behind(tokens, at, gap.preposition)
        return None if is_passive or start is None else _after(tokens, start)
    if is_passive:
        return _after(tokens, by + 1) if by is not None else None
    return _before(tokens, before)


def _by(tokens: Sequence[_Token], at: int) -> int | None:
    """Return where "by" stands behind a verb, within a few words and before any sign."""
    for place in range(at + 1, min(at + 1 + _MOST_BEFORE_BY, len(tokens))):
        if tokens[place].text == "by":
            return place
        if not tokens[place].text[0].isalnum():
            return None
    return None


def _behind(tokens: Sequence[_Token], at: int, preposition: str) -> int | None:
    if not preposition:
        return at + 1
    near = range(at + 1, min(at + 1 + _MOST_BEFORE_PREPOSITION, len(tokens)))
    return next((place + 1 for place in near if tokens[place].text == preposition), None)


def _before(tokens: Sequence[_Token], last: int) -> tuple[int, int] | None:
    """Return the phrase that ends with a token, a relative pronoun behind it aside."""
    if last >= 0 and tokens[last].text in ("who", "which", "that"):
        last -= 1 + (last > 0 and tokens[last - 1].text == ",")
    if last < 0 or not tokens[last].is_content:
        return None
    first = last
    while first > 0 and (tokens[first - 1].is_content or _joins(tokens, first - 1)):
        first -= 1
    while tokens[first].lower in _WITHIN_NAMES | _OPENS:
        first += 1
    is_whole = first == 0 or tokens[first - 1].lower not in _TIES
    return _told(tokens, first, last) if is_whole else None


def _after(tokens: Sequence[_Token], first: int) -> tuple[int, int] | None:
    """Return the phrase that begins with a token, its article aside."""
    while first < len(tokens) and tokens[first].lower in _OPENS:
        first += 1
    if first >= len(tokens) or not tokens[first].is_content:
        return None
    last = first
    while last + 1 < len(tokens) and (tokens[last + 1].is_content or _joins(tokens, last + 1)):
        last += 1
    while not tokens[last].is_content:
        last -= 1
    return _told(tokens, first, last) if _ends(tokens, last + 1) else None


def _ends(tokens: Sequence[_Token], at: int) -> bool:
    """Return whether a phrase ends before a token: it does not go on with "of ...", as a list or with a hyphen."""
    if at >= len(tokens):
        return True
    rest = [token.lower for token in tokens[at:]]
    stop = next((place for place, word in enumerate(rest) if word in (";", ":") or (word == "." and place)), len(rest))
    is_list = rest[0] == "," and not {"and", "or"}.isdisjoint(rest[:stop])
    goes_on = rest[0] in _TIES or (rest[0] in _OTHER_TIES and not tokens[at - 1].is_name)
    return not goes_on and not is_list


def _joins(tokens: Sequence[_Token], at: int) -> bool:
    """Return whether a small word stands within a name: "Bank of the North"."""
    if tokens[at].text not in _WITHIN_NAMES:
        return False
    before = next((token for token in reversed(tokens[:at]) if token.text not in _WITHIN_NAMES), None)
    after = next((token for token in tokens[at + 1 :] if token.text not in _WITHIN_NAMES), None)
    return before is not None and after is not None and before.is_name and after.is_name


def _told(tokens: Sequence[_Token], first: int, last: int) -> tuple[int, int] | None:
    return (tokens[first].start, tokens[last].stop) if last - first < _MOST_WORDS else None
