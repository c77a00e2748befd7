"""Levels of headings, from their numbers and type.

Numbered notes to accounts ("Note 3. Inventories") are put under what they belong to.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from octavo_documents.structuring.headings.candidates import Candidate, HeadingStyle


class _Level:
    """How styles are ordered into levels, chosen by hand and measured by `benchmarks/headings.py`."""

    # A tenth lower or higher moves no figure of 11 outlined and 75 generated documents (`benchmarks/ablation.py`).
    DEEPEST = 6  # level
    SAME_SIZE = 0.04  # difference between type sizes of one level, by the larger
    TOLERANCES = (0.04, 0.08, 0.15, 0.25)  # differences that are tried one after the other until few styles are left
    MOST_STYLES = 7  # styles of a document: few have more than a handful of levels
    MOSTLY_OUTSIDE = 0.34  # share of headings that may stand between numbered ones and still be front or back matter


_TOP_WORDS = ("chapter", "unit", "module", "lesson")
_CLAUSE_WORDS = ("item", "article", "section")
_NOTE = "word:note"
_BACK_WORDS = ("appendix", "annex", "schedule")
_STATEMENTS = re.compile(
    r"(?:.* )?(?:"
    r"(?:condensed |interim )?consolidated (?:(?:statements?|balance sheets?|income statements?)\b.*)|"
    r"(?:condensed )?(?:balance sheets?|income statements?|statements? of (?:income|operations|earnings|cash flows?|"
    r"comprehensive income|financial position|(?:changes in )?(?:\w+ )?equity)\b.*)|"
    r"reports? of independent (?:registered|auditor|certified)\b.*|independent auditor.{0,3} reports?\b.*|"
    r"notes? (?:to|on) (?:the )?(?:condensed )?(?:consolidated )?financial statements\b.*)",
    re.I,
)
"""Titles of the parts of financial statements, with the name of the company or without."""
_OVER_STATEMENTS = ("item", "part")
_LONGEST_STATEMENT, _FEWEST_STATEMENTS = 120, 2
"""Characters of such a title, at most, and how many of them there are where they set levels."""
_NOTES_HEAD = re.compile(r"(?:\d+\.?\s+)?notes? (?:to|on|forming) .*(?:statements?|accounts?)\b.*", re.I)
_FEWEST_NOTES = 3
"""Headings of notes from which these have a level of their own."""


@dataclass(frozen=True, slots=True)
class _Class:
    """Headings that belong to one level: one style, and one way of numbering."""

    style: HeadingStyle
    scheme: str
    """"" for no number, "arabic2" for "3.1", "word:part" for "Part II"."""


def levels(found: Sequence[Candidate]) -> list[int]:
    """Return the level of each heading, 1 the highest, at most 6."""
    found = _as_letters(found)
    styles = _merged_styles(found)
    classes = _lists_as_unnumbered([_Class(styles[candidate.style], _scheme(candidate)) for candidate in found], found)
    fixed = _numbered_levels(classes)
    shift = _shift(classes, fixed)
    given = {kind: level + shift for kind, level in fixed.items()}
    _add_unnumbered(classes, given)
    chosen = with_notes(found, with_statements(found, [given[kind] for kind in classes]))
    return [min(max(level, 1), _Level.DEEPEST) for level in chosen]


def _as_letters(found: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates with "I." taken for the letter after "H." where it is, and so on."""
    chosen: list[Candidate] = []
    before = 0
    for candidate in found:
        number = candidate.number
        if number is not None and number.depth == 1 and len(number.parts[0]) == 1 and number.parts[0].isalpha():
            value = ord(number.parts[0]) - ord("A") + 1
            if number.scheme == "roman" and value > 1 and value == before + 1:
                candidate = replace(candidate, number=replace(number, scheme="letter"))
            before = value
        chosen.append(candidate)
    return chosen


def _scheme(candidate: Candidate) -> str:
    number = candidate.number
    if number is None or (number.scheme == "letter" and number.depth == 1 and not number.mark and not number.word):
        return ""
    if number.word in _BACK_WORDS:
        return "arabic1"
    if number.word in _TOP_WORDS:
        return f"arabic{number.depth}"
    if number.word:
        return f"word:{number.word}"
    if number.scheme == "arabic":
        return f"{'closed' if number.mark == ')' else 'arabic'}{number.depth}"
    return f"{number.scheme}{number.depth}"


