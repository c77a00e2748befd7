"""Making a question whole without a model: only what is clearly open is completed, by the form of the questions alone.

Clearly open are: a question of question words alone ("Why not?"), a fragment after "and" or "what about" ("and in
2021?"), which takes the place of the part of the earlier question that is of its type, and a short question whose
pronoun stands before anything it could mean ("How long is it?"). All else is asked as it stands.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from octavo.question.expects import Expects
from octavo.question.phrases import (
    AUXILIARIES,
    BE,
    DO,
    PREPOSITIONS,
    WH,
    Asked,
    Word,
    follows_preposition,
    is_bare,
    is_fragment,
    objects_of,
    simple_phrases,
    spelt_out,
    values_with_months,
    whole_phrase,
    words_of,
)
from octavo.question.pointing_back import points_back
from octavo.question.understand import understand
from octavo.question.words import DOCUMENT
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.languages import ENGLISH
from octavo_documents.text.lines import on_one_line

_LONGEST = 300
"""Characters; a longer question says what it is about."""
_LEAD = lazy_regex(r"^(?:(?:and|but|so|or|then|also|ok|okay|well)\b[\s,.:!…-]*)+", re.IGNORECASE)
_JOINING = lazy_regex(r"\b(?:and|but|or|also)\b", re.IGNORECASE)
_ABOUT = lazy_regex(r"^(?:what|how)\s+about\s+|^(?:the\s+)?same\s+(?:question\s+)?for\s+", re.IGNORECASE)
_STAND_IN = lazy_regex(r"^(?:the|that|those|these)?\s*\b(?:ones?|those|that)\s+(?=\S)", re.IGNORECASE)
_SHORT_ANSWER = 60
"""Characters of an answer that can stand in a question."""


@dataclasses.dataclass(frozen=True, slots=True)
class Completed:
    """A question made whole, and the documents it is about alone; () for all."""

    question: str
    documents: tuple[str, ...] = ()


def complete(question: str, turns: Sequence[PastTurn], documents: Sequence[str] = ()) -> Completed | None:
    """Return the question to ask in the place of one that the turns before complete; None for one that stands alone."""
    text = on_one_line(question)
    if not turns or len(text) > _LONGEST:
        return None
    other = next((one for one in (turns[-1].question, text) if understand(one).language != ENGLISH), "")
    if other and (points := points_back(text, turns[-1].question, understand(other).language)) is not None:
        return _kept(Completed(points), turns[-1], documents)
    last = next((turn for turn in reversed(turns) if _asks(turn.question)), None)
    if last is None or len(last.question) > _LONGEST:
        return None
    return (found := _in_english(text, last, documents)) and _kept(found, last, documents)


def _kept(found: Completed, last: PastTurn, documents: Sequence[str]) -> Completed:
    """Return a question, asked of the documents of the last answer where its words were only set beside the others."""
    kept = tuple(name for name in documents if name in last.documents and found.question.endswith(")"))
    return dataclasses.replace(found, documents=found.documents or kept)


def _in_english(text: str, last: PastTurn, documents: Sequence[str]) -> Completed | None:
    """Return what an earlier question makes of one in English; None for one that stands alone."""
    earlier = Asked.of(last.question)
    lead = _LEAD.match(text)
    own = text[lead.end() :] if lead else text
    about = _ABOUT.match(own)
    own = spelt_out(own[about.end() :] if about else own).strip(" ,")
    if is_bare(own):
        first, _, told = last.question.partition("? (")
        again = Asked.of(told.removesuffix(")")) if is_bare(first) else earlier  # both ask of the same
        return Completed(_asked_again(own, again, last.answer))
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


_EXTREME = lazy_regex(
    r"\b(?:[a-z]{2,}est|most|least|maximum|minimum|max|min|first|last|best|worst|more|less|fewer)\b", re.IGNORECASE
)
_YEAR = lazy_regex(r"(?:1[5-9]|20)\d\d")
_ARTICLE = lazy_regex(r"(?:the|an?)\s+", re.IGNORECASE)
_NO_EXTREME = frozenset(("interest", "test", "request", "forest", "harvest", "guest", "west", "rest", "nest", "chest"))


def exchanged(fragment: str, earlier: Asked) -> str:
    """Return the earlier question with the fragment in the place of a part; where none is like it, with it added."""
    fragment = _without_capital(fragment)
    for read in (_value, _counted, _placed, _of_the_same_head, _extreme, _owned, _owner, _name, _phrase, _plain):
        found = read(fragment, earlier)
        if found is not None:
            return found if found.endswith(")") else f"{found.rstrip(' ?.')}?"
    if fragment.partition(" ")[0] in PREPOSITIONS:
        return f"{earlier.text} {fragment}?"
    if _YEAR.fullmatch(fragment):
        return f"{earlier.text} in {fragment}?"
    return f"{earlier.text}? ({fragment})"


def _without_capital(fragment: str) -> str:
    first = fragment.partition(" ")[0].lower()
    return fragment[:1].lower() + fragment[1:] if first in PREPOSITIONS | {"the", "a", "an"} else fragment


def _content(text: str) -> list[str]:
    return [word.text for word in words_of(text) if word.is_content]


def _put(earlier: Asked, start: int, stop: int, text: str) -> str:
    return earlier.text[:start] + text + earlier.text[stop:]


def _value(fragment: str, earlier: Asked) -> str | None:
    """Exchange values of the same kind: all of them, or the last one for a single one."""
    new = values_with_months(fragment)
    if not new or not _rest_terms(fragment, [value.text for value in new]) <= {*analyze(earlier.text)}:
        return None
    kind = new[-1].kind
    old = [value for value in values_with_months(earlier.text) if value.kind is kind]
    if len(old) != len(new) or any(value.kind is not kind for value in new):
        return None
    text = earlier.text
    for before, after in reversed([*zip(old, new, strict=True)]):
        text = text[: before.start] + after.text + text[before.stop :]
    return text


def _rest_terms(text: str, values: list[str]) -> set[str]:
    for value in values:
        text = text.replace(value, " ")
    return {*analyze(text)}


def _counted(fragment: str, earlier: Asked) -> str | None:
    """Exchange what is counted: "how much pectin" for "how much sugar"."""
    words = words_of(fragment)
    if len(words) < 3 or " ".join(word.lower for word in words[:2]) != earlier.begins or not earlier.thing:
        return None
    at = earlier.text.index(earlier.thing)
    return _put(earlier, at, at + len(earlier.thing), fragment[words[2].start :])


def _placed(fragment: str, earlier: Asked) -> str | None:
    """Exchange what stands after the same preposition, a name for a name and a phrase for a phrase."""
    preposition, _, thing = fragment.partition(" ")
    if preposition.lower() not in PREPOSITIONS or not thing:
        return None
    for start, stop in reversed(objects_of(earlier.text, preposition)):
        if _shape(earlier.text[start:stop]) == _shape(thing):
            return _put(earlier, start, stop, thing)
    return None


def _shape(text: str) -> str:
    """Return what a phrase is like: a value, a name, or another thing."""
    if values_with_months(text):
        return "value"
    words = [word for word in words_of(text) if word.is_content]
    return "name" if words and all(word.is_name for word in words) else "thing"


def _of_the_same_head(fragment: str, earlier: Asked) -> str | None:
    """Exchange the phrase that ends in the same word: "the industrial segment" for "the consumer segment"."""
    head = next((word for word in reversed(words_of(fragment)) if word.is_content), None)
    terms = analyze(head.text) if head else []
    for at, word in enumerate(earlier.words):
        if not terms or analyze(word.text) != terms or at < max(earlier.wh, 1):
            continue
        first = at
        while first > 0 and earlier.words[first - 1].is_content:
            first -= 1
        has_article = first > 0 and _ARTICLE.match(f"{earlier.words[first - 1].text} ") is not None
        if first == at and not has_article:
            return None
        start = earlier.words[first - (has_article and _ARTICLE.match(fragment) is not None)].start
        return _put(earlier, start, word.stop, fragment)
    return None


def _extreme(fragment: str, earlier: Asked) -> str | None:
    """Exchange a superlative: "the shortest" for "the longest"."""
    new, old = extremes(fragment), extremes(earlier.text)
    if len(new) != 1 or len(old) != 1 or len(_content(fragment)) > 1:
        return None
    return _put(earlier, *old[0].span(), new[0].group())


def extremes(text: str) -> list[re.Match[str]]:
    """Return the superlatives of a text, and words such as "maximum"."""
    return [found for found in _EXTREME.finditer(text) if found.group().lower() not in _NO_EXTREME]


def _name(fragment: str, earlier: Asked) -> str | None:
    """Exchange a name for the name the question is about: the first that no preposition places, else the last one."""
    if _shape(fragment) != "name":
        return None
    phrases = [
        (start, stop) for start, stop in simple_phrases(earlier.text) if _shape(earlier.text[start:stop]) == "name"
    ]
    free = [phrase for phrase in phrases if not follows_preposition(earlier.text, phrase[0])]
    if not phrases:
        return None
    start, stop = free[0] if free else phrases[-1]
    article = _ARTICLE.match(earlier.text[start:stop])
    if article and not _ARTICLE.match(fragment):
        start += article.end()
    return _put(earlier, start, stop, fragment)


def _owned(fragment: str, earlier: Asked) -> str | None:
    """Exchange what a thing has: "its density" for "the boiling point" of ethanol."""
    new = re.match(r"(?:its|their|his|her)\s+(\S.*)", fragment, re.IGNORECASE)
    old = re.search(r"\bthe\s+((?:(?!the\b)[\w-]+\s+){1,4}?)of\s+\w", earlier.text)
    return _put(earlier, *old.span(1), f"{new[1]} ") if new and old else None


def _owner(fragment: str, earlier: Asked) -> str | None:
    """Exchange whose a thing is: "the men's" for "the women's"."""
    owner = r"(?:the\s+)?\b[\w-]+(?:['’]s|s['’])(?!\w)"
    old = re.search(owner, earlier.text)
    return _put(earlier, *old.span(), fragment) if old and re.fullmatch(owner, fragment) else None


def _plain(fragment: str, earlier: Asked) -> str | None:
    """Exchange one word without an article for the only such word after a preposition: "kale" for "in spinach"."""
    found = [
        (start, stop)
        for preposition in sorted({word.lower for word in earlier.words} & PREPOSITIONS)
        for start, stop in objects_of(earlier.text, preposition)
        if " " not in earlier.text[start:stop] and _shape(earlier.text[start:stop]) == "thing"
    ]
    is_plain = " " not in fragment and _shape(fragment) == "thing"
    return _put(earlier, *found[0], fragment) if is_plain and len(found) == 1 else None


def _phrase(fragment: str, earlier: Asked) -> str | None:
    """Exchange the last phrase with an article for another one: "the drip tray" for "the milk nozzle"."""
    if not _ARTICLE.match(fragment) or not _content(fragment):
        return None
    phrases = [
        (start, stop)
        for start, stop in simple_phrases(earlier.text)
        if _shape(earlier.text[start:stop]) == "thing" and _ARTICLE.match(earlier.text[start:stop])
    ]
    return _put(earlier, *phrases[-1], fragment) if phrases else None


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PLACED = lazy_regex(
    rf"^(?:in|on|by|according to)?\s*the\s+(?P<which>{'|'.join(_ORDINALS)}|last|other)\s+"
    rf"(?P<noun>{DOCUMENT})$",
    re.IGNORECASE,
)
_OPENING = lazy_regex(r"^(?:in|on|by|for|of|according to)\s+", re.IGNORECASE)
_PERSON = frozenset(("he", "she", "him", "her", "his", "hers"))
_THING = frozenset(("it", "its"))
_SEVERAL = frozenset(("they", "them", "their", "theirs"))
_POINTING = frozenset(("that", "this", "these", "those"))
_PRONOUNS = _PERSON | _THING | _SEVERAL | _POINTING
_OWNING = frozenset(("its", "their", "his"))
_MOST_CONTENT = {"person": 3, "thing": 3, "several": 1, "pointing": 1}
"""The most content words, numbers aside, beside a pronoun that is open.

