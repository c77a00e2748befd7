"""Words that say the same in another form: short and long names of months, days, units, countries and currencies.

Endings are the stemmer's: here are the forms that no ending tells. A word has the same forms in a question and in a
document, so that nothing is told to be missing that stands there in another form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from octavo_documents.text.analyzer import analyze
from octavo_documents.text.languages import ENGLISH, language

MONTHS = "january february march april may june july august september october november december".split()  # noqa: SIM905
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()  # noqa: SIM905
_GROUPS = """
    sept sep september; tues tue tuesday; thurs thur thu thursday; wednes wed wednesday
    uk britain british gb; usa us american america; eu europe european
    germany german deutschland; france french; spain spanish; italy italian; netherlands dutch holland
    switzerland swiss; austria austrian; sweden swedish; norway norwegian; denmark danish; finland finnish
    poland polish; portugal portuguese; ireland irish; greece greek; turkey turkish türkiye; china chinese
    japan japanese; india indian; russia russian; brazil brazilian; mexico mexican; canada canadian
    australia australian; belgium belgian; czechia czech; hungary hungarian; romania romanian; ukraine ukrainian
    egypt egyptian; iceland icelandic; scotland scottish; wales welsh; england english; korea korean
    vietnam vietnamese; thailand thai; israel israeli; argentina argentinian argentine; chile chilean
    kenya kenyan; nigeria nigerian; mongolia mongolian; croatia croatian; serbia serbian; bulgaria bulgarian
    slovakia slovak; slovenia slovenian; estonia estonian; latvia latvian; lithuania lithuanian; luxembourg lux
    euro eur €; dollar usd $; pound gbp sterling £; franc chf; yen jpy ¥; rupee inr ₹; krone nok dkk; krona sek
    kilometre kilometer km; metre meter m; centimetre centimeter cm; millimetre millimeter mm; mile mi
    kilogram kilogramme kg kilo; gram gramme; litre liter; millilitre milliliter ml
    hour hr; minute min; second sec; kilowatt kw; megawatt mw; gigawatt gw; degree °; percent pct
    square sq; ampere amp; hectare ha; number no nr; telephone phone tel; address addr; department dept
    first 1st; second 2nd; third 3rd; fourth 4th; fifth 5th; sixth 6th; seventh 7th; eighth 8th; ninth 9th; tenth 10th
    two 2; three 3; four 4; five 5; six 6; seven 7; eight 8; nine 9; ten 10; eleven 11; twelve 12
    q1 1q; q2 2q; q3 3q; q4 4q
    colour color; harbour harbor; labour labor; centre center; theatre theater; programme program; grey gray
    tyre tire; aluminium aluminum; neighbour neighbor; favour favor; honour honor; flavour flavor; humour humor
    odour odor; rumour rumor; vapour vapor; behaviour behavior; armour armor; cheque check; catalogue catalog
    dialogue dialog; defence defense; licence license; offence offense; practise practice; storey story; plough plow
    analyse analyze; organise organize; organisation organization; recognise recognize; realise realize
    authorise authorize; authorisation authorization; standardise standardize; utilise utilize; minimise minimize
    maximise maximize; optimise optimize; summarise summarize; fulfil fulfill; enrol enroll; instalment installment
    travelling traveling; cancelled canceled; modelling modeling; labelled labeled; fibre fiber; kerb curb
    ageing aging; mould mold; pyjamas pajamas; sceptical skeptical; sulphur sulfur; jewellery jewelry
"""
PHRASES: dict[str, tuple[str, ...]] = {
    "uk": ("unit", "kingdom"),
    "usa": ("unit", "state"),
    "eu": ("european", "union"),
    "kingdom": ("uk",),
    "union": ("eu",),
}
"""The terms that together say the same as one term of a name: "United Kingdom" and UK."""


def _groups() -> Iterator[tuple[str, ...]]:
    yield from ((month, month[:3]) for month in MONTHS if month != "may")
    yield from ((day, day[:3]) for day in DAYS)
    yield from (tuple(group.split()) for line in _GROUPS.split("\n") for group in line.split(";") if group.strip())


_SHORTEST_MONTH = 4
"""Letters of a short name of a month that is no other word: "mar" is the sea too."""


@cache
def _months(code: str) -> tuple[tuple[str, ...], ...]:
    """Return the terms of each month's name in a language: its full name, and short ones that say nothing else."""
    if code == ENGLISH:
        return tuple(tuple(analyze(month)) for month in MONTHS)
    forms = [
        (names[0], *(name for name in names[1:] if len(name) >= _SHORTEST_MONTH)) for names in language(code).months
    ]
    return tuple(tuple(dict.fromkeys(term for name in names for term in analyze(name, code))) for names in forms)


@lru_cache(maxsize=512)
def forms_in(text: str, code: str, others: frozenset[str]) -> Mapping[str, frozenset[str]]:
    """Return by each term of a text in one language the terms that say the same in documents of these languages.

    They are other forms of it, the stems of its words by the rules of each language, and the names of its months there.

    >>> sorted(forms_in("Siemens im März", "de", frozenset({"de", "en"}))["marz"])
    ['march']
    """
    found = {term: set(same_terms(term)) if code == ENGLISH else set[str]() for term in analyze(text, code)}
    for other in others - {code}:
        for word in text.split():
            theirs = [term for term in analyze(word, other) if len(term) > 1]
            for term in analyze(word, code):
                found[term].update(theirs)
    for names in zip(*(_months(one) for one in sorted({*others, code}) if _months(one)), strict=True):
        terms = {term for own in names for term in own}
        for term in terms & found.keys() if {*others} != {ENGLISH} or code != ENGLISH else ():
            found[term] |= terms
    return {term: frozenset(forms - {term}) for term, forms in found.items()}


@cache
def _same() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for group in _groups():
        terms = {term for word in group for term in analyze(word)}
        for term in terms:
            found.setdefault(term, set()).update(terms)
    return {term: frozenset(terms - {term}) for term, terms in found.items()}


def same_terms(term: str) -> frozenset[str]:
    """Return the terms that say the same as another in another form; none where there are none.

    >>> sorted(same_terms("februari"))
    ['feb']
    """
    return _same().get(term, frozenset())


MONTH_TERMS = {term: month for month, name in enumerate(MONTHS, start=1) for term in analyze(name)}
"""Which month, 1 to 12, a term names."""
_IN_FIGURES = re.compile(
    r"(?<![\d.,/-])(?:(?:19|20)\d\d-(?P<month>\d\d)(?:-\d\d)?"
    r"|(?P<first>\d\d?)(?P<by>[./])(?P<second>\d\d?)(?P=by)(?:(?:19|20)\d\d|\d\d))(?!\d|[./-]\d)"
)


def months_in_figures(text: str) -> frozenset[str]:
    """Return the terms of the months that dates in figures may be of; of 2/3/2024 either, for both orders are written.

    >>> sorted(months_in_figures("2008-02-01")), sorted(months_in_figures("14.3.2024"))
    (['februari'], ['march'])
    """
    numbers = {
        int(one) for found in _IN_FIGURES.finditer(text) for one in found.group("month", "first", "second") if one
    }
    return frozenset(term for term, month in MONTH_TERMS.items() if month in numbers) if numbers else frozenset()
