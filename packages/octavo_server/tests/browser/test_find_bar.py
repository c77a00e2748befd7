"""Find in the open document and in all, with the keyboard alone; small pictures of pages."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import Server, Visit
from browser.test_answers import handbook
from browser.test_quality import AXE, violations

DRAWN = "() => [...document.querySelectorAll('.sheet img')].some(one => one.complete && one.naturalWidth)"
WIDTHS = pytest.mark.parametrize("width", [1440, 390])


def found_here(page: Any, text: str) -> None:
    page.keyboard.press("Control+f")
    page.wait_for_function("() => document.activeElement.id === 'find-here'")
    page.keyboard.type(text)


@WIDTHS
def test_hits_are_stepped_through_and_marked_on_their_pages(server: Server, visit: Visit, width: int) -> None:
    page = visit(server, viewport={"width": width, "height": 900}, reduced_motion="reduce")
    page.wait_for_selector(".book")
    page.goto(server.origin + handbook(page) + "/5")
    page.wait_for_function(DRAWN)
    found_here(page, "swell")
    page.wait_for_selector(".ink.found rect.now")
    first = page.inner_text(".find-told")
    page.keyboard.press("Enter")
    page.wait_for_function("first => document.querySelector('.find-told').textContent !== first", arg=first)
    page.keyboard.press("Shift+Enter")
    page.wait_for_function("first => document.querySelector('.find-told').textContent === first", arg=first)
    page.wait_for_selector(".ink.found rect.now")
    shown = page.evaluate(
        """() => {
          const hit = document.querySelector('.ink.found rect.now').getBoundingClientRect();
          const room = document.querySelector('.desk-scroll').getBoundingClientRect();
          return hit.top >= room.top && hit.bottom <= room.bottom && hit.width > 4;
        }"""
    )
    assert shown
    if AXE.exists():
        assert violations(page) == []
    page.keyboard.press("Escape")
    page.wait_for_selector(".find-bar", state="detached")


def test_what_stands_nowhere_is_said(server: Server, visit: Visit) -> None:
    page = visit(server)
    page.wait_for_selector(".book")
    page.goto(server.origin + handbook(page))
    page.wait_for_function(DRAWN)
    found_here(page, "zxqv")
    page.wait_for_selector("text=Not in this document")
    page.keyboard.press("Control+a")
    page.keyboard.type("helipad")
    page.wait_for_selector(".hit-row mark")


def test_all_documents_are_searched_by_text_and_title(server: Server, visit: Visit) -> None:
    page = visit(server, reduced_motion="reduce")
    page.wait_for_selector(".book")
    page.keyboard.press("f")
    page.wait_for_function("() => document.activeElement.id === 'find'")
    page.keyboard.type("helipad")
    page.wait_for_selector(".found-in .hit-row")
    if AXE.exists():
        assert violations(page) == []
    page.locator(".found-in .hit-row").first.click()
    page.wait_for_selector(".ink.found rect.now")
    assert page.input_value("#find-here") == "helipad"
    page.fill("#find", "zxqv")
    page.wait_for_selector("text=stands in none of the")


def test_small_pictures_lead_to_their_pages(server: Server, visit: Visit) -> None:
    page = visit(server, reduced_motion="reduce")
    page.wait_for_selector(".book")
    page.goto(server.origin + handbook(page))
    page.wait_for_function(DRAWN)
    page.keyboard.press("t")
    page.wait_for_selector(".thumb")
    page.locator(".thumb[data-page='4']").click()
    page.wait_for_selector(".thumb[data-page='4'][aria-current]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(".thumb[data-page='5'][aria-current]")
    if AXE.exists():
        assert violations(page) == []
