"""Which documents the generated library holds: of each issuer so many of each kind, with period, date and version.

Knows nothing about what the documents say (library_texts.py) or how they are kept (library_paths.py, library_files.py).
"""

from __future__ import annotations

import calendar
import dataclasses
import datetime
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from library_values import Scope, dated

Issuer = dict[str, Any]
YEARS = range(2019, 2024)
_ORDINALS = ("first", "second", "third")
_RELEASES = ("acquisition", "appointment", "plant", "notes", "warning")
_REVISIONS = ("A", "B", "C", "D")
_RELEASED = ("2.0", "2.1", "3.0", "3.2")
_POLICY = ("1.0", "1.1", "2.0", "2.1", "3.0")
_SERVICES = ("maintenance", "payroll", "catering", "cleaning", "software support", "freight", "metering", "translation")


@dataclasses.dataclass(frozen=True)
class Plan:
    """A document to be: `texts` names its wording, `about` a product, a policy, a body or a service."""

    issuer: Issuer
    kind: str
    texts: str
    scope: Scope
    period: str
    written_period: str
    date: datetime.date
    ended: datetime.date | None = None
    before: Scope | None = None
    version: str = ""
    about: str = ""
    parties: tuple[str, ...] = ()
    base: Scope | None = None

    @property
    def key(self) -> str:
        """Return what tells the document from all others, for drawing at random."""
        return f"{self.issuer['key']} {self.texts} {self.scope.name} {self.about}"


def issuers() -> list[Issuer]:
    """Return the issuers of issuers.toml, whole."""
    data = tomllib.loads((Path(__file__).parent / "issuers.toml").read_text("utf-8"))
    return [data["default"] | row for row in data["issuer"]]


def name_at(issuer: Issuer, day: datetime.date) -> str:
    """Return the name that an issuer had on a day."""
    return issuer["name"] if _is_renamed(issuer, day) else issuer["formerly"]


def shorts_at(issuer: Issuer, day: datetime.date) -> list[str]:
    """Return the short forms of the name that an issuer had on a day."""
    return issuer["short"] if _is_renamed(issuer, day) else issuer["formerly_short"]


def listing_at(issuer: Issuer, day: datetime.date) -> str:
    """Return exchange and ticker on a day, empty where the issuer is not listed."""
    return issuer["listing"] if _is_renamed(issuer, day) else issuer["formerly_listing"]


def _is_renamed(issuer: Issuer, day: datetime.date) -> bool:
    return "formerly" not in issuer or day >= datetime.date.fromisoformat(issuer["renamed"])


def plans(seed: int) -> list[Plan]:
    """Return all documents of the library."""
    known = issuers()
    made: list[Plan] = []
    for issuer in known:
        for kind, count in issuer["count"].items():
            source = random.Random(f"{seed} {issuer['key']} {kind}")
            texts = issuer["words"].get(kind, kind)
            found = list(_KINDS[kind](source, issuer, texts, count))
            made += _between(source, known, found) if kind == "contract" else found
    return made


def year_end(issuer: Issuer, year: int) -> datetime.date:
    """Return the last day of a fiscal year."""
    month, day = map(int, issuer["ends"].split("-"))
    return datetime.date(year + issuer["ends_later"], month, day)


def written_year(issuer: Issuer, year: int) -> str:
    """Return how the issuer writes a fiscal year."""
    if issuer["regime"] in {"us", "jp"}:
        return f"fiscal year {year}"
    return f"the year {year}" if issuer["ends"] == "12-31" else f"the financial year {year - 1}/{year % 100}"


def fiscal(issuer: Issuer, year: int) -> Scope:
    """Return a fiscal year as values are true of it."""
    return Scope(f"FY{year}", year, year_end(issuer, year))


def _annual(source: random.Random, issuer: Issuer, texts: str, count: int) -> Iterator[Plan]:
    for year in sorted(source.sample(list(YEARS), count)):
        end = year_end(issuer, year)
        date = _working(end + datetime.timedelta(days=source.randint(50, 85)))
        scope, before = fiscal(issuer, year), fiscal(issuer, year - 1)
        yield Plan(issuer, "annual report", texts, scope, scope.name, written_year(issuer, year), date, end, before)


def _quarterly(source: random.Random, issuer: Issuer, texts: str, count: int) -> Iterator[Plan]:
    for year, quarter in sorted(source.sample([(year, at) for year in YEARS for at in (1, 2, 3)], count)):
        end = _months_before(year_end(issuer, year), 3 * (4 - quarter))
        scope, before = (Scope(f"FY{one} Q{quarter}", one, end) for one in (year, year - 1))
        written = f"{_ORDINALS[quarter - 1]} quarter of {written_year(issuer, year).removeprefix('the year ')}"
        date = _working(end + datetime.timedelta(days=source.randint(24, 40)))
        yield Plan(issuer, "quarterly report", texts, scope, scope.name, written, date, end, before)


def _months_before(day: datetime.date, months: int) -> datetime.date:
    at = day.year * 12 + day.month - 1 - months
    year, month = at // 12, at % 12 + 1
    return datetime.date(year, month, calendar.monthrange(year, month)[1])


