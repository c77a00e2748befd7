"""Asking on the page: the answer, the place it stands on, and what stays when the page is loaded again."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest
from PIL import Image

from browser.conftest import Server, Visit

SWELL = "What is the greatest swell height for landing at North Gut?"
STARTED = "When did observations start?"


def ask(page: Any, question: str) -> None:
    page.fill("#question", question)
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn-done:last-of-type .outcome")


def handbook(page: Any) -> str:
    return page.get_by_role("link", name=re.compile("handbook")).first.get_attribute("href")


def settled(page: Any) -> None:
    """Wait until the cited page is drawn and its marks stand still."""
    page.wait_for_selector(".marks .mark:not(.whole)")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.sheet:has(.mark) img')].some(one => one.complete && one.naturalWidth)"
    )
    page.wait_for_timeout(900)


def dark(page: Any, box: dict[str, float]) -> Any:
    """Return where print is dark in a part of the window, marks taken away."""
    page.evaluate("document.querySelectorAll('.ink').forEach(one => one.style.visibility = 'hidden')")
    picture = page.screenshot(clip=box)
    page.evaluate("document.querySelectorAll('.ink').forEach(one => one.style.visibility = '')")
    return np.asarray(Image.open(io.BytesIO(picture)).convert("L")) < 110


def test_an_answer_leads_to_its_words_on_the_page(server: Server, visit: Visit) -> None:
    page = visit(server)
    ask(page, SWELL)
    assert page.locator(".answer").inner_text().startswith("1.2")
    assert re.search(r"/a/[\w-]+$", page.url)
    page.locator(".numbers .num").first.click()
    settled(page)
    assert "/c/" in page.url
    assert page.locator("#page-field").input_value() == "28"
    assert "Swell height" in page.locator(".card.on mark").first.inner_text()


def test_the_marks_cover_the_dark_pixels_of_the_quote_within_two_pixels(server: Server, visit: Visit) -> None:
    page = visit(server)
    ask(page, SWELL)
    page.locator(".numbers .num").first.click()
    settled(page)
    marks = [one.bounding_box() for one in page.locator(".marks .mark").all()]
    left, top = min(one["x"] for one in marks), min(one["y"] for one in marks)
    right = max(one["x"] + one["width"] for one in marks)
    bottom = max(one["y"] + one["height"] for one in marks)
    around = {"x": left - 12, "y": top - 4, "width": right - left + 24, "height": bottom - top + 8}
    ink = dark(page, around)
    _, xs = np.nonzero(ink[6:-6])  # without the rules of the table above and below
    assert len(xs) > 100
    inside = np.zeros(ink.shape, bool)
    for one in marks:
        x, y = one["x"] - around["x"], one["y"] - around["y"]
        inside[max(0, int(y) - 2) : int(y + one["height"]) + 3, max(0, int(x) - 2) : int(x + one["width"]) + 3] = True
    words = ink[6:-6] & ~(ink[6:-6].mean(axis=0) > 0.8)[None, :]  # nor those between its columns
    assert not (words & ~inside[6:-6]).any()


def test_passages_look_different_from_an_answer_and_nothing_from_both(server: Server, visit: Visit) -> None:
    page = visit(server)
    ask(page, "Why was the limit for landing chosen?")
    assert "No sure short answer" in page.locator(".unsure").inner_text()
    assert not page.locator(".answer").count()
    page.locator(".card-place").last.click()
    settled(page)
    assert page.locator(".card").last.get_attribute("class").split().count("on") == 1


def test_a_conversation_is_there_after_a_reload_and_says_what_it_understood(server: Server, visit: Visit) -> None:
    page = visit(server)
    page.goto(server.origin + handbook(page))
    ask(page, SWELL)
    page.fill("#question", "And at South Slip?")
    page.keyboard.press("Enter")
    page.wait_for_selector(".understood")
    assert "South Slip" in page.locator(".understood").inner_text()
    page.reload()
    page.wait_for_function("() => document.querySelectorAll('.turn-done').length === 2")
    assert page.locator(".question").first.inner_text() == SWELL


def test_an_answer_on_flowing_text_is_marked_in_the_text(server: Server, visit: Visit) -> None:
    page = visit(server)
    ask(page, "When does the ferry leave South Haven on weekday mornings?")
    page.locator(".card-place").first.click()
    page.wait_for_selector(".typeset mark")
    assert "South Haven" in page.locator(".typeset mark").all_inner_texts()


def test_an_answer_is_copied_as_markdown_and_exported(server: Server, visit: Visit) -> None:
    page = visit(server, permissions=["clipboard-read", "clipboard-write"])
    ask(page, SWELL)
    page.get_by_role("button", name="Copy as Markdown").click()
    page.wait_for_selector(".toast[data-shown=true]")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert SWELL in copied
    assert f"]({server.origin}/c/" in copied


@pytest.mark.parametrize("width", [390])
def test_a_phone_shows_the_answer_first_and_the_page_as_a_sheet_over_it(
    server: Server, visit: Visit, width: int
) -> None:
    page = visit(server, viewport={"width": width, "height": 844}, has_touch=True)
    ask(page, SWELL)
    assert page.locator(".answer").is_visible()
    assert not page.locator(".desk").is_visible()
    page.locator(".numbers .num").first.tap()
    settled(page)
    mark = page.locator(".marks .mark").first.bounding_box()
    assert mark["x"] >= 0 and mark["x"] + mark["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Back to the answer").tap()
    page.wait_for_function("() => getComputedStyle(document.querySelector('.desk')).visibility === 'hidden'")


def test_the_keyboard_is_enough(server: Server, visit: Visit) -> None:
    page = visit(server)
    keys = page.keyboard
    page.wait_for_selector(".book")
    keys.press("/")
    keys.type(SWELL)
    keys.press("Enter")
    page.wait_for_selector(".turn-done")
    keys.press("Escape")
    keys.press("]")
    settled(page)
    keys.press("j")
    page.wait_for_function("() => document.querySelector('#page-field').value === '29'")
    assert page.url.endswith("/29")
    keys.press("g")
    keys.type("3")
    keys.press("Enter")
    page.wait_for_function("() => location.pathname.endsWith('/3')")
    keys.press("Escape")
    keys.press("?")
    page.get_by_role("dialog").wait_for()
    keys.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    keys.press("l")
    page.wait_for_selector(".blk")
    page.locator(".blk").first.focus()
    keys.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.at") == "1"
    assert page.locator(".blk-card").inner_text()
