"""What a question in a language other than English asks for and names, by the phrases of that language's table.

A question in a language without such a table asks for a passage: nothing is expected, and nothing is taken for a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import cast

from octavo.question.expects import Expects
from octavo.question.references import Reference, at_end
from octavo_documents.text.analyzer import analyze, is_function_word
from octavo_documents.text.label_names import labels_in
from octavo_documents.text.languages import Language, language, plain
from octavo_documents.text.looks_words import pages_at_ends
from octavo_documents.text.things import What, canonical

_ORDER = (
    *(Expects.YEAR, Expects.PERCENT, Expects.MONEY, Expects.COUNT, Expects.NUMBER, Expects.DATE, Expects.PLACE),
    *(Expects.DEFINITION, Expects.PERSON, Expects.LIST, Expects.PASSAGE, Expects.YES_NO, Expects.NAME),
)
"""Of phrases that stand in a question the first in this order decides; what opens one for yes or no comes first."""
_ALSO_JOIN = frozenset((Expects.DATE, Expects.PLACE, Expects.PERSON))
"""What words ask for that also join sentences ("quand", "où", "qui"): these ask where nothing before them does."""
_OPENS = r"^[\W_]*"
_HOW_MANY = "少几幾何つくら"
"""Characters at the end of "how many" that name nothing that is counted."""
_COUNTED_WORDS = 3
_COUNTED_CHARACTERS = 4
"""Words or characters after "how many" that may say of what."""
_CAPITALISED = re.compile(r"(?<![\w.'’-])[^\W\d_][\w'’-]*")
_SENTENCE = re.compile(r"(?:^|[.?!:;¿¡\"“„«(]\s*)[\W_]*$")
_LEAST_LETTERS = 3


def expected(question: str, code: str) -> Expects:
    """Return the type of answer that a question in a language expects.

    >>> expected("Wie viele Einwohner hat die Stadt?", "de").value, expected("¿Quién escribió esto?", "es").value
    ('count', 'person')
    >>> expected("Dans quelle école était-il quand il a écrit ?", "fr").value
    'name'
    """
    said = plain(question)
    opening = _asking(code).get(Expects.YES_NO)
    if language(code).is_spaced and opening and opening.match(said):
        return Expects.YES_NO
    starts = {one: found.start() for one, pattern in _asking(code).items() if (found := pattern.search(said))}
    if language(code).is_spaced:
        first = min(starts.values(), default=0)
        starts = {one: start for one, start in starts.items() if one not in _ALSO_JOIN or start == first}
    return next((one for one in _ORDER if one in starts), Expects.PASSAGE)


@cache
def _asking(code: str) -> dict[Expects, re.Pattern[str]]:
    spoken = language(code)
    return {Expects(kind): re.compile("|".join(_phrase(one, spoken) for one in said)) for kind, said in spoken.asks}


def _phrase(phrase: str, spoken: Language) -> str:
    words = re.escape(plain(phrase.lstrip("^¿¡"))).replace("\\ ", r"\s+")
    if not spoken.is_spaced:
        return words
    return rf"{_OPENS if phrase.startswith('^') else ''}(?<!\w){words}(?!\w)"


def subject_of(question: str, code: str) -> tuple[str, ...]:
    """Return the terms of what is counted: those right after the phrase that asks how many."""
    pattern = _asking(code).get(Expects.COUNT)
    found = pattern.search(plain(question)) if pattern else None
    if found is None:
        return ()
    rest = plain(question)[found.end() :]
    if not language(code).is_spaced:
        counter, counted = found[0][-1], re.split(r"[\W_]", rest.strip())[0][:_COUNTED_CHARACTERS]
        terms = dict.fromkeys(analyze(counted, code))
        return (*terms,) if counter in _HOW_MANY else (counter, *terms)
    words = re.findall(r"[^\W\d_]+", rest)[:_COUNTED_WORDS]
    return tuple(dict.fromkeys(term for word in words for term in analyze(word, code)))[:1]


def names(question: str, code: str) -> tuple[str, ...]:
    """Return the words with a capital inside a sentence, where capitals mark names; those side by side as one."""
    runs: list[str] = []
    end = -1
    for start, stop in _marked(question, code):
        word = question[start:stop]
        if runs and question[end:start] == " ":
            runs[-1] += f" {word}"
        else:
            runs.append(word)
        end = stop
    return tuple(dict.fromkeys(runs))


def name_terms(question: str, code: str) -> tuple[str, ...]:
    """Return the terms of these names that a document must know if it has the answer."""
    words = (question[start:stop] for start, stop in _marked(question, code))
    terms = (term for word in words for term in analyze(word, code))
    return tuple(dict.fromkeys(term for term in terms if sum(map(str.isalpha, term)) >= _LEAST_LETTERS))


def as_written(question: str, terms: Collection[str], code: str) -> list[str]:
    """Return the names of a question that have some of these terms, as it writes them."""
    return [name for name in names(question, code) if not set(terms).isdisjoint(analyze(name, code))]


def references(question: str, code: str) -> tuple[Reference, ...]:
    """Return what a question points at by name and number, or as an end: "Abbildung 3", "第3章", "letzte Seite"."""
    found = labels_in(question, code)
    numbered = (
        Reference(words=question[one.start : one.stop], what=cast("What", one.what), number=canonical(one.number))
        for one in found
    )
    return (*numbered, *(at_end(question[start:stop], position) for start, stop, position in pages_at_ends(question)))


def phrases(question: str, code: str) -> tuple[str, ...]:
    """Return its content words, as it writes them."""
    words = (found[0] for found in re.finditer(r"[^\W_]+", question))
    return tuple(dict.fromkeys(word for word in words if not is_function_word(word, code)))


def none_told(_question: str, _code: str) -> tuple[str, ...]:
    """Always empty: no table of a language tells this."""
    return ()


def _marked(question: str, code: str) -> list[tuple[int, int]]:
    spoken = language(code)
    if spoken.capitals != "names" or not spoken.asks:
        return []
    found = [one for one in _CAPITALISED.finditer(question) if one[0][0].isupper()]
    kept = [
        one for one in found if not _SENTENCE.search(question[: one.start()]) and not is_function_word(one[0], code)
    ]
    return [one.span() for one in kept] if len(kept) < len(question.split()) - 1 else []
