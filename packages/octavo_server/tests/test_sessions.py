"""A browser holds a session and no key: links of other sites open, a link lasts, and nothing that leaks is of use."""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import octavo
from octavo.corpus import Corpus
from octavo_server import ServerSettings
from octavo_server.guard import add_key, digest_of
from octavo_server.run import _opened
from octavo_server.sessions import IDLE, LASTS, Sessions, kept_token, way_back
from octavo_server.store import Store
from serving import BASE, TOKEN, serving

PAGE = {"accept": "text/html"}
OWN = {"origin": BASE}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    (folder / "pier.md").write_text("# Piers\n\nThe east pier was built in 1987.\n")
    with octavo.open(folder / "library") as opened:
        opened.add(folder / "pier.md")
    return folder / "library"


@pytest.fixture
def corpus(made: Path, tmp_path: Path) -> Iterator[Corpus]:
    with octavo.open(shutil.copytree(made, tmp_path / "library")) as opened:
        yield opened


@pytest.fixture
def stranger(corpus: Corpus) -> Iterator[TestClient]:
    with serving(corpus, token="") as client:
        yield client


def test_the_cookie_is_no_key_opens_links_of_other_sites_and_changes_nothing_for_them(
    stranger: TestClient, corpus: Corpus
) -> None:
    led = stranger.get(f"/?token={TOKEN}")
    name, _, rest = led.headers["set-cookie"].partition("=")
    secret, *marks = rest.split("; ")
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {*marks} and "Secure" not in marks
    assert re.fullmatch(r"octavo_[0-9a-f]{8}", name) and TOKEN not in rest
    kept = (corpus.path / "server.db").read_bytes() + b"".join(one.read_bytes() for one in corpus.path.glob("*-wal"))
    assert secret.encode() not in kept
    assert stranger.get("/v1/status", headers={"Authorization": f"Bearer {secret}"}).status_code == 401
    assert stranger.get(f"/?token={secret}").status_code == 401
    assert stranger.get("/", headers={**PAGE, "sec-fetch-site": "cross-site"}).status_code == 200
    asked = {"question": "When was the east pier built?"}
    for headers, status in (
        ({}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:3000"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        (OWN, 200),
        ({"Authorization": f"Bearer {TOKEN}"}, 200),
    ):
        assert stranger.post("/v1/ask", json=asked, headers=headers).status_code == status, headers


def test_no_get_changes_anything(stranger: TestClient) -> None:
    stranger.get(f"/?token={TOKEN}")
    before = stranger.get("/v1/status").json()
    document = stranger.get("/v1/documents").json()["items"][0]["id"]
    for path in ("/ask?question=x", f"/v1/documents/{document}?_method=DELETE", "/v1/ask?question=x", "/v1/export"):
        assert stranger.get(path).status_code in (200, 404, 405)
    assert stranger.get("/v1/status").json() == before


def test_over_tls_the_cookie_is_of_this_host_alone(corpus: Corpus) -> None:
    with serving(corpus, token="", hosts=("docs.example",)) as client:
        client.base_url = "https://docs.example"
        led = client.get(f"/?token={TOKEN}")
        assert led.headers["set-cookie"].startswith("__Host-octavo_")
        marks = led.headers["set-cookie"].split("; ")
        assert {"Secure", "HttpOnly", "SameSite=lax", "Path=/"} <= {*marks}
        assert not any(mark.startswith("Domain") for mark in marks)
        assert client.get("/v1/status").status_code == 200


def test_a_session_is_worth_nothing_at_another_corpus_and_ends_with_its_key(corpus: Corpus, tmp_path: Path) -> None:
    store = Store.beside(corpus.path)
    key = add_key(store, "reader", "read")
    with octavo.open(tmp_path / "other") as other, serving(other, token="") as elsewhere:
        with serving(corpus, token="") as client:
            client.get(f"/?token={key}")
            assert client.get("/v1/status").status_code == 200
            assert client.post("/v1/jobs/x/retry", headers=OWN).status_code == 403  # a session may what its key may
            elsewhere.cookies = client.cookies
            assert elsewhere.get("/v1/status").status_code == 401
            named = {elsewhere.app.state.services.access.cookie: next(iter(client.cookies.values()))}  # type: ignore[attr-defined]
            assert elsewhere.get("/v1/status", cookies=named).status_code == 401
        store.remove_key("reader")
        with serving(corpus, token="") as client:
            client.cookies = elsewhere.cookies
            assert client.get("/v1/status").status_code == 401


def test_sessions_end_by_themselves_and_are_few() -> None:
    now = [1e9]
    sessions = Sessions(Store(None), lambda: now[0])
    secret, holder = sessions.begin(b"k"), digest_of("k")
    assert (sessions.holder(secret), sessions.holder("other"), sessions.holder("")) == (b"k", None, None)
    for _ in range(int(LASTS / IDLE) + 1):  # used again and again
        assert sessions.holder(secret) == b"k"
        now[0] += IDLE - 60
    now[0] = 1e9 + LASTS + 1
    assert sessions.holder(secret) is None
    idle = sessions.begin(holder)
    now[0] += IDLE + 1
    assert sessions.holder(idle) is None
    first, *rest = [sessions.begin(holder) for _ in range(201)]
    now[0] += 10
    assert sum(sessions.holder(one) == holder for one in (first, *rest)) == 200


def test_the_link_lasts_over_a_restart_and_its_token_is_for_its_user_alone(corpus: Corpus) -> None:
    first, again = (_opened(corpus, ServerSettings()) for _ in range(2))
    assert first.token == again.token and len(first.token) >= 32
    file = corpus.path / "server.token"
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        file.chmod(0o644)
        assert kept_token(corpus.path) == first.token
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("short\n")
    assert len(kept_token(corpus.path)) >= 32 and kept_token(corpus.path) != first.token
    file.unlink()
    file.symlink_to(corpus.path / "elsewhere")
    assert kept_token(corpus.path) != kept_token(corpus.path)
    assert not (corpus.path / "elsewhere").exists()


def test_a_person_signs_in_on_the_page_and_comes_to_where_the_link_led(stranger: TestClient) -> None:
    refused = stranger.get("/d/abc/3?q=a%26b&token=wrong", headers=PAGE)
    assert refused.status_code == 401 and "<script" in refused.text
    form = re.search(r'<form[^>]*method="post" action="/sign-in">(.*?)</form>', refused.text, re.DOTALL)
    assert form is not None and 'type="password"' in form[1] and "wrong" not in form[1]
    back = unescape(re.search(r'name="next" value="([^"]*)"', form[1])[1])  # type: ignore[index]
    assert back == "/d/abc/3?q=a%26b"
    bad = stranger.post("/sign-in", data={"key": "nonsense", "next": back}, headers=PAGE | OWN)
    assert bad.status_code == 401 and "set-cookie" not in bad.headers and 'value="/d/abc/3' in bad.text
    other = stranger.post("/sign-in", data={"key": TOKEN}, headers=PAGE | {"origin": "https://evil.example"})
    assert other.status_code == 403 and "set-cookie" not in other.headers
    assert stranger.post("/sign-in", data={"key": TOKEN}, headers=PAGE).status_code == 403
    led = stranger.post("/sign-in", data={"key": f" {TOKEN} ", "next": back}, headers=PAGE | OWN)
    assert (led.status_code, led.headers["location"]) == (303, back)
    assert stranger.get("/v1/status").status_code == 200
    assert stranger.get("/sign-in", headers=PAGE).status_code == 200


ELSEWHERE = (
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/a\r\nset-cookie: x=y",
    "javascript:alert(1)",
    "evil",
    "",
    "/v1/documents",
    "/sign-in",
    "///evil.example",
    "/" + "a" * 3000,
)


def test_no_form_leads_to_another_site(stranger: TestClient) -> None:
    for wanted in ELSEWHERE:
        stranger.cookies.clear()
        assert way_back(wanted) == "/", wanted
        led = stranger.post("/sign-in", data={"key": TOKEN, "next": wanted}, headers=OWN)
        assert (led.status_code, led.headers["location"]) == (303, "/"), wanted


@pytest.mark.parametrize("wanted", ["/", "/c/0123-4-5", "/d/abc/3?q=a%26b", "/a/é", "/?match=x"])
def test_links_of_this_server_are_led_to(wanted: str) -> None:
    assert way_back(wanted) == wanted


def test_signing_out_ends_the_session_on_the_server_too(stranger: TestClient) -> None:
    secrets = []
    for _ in range(2):  # two browsers
        stranger.cookies.clear()
        stranger.get(f"/?token={TOKEN}")
        secrets.append({**stranger.cookies})
    assert stranger.delete("/v1/session", headers={"origin": "http://evil.example"}).status_code == 403
    assert stranger.get("/v1/status").status_code == 200
    left = stranger.delete("/v1/session", headers=OWN)
    assert left.status_code == 204
    assert "Max-Age=0" in left.headers["set-cookie"]
    stranger.cookies.update(secrets[1])  # who kept the cookie
    assert stranger.get("/v1/status").status_code == 401
    stranger.cookies.clear()
    stranger.cookies.update(secrets[0])
    assert stranger.get("/v1/status").status_code == 200
    by_key = {"Authorization": f"Bearer {TOKEN}"}
    stranger.cookies.clear()
    assert stranger.delete("/v1/session", headers=by_key).status_code == 204
    assert stranger.get("/v1/status", headers=by_key).status_code == 200
    assert stranger.delete("/v1/session", headers=OWN).status_code == 401
