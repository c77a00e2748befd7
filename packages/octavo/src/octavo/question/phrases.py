"""Parts of a question, told by its small words alone: how it asks, the phrases it names things with, its values.

The closed classes of English (articles, prepositions, auxiliaries, question words) and capitals are all that is known;
what is a verb is guessed by its place and ending. Where that is not enough there is no phrase.
"""

from __future__ import annotations

import dataclasses
import itertools
import re

from octavo_documents.text.analyzer import is_function_word
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.values import Value, ValueKind, values_in

WH = frozenset({"what", "which", "who", "whom", "whose", "when", "where", "why", "how"})
BE = frozenset({"is", "are", "was", "were"})
DO = frozenset({"do", "does", "did"})
AUXILIARIES = (
    BE | DO | frozenset("has have had can could may might must shall should will would cannot".split())  # noqa: SIM905
)
PREPOSITIONS = frozenset(
    """of in on at by to from for with within into onto about between among during against per via under over after
    before since until without through as""".split()  # noqa: SIM905
)
_HALVES = frozenset("don doesn didn isn aren wasn weren haven hasn hadn won wouldn couldn shouldn mustn".split())  # noqa: SIM905
_CONTRACTED = re.compile(r"\b(what|who|where|when|how|why)['’]s\b", re.IGNORECASE)
_ARTICLES = frozenset({"the", "a", "an"})
_JOINS = frozenset({"of", "for", "at", "in", "on", "to", "from", "with"})
"""Prepositions that tie a phrase to the one before."""
_WORD = re.compile(r"(?:(?<!\S)--(?=[a-z]))?[^\W_]\w*(?:[-'’.&/:]\w+)*(?:(?<=\d)(?:\(\w{1,3}\))+)?\+*")
"""A word; what is joined by hyphens, points and the like is one, and so is a paragraph's number: "1118(a)(3)"."""
_NUMERAL = re.compile(r"(?:[A-Z]|[IVXLC]{2,7})(?![\w'’&/-])(?:\.(?= [A-Z]))?")
_IDENTIFIER = re.compile(r"--[a-z]|\w+_\w|[a-z]{2,}\.[a-z]{2,}|[a-z]+\w*\d")
"""What names a thing in a program or file though it is in small letters: "wrap_lines", "notes.txt", "sha256"."""
_MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b(?!\s+\d)"
)
_PARTICIPLES = frozenset(
    """built made held paid sold found set put kept left lost sent spent told written taken given shown drawn known
    seen worn begun run won bought brought taught caught born done chosen grown""".split()  # noqa: SIM905
)

_PREDICATES = frozenset("due ready available able valid open closed liable responsible subject".split())  # noqa: SIM905
"""Adjectives that say something of the phrase before them where they stand behind it: "is the rent due"."""
_ENDS = frozenset(
    """serve last expire apply happen occur exist retire resign live weigh mean take get go come begin become require
    contain include decide receive say give make earn allow provide describe recommend appoint elect hold""".split()  # noqa: SIM905
)
"""Verbs that are hardly a thing: at the end of "does the project leader serve" what stands before is who does it."""


@dataclasses.dataclass(frozen=True, slots=True)
class Word:
    """A word at characters `[start, stop)` of a text."""

    text: str
    start: int
    stop: int

    @property
    def lower(self) -> str:
        """The word in lower case."""
        return self.text.lower()

    @property
    def is_content(self) -> bool:
        """Whether the word names or tells something."""
        base, *contracted = re.split("['’]", self.lower)
        if base in _HALVES:  # "won" is a half of "won't" or a word of its own
            return not contracted
        return not is_function_word(base) and base not in PREPOSITIONS

    @property
    def is_name(self) -> bool:
        """Whether the word is written like a name."""
        is_written_so = any(letter.isupper() for letter in self.text) or _IDENTIFIER.match(self.text) is not None
        return self.is_content and is_written_so


def words_of(text: str) -> list[Word]:
    """Return the words of a text in order; what is joined by a hyphen or point is one.

    So is a name with its numeral: "Title I", "part A", "Anna B. Hall" begins with "Anna B.".
    """
    found: list[Word] = []
    for one in (Word(match.group(), *match.span()) for match in _WORD.finditer(text)):
        if not found or one.start >= found[-1].stop:
            stop = _numeral_end(text, one)
            found.append(Word(text[one.start : stop], one.start, stop))
    return found


