"""Finding by rule what a document is about: from its file name, cover, running heads, definitions and what recurs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath

from octavo.about.document_texts import DocumentTexts
from octavo.about.heads import names_at_head
from octavo.about.in_force import IN_FORCE_KINDS
from octavo.about.issuers import NO_AUTHOR, former_names_of, issuer_of, short_forms_of
from octavo.about.names import BETWEEN, initials_of_issuer, numbered_words, tells, words_of
from octavo.about.parties import CONTRACTS, parties_of
from octavo.about.profile import DocumentProfile
from octavo_documents.document import Document
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import is_function_word
from octavo_documents.text.document_kinds import DRAFT, document_kinds
from octavo_documents.text.periods import Period, periods_in
from octavo_documents.text.values import MONTH
from octavo_documents.text.versions import version_of_file, versions_in

_FILE, _TITLE, _DEFINED, _RECURRING, _HEAD, _COVER, _METADATA = 1.0, 0.9, 1.0, 0.9, 0.8, 0.35, 0.6
"""How surely a word of each place tells what a document is about."""
_LEAST = 0.08
"""Strength from which a word or a year is kept."""
_READ_CHARACTERS = 12_000
"""Of the first pages, what is read where a model is asked."""
_COVER_CHARACTERS, _OPENING = 3_000, 600
_MOST_WORDS, _MOST_YEARS, _MOST_KINDS = 120, 24, 4
_LEAST_COUNT = 3
"""How often a year stands there at least."""

_YEAR = lazy_regex(r"(?<![\d.,$€£#])(?:199\d|20[0-4]\d)(?![\d%]|[.,]\d)")
_FISCAL_YEAR = lazy_regex(r"(?i:\bFY|\bfiscal(?:\s+years?)?)\s*((?:199|20[0-4])\d)")
_ENDED = lazy_regex(
    r"\b(?:ended|ending|(?P<at>as\s+(?:of|at))|for\s+the\s+(?:year|quarter|period)|date\s+of\s+report"
    r"|(?:report|statement|review|accounts)\s+(?:covers?|relates?\s+to|(?:is|are)\s+for))\b",
    re.IGNORECASE,
)
"""What stands before the end of what a report is of; `at` a day on which something was so: "as of 9 February 2024 there
were 117 million shares", which is the report's own day only where nothing else is."""
_AFTER_ENDED = 60
_TOLD = 2.0
"""How surely a kind is told from which it stands in the name or opening; others the cover may only speak of."""
_OF_DAY = frozenset(("minutes", "agenda", "letter", "mail", "memo"))
"""Kinds of documents that are of the day they bear, whichever years they speak of."""
_DATED = _OF_DAY | {"press release", "current report", "invoice", "newsletter", "proxy statement"}
"""Kinds that are of that day too, and may report on another time."""
_COMPARED = 0.65
"""Strength of the year before in an annual report, which has its figures beside those of its own."""
_BY_FORMAT = {"mail": 10.0, "presentation": 1.0}
"""How surely a file of a format is of a kind: a mail whatever it is about, slides beside what they say they are."""
_FORMATS = {"mail": (".eml", ".msg"), "presentation": (".pptx", ".ppt", ".odp", ".key")}
_OF_QUARTER = frozenset(("quarterly report", "press release", "current report", "transcript", "presentation"))
"""Kinds of documents that may report on a quarter."""
_QUARTER_OF = lazy_regex(
    r"\b(first|second|third|fourth)[\s-]+quarter\s+(?:of\s+)?(?:fiscal\s+(?:year\s+)?)?(20[0-4]\d)\b", re.IGNORECASE
)
_QUARTER_OF_FILE = lazy_regex(r"(?<![^\W_])(?:Q(?P<q>[1-4])|(?P<q2>[1-4])Q)(?![^\W_])", re.IGNORECASE)
_LEAST_QUARTERS = 2
"""How often a document speaks of the quarter that it is of, at least."""
_OF_YEAR_BEFORE = frozenset(("proxy statement",))
"""Kinds that are of the year in which they appear, and tell of pay and votes of the year before."""
_TOLD_AFTER = 0.9
_OF_FIRST_DAY, _IN_FORCE_FROM = 0.58, 0.7
"""Strength of the year of the first day on a cover that tells no end, and of that from which something is in force."""
_PUBLISHED = 0.6
"""Strength of the year in a file's name that comes after the one which the cover says the report is of."""
_MONTHS = 12
_DATELINE = lazy_regex(
    rf"^[A-ZÀ-ÖØ-Þ][A-ZÀ-ÖØ-Þ .'’-]{{2,30}},(?:[^\n,]{{2,20}},)?\s+"
    rf"(?i:(?:{MONTH})\s+\d{{1,2}},?|\d{{1,2}}\s+(?:{MONTH}))\s+\d{{4}}\s*(?:\([^()\n]*\)|/[^\n/]*/)?\s*[–—-]",
    re.MULTILINE,
)
"""What a press release begins with: "LEEDS, England, May 2, 2021 –"."""
_ABSTRACT = lazy_regex(r"^\W*abstract\b\W*$", re.IGNORECASE | re.MULTILINE)
_REST_OF_PAPER = lazy_regex(r"^[\W\dIVX]*(?:introduction|references|bibliography)\W*$", re.IGNORECASE | re.MULTILINE)
"""Headings of scientific papers."""