def _lists_as_unnumbered(classes: list[_Class], found: Sequence[Candidate]) -> list[_Class]:
    """Return the classes with "1.", "2." taken for steps of a list where they start again and again among sections.

    Such a class is smaller than a class of sections that have a number of several parts, or than the chapters.
    """
    starts = Counter(
        kind for kind, candidate in zip(classes, found, strict=True) if candidate.number and candidate.number.last == 1
    )
    sections = [kind.style.size for kind in classes if kind.scheme in ("arabic1", "arabic2")]
    largest = max(sections, default=0.0)
    lists = {
        kind
        for kind, count in starts.items()
        if kind.scheme == "arabic1" and count > 1 and kind.style.size < (1 - _Level.SAME_SIZE) * largest
    }
    return [_Class(kind.style, "") if kind in lists else kind for kind in classes]


def _merged_styles(found: Sequence[Candidate]) -> dict[HeadingStyle, HeadingStyle]:
    """Map each style to the commonest of those that differ from it by little size.

    How little depends on the document: sizes read by OCR scatter, and few documents have more than a handful of levels.
    """
    merged: dict[HeadingStyle, HeadingStyle] = {}
    for tolerance in _Level.TOLERANCES:
        merged = _merged_within(found, tolerance)
        if len(set(merged.values())) <= _Level.MOST_STYLES:
            break
    return merged


def _merged_within(found: Sequence[Candidate], tolerance: float) -> dict[HeadingStyle, HeadingStyle]:
    counts = Counter(candidate.style for candidate in found)
    merged: dict[HeadingStyle, HeadingStyle] = {}
    for style in sorted(counts, key=lambda style: (-counts[style], style.prominence)):
        merged[style] = next(
            (
                other
                for other in merged.values()
                if abs(other.size - style.size) <= tolerance * style.size
                and (other.bold, other.italic, other.caps) == (style.bold, style.italic, style.caps)
            ),
            style,
        )
    return merged


def _numbered_levels(classes: Sequence[_Class]) -> dict[_Class, int]:
    """Return levels of the classes whose numbers say how deep they are."""
    has_arabic = any(kind.scheme == "arabic1" for kind in classes)
    has_roman = sum(kind.scheme == "roman1" for kind in classes) > 1
    is_clause = any(_comes_before_numbers(classes, f"word:{word}") for word in _CLAUSE_WORDS)
    given: dict[_Class, int] = {}
    for kind in set(classes):
        scheme, depth = kind.scheme.rstrip("0123456789"), kind.scheme[-1:]
        if scheme == "arabic":
            is_second = int(depth) == 1 and has_roman and _comes_before_numbers(classes, "roman1")
            given[kind] = int(depth) + (is_second or is_clause)
        elif scheme == "closed":
            given[kind] = 3 if has_roman or has_arabic else 2
        elif scheme == "roman":
            given[kind] = 1
        elif scheme == "letter":
            is_under = depth == "1" and (has_roman or has_arabic) and _is_interleaved(classes, kind.scheme)
            given[kind] = int(depth) + is_under
        elif scheme.startswith("word:") and scheme != _NOTE:
            given[kind] = 0 if scheme == "word:part" else 1
    return given


def _comes_before_numbers(classes: Sequence[_Class], scheme: str) -> bool:
    schemes = [kind.scheme for kind in classes]
    return scheme in schemes and "arabic1" in schemes and schemes.index(scheme) < schemes.index("arabic1")


def _is_interleaved(classes: Sequence[_Class], scheme: str) -> bool:
    """Return whether numbered sections go on after the first of a scheme, as after subsections, not appendices."""
    first = next(at for at, kind in enumerate(classes) if kind.scheme == scheme)
    return any(kind.scheme in ("arabic1", "roman1") for kind in classes[first:])


def _shift(classes: Sequence[_Class], fixed: dict[_Class, int]) -> int:
    """Return by how much numbered levels go down: parts above them, or larger unnumbered headings between them."""
    if not fixed:
        return 0
    if any(level == 0 for level in fixed.values()):
        return 1
    top = [kind for kind, level in fixed.items() if level == 1]
    places = [at for at, kind in enumerate(classes) if kind in top]
    if not places:
        return 0
    largest = max(kind.style.size for kind in top)
    above = [
        at
        for at, kind in enumerate(classes)
        if kind not in fixed and kind.style.size > (1 + _Level.SAME_SIZE) * largest
    ]
    inside = [at for at in above if places[0] < at < places[-1]]
    return 1 if len(inside) > 1 else 0


