"""Who issued the documents of a library, as names are compared, and what else each is called in any of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from octavo.about.names import BETWEEN, is_legal_form, tells, words_of
from octavo.about.profile import DocumentProfile

OWN = 0.6
"""How surely a word is a name of a document that says no issuer, at least, for it to be of an issuer of that name."""


def issuer_key(name: str) -> str:
    """Return a name of an issuer as such names are compared: without case and legal form."""
    return " ".join(word for word, _ in words_of(name) if not is_legal_form(word))


def issuers_of(profiles: Sequence[DocumentProfile]) -> list[str]:
    """Return who issued each document, by the newest name; "" where none is told.

    A document that says no issuer is of the one whose whole name its own names hold, where that is one alone.
    """
    renamed = renamed_of(profiles)
    said = ["" if BETWEEN in profile.issuer else issuer_key(profile.issuer) for profile in profiles]
    by_word: dict[str, set[str]] = defaultdict(set)
    for key in {*said} - {""}:
        by_word[key.partition(" ")[0]].add(key)
    found = [key or _of_names(profile, by_word) for key, profile in zip(said, profiles, strict=True)]
    return [renamed.get(key, key) for key in found]


def renamed_of(profiles: Sequence[DocumentProfile]) -> dict[str, str]:
    """Return the newest names of issuers by those that they had before, both as they are compared."""
    told = [one for one in profiles if one.former and one.issuer]
    return {issuer_key(former): issuer_key(one.issuer) for one in told for former in one.former}


def _of_names(profile: DocumentProfile, by_word: dict[str, set[str]]) -> str:
    own = {word for word, strength in profile.words.items() if strength >= OWN}
    held = {key for word in own & by_word.keys() for key in by_word[word] if own.issuperset(filter(tells, key.split()))}
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