def profile_of(document: Document) -> DocumentProfile:
    """Return what a document is about, as far as it says so."""
    texts = DocumentTexts(document)
    title = document.title or ("" if document.called == document.name else document.called)
    told = _kinds(texts, title)
    kinds = tuple(told)
    parties = parties_of(texts, kinds)
    if parties and not (kinds and kinds[0] in CONTRACTS):
        kinds = tuple(dict.fromkeys(("contract", *kinds)))[:_MOST_KINDS]
    issuer = BETWEEN.join(parties) or issuer_of(texts, is_bill=kinds[:1] == ("invoice",))
    short_forms = short_forms_of(texts, issuer or title)
    date = _date(texts)
    day = date if kinds and told.get(kinds[0], 0.0) >= _TOLD and kinds[0] in _DATED else ""
    years = _years(texts, title, kinds, day)
    return DocumentProfile(
        title=title,
        issuer=issuer,
        kinds=kinds,
        date=date,
        period=day[:4] if day and kinds[0] in _OF_DAY else _period(years),
        version=_version(texts, title, kinds),
        short_forms=short_forms,
        former=() if parties else former_names_of(texts, issuer),
        words=_strongest(_words(texts, title, issuer, short_forms), _MOST_WORDS),
        years=_strongest(years, _MOST_YEARS),
        heads=names_at_head(texts, title),
    )


def told_by(document: Document) -> tuple[str, str, str]:
    """Return what of a document tells what it is about: its first pages, its running heads and its last lines."""
    texts = DocumentTexts(document)
    return texts.beginning[:_READ_CHARACTERS], "\n".join(texts.heads), texts.ending


def _strongest(strengths: Mapping[str, float], most: int) -> dict[str, float]:
    found = sorted(strengths.items(), key=lambda item: (-item[1], item[0]))[:most]
    return {word: round(strength, 3) for word, strength in found if strength >= _LEAST}


def _words(texts: DocumentTexts, title: str, issuer: str, short_forms: Mapping[str, str]) -> dict[str, float]:
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
        ("" if NO_AUTHOR.search(metadata.title) else metadata.title, _METADATA),
        ("" if NO_AUTHOR.search(metadata.author) else metadata.author, _METADATA),
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
    for text, strength in ((texts.file, _FILE), (title, _TITLE)):
        for one in numbered_words(text):
            found[one.key] = max(found[one.key], strength)
    return {word: strength * _capital_share(word, texts) for word, strength in found.items()}


def _capital_share(word: str, texts: DocumentTexts) -> float:
    without = texts.small.get(word, 0)
    return texts.capitals[word] / (texts.capitals[word] + without) if without else 1.0


def _version(texts: DocumentTexts, title: str, kinds: Sequence[str]) -> str:
    """Return the version that the file's name, title or cover names, else the number at the end of the file's name."""
    file = texts.file.replace("-", " ")
    found = [
        *versions_in(file, texts.code),
        *versions_in(title, texts.code, bare=True),
        *versions_in(texts.cover[:_OPENING], texts.code),
    ]
    is_dated = not _DATED.isdisjoint(kinds[:1])
    return next(iter(found), "") or ("" if is_dated else version_of_file(texts.file))


def _years(texts: DocumentTexts, title: str, kinds: Sequence[str], day: str) -> dict[str, float]:
    """Return the years, quarters and days a document is about, by strength; that of the day it tells of in full."""
    found: dict[str, float] = defaultdict(float)

    def add(periods: Iterable[Period], strength: float) -> None:
        for period in periods:
            for key in period.keys:
                found[key] = max(found[key], strength)

    ended = _ended(texts.cover)
    own, other = _fiscal_years(texts, [period for period in ended if period.month][:1])
    published = other | {period.year + 1 for period in ended[:1]}
    of_file = periods_in(texts.file, texts.code)
    for period in of_file:
        is_year = not (period.quarter or period.month or period.is_fiscal)
        add([period], _PUBLISHED if is_year and period.year in published else 1.0)
    add(periods_in(title, texts.code), 1.0)
    add([period for period in ended if period.year not in other], 0.9)
    add(own, 0.95)
    add(_quarters(texts, kinds, ended, own, of_file), 0.9)
    cover = periods_in(texts.cover, texts.code)
    add(cover, 0.5)
    of_day = [] if ended else [period for period in cover if period.month][:1]
    add(of_day, _OF_FIRST_DAY if IN_FORCE_KINDS.isdisjoint(kinds[:1]) else _IN_FORCE_FROM)
    add([period for period in cover if period.is_fiscal], 0.8)
    for year, strength in _years_spoken_of(texts):
        add([Period(year)], strength)
    if day:
        found[day[:4]] = 1.0
    year_before = _year_before(found, kinds, texts)
    if year_before:
        least = _COMPARED if kinds[0] not in _OF_YEAR_BEFORE else min(_TOLD_AFTER, 0.95 * max(found.values()))
        found[year_before] = max(found[year_before], least)
    return found


