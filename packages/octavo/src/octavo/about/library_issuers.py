"""Whose documents are that do not say it themselves, as the other documents and the folders of a library tell it."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from octavo.about.issuer_keys import OWN, called_of, issuer_key, issuers_of, renamed_of
from octavo.about.names import BETWEEN, initials, initials_of_issuer, tells, words_of
from octavo.about.profile import OF_FOLDER, DocumentProfile
from octavo_documents.text.language_identification import language_of
from octavo_documents.text.languages import language

_IN_FULL = 0.9
"""How surely the words of an issuer's names are those of a document that is its, as where it says so itself."""
_SHORTEST = 4
"""Letters of a word by which a file or a folder alone may say whose it is."""
_SEVERAL = 2
"""Documents at whose head a name stands, at least, and those of a folder that are of one issuer."""
_OF_ALL = 0.6
"""How surely the other documents of a folder are of one of whom all are that say an issuer."""
_MOST_OF = 2 / 3
"""Share of the documents of a folder that say an issuer for it to be whose the folder is."""


@dataclasses.dataclass(frozen=True)
class _Known:
    """Who is known in a library: how each is written, by the name as names are compared."""

    written: Mapping[str, str]
    by_first: Mapping[str, set[str]]
    """The names by their first word."""

    @classmethod
    def of(cls, written: Mapping[str, str]) -> _Known:
        """Return it with the names looked up by their first words."""
        by_first: dict[str, set[str]] = defaultdict(set)
        for key in written:
            by_first[key.partition(" ")[0]].add(key)
        return cls(written, by_first)

    def called(self, name: str) -> str:
        """Return who a name at the head of a document is: that name, one that it begins or goes on; else ""."""
        key = issuer_key(name)
        if key in self.written:
            return key
        words = key.split()
        alike = self.by_first.get(words[0], ()) if words else ()
        begins = [one for one in alike if " " in one and f"{key} ".startswith(f"{one} ")]
        if begins:
            return max(begins, key=len)
        longer = [one for one in alike if len(words) > 1 and (_holds(one, words) or _is_short_for(words, one))]
        return longer[0] if len(longer) == 1 else ""

    def in_folder(self, folder: Sequence[str]) -> str:
        """Return who alone has all words of a folder, or of it and the one that it is in, in the name; else "".

        Whose name is no longer goes before others: "Kestrel/Energy" is not of Kestrel Energy Services.
        """
        for names in (folder[-1:], folder):
            words = [word for name in names for word, _ in words_of(name) if tells(word)]
            found = [key for key in self.written if _holds(key, words)] if len(words) >= _SEVERAL else []
            whole = [key for key in found if len(key.split()) == len(words)]
            if len(whole or found) == 1:
                return (whole or found)[0]
        return ""


def told_by_others(profiles: Sequence[DocumentProfile]) -> list[DocumentProfile]:
    """Return profiles with what other documents of the library tell of whose they are.

    A contract is called by all names of its parties. A document without an issuer is of whoever is known here and
    stands at its head; or whose title, file or folder begins with the first word of one issuer, and of no other here;
    or whose folder holds its name, or mostly its documents. Where a folder alone says so, that is less sure.
    """
    found = _headed(profiles)
    issuers, renamed = issuers_of(found), renamed_of(found)
    called = _words_called(found, issuers)
    known = _known(found)
    names = _first_words(found, issuers)
    folders = _issuers_of_folders(found, issuers)
    told = list[DocumentProfile]()
    for said, profile, issuer in zip(profiles, found, issuers, strict=True):
        if BETWEEN in profile.issuer:
            keys = [issuer_key(name) for name in profile.issuer.split(BETWEEN)]
            words = {word: _IN_FULL for key in keys for word in called.get(renamed.get(key, key), ())}
            told.append(_with_words(profile, words))
        elif profile.issuer != said.issuer:
            told.append(_with_words(profile, dict.fromkeys(called[issuer], _IN_FULL)))
        elif issuer:
            told.append(profile)
        else:
            of_name = _as_of(profile, names, called)
            told.append(of_name if of_name.issuer else _by_folder(of_name, known, folders, called))
    return told


def _headed(profiles: Sequence[DocumentProfile]) -> list[DocumentProfile]:
    """Return profiles with the issuers of those that say none and have one at their head who is known here."""
    known = _known(profiles)
    known = _Known.of({**_repeated(profiles, known), **known.written})
    found = list[DocumentProfile]()
    for profile in profiles:
        key = "" if profile.issuer else _at_head(profile, known)
        found.append(dataclasses.replace(profile, issuer=known.written[key]) if key else profile)
    return found


def _at_head(profile: DocumentProfile, known: _Known) -> str:
    """Return who of those known stands in a title, or first below it; else ""."""
    for name in _first_heads(profile):
        if key := known.called(name):
            return key
    return ""


def _first_heads(profile: DocumentProfile) -> Iterator[str]:
    """Yield the names of a title, and the first below it: what comes then may be to whom a letter goes."""
    for name in profile.heads:
        yield name
        if name not in profile.title:
            return


def _known(profiles: Sequence[DocumentProfile]) -> _Known:
    """Return who any document says that it is of, or between whom a contract is."""
    written = dict[str, str]()
    for profile in profiles:
        for name in profile.issuer.split(BETWEEN) if profile.issuer else ():
            if key := issuer_key(name):
                written.setdefault(key, name)
    return _Known.of(written)


