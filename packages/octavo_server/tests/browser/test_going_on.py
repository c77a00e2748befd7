"""What goes wrong on the way to an answer is in sight, and the page goes on from there."""

from __future__ import annotations

import re
from typing import Any

import pytest

from browser.conftest import Server, Visit
from browser.test_answers import SWELL, ask, settled

FAILURE = {"title": "Bad Gateway", "status": 502, "reason": "model", "detail": "The model sent nothing."}


def in_sight(page: Any, selector: str) -> bool:
    box, pane = page.locator(selector).last.bounding_box(), page.locator(".flow").bounding_box()
    return pane["y"] <= box["y"] and box["y"] + min(box["height"], 60) <= pane["y"] + pane["height"]


@pytest.mark.parametrize("width", [390, 1440])
def test_a_follow_up_that_fails_is_in_sight_and_can_be_asked_again(server: Server, visit: Visit, width: int) -> None:
    page = visit(server, viewport={"width": width, "height": 844}, expects="502", reduced_motion="reduce")
    ask(page, SWELL)
    page.route("**/v1/ask", lambda route: route.fulfill(status=502, json=FAILURE), times=1)
    follow_up = "And at South Slip?"
    page.fill("#question", follow_up)
    page.keyboard.press("Enter")
    page.wait_for_selector(".failed-told[role=alert]")
    assert in_sight(page, ".failed-told")
    assert page.locator("#question").input_value() == follow_up
    page.get_by_role("button", name="Try again").click()
    page.wait_for_function("() => document.querySelectorAll('.turn-done').length === 2")
    assert page.locator("#question").input_value() == ""
    assert page.locator(".question").all_inner_texts() == [SWELL, follow_up]


def test_a_follow_up_that_is_stopped_is_in_sight_and_not_asked_twice(server: Server, visit: Visit) -> None:
    page = visit(server, reduced_motion="reduce")
    ask(page, SWELL)
    page.route("**/v1/ask", lambda route: None)
    page.fill("#question", "And at South Slip?")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".stopped[role=status]")
    assert in_sight(page, ".stopped")
    assert page.locator("#question").input_value() == "And at South Slip?"
    page.unroute_all(behavior="ignoreErrors")
    page.focus("#question")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.turn-done').length === 2")
    assert page.locator(".turn").count() == 2


def test_a_question_that_was_cut_off_is_asked_again_by_itself(server: Server, visit: Visit) -> None:
    page = visit(server)
    body = 'event: step\ndata: {"step":"Read","told":"Read 8 pages","seconds":0.1}\n\n'
    page.wait_for_selector(".book")
    page.route("**/v1/ask", lambda route: route.fulfill(body=body, content_type="text/event-stream"), times=1)
    page.fill("#question", SWELL)
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn-done")
    assert page.locator(".answer").inner_text().startswith("1.2")
    assert page.locator(".turn").count() == 1


def test_pages_that_could_not_come_in_do_when_the_server_is_back(server: Server, visit: Visit) -> None:
    page = visit(server, expects="Failed to load")
    ask(page, SWELL)
    page.wait_for_selector(".marks .mark")
    page.route("**/v1/**", lambda route: route.abort("connectionrefused"))
    page.fill("#page-field", "40")
    page.press("#page-field", "Enter")
    page.wait_for_selector(".banner")
    page.unroute_all(behavior="ignoreErrors")
    page.wait_for_selector(".banner", state="detached")
    page.wait_for_selector(".toast:has-text('The server is back.')")
    page.wait_for_selector(".sheet[data-page='40'] .picture")
    assert not page.locator(".sheet-trouble").count()


def test_a_key_that_is_no_longer_valid_leads_to_the_server_with_the_question_kept(server: Server, visit: Visit) -> None:
    page = visit(server, expects="401")
    page.wait_for_selector(".book")
    refused = {"title": "Unauthorized", "status": 401, "reason": "unauthorised", "detail": "No key."}
    page.route("**/v1/ask", lambda route: route.fulfill(status=401, json=refused), times=1)
    page.fill("#question", SWELL)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_selector(".ready .book")
    assert page.locator("#question").input_value() == SWELL


def test_a_key_that_ended_while_the_server_was_away_is_noticed(server: Server, visit: Visit) -> None:
    page = visit(server, expects="Failed to load")
    page.wait_for_selector(".book")
    page.route("**/v1/**", lambda route: route.abort("connectionrefused"))
    page.fill("#find", "ferry")
    page.wait_for_selector(".banner")
    page.context.clear_cookies()
    with page.expect_navigation():
        page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("heading", name=re.compile("does not know this browser")).wait_for()


def test_a_cited_place_is_reached_though_the_pages_change_their_size_on_the_way(server: Server, visit: Visit) -> None:
    """A smooth way ends where the place was when it began: pages that come in meanwhile move it."""
    page = visit(server, viewport={"width": 390, "height": 844}, has_touch=True)
    ask(page, SWELL)
    page.locator(".numbers .num").first.tap()
    settled(page)
    page.evaluate("document.querySelector('.pages').scrollTop -= 300")
    page.get_by_role("button", name="Back to the answer").tap()
    page.wait_for_function("() => getComputedStyle(document.querySelector('.desk')).visibility === 'hidden'")
    page.locator(".numbers .num").first.tap()
    page.set_viewport_size({"width": 420, "height": 844})
    page.wait_for_function(
        """() => {
            const mark = document.querySelector('.marks .mark'), box = mark && mark.getBoundingClientRect()
            return box && box.top > 60 && box.bottom < innerHeight
        }"""
    )


def test_who_signs_out_needs_the_link_again_and_leaves_nothing_in_the_tab(own: Server, visit: Visit) -> None:
    page = visit(own, expects="401")
    ask(page, SWELL)
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/sign-in")
    assert page.locator("input[name=key]").is_visible()
    assert page.evaluate("() => Object.keys(sessionStorage)") == []
    assert page.request.get(f"{own.origin}/v1/status").status == 401
    page.goto(own.origin)
    assert "does not know this browser" in page.locator("body").inner_text()
    page.goto(own.link)
    page.wait_for_selector("#question")


def test_a_document_that_others_removed_leaves_the_scope_and_the_page_says_so(own: Server, visit: Visit) -> None:
    page = visit(own, expects="404")
    page.locator(".docs").get_by_text("ferry", exact=False).first.click()
    page.wait_for_function("() => document.querySelector('#question').placeholder !== 'Ask about all documents'")
    listed = page.request.get(f"{own.origin}/v1/documents").json()["items"]
    [ferry] = [one["id"] for one in listed if one["name"] == "ferry.html"]
    page.request.delete(f"{own.origin}/v1/documents/{ferry}", headers={"Origin": own.origin})
    page.fill("#question", SWELL)
    page.keyboard.press("Enter")
    page.wait_for_selector(".failed-told[role=alert]")
    told = page.locator(".failed-told").inner_text()
    assert "No longer in the library" in told
    assert "all documents" in told
    assert page.locator("#question").input_value() == SWELL
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector(".turn-done")
