"""A printed table of contents: which blocks are its entries, and what it says about sections.

Owns the telling of entries. Knows nothing about type or numbering.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from octavo.document import FURNITURE, Kind
from octavo.structuring.drafts import Draft

_PAGE = r"(?P<page>\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})"
_LEADER = re.compile(rf"^(?P<title>.*?\S)\s*(?:[.·…_‧∙]\s?){{3,}}\s*{_PAGE}\.?$", re.DOTALL)
_LEADERS = re.compile(r"[.·…_‧∙]\s?[.·…_‧∙]")
_TRAILING = re.compile(r"^(?P<title>.*?[^\W\d_].*?)\s+(?P<page>\d{1,4}|[ivxlc]{1,7})$", re.DOTALL)
_TITLE = re.compile(r"(?:table of )?contents?|list of (?:figures|tables)|index|in this (?:issue|report)", re.I)
_FEWEST = 4
_LONGEST = 200
_ENDS = frozenset("0123456789ivxlc.")
_FULL_PAGE = 8


def plain(text: str) -> str:
    """Return the letters and digits of a text in lower case, the common form in which titles are compared."""
    return "".join(character for character in text.lower() if character.isalnum())


def is_contents_title(text: str) -> bool:
    """Tell a heading like "Contents" or "List of figures"."""
    return bool(_TITLE.fullmatch(text.strip()))


def contents_entries(pages: Sequence[Sequence[Draft]]) -> tuple[set[int], set[str]]:
    """Return the ids of drafts inside a table of contents, and the plain titles that its entries name."""
    inside: set[int] = set()
    titles: set[str] = set()
    goes_on = False
    for page in pages:
        content = [item for item in page if item.kind not in FURNITURE]
        found = _page_entries(content, goes_on=goes_on)
        places = [at for at, names in enumerate(found) if names]
        count = sum(len(names) for names in found)
        goes_on = count >= _FEWEST
        titles_at = [at + 1 for at, item in enumerate(content) if is_contents_title(item.text)]
        start = min([*titles_at, *places], default=0)
        between = content[start : places[-1] + 1] if goes_on else [content[at] for at in places]
        inside.update(id(item) for item in between)
        titles.update(plain(name) for names in found for name in names)
    titles.discard("")
    return inside, titles


def _page_entries(content: Sequence[Draft], *, goes_on: bool) -> list[list[str]]:
    """Return the titles that each draft of a page names as an entry of contents, none for most."""
    led = [list(_names(item, _LEADER)) for item in content]
    if sum(map(len, led)) >= _FEWEST:
        return led
    titled = any(is_contents_title(item.text) for item in content)
    if not (titled or goes_on):
        return led
    trailing = [list(_names(item, _TRAILING)) for item in content]
    is_list = sum(map(len, trailing)) >= (_FEWEST if titled else _FULL_PAGE)
    return trailing if is_list else led


def _names(item: Draft, pattern: re.Pattern[str]) -> Iterator[str]:
    lines = item.text.replace(" | ", " ").splitlines() if item.kind == Kind.TABLE else [item.text]
    for line in lines:
        if len(line) > _LONGEST or line[-1:] not in _ENDS or (pattern is _LEADER and not _LEADERS.search(line)):
            continue
        found = pattern.match(" ".join(line.split()))
        if found:
            yield found["title"].rstrip(" .·…_")
