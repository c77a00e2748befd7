"""Making a question whole without a model: only what is clearly open is completed, by the form of the questions alone.

Clearly open are: a question of question words alone ("Why not?"), a fragment after "and" or "what about" ("and in
2021?"), and a short question whose pronoun stands before anything it could mean ("How long is it?"). All else is asked
as it stands.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from octavo.question.follow_up.phrases import AUXILIARIES, BE, PREPOSITIONS, WH, Asked, spelt_out, words_of
from octavo.question.follow_up.pointing import PastTurn, documents_meant, exchanged, pointed

_LONGEST = 300
"""Characters; a longer question says what it is about."""
_LEAD = re.compile(r"^(?:(?:and|but|so|or|then|also|ok|okay|well)\b[\s,.:!…-]*)+", re.IGNORECASE)
_JOINING = re.compile(r"\b(?:and|but|or|also)\b", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:what|how)\s+about\s+|^(?:the\s+)?same\s+(?:question\s+)?for\s+", re.IGNORECASE)
_STAND_IN = re.compile(r"^(?:the|that|those|these)?\s*\b(?:ones?|those|that)\s+(?=\S)", re.IGNORECASE)
_BARE = WH | PREPOSITIONS | frozenset(("so", "not", "then", "exactly", "else", "one", "ones", "come", "many", "much"))
_SUBJECTS = frozenset(("i", "you", "we", "they", "it", "he", "she", "there"))
_ORDERS = frozenset(
    """list show name give tell explain describe summarise summarize compare find state say write count define
    please let""".split()  # noqa: SIM905
)
_FRAGMENT_WORDS = 5
"""The most content words of a fragment; more say enough themselves."""
_UNLED_WORDS = 2
_SHORT_ANSWER = 60
"""Characters of an answer that can stand in a question."""


@dataclasses.dataclass(frozen=True, slots=True)
class Completed:
    """A question made whole, and the documents it is about alone; () for all."""

    question: str
    documents: tuple[str, ...] = ()


def complete(question: str, turns: Sequence[PastTurn], documents: Sequence[str] = ()) -> Completed | None:
    """Return the question to ask in the place of one that the turns before complete; None for one that stands alone."""
    text = " ".join(question.split())
    if not turns or len(text) > _LONGEST:
        return None
    last = next((turn for turn in reversed(turns) if _asks(turn.question)), None)
    if last is None or len(last.question) > _LONGEST:
        return None
    earlier = Asked.of(last.question)
    lead = _LEAD.match(text)
    own = text[lead.end() :] if lead else text
    about = _ABOUT.match(own)
    own = spelt_out(own[about.end() :] if about else own).strip(" ,")
    if is_bare(own):
        return Completed(_asked_again(own, earlier, last.answer))
    if is_fragment(own, is_led=bool(about or (lead and _JOINING.search(lead.group())))):
        own = _STAND_IN.sub("", own)
        meant = documents_meant(own, last, documents)
        return Completed(last.question, meant) if meant else Completed(exchanged(own, earlier))
    found = _counting(own, earlier) or pointed(own, earlier, last.answer)
    return None if found is None else Completed(found)


def _asks(question: str) -> bool:
    """Whether a question is one that another may follow: "thanks" is none."""
    asked = Asked.of(question)
    content = sum(word.is_content for word in asked.words)
    return content > 1 or (content == 1 and bool(asked.wh or asked.auxiliary))


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


def _counting(own: str, earlier: Asked) -> str | None:
    """Return "how many did Jones get?" with what was counted before; None for another question."""
    asked = Asked.of(own)
    if not (asked.begins == earlier.begins == "how many") or asked.thing or not earlier.thing or not asked.auxiliary:
        return None
    return f"How many {earlier.thing} {asked.auxiliary} {asked.rest}?"


def _asked_again(own: str, earlier: Asked, answer: str) -> str:
    """Return what an earlier question becomes with other words that ask: "Why?" gives "Why was the mast replaced?"."""
    first = own[:1].upper() + own[1:]
    if own.lower().split()[-1] in ("one", "ones") and earlier.thing:
        return f"{first.rsplit(' ', 1)[0]} {earlier.told}?"
    is_simple = bool(earlier.rest) and words_of(own)[-1].lower not in ("not", "else", "then", "so", "come", "exactly")
    if is_simple and earlier.auxiliary and (not earlier.wh or (earlier.auxiliary not in BE and not earlier.thing)):
        return f"{first} {earlier.auxiliary} {earlier.rest}?"
    if own.lower() == "why" and earlier.auxiliary in BE and not earlier.thing and 0 < len(answer) <= _SHORT_ANSWER:
        return f"{first} {earlier.auxiliary} {earlier.rest} {answer}?"
    return f"{first}? ({earlier.told})"
