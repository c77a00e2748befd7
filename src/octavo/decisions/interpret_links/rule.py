"""Interpretive links without a model: those that cue words give away.

Owns the cues and what they link: "as explained above" (the text before that shares most terms explains this one), "in
summary" (this one sums up the texts before it in its section), "supersedes the above", "this table shows" right beside
a table. Others are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from octavo.models.analyzer import analyze

_Relation = Literal["explains", "summarizes", "updates"]
_Cued = tuple[int, int, _Relation, str]
_TEXTS = ("paragraph", "list_item")
_SUMMARY = re.compile(
    r"(?:in\s+(?:summary|short|brief|conclusion|sum)|to\s+(?:summari[sz]e|sum\s+up|conclude)|summing\s+up|"
    r"(?:overall|all\s+in\s+all),)",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(
    r"\bas\s+(?:we\s+)?(?:explained|described|defined|discussed)\s+(?:just\s+)?(?:above|earlier|before)\b",
    re.IGNORECASE,
)
_UPDATED = re.compile(
    r"\b(?:supersedes?|replaces?|amends?|corrects?|updates?)\s+(?:the\s+)?(?:above|foregoing|preceding|previous)\b",
    re.IGNORECASE,
)
_READING = re.compile(
    r"(?:as\s+)?(?:the|this|these)\s+(?P<before>(?:above|below|following|preceding)\s+)?"
    r"(?P<what>table|figure|chart|graph|diagram|equation|formula)s?(?P<after>\s+(?:above|below))?\s+"
    r"(?:shows?|illustrates?|depicts?|compares?|presents?|summari[sz]es?|indicates?|gives?)\b",
    re.IGNORECASE,
)
_KIND_OF = {"table": ("table",), "equation": ("formula",), "formula": ("formula",)}
_SUMMED = 3
"""Texts before a summary that it is linked to."""
_LEAST_SHARED = 3
_REACH = 4


def cued(blocks: Sequence[tuple[int, str, str]]) -> list[_Cued]:
    """Return (source, target, relation, words) of blocks given as (number, kind, text) in reading order."""
    found: list[_Cued] = []
    for at, (number, kind, text) in enumerate(blocks):
        if kind not in _TEXTS:
            continue
        before = _texts_before(blocks, at)
        if cue := _SUMMARY.match(text):
            found.extend((number, other, "summarizes", cue.group()) for other in before[:_SUMMED])
        if (cue := _EXPLAINED.search(text)) and (other := _most_alike(blocks[:at], text)) is not None:
            found.append((other, number, "explains", " ".join(cue.group().split())))
        if before and (cue := _UPDATED.search(text)):
            found.append((number, before[0], "updates", cue.group()))
        found.extend((number, other, "explains", words) for other, words in _read_beside(blocks, at))
    return found


def _texts_before(blocks: Sequence[tuple[int, str, str]], at: int) -> list[int]:
    """Return the texts before a block in its section, nearest first."""
    texts: list[int] = []
    for number, kind, _ in reversed(blocks[:at]):
        if kind == "heading":
            break
        if kind in _TEXTS:
            texts.append(number)
    return texts


def _most_alike(before: Sequence[tuple[int, str, str]], text: str) -> int | None:
    """Return the text before that shares most terms with a text, the nearest of equals; None when few are shared."""
    terms = set(analyze(text))
    best, most = None, _LEAST_SHARED - 1
    for number, kind, other in reversed(before):
        shared = len(terms & set(analyze(other))) if kind in _TEXTS else 0
        if shared > most:
            best, most = number, shared
    return best


def _read_beside(blocks: Sequence[tuple[int, str, str]], at: int) -> Iterator[tuple[int, str]]:
    """Yield the nearest element of the kind that the text says it reads, on the side it says, and the words."""
    cue = _READING.search(blocks[at][2])
    if not cue:
        return
    kinds = _KIND_OF.get(cue["what"].lower(), ("figure", "chart"))
    side = (cue["before"] or cue["after"] or "").strip().lower()
    first = at + 1 if side in ("below", "following") else max(0, at - _REACH)
    stop = at if side in ("above", "preceding") else min(len(blocks), at + _REACH + 1)
    beside = [other for other in range(first, stop) if blocks[other][1] in kinds]
    if beside:
        yield blocks[min(beside, key=lambda other: (abs(other - at), other))][0], " ".join(cue.group().split())
