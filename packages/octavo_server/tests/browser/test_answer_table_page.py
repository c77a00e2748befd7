"""Tables of answers in the page: filled, looked into, corrected, saved, on a wide screen and on a phone."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import Server, Visit
from browser.test_quality import AXE, violations

QUESTIONS = "What is the greatest swell height for landing at North Gut?\nWho rings the cathedral bell?"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def filled(page: Any) -> None:
    """Write the questions and fill the table."""
    page.get_by_label("Questions, one a line").fill(QUESTIONS)
    page.get_by_role("button", name="Fill the table").click()
    page.locator(".answers td .cell").nth(3).wait_for()
    page.get_by_role("button", name="Fill the table").wait_for()


def kept(page: Any, name: str) -> None:
    """Keep a picture for people who look, where they say where."""
    if folder := os.environ.get("OCTAVO_TABLE_PICTURES"):
        page.screenshot(path=f"{folder}/{name}.png")


def test_a_table_is_filled_looked_into_and_corrected(own: Server, visit: Visit) -> None:
    page = visit(own)
    page.get_by_role("link", name="Table of answers").click()
    page.wait_for_url("**/t")
    filled(page)
    kept(page, "table-1440")
    assert page.locator(".answers tbody tr").count() == 2
    answer = page.locator(".answers td.is-answer .cell").first
    assert "1.2 m" in answer.inner_text()
    answer.click()
    dialog = page.get_by_role("dialog")
    assert dialog.locator(".cell-quote").first.inner_text()
    kept(page, "cell-1440")
    dialog.get_by_label("What is to stand here").fill("1.25 m")
    dialog.get_by_role("button", name="Keep").click()
    page.locator(".by-hand").wait_for()
    page.reload()
    page.locator(".by-hand .cell", has_text="1.25 m").wait_for()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the table").click()
        page.get_by_role("menuitem", name="JSON").click()
    told = json.loads(Path(saved.value.path()).read_text())
    assert [cell["text"] for row in told["rows"] for cell in row["cells"] if cell["by"] == "hand"] == ["1.25 m"]
    page.locator(".by-hand .cell").click()
    dialog.get_by_role("button", name="Take it back").click()
    page.locator(".is-answer .cell", has_text="1.2 m").first.click()
    dialog.get_by_role("link").first.click()
    page.wait_for_url("**/c/*")
    page.locator(".sheet").first.wait_for()


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (npm ci in web/)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("how", [{"viewport": {"width": 1280, "height": 800}}, PHONE], ids=["1280", "390"])
def test_anybody_can_use_it(server: Server, visit: Visit, how: dict[str, Any], scheme: str) -> None:
    page = visit(server, "/t", color_scheme=scheme, reduced_motion="reduce", **how)
    page.get_by_label("Questions, one a line").wait_for()
    filled(page)
    for cell in page.locator(".answers td.is-passages .cell").all():  # the likeliest words are seen without a click
        assert cell.locator(".cell-first").inner_text()
    width = page.viewport_size["width"]
    kept(page, f"table-{width}-{scheme}")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".answers .cell").first.click()
    page.get_by_role("dialog").wait_for()
    kept(page, f"cell-{width}-{scheme}")
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    page.wait_for_function("document.activeElement.className === 'cell'")


def test_what_is_asked_is_filtered_by_what_it_is_about(own: Server, visit: Visit) -> None:
    page = visit(own, "/t", expects="422")
    page.get_by_label("Questions, one a line").fill(QUESTIONS)
    page.get_by_role("button", name="Asked of all documents").click()
    dialog = page.get_by_role("dialog")
    field = dialog.get_by_label("Only where")
    field.fill("typ = handbook")
    dialog.get_by_text("did you mean").wait_for()
    assert dialog.get_by_role("button", name="Ask").last.is_disabled()
    field.fill("type = handbook")
    kept(page, "where-1440")
    dialog.get_by_role("button", name="Ask the 1 document that fits").click()
    page.get_by_role("button", name="Fill the table").click()
    page.locator(".answers tbody tr").nth(1).wait_for(state="detached")  # of what was filled without the filter before
    page.locator(".answers td.is-answer .cell", has_text="1.2 m").wait_for()
    assert page.locator(".answers tbody tr").count() == 1
    page.goto(own.origin)
    page.get_by_text("where type = handbook").wait_for()
    page.get_by_role("button", name="Ask without the filter").click()
    assert page.get_by_text("where type = handbook").count() == 0
