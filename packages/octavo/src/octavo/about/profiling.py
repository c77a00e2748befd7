"""Finding by rule what a document is about: from its file name, cover, running heads, definitions and what recurs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from octavo.about.names import initials_of_issuer, is_legal_form, name_word, tells, words_of, words_of_file
from octavo.about.profile import DocumentProfile
from octavo_documents.document import FURNITURE, Document, Kind
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import is_function_word
from octavo_documents.text.document_kinds import document_kinds, named_kinds
from octavo_documents.text.language_identification import language_of
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.periods import Period, periods_in
from octavo_documents.text.versions import versions_in

_FILE, _TITLE, _DEFINED, _RECURRING, _HEAD, _COVER, _METADATA = 1.0, 0.9, 1.0, 0.9, 0.8, 0.35, 0.6
"""How surely a word of each place tells what a document is about."""
_LEAST = 0.08
"""Strength from which a word or a year is kept."""
_READ_CHARACTERS = 12_000
"""Of the first pages, what is read where a model is asked."""
_COVER_PAGES, _COVER_CHARACTERS, _OPENING = 2, 3_000, 600
_DEFINED_BLOCKS, _DEFINED_CHARACTERS = 400, 40_000
"""Where short forms are defined: near the beginning."""
_MOST_WORDS, _MOST_YEARS, _MOST_FORMS, _MOST_KINDS = 120, 24, 8, 4
_LEAST_COUNT = 3
"""How often what recurs stands there at least."""
_FEW_PAGES = 6
"""Below so many pages what recurs is counted by blocks."""
_HEADS, _HEAD_SHARE = 6, 0.2
_MOST_COUNTED, _OWN_LINE, _SPEAKS = 5, 3.0, 3.0
"""What speaks for a company as the issuer: each place it stands in, a line of its own, the file's name or recurring."""

_CAPITALISED = lazy_regex(r"(?<![\w.'’-])[A-Z][\w&'’]*(?:[A-Z&][\w]*)*")
_SMALL = lazy_regex(r"(?<![\w.'’-])[a-zà-öø-ÿ][a-zà-öø-ÿ'’]+")
_YEAR = lazy_regex(r"(?<![\d.,$€£#])(?:199\d|20[0-4]\d)(?![\d%]|[.,]\d)")
_FISCAL_YEAR = lazy_regex(r"(?i:\bFY|\bfiscal(?:\s+years?)?)\s*((?:199|20[0-4])\d)")
_DEFINITION = lazy_regex(
    r"(?P<long>[A-Z][\w&.,'’\- ]{2,80}?)\s*\((?:[^()\"“”]{0,60}?)[\"“](?P<short>[A-Z][\w&.'’\- ]{1,40})[\"”]"
)
"""A name that goes on by a shorter one: 'Northwind Traders Inc. ("Northwind")', '(the "Trust")'."""
_EXCHANGE = r"\b(?:NYSE|NASDAQ|Nasdaq|LSE|AMEX|TSX|XETRA|ASX|SIX|HKEX|Euronext)(?:\s*(?:MKT|GS|Arca))?\s*[:：]"
_TICKER = lazy_regex(rf"{_EXCHANGE}\s*([A-Z][A-Z.]{{0,5}})\b")
_ENDED = lazy_regex(
    r"\b(?:ended|ending|as\s+(?:of|at)|for\s+the\s+(?:year|quarter|period)|date\s+of\s+report)\b", re.IGNORECASE
)
_AFTER_ENDED = 60
_COMPANY = re.compile(
    r"(?P<name>[A-Z][\w&.'’\-]*(?:[ \t]+(?:[A-Z&][\w&.'’\-]*|of|and|the|de|for)){0,6}?,?[ \t]+"
    r"(?:(?:Inc|Incorporated|Corp|Corporation|Ltd|Limited|LLC|LLP|PLC|plc|GmbH|AG|SA|S\.A|NV|N\.V|SE|"
    r"Company(?![ \t]+Secretary)|Co|Group|"
    r"Bancorp|Bancorporation|Bancshares|Holdings|Bank|Trust)\b\.?"
    r"|(?:Council|University|Hospital|Institute|Ministry|Agency|Authority|Association|Foundation|Society|College)\b"
    r"(?:[ \t]+(?:for|of)(?:[ \t]+(?:the|and|&))?(?:[ \t]+[A-Z][\w'’\-]+(?:[ \t]+(?:and|&)(?=[ \t]+[A-Z]))?){1,3})?)"
    r"|University[ \t]+of(?:[ \t]+[A-Z][\w'’\-]+){1,3})"
)
_SPEAKER = re.compile(
    r"(?<![\w.])(?P<name>[A-Z][\w&.'’\-]*(?:[ \t]+(?:[A-Z&][\w&.'’\-]*|of|and|the|de|for)){0,6},?)[ \t]*"
    rf"\((?:{_EXCHANGE}[^()]{{0,40}}\)[ \t]*\()?[^()]{{0,60}}[\"“](?:the[ \t]+)?"
    r"(?:Company|Registrant|Corporation|Group|Bank|Trust|Fund|Partnership|Council|University|we|us)[\"”]"
)
"""Who goes on to speak as "the Company": 'First Harbour Bancorp (NYSE: FHB) (the "Company")'."""
_LONGEST_AUTHOR = 80
_NO_AUTHOR = lazy_regex(
    r"\b(?:microsoft|office|user|admin\w*|scanner|owner|author|unknown|anonymous|root|pdf|word|python-(?:docx|pptx)|"
    r"openpyxl|xlsxwriter|apache poi|docx4j|aspose|phpword|phpspreadsheet|un-named|default)\b",
    re.IGNORECASE,
)
"""What programs write where an author belongs."""
_MACHINE_MADE = lazy_regex(r"^(?=[^.]*\d)[0-9a-f-]{16,}(?:\.|$)")
"""A file's name that a program gave it: a digest, the number of an upload."""
_NO_SHORT_FORMS = frozenset(
    """company registrant issuer group corporation we us our firm parent seller buyer customer supplier agreement report
    landlord tenant party parties act commission exchange board plan notes service services""".split()  # noqa: SIM905
)
"""What every document of a sort calls its subject."""
_NO_FILE_WORDS = frozenset(
    "final draft copy scan scanned doc document dated new old version rev file img page print pdf readme index".split()  # noqa: SIM905
)


