"""How a document stands as a whole, and what its pages gain by it where several documents are asked."""

from __future__ import annotations

import pytest

from indexed import run_over
from octavo import systems
from octavo.document import Document, Evidence, Kind, Query, Result
from octavo.operators.auto.document_standing import STANDING, DocumentStanding
from octavo.operators.core.plan_parser import read_plan
from octavo.operators.keep.pages import ranked_pages
from octavo.operators.score.add_page_bonuses import AddPageBonuses
from synthetic import document

FERRIES = document([(Kind.PARAGRAPH, f"Ferries sail {page} times.", page, 0) for page in range(1, 6)], name="f.pdf")
BREAD = document([(Kind.PARAGRAPH, f"Bread is baked in oven {page}.", page, 0) for page in range(1, 3)], name="b.pdf")
SCORES = [1.0, 2.0, 3.0, 0.5, 0.5, 3.1, 0.2]
"""Of the five pages of the first document, then of the two of the second."""


def standing(**given: int) -> list[float]:
    run = run_over(FERRIES, BREAD)
    found = DocumentStanding("fused", **given)(Evidence.of(run.view, range(7), fused=SCORES), run)
    return found.scores[STANDING].tolist()


def test_a_document_stands_by_the_mean_of_its_best_pages_or_of_those_it_has() -> None:
    assert standing() == pytest.approx([2.0] * 5 + [1.65] * 2)
    assert standing(pages=1) == pytest.approx([3.0] * 5 + [3.1] * 2)


def test_a_page_among_good_ones_overtakes_a_better_one_that_stands_alone() -> None:
    run = run_over(FERRIES, BREAD, limit=7)
    given = Evidence.of(run.view, range(7), fused=SCORES)
    alone = AddPageBonuses("fused")(given, run)
    credited = AddPageBonuses("fused", credits=((STANDING, 0.6),))(DocumentStanding("fused")(given, run), run)
    assert ranked_pages(alone)[1][0] == 5
    assert ranked_pages(credited)[1][0] == 2


def searched(name: str, *sources: Document) -> Result:
    run = run_over(*sources)
    return systems.run_search(systems.get(name), Query("How often do ferries sail?", limit=20), run)


def planned(result: Result) -> str:
    return str(next(step for step in result.trace if step.step == "Compose").parameters["planned"])


def test_auto_plans_it_where_several_documents_are_asked_and_only_there() -> None:
    assert "DocumentStanding(by='fused', pages=3)" in planned(searched("auto", FERRIES, BREAD))
    assert "DocumentStanding" not in planned(searched("auto", FERRIES))
    assert "DocumentStanding" not in planned(searched("auto-no-standing", FERRIES, BREAD))


def test_a_plan_with_it_reads_back() -> None:
    plan = planned(searched("auto", FERRIES, BREAD))
    assert repr(read_plan(plan)) == plan
