"""The page of the API: each route to read, and sent from its form with what the browser may do."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import Server, Visit
from browser.test_quality import AXE, violations
from octavo_server.api import ROUTES


def opened(page: Any, name: str) -> Any:
    """Return the form of a route, opened."""
    route = page.locator(f"#{name}")
    if route.get_attribute("open") is None:
        route.locator("summary").click()
    return route


def test_every_route_stands_there_and_can_be_sent(server: Server, visit: Visit) -> None:
    page = visit(server, "/api", expects="422 (Unprocessable")
    assert page.locator("details.route").count() == len(ROUTES)
    route = opened(page, "list_documents")
    route.locator("input[name=limit]").fill("1")
    route.get_by_role("button", name="Send").click()
    route.locator(".state", has_text="200").wait_for()
    route.locator(".came pre", has_text='"total": 2').wait_for()  # the text comes after the state
    assert "limit=1" in route.locator(".line").inner_text() and "Bearer KEY" in route.locator(".line").inner_text()
    route = opened(page, "get_page")
    identity = page.evaluate("fetch('/v1/documents').then(r => r.json()).then(r => r.items[0].id)")
    route.locator("input[name=id]").fill(identity)
    route.locator("input[name=page]").fill("1")
    route.get_by_role("button", name="Send").click()
    route.locator(".state", has_text="200").wait_for()
    route = opened(page, "ask")
    route.locator("textarea").fill('{"question": "What is the greatest swell height for landing at North Gut?"}')
    route.locator("input[name=stream]").check()
    route.get_by_role("button", name="Send").click()
    route.locator(".came pre", has_text="event: answer").wait_for()
    route = opened(page, "search")
    route.locator("textarea").fill('{"question": "x", "where": "depth > 3"}')
    route.get_by_role("button", name="Send").click()
    route.locator(".state.bad", has_text="422").wait_for()
    route.locator(".came pre", has_text="no document has a field 'depth'").wait_for()


def test_a_link_opens_its_route_and_without_scripts_it_reads(server: Server, visit: Visit) -> None:
    page = visit(server, "/api#add_document")
    assert page.locator("#add_document input[type=file]").is_visible()
    plain = visit(server, "/api", java_script_enabled=False)
    assert plain.locator(".note").inner_text().startswith("Scripts are off")
    assert plain.locator("#ask button").is_disabled()


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (npm ci in web/)")
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_axe_finds_nothing(
    server: Server, visit: Visit, width: int, scheme: str, request: pytest.FixtureRequest
) -> None:
    page = visit(server, "/api", viewport={"width": width, "height": 900}, color_scheme=scheme)
    for name in ("list_documents", "search"):
        route = opened(page, name)
        if name == "search":
            route.locator("textarea").fill('{"question": "What does a berth cost?"}')
        route.get_by_role("button", name="Send").click()
        route.locator(".state", has_text="200").wait_for()
    folder = request.config.getoption("--screenshots")
    if folder is not None:
        page.screenshot(path=f"{folder}/api-{width}-{scheme}.png", full_page=True)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