def profile_of(document: Document) -> DocumentProfile:
    """Return what a document is about, as far as it says so."""
    texts = _Texts(document)
    title = document.title or ("" if document.called == document.name else document.called)
    issuer = _issuer(texts)
    short_forms = _short_forms(texts, issuer or title)
    years = _years(texts, title)
    return DocumentProfile(
        title=title,
        issuer=issuer,
        kinds=_kinds(texts, title),
        date=_date(texts),
        period=_period(years),
        version=next(
            iter(
                [
                    *versions_in(texts.file, texts.code),
                    *versions_in(title, texts.code, bare=True),
                    *versions_in(texts.cover[:_OPENING], texts.code),
                ]
            ),
            "",
        ),
        short_forms=short_forms,
        words=_strongest(_words(texts, title, issuer, short_forms), _MOST_WORDS),
        years=_strongest(years, _MOST_YEARS),
    )


def told_by(document: Document) -> tuple[str, str, str]:
    """Return what of a document tells what it is about: its first pages, its running heads and its last lines."""
    texts = _Texts(document)
    return texts.beginning[:_READ_CHARACTERS], "\n".join(texts.heads), texts.ending


def _strongest(strengths: Mapping[str, float], most: int) -> dict[str, float]:
    found = sorted(strengths.items(), key=lambda item: (-item[1], item[0]))[:most]
    return {word: round(strength, 3) for word, strength in found if strength >= _LEAST}


