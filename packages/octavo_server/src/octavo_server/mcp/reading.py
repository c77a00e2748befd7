"""Tools that list, outline, read and show documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from octavo.evidence.citation_ids import CitationId, document_digits
from octavo_documents.document import page_name
from octavo_documents.document.blocks import FURNITURE, Kind
from octavo_documents.text.lines import on_one_line
from octavo_documents.text.names import caseless
from octavo_server.mcp import chat_page, results
from octavo_server.mcp.fencing import Fence, Said
from octavo_server.mcp.page_pictures import encoded, with_boxes
from octavo_server.mcp.tool import Arguments, Reply, Tool, ToolCall, ToolContext, ToolFailure

if TYPE_CHECKING:
    from octavo_documents.document import Document
    from octavo_server.responses import CitationShape, CitedShape, DocumentShape, PassageShape

Name = Annotated[str, Field(max_length=400)]
DocumentRef = Annotated[str, Field(max_length=400, description="A document's id or name, from list_documents.")]
CitationRef = Annotated[str, Field(max_length=120, description="The id of a citation, passage or block.")]
Cursor = Annotated[str | None, Field(max_length=40, description="What the result before gave as cursor.")]
_MOST_TEXT = 20_000
"""Characters of documents in one result."""
_MOST_SECTIONS = 150
_AROUND = 4
"""Blocks before and after a cited one that are read with it."""


class ListArguments(Arguments):
    """Arguments of `list_documents`."""

    match: Annotated[Name | None, Field(description="A part of names, or a pattern such as *2023*.")] = None
    where: Annotated[
        str | None, Field(max_length=2_000, description="A filter, as in: date >= 2024 and type = report.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=100)] = 25
    cursor: Cursor = None


def _list(context: ToolContext, _call: ToolCall, given: ListArguments) -> Reply:
    page = context.library.documents(given.match, where=given.where, limit=given.limit, cursor=given.cursor)
    rows = [_listed(context, item) for item in page["items"]]
    cursor = page["next"]
    steps = [f"list_documents(cursor='{cursor}') for more"] if cursor else []
    if not rows and (given.match or given.where):
        steps.append("Nothing matches: call list_documents without match and where")
    elif not rows:
        steps.append("The library is empty: the user adds files with 'octavo add FILE', or add_document where it is on")
    else:
        steps.append("search or ask for something they say; get_outline for what one document holds")
    result = results.DocumentList(documents=rows, total=page["total"], has_more=bool(cursor), cursor=cursor, next=steps)
    fence = Fence()
    lines = [f"{row.id}  {row.pages} pages  {row.name.line} {row.title.line}{_about(row)}" for row in rows]
    told = "id, pages, name, title, [issuer; kind; period]"
    head = f"{len(rows)} of {page['total']} documents ({told}). {fence.rule()}"
    return Reply(result, _joined(head, fence.lines(lines), steps))


def _about(row: results.Listed) -> str:
    """Return who issued a document, its kind and its period, as far as they are known: " [Norwick; manual; 2022]"."""
    told = "; ".join(filter(None, (row.issuer.bare, row.kind.bare, row.period.bare)))
    return f" [{told}]" if told else ""


def _listed(context: ToolContext, item: DocumentShape) -> results.Listed:
    digits, about = document_digits(str(item["id"])), item["about"]
    return results.Listed(
        id=digits,
        name=Said(item["name"]),
        title=Said(about["title"] or item["title"] or "", 300),
        issuer=Said(about["issuer"], 100),
        kind=Said(about["kind"], 40),
        period=Said(about["period"] or about["date"], 20),
        pages=item["pages"],
        has_pages=item["has_pages"],
        sections=item["sections"],
        link=context.link(f"/d/{digits}"),
    )


class OutlineArguments(Arguments):
    """Arguments of `get_outline`."""

    document: DocumentRef
    section: Annotated[Name | None, Field(description="Only what is in it: its block, number or title.")] = None
    depth: Annotated[int, Field(ge=1, le=9, description="Levels to show.")] = 3
    cursor: Cursor = None


def _outline(context: ToolContext, _call: ToolCall, given: OutlineArguments) -> Reply:
    document = context.library.read(context.document(given.document))
    table = document.blocks
    inside = slice(0, len(table)) if given.section is None else table.subtree(_heading(document, given.section))
    top = min((int(table.level[row]) for row in table.headings() if inside.start <= row < inside.stop), default=1)
    fitting = [
        row
        for row in table.headings().tolist()
        if inside.start <= row < inside.stop and int(table.level[row]) < top + given.depth
    ]
    start = _position(given.cursor)
    shown = [row for row in fitting if row >= start][:_MOST_SECTIONS]
    rest = [row for row in fitting if shown and row > shown[-1]]
    rows = [_section(document, row) for row in shown]
    cursor = f"b{rest[0]}" if rest else None
    steps = [f"get_outline(cursor='{cursor}', ...) for more"] if cursor else []
    if rows:
        steps.append("read(document, section='bN') for the text of a section; search(documents=[document]) within it")
    else:
        steps.append("It has no headings: read(document, pages='1-5') or search(documents=[document])")
    result = results.Outline(
        document=Said(document.name),
        document_id=document_digits(document.id),
        pages=len(document.pages),
        sections=rows,
        has_more=bool(rest),
        cursor=cursor,
        next=steps,
    )
    fence = Fence()
    lines = [f"{'  ' * (row.level - top)}{row.block} p. {row.page}-{row.end_page} {row.title.bare}" for row in rows]
    head = (
        f"{document_digits(document.id)}, {len(document.pages)} pages; sections as block, pages, title. {fence.rule()}"
    )
    return Reply(result, _joined(head, fence.lines(lines), steps))


def _section(document: Document, row: int) -> results.Section:
    table = document.blocks
    inside = table.subtree(row)
    return results.Section(
        block=f"b{row}",
        level=int(table.level[row]),
        title=Said(on_one_line(table.text[row]), 300),
        page=int(table.page[row]),
        end_page=int(table.page[inside.stop - 1]),
        subsections=sum(table.kind_of(below) == Kind.HEADING for below in range(row + 1, inside.stop)),
    )


class ReadArguments(Arguments):
    """Arguments of `read`."""

    document: Annotated[DocumentRef | None, Field(description="Id or name; not needed with citation.")] = None
    pages: Annotated[str | None, Field(max_length=20, description="'12' or '12-14': physical pages, from 1.")] = None
    section: Annotated[Name | None, Field(description="A section's block, number or title, from get_outline.")] = None
    citation: Annotated[CitationRef | None, Field(description="What stands around a citation.")] = None
    cursor: Cursor = None


def _read(context: ToolContext, _call: ToolCall, given: ReadArguments) -> Reply:
    if sum(value is not None for value in (given.pages, given.section, given.citation)) > 1:
        raise ToolFailure("give one of pages, section and citation")
    document, rows = _wanted(context, given)
    start = _position(given.cursor)
    shown, more = _capped(document, [row for row in rows if row >= start])
    blocks = [_block(document, row) for row in shown]
    cursor = f"b{more}" if more is not None else None
    steps = [f"read(cursor='{cursor}', ...) with the same arguments for more"] if cursor else []
    steps.append("verify_quote(quote=the exact words, documents=[document]) gives a citation id and link for them")
    pages = [block.page for block in blocks]
    result = results.Reading(
        document=Said(document.name),
        document_id=document_digits(document.id),
        pages=len(document.pages),
        first_page=min(pages, default=0),
        last_page=max(pages, default=0),
        blocks=blocks,
        has_more=cursor is not None,
        cursor=cursor,
        next=steps,
    )
    fence = Fence()
    text = "\n".join(_block_lines(blocks)) or "(nothing is printed there)"
    head = f"{document_digits(document.id)}, {len(document.pages)} pages. {fence.rule()}"
    return Reply(result, _joined(head, fence.around(text), steps), places=_places_read(document, given, pages))


def _places_read(document: Document, given: ReadArguments, pages: Sequence[int]) -> list[tuple[str, int]]:
    """Return the places that a reading is about: the citation that it is around, else its pages."""
    if given.citation is not None:
        return [(given.citation, pages[len(pages) // 2] if pages else 1)]
    return [(chat_page.place_of_page(document.id, page), page) for page in dict.fromkeys(pages)]


def _wanted(context: ToolContext, given: ReadArguments) -> tuple[Document, Iterable[int]]:
    """Return a document and the rows of it that are asked for."""
    if given.citation is not None:
        found = context.library.citation(given.citation)
        document = context.library.read(found["document_id"])
        at = int(str(found["block"]).removeprefix("b"))
        return document, range(max(0, at - _AROUND), min(len(document.blocks), at + _AROUND + 1))
    if given.document is None:
        raise ToolFailure("name a document: its id or name from list_documents, or give a citation")
    document = context.library.read(context.document(given.document))
    if given.section is not None:
        inside = document.blocks.subtree(_heading(document, given.section))
        return document, range(inside.start, inside.stop)
    if given.pages is not None:
        first, last = _pages(given.pages, len(document.pages))
        return document, range(int(document.page_starts[first - 1]), int(document.page_starts[last]))
    return document, range(len(document.blocks))


def _pages(text: str, count: int) -> tuple[int, int]:
    found = re.fullmatch(r"\s*(\d{1,6})\s*(?:[-–]\s*(\d{1,6}))?\s*", text)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= min(last, count):
        raise ToolFailure(f"pages is '12' or '12-14', from 1 to {count}; not {text!r}")
    return first, min(last, count)


def _heading(document: Document, wanted: str) -> int:
    """Return the row of a heading by its block, its number or title, or a part of its title."""
    table = document.blocks
    headings = table.headings().tolist()
    if found := re.fullmatch(r"b(\d{1,9})", wanted):
        row = int(found[1])
        if row < len(table):
            return row if row in headings else max(int(table.parent[row]), 0)
    plain = caseless(wanted)
    titles = {row: caseless(table.text[row]) for row in headings}
    for fits in _FITS:
        rows = [row for row, title in titles.items() if fits(title, plain)]
        if rows:
            return rows[0]
    raise ToolFailure(f"there is no section {wanted[:80]!r} in it; get_outline shows all with their blocks")


_FITS: tuple[Callable[[str, str], bool], ...] = (
    lambda title, wanted: title == wanted,
    lambda title, wanted: title.split(" ", 1)[0].rstrip(".") == wanted.rstrip("."),
    lambda title, wanted: title.split(" ", 1)[-1] == wanted,
    lambda title, wanted: len(wanted) > 2 and wanted in title,
)
"""Whether a title is what is wanted, the surest way first."""


def _capped(document: Document, rows: list[int]) -> tuple[list[int], int | None]:
    """Return the rows that fit into one result, page furniture left out, and the row at which the next one begins."""
    size, shown = 0, list[int]()
    for row in rows:
        if document.blocks.kind_of(row) in FURNITURE:
            continue
        size += len(document.blocks.text[row]) + 40
        if shown and size > _MOST_TEXT:
            return shown, row
        shown.append(row)
    return shown, None


def _block(document: Document, row: int) -> results.Block:
    table = document.blocks
    return results.Block(
        id=str(CitationId.of(document, row)),
        block=f"b{row}",
        page=int(table.page[row]),
        page_label=Said(document.pages.label[int(table.page[row]) - 1]),
        kind=table.kind_of(row).label,
        text=Said(table.text[row], _MOST_TEXT),
    )


def _block_lines(blocks: list[results.Block]) -> Iterator[str]:
    page = 0
    for block in blocks:
        if block.page != page:
            page = block.page
            yield f"--- {page_name(page, block.page_label.bare)} ---"
        kind = "" if block.kind == "paragraph" else f" {block.kind}"
        yield f"[{block.block}{kind}] {block.text.bare}"


class CitationArguments(Arguments):
    """Arguments of `get_citation`."""

    id: CitationRef


def _citation(context: ToolContext, _call: ToolCall, given: CitationArguments) -> Reply:
    found = context.library.citation(given.id)
    steps = ["show_page(citation=id) shows it on its page; read(citation=id) gives what stands around it"]
    if len(found["text"]) > _MOST_TEXT:
        steps.append("The block is longer than context: read(citation=id)")
    result = results.CitationFound(
        **place(context, found),
        quote=Said(found["quote"]),
        state=found["state"],
        context=Said(found["text"], _MOST_TEXT),
        boxes=[results.Spot(page=box["page"], box=list(box["box"])) for box in found["boxes"]],
        next=steps,
    )
    fence = Fence()
    moved = "" if result.state == "same" else " The document was read anew since; the words stand here now."
    head = f"Citation {result.id}, page {result.page}, {result.link}.{moved} {fence.rule()}"
    path = " > ".join(title.bare for title in result.section)
    words = f"{result.document.bare}: {path}\nQuote: {result.quote.bare}\nBlock: {result.context.bare}"
    return Reply(result, _joined(head, fence.around(words), steps))


class ShowArguments(Arguments):
    """Arguments of `show_page`."""

    document: Annotated[DocumentRef | None, Field(description="Id or name; not needed with citation.")] = None
    page: Annotated[int | None, Field(ge=1, le=1_000_000, description="Physical page, from 1.")] = None
    citation: Annotated[CitationRef | None, Field(description="Show its page, its words marked.")] = None
    blocks: Annotated[tuple[Name, ...], Field(max_length=50, description="Blocks to mark, such as b77.")] = ()
    width: Annotated[int, Field(ge=200, le=1600, description="Pixels.")] = 900


def _show(context: ToolContext, _call: ToolCall, given: ShowArguments) -> Reply:
    identity, number, boxes, cited = _to_show(context, given)
    page = context.library.page(identity, number)
    known = {block["block"]: block["box"] for block in page["blocks"]}
    missing = [name for name in given.blocks if name not in known]
    if missing:
        raise ToolFailure(f"page {number} has no block {missing[0][:20]!r}: read(pages='{number}') names its blocks")
    boxes += [known[name] for name in given.blocks]
    raster = context.library.picture(identity, number, width=given.width)
    picture = encoded(with_boxes(raster, boxes, page["width"], page["height"]))
    digits = document_digits(identity)
    steps = [f"read(document='{digits}', pages='{number}') gives its text"]
    if number < page["pages"]:
        steps.append(f"show_page(document='{digits}', page={number + 1}) for the page after")
    result = results.PageShown(
        document=Said(page["document"]),
        document_id=digits,
        page=number,
        pages=page["pages"],
        width=int(raster.shape[1]),
        height=int(raster.shape[0]),
        marked=len(boxes),
        link=context.link(f"/d/{digits}/{number}"),
        next=steps,
    )
    head = f"Page {number} of {page['pages']} of {digits}, {len(boxes)} marked. {result.notice} {result.link}"
    place = chat_page.place_shown(context, context.library.read(identity), number, cited, boxes)
    return Reply(result, _joined(head, "", steps), picture, places=[(place.id, number)], page=place)


def _to_show(context: ToolContext, given: ShowArguments) -> tuple[str, int, list[Sequence[float]], CitedShape | None]:
    """Return the document, the page, the boxes of what is cited on it, and what that is."""
    if given.citation is not None:
        found = context.library.citation(given.citation)
        number = int(given.page or found["page"])
        boxes: list[Sequence[float]] = [box["box"] for box in found["boxes"] if box["page"] == number]
        return found["document_id"], number, boxes, found if boxes else None
    if given.document is None or given.page is None:
        raise ToolFailure("give a document and a page, or a citation")
    return context.document(given.document), given.page, [], None


def place(context: ToolContext, value: CitationShape | PassageShape) -> dict[str, Any]:
    """Return the fields of `results.Place` from a citation or passage of the library."""
    return {
        "id": value["id"],
        "link": context.link(value.get("link")),
        "document": Said(value["document"]),
        "document_id": document_digits(str(value["document_id"])),
        "page": value["page"],
        "page_label": Said(value["page_label"]),
        "section": [Said(title, 300) for title in value["section"]],
        "kind": value["kind"],
    }


def _position(cursor: str | None) -> int:
    if cursor is None:
        return 0
    if not re.fullmatch(r"b\d{1,9}", cursor):
        raise ToolFailure("there is no such cursor: give the one of the result before, or none for the beginning")
    return int(cursor[1:])


def _joined(head: str, body: str, steps: list[str]) -> str:
    return "\n".join(filter(None, (head, body, f"Next: {'; '.join(steps)}." if steps else "")))


TOOLS: tuple[Tool[Any], ...] = (
    Tool(
        name="list_documents",
        title="List documents",
        description="List the documents of the library with their ids.",
        arguments=ListArguments,
        result=results.DocumentList,
        run=_list,
    ),
    Tool(
        name="get_outline",
        title="Table of contents",
        description="Show the sections of a document with their pages.",
        arguments=OutlineArguments,
        result=results.Outline,
        run=_outline,
    ),
    Tool(
        name="read",
        title="Read pages or a section",
        description="Read the text of pages, of a section, or around a citation.",
        arguments=ReadArguments,
        result=results.Reading,
        run=_read,
        is_shown=True,
    ),
    Tool(
        name="get_citation",
        title="Look up a citation",
        description="Look up a citation by its id: its quote, page, boxes and link.",
        arguments=CitationArguments,
        result=results.CitationFound,
        run=_citation,
    ),
    Tool(
        name="show_page",
        title="Show a page",
        description="Show a page as a picture, with a citation or blocks marked; for tables, charts and figures.",
        arguments=ShowArguments,
        result=results.PageShown,
        run=_show,
        is_shown=True,
    ),
)
