"""What stands in no cell of an XLSX sheet: comments, drawings, pictures, charts and page heads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from octavo_documents.document import Kind
from octavo_documents.parsing.flow import FlowBlock, collapse_whitespace
from octavo_documents.parsing.numerals import whole_number
from octavo_documents.parsing.office.drawing import diagram
from octavo_documents.parsing.open_xml import attribute, child, children, relations
from octavo_documents.parsing.package import Element, Package, name_of
from octavo_documents.parsing.pictures_inside import PicturesInside
from octavo_documents.parsing.sheets.sheet import Sheet

_HEAD_CODE = re.compile(r'&"[^"]*"|&K[0-9A-Fa-f]{6}|&\d+|&[A-Za-z]')
_PAGES = re.compile(r"\b(?:pages?|of|seite|von|page)\b", re.IGNORECASE)
_UNSAID = re.compile(r"(?:picture|image|photo|bild|grafik|imagen|immagine|chart|diagramm?)?\s*\d*\Z", re.IGNORECASE)
"""A description that programs fill in themselves."""
_MACHINE = re.compile(
    r"\s*(?:AI-generated content may be incorrect\.|Description automatically generated.*)\s*\Z", re.DOTALL
)
RUNNING = {
    f"{pages}{area}": kind
    for area, kind in (("Header", Kind.PAGE_HEADER), ("Footer", Kind.PAGE_FOOTER))
    for pages in ("odd", "even", "first")
}
"""The elements that say what is printed over and under pages."""


def notes_of(sheet: Sheet, package: Package, parts: Mapping[str, Sequence[str]], pictures: PicturesInside) -> None:
    """Add to a sheet what the parts tied to it say."""
    for part in parts.get("drawing", ()):
        if part in package:
            sheet.notes += _drawn(sheet, package, part, pictures)
    sheet.notes += _comments(package, parts)
    for kind, text in dict.fromkeys(sheet.heads):
        coded = text.replace("&&", "＆")
        said = _HEAD_CODE.sub(lambda code: sheet.name if code[0] == "&A" else " ", coded)
        words = collapse_whitespace(said.replace("＆", "&"))
        if any(letter.isalpha() for letter in _PAGES.sub("", words)):
            sheet.notes.append(FlowBlock(RUNNING[kind], words))


def _comments(package: Package, parts: Mapping[str, Sequence[str]]) -> Iterator[FlowBlock]:
    """Yield each comment with its cell and author; threads of comments go before the copies made of them."""
    threaded = set[str]()
    people = _people(package)
    for part in parts.get("threadedComment", ()):
        if part not in package:
            continue
        for one in package.xml(part):
            cell, text = one.get("ref", ""), _words(one)
            threaded.add(cell)
            yield from _comment(cell, people.get(one.get("personId", ""), ""), text)
    for part in parts.get("comments", ()):
        if part not in package:
            continue
        root = package.xml(part)
        authors = [collapse_whitespace(one.text or "") for one in children(root, "authors")]
        for one in children(root, "commentList"):
            cell, by = one.get("ref", ""), whole_number(one.get("authorId", ""))
            author = authors[by] if by is not None and by < len(authors) else ""
            if cell not in threaded:
                yield from _comment(cell, "" if author.startswith("tc=") else author, _words(one))


def _people(package: Package) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in [name for name in package.names() if name.startswith("xl/persons/")][:10]:
        found.update({one.get("id", ""): one.get("displayName", "") for one in package.xml(part)})
    return found


def _comment(cell: str, author: str, text: str) -> Iterator[FlowBlock]:
    if text:
        said = text.removeprefix(f"{author}:").strip() if author else text
        yield FlowBlock(Kind.PARAGRAPH, f"Comment on {cell}{f' by {author}' if author else ''}: {said}")


def _words(element: Element) -> str:
    return _said(element, "t", "text")


def _drawn(sheet: Sheet, package: Package, part: str, pictures: PicturesInside) -> Iterator[FlowBlock]:
    """Yield what a drawing shows, from top to bottom of the sheet."""
    tied, wordless = relations(package, part), 0
    anchors = sorted(package.xml(part), key=_top)
    for anchor in anchors:
        for one in anchor.iter():
            kind = name_of(one)
            if kind == "txBody":
                yield from _paragraphs(one)
            elif kind == "pic":
                found = pictures.block(tied.get(_embedded(one), ("",))[0], _described(one))
                wordless += not found
                if found:
                    yield found
            elif kind == "relIds" and attribute(one, "dm"):
                yield from _diagram(package, tied.get(attribute(one, "dm"), ("",))[0])
            elif kind == "chart" and attribute(one, "id"):
                yield from _chart(package, tied.get(attribute(one, "id"), ("",))[0])
    if wordless:
        sheet.warnings.append("pictures without a description were left out")


def _embedded(picture: Element) -> str:
    """Return the id of the part that a picture shows."""
    return next((attribute(one, "embed") for one in picture.iter() if name_of(one) == "blip"), "")


def _diagram(package: Package, part: str) -> Iterator[FlowBlock]:
    if part in package:
        yield from diagram(package.xml(part))


def _top(anchor: Element) -> tuple[int, int]:
    start = child(anchor, "from")
    row, column = (child(start, name) for name in ("row", "col"))
    return _number(row), _number(column)


def _number(element: Element | None) -> int:
    return whole_number("" if element is None else element.text or "") or 0


def _paragraphs(body: Element) -> Iterator[FlowBlock]:
    for one in body:
        text = collapse_whitespace("".join(inner.text or "" for inner in one.iter() if name_of(inner) == "t"))
        if name_of(one) == "p" and text:
            yield FlowBlock(Kind.PARAGRAPH, text)


def _described(picture: Element) -> str:
    properties = next((one for one in picture.iter() if name_of(one) == "cNvPr"), None)
    if properties is None:
        return ""
    text = collapse_whitespace(_MACHINE.sub("", properties.get("descr", "") or properties.get("title", "")))
    return "" if _UNSAID.match(text) else text


def _chart(package: Package, part: str) -> Iterator[FlowBlock]:
    """Yield a chart as its titles and the names of its series; its numbers stand in cells."""
    if part not in package:
        return
    titles, series = list[str](), list[str]()
    for one in package.xml(part).iter():
        kind = name_of(one)
        if kind == "title":
            titles.append(_said(one, "t", "v"))
        elif kind == "ser" and (name := child(one, "tx")) is not None:
            series.append(_said(name, "v"))
    text = "; ".join(filter(None, (*dict.fromkeys(titles), ", ".join(dict.fromkeys(filter(None, series))))))
    if text:
        yield FlowBlock(Kind.CHART, text)


def _said(element: Element, *names: str) -> str:
    return collapse_whitespace("".join(one.text or "" for one in element.iter() if name_of(one) in names))
