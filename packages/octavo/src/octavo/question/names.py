"""What a question is about: quoted words, acronyms, capitalised names; content phrases where it has none of these.

Beside it what a document must know if it has the answer: the terms of proper names, and the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import takewhile

from octavo.question.expects import terms_near
from octavo.question.references import references, unread
from octavo.question.words import (
    ABOUT_THE_QUESTION,
    EMPTY,
    FRAME,
    LOWER_IN_TITLES,
    NO_NAMES,
    WORKED_OUT,
    without_examples,
    without_form,
)
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze, is_function_word
from octavo_documents.text.lines import on_one_line

_QUOTED = lazy_regex(r"[\"“]([^\"“”]{1,120})[\"”]|(?<![\w])['‘]([^'‘’]{2,80})['’](?!\w)")
_CAPITAL = r"[A-Z][\w’'&.-]*"
_TAIL = r"(?:[A-Z0-9][\w’'&.-]*|[0-9][\w.-]*)"
_NAME = lazy_regex(rf"(?<![\w.-]){_CAPITAL}(?:\s+{_TAIL}|(?:\s+(?:of|for|de|von|van|del|&)(?:\s+the)?)\s+{_CAPITAL})*")
_ACRONYM = lazy_regex(r"\b(?:[A-Z]{2,}[A-Za-z]?(?:-?\d+)?|(?:[A-Z]\.){2,}|[A-Z][a-z]?[A-Z][A-Za-z]*\d*)(?![\w'])")
_SENTENCE_START = lazy_regex(r"(?:^|[.?!:]\s+|[\"“(]\s*)$")
_STOP = lazy_regex(r"[,;:?!()]|\.(?:\s|$)")
_WORD = lazy_regex(r"[^\W_][\w’'&/-]*")
_MEASURE_OF = lazy_regex(r"^[A-Z]{2,6} of (?:the )?(?=\S)")
"""The acronym before a name: "GDP of Norway" is about both."""
_LONGEST_PHRASE = 5
_CAPITALISED = re.compile(r"(?<![\w.'’-])[A-Z][\w&'’]*")
_ANY_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_AFTER_PREPOSITION = lazy_regex(
    r"\b(?:of|in|for|at|from|to|near|by|with)\s+([^\W\d_][\w-]{2,})\s*(?:[?.!,]|$)", re.IGNORECASE
)
_POSSESSIVE = lazy_regex(r"['’]s?$")
_OPENS = lazy_regex(r"(?:^|[.?!:;]|[\"“‘(]\s*)\s*$")
"""What a capital may follow that is only that of a first word."""
_WRITTEN_NUMBER = lazy_regex(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?!\w)|(?<=[A-Za-z])(?:19|20)\d\d(?!\w)")
_SHORTEST_NAME = 3
"""Letters of a name's term; a shorter one is an abbreviation, mostly, which a document may spell out."""
_SHORTEST_NUMBER = 2
"""Digits; a single one is written in words as often."""


def quoted(question: str) -> tuple[str, ...]:
    """Return what stands in quotation marks, each once; what is given as an example of a format is left out."""
    found = (match[1] or match[2] for match in _QUOTED.finditer(without_examples(question)))
    return _distinct(found)


def acronyms(question: str) -> tuple[str, ...]:
    """Return words in capitals: "GDP", "FY2015", "ISEP"; none where the whole question is in capitals."""
    if _is_shouted(question):
        return ()
    found = (match.group() for match in _ACRONYM.finditer(_plain(question)))
    capitals = [name for name in names(question) if " " in name and name.upper() == name]
    return _distinct(
        word for word in found if word.lower() not in NO_NAMES and not any(word in name.split() for name in capitals)
    )


def names(question: str) -> tuple[str, ...]:
    """Return runs of capitalised words: "Best Buy", "Bank of England"; a sentence's first word counts only in a run."""
    if _is_shouted(question):
        return ()
    plain = _plain(question)
    return _distinct(name for match in _NAME.finditer(plain) for name in _trimmed(plain, match))


def phrases(question: str) -> tuple[str, ...]:
    """Return runs of content words, at most five each: "total long-term liabilities", "dividend", "employees"."""
    content = set(terms_near(question))
    return _distinct(phrase for part in _STOP.split(_plain(question)) for phrase in _runs(part, content))


def _plain(question: str) -> str:
    """Return the question without its quoted words, examples of format, and references to pages, tables and so on."""
    return unread(_QUOTED.sub(" , ", without_examples(question)))


def _is_shouted(question: str) -> bool:
    letters = [character for character in question if character.isalpha()]
    return sum(map(str.isupper, letters)) > 0.7 * len(letters)


def _trimmed(plain: str, match: re.Match[str]) -> Iterator[str]:
    """Yield a name without the question word or verb that opens its sentence."""
    words = match.group().split()
    is_first = bool(_SENTENCE_START.search(plain[: match.start()]))
    while words and (_is_plain_word(words[0]) or (is_first and len(words) == 1 and not _is_marked(words[0]))):
        words, is_first = words[1:], False
    while words and words[-1].lower() in ("of", "the", "and", "&", "for"):
        words.pop()
    name = _MEASURE_OF.sub("", re.sub(r"[’']s$", "", " ".join(words)).rstrip(".'’-&"))
    if len(name) > 1 and not name.isdigit():
        yield name


def _is_plain_word(word: str) -> bool:
    bare = re.sub(r"[’'].*$", "", word).strip(".-")
    return is_function_word(bare) or bare.lower() in NO_NAMES


def _is_marked(word: str) -> bool:
    """Return whether a word has a capital or digit inside, so that it is a name also where it opens a sentence."""
    return any(character.isupper() or character.isdigit() for character in word[1:])