def _numeral_end(text: str, word: Word) -> int:
    """Return where a word ends with the numeral or letter that numbers it; its own end where none does."""
    if not word.is_content or text.isupper() or text[word.stop : word.stop + 1] != " ":
        return word.stop
    numeral = _NUMERAL.match(text, word.stop + 1)
    if numeral is None or (numeral.group() == "I" and not word.text[0].isupper()):
        return word.stop
    return numeral.end()


def spelt_out(question: str) -> str:
    """Return a question on one line, its end marks gone and "what's" as two words."""
    return _CONTRACTED.sub(r"\1 is", on_one_line(question)).rstrip(" ?.!")


@dataclasses.dataclass(frozen=True)
class Asked:
    """A question taken apart: "[How many passengers] [did] [the ferry carry in 2019]"."""

    text: str
    words: tuple[Word, ...]
    wh: int
    """Number of words that ask ("how many passengers"), 0 for none ("Did the board approve it?")."""
    auxiliary: str
    """The auxiliary after them, lower case; "" where there is none ("Who built the mill?")."""

    @classmethod
    def of(cls, question: str) -> Asked:
        """Take a question apart."""
        text = spelt_out(question)
        words = tuple(words_of(text))
        if not words or words[0].lower in AUXILIARIES:
            return cls(text, words, 0, words[0].lower if words else "")
        start = next((at for at, word in enumerate(words[:3]) if word.lower in WH), None)
        if start is None:
            return cls(text, words, 0, "")
        after = next((at for at in range(start + 1, min(start + 5, len(words))) if words[at].lower in AUXILIARIES), 0)
        if after and not any(word.lower in PREPOSITIONS for word in words[start + 1 : after]):
            return cls(text, words, after, words[after].lower)
        counted = [word.lower for word in words[start : start + 2]] in (["how", "many"], ["how", "much"])
        return cls(text, words, start + 1 + counted, "")

    @property
    def begins(self) -> str:
        """The words that ask without the thing they ask for: "how many", "which"; "" for none."""
        lower = [word.lower for word in self.words[: max(self.wh, 0)]]
        at = next((at for at, word in enumerate(lower) if word in WH), None)
        if at is None:
            return ""
        return " ".join(lower[at : at + 2]) if lower[at : at + 2][1:] in (["many"], ["much"]) else lower[at]

    @property
    def thing(self) -> str:
        """What is asked for in so many words: "passengers" of "how many passengers"; "" for none ("how long")."""
        if self.begins not in ("which", "what", "whose", "how many", "how much"):
            return ""
        first = next(at for at, word in enumerate(self.words) if word.lower in WH) + len(self.begins.split())
        last = self.wh if self.auxiliary else first + (self.begins != "what")
        chosen = self.words[first:last]
        return self.text[chosen[0].start : chosen[-1].stop] if chosen and chosen[0].is_content else ""

    @property
    def rest(self) -> str:
        """What stands after the words that ask and the auxiliary."""
        at = self.wh + bool(self.auxiliary)
        return self.text[self.words[at].start :] if at < len(self.words) else ""

    @property
    def told(self) -> str:
        """What is asked about, as a note: the question without its question word."""
        if not self.thing:
            rest = self.rest if self.wh and self.auxiliary else ""
            return rest or self.text[:1].lower() + self.text[1:]
        at = self.text.index(self.thing)
        return self.text[at:]


def values_with_months(text: str) -> list[Value]:
    """Return the values of a text, and months that stand alone, as dates."""
    months = [Value(ValueKind.DATE, found.group(), *found.span()) for found in _MONTH.finditer(text)]
    return sorted([*values_in(text), *months], key=lambda value: value.start)


def simple_phrases(text: str) -> list[tuple[int, int]]:
    """Return where phrases with an article and names stand, in order: "the milk nozzle", "the Storm Petrel", "Italy".

    Each is [start, stop) in characters, the article in it, prepositions not.
    """
    words = words_of(text)
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(words):
        stop = _phrase_end(text, words, at)
        if stop > at:
            found.append((words[at].start, words[stop - 1].stop))
        at = max(stop, at + 1)
    return found


def _phrase_end(text: str, words: list[Word], at: int) -> int:
    """Return the position after the phrase that begins at a word; the word's own where none does."""
    has_article = words[at].lower in _ARTICLES
    first = at + has_article
    if not has_article and (at == 0 or not words[at].is_name):
        return at
    run = list(
        itertools.takewhile(
            lambda place: words[place].is_content and (place == first or _is_beside(text, words, place)),
            range(first, len(words)),
        )
    )
    names = list(itertools.takewhile(lambda place: words[place].is_name or words[place].text.isdigit(), run))
    if names and words[names[0]].is_name:
        return names[-1] + 1 if not has_article or len(names) < len(run) else run[-1] + 1
    kept = _without_verb(words, run, after_do=at > 0 and words[at - 1].lower in DO) if run else []
    return kept[-1] + 1 if kept else at