@dataclass(frozen=True)
class _Texts:
    """What the parts of a document say that tell what it is about."""

    document: Document

    @cached_property
    def blocks(self) -> list[str]:
        return [*self.document.blocks.text]

    @cached_property
    def code(self) -> str:
        """The code of the language of its first pages."""
        return language_of(self.cover)

    @cached_property
    def whole(self) -> str:
        return "\n".join(self.blocks)

    @cached_property
    def file(self) -> str:
        """The name of the file as words, without its ending; "" where a program made it."""
        name = self.document.name
        if _MACHINE_MADE.search(name):
            return ""
        return " ".join(re.split(r"[_\s]+", name.rpartition(".")[0] or name))

    @cached_property
    def file_words(self) -> frozenset[str]:
        return frozenset(words_of_file(self.document.name)) - _NO_FILE_WORDS if self.file else frozenset()

    @cached_property
    def cover(self) -> str:
        return "\n".join(self.blocks[row] for row in self._cover_rows)[:_COVER_CHARACTERS]

    @cached_property
    def _cover_rows(self) -> list[int]:
        blocks = self.document.blocks
        taken: list[int] = []
        size = 0
        for row in np.flatnonzero((blocks.page <= _COVER_PAGES) & ~np.isin(blocks.kind, FURNITURE)).tolist():
            taken.append(row)
            size += len(self.blocks[row])
            if size > _COVER_CHARACTERS:
                break
        return taken

    def kinds_of_cover(self, most: int) -> set[str]:
        """Return which kinds of documents the first characters of the cover say that it is."""
        found: set[str] = set()
        at = 0
        for row in self._cover_rows:
            is_name = self.document.blocks.kind[row] != Kind.LIST_ITEM
            for line in self.blocks[row].split("\n"):
                found.update(named_kinds(line[: max(0, most - at)], self.code, is_name=is_name))
                at += len(line) + 1
        return found

    @cached_property
    def beginning(self) -> str:
        return "\n".join(self.blocks[:_DEFINED_BLOCKS])[:_DEFINED_CHARACTERS]

    @cached_property
    def ending(self) -> str:
        """The last lines, where names are signed."""
        return self.whole[max(len(self.beginning), len(self.whole) - _COVER_CHARACTERS) :]

    @cached_property
    def heads(self) -> Iterable[str]:
        """The running heads and feet that stand on many pages."""
        rows = np.flatnonzero(np.isin(self.document.blocks.kind, FURNITURE)).tolist()
        least = max(2, _HEAD_SHARE * len(self.document.pages))
        counted = Counter(self.blocks[row] for row in rows).most_common(_HEADS)
        return [text for text, count in counted if count >= least]

    @cached_property
    def capitals(self) -> Counter[str]:
        """How often each word stands with a capital."""
        found: Counter[str] = Counter()
        for written, count in self._capitalised[1].items():
            found[name_word(written)] += count
        return found

    @cached_property
    def _capitalised(self) -> tuple[dict[str, int], Counter[str]]:
        """Capitalised words as they are written: on how many pages, or blocks, and how often each stands."""
        blocks = self.document.blocks
        places = blocks.page.tolist() if len(self.document.pages) >= _FEW_PAGES else range(len(blocks))
        is_content = (~np.isin(blocks.kind, FURNITURE)).tolist()
        found: dict[str, set[int]] = defaultdict(set)
        counts: Counter[str] = Counter()
        for text, place, is_text in zip(self.blocks, places, is_content, strict=True):
            if is_text and text:
                for written in _CAPITALISED.findall(text):
                    found[written].add(place)
                    counts[written] += 1
        return {written: len(where) for written, where in found.items()}, counts

    @cached_property
    def recurring(self) -> dict[str, float]:
        """Words with a capital by the share of pages, or blocks, they stand on (0..1), in full from two thirds."""
        places, counts = self._capitalised
        whole = len(self.document.pages)
        if whole < _FEW_PAGES:
            whole = sum(map(bool, self.blocks))
        shares: dict[str, float] = {}
        for written, where in places.items():
            word = name_word(written)
            if counts[written] >= _LEAST_COUNT and tells(word):
                shares[word] = max(shares.get(word, 0.0), min(1.0, 1.5 * where / max(1, whole)))
        return shares


def _issuer(texts: _Texts) -> str:
    """Return the company that stands in the beginning, the end or the running heads and speaks most for itself.

    Where none does, the author that the file names.
    """
    weights: dict[str, float] = defaultdict(float)
    for text in (texts.beginning, texts.ending):
        counts = Counter(_companies(text))
        for name, count in counts.items():
            weights[name] += min(count, _MOST_COUNTED)
    for name in _companies(texts.beginning, _SPEAKER):
        weights[name] += _OWN_LINE
    for line in (*texts.cover.split("\n"), *texts.heads):
        for name in _companies(line):
            weights[name] += _OWN_LINE * (len(name) > 0.6 * len(line))
    best = max(sorted(weights), key=lambda name: weights[name] + _SPEAKS * _is_of_file(name, texts), default="")
    author = texts.document.metadata.author
    return best or (author if len(author) < _LONGEST_AUTHOR and not _NO_AUTHOR.search(author) else "")


def _companies(text: str, pattern: re.Pattern[str] = _COMPANY) -> Iterator[str]:
    for match in pattern.finditer(text):
        name = on_one_line(match["name"]).rstrip(",")
        words = _own_words(name)
        if words and words[0] not in _NO_SHORT_FORMS and not document_kinds(name):
            yield name


def _own_words(name: str) -> list[str]:
    return [word for word, _ in words_of(name) if not is_legal_form(word) and not is_function_word(word)]


def _is_of_file(name: str, texts: _Texts) -> float:
    """Return how much the first words of a name are in the name of the file, and recur, 0 to 2."""
    words = _own_words(name)[:2]
    return texts.recurring.get(words[0], 0.0) + any(word in texts.file_words for word in words)


