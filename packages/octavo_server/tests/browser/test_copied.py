"""What is copied as Markdown shows a document's words as they are, and links to nothing but the server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from browser.conftest import Server, Visit, indexed, serving
from browser.test_answers import ask

WORDS = (
    "The *lamp* of _Norrick_ was lit in 1901. [click](https://evil.example/a) ![x](https://evil.example/b) "
    "<img src=https://evil.example/c> `code` www.evil.example #1 ~~gone~~ | a & b &amp; $x$ @all"
)


@pytest.fixture
def nasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("copied")
    (folder / "[a](b)_c_.txt").write_text(f"Lamps\n\n{WORDS}\n\n- not a list\n\n1. nor this\n")
    with serving(indexed(folder / "corpus", folder / "[a](b)_c_.txt")) as running:
        yield running


def test_nothing_of_a_document_is_markup_in_what_is_copied(nasty: Server, visit: Visit) -> None:
    page = visit(nasty, permissions=["clipboard-read", "clipboard-write"])
    ask(page, "When was the *lamp* of _Norrick_ lit?")
    page.get_by_role("button", name="Copy as Markdown").click()
    page.wait_for_selector(".toast[data-shown=true]")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("**When was the \\*lamp\\* of \\_Norrick\\_ lit?**")
    assert re.search(r"^ +> .*1901", copied, re.MULTILINE)
    ours = re.sub(rf"\]\(<{re.escape(nasty.origin)}/c/[\w-]+>\)|<{re.escape(nasty.origin)}/a/[\w-]+>", "", copied)
    rest = re.sub(r"\\.", "", ours.split("\n", 1)[1])
    assert not re.search(
        r"[*_`<#|~&$@\]]|(?<!\n)\[|https?://|www\.", re.sub(r"^\d+\. \[", "", rest, flags=re.MULTILINE)
    )
