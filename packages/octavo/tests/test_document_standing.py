"""How a document stands as a whole, and what its pages gain by it where several documents are asked."""

from __future__ import annotations

import pytest

from indexed import run_over
from octavo import systems
from octavo.evidence import Evidence, Query
from octavo.operators.keep import ranked_pages
from octavo.operators.score.fuse import STANDING, AddPageBonuses, DocumentScoreGap
from octavo_documents.document import Document, Kind
from synthetic import document

FERRIES = document([(Kind.PARAGRAPH, f"Ferries sail {page} times.", page, 0) for page in range(1, 6)], name="f.pdf")
BREAD = document([(Kind.PARAGRAPH, f"Bread is baked in oven {page}.", page, 0) for page in range(1, 3)], name="b.pdf")
SCORES = [1.0, 2.0, 3.0, 0.5, 0.5, 3.1, 0.2]
"""Of the five pages of the first document, then of the two of the second."""


def standing(**given: int) -> list[float]:
    run = run_over(FERRIES, BREAD)
    found = DocumentScoreGap("fused", **given)(Evidence.of(run.view, range(7), fused=SCORES), run)
    return found.scores[STANDING].tolist()


def test_a_document_stands_by_the_mean_of_its_best_pages_or_of_those_it_has() -> None:
    assert standing() == pytest.approx([0.0] * 5 + [-0.35] * 2)
    assert standing(pages=1) == pytest.approx([-0.1] * 5 + [0.0] * 2)


def test_a_page_among_good_ones_overtakes_a_better_one_that_stands_alone() -> None:
    run = run_over(FERRIES, BREAD, limit=7)
    given = Evidence.of(run.view, range(7), fused=SCORES)
    alone = AddPageBonuses("fused")(given, run)
    credited = AddPageBonuses("fused", bonuses=((STANDING, 0.6),))(DocumentScoreGap("fused")(given, run), run)
    assert ranked_pages(alone)[1][0] == 5
    assert ranked_pages(credited)[1][0] == 2


def test_over_several_documents_auto_goes_by_it_and_over_one_it_changes_nothing() -> None:
    def pages(name: str, *sources: Document) -> list[tuple[int, int]]:
        found = systems.run_search(systems.get(name), Query("How often do ferries sail?"), run_over(*sources))
        return [(hit.document, hit.page) for hit in found.evidence.pages(found.by)]

    assert pages("auto", FERRIES) == pages("auto-no-standing", FERRIES)
    assert pages("auto", FERRIES, BREAD)[0][0] == 0
