"""The front matter of a paper in JATS: title, authors, where it was published, abstracts, what is declared."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from octavo.document import Kind
from octavo.parsing.flow import FlowBlock
from octavo.parsing.markup.jats_words import first, said, said_apart
from octavo.parsing.package import Element, name_of


def front_blocks(meta: Element, inside: Callable[[Element, int, int], Iterator[FlowBlock]]) -> Iterator[FlowBlock]:
    """Yield the title, who wrote it and where, the abstracts and what is declared; `inside` reads the abstracts."""
    told = [(Kind.HEADING, title_of(meta), 1), (Kind.PARAGRAPH, ", ".join(authors(meta)), 0)]
    yield from (FlowBlock(kind, text, level) for kind, text, level in told if text)
    yield from _people(meta)
    yield from _published(meta)
    for one in meta:
        if name_of(one) in ("abstract", "trans-abstract"):
            heading = said(first(one, "title")) or "Abstract"
            yield FlowBlock(Kind.HEADING, heading, 2)
            yield from inside(one, 3, 0)
    words = [said(one) for group in meta if name_of(group) == "kwd-group" for one in group if name_of(one) == "kwd"]
    if words:
        yield FlowBlock(Kind.PARAGRAPH, f"Keywords: {', '.join(filter(None, words))}")
    yield from _declared(meta)


def _people(meta: Element) -> Iterator[FlowBlock]:
    for one in meta.iter():
        if name_of(one) in ("aff", "corresp") and (text := _parted(one)):
            yield FlowBlock(Kind.PARAGRAPH, text)
        elif name_of(one) == "contrib" and one.get("contrib-type", "author") != "author" and (text := _named(one)):
            yield FlowBlock(Kind.PARAGRAPH, f"{one.get('contrib-type', '').capitalize()}: {text}")


def _published(meta: Element) -> Iterator[FlowBlock]:
    number = next((said(one) for one in meta if name_of(one) == "article-id" and one.get("pub-id-type") == "doi"), "")
    journal = said(first(meta.getparent(), "journal-meta", "journal-title-group", "journal-title"))
    told = [journal, f"doi: {number}" if number else "", date_of(meta)]
    if any(told):
        yield FlowBlock(Kind.PARAGRAPH, ", ".join(filter(None, told)))


def _declared(meta: Element) -> Iterator[FlowBlock]:
    for one in meta.iter():
        if name_of(one) == "funding-statement":
            yield FlowBlock(Kind.FOOTNOTE, said(one))
        elif (name_of(one) == "fn" and one.get("fn-type", "") != "other") and (text := said_apart(one)):
            yield FlowBlock(Kind.FOOTNOTE, text)
        elif name_of(one) == "custom-meta" and said(first(one, "meta-name")) == "Data Availability":
            yield FlowBlock(Kind.FOOTNOTE, f"Data availability: {said(first(one, 'meta-value'))}")


def title_of(meta: Element) -> str:
    """Return the title of a paper."""
    return said(first(meta, "title-group", "article-title"))


def _parted(one: Element) -> str:
    """Return the words of an address: parts that nothing stands between are parted by commas."""
    if any((inner.tail or "").strip() for inner in one) or (one.text or "").strip():
        return said(one)
    label = said(first(one, "label"))
    return f"{label} {', '.join(filter(None, (said(inner) for inner in one if name_of(inner) != 'label')))}".strip()


def authors(meta: Element) -> Iterator[str]:
    """Yield the names of the authors."""
    for group in meta:
        if name_of(group) != "contrib-group":
            continue
        for one in group:
            if name_of(one) == "contrib" and one.get("contrib-type", "author") == "author":
                text = _named(one)
                if text:
                    yield text


def _named(contributor: Element) -> str:
    whole = next((inner for inner in contributor.iter() if name_of(inner) == "name"), None)
    text = f"{said(first(whole, 'given-names'))} {said(first(whole, 'surname'))}".strip()
    return text or said(first(contributor, "collab")) or said(first(contributor, "string-name"))


def date_of(meta: Element) -> str:
    """Return the earliest date of publication, as ISO 8601."""
    found: list[str] = []
    for one in meta:
        if name_of(one) == "pub-date":
            parts = [said(first(one, name)).zfill(2) for name in ("year", "month", "day")]
            known = [part for part in parts if part.isdecimal() and part != "00"]
            found.append("-".join(known) if len(known) in (1, 3) or parts[2] == "00" else parts[0])
    return min(filter(None, found), default="")
