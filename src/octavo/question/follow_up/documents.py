"""Which documents a fragment means: "and in the second report?", "what about handbook.pdf?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo.question.follow_up.turn import PastTurn
from octavo.question.words import DOCUMENT

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_PLACED = re.compile(
    rf"^(?:in|on|by|according to)?\s*the\s+(?P<which>{'|'.join(_ORDINALS)}|last|other)\s+"
    rf"(?P<noun>{DOCUMENT})$",
    re.IGNORECASE,
)
_OPENING = re.compile(r"^(?:in|on|by|for|of|according to)\s+", re.IGNORECASE)


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
