"""Tables of contents, printed and the file's own outline: their entries, and the blocks that are their titles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from octavo_documents.document import FURNITURE, Kind
from octavo_documents.parsing.content import OutlineEntry, SourceContent
from octavo_documents.structuring import markers
from octavo_documents.structuring.drafts import Draft
from octavo_documents.structuring.headings.cut_and_join import cut, title_inside
from octavo_documents.structuring.markers import plain
from octavo_documents.text.label_names import is_contents_name
from octavo_documents.text.lines import on_one_line

_PAGE = r"(?P<page>\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})"
_LEADER = re.compile(rf"^(?P<title>.*?\S)\s*(?:[.·…_‧∙]\s?){{3,}}\s*{_PAGE}\.?$", re.DOTALL)
_LEADERS = re.compile(r"[.·…_‧∙]\s?[.·…_‧∙]")
_TRAILING = re.compile(r"^(?P<title>.*?[^\W\d_].*?)\s+(?P<page>\d{1,4}|[ivxlc]{1,7})$", re.DOTALL)
_LEADING = re.compile(r"(?P<page>\d{1,4})(?:\s+(?P<title>[^\W\d_].*))?$", re.DOTALL)
_LAST = re.compile(r"\d{1,4}|[ivxlc]{1,7}")
"""The page that an entry without leaders ends with."""
_LED = re.compile(r"\s*(?:[.·…_‧∙]\s?){3,}\s*(\d{1,4}|[ivxlc]{1,7}|[A-Z]-?\d{1,3})\.?(?=\s|$)")
_TITLE = re.compile(
    r"(?:table of )?contents?|list of (?:figures|tables)|in this (?:issue|report)|"
    r"index(?: (?:to|of) (?:the )?(?:consolidated )?financial statements)?",
    re.I,
)


class _Listing:
    """Thresholds for a table of contents, chosen by hand."""

    # A tenth lower or higher moves no figure of 11 outlined and 75 generated documents (`benchmarks/ablation.py`).
    FEWEST = 4  # entries on a page
    LONGEST = 200  # characters of an entry
    FULL_PAGE = 8  # entries without leaders on a page that goes on with a table of contents
    SEVERAL = 3  # parts into which one entry is split by its leader and page: title, page, and the empty rest
    MOSTLY = 0.6  # share of a page's blocks that are entries, where no title says that it is contents
    FEWEST_PLACED = 3  # titles found on the pages that are printed for them
    MOST_SHIFT = 60  # pages by which printed numbers are off


_ENDS = frozenset("0123456789ivxlc.")


class _Match:
    """When a text is an entry's title, chosen by hand."""

    # A tenth lower or higher moves no figure of 11 outlined and 75 generated documents (`benchmarks/ablation.py`).
    LIKE = 0.85  # likeness (0..1)
    SHORTEST = 3  # letters of a title inside another


_NOT_TITLES = (*FURNITURE, Kind.FIGURE, Kind.CHART)


