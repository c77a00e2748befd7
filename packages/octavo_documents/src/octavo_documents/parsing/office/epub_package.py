"""The package of a book: its files in the order of reading, and its table of contents."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import NoText, collapse_whitespace
from octavo_documents.parsing.html import TAG, body_of, ended
from octavo_documents.parsing.open_xml import Properties
from octavo_documents.parsing.package import Element, Package

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_TEXTS = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml", "text/x-oeb1-document")
_FONT_ONLY = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Ways to veil fonts; texts are not encrypted by them."""
_DEEPEST = 20
_MOST_ENTRIES = 50_000


@dataclass(frozen=True, slots=True)
class SpineEntry:
    """A line of the contents, or a printed page: its title, depth from 1, the file it leads to and the place in it."""

    title: str
    depth: int
    file: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    """`files` are the names of the parts that hold text, in the order of reading."""

    properties: Properties
    files: tuple[str, ...]
    contents: tuple[SpineEntry, ...]
    pages: tuple[SpineEntry, ...]


def book_of(package: Package) -> Book:
    """Return what a file says of itself. Raises NoText (`damaged`, `encrypted`, `format`)."""
    name = _main(package)
    root = package.xml(name, doctype=True)
    folder = posixpath.dirname(name)
    items = {one.get("id", ""): one for one in _named(root, "item")}
    targets = {id_: resolved(folder, one.get("href", ""))[0] for id_, one in items.items()}
    spine = [one.get("idref", "") for one in _named(root, "itemref")]
    files = [targets[id_] for id_ in spine if id_ in items and items[id_].get("media-type", _TEXTS[0]) in _TEXTS]
    if not files:
        files = [targets[id_] for id_, one in items.items() if one.get("media-type") in _TEXTS]
    files = [one for one in dict.fromkeys(files) if one in package]
    _refuse_encrypted(package, files)
    contents, pages = _navigation(package, items, targets)
    return Book(_properties(root), tuple(files), tuple(contents), tuple(pages))


def resolved(folder: str, href: str) -> tuple[str, str]:
    """Return the name of the part that a reference leads to, and the place in it."""
    path, _, place = href.partition("#")
    name = posixpath.normpath(posixpath.join("/", folder, unquote(path))).lstrip("/") if path else ""
    return name, unquote(place)


def _main(package: Package) -> str:
    if _CONTAINER in package:
        for one in _named(package.xml(_CONTAINER, doctype=True), "rootfile"):
            name = unquote(one.get("full-path", ""))
            if name in package:
                return name
    found = next((name for name in package.names() if name.lower().endswith(".opf")), "")
    if not found:
        raise NoText("it holds no book: the list of its parts is missing", "damaged")
    return found


def _named(root: Element, name: str) -> Iterator[Element]:
    yield from root.iter(f"{{*}}{name}")


def _properties(root: Element) -> Properties:
    said: dict[str, list[str]] = {}
    for name in ("title", "creator", "date"):
        texts = (collapse_whitespace("".join(one.itertext())) for one in _named(root, name))
        said[name] = [text for text in texts if text]
    return Properties((said["title"] or [""])[0], ", ".join(said["creator"]), (said["date"] or [""])[0])


def _refuse_encrypted(package: Package, files: list[str]) -> None:
    if _ENCRYPTION not in package:
        return
    for data in _named(package.xml(_ENCRYPTION, doctype=True), "EncryptedData"):
        method = next(_named(data, "EncryptionMethod"), None)
        veiled = {unquote(one.get("URI", "")) for one in _named(data, "CipherReference")}
        if veiled & set(files) and (method is None or method.get("Algorithm") not in _FONT_ONLY):
            raise NoText("its texts are encrypted (digital rights management)", "encrypted")


def _navigation(
    package: Package, items: Mapping[str, Element], targets: Mapping[str, str]
) -> tuple[list[SpineEntry], list[SpineEntry]]:
    """Return the contents and the printed pages: those of the navigation document, else of the older NCX."""
    for id_, one in items.items():
        if "nav" in one.get("properties", "").split() and targets[id_] in package:
            contents, pages = _of_nav(package.read(targets[id_]), posixpath.dirname(targets[id_]))
            if contents:
                return contents, pages
    for id_, one in items.items():
        if one.get("media-type") == "application/x-dtbncx+xml" and targets[id_] in package:
            return _of_ncx(package, targets[id_])
    return [], []


def _of_ncx(package: Package, name: str) -> tuple[list[SpineEntry], list[SpineEntry]]:
    try:
        root = package.xml(name, doctype=True)
    except NoText:
        return [], []
    folder = posixpath.dirname(name)
    contents: list[SpineEntry] = []

    def entry(node: Element, depth: int) -> SpineEntry:
        text, content = next(_named(node, "text"), None), next(_named(node, "content"), None)
        title = "" if text is None else collapse_whitespace("".join(text.itertext()))
        return SpineEntry(title, depth, *resolved(folder, "" if content is None else content.get("src", "")))

    def below(node: Element, depth: int) -> None:
        for child in node if depth <= _DEEPEST else ():
            if child.tag.endswith("}navPoint") and len(contents) < _MOST_ENTRIES:
                contents.append(entry(child, depth))
                below(child, depth + 1)

    for one in _named(root, "navMap"):
        below(one, 1)
    return contents, [entry(one, 1) for one in _named(root, "pageTarget")]


def _of_nav(data: bytes, folder: str) -> tuple[list[SpineEntry], list[SpineEntry]]:
    from selectolax.lexbor import LexborHTMLParser

    text, _ = text_of(data, says_encoding=True)
    tree = LexborHTMLParser(TAG.sub(ended, body_of(text)))
    found: dict[str, list[SpineEntry]] = {"toc": [], "page-list": []}
    for nav in tree.css("nav"):
        kind = (nav.attributes.get("epub:type") or nav.attributes.get("role") or "toc").removeprefix("doc-")
        name = {"pagelist": "page-list"}.get(kind, kind)
        if name in found and not found[name]:
            _lines(nav, 0, folder, found[name])
    return found["toc"], found["page-list"]


def _lines(node: LexborNode, depth: int, folder: str, found: list[SpineEntry]) -> None:
    """Note the lines below an element of a navigation document."""
    if depth > 2 * _DEEPEST:
        return
    for child in node.iter():
        if child.tag == "ol":
            _lines(child, depth + 1, folder, found)
        elif child.tag in ("a", "span") and depth and len(found) < _MOST_ENTRIES:
            title = collapse_whitespace(child.text())
            found.append(SpineEntry(title, depth, *resolved(folder, child.attributes.get("href") or "")))
        else:
            _lines(child, depth, folder, found)
