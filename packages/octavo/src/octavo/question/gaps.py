"""The gap that a question leaves in the sentence that answers it, told by its small words and the endings of verbs.

"Who founded the mill?" wants what "founded the mill", "What did the board approve?" what stands after "approved", and
"Who was the mill founded by?" what stands after "by".
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Sequence

from octavo.question.phrases import AUXILIARIES, BE, DO, PREPOSITIONS, Word, spelt_out, words_of
from octavo_documents.text.analyzer import analyze

_IRREGULAR = (
    "beat became began bore bought broke brought built burnt came caught chose cut drew drove fell felt found fought "
    "gave got grew held hit kept knew laid led left lent lost made met paid put ran rose sang sank sent set shut sold "
    "spent spoke stood struck stole taught threw told took went won wore wrote"
)
_PARTICIPLES = (
    "given taken written known shown chosen driven drawn grown worn won held made built sold bought sent led left lost "
    "kept paid put set found taught told caught brought struck beaten broken born spoken stolen thrown sung"
)
_PAST = frozenset(_IRREGULAR.split())
_PAST_PARTICIPLES = frozenset(_PARTICIPLES.split())
_ASKS = frozenset({"who", "what", "which"})
_MOST_NOUN = 5
"""Words between "which" and its verb."""
_PASSED = frozenset({"been", "also", "first"})
"""What may stand between an auxiliary and its verb."""
_LATEST = 6
"""Words of a question among which "which" stands that asks for a noun."""
_FILLING = frozenset(analyze("name kind type sort term word person people thing"))
"""Terms of "what kind of", "the name of", which stand in no sentence that answers."""


class Slot(enum.Enum):
    """Where in a sentence the gap of a question is."""

    BEFORE = "before"
    """Before its verb, which does what it says: "Who founded the mill?"."""
    UNDERGOES = "undergoes"
    """Before its verb in the passive: "Which mill was founded in 1900?"."""
    AFTER = "after"
    """After its verb: "What did the board approve?"."""
    BY = "by"
    """After its verb in the passive and "by"."""


@dataclasses.dataclass(frozen=True, slots=True)
class Gap:
    """What a question says of its gap: where it is, beside which verb, which noun says what fills it."""

    slot: Slot
    verb: str
    """The term of the verb."""
    noun: tuple[str, ...]
    """Terms of the noun of "which noun"; () for "who" and "what"."""
    preposition: str
    """The preposition between verb and gap; "" for none."""
    told: frozenset[str]
    """Terms of all else that the question says, which the sentence has to say too."""


def gap_of(question: str) -> Gap | None:
    """Return the gap of an English question for what does or undergoes something; None for any other question."""
    words = words_of(spelt_out(question))
    at = next((at for at, word in enumerate(words[:2]) if word.lower in _ASKS), None)
    if at is None or (at == 1 and words[0].lower != "by"):
        return None
    verb_at = _verb_at(words, at)
    if verb_at is None:
        return None
    noun = words[at + 1 : verb_at]
    rest = words[verb_at:]
    is_by = at == 1 or (rest[-1].lower == "by" and len(rest) > 2)
    found = _passive_by(rest) if is_by else _told_by(rest)
    if found is None:
        return None
    slot, verb, preposition = found
    terms = analyze(verb.text)
    if not terms:
        return None
    said = {term for word in rest if word.lower not in AUXILIARIES for term in analyze(word.text)}
    kinds = tuple(dict.fromkeys(term for word in noun for term in analyze(word.text) if term not in _FILLING))
    return Gap(slot, terms[0], kinds, preposition, frozenset(said - _FILLING))


def noun_asked(question: str) -> str:
    """Return the term of the noun of "which noun", as the word before its verb: campaign in "what image campaign was".

    It is "" for "who" and "what", and where no verb is told.
    """
    words = words_of(spelt_out(question))
    at = next((at for at, word in enumerate(words[:_LATEST]) if word.lower in ("what", "which")), None)
    verb_at = _verb_at(words, at) if at is not None else None
    if at is None or verb_at is None:
        return ""
    return next((term for word in reversed(words[at + 1 : verb_at]) for term in analyze(word.text)), "")


def _verb_at(words: Sequence[Word], at: int) -> int | None:
    """Return where the verb or auxiliary begins that follows "which boat"."""
    after = range(at + 1, min(at + 2 + _MOST_NOUN, len(words)))
    found = next((one for one in after if words[one].lower in AUXILIARIES), None)
    if found is not None and not any(_is_past(words[one]) for one in range(at + 1, found)):
        return found
    first = at + 1 if words[at].lower == "who" else at + 2
    if words[at].lower == "what" and at + 1 < len(words) and _is_past(words[at + 1]):
        first = at + 1
    return next((one for one in after if one >= first and _is_past(words[one])), None)


def _is_past(word: Word) -> bool:
    lower = word.lower
    return lower in _PAST or (len(lower) > 4 and lower.endswith("ed") and lower[0] == word.text[0])


def _is_participle(word: Word) -> bool:
    return word.lower in _PAST_PARTICIPLES or (len(word.lower) > 4 and word.lower.endswith("ed"))


def _told_by(rest: Sequence[Word]) -> tuple[Slot, Word, str] | None:
    """Return slot, verb and preposition of a question from its first verb on."""
    first, *after = rest
    if first.lower not in AUXILIARIES:
        return Slot.BEFORE, first, ""
    if not after:
        return None
    if first.lower in DO:
        return _object(after)
    verb = next((word for word in after if not word.lower.endswith("ly") and word.lower not in _PASSED), after[0])
    if first.lower in BE and _is_participle(verb) and verb in after[:2]:
        return Slot.UNDERGOES, verb, ""
    if first.lower in ("has", "have", "had") and _is_participle(verb) and verb in after[:2]:
        return (Slot.UNDERGOES if "been" in (word.lower for word in after[:2]) else Slot.BEFORE), verb, ""
    return None


def _object(after: Sequence[Word]) -> tuple[Slot, Word, str] | None:
    """Return the verb of "did the board approve": the last word of the first run that has content."""
    at = 0
    while at < len(after) and not after[at].is_content:
        at += 1
    run = at
    while run < len(after) and after[run].is_content:
        run += 1
    lower = [place for place in range(at, run) if not after[place].is_name]
    is_pronoun = at > 0 and after[at - 1].lower in ("he", "she", "it", "they")
    if not lower or (lower[-1] == at and not is_pronoun):
        return None
    verb = lower[0] if is_pronoun else lower[-1]
    behind = after[verb + 1 :]
    preposition = behind[-1].lower if behind and behind[-1].lower in PREPOSITIONS else ""
    return Slot.AFTER, after[verb], preposition


def _passive_by(rest: Sequence[Word]) -> tuple[Slot, Word, str] | None:
    verb = next((word for word in reversed(rest) if _is_participle(word)), None)
    return (Slot.BY, verb, "by") if rest[0].lower in BE and verb is not None else None
