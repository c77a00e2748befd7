"""The JSON of documents, pages, words, marks and citations, as the API and the pages have it, and of layers."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, cast

from octavo import systems
from octavo.corpus import Corpus, DocumentInfo
from octavo.corpus.store.paths import shown
from octavo.errors import CorpusError, OctavoError
from octavo.evidence.layer_tables import ENTITIES_TABLE
from octavo.layers.rows import LAYERS, entities
from octavo_documents.document import Document, LinkKind
from octavo_documents.document.document import block_json
from octavo_documents.document.grid import Grid
from octavo_documents.parsing.formats import SUFFIXES
from octavo_documents.wording import translated

if TYPE_CHECKING:
    from octavo.about.document_about import DocumentAbout
    from octavo.corpus.first_look import FirstLook
    from octavo.corpus.reports import Removal
    from octavo.corpus.tables import answer_table as tables
    from octavo.corpus.tables import cell as cells
    from octavo.evidence import Citation, Passage, View
    from octavo.evidence.answer_shapes import Box
    from octavo.evidence.places import Cited, DocumentFinds, Finds, Mark, Verification
    from octavo.layers.rows import EntityRow
    from octavo_documents.document.grid import Cell
    from octavo_documents.document.page_words import PageWords, Spot
    from octavo_server.finding_responses import DocumentFindsShape, FindsShape
    from octavo_server.layer_responses import BuildShape, EdgeShape, GraphShape, LayerShape, NodeShape, RowShape
    from octavo_server.responses import (
        BlockShape,
        CellShape,
        CitationShape,
        CitedShape,
        DocumentShape,
        ExampleShape,
        FirstLookShape,
        FoundShape,
        LinkShape,
        MarkShape,
        PageShape,
        PassageShape,
        PlainBlockShape,
        RemovedShape,
        SpotShape,
        StatusShape,
        TableShape,
        VerificationShape,
        WordsShape,
    )
    from octavo_server.table_responses import AnswerCellShape, AnswerTableShape

_STRUCTURE = (LinkKind.NEXT, LinkKind.PART_OF)
"""Kinds of link that the order of blocks says already."""


def planned(corpus: Corpus, identity: str) -> Removal:
    """Return what removing a document does: all its files are forgotten, or what was sent if it is a copy of them."""
    (found,) = corpus.removals(identity)
    others = tuple(path for path in found.forgotten if path not in found.deleted)
    if found.deleted and others:
        return dataclasses.replace(found, forgotten=found.deleted, remaining=others)
    return found


_MOST_LEFT = 20
"""Files that a removal names at most."""


def removal(found: Removal) -> RemovedShape:
    """Return what removing a document did, or would do."""
    left = [one for one in (*found.forgotten, *found.remaining) if one not in found.deleted]
    return {
        "document_id": found.id,
        "name": found.name,
        "is_gone": found.is_gone,
        "deleted": [Path(one).name for one in found.deleted],
        "left_alone": [Path(shown(one)).name for one in left[:_MOST_LEFT]],
        "remaining": len(found.remaining),
        "told": translated(removal_sentence(found)),
    }


def removal_sentence(found: Removal) -> str:
    """Return what becomes of the files of a document that is removed, as a sentence."""
    left = len(found.forgotten) + len(found.remaining) - len(found.deleted)
    files = "its file was" if left == 1 else f"its {left:,} files were"
    if not found.deleted:
        return f"Removed; {files} left alone."
    if found.is_gone:
        return "Removed; its bytes were deleted with it: they had been sent, and there was no other copy here."
    leads = "another file leads" if left == 1 else f"{left:,} other files lead"
    return f"The file that had been sent was deleted; the document stays, for {leads} to it."


def document(
    info: DocumentInfo,
    document: Document,
    about: DocumentAbout,
    layers: Mapping[str, str],
    files: Sequence[bool] = (),
) -> DocumentShape:
    """Return a document as it is listed; `files` says of each that leads to it whether it was sent."""
    metadata = document.metadata
    return {
        "id": info.id,
        "name": info.name,
        "title": document.title,
        "author": metadata.author,
        "created": metadata.created,
        "pages": info.pages,
        "scanned_pages": info.scanned_pages,
        "blocks": info.blocks,
        "sections": info.sections,
        "size_bytes": info.size_bytes,
        "added": info.added,
        "has_pages": document.has_pages,
        "unit": document.unit,
        "warnings": [*map(translated, metadata.warnings)],
        "damage": translated(metadata.damage),
        "layers": dict(sorted(layers.items())),
        "about": about.to_json(),
        "is_upload": any(files),
        "files_left": len(files) - sum(files),
    }


def page(document: Document, number: int) -> PageShape:
    """Return a page with its blocks in reading order."""
    rows = document.on_page(number)
    links = _links(document, rows)
    # Text of a file in a file with pages has the room of a page among these.
    sized = number if document.is_drawn(number) or not document.has_pages else 1
    width, height = (round(float(table[sized - 1]), 2) for table in (document.pages.width, document.pages.height))
    return {
        "document": document.name,
        "document_id": document.id,
        "page": number,
        "page_label": document.pages.label[number - 1],
        "pages": len(document.pages),
        "width": width,
        "height": height,
        "rotation": 0,
        "is_scanned": bool(document.pages.is_scanned[number - 1]),
        "has_picture": document.is_drawn(number),
        "blocks": [_block(document, row, links.get(row, [])) for row in range(rows.start, rows.stop)],
    }


def _block(document: Document, row: int, links: list[LinkShape]) -> BlockShape:
    value = cast("PlainBlockShape", block_json(document, row))
    return {
        **value,
        "relative": relative(document, value["page"], value["box"]),
        "table": _table(document.blocks.grid[row]),
        "links": links,
    }


def relative(document: Document, page: int, box: Sequence[float]) -> Box | None:
    """Return a box in parts (0..1) of its page's width and height; None where the page has no size."""
    width, height = float(document.pages.width[page - 1]), float(document.pages.height[page - 1])
    if width <= 0 or height <= 0:
        return None
    sizes = (width, height, width, height)
    return _four(round(min(max(value / size, 0.0), 1.0), 5) for value, size in zip(box, sizes, strict=True))


