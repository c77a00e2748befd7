"""Files on the page: adding, failing, cancelling, removing; and what is read without scripts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from browser.conftest import EXAMPLES, Server, Visit
from browser.test_answers import SWELL, ask, handbook


def test_a_file_is_read_page_by_page_also_when_the_page_is_loaded_again(
    fresh: Server, visit: Visit, tmp_path: Path
) -> None:
    copy = tmp_path / "second handbook.pdf"
    copy.write_bytes((EXAMPLES / "handbook.pdf").read_bytes() + b"\n%% another\n")
    page = visit(fresh)
    page.set_input_files("input[type=file]", copy)
    page.wait_for_selector(".adding :text-matches('page \\\\d+ of 44')")
    page.reload()
    page.wait_for_selector(".adding progress")
    page.wait_for_selector(".doc:has-text('second handbook.pdf')", timeout=60_000)
    assert not page.locator(".adding").count()


def test_an_empty_library_offers_an_example_and_questions_on_it(empty: Server, visit: Visit) -> None:
    page = visit(empty)
    page.get_by_role("button", name="Try it with the example handbook").click()
    page.wait_for_selector(".suggestion", timeout=60_000)
    page.locator(".suggestion", has_text="diesels").click()
    page.wait_for_selector(".turn-done")
    assert page.locator(".answer").inner_text().startswith("35 per cent")


def test_a_broken_file_says_why_and_what_to_do(fresh: Server, visit: Visit, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"this was never a PDF")
    page = visit(fresh)
    page.set_input_files("input[type=file]", broken)
    told = page.locator(".adding .failed .adding-told")
    told.wait_for(timeout=30_000)
    assert "Not a PDF" in told.inner_text()
    assert "Save it" in told.inner_text()
    page.get_by_role("button", name="Dismiss broken.pdf").click()
    page.wait_for_selector(".adding", state="detached")
    page.reload()
    page.wait_for_selector(".book")
    assert not page.locator(".adding").count()


def test_a_document_is_removed_only_when_that_is_confirmed(fresh: Server, visit: Visit) -> None:
    page = visit(fresh)
    page.locator(".doc-row", has_text="ferry.html").hover()
    page.get_by_role("button", name="More about ferry.html").click()
    page.get_by_role("menuitem", name="Remove…").click()
    page.get_by_role("button", name="Keep it").click()
    assert page.locator(".doc", has_text="ferry.html").count() == 1
    page.locator(".doc-row", has_text="ferry.html").hover()
    page.get_by_role("button", name="More about ferry.html").click()
    page.get_by_role("menuitem", name="Remove…").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    page.wait_for_selector(".doc:has-text('ferry.html')", state="detached")


def test_every_permalink_can_be_read_without_scripts(server: Server, visit: Visit) -> None:
    page = visit(server)
    ask(page, SWELL)
    answer, citation = page.url, page.locator(".numbers .num").first.get_attribute("href")
    plain = visit(server, "/", java_script_enabled=False)
    assert plain.get_by_role("link", name=re.compile("handbook.pdf")).first.is_visible()
    plain.goto(answer)
    assert plain.locator(".answer").inner_text().startswith("1.2")
    assert plain.locator(".mark").count() > 0
    plain.goto(server.origin + citation)
    assert "North Gut" in plain.locator(".page-text table").first.inner_text()
    plain.goto(f"{server.origin}{handbook(page)}/7")
    assert plain.get_by_role("heading", name="1.1 Site").is_visible()
    assert plain.get_by_role("link", name="Next page").is_visible()
    plain.fill("#question", SWELL)
    plain.get_by_role("button", name="Ask").click()
    plain.wait_for_url(re.compile("/a/"))
    assert plain.locator(".question").inner_text() == SWELL


def test_what_is_gone_says_so(server: Server, visit: Visit) -> None:
    page = visit(server, expects="404")
    for path in ("/d/0123456789abcdef/3", "/a/nothing", "/c/0123456789abcdef-0-0-0-00000000"):
        page.goto(server.origin + path)
        assert page.get_by_role("heading", name="Not in the library").is_visible()
        assert page.get_by_role("link", name="Back to the library").is_visible()


def test_the_server_going_away_is_said_with_the_mend(server: Server, visit: Visit) -> None:
    page = visit(server, expects="Failed to load")
    page.wait_for_selector(".book")

    def lost(route: Any) -> None:
        route.abort("connectionrefused")

    page.route("**/v1/**", lost)
    page.fill("#question", SWELL)
    page.keyboard.press("Enter")
    page.wait_for_selector(".banner")
    assert "octavo serve" in page.locator(".banner").inner_text()
    page.unroute("**/v1/**")
    page.wait_for_selector(".banner", state="detached")
    page.get_by_role("button", name="Ask again").click()
    page.wait_for_selector(".turn-done")


def test_a_busy_server_is_asked_again(server: Server, visit: Visit) -> None:
    page = visit(server, expects="503")
    busy = {"title": "Busy", "status": 503, "reason": "busy", "detail": "The server has as much to do as it takes."}
    page.wait_for_selector(".book")
    page.route("**/v1/ask", lambda route: route.fulfill(status=503, json=busy, headers={"Retry-After": "1"}), times=1)
    page.fill("#question", SWELL)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=The server is busy")
    page.wait_for_selector(".turn-done")


def test_a_model_that_fails_while_it_writes_is_told(server: Server, visit: Visit) -> None:
    page = visit(server)
    page.wait_for_selector(".book")
    body = (
        'event: step\ndata: {"step":"Read","told":"Read 8 pages","seconds":0.1}\n\n: waiting\n\n'
        'event: token\ndata: {"text":"It is 1."}\n\n'
        'event: error\ndata: {"title":"Bad Gateway","status":502,"reason":"model","detail":"It sent no more."}\n\n'
    )
    page.route("**/v1/ask", lambda route: route.fulfill(body=body, content_type="text/event-stream"))
    page.fill("#question", SWELL)
    page.keyboard.press("Enter")
    page.wait_for_selector("text=It sent no more.")
    assert page.get_by_role("button", name="Ask again").is_visible()
