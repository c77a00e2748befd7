"""Papers in JATS or NLM XML (ANSI/NISO Z39.96): front matter, sections, tables, captions, notes, references."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.cell_places import GridBuilder, span
from octavo_documents.parsing.flow import FlowBlock, FlowContent, NoText, collapse_whitespace
from octavo_documents.parsing.formulas import MATHML, of_mathml
from octavo_documents.parsing.inline_marks import note_mark, raised, struck
from octavo_documents.parsing.markup.latex_text import formula
from octavo_documents.parsing.numerals import numeral
from octavo_documents.parsing.package import Element, name_of, xml_of

NOT_SAID = ("annotation", "annotation-xml", "inline-graphic", "object-id", "table-wrap", "fig", "fn")
"""Elements whose words are not part of the text around them."""
_FORMULAS = ("math", "textual-form", "tex-math")
_DEEPEST = 60


def first(element: Element | None, *path: str) -> Element | None:
    """Return the first element down a path of names."""
    for name in path:
        if element is None:
            return None
        element = next((one for one in element if name_of(one) == name), None)
    return element


def said(element: Element | None) -> str:
    """Return the words of an element on one line; formulas by their characters, notes left out."""
    return "" if element is None else collapse_whitespace("".join(pieces(element, 0)))


def pieces(element: Element, depth: int) -> Iterator[str]:
    """Yield the words of an element in order, of a formula in several forms those in MathML."""
    yield element.text or ""
    for one in element:
        name = name_of(one)
        if name == "break":
            yield " "
        elif name in _MARKED or (name == "xref" and one.get("ref-type") in _NOTE_TYPES):
            yield _with_mark(one, name, depth)
        elif name in _FORMULAS:
            yield _formula_words(one)
        elif name == "alternatives":
            forms = {name_of(inner): inner for inner in reversed(list(one))}
            yield next((_formula_words(forms[form]) for form in _FORMULAS if form in forms), "")
        elif name not in NOT_SAID and depth < _DEEPEST:
            yield from pieces(one, depth + 1)
        yield one.tail or ""


_MARKED = ("sup", "strike")
_NOTE_TYPES = ("fn", "table-fn")


def _with_mark(element: Element, name: str, depth: int) -> str:
    """Return raised and struck-out words, and the marks of notes, as what they are."""
    words = "".join(pieces(element, depth + 1)) if depth < _DEEPEST else ""
    if name == "xref":
        return note_mark(collapse_whitespace(words))
    return raised(words) if name == "sup" else struck(words)


def _formula_words(element: Element) -> str:
    """Return a formula as it can be read on a line."""
    if element.tag == f"{MATHML}math":
        return of_mathml(element)
    text = "".join(element.itertext())
    if name_of(element) != "tex-math":
        return text
    inside = text.partition(r"\begin{document}")[2].partition(r"\end{document}")[0] or text
    return formula(inside.replace("$", " "))


def said_apart(element: Element | None) -> str:
    """Return the words of an element whose parts are paragraphs."""
    return (
        "" if element is None else collapse_whitespace(" ".join([element.text or "", *(said(one) for one in element)]))
    )


def front_blocks(meta: Element, inside: Callable[[Element, int, int], Iterator[FlowBlock]]) -> Iterator[FlowBlock]:
    """Yield the title, who wrote it and where, the abstracts and what is declared; `inside` reads the abstracts."""
    parts = [(Kind.HEADING, title_of(meta), 1), (Kind.PARAGRAPH, ", ".join(authors(meta)), 0)]
    yield from (FlowBlock(kind, text, level) for kind, text, level in parts if text)
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
    parts = [journal, f"doi: {number}" if number else "", date_of(meta)]
    if any(parts):
        yield FlowBlock(Kind.PARAGRAPH, ", ".join(filter(None, parts)))


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


_APART = (
    "list",
    "def-list",
    "table-wrap",
    "table-wrap-group",
    "fig",
    "fig-group",
    "disp-formula",
    "disp-quote",
    "code",
)
"""Blocks that stand in the middle of a paragraph."""
_MOST_ROWS, _MOST_COLUMNS = 20_000, 1000


def read(data: bytes) -> FlowContent:
    """Return the blocks of a paper. Raises NoText."""
    if not data.strip():
        raise NoText("it is empty: copy or download it again", "empty")
    root = xml_of(data, doctype=True)
    article = (
        root if name_of(root) == "article" else next((one for one in root.iter() if name_of(one) == "article"), None)
    )
    if article is None:
        raise NoText("it is no paper in JATS, whatever its name says")
    found = first(article, "front", "article-meta")
    meta = xml_of(b"<none/>") if found is None else found
    title = title_of(meta)
    blocks = list(front_blocks(meta, _inside))
    for one in article:
        if name_of(one) in ("body", "back"):
            blocks += _inside(one, 2 if title else 1, 0)
        elif name_of(one) in ("sub-article", "response", "floats-group"):
            blocks += _inside(one, 2, 0)
    return FlowContent(tuple(blocks), title, ", ".join(authors(meta)), date_of(meta))


def _inside(element: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    """Yield what stands in a section; headings have `level`."""
    if depth > _DEEPEST:
        return
    for one in element:
        yield from _block(one, level, depth)


def _block(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    found = _BLOCKS.get(name_of(one), _inside_deeper)
    return found(one, level, depth)


def _inside_deeper(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    return _inside(one, level, depth + 1)


def _nothing(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    """Yield nothing of what heads the section it stands in, or says nothing to be read."""
    del one, level, depth
    return iter(())


def _formula(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    del level, depth
    text = said(one)
    if text:
        yield FlowBlock(Kind.FORMULA, text)


def _code(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    del level, depth
    text = "".join(one.itertext()).strip("\n")
    if text.strip():
        yield FlowBlock(Kind.CODE, text)


def _note(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    del level, depth
    text = said_apart(one)
    if text:
        yield FlowBlock(Kind.FOOTNOTE, text)


def _inner_front(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    """Yield the title of a letter or answer that follows the paper."""
    del depth
    title = next((said(inner) for inner in one.iter() if name_of(inner) == "article-title"), "")
    if title:
        yield FlowBlock(Kind.HEADING, title, level)


_TITLES = {"ack": "Acknowledgements", "ref-list": "References", "glossary": "Glossary", "app": "Appendix"}


def _section(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    name = name_of(one)
    label, title = said(first(one, "label")), said(first(one, "title")) or said(first(one, "caption", "title"))
    title = title or (_TITLES.get(name, "") if name != "sec" else "")
    if title or label:
        yield FlowBlock(Kind.HEADING, f"{label} {title}".strip(), level)
        yield from _inside(one, level + 1, depth + 1)
    else:
        yield from _inside(one, level, depth + 1)


def _paragraph(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    """Yield a paragraph; blocks within it part it, notes in it come after it."""
    words = [one.text or ""]
    notes: list[FlowBlock] = []

    def gathered() -> Iterator[FlowBlock]:
        text = collapse_whitespace("".join(words))
        words.clear()
        if text:
            yield FlowBlock(Kind.PARAGRAPH, text)

    for inner in one:
        name = name_of(inner)
        if name in _APART:
            yield from gathered()
            yield from _block(inner, level, depth + 1)
        elif name == "p":
            yield from gathered()
            yield from _paragraph(inner, level, depth + 1)
        elif name == "fn":
            notes.append(FlowBlock(Kind.FOOTNOTE, said(inner)))
        elif name in _MARKED or (name == "xref" and inner.get("ref-type") in _NOTE_TYPES):
            words.append(_with_mark(inner, name, 0))
        elif name not in NOT_SAID:
            words.extend(pieces(inner, 0))
        words.append(inner.tail or "")
    yield from gathered()
    yield from (note for note in notes if note.text)


def _list(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    del level
    return _items(one, 1, depth)


_NUMBERS = {
    "order": "decimal",
    "alpha-lower": "lowerLetter",
    "alpha-upper": "upperLetter",
    "roman-lower": "lowerRoman",
    "roman-upper": "upperRoman",
}
"""The forms of the numbers before items, by the types of lists."""


def _items(one: Element, nested: int, depth: int) -> Iterator[FlowBlock]:
    if depth > _DEEPEST:
        return
    form = _NUMBERS.get(one.get("list-type", ""))
    number = 0
    for item in one:
        kind = name_of(item)
        if kind == "def-item":
            text = f"{said(first(item, 'term'))}: {said(first(item, 'def'))}".strip(": ")
            if text:
                yield FlowBlock(Kind.LIST_ITEM, text, nested)
        if kind != "list-item":
            continue
        number += 1
        label = said(first(item, "label")) or (f"{numeral(number, form)}." if form else "")
        for at, inner in enumerate(part for part in item if name_of(part) not in ("label", "title")):
            if name_of(inner) in ("list", "def-list"):
                yield from _items(inner, nested + 1, depth + 1)
            elif text := said(inner):
                is_first = at == 0
                shown = f"{label} {text}".strip() if is_first else text
                yield FlowBlock(Kind.LIST_ITEM if is_first else Kind.PARAGRAPH, shown, nested if is_first else 0)


def _caption(one: Element) -> Iterator[FlowBlock]:
    text = " ".join(filter(None, (said(first(one, "label")), said_apart(first(one, "caption")))))
    if text:
        yield FlowBlock(Kind.CAPTION, text)


def _figure(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    shown = said(first(one, "alt-text")) or said(first(one, "graphic", "alt-text"))
    if shown:
        yield FlowBlock(Kind.FIGURE, shown)
    yield from _caption(one)
    for inner in one:
        if name_of(inner) in ("p", "table-wrap", "disp-formula", "list"):
            yield from _block(inner, level, depth + 1)


def _table(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    del level, depth
    yield from _caption(one)
    for table in one.iter():
        if name_of(table) == "table":
            grid = _grid(table)
            text = grid.text()
            if text.strip():
                yield FlowBlock(Kind.TABLE, text, grid=grid)
    foot = first(one, "table-wrap-foot")
    for part in () if foot is None else foot:
        if text := said_apart(part) or said(part):
            yield FlowBlock(Kind.FOOTNOTE, text)


def _grid(table: Element) -> Grid:
    """Return the cells of a table with their spans; rows of `thead` and of `th` alone are header rows."""
    rows = [one for one in table.iter() if name_of(one) == "tr"][:_MOST_ROWS]
    builder = GridBuilder(len(rows))
    for row in rows:
        held = [one for one in row if name_of(one) in ("td", "th")]
        parent = row.getparent()
        is_header = (parent is not None and name_of(parent) == "thead") or (held and {*map(name_of, held)} == {"th"})
        cells = (
            (said(cell), span(cell.get("rowspan"), _MOST_ROWS), span(cell.get("colspan"), _MOST_COLUMNS))
            for cell in held
        )
        builder.add(cells, is_header=bool(is_header))
    return builder.grid()


def _reference(one: Element, level: int, depth: int) -> Iterator[FlowBlock]:
    """Yield an entry of the references: its number, then what it says with a space between its parts."""
    del level, depth
    label = said(first(one, "label"))
    for cited in one:
        if name_of(cited) == "label":
            continue
        is_mixed = bool((cited.text or "").strip()) or any((inner.tail or "").strip() for inner in cited)
        text = said(cited) if is_mixed else ", ".join(filter(None, map(_entry, cited)))
        if text:
            yield FlowBlock(Kind.LIST_ITEM, f"{label} {text}".strip(), 1)
            label = ""


def _entry(part: Element) -> str:
    if name_of(part) in ("person-group", "name", "string-name"):
        names = [part] if name_of(part) != "person-group" else list(part)
        return ", ".join(
            filter(None, (collapse_whitespace(" ".join(filter(None, map(said, name)))) or said(name) for name in names))
        )
    return said(part)


_BLOCKS: Mapping[str, Callable[[Element, int, int], Iterator[FlowBlock]]] = {
    **dict.fromkeys(("title", "subtitle", "label", "caption", "permissions", "sec-meta", "object-id"), _nothing),
    **dict.fromkeys(("graphic", "processing-meta", "alt-text", "long-desc"), _nothing),
    **dict.fromkeys(("sec", "ack", "ref-list", "notes", "bio", "app", "glossary", "fn-group", "boxed-text"), _section),
    **dict.fromkeys(("p", "verse-group", "attrib", "speech"), _paragraph),
    **dict.fromkeys(("list", "def-list"), _list),
    **dict.fromkeys(("fig", "supplementary-material", "media"), _figure),
    **dict.fromkeys(("code", "preformat"), _code),
    **dict.fromkeys(("front-stub", "front"), _inner_front),
    "table-wrap": _table,
    "disp-formula": _formula,
    "ref": _reference,
    "fn": _note,
}