def _four(values: Iterable[float]) -> Box:
    left, top, right, bottom = values
    return (left, top, right, bottom)


def _table(stored: str) -> TableShape | None:
    if not stored:
        return None
    grid = Grid.from_json(stored)
    return {
        "rows": grid.height,
        "columns": grid.width,
        "header_rows": grid.header_rows,
        "header_columns": grid.header_columns,
        "cells": [_cell(cell) for cell in grid.cells],
    }


def _cell(cell: Cell) -> CellShape:
    return {
        "row": cell.row,
        "column": cell.column,
        "text": cell.text,
        "rows": cell.rows,
        "columns": cell.columns,
        "box": cell.box,
    }


_MOST_ELEMENTS = 200
"""Tables and figures that are told at once."""


def first_look(found: FirstLook) -> FirstLookShape:
    """Return what there is to see in a document at first."""
    return {
        "document_id": found.document_id,
        "sections": [{"title": one.title, "page": one.page, "block": f"b{one.row}"} for one in found.sections],
        "section_count": found.section_count,
        "elements": [
            {"kind": one.kind, "called": one.called, "page": one.page, "block": f"b{one.row}"}
            for one in found.elements[:_MOST_ELEMENTS]
        ],
        "questions": [
            {"question": one.question, "page": one.place.page, "link": f"/c/{one.place.id}"} for one in found.questions
        ],
    }


def _links(document: Document, rows: slice) -> dict[int, list[LinkShape]]:
    """Return the links of blocks in some rows, by the row they start from."""
    found: dict[int, list[LinkShape]] = {}
    table = document.links
    inside = (table.source >= rows.start) & (table.source < rows.stop)
    for at in inside.nonzero()[0].tolist():
        kind, target = table.kind_of(at), int(table.target[at])
        if kind in _STRUCTURE:
            continue
        link: LinkShape = {
            "kind": kind.label,
            "to": f"b{target}",
            "page": int(document.blocks.page[target]),
            "text": table.text[at],
        }
        found.setdefault(int(table.source[at]), []).append(link)
    return found


