"""Folders that are asked as a whole, what a number shows, and what must not cover anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import Server, Visit, indexed, serving
from browser.test_answers import SWELL, ask


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server over two folders with two notes each."""
    root = tmp_path_factory.mktemp("notes")
    for folder in ("north", "south"):
        for number in (1, 2):
            file = root / folder / f"{folder}-{number}.md"
            file.parent.mkdir(exist_ok=True)
            file.write_text(
                f"# Gate {number} of the {folder} yard\n\nThe gate opens at {number} in the {folder} yard.\n"
            )
    with serving(indexed(tmp_path_factory.mktemp("folders") / "corpus", root / "north", root / "south")) as running:
        yield running


def test_a_folder_is_asked_with_its_documents_and_they_are_counted(folders: Server, visit: Visit) -> None:
    page = visit(folders)
    page.get_by_role("button", name="Choose…").click()
    dialog = page.get_by_role("dialog")
    rows = dialog.locator(".choice-folder")
    assert [row.strip() for row in rows.locator("> label").all_inner_texts()] == [
        "north\n2 documents",
        "south\n2 documents",
    ]
    dialog.get_by_role("button", name="Documents in north").click()
    inside = rows.first.locator("ul input")
    inside.nth(1).wait_for()
    rows.first.locator("> label input").check()
    assert inside.evaluate_all("(boxes) => boxes.every((one) => one.checked && one.disabled)")
    dialog.get_by_role("button", name="Ask folder north").click()
    ask(page, "When does the gate open?")
    assert page.locator(".asked-in").inner_text() == "Asked in folder north"
    assert "south" not in page.locator(".cards").first.inner_text()
    page.get_by_role("button", name="Choose…").click()
    rows.nth(1).locator("> label input").check()
    dialog.get_by_role("button", name="Ask 2 folders").click()
    assert page.locator(".chip.chosen").all_inner_texts() == ["folder north", "folder south"]


def test_a_document_removed_elsewhere_says_so_and_what_was_typed_stays(
    folders: Server, visit: Visit, tmp_path: Path
) -> None:
    page = visit(folders, expects="Failed to load resource")
    page.locator(".docs .doc", has_text="south-2.md").click()
    page.locator(".typeset").wait_for()
    ask(page, "When does gate 2 of the south yard open?")
    page.fill("#question", "Half of a question")
    gone = """async () => {
        const found = await (await fetch('/v1/documents?match=south-2.md')).json();
        return (await fetch('/v1/documents/' + encodeURIComponent(found.items[0].id), {method: 'DELETE'})).status;
    }"""
    assert page.evaluate(gone) == 204
    page.locator(".card-place").first.click()
    page.get_by_role("alert").get_by_text("no longer in the library").wait_for()
    assert page.locator("#question").input_value() == "Half of a question"


def test_a_number_shows_its_place_cut_out_of_the_page(server: Server, visit: Visit) -> None:
    page = visit(server)
    ask(page, SWELL)
    page.locator(".answer .num").first.hover()
    page.wait_for_function("() => document.querySelector('.peek-cut img')?.naturalWidth")
    card, box = (page.locator(one).bounding_box() for one in (".peek-card", ".peek-cut i"))
    assert card["x"] <= box["x"] and box["x"] + box["width"] <= card["x"] + card["width"]
    assert card["y"] <= box["y"]
    page.keyboard.press("Escape")
    page.locator(".peek-card").wait_for(state="detached")


def test_a_place_is_closed_the_moment_it_is_shown(server: Server, visit: Visit) -> None:
    page = visit(server)
    ask(page, SWELL)
    page.evaluate("""() => {
        window.shown = 0;
        new MutationObserver(() => {
            if (window.shown || !document.querySelector('.peek-card')) return;
            window.shown = 1;
            document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}));
        }).observe(document.body, {childList: true, subtree: true});
    }""")
    page.locator(".answer .num").first.hover()
    page.wait_for_function("() => window.shown")
    page.locator(".peek-card").wait_for(state="detached")


@pytest.mark.parametrize("width", [1280, 390])
def test_that_the_server_is_away_is_said_above_the_panes(server: Server, visit: Visit, width: int) -> None:
    page = visit(server, expects="Failed", viewport={"width": width, "height": 800})
    page.route("**/v1/**", lambda route: route.abort())
    page.fill("#question", SWELL)
    page.keyboard.press("Enter")
    page.locator(".banner").wait_for()
    banner = page.locator(".banner").bounding_box()
    tops = page.locator(".app > section, .app > nav.lib").evaluate_all(_TOPS)
    assert tops and min(tops) >= banner["y"] + banner["height"] - 1


_TOPS = "(panes) => panes.filter((one) => one.getClientRects().length).map((one) => one.getBoundingClientRect().top)"


def chosen_words(page: Any) -> None:
    page.evaluate("""() => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector('.typeset p'));
        getSelection().addRange(range);
    }""")


def test_what_can_be_done_with_selected_words_covers_no_words(folders: Server, visit: Visit) -> None:
    page = visit(folders)
    page.locator(".docs .doc", has_text="north-1.md").click()
    page.locator(".typeset p").wait_for()
    chosen_words(page)
    page.locator(".selected").wait_for()
    bar, pane = (page.locator(one).bounding_box() for one in (".selected", ".desk .desk-scroll"))
    assert bar["y"] + bar["height"] <= pane["y"]
