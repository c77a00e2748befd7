"""The two tools that ChatGPT's connectors and deep research ask of a server, `search` and `fetch`, in their form.

They have an address of their own beside the tools for other agents, whose `search` takes and tells more. What they give
is the same JSON as text and as values: words of documents stand in its strings alone.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from octavo.errors import CorpusError, UsageError
from octavo.evidence.citation_ids import document_digits
from octavo_documents.document import page_name
from octavo_server.mcp.chat_page import place_of_page
from octavo_server.mcp.fencing import NOTICE, Said
from octavo_server.mcp.tool import Arguments, Reply, Tool, ToolCall, ToolContext, ToolFailure

INSTRUCTIONS = f"""Octavo finds passages in the user's own documents: search for them, fetch the page one stands on.
Cite a result by its url, which shows the page with the words marked. {NOTICE}"""
_PAGES, _MOST_RESULTS = 8, 10
_LONGEST_TEXT = 40_000
"""Characters of a page, or of a document that is fetched as a whole."""
_PREVIEW = 300


class ConnectorResult(BaseModel):
    """What is found: its id for `fetch`, what it is called, and the address that shows it."""

    id: str
    title: Said
    url: str
    text: Said


class ConnectorResults(BaseModel):
    """What `search` gives."""

    results: list[ConnectorResult]


class Fetched(BaseModel):
    """What `fetch` gives."""

    id: str
    title: Said
    text: Said
    url: str
    metadata: dict[str, Said | str]


class ConnectorQuery(Arguments):
    """What `search` takes."""

    query: Annotated[str, Field(min_length=1, max_length=2_000, description="A question or words to look for.")]


class FetchArguments(Arguments):
    """What `fetch` takes."""

    id: Annotated[str, Field(min_length=1, max_length=200, description="The id of a result.")]


def _search(context: ToolContext, _call: ToolCall, given: ConnectorQuery) -> Reply:
    if not given.query.strip():
        raise ToolFailure("the query is empty: give a question or words to look for")
    found = context.library.search(given.query, limit=_PAGES)
    results = [
        ConnectorResult(
            id=one["id"],
            title=Said(_title(one.get("document_title") or one["document"], one["page"], one["page_label"]), 200),
            url=context.link(one["link"]),
            text=Said(one["text"], _PREVIEW),
        )
        for one in found["passages"][:_MOST_RESULTS]
    ]
    known = {(one["document_id"], one["page"]) for one in found["passages"]}
    for page in found["pages"]:
        place = (page.get("document_id", ""), page["page"])
        if len(results) < _MOST_RESULTS and place not in known:
            digits = document_digits(place[0])
            title = Said(_title(page["document"], place[1], ""), 200)
            url = context.link(f"/d/{digits}/{place[1]}")
            results.append(ConnectorResult(id=f"{digits}/{place[1]}", title=title, url=url, text=Said("")))
    result = ConnectorResults(results=results)
    return Reply(result, result.model_dump_json())


def _title(document: str, page: int, label: str) -> str:
    return f"{document}, {page_name(page, label)}"


def _fetch(context: ToolContext, _call: ToolCall, given: FetchArguments) -> Reply:
    """Give the page of a citation or of a document, and of a document alone its text as far as there is room."""
    identity = given.id.strip()
    quote = ""
    if "/" in identity:
        name, _, number = identity.partition("/")
        document, page = context.library.read(context.document(name)), int(number) if number.isdecimal() else 0
        link = f"/d/{document_digits(document.id)}/{page}"
    elif "-" in identity:
        try:
            cited = context.library.citation(identity)
        except (UsageError, CorpusError) as error:
            raise ToolFailure("there is no such result: give an id that search gave") from error
        document, page, quote = context.library.read(cited["document_id"]), cited["page"], cited["quote"]
        link = f"/c/{identity}"
    else:
        document, page = context.library.read(context.document(identity)), None
        link = f"/d/{document_digits(document.id)}/1"
    starts = document.page_starts
    if page is not None and not 1 <= page <= len(document.pages):
        raise ToolFailure(f"the document has pages 1 to {len(document.pages)}")
    rows = range(len(document.blocks)) if page is None else range(int(starts[page - 1]), int(starts[page]))
    called = document.title or document.name
    label = "" if page is None else str(document.pages.label[page - 1])
    metadata: dict[str, Said | str] = {"document": Said(document.name), "pages": str(len(document.pages))}
    if page is not None:
        metadata["page"] = str(page)
    if quote:
        metadata["quote"] = Said(quote, _PREVIEW)
    result = Fetched(
        id=identity,
        title=Said(called if page is None else _title(called, page, label), 200),
        text=Said("\n".join(document.blocks.text[row] for row in rows), _LONGEST_TEXT),
        url=context.link(link),
        metadata={**metadata, "notice": NOTICE},
    )
    shown = (identity, page) if quote and page is not None else (place_of_page(document.id, page or 1), page or 1)
    return Reply(result, result.model_dump_json(), places=[shown])


SEARCH = Tool(
    name="search",
    title="Search documents",
    description="Finds passages in the user's documents. Gives ids, titles and addresses of what fits best.",
    arguments=ConnectorQuery,
    result=ConnectorResults,
    run=_search,
)
FETCH = Tool(
    name="fetch",
    title="Fetch a page",
    description="Gives the text of the page that a result of search stands on, by the id of the result.",
    arguments=FetchArguments,
    result=Fetched,
    run=_fetch,
    is_shown=True,
)
TOOLS = (SEARCH, FETCH)
