"""The main tasks of the page in Firefox: what another browser draws, presses, prints and keeps otherwise shows here."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest

from browser.conftest import Server
from browser.firefox import PROGRAM, Firefox, firefox
from browser.test_answers import SWELL

pytestmark = [
    pytest.mark.enable_socket,
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.skipif(PROGRAM is None, reason="no Firefox is installed (apt-get install firefox-esr)"),
]


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox") / "profile") as started:
        yield started


@pytest.fixture
def page(window: Firefox, own: Server) -> Iterator[Firefox]:
    """The library at 1280 by 800; afterwards nothing may have been written to the console."""
    window.size(1280, 800)
    window.open(own.link)
    window.seen(".book")
    window.script("(localStorage.clear(), sessionStorage.clear(), 1)")
    window.told.clear()
    window.open(own.origin)
    window.seen(".book")
    yield window
    assert window.told == []


def ask(page: Firefox, question: str) -> str:
    page.click("#question")
    page.type(question)
    page.press("Enter")
    return page.seen(".turn-done:last-of-type .outcome")


def test_a_question_is_answered_and_its_citation_is_marked_on_the_page(page: Firefox) -> None:
    assert "1.2 m" in ask(page, SWELL)
    page.click(".numbers .num")
    page.wait("document.querySelectorAll('.marks .mark:not(.whole)').length > 0")
    page.wait("[...document.querySelectorAll('.sheet:has(.mark) img')].some((one) => one.complete && one.naturalWidth)")
    assert page.script("location.pathname").startswith("/c/")
    inside = """(() => {
        const mark = document.querySelector('.marks .mark').getBoundingClientRect();
        const pane = document.querySelector('.desk-scroll').getBoundingClientRect();
        return pane.top <= mark.top && mark.bottom <= pane.bottom && pane.left <= mark.left && mark.right <= pane.right;
    })()"""
    page.wait(inside)


def test_on_a_phone_the_page_slides_over_the_answer(own: Server, tmp_path: Path) -> None:
    with firefox(tmp_path / "profile") as page:  # before another test adds what changes the answer
        page.size(390, 844)
        page.open(own.link)
        page.seen(".phone #question")
        slides_over_the_answer(page)


def slides_over_the_answer(page: Firefox) -> None:
    assert "1.2 m" in ask(page, SWELL)
    page.click(".numbers .num")
    page.wait(
        "document.querySelector('.sheet-up .desk') && document.querySelectorAll('.marks .mark:not(.whole)').length"
    )
    assert page.script("document.documentElement.scrollWidth") <= 390
    page.click("button[aria-label='Back to the answer']")
    page.wait("!document.querySelector('.sheet-up')")


def test_a_number_shows_the_place_it_leads_to(page: Firefox) -> None:
    ask(page, SWELL)
    page.hover(".answer .num")
    page.wait("document.querySelector('.peek-cut img')?.naturalWidth")
    page.press("Escape")
    page.wait("!document.querySelector('.peek-card')")


def test_a_file_is_added_and_asked(page: Firefox, tmp_path: Path) -> None:
    file = tmp_path / "gate.md"
    file.write_text("# The gate\n\nThe gate of the yard opens at half past seven.\n")
    page.choose_files(".lib input[type=file]", file)
    page.seen(".docs .doc", "gate.md")
    assert "half past seven" in ask(page, "When does the gate of the yard open?")


def test_words_are_found_in_a_document_and_in_all(page: Firefox) -> None:
    page.click(".docs .doc", "handbook")
    page.wait("document.querySelector('.sheet img')?.naturalWidth")
    page.press("f", held="Control")
    page.wait("document.activeElement?.id === 'find-here'")
    page.type("swell")
    assert page.wait("document.querySelector('.find-told').textContent.match(/^1 of [0-9]+$/)?.[0]")
    page.wait("document.querySelectorAll('.found rect').length > 0")
    page.press("Escape")
    page.wait("!document.querySelector('.find-bar')")
    page.click("#find")
    page.type("swell")
    page.seen(".everywhere .hit-row")


def test_a_table_is_filled_and_a_cell_corrected(page: Firefox) -> None:
    page.click("a[href='/t']")
    page.click("#table-questions")
    page.type(SWELL)
    page.click("button", "Fill the table")
    page.seen(".answers .is-answer .cell", "1.2 m")
    page.click(".answers .is-answer .cell", "1.2 m")
    page.click("#cell-text")
    page.press("a", held="Control")
    page.type("1.25 m")
    page.click(".cell-correct button[type=submit]")
    page.seen(".by-hand .cell", "1.25 m")
    page.click(".by-hand .cell")
    page.click(".cell-correct button", "Take it back")
    page.seen(".is-answer .cell", "1.2 m")


def test_a_conversation_is_found_again(page: Firefox) -> None:
    ask(page, SWELL)
    page.open(page.script("location.origin"))
    page.click("button[aria-label='Conversations before']")
    page.type("swell")
    page.click(".history-row", "swell")
    assert "1.2 m" in page.seen(".turn-done .outcome")


def test_settings_are_kept(page: Firefox) -> None:
    page.click("button[aria-label='Settings']")
    page.click(".setting", "Dark")
    dark = "getComputedStyle(document.body).backgroundColor"
    assert page.script(dark) == "rgb(21, 20, 19)"
    page.open(page.script("location.origin"))
    assert page.script(dark) == "rgb(21, 20, 19)"
    page.click("button[aria-label='Settings']")
    page.click(".setting", "As the system is")


def test_the_document_is_printed_and_not_the_page_around_it(page: Firefox) -> None:
    page.click(".docs .doc", "ferry")
    page.seen(".typeset", "The island line")
    with pikepdf.open(io.BytesIO(page.printed())) as made:
        assert 1 <= len(made.pages) <= 2


def test_all_is_reached_with_the_keyboard_alone(page: Firefox) -> None:
    page.press("/")
    page.type(SWELL)
    page.press("Enter")
    page.seen(".turn-done .outcome")
    page.press("Escape")
    page.press("]")
    page.wait("document.querySelectorAll('.marks .mark:not(.whole)').length > 0")
    page.press("2")
    page.wait("document.activeElement?.matches('.desk-scroll')")
    before = page.script("document.querySelector('#page-field').value")
    page.press("j")
    page.wait(f"document.querySelector('#page-field').value !== '{before}'")
    page.press("?")
    page.seen("dialog[open]", "Keys")
    page.press("Escape")
    page.wait("!document.querySelector('dialog[open]')")
