"""Markdown: the question, the answer, and its citations numbered, each with page, section, quote and permalink."""

from __future__ import annotations

import re

from octavo.server.exports.bundle import Bundle, Quotation, Source, one_line

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~!&$@]|:(?=//)|(?<=www)\.)", re.IGNORECASE)
"""What is markup somewhere, and what makes a link of an address that stands in the words."""
_LEADING = re.compile(r"^(\s*)([-+=]|\d+[.)](?=\s))")


def markdown(bundle: Bundle) -> bytes:
    """Return a document in CommonMark in which nothing of the sources is markup or a link."""
    sources = {source.id: source for source in bundle.sources}
    head = [f"**{escaped(bundle.question)}**"] if bundle.question else []
    if bundle.answer:
        head.append("\n\n".join(escaped(line) for line in bundle.answer.splitlines() if line.strip()))
    items = [_item(bundle, number, one, sources[one.document_id]) for number, one in enumerate(bundle.quotations, 1)]
    return ("\n\n".join([*head, "\n\n".join(items)]) + "\n").encode()


def escaped(text: str) -> str:
    """Return one line of text so that Markdown shows it as it is."""
    safe = _SPECIAL.sub(r"\\\1", one_line(text))
    return _LEADING.sub(lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", safe)


def _item(bundle: Bundle, number: int, one: Quotation, source: Source) -> str:
    where = [
        escaped(source.title) if source.title == source.name else f"{escaped(source.title)} ({escaped(source.name)})"
    ]
    if source.has_pages:
        printed = "" if one.printed == str(one.page) else f" (printed {escaped(one.printed)})"
        where.append(f"page {one.page}{printed}")
    if one.place:
        where.append(escaped(one.place))
    link = bundle.link(one)
    told = f"[link](<{link}>)" if link else f"`{one.id}`" if one.id else ""
    indent = " " * (len(str(number)) + 2)
    first = f"{number}. {', '.join(where)}" + (f" {told}" if told else "")
    return f"{first}\n\n{indent}> {escaped(one.quote)}"