def _is_beside(text: str, words: list[Word], place: int) -> bool:
    return not text[words[place - 1].stop : words[place].start].strip()


def _without_verb(words: list[Word], run: list[int], *, after_do: bool) -> list[int]:
    """Return a run of words without the verb or predicate behind it; none where no word can be told to be the verb."""
    if after_do:
        return run[:1] if len(run) <= 2 else run[:-1] if words[run[-1]].lower in _ENDS else []
    last = words[run[-1]].lower
    is_told = len(run) > 1 and (last.endswith("ed") or last in _PARTICIPLES or last in _PREDICATES)
    return run[:-1] if is_told else run


def whole_phrase(text: str, start: int, stop: int) -> str:
    """Return a simple phrase with those that prepositions tie to it: "the lighthouse" gives "the lighthouse at Gut".

    A year or another value is not tied: it says when, and not what.
    """
    while True:
        rest = text[stop:]
        joined = re.match(r"\s+([a-z]+)\s+", rest)
        if joined is None or joined[1] not in _JOINS:
            return text[start:stop]
        after = stop + joined.end()
        end = _object_end(text, after)
        if end is None or any(after <= value.start < end for value in values_with_months(text)):
            return text[start:stop]
        stop = end


def _object_end(text: str, start: int) -> int | None:
    """Return where the thing ends that stands at a character, after a preposition; None where none does."""
    for begin, stop in simple_phrases(text):
        if begin == start:
            return stop
    words = [word for word in words_of(text) if word.start >= start]
    if not words or words[0].start != start:
        return None
    if words[0].is_name:
        names = [*itertools.takewhile(lambda word: word.is_name, words)]
        return names[-1].stop
    run = [*itertools.takewhile(lambda word: word.is_content, words)]
    kept = _without_verb(run, [*range(len(run))], after_do=False)
    return run[kept[-1]].stop if kept else None


def objects_of(text: str, preposition: str) -> list[tuple[int, int]]:
    """Return where the things stand that follow a preposition, [start, stop) in characters, in order."""
    found: list[tuple[int, int]] = []
    for match in re.finditer(rf"\b{re.escape(preposition)}\s+(?=\S)", text, re.IGNORECASE):
        end = _object_end(text, match.end())
        if end is not None:
            found.append((match.end(), end))
    return found


def follows_preposition(text: str, at: int) -> bool:
    """Whether the word before a character is a preposition."""
    before = words_of(text[:at])
    return bool(before) and before[-1].lower in PREPOSITIONS


_BARE = WH | PREPOSITIONS | frozenset(("so", "not", "then", "exactly", "else", "one", "ones", "come", "many", "much"))
_SUBJECTS = frozenset(("i", "you", "we", "they", "it", "he", "she", "there"))
_ORDERS = frozenset(
    """list show name give tell explain describe summarise summarize compare find state say write count define
    please let""".split()  # noqa: SIM905
)
_FRAGMENT_WORDS = 5
"""The most content words of a fragment; more say enough themselves."""
_UNLED_WORDS = 2


def is_bare(text: str) -> bool:
    """Whether a question has nothing but words that ask: "Why not?", "How often?", "On what grounds?"."""
    words = [word.lower for word in words_of(text)]
    at = int(bool(words) and words[0] in PREPOSITIONS)
    if len(words) == at + 2 and words[at] in (("how", "what", "which") if at else ("how",)):
        return words[-1] not in AUXILIARIES
    return bool(words) and all(word in _BARE for word in words) and any(word in WH for word in words)


def is_fragment(text: str, *, is_led: bool) -> bool:
    """Whether a text is a part of a question: a thing, a value or a place without anything that asks.

    `is_led`: it stood after "and", "what about" and the like. Without these only a value or a short phrase with a
    preposition is one.
    """
    words = words_of(text)
    lower = [word.lower for word in words]
    content = sum(word.is_content for word in words)
    if not words or lower[0] in _ORDERS or any(word in AUXILIARIES or word in _SUBJECTS for word in lower):
        return False
    if any(word in WH for word in lower):
        return is_led and content == 1 and lower[:2] in (["how", "many"], ["how", "much"])
    if is_led:
        return content <= _FRAGMENT_WORDS
    is_value = all(word.text[0].isdigit() for word in words if word.is_content)
    return content > 0 and (is_value or (lower[0] in PREPOSITIONS and content <= _UNLED_WORDS))
