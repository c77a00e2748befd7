"""What a document of the generated library says: its blocks, with the facts that each states.

Takes the wording from reports.toml and papers.toml and the values from library_values.py. Where the issuer's name
stands is drawn for each document (`Draft.named_in`): the first page of many does not say whose they are.
"""

from __future__ import annotations

import dataclasses
import random
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from library_plan import Plan, listing_at, name_at, shorts_at
from library_values import DATA, Values, dated, person

Style = Literal["cover", "plain", "header", "signature", "metadata", "words"]
Shape = Literal["title", "subtitle", "heading", "text", "item", "table", "break"]
_HERE = Path(__file__).parent
TEXTS: dict[str, Any] = {
    key: value
    for name in ("reports.toml", "papers.toml")
    for key, value in tomllib.loads((_HERE / name).read_text("utf-8")).items()
}
_STYLES: dict[Style, float] = {"cover": 40, "plain": 27, "header": 11, "signature": 9, "metadata": 6, "words": 7}
_OFFICES = {
    "us": ("Chief Executive Officer", "Chief Financial Officer", "General Counsel"),
    "uk": ("Chairman", "Company Secretary", "Finance Director"),
    "eu": ("Chairman of the Management Board", "Member of the Management Board"),
    "jp": ("President and Representative Director", "Managing Director"),
    "public": ("Chief Executive", "Director of Finance", "Clerk"),
}
_IN_WORDS = {2019: "Nineteen", 2020: "Twenty", 2021: "Twenty-One", 2022: "Twenty-Two", 2023: "Twenty-Three"}
_NUMBERED = re.compile(r"^\d+\. ")
_PLACE = re.compile(r"\{([^{}]+)\}")
_STRANGE_AUTHORS = ("", "", "", "admin", "Microsoft Office User", "Scanner 2", "user")


@dataclasses.dataclass
class Fact:
    """A value that stands in a document; `page` is known once the file is written, and only where it has pages."""

    label: str
    value: str
    written: str
    period: str
    section: str
    is_comparative: bool = False
    page: int | None = None


@dataclasses.dataclass
class Block:
    """A piece of a document; a table has rows instead of a text."""

    shape: Shape
    text: str = ""
    rows: list[list[str]] = dataclasses.field(default_factory=list[list[str]])
    facts: list[Fact] = dataclasses.field(default_factory=list[Fact])


@dataclasses.dataclass
class Draft:
    """A document as it is written: what stands on the pages, above them, and in the metadata."""

    plan: Plan
    title: str
    style: Style
    header: str
    author: str
    has_slides: bool
    blocks: list[Block]

    @property
    def facts(self) -> list[Fact]:
        return [fact for block in self.blocks for fact in block.facts]

    def named_in(self) -> list[str]:
        """Return where the document says who issued it: text, header, metadata."""
        names = [name_at(self.plan.issuer, self.plan.date), *shorts_at(self.plan.issuer, self.plan.date)]
        said = " ".join(block.text for block in self.blocks)
        places = {"text": said, "header": self.header, "metadata": self.author}
        return [place for place, text in places.items() if any(name in text for name in names)]


def draft(plan: Plan, values: Values, seed: int, *, file_format: str) -> Draft:
    """Return what a planned document says in a file of a format."""
    return _Writer(plan, values, random.Random(f"{seed} text {plan.key}"), file_format).draft()


