"""The page says which documents were looked into first, and one click asks others; its list says what each is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from browser.conftest import Server, Visit, indexed, serving
from browser.test_answers import ask
from browser.test_quality import AXE, violations
from two_ferries import FILES, QUESTION, written

REPORT = "norwick_annual_report_2021.md"
TOLD = f"Looked first in {REPORT}, for “Norwick Ferries” and 2021"


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("ferries")
    with serving(indexed(folder / "corpus", written(folder / "files"))) as running:
        yield running


def asked_again(page: Any, count: int = 2) -> Any:
    """Return the last turn once there are `count` with an answer."""
    page.wait_for_selector(f".turn-done >> nth={count - 1}")
    return page.locator(".turn").last


def test_one_click_asks_only_the_document_that_was_looked_into_first(ferries: Server, visit: Visit) -> None:
    page = visit(ferries)
    ask(page, QUESTION)
    line = page.locator(".preferred")
    assert line.inner_text() == f"{TOLD} · ask the others · ask only this one"
    line.get_by_role("button", name="ask only this one").click()
    turn = asked_again(page)
    assert turn.locator(".question").inner_text() == QUESTION
    assert turn.locator(".asked-in").inner_text() == "Asked in Annual report 2021"
    assert turn.locator(".answer").inner_text().startswith("41.5")
    assert turn.locator(".preferred").count() == 0, "of one document none is preferred"
    assert page.locator(".chip[aria-pressed=true]").inner_text() == "Annual report 2021"


@pytest.mark.parametrize("width", [390, 1280])
def test_one_press_of_a_key_asks_the_others(ferries: Server, visit: Visit, width: int) -> None:
    page = visit(ferries, viewport={"width": width, "height": 844}, reduced_motion="reduce")
    ask(page, QUESTION)
    button = page.get_by_role("button", name="ask the others")
    button.focus()
    with page.expect_request("**/v1/ask") as sent:
        page.keyboard.press("Enter")
    assert len(sent.value.post_data_json["documents"]) == len(FILES) - 1
    turn = asked_again(page)
    assert turn.locator(".asked-in").inner_text() == f"Asked in {len(FILES) - 1} documents"
    assert REPORT not in turn.locator(".cards").inner_text()
    box, pane = page.locator(".preferred").first.bounding_box(), page.locator(".flow").bounding_box()
    assert box["width"] <= pane["width"]


def test_of_chosen_documents_the_others_are_those_that_were_chosen(ferries: Server, visit: Visit) -> None:
    page = visit(ferries)
    page.get_by_role("button", name="Choose…").click()
    for name in ("norwick_annual_report_2021", "norwick_annual_report_2022", "harbor_annual"):
        page.locator(".choices label", has_text=name).locator("input").check()
    page.get_by_role("button", name="Ask 3 documents").click()
    ask(page, QUESTION)
    page.get_by_role("button", name="ask the others").click()
    assert asked_again(page).locator(".asked-in").inner_text() == "Asked in 2 documents"


def test_of_more_documents_than_a_question_may_name_those_to_ask_are_chosen(ferries: Server, visit: Visit) -> None:
    page = visit(ferries)

    def many(route: Any) -> None:
        told = route.fetch()
        route.fulfill(response=told, json={**told.json(), "documents": 5000})

    page.route("**/v1/status", many)
    page.fill("#find", "annual")
    page.wait_for_selector(".count:has-text('of 5,000')")
    ask(page, QUESTION)
    page.get_by_role("button", name="ask the others").click()
    page.locator(".choices label", has_text="harbor_annual").locator("input").check()
    page.locator("dialog .ask-go").click()
    turn = asked_again(page)
    assert turn.locator(".question").inner_text() == QUESTION
    assert "12.75" in turn.locator(".outcome").inner_text()


def test_the_steps_begin_with_what_was_preferred(ferries: Server, visit: Visit) -> None:
    page = visit(ferries)
    ask(page, QUESTION)
    page.get_by_text("How this was found").click()
    assert page.locator(".fold .steps li").first.inner_text() == TOLD.replace("Looked first in", "Preferred")


def test_a_name_that_no_document_is_about_prefers_none(ferries: Server, visit: Visit) -> None:
    page = visit(ferries)
    ask(page, "What was the revenue of Tesla in 2021?")
    assert page.locator(".preferred").count() == 0
    assert "“Tesla”" in page.locator(".lead").inner_text()


def test_the_list_says_who_issued_a_document_its_kind_and_its_period(ferries: Server, visit: Visit) -> None:
    page = visit(ferries)
    row = page.locator(".doc", has_text="norwick_annual_report_2022")
    assert re.split(r"\s*\n\s*", row.inner_text()) == [
        "Annual report 2022",
        "text",
        "Norwick Ferries plc",
        "annual report · 2022",
        "norwick_annual_report_2022.md",
    ]
    name, about, file = (row.locator(one).bounding_box() for one in (".doc-name", ".doc-about", ".doc-file"))
    assert name["y"] < about["y"] < file["y"]


def test_documents_of_one_name_or_title_are_told_apart(ferries: Server, visit: Visit) -> None:
    page = visit(ferries)
    assert {"Harbor/README.md", "Manuals/README.md", "Norwick/README.md"} <= {
        *page.locator(".book-file").all_inner_texts()
    } | {*page.locator(".book-name").all_inner_texts()}
    ask(page, "What was the revenue in 2021?")
    heads = page.locator(".card-place").all_inner_texts()
    assert any(head.startswith(REPORT) for head in heads), f"two are called Annual report 2021: {heads}"
    ask(page, "Where are the papers of the Harbor office kept?")
    heads = page.locator(".turn").last.locator(".card-place").all_inner_texts()
    assert len(heads) == len({*heads}) > 1


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (npm ci in web/)")
@pytest.mark.parametrize("how", [{"color_scheme": "dark"}, {"forced_colors": "active"}], ids=["dark", "forced"])
def test_it_can_be_read_in_the_dark_and_in_few_colours(ferries: Server, visit: Visit, how: dict[str, str]) -> None:
    page = visit(ferries, reduced_motion="reduce", **how)
    ask(page, QUESTION)
    page.locator(".preferred").scroll_into_view_if_needed()
    assert violations(page) == []
