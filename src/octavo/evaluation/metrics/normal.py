"""Normal forms of answers, shared by the text metrics.

Owns lower-casing, punctuation, articles and the words that mean "not answerable". Knows nothing about scores.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from typing import cast

from octavo.evaluation.metrics.literals import parse_list

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
    if several is not None and answer_format != "List":
        return [str(item) for item in several]
    return [as_text(answer)]


def sequence(value: object) -> Sequence[object] | None:
    """Return a list or tuple as it is, None for anything else."""
    return cast(Sequence[object], value) if isinstance(value, (list, tuple)) else None


def as_text(answer: object) -> str:
    """Return an answer as one text; the items of a list are joined by ", "."""
    several = sequence(answer)
    return str(answer) if several is None else ", ".join(map(str, several))


def items(answer: object) -> list[str]:
    """Return an answer as a list of texts; a text that holds a literal list is read as that list."""
    several = sequence(answer)
    if several is not None:
        return [str(item) for item in several]
    found = parse_list(str(answer))
    return [str(answer)] if found is None else [str(item) for item in found]
