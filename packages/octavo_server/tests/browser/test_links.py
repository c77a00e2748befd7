"""Links to the server from elsewhere open, for those who were let in and for those who sign in first."""

from __future__ import annotations

import re

import pytest

from browser.conftest import Server, Visit


def page_of_another_site(origin: str, path: str) -> str:
    return f"data:text/html,<a href='{origin}{path}'>the report</a>"


def test_a_link_of_another_site_opens_for_a_browser_that_was_let_in(server: Server, visit: Visit) -> None:
    page = visit(server)
    document = page.locator(".doc").first.get_attribute("href")
    page.goto(page_of_another_site(server.origin, f"{document}/7"))
    page.get_by_role("link", name="the report").click()
    page.wait_for_url(re.compile("/7$"))
    assert page.get_by_role("heading", name="This server does not know").count() == 0
    assert page.locator(".bar-page, .desk").first.is_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_browser_that_is_not_known_signs_in_and_is_led_on(server: Server, visit: Visit, scripts: bool) -> None:
    page = visit(server, expects="401", java_script_enabled=scripts)
    document = page.locator(".doc").first.get_attribute("href")
    page.context.clear_cookies()
    page.goto(f"{server.origin}{document}/7")
    assert page.get_by_role("heading", name="does not know this browser").is_visible()
    page.get_by_label("Key").fill("nonsense")
    page.get_by_role("button", name="Sign in").click()
    assert page.get_by_role("heading", name="That key is not known").is_visible()
    page.get_by_label("Key").fill(server.link.partition("token=")[2])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{server.origin}{document}/7")
    assert {cookie["sameSite"] for cookie in page.context.cookies()} == {"Lax"}
