"""Conversations before, settings, what is printed, and a page without a mouse, a big screen or one's eyes."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import Server, Visit
from browser.test_answers import SWELL, ask, handbook
from browser.test_find_bar import DRAWN
from browser.test_quality import AXE, violations


def seen(page: Any) -> list[str]:
    return violations(page) if AXE.exists() else []


@pytest.mark.parametrize("width", [1440, 390])
def test_conversations_are_found_named_and_deleted(own: Server, visit: Visit, width: int) -> None:
    page = visit(own, viewport={"width": width, "height": 900}, reduced_motion="reduce")
    page.wait_for_selector(".book")
    ask(page, SWELL)
    page.get_by_role("button", name="New").click()
    page.get_by_label("Conversations before").click()
    page.wait_for_selector(".history-row")
    assert seen(page) == []
    row = page.locator(".history li").first
    row.get_by_title("Name").click()
    page.keyboard.type(f"Landing {width}")
    page.keyboard.press("Enter")
    page.get_by_role("button", name=f"Landing {width}").first.wait_for()
    page.fill("#history-find", f"landing {width}")
    page.wait_for_function("() => document.querySelectorAll('.history li').length === 1")
    page.locator(".history-row").click()
    page.wait_for_selector(f".turn-done:has-text('{SWELL}')")
    page.get_by_label("Conversations before").click()
    page.get_by_label(f"Delete Landing {width}").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.get_by_label(f"Delete Landing {width}").wait_for(state="detached")
    assert page.locator(".turn").count() == 0


def test_settings_are_in_sight_and_letters_are_switched_off(server: Server, visit: Visit) -> None:
    page = visit(server, reduced_motion="reduce")
    page.wait_for_selector(".book")
    page.get_by_label("Settings").click()
    page.get_by_label("Dark").check()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert seen(page) == []
    page.select_option("#system", "bm25")
    page.get_by_label("Single letters are shortcuts").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") != "question"
    assert page.locator("dialog[open]").count() == 0
    with page.expect_request("**/v1/ask") as asked:
        page.fill("#question", SWELL)
        page.keyboard.press("Enter")
    assert asked.value.post_data_json["system"] == "bm25"


def test_the_document_is_printed_and_not_the_conversation(server: Server, visit: Visit) -> None:
    page = visit(server, reduced_motion="reduce")
    page.wait_for_selector(".book")
    at = handbook(page)
    ask(page, SWELL)
    page.goto(server.origin + at)
    page.wait_for_function(DRAWN)
    page.evaluate("window.print = () => { window.printed = document.querySelectorAll('.print-sheets img').length; }")
    page.get_by_label("More about this document").first.click()
    page.get_by_role("menuitem", name="Print").click()
    assert seen(page) == []
    page.fill("#print-from", "3")
    page.fill("#print-to", "5")
    page.get_by_role("button", name="Print 3 pages").click()
    page.wait_for_function("() => window.printed === 3")
    page.emulate_media(media="print")
    assert page.locator(".talk").is_hidden()
    assert page.locator(".print-sheets img").first.is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.wait_for_selector(".print-sheets", state="detached")
    page.locator(".desk").wait_for(state="visible")
    assert page.locator(".talk").is_hidden()


def test_the_keyboard_skips_and_a_reader_hears_the_page(server: Server, visit: Visit) -> None:
    page = visit(server, viewport={"width": 390, "height": 800}, reduced_motion="reduce")
    page.wait_for_selector(".book")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "question"
    page.goto(server.origin + handbook(page) + "/28")
    page.wait_for_function("() => document.querySelector('.sheet[data-page=\"28\"] .text-layer span')")
    told = page.locator(".sheet[data-page='28']").aria_snapshot()
    assert "Swell" in told


def test_on_a_phone_the_field_lets_go_and_folds(server: Server, visit: Visit) -> None:
    page = visit(server, viewport={"width": 390, "height": 800}, has_touch=True, reduced_motion="reduce")
    page.wait_for_selector(".book")
    assert page.locator(".ask-told").is_hidden()
    page.locator("#question").tap()
    assert page.locator(".scope .chip").first.is_visible()
    ask(page, SWELL)
    assert page.evaluate("document.activeElement.id") != "question"


def test_chosen_things_show_where_the_system_has_colours_of_its_own(server: Server, visit: Visit) -> None:
    page = visit(server, forced_colors="active", reduced_motion="reduce")
    page.wait_for_selector(".book")
    page.goto(server.origin + handbook(page))
    page.wait_for_function(DRAWN)
    style = page.evaluate("getComputedStyle(document.querySelector('.doc.on')).outlineStyle")
    assert style == "solid"
