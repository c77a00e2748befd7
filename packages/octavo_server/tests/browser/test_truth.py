"""What the page says of the scope, of places, of what is struck out and of what was found is so."""

from __future__ import annotations

import json
import mailbox
import re
from collections.abc import Iterator
from email.message import EmailMessage
from typing import Any

import pytest

from browser.conftest import Server, Visit, indexed, serving
from browser.test_answers import SWELL, ask

NOTES = 55


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server over more documents than a page of the list has, a mail folder and prices that are struck out."""
    folder = tmp_path_factory.mktemp("many")
    for at in range(NOTES):
        (folder / f"note{at:02}.txt").write_text(f"Note {at}\n\nThe berth Alder {at} is let to the boat Curlew {at}.\n")
    box = mailbox.mbox(folder / "box.mbox")
    for at in range(1, 7):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "a@example.org", "b@example.org", f"Pump {at}"
        mail.set_content(f"The pump in shed {at} delivers {16 + at} litres a minute.\n")
        box.add(mail)
    box.close()
    (folder / "prices.md").write_text(
        "# Prices ~~old~~ new\n\nA ticket costs ~~4 euros~~ 5 euros.\n\n| Thing | Price |\n|---|---|\n"
        "| Boat | ~~10~~ 12 |\n| Oar | 3 |\n"
    )
    with serving(indexed(folder / "corpus", *sorted(one for one in folder.iterdir() if one.is_file()))) as running:
        yield running


def asked(page: Any, question: str) -> Any:
    """Ask, and return the documents that the page asked."""
    with page.expect_request("**/v1/ask") as request:
        page.fill("#question", question)
        page.keyboard.press("Enter")
    page.wait_for_selector(".turn-done:last-of-type .outcome")
    return request.value.post_data_json["documents"]


def chips(page: Any) -> list[str]:
    return page.locator(".scope .chip").all_inner_texts()


def test_the_scope_that_is_shown_is_the_scope_that_is_asked(many: Server, visit: Visit) -> None:
    page = visit(many)
    total = NOTES + 2
    assert chips(page)[0] == f"All {total}"
    page.fill("#find", "note0")
    page.wait_for_function("() => document.querySelectorAll('.doc').length === 10")
    assert chips(page)[0] == f"All {total}"
    assert page.locator(".lib .count").first.inner_text() == f"10 of {total}"
    assert f"10 of {total} documents" in page.locator(".bar-page").first.inner_text()
    assert asked(page, "Which boat has the berth Alder 31?") is None
    page.fill("#find", "no such name")
    page.wait_for_selector("text=No title and no name has that.")
    assert page.locator("#question").get_attribute("placeholder") == "Ask about all documents"
    assert chips(page)[0] == f"All {total}"


def test_several_chosen_documents_are_shown_and_asked(many: Server, visit: Visit) -> None:
    page = visit(many)
    page.get_by_role("button", name="Choose…").click()
    for at in (3, 54):
        page.fill("#scope-find", f"note{at:02}")
        page.locator(".choices li", has_text=f"note{at:02}").locator("input").check()
    page.get_by_role("button", name="Ask 2 documents").click()
    assert [one for one in chips(page) if one.startswith(("Note", "note"))] == ["note03.txt", "note54.txt"]
    assert len(asked(page, "Which boat has the berth?")) == 2
    assert page.locator(".asked-in").inner_text() == "Asked in 2 documents"


def test_a_message_is_called_a_message(many: Server, visit: Visit) -> None:
    page = visit(many)
    ask(page, "How much does the pump in shed 5 deliver?")
    place = page.locator(".card-head").first.inner_text()
    assert "message 5" in place and "printed" not in place and "page" not in place
    page.locator(".card-place").first.click()
    page.wait_for_selector(".parts")
    assert "message 5 of 6" in page.locator(".parts").inner_text()
    assert page.get_by_role("button", name="Next message").is_visible()
    plain = visit(many, "/", java_script_enabled=False)
    plain.goto(page.url)
    assert "message 5 of 6" in plain.locator(".bar-page").inner_text()
    assert "message 5" in plain.locator(".card-place").inner_text()


def test_what_is_struck_out_is_shown_struck_everywhere(many: Server, visit: Visit) -> None:
    page = visit(many)
    ask(page, "What does a ticket cost?")
    assert "~~" not in page.locator("body").inner_text()
    assert any("4 euros" in one for one in page.locator(".card del").all_inner_texts())
    page.locator(".card-place").first.click()
    page.wait_for_selector(".typeset del")
    struck = [re.sub(r"struck out:\s*", "", one) for one in page.locator(".typeset del").all_inner_texts()]
    assert struck == ["old", "4 euros", "10"]
    assert "old" in page.locator(".tree del").inner_text()
    assert "~~" not in page.locator("#app").inner_html()
    plain = visit(many, "/", java_script_enabled=False)
    plain.goto(page.url)
    assert "struck out: 4 euros" in plain.locator(".page-text del").all_text_contents()
    assert "~~" not in plain.locator("#app").inner_html()


def stream_of(answer: dict[str, Any]) -> str:
    return f"event: done\ndata: {json.dumps(answer)}\n\n"


def given(page: Any, server: Server, **other: Any) -> None:
    """Ask, and have an answer come that differs from the one that was found."""
    ask(page, SWELL)
    found = page.request.get(f"{server.origin}/v1/answers/{page.url.rpartition('/')[2]}").json()
    told = {**found, **other}
    page.route(
        "**/v1/ask", lambda route: route.fulfill(body=stream_of(told), content_type="text/event-stream"), times=1
    )
    page.get_by_role("button", name="New").click()
    ask(page, "Once more?")


def test_the_first_words_say_what_was_found(server: Server, visit: Visit) -> None:
    page = visit(server)
    lead = "Found in Table 9, page 28."
    given(page, server, lead=lead)
    assert page.locator(".outcome > *").first.inner_text() == lead
    found = page.request.get(f"{server.origin}/v1/answers/{page.url.rpartition('/')[2]}").json()
    given(page, server, lead=lead, outcome="passages", answer="", citations=[], passages=found["passages"])
    assert page.locator(".outcome > *").first.inner_text() == lead
    assert page.locator(".card.best").count() == 1
    assert "No short answer is sure" in page.locator(".hedge").inner_text()


def test_where_nothing_fits_no_words_are_marked(server: Server, visit: Visit) -> None:
    page = visit(server)
    lead = "Nothing matches “zxqv”: 2 documents were searched by words and by meaning."
    given(page, server, lead=lead, outcome="nothing", answer="", citations=[])
    assert page.locator(".nothing .lead").inner_text() == lead
    assert not page.locator(".turn mark, .card").count()
    assert not page.locator(".marks .mark").count()


def test_a_list_keeps_its_units(server: Server, visit: Visit) -> None:
    page = visit(server)
    given(page, server, answer="1.2 m, 0.8 m", value=[1.2, 0.8])
    assert page.locator(".answer").inner_text().startswith("1.2 m, 0.8 m")
