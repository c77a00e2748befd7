"""Documents that try to run scripts in the page that shows them."""

from __future__ import annotations

import html
import itertools
from typing import Any

import pytest

from browser.conftest import Server, Visit, indexed, serving
from browser.test_answers import ask

_RUN = "window.__ran=(window.__ran||0)+1"
_HEADS = ("", "'>", '">', "</title>", "</textarea>", "</script>", "-->", "]]>", "`}", "{{7*7}}", "</style>", "\\u0022>")
_BODIES = (
    f"<script>{_RUN}</script>",
    f"<img src=x onerror={_RUN}>",
    f"<svg onload={_RUN}>",
    f"<svg><script>{_RUN}</script></svg>",
    f"<iframe srcdoc='<script>parent.{_RUN}</script>'></iframe>",
    f"<details open ontoggle={_RUN}>",
    f"<input autofocus onfocus={_RUN}>",
    f"<a href=javascript:{_RUN}>x</a>",
    f"<math><mtext><img src=x onerror={_RUN}></mtext></math>",
    f"<style>@import 'http://evil.example/x';</style><body onload={_RUN}>",
    f"<object data='javascript:{_RUN}'></object>",
    f"<base href='http://evil.example/'><form action=javascript:{_RUN}><button>x</button></form>",
    f"<meta http-equiv=refresh content='0;url=javascript:{_RUN}'>",
    f"javascript:{_RUN}",
    f"{{{{constructor.constructor('{_RUN}')()}}}}",
    f"${{{_RUN}}}",
    f"{{% for x in [1] %}}<script>{_RUN}</script>{{% endfor %}}",
    f"<video><source onerror={_RUN}></video>",
    f"<template><script>{_RUN}</script></template>",
    f"<link rel=stylesheet href=//evil.example/x.css><marquee onstart={_RUN}>",
    f"&lt;script&gt;{_RUN}&lt;/script&gt;",
    f"<scr\u200bipt>{_RUN}</scr\u200bipt>",
    f"<x onclick={_RUN} tabindex=1 style=position:fixed;inset:0>",
    f"<noscript><p title='</noscript><img src=x onerror={_RUN}>'>",
    f"\u202e<img src=x onerror={_RUN}>",
)
PAYLOADS = tuple(head + body for head, body in itertools.product(_HEADS, _BODIES))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server over documents whose names, titles, headings, cells and words are payloads."""
    folder = tmp_path_factory.mktemp("hostile")
    lines = [
        f"## Section {at} {html.escape(one)}\n\nThe limit of number {at} is {at} m. {html.escape(one)}\n"
        for at, one in enumerate(PAYLOADS)
    ]
    cells = "".join(f"<tr><td>{at}</td><td>{html.escape(one)}</td></tr>" for at, one in enumerate(PAYLOADS))
    files = [
        folder / "<img src=x onerror=window.__ran=1>.md",
        folder / "'\"><svg onload=window.__ran=1>.html",
        folder / "${window.__ran=1}{{7*7}}.txt",
    ]
    files[0].write_text("# <script>window.__ran=1</script>\n\n" + "\n".join(lines))
    files[1].write_text(
        f"<html><head><title>{html.escape(PAYLOADS[0])}</title></head><body><h1>{html.escape(PAYLOADS[1])}</h1>"
        f"<table><tr><th>Number</th><th>{html.escape(PAYLOADS[2])}</th></tr>{cells}</table></body></html>"
    )
    files[2].write_text("\n\n".join(f"Paragraph {at}. {one}" for at, one in enumerate(PAYLOADS)))
    with serving(indexed(folder / "corpus", *files)) as running:
        yield running


def test_there_are_300_payloads() -> None:
    assert len(set(PAYLOADS)) == 300


def test_no_payload_of_a_document_runs_and_nothing_is_asked_of_another_origin(hostile: Server, visit: Visit) -> None:
    page = visit(hostile)
    page.wait_for_selector(".book")
    links = [one.get_attribute("href") for one in page.locator("a.book").all()]
    assert len(links) == 3
    for link in links:
        page.goto(hostile.origin + link)
        count = int(page.locator(".bar-page").inner_text().rpartition("of ")[2] or 1)
        for number in range(1, count + 1):
            page.goto(f"{hostile.origin}{link}/{number}")
            page.wait_for_selector(".typeset .b")
            page.evaluate(
                "document.querySelectorAll('.typeset *').forEach(one => one.dispatchEvent(new Event('mouseover')))"
            )
            assert page.evaluate("window.__ran") is None
    for at in (3, 31, 250):
        ask(page, f"What is the limit of number {at}? {PAYLOADS[at]}")
        page.locator(".card-place").first.click()
        page.wait_for_timeout(150)
        assert page.evaluate("window.__ran") is None
    assert "evil" not in page.url


def test_no_payload_runs_on_the_pages_without_the_viewer(hostile: Server, visit: Visit) -> None:
    """The viewer is kept away, so that what the server prints stays as it is; scripts would run if there were any."""
    page = visit(hostile, expects="Failed to load")
    page.route("**/static/*.js", lambda route: route.abort())
    page.goto(hostile.origin)
    links = [one.get_attribute("href") for one in page.locator("a.book").all()]
    for link in links:
        page.goto(hostile.origin + link)
        assert page.evaluate("window.__ran") is None
        assert page.locator(".page-text script, .page-text img, .page-text iframe").count() == 0
    page.fill("#question", f"What is the limit of number 7? {PAYLOADS[7]}")
    page.get_by_role("button", name="Ask").click()
    page.wait_for_selector(".turn")
    assert page.evaluate("window.__ran") is None