def _runs(part: str, content: set[str]) -> Iterator[str]:
    """Yield stretches of the text that are content words with nothing but spaces between."""
    run: list[str] = []
    at = 0
    for word in _WORD.finditer(part):
        is_next = not part[at : word.start()].strip()
        if run and not (is_next and _is_content(word.group(), content)):
            yield " ".join(run[:_LONGEST_PHRASE])
            run = []
        if _is_content(word.group(), content):
            run.append(word.group())
        at = word.end()
    if run:
        yield " ".join(run[:_LONGEST_PHRASE])


def _is_content(word: str, content: set[str]) -> bool:
    return not is_function_word(word) and word.lower() not in EMPTY and bool(content.intersection(analyze(word)))


def _distinct(found: Iterable[str]) -> tuple[str, ...]:
    """Return texts without repeats, letter case aside."""
    kept: dict[str, str] = {}
    for text in found:
        plain = on_one_line(text).strip(" ,.;:?!")
        if plain:
            kept.setdefault(plain.casefold(), plain)
    return tuple(kept.values())


def name_terms(question: str) -> tuple[str, ...]:
    """Return the terms of words with a capital where a sentence needs none, the words that point at places left out."""
    return tuple(dict.fromkeys(_capitalised(_without_places(question))))


def numbers_named(question: str) -> tuple[str, ...]:
    """Return the numbers of a question as terms, those of references and of the answer's form left out."""
    return tuple(dict.fromkeys(_numbers(_without_places(question))))


def _without_places(question: str) -> str:
    text = without_form(question)
    for one in references(question):
        text = text.replace(one.words, " ; ")
    return text


def as_written(question: str, terms: Collection[str]) -> list[str]:
    """Return the names of a question that have some of these terms, as it writes them; neighbouring words together."""
    return _in_runs(question, terms, _CAPITALISED, lambda word: _POSSESSIVE.sub("", word))


def words_as_written(question: str, terms: Collection[str]) -> list[str]:
    """Return the words of a question that have some of these terms, as it writes them; neighbouring words together."""
    return _in_runs(question, terms, _ANY_WORD, str)


def _in_runs(question: str, terms: Collection[str], words: re.Pattern[str], spelt: Callable[[str], str]) -> list[str]:
    runs: list[str] = []
    end = -1
    for found in words.finditer(question):
        if set(terms).isdisjoint(analyze(found.group())):
            continue
        word = spelt(found.group())
        if runs and question[end : found.start()] == " ":
            runs[-1] += f" {word}"
        else:
            runs.append(word)
        end = found.end()
    return list(dict.fromkeys(runs))


_HEADED = lazy_regex(
    r"(?:\b(?P<acts>do|does|did|can|could|will|would|should)\s+)?"
    r"\b(?P<head>the|an?|this|these|any|all|each|of|in|on|at|for|by|about|with|to|from|how many|which|what"
    r"|shows?|depicts?|mentions?|lists?|uses?|have|has)\s+"
    r"(?=(?P<words>(?:(?-i:[a-z])[a-z’'-]+\s+){0,3}(?-i:[a-z])[a-z’'-]+))",
    re.IGNORECASE,
)
_PLURAL = lazy_regex(r"[a-z’'-]{2,}(?<![sui])s")
_NO_NOUN = lazy_regex(r"[a-z’'-]+(?:ed|ing)|colou?rs?")


def things_named(question: str) -> tuple[str, ...]:
    """Return the words in small letters for what a question is about, those of its frame left out.

    They stand after an article, a preposition, "which" or "how many": "walruses" and "pier" in "How many walruses live
    at the pier?".
    """
    found: list[str] = []
    for match in _HEADED.finditer(_plain(question)):
        words = _noun_words(match["words"].split(), match["head"].lower(), acts=bool(match["acts"]))
        found += [word for word in words if not set(analyze(word)) <= FRAME | ABOUT_THE_QUESTION]
    return tuple(dict.fromkeys(found))


def _noun_words(words: list[str], head: str, *, acts: bool) -> list[str]:
    """Return the words that begin a stretch and may be one noun with what describes it."""
    kept = list(takewhile(lambda word: not is_function_word(word) and not _NO_NOUN.fullmatch(word), words))
    if head in ("how many", "which", "what"):
        last = next((at for at, word in enumerate(kept) if _PLURAL.fullmatch(word)), 0 if head != "what" else -1)
        return kept[: last + 1]
    ends_in_verb = acts and len(kept) > 1 and words[len(kept) : len(kept) + 1] != ["have"]
    return kept[:-1] if ends_in_verb else kept


def last_words(question: str) -> tuple[str, ...]:
    """Return terms that may be a name in small letters: the last word, right after "of", "in" and the like."""
    return tuple(term for found in _AFTER_PREPOSITION.finditer(question) for term in analyze(found[1]))


def _capitalised(text: str) -> Iterator[str]:
    """Yield the terms of words with a capital where a sentence needs none."""
    words = [word for word in text.split()[1:] if word[0].isalpha()]
    # In capitals, or as titles are written: then a capital names nothing.
    if not any(word[0].islower() and word not in LOWER_IN_TITLES for word in words):
        return
    for found in _CAPITALISED.finditer(text):
        if not _OPENS.search(text[: found.start()]):
            yield from filter(_is_told, analyze(found.group()))


def _is_told(term: str) -> bool:
    return sum(map(str.isalpha, term)) >= _SHORTEST_NAME and term not in WORKED_OUT


def _numbers(text: str) -> Iterator[str]:
    for found in _WRITTEN_NUMBER.finditer(text):
        if sum(map(str.isdigit, found.group())) >= _SHORTEST_NUMBER:
            yield from analyze(found.group())
