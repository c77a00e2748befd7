"""A key is taken out of text however it is written."""

from __future__ import annotations

import base64
import html
import json
import re
from urllib.parse import quote, quote_plus, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateways import SECRET
from octavo.models.gateway import Redactor

FORMS = {
    "plain": SECRET,
    "JSON": json.dumps({"key": SECRET}),
    "JSON in Unicode": json.dumps({"key": SECRET}, ensure_ascii=False),
    "JSON with slashes": json.dumps({"key": SECRET}).replace("/", r"\/"),
    "a URL": f"https://x.test/?{urlencode({'key': SECRET})}",
    "a path": f"https://x.test/{quote(SECRET)}",
    "all quoted": quote(SECRET, safe=""),
    "small quotes": re.sub("%..", lambda found: found.group().lower(), quote(SECRET)),
    "plus": quote_plus(SECRET),
    "hexadecimal": SECRET.encode().hex(),
    "a repr": repr([SECRET, b"x"]),
    "HTML": f"<p>{html.escape(SECRET)}</p>",
    "basic": base64.b64encode(f"user:{SECRET}".encode()).decode(),
    "a URL's base64": base64.urlsafe_b64encode(f"ab{SECRET}xyz".encode()).decode(),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_usual_form_of_a_key_goes(name: str) -> None:
    shown = Redactor([SECRET])(f"before {FORMS[name]} after")
    assert "[redacted]" in shown
    assert shown.startswith("before ")
    assert shown.endswith(" after")
    assert "4f" not in shown
    assert "Qz81" not in shown


@given(st.binary(max_size=7), st.text(st.characters(codec="utf-8"), min_size=8, max_size=40), st.binary(max_size=7))
def test_base64_hides_no_key_wherever_it_stands(before: bytes, secret: str, after: bytes) -> None:
    data = base64.b64encode(before + secret.encode() + after).decode()
    assert "[redacted]" in Redactor([secret])(data)


def test_short_words_are_no_keys() -> None:
    assert Redactor(["none", "ollama", ""])("none of the ollama models") == "none of the ollama models"


def test_without_secrets_nothing_changes() -> None:
    assert Redactor()("as it is") == "as it is"
    assert Redactor().growing("as it is") == "as it is"


def test_a_key_that_holds_another_goes_whole() -> None:
    assert Redactor(["abcdefgh", "abcdefghijkl"])("abcdefghijkl abcdefgh") == "[redacted] [redacted]"


def test_a_growing_text_never_shows_the_start_of_a_key() -> None:
    text = f"the key is {SECRET}, keep it"
    redactor = Redactor([SECRET])
    shown = [redactor.growing(text[:end]) for end in range(len(text) + 1)]
    assert not any(SECRET[:6] in one for one in shown)
    assert shown[-1] == "the key is [redacted], keep it"


def test_a_redactor_does_not_show_what_it_hides() -> None:
    assert SECRET not in repr(Redactor([SECRET]))
