"""Whether operators do with the columns of evidence what they declare, in all systems, paper plans and ablations."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

from columns_seen import watch
from indexed import FakeEmbedder, view_of
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Query, View
from octavo.evidence.meant_documents import MeantDocuments
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo.operators import OPERATORS
from octavo.operators.columns import UNDECLARED
from octavo.operators.core import Operator, Place, Run
from octavo.systems import ABLATIONS, PAPER_PLANS, SYSTEMS, System, run_ask, run_search
from octavo_documents.document import Kind
from synthetic import document

REPORT = document(
    [
        (Kind.TITLE, "Annual report", 1, 0),
        (Kind.HEADING, "1 Revenue", 1, 1),
        (Kind.PARAGRAPH, "Revenue was $3.1 million in 2015 in Graz.", 1, 0),
        (Kind.TABLE, "Year | Revenue\n2014 | 2.0\n2015 | 3.1", 1, 0),
        (Kind.HEADING, "2 Staff", 2, 1),
        (Kind.PARAGRAPH, "The company employs 420 people in Graz.", 2, 0),
        (Kind.FIGURE, "", 2, 0),
        (Kind.CAPTION, "Figure 1: Staff by site", 2, 0),
        (Kind.PARAGRAPH, "Wien 300", 3, 0),
        (Kind.LIST_ITEM, "Linz has 20 people.", 3, 0),
        (Kind.TABLE, "Site | People\nGraz | 420\nWien | 300", 3, 0),
    ],
    pages=4,
    name="report.pdf",
)
SITES = document(
    [
        (Kind.HEADING, "Sites", 1, 1),
        (Kind.PARAGRAPH, "The Annual report tells of people in Graz.", 1, 0),
        (Kind.PARAGRAPH, "People like Graz.", 2, 0),
    ],
    name="sites.pdf",
)
ASKED = (
    ("How many people does the company employ in Graz?", (REPORT, SITES)),
    ("What does Figure 1 on page 2 show?", (REPORT,)),
    ("How many tables are about revenue?", (REPORT,)),
)
REPLY = {
    "answerable": False,
    "answer": "",
    "value": "",
    "evidence": [],
    "missing": ["the people in Linz"],
    "blocks": ["r1"],
}
"""Of a reader that asks for more; with the blocks that an agent ends with."""


def every_system() -> list[System]:
    return [table[name] for table in (SYSTEMS, PAPER_PLANS, ABLATIONS) for name in table]


def drawn(_document: str, places: Sequence[Place]) -> list[Raster | None]:
    return [np.full((8, 8, 3), 255, np.uint8) for _ in places]


def run_with(model: ScriptedModel | None, view: View) -> Run:
    documents = view.documents
    run = Run(view, embedder=FakeEmbedder, query=Query(""))
    run.pictures = drawn
    if len(documents) > 1:
        ids = [one.id for one in documents]
        run.meant = MeantDocuments(
            rows={one: at for at, one in enumerate(ids)}, scores=-np.arange(len(ids), dtype=float)
        )
    if model is not None:
        run.judge = Judge({"language": model, "vision": model})
    return run


def test_every_operator_declares_its_columns() -> None:
    kinds = [kind for kind in OPERATORS.values() if issubclass(kind, Operator)]
    assert len(kinds) > 60
    left = [kind.__name__ for kind in kinds if kind.declares is UNDECLARED and kind.declared is Operator.declared]
    assert left == []


def test_operators_read_and_write_the_columns_that_they_declare() -> None:
    """By rule, and with a model whose replies fit the readers only, so that the rule takes all other decisions."""
    assert [kind.__name__ for kind in OPERATORS.values()]
    systems = every_system()
    asked = [(question, view_of(*documents)) for question, documents in ASKED]
    with pytest.MonkeyPatch.context() as patch:
        seen = watch(patch)
        for system in systems:
            for question, view in asked:
                for model in (None, ScriptedModel(lambda _: json.dumps(REPLY), sees=True)):
                    run_ask(system, Query(question, limit=2), run_with(model, view))
            for ranked in system.rankings():
                run_search(ranked, Query(ASKED[0][0], limit=2), run_with(None, asked[0][1]))
    assert sorted(seen.wrong) == []
    assert seen.never_read == {}
