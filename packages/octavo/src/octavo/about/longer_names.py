"""Names that go on: "Anchor Bay Lines" is another than "Anchor", where documents of both are there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from octavo.about.issuer_keys import issuer_key
from octavo.about.names import BETWEEN, placed_words, tells
from octavo.about.profile import DocumentProfile
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.document_kinds import kind_spans

_OWN = 0.6
"""How surely the word by which a name goes on is a name in its document: most words of titles are not."""
_GOES_ON = lazy_regex(r"(?:[ \t]+|[ \t]?[-&][ \t]?)(?:(?:and|of|the|und|et|y|de|la)[ \t]+)?")
"""What stands between the words of one name."""
_VERSION = lazy_regex(r"(?:v|rev|ed)\d*", re.IGNORECASE)


def of_longer_names(
    profiles: Sequence[DocumentProfile], rows: Iterable[int], name: str, asked: Collection[str]
) -> set[int]:
    """Return those of some documents whose issuer or title goes on behind a name, where others bear it as it is.

    `name` is a word of it as names are compared, `asked` are all words of the question, which ask for the longer name
    where they have its further words. Where all issuers of that name are one, its short form is what is asked.
    """
    exact, longer, further = set[int](), set[int](), set[str]()
    rows = [*rows]
    issuers = {row: _issuers(profiles[row], name) for row in rows}
    is_one = len({issuer for own in issuers.values() for issuer in own}) == 1
    for row in rows:
        ends = [_next(issuer) for issuer in issuers[row]] or _behind(profiles[row].title, name, profiles[row])
        others = {word for word in ends if word} - {*asked}
        if others and all(ends) and not (is_one and issuers[row]):
            longer.add(row)
            further |= others
        elif ends and not others:
            exact.add(row)
    if not exact or not longer:
        return set()
    own = (row for row in rows if row not in exact and not issuers[row])
    return longer.union(row for row in own if any(profiles[row].words.get(word, 0.0) >= _OWN for word in further))


def _issuers(profile: DocumentProfile, name: str) -> list[str]:
    """Return who issued a document, or its parties, as names are compared, of those that begin with a name."""
    keys = [issuer_key(issuer) for issuer in profile.issuer.split(BETWEEN)]
    return [key for key in keys if key.split()[:1] == [name]]


def _next(issuer: str) -> str:
    return next(iter(issuer.split()[1:]), "")


def _behind(text: str, name: str, profile: DocumentProfile) -> list[str]:
    """Return the word by which each place of a name in a text goes on, "" where the name ends there."""
    words = [*placed_words(text)]
    found = list[str]()
    for at, word in enumerate(words):
        if word.key != name:
            continue
        last, after = word, None
        for after in words[at + 1 :]:
            if not after.key.isdigit():
                break
            last = after  # "Luxacem 2 Plus": its number is of the name
        goes_on = (
            after is not None
            and after is not last
            and _GOES_ON.fullmatch(text[last.start + len(last.written) : after.start])
            and after.written[0].isupper()
            and tells(after.key)
            and not _VERSION.fullmatch(after.key)
            and profile.words.get(after.key, 0.0) >= _OWN
            and not any(start <= after.start < end for start, end in kind_spans(text))
        )
        found.append(after.key if after is not None and goes_on else "")
    return found