def _repeated(profiles: Sequence[DocumentProfile], known: _Known) -> dict[str, str]:
    """Return the names that stand at the head of several documents and that their places tell too, by their keys.

    That is by a word that none of them writes without a capital, in the name of a folder, or by initials. What is the
    whole title of each, or heads a document of another issuer, is no name of one; and where a capital marks any noun,
    none is known by it.
    """
    headed: dict[str, list[tuple[str, DocumentProfile]]] = defaultdict(list)
    for profile in profiles:
        for name in _first_heads(profile):
            if not known.called(name):
                headed[issuer_key(name)].append((name, profile))
    return {key: places[0][0] for key, places in headed.items() if key and _is_issuer(places)}


def _is_issuer(places: Sequence[tuple[str, DocumentProfile]]) -> bool:
    if len(places) < _SEVERAL or any(profile.issuer for _, profile in places):
        return False
    if all(_is_whole(written, profile.title) for written, profile in places):
        return False
    own = set[str].intersection(*({*profile.heads[written].split()} for written, profile in places))
    if not own or language(language_of(" ".join(written for written, _ in places))).capitals == "nouns":
        return False
    in_folders = {word for _, profile in places for folder in profile.folders for word, _ in words_of(folder)}
    first = {word for _, profile in places for word in profile.beginnings}
    return bool(own & in_folders or initials(places[0][0]) & (in_folders | first))


def _is_whole(name: str, title: str) -> bool:
    """Whether a name is all that a title says but for numbers."""
    said = [word for word, _ in words_of(title) if not any(map(str.isdigit, word))]
    return said == [word for word, _ in words_of(name)]


def _issuers_of_folders(
    profiles: Sequence[DocumentProfile], issuers: Sequence[str]
) -> dict[tuple[str, ...], tuple[str, float]]:
    """Return by folder the issuer of most documents in it that say one, where its name is told by the folder's.

    With it stands how surely the others are that one's too: more so where all that say one say the same.
    """
    counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for profile, issuer in zip(profiles, issuers, strict=True):
        if issuer:
            for folder in _folders_of(profile):
                counts[folder][issuer] += 1
    found = dict[tuple[str, ...], tuple[str, float]]()
    for folder, counted in counts.items():
        (issuer, count) = counted.most_common(1)[0]
        is_named = any(tells(word) and word in issuer.split() for word, _ in words_of(folder[-1]))
        if is_named and count >= _SEVERAL and count >= _MOST_OF * counted.total():
            found[folder] = issuer, _OF_ALL if count == counted.total() > _SEVERAL else OF_FOLDER
    return found


def _folders_of(profile: DocumentProfile) -> Iterator[tuple[str, ...]]:
    """Yield the folders that a document lies in, the innermost first, each with the one that it is in."""
    for at in range(len(profile.folders), 0, -1):
        yield profile.folders[max(0, at - 2) : at]


def _by_folder(
    profile: DocumentProfile,
    known: _Known,
    folders: Mapping[tuple[str, ...], tuple[str, float]],
    called: Mapping[str, Iterable[str]],
) -> DocumentProfile:
    """Return a document without an issuer as that of whose folder it lies in, as far as that tells."""
    for folder in _folders_of(profile):
        key, strength = folders.get(folder) or (known.in_folder(folder), OF_FOLDER)
        if key:
            own = {word for word in key.split() if tells(word)}
            return _with_words(profile, dict.fromkeys(own.union(called.get(key, ())), strength))
    return profile


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
    is_sure = own >= OWN
    words = dict.fromkeys(called[key], _IN_FULL if is_sure else sure[word])
    return dataclasses.replace(_with_words(profile, words), issuer=written if is_sure else "")


def _holds(key: str, words: Iterable[str]) -> bool:
    return {*words} <= {*key.split()}


def _is_short_for(words: Sequence[str], key: str) -> bool:
    """Whether words are the first of a name and the initials of those behind it: "Lowfell HA"."""
    begins = " ".join(words[:-1])
    return key.startswith(f"{begins} ") and words[-1] in initials(key[len(begins) + 1 :])


def _with_words(profile: DocumentProfile, words: Mapping[str, float]) -> DocumentProfile:
    stronger = {word: max(strength, profile.words.get(word, 0.0)) for word, strength in words.items()}
    return dataclasses.replace(profile, words={**profile.words, **stronger}) if words else profile


def _words_called(profiles: Sequence[DocumentProfile], issuers: Sequence[str]) -> dict[str, set[str]]:
    """Return by issuer the words of its name, its initials, and what any of its documents calls it."""
    found: dict[str, set[str]] = defaultdict(set)
    for issuer, profile in zip(issuers, profiles, strict=True):
        if issuer and profile.issuer and BETWEEN not in profile.issuer:
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
        if issuer and profile.issuer and BETWEEN not in profile.issuer:
            keys[issuer.partition(" ")[0]].add(issuer)
            written.setdefault(issuer, profile.issuer)
    alone = {
        word: key for word, (key, *others) in keys.items() if not others and len(word) >= _SHORTEST and tells(word)
    }
    for issuer, profile in zip(issuers, profiles, strict=True):
        if issuer:
            for word in alone.keys() & profile.words.keys():
                if alone[word] != issuer and profile.words[word] >= OWN:
                    del alone[word]
    return {word: (key, written[key]) for word, key in alone.items()}