def _years_spoken_of(texts: DocumentTexts) -> Iterator[tuple[int, float]]:
    """Yield the years that the whole text names, with how surely it is about each by how often."""
    for years, strength in ((_YEAR.findall(texts.whole), 0.6), (_FISCAL_YEAR.findall(texts.whole), 0.8)):
        counts = Counter(years)
        most = max(counts.values(), default=0)
        if most >= _LEAST_COUNT:
            for year, count in counts.items():
                yield int(year), strength * count / most


def _quarters(
    texts: DocumentTexts,
    kinds: Sequence[str],
    ended: Sequence[Period],
    own: Sequence[Period],
    of_file: Sequence[Period],
) -> list[Period]:
    """Return the quarter that a report on one is of: as its text speaks of it, or by its file's name and its end."""
    if _OF_QUARTER.isdisjoint(kinds[:2]):
        return []
    spoken = Counter((int(year), word.lower()) for word, year in _QUARTER_OF.findall(texts.beginning))
    (year, word), count = max(spoken.items(), key=lambda item: (item[1], item[0]), default=((0, ""), 0))
    if count >= _LEAST_QUARTERS:
        return [period._replace(year=year) for period in periods_in(f"{word} quarter") if period.quarter]
    years = [period.year for period in (*own, *ended) if period.year][:1]
    of_file = of_file or [Period(0, int(found["q"] or found["q2"])) for found in _QUARTER_OF_FILE.finditer(texts.file)]
    return [Period(year, period.quarter) for year in years for period in of_file if period.quarter and not period.year]


def _year_before(years: Mapping[str, float], kinds: Sequence[str], texts: DocumentTexts) -> str:
    """Return the year before that of an annual report, or of what tells of that year, where it is named, else ""."""
    year = _period(years)[:4] if kinds and kinds[0] in ("annual report", *_OF_YEAR_BEFORE) else ""
    before = str(int(year) - 1) if year else ""
    return before if before and before in texts.whole else ""


def _fiscal_years(texts: DocumentTexts, ended: Sequence[Period]) -> tuple[list[Period], set[int]]:
    """Return the fiscal year that a document surely reports on, where it ends in another year, and that other year.

    A retailer's "fiscal 2022" may end in January 2023, and the first quarter of a "fiscal 2023" in December 2022. Which
    number it has is told by how the document speaks of it.
    """
    counts = Counter(map(int, _FISCAL_YEAR.findall(texts.whole)))
    year, count = max(counts.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    if not (ended and count) or counts[ended[0].year] > count / 2:
        return [], set()
    is_before = year == ended[0].year - 1 and ended[0].month <= _MONTHS / 2
    is_next = year == ended[0].year + 1 and any(one.is_fiscal and one.year == year for one in periods_in(texts.cover))
    return ([Period(year, is_fiscal=True)], {ended[0].year}) if is_before or is_next else ([], set())


def _ended(text: str) -> list[Period]:
    """Return the periods after words such as "for the year ended"; only where there are none, those after "as of"."""
    found = [
        (match["at"] is None, period)
        for match in _ENDED.finditer(text)
        for period in periods_in(text[match.end() : match.end() + _AFTER_ENDED])[:1]
    ]
    surest = max((is_end for is_end, _ in found), default=False)
    return [period for is_end, period in found if is_end == surest]


def _kinds(texts: DocumentTexts, title: str) -> dict[str, float]:
    """Return the kinds that a document says it is, the surest first, and how surely."""
    found: dict[str, float] = defaultdict(float)
    opening, cover = texts.kinds_of_cover(_OPENING), texts.kinds_of_cover(_COVER_CHARACTERS)
    if _DATELINE.search(texts.cover):
        found["press release"] += 2.0
    if _ABSTRACT.search(texts.cover) and _REST_OF_PAPER.search(texts.whole):
        found["paper"] += 1.0  # a paper says so by its parts, and a thesis by its name too
    names = (document_kinds(texts.file.replace("-", " "), texts.code), document_kinds(title, texts.code))
    for kinds, strength in zip((*names, opening, cover), (3.0, 3.0, 2.0, 0.5), strict=True):
        for kind in kinds:
            found[kind] += strength
    suffix = PurePath(texts.document.name).suffix.lower()
    for kind, strength in _BY_FORMAT.items():
        found[kind] += strength * (suffix in _FORMATS[kind])
    found = {kind: strength for kind, strength in found.items() if strength}
    if any(kind.endswith(" report") for kind in found):
        found.pop("report", None)  # it says nothing more
    is_draft = found.pop(DRAFT, 0.0) >= _TOLD  # of what else it is
    ordered = sorted(found.items(), key=lambda told: -told[1])
    return dict([*ordered[: _MOST_KINDS - is_draft], *([(DRAFT, _TOLD)] if is_draft else [])])


def _date(texts: DocumentTexts) -> str:
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
