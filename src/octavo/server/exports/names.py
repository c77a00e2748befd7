"""Who wrote a document, out of the one line that a file has for it."""

from __future__ import annotations

import dataclasses
import re

_BETWEEN = re.compile(r"\s*(?:;|\n|\s+and\s+|\s*&\s*(?=\w+[\s,])|\|)\s*", re.IGNORECASE)
_BODY = re.compile(
    r"\b(inc|ltd|llc|corp|co|gmbh|ag|plc|company|university|institute|department|division|office|ministry|group|"
    r"committee|association|society|authors|team|center|centre|council|agency|bank|foundation|laboratory|station|research|survey|press|museum|school|library|service|services|authority|"
    r"commission|systems|technologies|online|online help)\b\.?"
    r"|\b(of|the|for)\b|[\d@/]",
    re.IGNORECASE,
)
_PARTICLES = frozenset(
    {"van", "von", "de", "der", "den", "di", "da", "del", "della", "la", "le", "du", "ter", "ten", "al"}
)
_MOST_WORDS = 4
"""Words of a person's name, at most."""


@dataclasses.dataclass(frozen=True, slots=True)
class Name:
    """A person by family and given name, or a body by its `literal` name."""

    family: str = ""
    given: str = ""
    literal: str = ""

    @property
    def inverted(self) -> str:
        """The name as bibliographies sort it: "Family, Given", or the literal name."""
        return self.literal or (f"{self.family}, {self.given}" if self.given else self.family)


def names_of(author: str) -> tuple[Name, ...]:
    """Return the authors in a line such as "Ann Lee; Bo Ek", "Lee, Ann and Ek, Bo" or "Harbour Office"."""
    if _BODY.search(author) and not re.search(r";|\|", author):
        return (Name(literal=author),)
    return tuple(name for part in _BETWEEN.split(author) if part for name in _of_part(part.strip(" ,")))


def _of_part(part: str) -> list[Name]:
    if _BODY.search(part):
        return [Name(literal=part)]
    pieces = [piece.strip() for piece in part.split(",") if piece.strip()]
    if len(pieces) == 2 and len(pieces[0].split()) <= 2 and not all(" " in piece for piece in pieces):
        return [Name(family=pieces[0], given=pieces[1])]
    return [_of_person(piece) for piece in pieces]


def _of_person(text: str) -> Name:
    words = text.split()
    if not 2 <= len(words) <= _MOST_WORDS:
        return Name(literal=text)
    first = len(words) - 1
    while first > 1 and words[first - 1].lower() in _PARTICLES:
        first -= 1
    return Name(family=" ".join(words[first:]), given=" ".join(words[:first]))