def words(page: int, found: PageWords) -> WordsShape:
    """Return the words of a page (`Corpus.words`)."""
    rows = zip(found.texts, found.boxes.tolist(), found.lines.tolist(), strict=True)
    listed = [(text, *_four(round(value, 2) for value in box), line) for text, box, line in rows]
    return {"page": page, "source": found.source, "words": listed}


def mark(document: Document, found: Mark) -> MarkShape:
    """Return where a text stands in a block (`Corpus.marks`)."""
    boxes = [_four(round(float(value), 2) for value in box) for box in found.boxes]
    return {
        "text": found.text,
        "page": found.page,
        "boxes": boxes,
        "relative": [relative(document, found.page, box) for box in boxes],
    }


def cited(document: Document, found: Cited) -> CitedShape:
    """Return what a citation stands for (`Corpus.cited`)."""
    citation = found.citation
    row = int(citation.block.removeprefix("b"))
    pages = document.pages
    return {
        **citation_json(citation),
        "start": found.start,
        "stop": found.stop,
        "quote_sha256": hashlib.sha256(citation.quote.encode("utf-8", "surrogatepass")).hexdigest(),
        "state": found.state,
        "text": document.blocks.text[row],
        "boxes": [_spot(document, spot) for spot in found.boxes],
        "page_width": round(float(pages.width[citation.page - 1]), 2),
        "page_height": round(float(pages.height[citation.page - 1]), 2),
    }


def _spot(document: Document, spot: Spot) -> SpotShape:
    box = _four(round(float(value), 2) for value in spot.box)
    return {"page": spot.page, "box": box, "relative": relative(document, spot.page, box)}


def citation_json(citation: Citation) -> CitationShape:
    """Return a citation's JSON with the link to it."""
    value = citation.to_json()
    return {**value, "link": f"/c/{value['id']}"}


def passage_json(passage: Passage) -> PassageShape:
    """Return a passage's JSON with the link to it."""
    value = passage.to_json()
    return {**value, "link": f"/c/{value['id']}"}


def answer_cell(cell: cells.AnswerCellShape | None) -> AnswerCellShape | None:
    """Return a cell of a table with the links to its places."""
    if cell is None:
        return None
    return {
        **cell,
        "citations": [{**one, "link": f"/c/{one['id']}"} for one in cell["citations"]],
        "passages": [{**one, "link": f"/c/{one['id']}"} for one in cell["passages"]],
    }


def answer_table(table: tables.AnswerTable) -> AnswerTableShape:
    """Return a table of answers with the links to its places."""
    told = table.to_json()
    return {**told, "rows": [{**row, "cells": [answer_cell(cell) for cell in row["cells"]]} for row in told["rows"]]}


def verification(found: Verification) -> VerificationShape:
    """Return whether a quote was found (`Corpus.verify`)."""
    places: list[FoundShape] = [
        {**citation_json(place.citation), "similarity": round(place.similarity, 4)} for place in found.places
    ]
    return {"found": found.found, "places": places, "searched": found.searched, "is_complete": found.is_complete}


MOST_FOUND = 50
"""Documents that have a text and are told at once."""


def finds(found: Finds, start: int) -> FindsShape:
    """Return where a text stands (`Corpus.find`), the places of each document from `start` on."""
    return {
        "text": found.text,
        "documents": [_document_finds(one, start) for one in found.documents[:MOST_FOUND]],
        "found": len(found.documents),
        "total": found.total,
        "searched": found.searched,
        "is_complete": found.is_complete,
    }


def _document_finds(found: DocumentFinds, start: int) -> DocumentFindsShape:
    stop = start + len(found.places)
    return {
        "document": found.document,
        "document_id": found.document_id,
        "title": found.title,
        "in_title": [*found.in_title],
        "in_name": [*found.in_name],
        "total": found.total,
        "places": [
            {**citation_json(one.citation), "snippet": one.snippet, "emphasis": [(one.start, one.stop)]}
            for one in found.places
        ],
        "next": str(stop) if stop < found.total else None,
    }


def model_names(models: Mapping[str, str]) -> dict[str, str]:
    """Return models by role, by provider and name: neither the address of an endpoint nor a path of the machine."""
    return {role: _model_name(identity) for role, identity in models.items()}


