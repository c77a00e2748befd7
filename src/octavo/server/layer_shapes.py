"""The JSON of what indexing adds to a document: entities, links, summaries, clusters, communities."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from octavo.corpus import Corpus, DocumentInfo
from octavo.errors import CorpusError, OctavoError
from octavo.layers.rows import LAYERS, entities
from octavo.systems import SYSTEMS

if TYPE_CHECKING:
    from octavo.document import View
    from octavo.layers.rows import EntityRow


def layer(corpus: Corpus, info: DocumentInfo, name: str, start: int, limit: int | None) -> dict[str, Any]:
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
            "rows": list[Any](),
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
        "rows": [dataclasses.asdict(row) for row in rows[start:stop]],
        "next": str(stop) if stop < len(rows) else None,
        "total": len(rows),
        "build": None,
    }


def _build(corpus: Corpus, info: DocumentInfo, layers: frozenset[str]) -> dict[str, Any]:
    """Return the systems that build layers, and what the models of the corpus would take for it."""
    systems = [name for name, system in SYSTEMS.items() if layers <= system.needs()]
    calls, tokens, cost = 0, 0, None
    if corpus.models and systems:
        try:
            plan = corpus.plan(info.path, systems=systems[:1])
            calls, tokens, cost = plan.calls, plan.tokens, plan.cost
        except OctavoError:  # the file has gone: nothing can be told
            calls, tokens = 0, 0
    return {"systems": systems, "calls": calls, "tokens": tokens, "cost": cost}


def around(corpus: Corpus, info: DocumentInfo, entity: str, limit: int) -> dict[str, Any]:
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


def _edges(view: View, entity: str, limit: int) -> list[dict[str, Any]]:
    relations = view.graph.relations
    rows = zip(
        relations.source.tolist(), relations.target.tolist(), relations.type, relations.weight.tolist(), strict=True
    )
    found: list[dict[str, Any]] = [
        {"source": f"e{source}", "target": f"e{target}", "label": label, "weight": round(weight, 3)}
        for source, target, label, weight in rows
        if entity in (f"e{source}", f"e{target}")
    ]
    return sorted(found, key=_weight, reverse=True)[:limit]


def _weight(edge: dict[str, Any]) -> float:
    return edge["weight"]


def _node(row: EntityRow) -> dict[str, Any]:
    return {"id": row.id, "name": row.name, "type": row.type, "mentions": row.mentions, "pages": [*row.pages]}
