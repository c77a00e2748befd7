"""What a line starts with: bullets, list numbers, section numbers, caption labels, footnote marks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from octavo_documents.text.label_names import label_at
from octavo_documents.text.things import roman_value

_ONES = "one|two|three|four|five|six|seven|eight|nine"
NUMBER_WORD = (
    rf"(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)[ -]?(?:{_ONES})?|{_ONES}|"
    r"ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
)
"""Pattern of a number below a hundred in words."""
_BULLET = re.compile(
    r"[•◦‣⁃∙·\u229e-\u22a1\u25a0-\u25ff\u2610-\u2612\u2700-\u275a\u2760-\u27bf\uf000-\uf0ff]\s*|[–—*-]\s+|[>o]\s+(?=[A-Z])"
)
_ENUMERATED = re.compile(
    r"(?:\((?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})\)(?!\s\d{3}[ -]\d{4})|"
    r"(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})\)|(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})\.|\[\d{1,3}\])\s+(?=\S)"
)
_LONE = re.compile(
    r"[•◦‣⁃∙·\u229e-\u22a1\u25a0-\u25ff\u2610-\u2612\u2700-\u275a\u2760-\u27bf\uf000-\uf0ffo]|"
    r"\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,5})[.)]|\[\d{1,3}\]"
)
DASHES = ("–", "—", "*", "-")
"""Signs that are bullets at the start of an item, and elsewhere none."""
_CAPTION = re.compile(
    r"(?P<what>figures?|figs?\.|tables?|tab\.|charts?|exhibits?|graphs?|diagrams?|plates?|box|photos?|maps?|listings?|algorithms?|schemes?|illustrations?)"
    r"\s*(?P<number>(?:[A-Z][.-]?)?\d{1,3}(?:[.-]\d{1,3}){0,2}[a-z]?|[IVXLC]{1,6}|[A-Z](?=[.:]))(?P<after>\s*[.:|–—-](?!\d)|\s+(?=(?-i:[A-Z])|[\"'“(])|\s*$)",
    re.IGNORECASE,
)
_CAPTION_STARTS = frozenset("ftcegdpbmlasiFTCEGDPBMLASI")
_SOURCE = re.compile(r"(?:sources?|notes?)\s*:\s*\S", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?P<word>chapter|section|part|appendix|annex|schedule|article|unit|module|lesson|step|item)?\s*"
    r"(?P<number>\d{1,3}(?:\.\d{1,3}){0,5}|[A-Z](?:\.\d{1,3}){1,5}|[A-Z](?=[.:)]?\s)|[IVXLC]{1,7}|[A-Z]\d{1,2}(?:\.\d{1,3}){0,3})"
    r"(?P<mark>[.:)]|\s*[–—-])?(?:\s+|$)(?P<title>.*)",
    re.DOTALL,
)
_WORDED = re.compile(
    r"(?P<word>chapter|section|part|appendix|annex|schedule|article|unit|module|lesson|item|"
    r"note(?=\s+\d{1,3}[A-Z]?\s*[.:–—-]\s))\s+"
    rf"(?P<number>\d{{1,3}}[A-Z]?(?:\.\d{{1,3}}){{0,5}}|[A-Z](?:\.\d{{1,3}}){{0,5}}|[IVXLC]{{1,7}}|{NUMBER_WORD})\b"
    r"(?P<mark>\s*[.:)–—-])?\s*(?P<title>.*)",
    re.IGNORECASE | re.DOTALL,
)
_SHOWN = ("figure", "table", "chart")
_HEADED = ("chapter", "section", "appendix", "part")
_AFTER_LABEL = re.compile(r"\s*[.:：、．|–—-](?!\d)|\s+(?![a-zà-öø-ÿа-я])|\s*$")
_TITLE_AFTER = re.compile(r"(?P<mark>\s*[.:：)–—-])?(?:\s+|$)(?P<title>.*)", re.DOTALL)
_SECTION = re.compile(r"(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){1,5}\.?\s+[A-Z]")
_COUNT = re.compile(r"(\d{1,3})(?:\s+\S|(?=[A-Z][a-z]|https?:|www\.))")
_ROMAN = re.compile(r"[IVXLC]{1,7}")


@dataclass(frozen=True, slots=True)
class Numbering:
    """A section number at the start of a heading. `depth` is 1 for "3", 2 for "3.1"; `word` is "chapter" or empty."""

    word: str
    parts: tuple[str, ...]
    scheme: str
    """`arabic`, `letter` or `roman`: how the first part counts."""
    mark: str
    title: str

    @property
    def depth(self) -> int:
        """Number of parts."""
        return len(self.parts)

    @property
    def last(self) -> int:
        """Value of the last part: 3 for "2.3", "C" and "III"; 0 when it is a word."""
        part = self.parts[-1]
        if part.isdigit():
            return int(part)
        if self.scheme == "roman":
            return roman_value(part)
        return ord(part[0]) - ord("A") + 1 if len(part) == 1 else 0


def bullet(text: str) -> int:
    """Return the length of the bullet a text starts with, 0 when it starts with none."""
    found = _BULLET.match(text)
    return found.end() if found else 0


def enumeration(text: str) -> int:
    """Return the length of the list number ("1.", "(a)", "iv)") a text starts with, 0 when it starts with none."""
    found = _ENUMERATED.match(text)
    return found.end() if found else 0


def is_lone_marker(text: str) -> bool:
    """Return whether a text is a bullet or list number alone, as where its item is set apart from it."""
    return bool(_LONE.fullmatch(text))


def is_listed(text: str) -> bool:
    """Return whether a line starts as a list item does: a bullet or number with words after it, no dash of a cell."""
    start = enumeration(text) if text[:1].isdigit() else bullet(text)
    return start > 0 and text[0] not in DASHES and text[start : start + 1].isalpha()


def caption(text: str) -> str:
    """Return the label of a text that starts like a caption, in English ("Figure 3") whatever its language, or ""."""
    found = _CAPTION.match(text) if text[:1] in _CAPTION_STARTS else None
    if found:
        return f"{found['what']} {found['number']}"
    label = label_at(text)
    is_caption = label is not None and label.what in _SHOWN and _AFTER_LABEL.match(text, label.stop)
    return f"{label.what.capitalize()} {label.number}" if label and is_caption else ""


def is_source_note(text: str) -> bool:
    """Return whether it is a "Source: ..." or "Note: ..." line under a figure or table."""
    return bool(_SOURCE.match(text))


def numbering(text: str) -> Numbering | None:
    """Return the section number a text starts with, None when it starts with none."""
    worded = _WORDED.match(text)
    if worded:
        return _numbering(worded, worded["word"].lower())
    label = label_at(text)
    if label is not None and label.what in _HEADED:
        after = _TITLE_AFTER.match(text, label.stop)
        if after:
            return _numbered(label.what, label.number, after["mark"], after["title"])
    found = _NUMBERED.match(text)
    if not found or not found["title"]:
        return None
    return _numbering(found, (found["word"] or "").lower())


def is_heading_label(text: str) -> bool:
    """Return whether a text is the label of a chapter, part or the like alone, in another language than English."""
    label = label_at(text)
    return label is not None and label.what in _HEADED and not text[label.stop :].strip(" .:：")


def _numbering(found: re.Match[str], word: str) -> Numbering:
    return _numbered(word, found["number"], found["mark"], found["title"])


def _numbered(word: str, number: str, mark: str | None, title: str) -> Numbering:
    parts = tuple(number.upper().split("."))
    first = parts[0]
    scheme = "arabic" if first[0].isdigit() else "letter"
    if _ROMAN.fullmatch(first) and (len(first) > 1 or first in "IVX"):
        scheme = "roman"
    return Numbering(word, parts, scheme, (mark or "").strip(), title.strip())


def counts_on(before: str, text: str) -> bool:
    """Return whether a line starts with the number after another's ("4 Display" after "3 Manual")."""
    first, second = _COUNT.match(before), _COUNT.match(text)
    return bool(first and second and int(second[1]) == int(first[1]) + 1)


def starts_numbered(text: str) -> bool:
    """Return whether a line starts with a section number of several parts and a capital ("3.2 Results")."""
    return bool(_SECTION.match(text))


def plain(text: str) -> str:
    """Return the letters and digits of a text in lower case, the common form in which titles are compared."""
    return "".join(filter(str.isalnum, text.lower()))