def _release(source: random.Random, issuer: Issuer, texts: str, count: int) -> Iterator[Plan]:
    several = [*_RELEASES, *(["recall"] if issuer["recalls"] else [])]
    topics = (["results"] if source.random() < 0.6 else []) + source.sample(several, count)
    for topic in (["renamed", *topics] if "formerly" in issuer else topics)[:count]:
        if topic == "results":
            year = source.choice(list(YEARS))
            scope, end = fiscal(issuer, year), year_end(issuer, year)
            date = _working(end + datetime.timedelta(days=source.randint(22, 40)))
            written = written_year(issuer, year)
            yield Plan(issuer, "press release", f"{texts}-{topic}", scope, scope.name, written, date, end)
        else:
            day = datetime.date.fromisoformat(issuer["renamed"]) if topic == "renamed" else _day(source)
            yield _on(issuer, "press release", f"{texts}-{topic}", day)


def _on(issuer: Issuer, kind: str, texts: str, day: datetime.date, **more: Any) -> Plan:
    """Return the plan of a document that is about a day, or about nothing but what it was written on."""
    name = f"{more.get('about', '')} {more.get('version') or day.isoformat()}".strip()
    written = dated(day, issuer["regime"])
    return Plan(issuer, kind, texts, Scope(name, day.year, day), day.isoformat(), written, day, **more)


def _day(source: random.Random, year: int | None = None) -> datetime.date:
    """Return a working day."""
    day = datetime.date(year or source.choice(list(YEARS)), 1, 7) + datetime.timedelta(days=source.randint(0, 340))
    return _working(day)


def _working(day: datetime.date) -> datetime.date:
    """Return the day, or the Friday before it."""
    return day - datetime.timedelta(days=max(0, day.weekday() - 4))


def _versioned(
    source: random.Random, issuer: Issuer, kind: str, texts: str, count: int, versions: tuple[str, ...]
) -> Iterator[Plan]:
    """Yield versions of the products or policies of an issuer, each later than the one before."""
    abouts = issuer["policies"] if kind == "policy" else issuer["products"]
    for at in range(count):
        about, turn = abouts[at % len(abouts)], at // len(abouts)
        first = random.Random(f"{issuer['key']} {about}").choice((2019, 2020))
        yield _on(issuer, kind, texts, _day(source, first + turn), about=about, version=versions[turn])


def _policy(source: random.Random, issuer: Issuer, texts: str, count: int) -> Iterator[Plan]:
    yield from _versioned(source, issuer, "policy", texts, count, _POLICY)


def _manual(source: random.Random, issuer: Issuer, texts: str, count: int) -> Iterator[Plan]:
    yield from _versioned(source, issuer, "manual", texts, count, _RELEASED if "software" in texts else _REVISIONS)


def _readme(source: random.Random, issuer: Issuer, texts: str, count: int) -> Iterator[Plan]:
    if issuer["products"]:
        yield from _versioned(source, issuer, "readme", texts, count, _RELEASED)
    else:
        yield _on(issuer, "readme", texts, _day(source))


def _minutes(source: random.Random, issuer: Issuer, texts: str, count: int) -> Iterator[Plan]:
    for at, day in enumerate(sorted(_day(source) for _ in range(count))):
        yield _on(issuer, "minutes", texts, day, about=issuer["bodies"][at % len(issuer["bodies"])])


def _paper(source: random.Random, issuer: Issuer, texts: str, count: int) -> Iterator[Plan]:
    """Yield papers; where there are more than subjects, the later ones are second versions of the first."""
    for at in range(count):
        about, turn = issuer["products"][at % len(issuer["products"])], at // len(issuer["products"])
        day = _day(source, 2019 + (at % 3) + 2 * turn)
        yield _on(issuer, "paper", texts, day, about=about, version=f"Version {turn + 1}")


def _deck(source: random.Random, issuer: Issuer, texts: str, count: int) -> Iterator[Plan]:
    for year, quarter in sorted(source.sample([(year, at) for year in YEARS for at in (1, 2, 3)], count)):
        day = _months_before(datetime.date(year, 12, 31), 3 * (4 - quarter)) + datetime.timedelta(days=9)
        written = f"{_ORDINALS[quarter - 1]} quarter of {year}"
        name = f"{year} Q{quarter}"
        yield Plan(issuer, "deck", texts, Scope(f"deck {name}", year, day), name, written, day)


def _contract(source: random.Random, issuer: Issuer, texts: str, count: int) -> Iterator[Plan]:
    """Yield contracts of a law firm; each fourth amends the one before."""
    last = _on(issuer, "contract", texts, _day(source, 2019))
    for at in range(count):
        if at % 4 == 3:
            day = _working(last.date + datetime.timedelta(days=source.randint(250, 420)))
            scope = Scope(f"amendment {at}", day.year, day)
            version = "Amendment No. 1"
            changed = {"scope": scope, "base": last.scope, "version": version}
            period = {"period": day.isoformat(), "written_period": dated(day, issuer["regime"]), "date": day}
            yield dataclasses.replace(last, **changed, **period)
        else:
            last = _on(issuer, "contract", texts, _day(source, 2019 + at % 4), about=_SERVICES[at % len(_SERVICES)])
            yield last


def _between(source: random.Random, known: list[Issuer], found: list[Plan]) -> Iterator[Plan]:
    """Yield contracts with two parties; an amendment has those of what it amends."""
    parties: list[Issuer] = []
    for plan in found:
        if not plan.version:
            parties = source.sample([one for one in known if one["key"] != plan.issuer["key"]], 2)
        yield dataclasses.replace(plan, parties=tuple(name_at(one, plan.date) for one in parties))


_KINDS = {
    "annual": _annual,
    "quarterly": _quarterly,
    "release": _release,
    "policy": _policy,
    "manual": _manual,
    "readme": _readme,
    "minutes": _minutes,
    "paper": _paper,
    "deck": _deck,
    "contract": _contract,
}