def is_contents_title(text: str) -> bool:
    """Return whether it is a heading like "Contents" or "List of figures"."""
    bare = text.strip(" :.")
    return (
        bool(_TITLE.fullmatch(bare))
        or is_contents_name(bare)
        or (len(bare) <= _Listing.LONGEST and bare.lower().endswith("table of contents"))
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a table of contents: a title, and the page as it is printed there ("12", "iv", "A-3")."""

    title: str
    label: str
    page: int
    """Physical page, 1-based, that the line itself is on."""


def contents_entries(pages: Sequence[Sequence[Draft]]) -> tuple[set[int], list[Entry]]:
    """Return the ids of drafts inside a table of contents, and its entries in order; figures and tables are none."""
    inside: set[int] = set()
    entries: list[Entry] = []
    goes_on = False
    for page in pages:
        content = [item for item in page if item.kind not in FURNITURE]
        found = _page_entries(content, goes_on=goes_on)
        places = [at for at, names in enumerate(found) if names]
        count = sum(len(names) for names in found)
        was_on, goes_on = goes_on, count >= _Listing.FEWEST
        titles_at = [at + 1 for at, item in enumerate(content) if is_contents_title(item.text)]
        start = 0 if was_on and not titles_at else min([*titles_at, *places], default=0)
        between = content[start : places[-1] + 1] if goes_on else [content[at] for at in places]
        inside.update(id(item) for item in between)
        entries.extend(entry for names in found for entry in names)
    return inside, [entry for entry in entries if plain(entry.title) and not markers.caption(entry.title)]


def placed(entries: Sequence[Entry], content: SourceContent, pages: Sequence[Sequence[Draft]]) -> list[OutlineEntry]:
    """Return the entries whose printed page is known as a physical one, as an outline of level 1; none that lead back.

    Printed numbers lead to pages by the file's page labels or by one shift, whichever finds more titles on their page.
    """
    if len(entries) < _Listing.FEWEST_PLACED:
        return []
    titles = [{plain(item.text) for item in page if len(item.text) <= _Listing.LONGEST} for page in pages]
    by_label: dict[str, int] = {}
    for page in content.pages:
        by_label.setdefault(page.label.lower(), page.number)
    known = [(entry, _forms(entry.title)) for entry in entries]
    hits = sum(1 for entry, forms in known if _stands(forms, titles, by_label.get(entry.label.lower(), 0)))
    shifts = Counter(
        number - int(entry.label)
        for entry, forms in known
        if entry.label.isdigit()
        for number in range(max(int(entry.label), 1), min(int(entry.label) + _Listing.MOST_SHIFT, len(pages)) + 1)
        if _stands(forms, titles, number)
    )
    shift, votes = max(shifts.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
    if max(hits, votes) < _Listing.FEWEST_PLACED:
        return []
    if hits >= votes:
        found = [(entry, by_label.get(entry.label.lower(), 0)) for entry in entries]
    else:
        found = [(entry, int(entry.label) + shift if entry.label.isdigit() else 0) for entry in entries]
    return [OutlineEntry(entry.title, 1, page) for entry, page in found if entry.page < page <= len(pages)]


def _forms(title: str) -> set[str]:
    number = markers.numbering(title)
    return {plain(title), plain(number.title) if number else ""} - {""}


def _stands(forms: Set[str], titles: Sequence[Set[str]], page: int) -> bool:
    return 0 < page <= len(titles) and not forms.isdisjoint(titles[page - 1])


def _page_entries(content: Sequence[Draft], *, goes_on: bool) -> list[list[Entry]]:
    """Return the entries of contents that each draft of a page is, none for most."""
    led = [list(_names(item, _LEADER)) for item in content]
    if sum(map(len, led)) >= _Listing.FEWEST:
        last = max(at for at, names in enumerate(led) if names)
        return [names or list(_names(content[at], _TRAILING) if at < last else ()) for at, names in enumerate(led)]
    titled = any(is_contents_title(item.text) for item in content)
    trailing = [list(_names(item, _TRAILING)) for item in content]
    if not (titled or goes_on):
        return trailing if _is_counting(trailing) else led
    if sum(map(len, trailing)) >= (_Listing.FEWEST if titled else _Listing.FULL_PAGE):
        return trailing
    return _column_entries(content)


def _is_counting(found: Sequence[Sequence[Entry]]) -> bool:
    """Return whether entries are most of a page, with page numbers that never fall: contents without a title."""
    pages = [int(entry.label) for names in found for entry in names if entry.label.isdigit()]
    is_most = len(pages) >= max(_Listing.FULL_PAGE, _Listing.MOSTLY * len(found))
    return is_most and pages == sorted(pages) and pages[0] < pages[-1]


def _column_entries(content: Sequence[Draft]) -> list[list[Entry]]:
    """Return the entries of contents whose page numbers form a column of their own, read before the next title."""
    found: list[list[Entry]] = [[] for _ in content]
    numbers: list[int] = []
    waiting: tuple[int, str] | None = None
    for at, item in enumerate(content):
        match = _LEADING.match(item.text) if len(item.text) <= _Listing.LONGEST else None
        if match is None:
            waiting = (at, item.text) if len(item.text) <= _Listing.LONGEST else None
            continue
        numbers.append(int(match["page"]))
        if waiting is not None:
            found[waiting[0]].append(Entry(waiting[1], match["page"], item.page + 1))
        waiting = (at, match["title"]) if match["title"] else None
    is_column = len(numbers) >= _Listing.FEWEST and numbers == sorted(numbers)
    return found if is_column else [[] for _ in content]


def _names(item: Draft, pattern: re.Pattern[str]) -> Iterator[Entry]:
    is_table = item.kind == Kind.TABLE
    if pattern is _LEADER and not _LEADERS.search(item.text.replace(" | ", " ") if is_table else item.text):
        return
    if pattern is _LEADER and not is_table and len(parts := _LED.split(item.text)) > _Listing.SEVERAL:
        titles = (on_one_line(title) for title in parts[:-1:2])
        yield from (Entry(title, label, item.page + 1) for title, label in zip(titles, parts[1::2], strict=True))
        return
    for line in item.text.replace(" | ", " ").splitlines() if is_table else [item.text]:
        if len(line) > _Listing.LONGEST or line[-1:] not in _ENDS or not _may_end(line, pattern):
            continue
        found = pattern.match(on_one_line(line))
        if found:
            yield Entry(found["title"].rstrip(" .·…_"), found["page"], item.page + 1)


def _may_end(line: str, pattern: re.Pattern[str]) -> bool:
    """Return whether a line has what such an entry ends with; most lines are left out by that."""
    if pattern is _LEADER:
        return bool(_LEADERS.search(line))
    return bool(_LAST.fullmatch(line.rsplit(None, 1)[-1]))


def matched(
    outline: Sequence[OutlineEntry], pages: Sequence[list[Draft]], content: SourceContent, listed: set[int]
) -> dict[int, int]:
    """Return the outline's level for each draft (by id) that is the heading of an entry; `listed` are left out.

    An entry is looked for on its page, then on the next and the one before. Each draft serves one entry. A title that
    stands inside a block is cut out of it, so the lists in `pages` may get longer.
    """
    found: dict[int, int] = {}
    missing: list[OutlineEntry] = []
    for entry in outline:
        best = _whole(entry, pages, listed | found.keys())
        if best is not None:
            found[id(best)] = entry.level
        elif plain(entry.title):
            missing.append(entry)
    running = Counter(plain(item.text) for page in pages for item in page if item.kind in FURNITURE)
    for entry in missing:
        inner = _inner(entry, pages, listed | found.keys(), content) or _at_edge(entry, pages, running)
        if inner is not None:
            found[id(inner)] = entry.level
    return found


def _near(entry: OutlineEntry, pages: Sequence[list[Draft]]) -> list[int]:
    """Return indices of the pages on which the words of an entry may stand, the likeliest first."""
    return [number - 1 for number in (entry.page, entry.page + 1, entry.page - 1) if 1 <= number <= len(pages)]


def _whole(entry: OutlineEntry, pages: Sequence[list[Draft]], taken: Set[int]) -> Draft | None:
    title = plain(entry.title)
    if not title:
        return None
    for at in _near(entry, pages):
        free = [item for item in pages[at] if item.kind not in _NOT_TITLES and id(item) not in taken]
        best = _best(_unnumbered(entry.title), entry, free) or _best(title, entry, free)
        if best is not None:
            return best
    return None


def _inner(entry: OutlineEntry, pages: Sequence[list[Draft]], taken: Set[int], content: SourceContent) -> Draft | None:
    """Return the title of an entry cut out of the block it stands in, None when no block has it."""
    for at in _near(entry, pages):
        for item in pages[at]:
            if id(item) in taken:
                continue
            source = content.pages[at]
            for title in (plain(entry.title), _unnumbered(entry.title)):
                place = title_inside(title, item, source)
                if place is not None:
                    return cut(pages[at], item, *place, source)
    return None


def _at_edge(entry: OutlineEntry, pages: Sequence[list[Draft]], running: Counter[str]) -> Draft | None:
    """Return the header or footer on an entry's own page that is its title, when no other page repeats it."""
    if not 1 <= entry.page <= len(pages):
        return None
    lone = [item for item in pages[entry.page - 1] if item.kind in FURNITURE and running[plain(item.text)] == 1]
    return _best(_unnumbered(entry.title), entry, lone)


def _unnumbered(title: str) -> str:
    number = markers.numbering(title)
    return plain(number.title) if number else plain(title)


def _best(title: str, entry: OutlineEntry, drafts: Sequence[Draft]) -> Draft | None:
    """Return the draft that reads most like the title; the nearest to the entry's height among equals."""
    rated = [(_likeness(title, item.text), -_distance(entry, item), -at) for at, item in enumerate(drafts)]
    if not rated:
        return None
    likeness, _, at = max(rated)
    return drafts[-at] if likeness >= _Match.LIKE else None


def _distance(entry: OutlineEntry, item: Draft) -> float:
    return abs(entry.y - item.box[1]) if entry.y is not None else 0.0


def _likeness(title: str, text: str) -> float:
    """Return 0..1: 1 for the same letters, numbers aside; less when one is the start of the other."""
    if len(text) > 3 * len(title) + 40:
        return 0.0
    return max(_ratio(title, form) for form in _spellings(text))


@lru_cache(maxsize=4096)
def _spellings(text: str) -> tuple[str, str]:
    """Return the letters of a text, with its number and without; entries are compared with all blocks of a page."""
    number = markers.numbering(text)
    return plain(text), plain(number.title) if number else ""


def _ratio(title: str, form: str) -> float:
    if title == form:
        return 1.0
    short, long = sorted((title, form), key=len)
    if len(short) < _Match.SHORTEST or short not in long:
        return 0.0
    return len(short) / len(long)
