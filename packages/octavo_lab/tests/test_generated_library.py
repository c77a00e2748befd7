"""The generated library: what it holds, the facts where it says they stand, and questions that contradict it."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import library_files
import library_plan
import library_texts
import pypdfium2
import pytest
from library_paths import Paths, file_format
from library_values import Values
from questions import check

SEED = 1


def drafts() -> list[library_texts.Draft]:
    values = Values(SEED)
    found = library_plan.plans(SEED)
    return [library_texts.draft(one, values, SEED, file_format=file_format(one, SEED)) for one in found]


def test_there_are_300_documents_of_30_issuers_each_at_a_path_of_its_own() -> None:
    plans = library_plan.plans(SEED)
    paths = Paths(SEED)
    found = {paths.of(plan, file_format(plan, SEED)) for plan in plans}
    assert len(found) == len(plans) == 300
    assert len({plan.issuer["name"] for plan in plans}) == 30
    names = Counter(path.rpartition("/")[2] for path in found)
    assert names["README.md"] > 5
    assert sum(count > 1 for count in names.values()) > 5


def test_a_figure_of_an_annual_report_is_nobody_elses() -> None:
    holders: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for draft in drafts():
        for fact in draft.facts:
            holders[fact.label, fact.value].add(draft.plan.issuer["key"])
    labels = ("revenue", "days payable outstanding", "capital expenditure", "headcount", "dividend per share")
    assert not [key for key, found in holders.items() if key[0] in labels and len(found) > 1]


def test_the_renamed_issuer_has_its_name_of_the_day() -> None:
    found = [draft for draft in drafts() if draft.plan.issuer["key"] == "sarvena"]
    names = {library_plan.name_at(draft.plan.issuer, draft.plan.date) for draft in found}
    assert names == {"Sarvena, Inc.", "Tollgate Payments, Inc."}
    texts = [" ".join(block.text for block in draft.blocks) for draft in found if draft.plan.date.year < 2021]
    assert not [text for text in texts if "Sarvena" in text]


def test_no_place_in_the_wording_is_left_open() -> None:
    for draft in drafts():
        assert not [block.text for block in draft.blocks if "{" in block.text or ".." in block.text], draft.title


@pytest.mark.parametrize("extension", ["pdf", "docx", "html"])
def test_a_file_is_the_same_each_time_and_has_its_facts_where_they_are_said_to_stand(
    tmp_path: Path, extension: str
) -> None:
    plan = next(plan for plan in library_plan.plans(SEED) if file_format(plan, SEED) == extension)
    files = [tmp_path / f"{name}.{extension}" for name in ("one", "other")]
    for file in files:
        draft = library_texts.draft(plan, Values(SEED), SEED, file_format=extension)
        pages = library_files.write(draft, file, SEED)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert draft.facts
    if extension == "pdf":
        with pypdfium2.PdfDocument(files[0]) as document:
            texts = [page.get_textpage().get_text_range() for page in document]
        assert len(texts) == pages
        assert all(fact.page and fact.value in texts[fact.page - 1] for fact in draft.facts)


def document(path: str, issuer: str, revenue: str, page: int) -> dict[str, Any]:
    texts = dict.fromkeys(("title", "kind", "period", "written_period", "period_end", "version", "about"))
    fact = {"label": "revenue", "value": revenue, "written": f"${revenue} million", "page": page}
    named = {"issuer": issuer, "name_used": issuer, "short": [issuer.split()[0]], "parties": [], "date": "2021-03-12"}
    return {"path": path, **texts, **named, "pages": 2, "facts": [fact]}


LIBRARY = {"documents": [document("a.pdf", "Harbor, Inc.", "1,284.6", 2), document("b.pdf", "Crest Co.", "97.0", 1)]}
RIGHT = {"question": "q", "answers": ["$1,284.6 million"], "documents": ["a.pdf"], "match": "any", "kind": "name"}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"answers": ["1284.6"], "pages": {"a.pdf": [2]}},
        {"answers": ["12 March 2021"]},
        {"answers": ["Harbor"], "documents": ["a.pdf", "b.pdf"], "match": "all", "kind": "comparison"},
        {"answers": ["$1,187.6 million"], "note": "computed: the difference"},
        {"answers": [], "documents": [], "kind": "none"},
    ],
)
def test_a_question_that_the_library_answers_so_is_not_complained_of(changed: dict[str, Any]) -> None:
    assert check([RIGHT | changed], LIBRARY) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"documents": ["c.pdf"]}, "no document 'c.pdf'"),
        ({"answers": ["97.0"]}, "none of its documents states '97.0'"),
        ({"documents": ["a.pdf", "b.pdf"]}, "'b.pdf' states no answer"),
        ({"pages": {"a.pdf": [1]}}, "stands on [2]"),
        ({"pages": {"a.pdf": [3]}}, "has no page 3"),
        ({"kind": "odd"}, "kind 'odd'"),
        ({"answers": ["1,284.6"], "kind": "none"}, "nothing in the library answers it"),
        ({"match": "some"}, "not any or all"),
        ({"answers": []}, "has no answer"),
    ],
)
def test_a_question_that_contradicts_the_library_is_named(changed: dict[str, Any], said: str) -> None:
    found = check([RIGHT, RIGHT | changed | {"question": "other"}], LIBRARY)
    assert found
    assert all(line.startswith("2: ") for line in found)
    assert any(said in line for line in found)
