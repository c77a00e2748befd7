"""Words that point elsewhere in a document: "Table 3", "Figs. 2-4", "pp. iv-vi", "the chart below", "overleaf"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from octavo_documents.text.things import roman_value

PAGE = "page"
SHOWN = ("figure", "table", "chart", "graph", "diagram", "exhibit", "map", "photo", "plate", "illustration", "scheme")
"""Classes of what stands beside the text with a caption."""

_WORDS = {
    "figure": r"figures?|figs?\.?",
    "table": r"tables?|tabs?\.",
    "equation": r"equations?|eqn?s?\.?|formulae?|formulas",
    "section": r"sections?|secs?\.|subsections?|§§?",
    "chapter": r"chapters?|chaps?\.|ch\.",
    "appendix": r"appendix|appendices|appendixes|annex(?:es)?|app\.",
    PAGE: r"pages?|pp?\.",
    "footnote": r"footnotes?|fn\.",
    "note": r"notes?",
    "box": r"box(?:es)?",
    **{word: rf"{word}s?" for word in SHOWN[2:]},
    **{word: rf"{word}s?" for word in ("listing", "algorithm", "example", "theorem", "lemma", "definition")},
    **{word: rf"{word}s?" for word in ("part", "article", "item", "unit", "module", "lesson", "clause", "schedule")},
}
_LONGEST_RANGE = 20
_LETTERS = bytes(byte if chr(byte).isalpha() or byte == ord("§") else ord(" ") for byte in bytes(range(256)).lower())
"""Maps Latin-1 text to its lower-case letters, all else to spaces: finding words in it is much faster than matching."""
_NAMING = frozenset(
    b"figure figures fig figs table tables tab tabs equation equations eq eqs eqn eqns formula formulae"
    b" formulas section sections sec secs subsection subsections \xa7 \xa7\xa7 chapter chapters chap chaps"
    b" ch appendix appendices appendixes annex annexes app page pages p pp footnote footnotes fn note notes"
    b" chart charts graph graphs diagram diagrams exhibit exhibits map maps photo photos plate plates"
    b" illustration illustrations scheme schemes box boxes listing listings algorithm algorithms example"
    b" examples theorem theorems lemma lemmas definition definitions part parts article articles item items"
    b" unit units module modules lesson lessons clause clauses schedule schedules".split()
)
_TURNING = frozenset(b"following next preceding previous above below overleaf opposite facing follow follows".split())
_NUMBER = (
    r"(?:(?:(?-i:[A-Z])[.-]?)?\d{1,4}(?:\.\d{1,3}){0,5}(?:-\d{1,3}(?:\.\d{1,3})*)?(?-i:[a-h])?"
    r"|(?-i:[A-Z])(?:[.-]\d{1,3}){0,5}|(?-i:[IVXLC]{1,7}|[ivxlc]{1,7}))(?!\w|\.\d)(?:\s?\((?:[a-z]|[ivx]{1,4}|\d{1,2})\))*"
)
_PART = rf"\(?{_NUMBER}\)?"
_AND = r"\s*(?:,\s*(?:and|or|&)\b|\band\b|\bor\b|&|\bto\b|\bthrough\b|[-–—])\s*"
_WORD = "|".join(f"(?P<{name}>{words})" for name, words in _WORDS.items())
_NAMED = re.compile(
    rf"(?<![\w.-])(?:{_WORD})\s*(?P<numbers>{_PART}(?:(?:{_AND}|\s*(?P<comma>,)\s*)(?:(?:no\.|§)\s*)?{_PART})*)", re.I
)
_PIECE = re.compile(rf"(?P<between>\bto\b|\bthrough\b|[-–—])?\s*\(?(?<!\w)(?P<number>{_NUMBER})", re.I)
_SUBPART = re.compile(r"\s?\([^)]*\)")
# Possessive: a run of digits or numbers can be cut in exponentially many ways, and shorter ones never fit what follows.
_FURTHER = r"(?:\s*+(?:(?:,|\band\b|\bor\b)\s*+)?(?:(?:[Ss]ections?|§{1,2})\s*+)?\d[\d.]*+(?:\(\w{1,4}\))*+)*+"
_STATUTE = "Act|Code|Regulations?|Directive|Law|Rules?|Agreement|Treaty|Convention|Constitution|Charter|Plan"
_ELSEWHERE = re.compile(
    rf"(?:\(\w{{1,4}}\))*+{_FURTHER}\s*+(?:,\s*+)?(?:(?:of|in|from|to|under|OF)\s+(?:the\s+|THE\s+|our\s+|its\s+)?"
    r"(?:\[\d|[12]\d{3}\b|[A-Z][\w-]+\s+et\s+al|(?:\(?[A-Z][\w’'-]*\)?\s+(?:of\s+|and\s+|the\s+)?){0,7}"
    rf"(?:{_STATUTE}|{_STATUTE.upper()}|Form|Annual\s+Report|Proxy)\b)|U\.S\.C)"
)
_ABBREVIATED_PAGE = re.compile(r"(?:see|on|at|and|also|from|cf\.|to|in)\s*$|[(\[]\s*(?:see\s+|cf\.\s+)?$|^\s*$", re.I)
_SINGULAR = {"tables": "table", "figures": "figure", "images": "picture", "image": "picture", "pictures": "picture"}
_THINGS = (
    "table",
    "figure",
    "chart",
    "graph",
    "diagram",
    "map",
    "photo",
    "photograph",
    "picture",
    "image",
    "illustration",
)
_TURNED = frozenset((*(f"{thing}{end}".encode() for thing in _THINGS for end in ("", "s")), b"page", b"overleaf"))
_THING = rf"(?P<{{0}}>(?:{'|'.join(_THINGS)})s?)"
_NEARBY = re.compile(
    rf"\b(?:(?P<ahead>following|next|preceding|previous)|the\s+(?P<placed>above|below))\s+{_THING.format('thing')}\b"
    rf"|\b(?:the|this|these|see|in)\s+{_THING.format('named')}\s+(?:(?:shown|given|presented|printed|set out)\s+)?"
    r"(?P<after>below|above|overleaf|opposite|(?:that|which)\s+follows?|on\s+the\s+(?:next|following|previous|preceding|facing|opposite)\s+page)\b"
    r"|(?P<leaf>\boverleaf\b)"
    r"|\b(?:on|see)\s+the\s+(?P<turn>next|following|previous|preceding|facing|opposite)\s+page\b",
    re.I,
)
_CITED_YEAR = re.compile(r"\d{4}[a-z]?\)?,\s*$")
_BACK = ("preceding", "previous", "above")


@dataclass(frozen=True, slots=True)
class NamedPointer:
    """Words that name their target: its class and numbers in canonical form, ranges spelled out."""

    what: str
    numbers: tuple[str, ...]
    start: int
    """Offset in the text."""
    text: str


@dataclass(frozen=True, slots=True)
class NearbyPointer:
    """Words for what stands a step on (`step` 1) or back (-1): a thing, or a page when `on_page`."""

    what: str
    """"" for the page itself."""
    step: int
    on_page: bool
    start: int
    text: str


def canonical(number: str) -> str:
    """Return one form for all ways to print a number: "A-3", "A3" and "a.3" give "A.3", "2-4" gives "2.4"."""
    plain = _SUBPART.sub("", number).upper().replace("-", ".").replace("–", ".")
    if len(plain) > 1 and plain[0].isalpha() and plain[1].isdigit():
        return f"{plain[0]}.{plain[1:]}"
    return plain


def pointers(text: str) -> list[NamedPointer | NearbyPointer]:
    """Return the words of a text that point elsewhere, in order."""
    words = text.encode("latin-1", "replace").translate(_LETTERS).split()
    named: list[NamedPointer | NearbyPointer] = [] if _NAMING.isdisjoint(words) else list(_named(text))
    is_near = not (_TURNING.isdisjoint(words) or _TURNED.isdisjoint(words))
    return sorted([*named, *_nearby(text)], key=lambda found: found.start) if is_near else named


def _named(text: str) -> Iterator[NamedPointer]:
    for found in _NAMED.finditer(text):
        what = next(name for name in _WORDS if found[name])
        if not _is_meant(text, found, what):
            continue
        end = found.end("numbers")
        is_plural = _is_plural(found[what])
        if found["comma"] and not is_plural:
            end = found.start("comma")
        written = text[found.start("numbers") : end].rstrip()
        numbers = tuple(dict.fromkeys(_numbers(written, is_plural=is_plural)))
        yield NamedPointer(what, numbers, found.start(), _closed(text[found.start() : end].rstrip()))


def _closed(written: str) -> str:
    """Drop a closing bracket that belongs to the sentence: "Table 3)" of "(see Table 3)"."""
    return written[:-1] if written.endswith(")") and written.count(")") > written.count("(") else written


def _is_plural(word: str) -> bool:
    return word.rstrip(".").lower().endswith(("s", "§§", "pp"))


def _is_meant(text: str, found: re.Match[str], what: str) -> bool:
    """Return whether words point, unlike "Section 4 of the Act", "in this section I" and "Nature, p. 4"."""
    word, numbers = found[what], found["numbers"]
    if what != PAGE and not word[0].isupper() and (numbers[0].isalpha() or numbers[0] == "(") and what != "equation":
        return False
    if what == PAGE:
        return _is_own_page(text, found, word)
    is_label = found.start() == 0 and (found.end() == len(text) or text[found.end()] in ".:")
    return not is_label and not _ELSEWHERE.match(text, found.end())


def _is_own_page(text: str, found: re.Match[str], word: str) -> bool:
    """Return whether a page is of this document, not of a cited one, and no "page 3 of 10" of a page itself."""
    before = text[max(found.start() - 12, 0) : found.start()]
    if word.lower() in ("p.", "pp."):
        return bool(_ABBREVIATED_PAGE.search(before))
    is_own = found.group() == text or re.match(r"\s+of\s+\d", text[found.end() : found.end() + 8])
    return not is_own and not _CITED_YEAR.search(before)


def _numbers(written: str, *, is_plural: bool) -> Iterator[str]:
    """Yield the numbers of a list, ranges with what lies between; after a singular "2-4" is one number."""
    before = ""
    for found in _PIECE.finditer(written):
        number = _SUBPART.sub("", found["number"])
        if found["between"] and before:
            yield from _between(before, number)
        first, dash, last = number.partition("-")
        if is_plural and dash and first.isdigit() and last.isdigit() and int(first) < int(last):
            yield from (canonical(first), *_between(first, last), canonical(last))
        else:
            yield canonical(number)
        before = number


def _between(first: str, last: str) -> Iterator[str]:
    """Yield what lies between two numbers that differ in their last part alone."""
    stem, dot, low = first.rpartition(".")
    other, _, high = last.rpartition(".")
    if stem != other:
        return
    if low.isdigit() and high.isdigit():
        counted = range(int(low) + 1, min(int(high), int(low) + _LONGEST_RANGE))
        yield from (canonical(f"{stem}{dot}{number}") for number in counted)


def value(number: str) -> int:
    """Return the value of a plain or Roman number, 0 for others."""
    if number.isdigit():
        return int(number)
    return roman_value(number) if re.fullmatch(r"[IVXLC]+", number, re.I) else 0


def _nearby(text: str) -> Iterator[NearbyPointer]:
    for found in _NEARBY.finditer(text):
        where = (found["ahead"] or found["placed"] or found["after"] or found["leaf"] or found["turn"]).lower()
        thing = (found["thing"] or found["named"] or "").lower()
        step = -1 if any(word in where for word in _BACK) else 1
        on_page = bool(found["leaf"] or found["turn"]) or where.startswith(("on", "overleaf"))
        what = _SINGULAR.get(thing, thing.removesuffix("s"))
        yield NearbyPointer(what, step, on_page, found.start(), found.group())