def _model_name(identity: str) -> str:
    provider, _, rest = identity.partition(":")
    name = rest.partition("@http")[0]
    if provider == "local":
        name = PureWindowsPath(name).name  # which knows both slashes
    return f"{provider}:{name}"


def status(corpus: Corpus, *, can_write: bool, example: ExampleShape | None = None, instance: str = "") -> StatusShape:
    """Return the corpus in figures, and what may be asked of it."""
    from importlib import metadata

    found = corpus.status()
    return {
        "documents": found.documents,
        "pages": found.pages,
        "passages": found.passages,
        "bytes": found.bytes,
        "layers": dict(found.layers),
        "models": model_names(corpus.models),
        "systems": [{"name": name, "told": translated(systems.about(name))} for name in systems.SYSTEMS],
        "formats": [*SUFFIXES],
        "can_write": can_write,
        "version": metadata.version("octavo"),
        "example": example,
        "instance": instance,
    }


def layer(corpus: Corpus, info: DocumentInfo, name: str, start: int, limit: int | None) -> LayerShape:
    """Return the rows of a layer from `start` on, at most `limit`; where it is not built, what builds it."""
    shown = LAYERS.get(name)
    if shown is None:
        raise CorpusError("unknown", f"there is no layer {name!r}: choose one of {', '.join(LAYERS)}")
    built = corpus.layers([info.id]).get(info.id, {})
    if not shown.layers <= built.keys():
        return {
            "layer": name,
            "document_id": info.id,
            "is_built": False,
            "rows": [],
            "next": None,
            "total": 0,
            "build": _build(corpus, info, shown.layers),
        }
    rows = shown.rows(corpus.view([info.id]))
    stop = len(rows) if limit is None else start + limit
    return {
        "layer": name,
        "document_id": info.id,
        "is_built": True,
        "rows": [cast("RowShape", dataclasses.asdict(row)) for row in rows[start:stop]],
        "next": str(stop) if stop < len(rows) else None,
        "total": len(rows),
        "build": None,
    }


def _build(corpus: Corpus, info: DocumentInfo, layers: frozenset[str]) -> BuildShape:
    """Return the systems that build layers, and what the models of the corpus would take for it."""
    fitting = [name for name, system in systems.SYSTEMS.items() if layers <= system.needs()]
    calls, tokens, cost = 0, 0, None
    if corpus.models and fitting:
        try:
            plan = corpus.plan(info.path, systems=fitting[:1])
            calls, tokens, cost = plan.calls, plan.tokens, plan.cost
        except OctavoError:  # the file has gone: nothing can be told
            calls, tokens = 0, 0
    return {"systems": fitting, "calls": calls, "tokens": tokens, "cost": cost}


def around(corpus: Corpus, info: DocumentInfo, entity: str, limit: int) -> GraphShape:
    """Return an entity and the `limit` it is related to most, as nodes and edges."""
    if "entities" not in corpus.layers([info.id]).get(info.id, {}):
        raise CorpusError("unknown", f"{info.name} has no entities: build them with 'octavo add FILE --for bookrag'")
    view = corpus.view([info.id])
    rows = {row.id: row for row in entities(view)}
    if entity not in rows:
        raise CorpusError("unknown", f"{info.name} has no entity {entity!r}")
    edges = _edges(view, entity, limit)
    ids = dict.fromkeys([entity, *(one for edge in edges for one in (edge["source"], edge["target"]))])
    return {"nodes": [_node(rows[one]) for one in ids], "edges": edges}


def _edges(view: View, entity: str, limit: int) -> list[EdgeShape]:
    relations = view.layer(ENTITIES_TABLE).relations
    rows = zip(
        relations.source.tolist(), relations.target.tolist(), relations.type, relations.weight.tolist(), strict=True
    )
    found: list[EdgeShape] = [
        {"source": f"e{source}", "target": f"e{target}", "label": label, "weight": round(weight, 3)}
        for source, target, label, weight in rows
        if entity in (f"e{source}", f"e{target}")
    ]
    return sorted(found, key=_weight, reverse=True)[:limit]


def _weight(edge: EdgeShape) -> float:
    return edge["weight"]


def _node(row: EntityRow) -> NodeShape:
    return {"id": row.id, "name": row.name, "type": row.type, "mentions": row.mentions, "pages": [*row.pages]}