class _Writer:
    def __init__(self, plan: Plan, values: Values, source: random.Random, file_format: str) -> None:
        self._plan, self._values, self._source, self._format = plan, values, source, file_format
        self._issuer, self._texts = plan.issuer, TEXTS[plan.texts]
        self._name = name_at(self._issuer, plan.date)
        self._style = self._styled()
        self._is_named = self._style in {"cover", "plain"}
        self._section = ""
        self._stated: dict[str, str] = self._context()

    def _styled(self) -> Style:
        """Return where the name is to stand, as far as the format has such places."""
        style = self._source.choices(list(_STYLES), list(_STYLES.values()))[0]
        if style == "words" and not self._texts.get("cover"):
            style = "header"
        if style == "signature" and "signature" not in self._texts:
            style = "header"
        is_bare = self._format in {"md", "txt"} and style in {"header", "metadata", "words"}
        is_lost = self._format == "html" and style in {"header", "words"}
        return "plain" if is_bare or is_lost or self._plan.texts == "release-renamed" else style

    def _context(self) -> dict[str, str]:
        """Return what places in the wording stand for that are no facts."""
        plan, issuer, source = self._plan, self._issuer, self._source
        regime, who = issuer["regime"], self._who()
        short = shorts_at(issuer, plan.date)[0] if self._is_named else who
        native = f" ({issuer['native']})" if issuer["native"] else ""
        former = issuer.get("formerly", "")
        is_renamed = bool(former) and self._name == issuer["name"]
        return {
            "name": f"{self._name}{native}",
            "defines": self._defines(),
            "who": who,
            "Who": who[0].upper() + who[1:],
            "brand": short[0].upper() + short[1:],
            "business": issuer["business"],
            "town": issuer["town"],
            "TOWN": issuer["town"].upper(),
            "ticker": listing_at(issuer, plan.date).rpartition(" ")[2],
            "currency": issuer["currency"],
            "period": self._period(),
            "ended": self._ended(),
            "date": dated(plan.date, regime),
            "signer": person(random.Random(f"{issuer['key']} signer {plan.date.year // 2}")),
            "other signer": person(source),
            "office": source.choice(_OFFICES[regime]),
            "former": former,
            "formerly": f" (formerly {former})" if is_renamed else "",
            "product": plan.about,
            "body": plan.about,
            "service": f"{plan.about} services".replace("support services", "support"),
            "version": plan.version,
            "deed": "THIS AMENDMENT to the Agreement" if plan.base else "THIS AGREEMENT",
            "place": source.choice(DATA["words"]["places"]),
            **dict(zip(("party", "counterparty"), plan.parties, strict=False)),
        }

    def _who(self) -> str:
        """Return what the text calls the issuer: its defined short form, unless the text is to leave out names."""
        who: str = self._issuer["who"]
        return who if self._is_named or who.startswith("the ") else "the Company"

    def _defines(self) -> str:
        listing = listing_at(self._issuer, self._plan.date)
        return f"({listing}) {self._issuer['defines']}" if listing else self._issuer["defines"]

    def _period(self) -> str:
        if self._style == "words":
            return f"the year two thousand and {_IN_WORDS[self._plan.scope.year].lower()}"
        return self._plan.written_period

    def _ended(self) -> str:
        if self._plan.ended is None:
            return ""
        if self._style == "words":
            return f"the last day of {self._plan.ended:%B}"
        return dated(self._plan.ended, self._issuer["regime"])

    def draft(self) -> Draft:
        title = self._titled()
        blocks = [*self._head(title), *self._body(), *self._signature()]
        header, author = self._around()
        has_slides = bool(self._texts.get("slides"))
        return Draft(self._plan, title, self._style, header, author, has_slides, blocks)

    def _titled(self) -> str:
        plan, texts = self._plan, self._texts
        if "headline" in texts:
            return self._filled(texts["headline"]).text
        if "title" in texts:
            found: str = texts["title"].get(self._issuer["regime"], texts["short_title"])
            return found
        if "titles" in texts:
            picked = random.Random(f"{plan.issuer['key']} {plan.about}").choice(texts["titles"])
            return self._filled(picked).text
        return _about_titles(plan).get(plan.kind, f"{texts['short_title']}, {plan.written_period}")

    def _head(self, title: str) -> Iterator[Block]:
        """Yield the cover, or title and name above the text, or nothing; then what the text begins with."""
        shown = [Block("title", title)]
        if self._style == "words":
            year = f"Two Thousand and {_IN_WORDS[self._plan.scope.year]}"
            yield from (Block("title", self._texts["short_title"]), Block("subtitle", year), Block("break"))
        elif self._is_named and self._texts.get("cover"):
            yield from self._cover(title)
        elif self._is_named:
            formerly = self._stated["formerly"].strip()
            above = Block("subtitle", f"{self._stated['name']} {formerly}".strip())
            yield from [above, *shown] if self._source.random() < 0.6 else [*shown, above]
        elif self._format == "md" or self._source.random() < 0.6:
            yield from shown
        for text in self._texts["intro" if self._is_named else "intro_unnamed"]:
            yield from self._maybe(text)

    def _cover(self, title: str) -> Iterator[Block]:
        listing = listing_at(self._issuer, self._plan.date)
        formerly = self._stated["formerly"].strip()
        year = "fiscal year" if self._issuer["regime"] in {"us", "jp"} else "year"
        lines = [formerly, f"For the {year} ended {self._stated['ended']}", listing]
        yield Block("title", self._name)
        if self._issuer["native"]:
            yield Block("subtitle", self._issuer["native"])
        yield Block("title", title)
        yield from (Block("subtitle", line) for line in lines if line)
        if self._style == "cover":
            yield Block("break")

    def _body(self) -> Iterator[Block]:
        sections = [one for one in self._texts["section"] if not one.get("optional") or self._source.random() < 0.6]
        for number, section in enumerate(sections, 1):
            self._section = _NUMBERED.sub(f"{number}. ", section["heading"])
            yield Block("heading", self._section)
            rules = self._texts["rules"][self._plan.about] if section.get("rules") else []
            for text in [*section.get("text", []), *rules]:
                yield from self._maybe(text)
            if "table" in section:
                yield self._table(section["table"])
            if "data" in section:
                yield self._data(section["data"])
            for text in section.get("after", []):
                yield from self._maybe(text)

    def _maybe(self, text: str) -> Iterator[Block]:
        """Yield a paragraph or an item, unless it stands in some documents only and not in this one."""
        if "{ticker}" in text and not self._stated["ticker"]:
            return
        if text.startswith("? "):
            if self._source.random() < 0.35:
                return
            text = text[2:]
        block = self._filled(text.removeprefix("* "))
        block.shape = "item" if text.startswith("* ") else "text"
        yield block

    def _filled(self, text: str) -> Block:
        """Return a paragraph with values in their places, and the facts that it states."""
        block = Block("text")

        def put(match: re.Match[str]) -> str:
            name = match[1]
            if name in self._stated:
                return self._stated[name]
            fact = self._fact(name.removeprefix("before:"), is_before=name.startswith("before:"))
            block.facts.append(fact)
            return fact.written

        filled = _PLACE.sub(put, text).replace("  ", " ").replace("..", ".").strip()
        block.text = filled[:1].upper() + filled[1:]
        return block

    def _fact(self, label: str, *, is_before: bool = False) -> Fact:
        scope = self._plan.scope
        if is_before and self._plan.before:
            scope = self._plan.before
        elif label == "contract number" and self._plan.base:
            scope = self._plan.base
        value = self._values.of(self._issuer, label, scope)
        period = self._plan.period if scope is self._plan.scope else scope.name
        return Fact(label, value.bare, value.written, period, self._section, is_before)

    def _table(self, labels: list[str]) -> Block:
        """Return a table of this year's figures and those of the year before."""
        year = self._plan.scope.year
        names = ("This year", "Year before") if self._style == "words" else (str(year), str(year - 1))
        block = Block("table", rows=[["", *names]])
        for label in (one for one in labels if one not in self._issuer["lacks"]):
            now, before = self._fact(label), self._fact(label, is_before=True)
            shown = DATA["spec"][label].get("shown", label)
            block.rows.append([shown[0].upper() + shown[1:], now.value, before.value])
            block.facts += [now, before]
        return block

    def _data(self, labels: list[str]) -> Block:
        block = Block("table", rows=[["Item", "Value"]])
        for label in labels:
            fact = self._fact(label)
            block.rows.append([label[0].upper() + label[1:], fact.written])
            block.facts.append(fact)
        return block

    def _signature(self) -> Iterator[Block]:
        if "signature" not in self._texts:
            return
        self._section = "Signatures"
        is_named = self._is_named or self._style == "signature"
        yield Block("heading", self._section)
        for text in self._texts["signature"]["named" if is_named else "unnamed"]:
            yield self._filled(text)

    def _around(self) -> tuple[str, str]:
        """Return running header and author in the metadata."""
        named, plan = self._name, self._plan
        author = self._source.choice(_STRANGE_AUTHORS)
        if self._style == "metadata":
            return self._source.choice(("", "Confidential", plan.kind.capitalize())), named
        if self._style == "header":
            return f"{named}{self._stated['formerly']} – {plan.about or plan.kind}", author
        if self._style == "words":
            return (named if self._source.random() < 0.6 else shorts_at(self._issuer, plan.date)[0]), author
        if self._style == "cover":
            short = f"{shorts_at(self._issuer, plan.date)[0]} {plan.kind}"
            return self._source.choice((short, named, "")), self._source.choice((named, author))
        return self._source.choice(("", "Internal", "")), author


def _about_titles(plan: Plan) -> dict[str, str]:
    """Return titles of kinds that are named after what they are about."""
    amends = f"{plan.version} to the " if plan.base else ""
    service = plan.about.capitalize() if not plan.base else plan.about
    manual = "Administrator's Guide" if "software" in plan.texts else "Operating Manual"
    return {
        "policy": plan.about,
        "manual": f"{plan.about} – {manual}",
        "readme": f"{plan.about[:1].upper()}{plan.about[1:]} {plan.version}".strip() or "Index of agreements",
        "minutes": f"{plan.about} – Minutes",
        "contract": f"{amends}{service} services agreement".replace("support services", "support"),
    }
