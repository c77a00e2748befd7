"""The pages of a document by the numbers printed on them.

Owns which page "page iv" is. Knows nothing about references.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from octavo.document import FURNITURE, Kind
from octavo.structuring.drafts import Draft
from octavo.structuring.references.pointers import value

_PRINTED = re.compile(
    r"(?:page|p\.)?\s*[-–|·]?\s*(?P<alone>\d{1,4}|[ivxlc]{1,7})\s*[-–|·]?|(?P<first>\d{1,4})\s+\D.*|.*\D\s(?P<last>\d{1,4})",
    re.I,
)
_FEWEST = 3


def page_numbers(pages: Sequence[Sequence[Draft]], labels: Sequence[str]) -> dict[str, int]:
    """Return the page (0-based) of each printed number, in capitals; `labels` are those the file states.

    A number counts where at least three pages print numbers that count with the pages. What no page prints is looked
    for among the file's labels.
    """
    printed: dict[str, int] = {}
    seen = [(at, number) for at, page in enumerate(pages) for number in _numbers(page)]
    for is_roman in (False, True):
        own = [(at, number) for at, number in seen if number[0].isdigit() != is_roman]
        offsets = Counter(value(number) - at for at, number in own)
        trusted = {offset for offset, count in offsets.items() if count >= _FEWEST}
        for at, number in own:
            if value(number) - at in trusted:
                printed.setdefault(number, at)
    for at, label in enumerate(labels):
        printed.setdefault(label.upper(), at)
    return printed


def _numbers(page: Sequence[Draft]) -> list[str]:
    texts = [item.text.strip() for item in page if item.kind in FURNITURE]
    found = [match for text in texts if (match := _PRINTED.fullmatch(text))]
    return [(match["alone"] or match["first"] or match["last"]).upper() for match in found]


def first_block(page: Sequence[Draft]) -> Draft | None:
    """Return the first block of a page that is no header, the page's heading when it comes right after a picture."""
    content = [item for item in page if item.kind not in FURNITURE]
    return next((item for item in content[:2] if item.kind == Kind.HEADING), content[0] if content else None)
