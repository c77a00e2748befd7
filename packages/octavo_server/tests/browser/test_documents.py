"""Files on the page: adding, failing, cancelling, removing; and what is read without scripts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2

from browser.conftest import EXAMPLES, Server, Visit
from browser.test_answers import SWELL, ask, handbook, settled

LONG = "the_annual_report_of_the_commission_on_the_birds_of_the_islands_and_their_landing_places-2021_final.pdf"


def test_a_file_is_read_page_by_page_also_when_the_page_is_loaded_again(
    own: Server, visit: Visit, tmp_path: Path
) -> None:
    """The file is long: the page asks every 0.7 s how far a file is, and a quick machine reads 44 pages in that."""
    many = pypdfium2.PdfDocument.new()
    for _ in range(3):
        many.import_pages(pypdfium2.PdfDocument(EXAMPLES / "handbook.pdf"))
    many.save(tmp_path / "three handbooks.pdf")
    page = visit(own)
    page.set_input_files("input[type=file]", tmp_path / "three handbooks.pdf")
    page.wait_for_selector(".adding :text-matches('page \\\\d+ of 132')")
    page.reload()
    page.wait_for_selector(".adding progress")
    page.wait_for_selector(".doc:has-text('three handbooks.pdf')", timeout=120_000)
    assert not page.locator(".adding").count()


def test_an_empty_library_offers_an_example_and_questions_on_it(empty: Server, visit: Visit) -> None:
    page = visit(empty)
    page.get_by_role("button", name="Try it with the example handbook").click()
    page.wait_for_selector(".suggestion", timeout=120_000)
    page.locator(".suggestion", has_text="diesels").click()
    page.wait_for_selector(".turn-done")
    assert page.locator(".answer").inner_text().startswith("35 per cent")


def test_a_broken_file_says_why_and_what_to_do(own: Server, visit: Visit, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"this was never a PDF")
    page = visit(own)
    page.set_input_files("input[type=file]", broken)
    told = page.locator(".adding .failed .adding-told")
    told.wait_for(timeout=120_000)
    assert "Not a PDF" in told.inner_text()
    assert "Save it" in told.inner_text()
    page.get_by_role("button", name="Dismiss broken.pdf").click()
    page.wait_for_selector(".adding", state="detached")
    page.reload()
    page.wait_for_selector(".book")
    assert not page.locator(".adding").count()


def test_what_failed_is_a_line_in_later_visits_until_it_is_dismissed(own: Server, visit: Visit, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"this was never a PDF")
    page = visit(own)
    page.set_input_files("input[type=file]", broken)
    page.locator(".adding .failed .adding-told").wait_for(timeout=120_000)
    later = visit(own)
    line = later.locator(".adding-old summary")
    line.wait_for()
    assert line.inner_text() == "broken.pdf could not be read"
    assert not later.locator(".adding-told").first.is_visible()
    later.get_by_role("button", name="Dismiss: broken.pdf").click()
    later.reload()
    later.wait_for_selector(".book")
    later.wait_for_timeout(500)
    assert not later.locator(".adding-old").count()


def test_a_title_stands_before_the_name_and_only_it_gives_way(server: Server, visit: Visit) -> None:
    page = visit(server)
    for match, title, shown in (("ferry", "A study of birds", "A study of birds"), ("handbook", "", LONG)):
        page.route("**/v1/documents?*", under_a_long_name(title))
        page.fill("#find", match)
        page.wait_for_selector(f".doc-name:text-is('{shown}')")
        assert LONG in page.locator(".doc").first.inner_text()
        assert LONG in page.locator(".doc").first.get_attribute("title")
        page.unroute("**/v1/documents?*")
    page.locator(".doc").first.click()
    page.wait_for_selector("h1.bar-name[title]")
    assert page.locator("h1.bar-name").get_attribute("title") == LONG
    spilling = "all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent)"
    for width in (1440, 1130, 760, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(200)
        assert page.locator(".desk .bar, .desk .bar button").evaluate_all(spilling) == []


def under_a_long_name(title: str) -> Callable[[Any], None]:
    """Return what answers a request for documents with all of them under a long name, and this title."""

    def answer(route: Any) -> None:
        listing = route.fetch().json()
        items = [{**one, "name": LONG, "title": title} for one in listing["items"]]
        route.fulfill(json={**listing, "items": items})

    return answer


def test_pages_are_fitted_anew_when_a_phone_becomes_a_desktop(server: Server, visit: Visit) -> None:
    page = visit(server, viewport={"width": 390, "height": 844})
    ask(page, SWELL)
    page.locator(".card-place").first.click()
    settled(page)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_timeout(500)
    pane, sheet = page.locator(".pages").bounding_box(), page.locator(".sheet").first.bounding_box()
    assert 0.8 * pane["width"] < sheet["width"] <= pane["width"]


def test_passages_are_whole_and_a_page_that_is_coming_has_its_shape(server: Server, visit: Visit) -> None:
    page = visit(server)
    ask(page, SWELL)
    taller = "all => all.filter(one => one.scrollHeight > one.clientHeight + 1).length"
    assert page.locator(".card .words, .card .table-box").evaluate_all(taller) == 0
    page.route(re.compile(r"/image\?"), lambda route: None)
    page.goto(server.origin + handbook(page), wait_until="commit")
    wheel = page.locator(".sheet .wheel").first
    wheel.wait_for()
    box = page.locator(".sheet").first.bounding_box()
    assert 1.3 < box["height"] / box["width"] < 1.5
    page.unroute_all(behavior="ignoreErrors")


def test_the_cited_row_of_a_very_long_table_is_among_those_shown(server: Server, visit: Visit) -> None:
    page = visit(server)
    ask(page, SWELL)

    def with_a_long_table(route: Any) -> None:
        found = route.fetch()
        head, start, rest = found.text().partition('id="octavo-data">')
        data, stop, tail = rest.partition("</script>")
        told = json.loads(data)
        citation = told["answer"]["citations"][0] | {"quote": "place 41 | 82"}
        text = "Place | Height\n" + "\n".join(f"place {row} | {2 * row}" for row in range(60))
        passage = told["answer"]["passages"][0] | {key: citation[key] for key in ("document_id", "block")}
        passage |= {"text": text, "emphasis": [[text.index("place 3 "), text.index("place 3 ") + 7]]}
        told["answer"] |= {"citations": [citation], "passages": [passage]}
        route.fulfill(response=found, body=head + start + json.dumps(told).replace("<", "\\u003c") + stop + tail)

    page.route(page.url, with_a_long_table)
    page.goto(page.url)
    page.wait_for_selector(".ready .card tr.hit")
    assert [row.split()[1] for row in page.locator(".card tr.hit").all_inner_texts()] == ["3", "41"]
    assert page.locator(".card tbody tr").count() == 10
    page.get_by_role("button", name="Show 50 more rows").click()
    assert page.locator(".card tbody tr").count() == 60


def test_a_document_is_removed_only_when_that_is_confirmed(own: Server, visit: Visit) -> None:
    page = visit(own)
    page.locator(".doc-row", has_text="ferry.html").hover()
    page.get_by_role("button", name=re.compile("More about (Sound Ferries|The island line)")).click()
    page.get_by_role("menuitem", name="Remove…").click()
    page.get_by_role("button", name="Keep it").click()
    assert page.locator(".doc", has_text="ferry.html").count() == 1
    page.locator(".doc-row", has_text="ferry.html").hover()
    page.get_by_role("button", name=re.compile("More about (Sound Ferries|The island line)")).click()
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
    page.wait_for_selector(".turn-done")  # the question under way is asked again by itself


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
    assert page.get_by_role("button", name="Try again").is_visible()


def test_what_a_damaged_file_lost_is_told_when_it_is_added_and_stays_in_the_list(
    own: Server, visit: Visit, tmp_path: Path
) -> None:
    whole = (EXAMPLES / "handbook.pdf").read_bytes()
    half = tmp_path / "half.pdf"
    half.write_bytes(whole[: int(0.6 * len(whole))])
    page = visit(own)
    page.set_input_files("input[type=file]", half)
    page.locator(".adding .partly", has_text="8 of 44 pages could be read").wait_for(timeout=120_000)
    page.get_by_role("button", name="Dismiss half.pdf").click()
    page.reload()
    row = page.locator(".doc", has_text="half.pdf")
    assert "8 of 44 pages could be read" in row.inner_text()
    assert "8 of 44 pages could be read" in page.locator(".book", has_text="half.pdf").inner_text()
    row.click()
    note = "This file is damaged: 8 of 44 pages could be read. The end of the file is missing."
    assert page.locator(".doc-note").inner_text() == note


def test_the_list_is_by_title_until_another_order_is_chosen_and_kept(server: Server, visit: Visit) -> None:
    page = visit(server)
    page.wait_for_selector(".book")
    assert page.locator(".doc .doc-name").all_inner_texts() == [
        "Orrin Skerry Tidal Research Station",
        "The island line",
    ]
    page.get_by_role("button", name="Order of the documents").click()
    with page.expect_response(re.compile("sort=newest")):
        page.get_by_role("menuitemradio", name="Newest first").click()
    with page.expect_response(re.compile("sort=newest")):
        page.reload()


def test_the_heads_of_a_sheet_stand_over_their_numbers(own: Server, visit: Visit, tmp_path: Path) -> None:
    sheet = tmp_path / "moorings.csv"
    rows = [
        f"Mooring at the {side} side of the harbour,M-{at},{40 + at},2024-05-1{at}" for at, side in enumerate("NESW")
    ]
    sheet.write_text("\n".join(["Mooring,Tag,Depth in metres at low water,Last seen", *rows]))
    page = visit(own)
    page.set_input_files("input[type=file]", sheet)
    page.get_by_role("link", name=re.compile("moorings")).first.click()
    page.wait_for_selector(".desk-scroll table")
    head = page.locator(".desk-scroll th", has_text="Depth").first
    assert head.evaluate("one => getComputedStyle(one).textAlign") == "right"
    assert page.locator(".desk-scroll th", has_text="Tag").evaluate("one => getComputedStyle(one).textAlign") == "left"


def test_a_phone_shows_the_cell_that_answers_and_what_its_row_is_about(
    own: Server, visit: Visit, tmp_path: Path
) -> None:
    heads = ["Mooring", *(f"{name} in the spring survey" for name in ("Depth", "Length", "Width", "Weight")), "Keeper"]
    rows = [
        [f"Buoy {name}", "41", "42", "43", "44", f"Keeper of {name}"] for name in ("Ostrava", "Perth", "Quebec", "Riga")
    ]
    sheet = tmp_path / "buoys.csv"
    sheet.write_text("\n".join(",".join(row) for row in [heads, *rows]))
    page = visit(own)
    page.set_input_files("input[type=file]", sheet)
    page.get_by_role("link", name=re.compile("buoys")).first.wait_for()
    page.set_viewport_size({"width": 390, "height": 844})
    page.fill("#question", "What is the weight of Buoy Quebec in the spring survey?")
    page.keyboard.press("Enter")
    page.locator(".numbers .num").first.click()
    cell = page.locator(".desk-scroll td.says")
    cell.wait_for()
    assert cell.inner_text() == "44"
    page.wait_for_function(
        "() => { const cell = document.querySelector('.desk-scroll td.says'), box = cell.closest('.table-box');"
        " const [a, b] = [cell.getBoundingClientRect(), box.getBoundingClientRect()];"
        " return box.scrollLeft > 0 && a.left >= b.left && a.right <= b.right }"
    )
    name = page.locator(".desk-scroll tr:has(td.says) > :first-child")
    box, table = name.bounding_box(), page.locator(".desk-scroll .table-box").bounding_box()
    assert box and table and box["x"] >= table["x"] - 1
