"""Normal forms of answers, and literals in answers read with limits; nothing in them is ever executed."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Sequence
from typing import cast

LONGEST = 20_000
"""Characters of a literal that is read."""
DEEPEST = 12
"""Brackets inside brackets of a literal that is read."""

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_CITATION = re.compile(r"\s?\[\d+(?:,\s*\d+)*\]")

REFUSALS = frozenset({"not answerable", "unanswerable", "fail to answer", "cannot be answered", "no answer"})


def normalize(text: str) -> str:
    """Lower the case, drop punctuation and English articles, and collapse white space (the SQuAD normal form)."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def tokens(text: str) -> list[str]:
    """Return the words of the normal form."""
    return normalize(text).split()


def is_refusal(text: str) -> bool:
    """Return whether a final answer says that there is none."""
    return normalize(text) in REFUSALS


def without_citations(text: str) -> str:
    """Drop citation marks such as "[1]" or "[2, 3]"."""
    return _CITATION.sub("", text)


def references(answer: object, answer_format: str) -> list[str]:
    """Return the acceptable answers as texts: a list gives alternatives unless the format is itself a list."""
    several = sequence(answer)
    if several is None:
        return [str(answer)]
    return [", ".join(map(str, several))] if answer_format == "List" else [str(item) for item in several]


def sequence(value: object) -> Sequence[object] | None:
    """Return a list or tuple as it is, None for anything else."""
    return cast(Sequence[object], value) if isinstance(value, (list, tuple)) else None


def aliases(answer: object) -> list[list[str]]:
    """Return short answers as lists of their aliases; a plain text is an answer with itself as only alias."""
    groups = sequence(answer)
    return [list(map(str, sequence(group) or [group])) for group in ([answer] if groups is None else groups)]


def items(answer: object) -> list[str]:
    """Return an answer as a list of texts; a text that holds a literal list is read as that list."""
    several = sequence(answer)
    if several is not None:
        return [str(item) for item in several]
    found = parse_list(str(answer))
    return [str(answer)] if found is None else [str(item) for item in found]


def parse_list(text: str) -> list[object] | None:
    """Return the literal list that a text starting with "[" is, None for any other, or one that is too long or deep."""
    if not text.startswith("[") or len(text) > LONGEST or _depth(text) > DEEPEST:
        return None
    try:
        found = cast(object, ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return cast("list[object]", found) if isinstance(found, list) else None


def _depth(text: str) -> int:
    """Return the deepest nesting of brackets; brackets inside quotes count too, which only makes it stricter."""
    depth = deepest = 0
    for character in text:
        if character in "([{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in ")]}":
            depth -= 1
    return deepest
