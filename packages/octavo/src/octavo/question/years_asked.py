"""The years a question looks for, in whatever form it writes them; one that only bounds others is not looked for."""

from __future__ import annotations

import re

from octavo_documents.lazy import lazy_regex
from octavo_documents.text.years import named_years, plain_years

_BOUND = lazy_regex(
    r"\b(?:after|before|since|until|till|by|from|to|through|between|and|around|about|than"
    r"|nach|vor|seit|bis|ab|zwischen|und|um|après|avant|depuis|jusqu['’](?:en|à)|entre|et|vers|de"
    r"|después de|antes de|desde|hasta|hacia|y|a)\s+(?:[^\W\d_]+\s+){0,2}\Z",
    re.IGNORECASE,
)
_IN = lazy_regex(r"\b(?:in|of|for|im|en|du|del|de[l ]?)\s+(?:[^\W\d_]+\s+)?\Z", re.IGNORECASE)
_BOUND_AFTER = lazy_regex(r"\s*年?度?末?(?:以[降前后後来來]|之[前后後]|前|[后後]|から|まで|より)")


def years_looked_for(question: str) -> tuple[tuple[str, int], ...]:
    """Return the years a question is about, each as it writes it in plain digits and as a number."""
    plain = plain_years(question)
    found = {
        year: written
        for written, year, start, stop in named_years(plain)
        if not _BOUND_AFTER.match(plain, stop) and (_IN.search(plain[:start]) or not _BOUND.search(plain[:start]))
    }
    return tuple((written, year) for year, written in found.items())