"They" is said of whoever wrote what is read, so that a question with it says more by itself; so it is with "this".
"""
_EXPLETIVE = lazy_regex(r"\bit\b.*\b(?:to|that|if)\s+\w|\b(?:time|day|date) is it\b", re.IGNORECASE)


@dataclasses.dataclass(frozen=True, slots=True)
class PastTurn:
    """A question as it was understood, and what came of it."""

    question: str
    answer: str = ""
    """The short answer; "" where passages were shown or nothing was found."""
    places: tuple[str, ...] = ()
    """Documents and sections that were cited, as "report.pdf, 3 Results"."""
    documents: tuple[str, ...] = ()
    """Names of the documents that were cited."""


def documents_meant(text: str, last: PastTurn, documents: Sequence[str]) -> tuple[str, ...]:
    """Return the document in scope that a fragment names, whole, by its place among them, or as the other one of two.

    Of an ordinal that the earlier question uses for a thing of its own ("the first report") nothing is taken.
    """
    named = _key(_OPENING.sub("", text))
    for name in documents:
        if named in (_key(name), _key(name.rpartition(".")[0])):
            return (name,)
    found = _PLACED.match(text)
    if found is None or len(documents) < 2 or re.search(rf"\b{found['noun']}\b", last.question, re.IGNORECASE):
        return ()
    which = found["which"].lower()
    if which == "other":
        others = [name for name in documents if name not in last.documents]
        return (others[0],) if len(documents) == 2 and len(others) == 1 else ()
    at = len(documents) - 1 if which == "last" else _ORDINALS.index(which)
    return (documents[at],) if at < len(documents) else ()


def _key(name: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", name.casefold()))


@dataclasses.dataclass(frozen=True, slots=True)
class _Pointer:
    word: Word
    sort: str


def pointed(own: str, earlier: Asked, answer: str) -> str | None:
    """Return a question with what its pronouns mean in their place; None where it leaves nothing open."""
    pointers = _open(own)
    if not pointers:
        return None
    if not any(word.lower in WH | AUXILIARIES for word in words_of(own)):  # "and opposed it?"
        return f"{earlier.text}? ({own[:1].lower()}{own[1:]})"
    if _is_done(own, pointers[-1].word):  # "Who does it?": what was asked about is done, not a thing
        return f"{own[:1].upper()}{own[1:]}? ({earlier.told})"
    put = [(pointer.word, _referent(pointer, own, earlier, answer)) for pointer in pointers]
    text = own
    for word, referent in reversed(put):
        if referent:
            text = text[: word.start] + referent + text[word.stop :]
    text = text[:1].upper() + text[1:]
    return f"{text}?" if all(referent for _, referent in put) else f"{text}? ({earlier.told})"


def _is_done(own: str, pronoun: Word) -> bool:
    """Return whether a pronoun ends a question right after "do"."""
    *before, last = words_of(own)
    is_last = last.start == pronoun.start and last.lower in ("it", "that", "this")
    return is_last and bool(before) and before[-1].lower in DO


def _open(own: str) -> list[_Pointer]:
    """Return the pronouns of a short question in which nothing stands that they could mean, one of each sort."""
    words = words_of(own)
    found: dict[str, _Pointer] = {}
    for at, word in enumerate(words):
        if word.lower in _PRONOUNS and _stands_alone(words, at):
            found.setdefault(_sort(word), _Pointer(word, _sort(word)))
    if not found or _EXPLETIVE.search(own) or _is_about(words):
        return []
    pointers = sorted(found.values(), key=lambda pointer: pointer.word.start)
    if "pointing" in found and "thing" in found:  # "Where does it say that?": it is the document
        pointers = [found["pointing"]]
    asked = Asked.of(own)
    content = [word for word in words[asked.wh :] if word.is_content and not word.text[0].isdigit()]
    limit = min(_MOST_CONTENT[pointer.sort] for pointer in pointers)
    before = [word for word in content if word.start < pointers[0].word.start]
    has_phrase = any(stop <= pointers[0].word.start for _, stop in simple_phrases(own))
    return [] if len(content) > limit or len(before) > 1 or has_phrase else pointers


def _sort(word: Word) -> str:
    lower = word.lower
    sorts = (("person", _PERSON), ("thing", _THING), ("several", _SEVERAL))
    return next((name for name, words in sorts if lower in words), "pointing")


def _stands_alone(words: list[Word], at: int) -> bool:
    """Whether a demonstrative is no article, conjunction or relative pronoun; other pronouns always stand alone."""
    if words[at].lower not in _POINTING:
        return True
    after = words[at + 1 :]
    if not after:
        return True
    if at > 0 and words[at - 1].lower in DO:
        return len(after) == 1
    is_first = at == 0 or words[at - 1].lower in AUXILIARIES | WH | PREPOSITIONS
    return is_first and (after[0].lower in AUXILIARIES | PREPOSITIONS or (len(after) == 1 and after[0].is_content))


def _is_about(words: list[Word]) -> bool:
    """Whether a question is what a thing is about: the document is meant."""
    return words[-1].lower == "about" and not any(word.is_content for word in words)


def _referent(pointer: _Pointer, own: str, earlier: Asked, answer: str) -> str:
    """Return what a pronoun means, with its ending where it says whose; "" where no phrase says it."""
    if pointer.sort == "person":
        found = _person(earlier, answer)
    elif pointer.sort == "thing":
        found = _thing(earlier, answer)
    elif pointer.sort == "several":
        found = _several(earlier) or _thing(earlier, answer)
    else:
        found = earlier.rest if _is_place_of_phrase(earlier) else ""
    owns = pointer.word.lower in _OWNING or (pointer.word.lower == "her" and _is_before_content(pointer.word, own))
    return f"{found}{'’' if found.endswith('s') else '’s'}" if found and owns else found


def _is_before_content(word: Word, own: str) -> bool:
    after = words_of(own[word.stop :])
    return bool(after) and after[0].is_content


def _is_place_of_phrase(earlier: Asked) -> bool:
    """Whether an earlier question asks what, who or where one thing is: what follows "is" is that thing."""
    if earlier.auxiliary not in ("is", "are") or not earlier.wh or earlier.thing:
        return False
    found = simple_phrases(f"of {earlier.rest}")
    return bool(found) and whole_phrase(f"of {earlier.rest}", *found[0]) == earlier.rest


def _person(earlier: Asked, answer: str) -> str:
    asks = understand(earlier.text).expects is Expects.PERSON
    if asks:
        return answer if _is_name(answer) else ""
    names = [
        earlier.text[start:stop]
        for start, stop in simple_phrases(earlier.text)
        if not follows_preposition(earlier.text, start)
    ]
    return next((name for name in names if name[0].isupper()), "")


def _is_name(answer: str) -> bool:
    return 0 < len(answer) <= _SHORT_ANSWER and answer[0].isupper() and not answer.endswith(".")


def _is_named(answer: str) -> bool:
    return _is_name(answer) or re.match(r"the [A-Z]", answer) is not None


def _chosen(earlier: Asked) -> str:
    """Return the one thing a question asks to tell from others: "the sensor mounted in the nacelle"; "" for none."""
    if not earlier.thing or earlier.auxiliary not in BE or earlier.begins not in ("which", "what"):
        return ""
    rest, thing = earlier.rest, earlier.thing
    if extremes(rest) and any(start == 3 for start, _ in simple_phrases(f"of {rest}")):
        return f"{rest} {thing}" if len(words_of(rest)) == 2 else ""
    return "" if any(start == 3 for start, _ in simple_phrases(f"of {rest}")) else f"the {thing} {rest}"


def _several(earlier: Asked) -> str:
    return f"the {earlier.thing}" if earlier.thing.endswith("s") else ""


def _thing(earlier: Asked, answer: str) -> str:
    """Return what an earlier question is about; where it names nothing, its answer."""
    text = earlier.text
    if chosen := _chosen(earlier):
        return answer if _is_named(answer) else chosen
    first = earlier.words[earlier.wh].start if earlier.wh < len(earlier.words) else 0
    found = [(start, stop) for start, stop in simple_phrases(text) if start >= first]
    if not found:
        return answer if _is_named(answer) else ""
    asks_who = understand(text).expects is Expects.PERSON and earlier.auxiliary
    return text[slice(*found[-1])] if asks_who and len(found) > 1 else whole_phrase(text, *found[0])
