"""Asking on the page: the answer, the place it stands on, and what stays when the page is loaded again."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pytest
from PIL import Image

from browser.conftest import Server, Visit, serving
from fault_server import Body, Fault, FaultServer

SWELL = "What is the greatest swell height for landing at North Gut?"


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
    assert "No short answer is sure" in page.locator(".hedge").inner_text()
    assert not page.locator(".answer.short, .answer.middling").count()
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


def test_an_answer_is_copied_as_markdown(server: Server, visit: Visit) -> None:
    page = visit(server, permissions=["clipboard-read", "clipboard-write"])
    ask(page, SWELL)
    page.get_by_role("button", name="Copy as Markdown").click()
    page.wait_for_selector(".toast[data-shown=true]")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert SWELL in copied
    assert f"](<{server.origin}/c/" in copied


def saved(page: Any, name: str) -> bytes:
    """Return the file that an entry of the menu of exports gives."""
    page.get_by_role("button", name="Export the citations").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name=name).click()
    return Path(download.value.path()).read_bytes()


def test_exports_hold_the_citation_and_the_marked_words(server: Server, visit: Visit) -> None:
    page = visit(server)
    ask(page, SWELL)
    bibtex = saved(page, "BibTeX").decode()
    assert re.match(r"@\w+\{\S+,\n", bibtex)
    assert "Swell height" in bibtex and "/c/" in bibtex
    pages = pikepdf.open(io.BytesIO(saved(page, "PDF with highlights"))).pages
    marked = {at + 1: one.Annots for at, one in enumerate(pages) if "/Annots" in one}
    notes = [note for note in marked[28] if note.Subtype == "/Highlight"]
    assert len(pages) == 44 and notes
    assert "1.2" in str(notes[0].Contents)


def cut_short(body: Body) -> str:
    """Begin with a long answer, which the connection cuts."""
    return json.dumps({"evidence": [], "answerable": True, "answer": "The greatest swell is a matter of taste. " * 90})


@pytest.fixture
def failing(examples: Path, tmp_path: Path) -> Iterator[Server]:
    """A server whose model ends in the middle of every reply."""
    shutil.copytree(examples, tmp_path / "corpus", ignore=shutil.ignore_patterns("server.db*"))
    with (
        FaultServer(cut_short, lambda _number, _body: Fault.CUT_STREAM) as model,
        serving(tmp_path / "corpus", f"openai:cut@{model.url}") as running,
    ):
        yield running


@pytest.mark.enable_socket
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_model_that_ends_in_the_middle_is_told_with_what_it_wrote(failing: Server, visit: Visit) -> None:
    page = visit(failing)
    page.fill("#question", SWELL)
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn-done", timeout=120_000)
    assert "The connection to the model broke" in page.locator(".failures .unsure").inner_text()
    page.get_by_text("What it had written").click()
    assert page.locator(".unfinished").inner_text().startswith("The greatest swell is a matter of taste.")
    assert page.locator(".outcome > .answer").inner_text().startswith("1.2")


@pytest.mark.parametrize("width", [390])
def test_a_phone_shows_the_answer_first_and_the_page_as_a_sheet_over_it(
    server: Server, visit: Visit, width: int
) -> None:
    page = visit(server, viewport={"width": width, "height": 844}, has_touch=True)
    ask(page, SWELL)
    assert page.locator(".answer").is_visible()
    assert not page.locator(".desk").is_visible()
    page.wait_for_timeout(500)  # the answer has scrolled into its place: a person looks before they tap
    page.locator(".numbers .num").first.tap()
    settled(page)
    mark = page.locator(".marks .mark").first.bounding_box()
    assert mark["x"] >= 0 and mark["x"] + mark["width"] <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Back to the answer").tap()
    page.wait_for_function("() => getComputedStyle(document.querySelector('.desk')).visibility === 'hidden'")


def test_with_less_motion_the_pages_are_as_high_as_they_are_at_once(server: Server, visit: Visit) -> None:
    """A height that grows over a frame is too small to scroll to a late page in: page 14 is shown where 28 is cited."""
    page = visit(server, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    ask(page, SWELL)
    page.locator(".numbers .num").first.click()
    page.wait_for_selector(".stack .sheet")
    assert page.evaluate(
        """() => {
            const stack = document.querySelector('.stack'), pane = stack.closest('.desk-scroll')
            stack.style.height = '123456px'
            return pane.scrollHeight
        }"""
    ) == pytest.approx(123456, abs=50)


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