def _add_unnumbered(classes: Sequence[_Class], given: dict[_Class, int]) -> None:
    """Give levels to the rest in order of prominence: the level of a numbered class of that style, or one deeper."""
    counts = Counter(classes)
    rest = sorted({kind for kind in classes if kind not in given}, key=_order, reverse=True)
    for kind in rest:
        alike = [other for other in given if other.style == kind.style and other.scheme not in ("", _NOTE)]
        if alike and not kind.scheme:
            outside = _stands_outside(classes, kind, alike)
            own = [given[other] for other in alike]
            given[kind] = min(own) if outside else max(own) + 1
            continue
        above = [level for other, level in given.items() if _order(other)[0] > _order(kind)[0] and counts[other]]
        given[kind] = max(above, default=0) + 1


def _order(kind: _Class) -> tuple[tuple[float, bool, bool, bool, bool], str]:
    return kind.style.prominence, kind.scheme


def _stands_outside(classes: Sequence[_Class], kind: _Class, alike: Sequence[_Class]) -> bool:
    """Return whether sections are front or back matter: set like numbered headings, mostly before or after them."""
    numbered = [at for at, other in enumerate(classes) if other in alike]
    own = [at for at, other in enumerate(classes) if other == kind]
    inside = sum(1 for at in own if numbered[0] < at < numbered[-1])
    return inside <= _Level.MOSTLY_OUTSIDE * len(own)


def with_statements(found: Sequence[Candidate], levels: Sequence[int]) -> list[int]:
    """Return the levels with the parts of financial statements beside each other: auditor's report, statements, notes.

    They stand under the item of a filing that they are in, else where the highest of them does; what is between them
    stands under them. Where items are numbered, nothing between two of them stands over them.
    """
    items = [at for at, candidate in enumerate(found) if _number_word(candidate) == "item"]
    parts = {at for at, candidate in enumerate(found) if _is_statement(candidate)}
    chosen = list(levels)
    if items:
        own = levels[items[0]] + 1
        chosen = [
            max(level, own) if items[0] < at < items[-1] and found[at].number is None else level
            for at, level in enumerate(chosen)
        ]
    if len(parts) < _FEWEST_STATEMENTS:
        return chosen
    own = levels[items[0]] + 1 if items and items[0] < min(parts) else min(chosen[at] for at in parts)
    is_under = False
    for at in range(min(parts), len(found) if items else max(parts) + 1):
        is_under = at in parts or (is_under and _number_word(found[at]) not in _OVER_STATEMENTS)
        if is_under:
            chosen[at] = own if at in parts else max(chosen[at], own + 1)
    return chosen


def _is_statement(candidate: Candidate) -> bool:
    text = candidate.item.text
    is_free = candidate.number is None or not candidate.number.word
    return is_free and len(text) <= _LONGEST_STATEMENT and _STATEMENTS.fullmatch(text) is not None


def with_notes(found: Sequence[Candidate], levels: Sequence[int]) -> list[int]:
    """Return the levels with those of notes, and of what stands in a note, put under what they belong to.

    Notes go under the heading "Notes to ...", else under the items of a filing, else stay where their type puts them.
    Until a higher section starts, what is set less prominently than notes or has a letter goes under the note.
    """
    notes = {at for at, candidate in enumerate(found) if _number_word(candidate) == "note"}
    if len(notes) < _FEWEST_NOTES:
        return list(levels)
    own = _note_level(found, levels, notes)
    chosen: list[int] = []
    note: Candidate | None = None
    for at, (candidate, level) in enumerate(zip(found, levels, strict=True)):
        if at in notes:
            note = candidate
            chosen.append(own)
        elif note is not None and _is_inside(candidate, note):
            chosen.append(max(level, own + 1))
        else:
            note = None
            chosen.append(level)
    return chosen


def _number_word(candidate: Candidate) -> str:
    return candidate.number.word if candidate.number else ""


def _note_level(found: Sequence[Candidate], levels: Sequence[int], notes: set[int]) -> int:
    first = min(notes)
    heads = [levels[at] for at in range(first) if _NOTES_HEAD.fullmatch(found[at].item.text)]
    if heads:
        return heads[-1] + 1
    items = [level for candidate, level in zip(found, levels, strict=True) if _number_word(candidate) == "item"]
    return max(items, default=levels[first] - 1) + 1


def _is_inside(candidate: Candidate, note: Candidate) -> bool:
    if candidate.number is not None:
        return not candidate.number.word and candidate.number.scheme == "letter"
    return candidate.style.prominence < note.style.prominence
