"""Remarks on how pages are numbered, which point at no page: "(first page = 1)", "counting the cover as page 1"."""

from __future__ import annotations

import re
from functools import lru_cache

from octavo_documents.text.things import NAMES

_PAGE = f"(?:{NAMES['page']})"
_COVER = (
    rf"(?:the\s+)?(?:(?:very\s+first|first|front|cover|title)\s+(?:[\w']+\s+)?{_PAGE}|(?:front\s+)?cover)\b"
    r"(?:\s+(?:of|in)\s+(?:the|this)\s+\w+)?"
)
_ENDS = r"(?=\s*(?:[)\],.;:?!]|\Z|and\b|or\b|not\b))"
_ONE = rf"(?:(?:[\w']+\s+)?{_PAGE}\s+(?:(?:number|no\.?|#)\s*)?(?:1|one)(?![.,]?\w)|(?:number\s+)?(?:1|one){_ENDS})"
_NO_MORE = rf"(?!\s*(?:[-–—]|(?:to|through|until)\b|(?:,|,?\s*\b(?:and|or)\b|&)\s*(?:{_PAGE}\s+)?\d))"
"""No range and no list of pages begins there."""
_ASIDE = (
    r"(?:(?:\A|[(\[,;:.?!])\s*|\b(?:with|where|when|so\s+that|that|count|counting|taking|treating|having|assum\w+|us(?:e|ing)"
    r"|and)\s+)(?:the\s+)?(?:(?:pdf|file|physical)(?:['’]s)?\s+)?"
)
_IS_NUMBERED = r"(?:(?:is|being)(?:\s+(?:numbered|called|counted\s+as))?|as|(?:counts|counted)\s+as|has\s+the)\b"
_NUMBERING = (
    rf"{_ASIDE}(?:{_COVER}\s*(?::|\b{_IS_NUMBERED})\s*{_ONE}{_NO_MORE}"
    rf"|{_PAGE}\s+(?:number\s+)?(?:1|one)\s+(?:is|being|as|means)\s+{_COVER})"
    rf"|\b(?:{_COVER}\s*=\s*{_ONE}|{_PAGE}\s+(?:number\s+)?(?:1|one)\s*=\s*{_COVER})"
    rf"|\b(?:count(?:ed|ing)?|number(?:ed|ing))\s+(?:(?:the|all|pdf|{_PAGE})\s+){{0,3}}?(?:start\w*\s+|begin\w*\s+)?"
    rf"(?:from|at|with)\s+(?:{_COVER}|{_ONE}){_NO_MORE}"
)


@lru_cache(maxsize=1)
def _numbering() -> re.Pattern[str]:
    """Return the pattern, which is compiled when it is first used."""
    return re.compile(_NUMBERING, re.IGNORECASE)


def numbering_spans(question: str) -> list[tuple[int, int]]:
    """Return where a question says how pages are numbered, as (start, stop)."""
    return [found.span() for found in _numbering().finditer(question)]