def _short_forms(texts: _Texts, subject: str) -> dict[str, str]:
    """Return what the document calls its subject for short, with what each form stands for."""
    about = {word for word, _ in words_of(subject)} | texts.file_words
    found: dict[str, str] = {}
    for match in _DEFINITION.finditer(texts.beginning):
        short, long = match["short"].strip(" ,"), on_one_line(match["long"]).strip(" ,")
        is_subject = not about.isdisjoint(word for word, _ in words_of(long) if len(word) > 2)
        if is_subject and name_word(short) not in _NO_SHORT_FORMS and len(short.split()) < 4:
            found.setdefault(short, long)
    for match in _TICKER.finditer(texts.beginning[: _DEFINED_CHARACTERS // 4]):
        found.setdefault(match[1], subject)
    return dict([*found.items()][:_MOST_FORMS])


def _words(texts: _Texts, title: str, issuer: str, short_forms: Mapping[str, str]) -> dict[str, float]:
    """Return the words of a document's names by strength.

    One that it writes without a capital as often as with one is no name.
    """
    found: dict[str, float] = defaultdict(float)

    def add(words: Iterable[str], strength: float) -> None:
        for word in words:
            if tells(word) and not is_function_word(word, texts.code):
                found[word] = max(found[word], strength)

    metadata = texts.document.metadata
    add(texts.file_words, _FILE)
    for text, strength in (
        (title, _TITLE),
        (issuer, _TITLE),
        ("" if _NO_AUTHOR.search(metadata.title) else metadata.title, _METADATA),
        ("" if _NO_AUTHOR.search(metadata.author) else metadata.author, _METADATA),
    ):
        add((word for word, _ in words_of(text)), strength)
    add(initials_of_issuer(issuer), _TITLE)
    for short in short_forms:
        add((word for word, _ in words_of(short)), _DEFINED)
    add((word for word, written in words_of(texts.cover) if written[0].isupper()), _COVER)
    for head in texts.heads:
        add((word for word, _ in words_of(head)), _HEAD)
    for word, share in texts.recurring.items():
        add((word,), _RECURRING * share)
    small = Counter(_SMALL.findall(texts.whole))
    return {word: strength * _capital_share(word, texts, small) for word, strength in found.items()}


def _capital_share(word: str, texts: _Texts, small: Mapping[str, int]) -> float:
    without = small.get(word, 0)
    return texts.capitals[word] / (texts.capitals[word] + without) if without else 1.0


def _years(texts: _Texts, title: str) -> dict[str, float]:
    """Return the years, quarters and days a document is about, by strength."""
    found: dict[str, float] = defaultdict(float)

    def add(periods: Iterable[Period], strength: float) -> None:
        for period in periods:
            for key in period.keys:
                found[key] = max(found[key], strength)

    add([*periods_in(texts.file, texts.code), *periods_in(title, texts.code)], 1.0)
    add(_ended(texts.cover), 0.9)
    cover = periods_in(texts.cover, texts.code)
    add(cover, 0.5)
    add([period for period in cover if period.is_fiscal], 0.8)
    for years, strength in ((_YEAR.findall(texts.whole), 0.6), (_FISCAL_YEAR.findall(texts.whole), 0.8)):
        counts = Counter(years)
        most = max(counts.values(), default=0)
        if most >= _LEAST_COUNT:
            for year, count in counts.items():
                add([Period(int(year))], strength * count / most)
    return found


def _ended(text: str) -> Iterator[Period]:
    """Yield the first period after words such as "for the year ended"."""
    for match in _ENDED.finditer(text):
        yield from periods_in(text[match.end() : match.end() + _AFTER_ENDED])[:1]


def _kinds(texts: _Texts, title: str) -> tuple[str, ...]:
    found: dict[str, float] = defaultdict(float)
    opening, cover = texts.kinds_of_cover(_OPENING), texts.kinds_of_cover(_COVER_CHARACTERS)
    names = (document_kinds(texts.file.replace("-", " "), texts.code), document_kinds(title, texts.code))
    for kinds, strength in zip((*names, opening, cover), (3.0, 3.0, 2.0, 0.5), strict=True):
        for kind in kinds:
            found[kind] += strength
    return tuple(sorted(found, key=lambda kind: -found[kind])[:_MOST_KINDS])


def _date(texts: _Texts) -> str:
    """Return the first day or month that the file's name or the cover names."""
    for text in (texts.file, texts.cover):
        for period in periods_in(text, texts.code):
            if period.year and period.month:
                return f"{period.year}-{period.month:02}" + (f"-{period.day:02}" if period.day else "")
    return ""


def _period(years: Mapping[str, float]) -> str:
    """Return the quarter that the document surely is about, else the year."""
    quarters = [key for key in years if "Q" in key and years[key] >= 0.9]
    plain = [key for key in years if len(key) == 4]
    return max(quarters or plain, key=lambda key: (years[key], key), default="")
