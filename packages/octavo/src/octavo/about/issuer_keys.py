"""Who issued the documents of a library, as names are compared, and what else each is called in any of them."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence

from octavo.about.names import BETWEEN, initials_of_issuer, is_legal_form, tells, words_of
from octavo.about.profile import DocumentProfile

_IN_FULL = 0.9
"""How surely the words of an issuer's names are those of a document that is its, as where it says so itself."""
_SHORTEST = 4
"""Letters of a word by which a file or a folder alone may say whose it is."""
_OWN = 0.6
"""How surely a word is a name of a document that says no issuer, at least, for it to be of an issuer of that name."""


def issuer_key(name: str) -> str:
    """Return a name of an issuer as such names are compared: without case and legal form."""
    return " ".join(word for word, _ in words_of(name) if not is_legal_form(word))


def issuers_of(profiles: Sequence[DocumentProfile]) -> list[str]:
    """Return who issued each document, by the newest name; "" where none is told.

    A document that says no issuer is of the one whose whole name its own names hold, where that is one alone.
    """
    renamed = _renamed(profiles)
    said = ["" if BETWEEN in profile.issuer else issuer_key(profile.issuer) for profile in profiles]
    by_word: dict[str, set[str]] = defaultdict(set)
    for key in {*said} - {""}:
        by_word[key.partition(" ")[0]].add(key)
    found = [key or _of_names(profile, by_word) for key, profile in zip(said, profiles, strict=True)]
    return [renamed.get(key, key) for key in found]


def _renamed(profiles: Sequence[DocumentProfile]) -> dict[str, str]:
    """Return the newest names of issuers by those that they had before, both as they are compared."""
    told = [one for one in profiles if one.former and one.issuer]
    return {issuer_key(former): issuer_key(one.issuer) for one in told for former in one.former}


def _of_names(profile: DocumentProfile, by_word: dict[str, set[str]]) -> str:
    own = {word for word, strength in profile.words.items() if strength >= _OWN}
    held = {key for word in own & by_word.keys() for key in by_word[word] if own.issuperset(key.split())}
    return held.pop() if len(held) == 1 else ""


def called_of(profiles: Sequence[DocumentProfile], issuers: Sequence[str]) -> dict[str, set[str]]:
    """Return the issuers by the words that any of their documents has for them: short forms, tickers, former names.

    One that was renamed is called by either name in all that it issued.
    """
    found: dict[str, set[str]] = defaultdict(set)
    renamed = {issuer for issuer, profile in zip(issuers, profiles, strict=True) if profile.former}
    for issuer, profile in zip(issuers, profiles, strict=True):
        if issuer:
            called = [*profile.short_forms, *profile.former, *([profile.issuer] if issuer in renamed else [])]
            for word, _ in words_of(" ".join(called)):
                if not is_legal_form(word):
                    found[word].add(issuer)
    return found


def told_by_others(profiles: Sequence[DocumentProfile]) -> list[DocumentProfile]:
    """Return profiles with what other documents of the library tell of whose they are.

    A contract is called by all names of its parties. A document without an issuer whose title, file or folder begins
    with the first word of one issuer, and of no other here, is that one's: where a folder alone says so, less surely.
    """
    issuers, renamed = issuers_of(profiles), _renamed(profiles)
    called = _words_called(profiles, issuers)
    names = _first_words(profiles, issuers)
    found = list[DocumentProfile]()
    for profile, issuer in zip(profiles, issuers, strict=True):
        if BETWEEN in profile.issuer:
            keys = [issuer_key(name) for name in profile.issuer.split(BETWEEN)]
            words = {word: _IN_FULL for key in keys for word in called.get(renamed.get(key, key), ())}
            found.append(_with_words(profile, words))
        elif not issuer:
            found.append(_as_of(profile, names, called))
        else:
            found.append(profile)
    return found


def _as_of(
    profile: DocumentProfile, names: Mapping[str, tuple[str, str]], called: Mapping[str, set[str]]
) -> DocumentProfile:
    """Return a document without an issuer as that of the one whose first word it begins with, by the surest place."""
    sure = {word: strength for word, strength in profile.beginnings.items() if word in names}
    word = max(sure, key=lambda word: (sure[word], word), default="")
    if not word or len({names[other] for other in sure if sure[other] == sure[word]}) > 1:
        return profile
    key, written = names[word]
    own = profile.words.get(word, 0.0)
    is_sure = own >= _OWN
    words = dict.fromkeys(called[key], _IN_FULL if is_sure else sure[word])
    return dataclasses.replace(_with_words(profile, words), issuer=written if is_sure else "")


def _with_words(profile: DocumentProfile, words: Mapping[str, float]) -> DocumentProfile:
    stronger = {word: max(strength, profile.words.get(word, 0.0)) for word, strength in words.items()}
    return dataclasses.replace(profile, words={**profile.words, **stronger}) if words else profile


def _words_called(profiles: Sequence[DocumentProfile], issuers: Sequence[str]) -> dict[str, set[str]]:
    """Return by issuer the words of its name, its initials, and what any of its documents calls it."""
    found: dict[str, set[str]] = defaultdict(set)
    for issuer, profile in zip(issuers, profiles, strict=True):
        if issuer and profile.issuer:
            found[issuer].update(filter(tells, issuer.split()))
            found[issuer].update(initials_of_issuer(profile.issuer))
    for word, keys in called_of(profiles, issuers).items():
        for key in keys:
            found[key].add(word)
    return found


def _first_words(profiles: Sequence[DocumentProfile], issuers: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return by the first words of issuers the issuer, as compared and as written, that alone has it as a name here."""
    keys: dict[str, set[str]] = defaultdict(set)
    written = dict[str, str]()
    for issuer, profile in zip(issuers, profiles, strict=True):
        if issuer and profile.issuer:
            keys[issuer.partition(" ")[0]].add(issuer)
            written.setdefault(issuer, profile.issuer)
    alone = {
        word: key for word, (key, *others) in keys.items() if not others and len(word) >= _SHORTEST and tells(word)
    }
    for issuer, profile in zip(issuers, profiles, strict=True):
        if issuer:
            for word in alone.keys() & profile.words.keys():
                if alone[word] != issuer and profile.words[word] >= _OWN:
                    del alone[word]
    return {word: (key, written[key]) for word, key in alone.items()}
