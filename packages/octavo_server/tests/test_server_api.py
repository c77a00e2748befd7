"""The HTTP API as its callers see it."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate
from pydantic import TypeAdapter
from starlette.testclient import TestClient

import octavo
from octavo.corpus.judges import ModelConfig
from octavo.models.gateway import Limits
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import ScriptedModel
from octavo_server.api import ROUTES
from octavo_server.api.about import described, errors_of
from octavo_server.guard import HEADERS, add_key
from octavo_server.scopes import ADMIN, READ, WRITE
from octavo_server.shapes import model_names
from octavo_server.store import Store
from octavo_server.streams import EventStream, Feed
from serving import EXAMPLES, TOKEN, events_of, serving

STREAM = {"Accept": "text/event-stream"}
QUESTION = "What is the greatest swell height for landing at North Gut?"


@pytest.fixture(scope="module")
def indexed(examples: Path) -> Path:
    return examples


@pytest.fixture(scope="module")
def client(indexed: Path) -> Iterator[TestClient]:
    with octavo.open(indexed) as corpus, serving(corpus) as client:
        yield client


@pytest.fixture(scope="module")
def handbook(client: TestClient) -> str:
    items = client.get("/v1/documents", params={"match": "handbook.pdf"}).json()["items"]
    return str(items[0]["id"]).removeprefix("sha256:")


def path_of(path: str, handbook: str) -> str:
    known = {"page": "17", "layer": "entities", "entity": "e0", "job": "nojob"}
    known["id"] = handbook if path.startswith("/v1/documents") else "noid"
    return re.sub(r"\{(\w+)\}", lambda found: known[found[1]], path)


def test_the_description_is_valid_and_names_every_route(client: TestClient) -> None:
    told = client.get("/openapi.json").json()
    validate(told)
    assert told == json.loads(json.dumps(described(ROUTES)))
    assert {(path, method) for path, one in told["paths"].items() for method in one} == {
        (route.path, route.method.lower()) for route in ROUTES
    }


@pytest.mark.parametrize("route", [route for route in ROUTES if route.method == "GET"], ids=lambda route: route.name)
def test_responses_are_as_described(route: Any, client: TestClient, handbook: str) -> None:
    query = {"get_marks": {"block": "b277", "text": "winter"}}.get(route.name, {})
    found = client.get(path_of(route.path, handbook), params=query)
    if found.is_success and route.response is not None:
        TypeAdapter(route.response).validate_json(found.content)
    else:
        assert found.is_success or found.status_code in errors_of(route), found.text
    assert {name: found.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_each_route_needs_its_scope(route: Any, indexed: Path, handbook: str, client: TestClient) -> None:
    store: Store = client.app.state.services.store  # type: ignore[attr-defined]
    name = f"key for {route.name}"
    path, order = path_of(route.path, "0" * 64), (None, READ, WRITE, ADMIN)
    for granted in order:
        headers = {"Authorization": "Bearer wrong"}
        if granted is not None:
            headers = {"Authorization": f"Bearer {add_key(store, f'{name} {granted}', granted)}"}
        client.app.state.services.access._keys = (-10.0, ())  # type: ignore[attr-defined]
        found = client.request(route.method, path, headers=headers, content=b"")
        if route.scope is None or (granted is not None and order.index(granted) >= order.index(route.scope)):
            assert found.status_code not in (401, 403)
        else:
            assert found.status_code == (401 if granted is None else 403), found.text
            assert found.headers["content-type"] == "application/problem+json"


def test_other_names_and_pages_of_other_sites_are_refused(client: TestClient) -> None:
    assert client.get("/health", headers={"Host": "rebound.example"}).json()["reason"] == "host"
    assert client.get("/health", headers={"Origin": "https://evil.example"}).json()["reason"] == "origin"
    assert client.get("/health", headers={"Origin": "http://127.0.0.1:8080"}).status_code == 200
    assert client.get("/health", headers={"Host": "localhost:9"}).status_code == 200


def test_the_link_gives_a_cookie_and_leads_on_without_its_token(indexed: Path) -> None:
    with octavo.open(indexed) as corpus, serving(corpus, token="") as client:
        assert client.get("/v1/status").status_code == 401
        assert client.get("/?token=wrong").status_code == 401
        led = client.get(f"/d/abc?token={TOKEN}&q=1")
        assert (led.status_code, led.headers["location"]) == (303, "/d/abc?q=1")
        assert {"HttpOnly", "SameSite=lax"} <= set(led.headers["set-cookie"].split("; "))
        assert client.get("/v1/status").status_code == 200
        led = client.get(f"http://127.0.0.1:8080//evil.example/?token={TOKEN}")
        assert led.headers["location"] == "/evil.example/"


def test_pages_words_and_pictures(client: TestClient, handbook: str) -> None:
    page = client.get(f"/v1/documents/{handbook}/pages/28").json()
    assert page["page_label"] == "22"
    table = next(block for block in page["blocks"] if block["table"])
    assert all(0 <= value <= 1 for value in table["relative"])
    assert table["table"]["cells"][0]["text"]
    words = client.get(f"/v1/documents/{handbook}/pages/28/words").json()
    assert words["source"] == "text"
    assert len(words["words"]) > 50
    address = f"/v1/documents/{handbook}/pages/28/image?width=300&format=webp&boxes={table['block']}"
    picture = client.get(address)
    assert picture.headers["content-type"] == "image/webp"
    assert picture.content[8:12] == b"WEBP"
    again = client.get(address, headers={"If-None-Match": picture.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "immutable" in client.get(f"{address}&v={handbook[:16]}").headers["cache-control"]


def test_an_answer_is_kept_and_its_citations_lead_back(client: TestClient) -> None:
    answer = client.post("/v1/ask", json={"question": QUESTION, "documents": ["handbook.pdf"]}).json()
    assert (answer["outcome"], answer["answer"]) == ("answer", "1.2 m")
    assert answer["steps"]
    assert client.get(f"/v1/answers/{answer['id']}").json() == answer
    citation = answer["citations"][0]
    cited = client.get(f"/v1/citations/{citation['id']}").json()
    assert (cited["quote"], cited["state"], cited["page"]) == (citation["quote"], "same", citation["page"])
    assert cited["boxes"]


def test_the_latest_answers_are_kept_and_the_links_of_others_say_that_they_are_gone(
    indexed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("octavo_server.store.MOST_ANSWERS", 2)
    shutil.copytree(indexed, tmp_path / "corpus", ignore=shutil.ignore_patterns("server.db*"))
    with octavo.open(tmp_path / "corpus") as corpus, serving(corpus) as client:
        asked = [client.post("/v1/ask", json={"question": QUESTION, "conversation": "new"}).json() for _ in range(3)]
        kept = [client.get(f"/v1/answers/{one['id']}").status_code for one in asked]
        assert kept == [410, 200, 200]
        assert client.get(f"/v1/conversations/{asked[0]['conversation']}").status_code == 404
        page = client.get(asked[0]["link"], headers={"Accept": "text/html"})
        assert (page.status_code, "no longer kept" in page.text) == (410, True)
        client.delete(f"/v1/documents/{asked[1]['citations'][0]['document_id']}")
        assert client.get(f"/v1/answers/{asked[1]['id']}").status_code == 410


def test_a_store_of_the_version_before_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "server.db"
    store = Store(path)
    store.add_key("theirs", b"digest", "read")
    with store.writing() as connection:
        connection.execute("DROP TABLE gone; DROP INDEX documents_of_answer")
        connection.pragma("user_version", 1)
    store.close()
    again = Store(path)
    assert [key.name for key in again.all_keys()] == ["theirs"]
    assert not again.is_gone("x")
    again.close()


def test_a_conversation_understands_what_follows(client: TestClient) -> None:
    first = client.post("/v1/ask", json={"question": QUESTION, "conversation": "new"}).json()
    follow = {"question": "And at South Slip?", "conversation": first["conversation"]}
    second = client.post("/v1/ask", json=follow).json()
    assert "South Slip" in second["understood"]
    kept = client.get(f"/v1/conversations/{first['conversation']}").json()
    assert [turn["id"] for turn in kept["turns"]] == [first["id"], second["id"]]
    assert client.post("/v1/ask", json={**follow, "conversation": "none"}).status_code == 404


def test_a_stream_tells_steps_passages_and_the_answer(client: TestClient) -> None:
    found = client.post("/v1/ask", json={"question": QUESTION}, headers=STREAM)
    events = events_of(found.text)
    names = [name for name, _ in events]
    assert names[0] == "plan"
    assert names[-3:] == ["passages", "answer", "done"]
    assert all(value["told"] for name, value in events if name == "step")
    assert client.get(f"/v1/answers/{events[-1][1]['id']}").json() == events[-1][1]


def test_folders_are_named_by_what_tells_them_apart(tmp_path: Path) -> None:
    for name in ("files/a/notes/one.md", "files/b/notes/two.md", "files/b/three.md", "files/[old]/four.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"# {name}\n\nThe {name} is here.\n", "utf-8")
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add(tmp_path / "files")
        with serving(corpus) as client:
            items = client.get("/v1/folders").json()["items"]
            assert {one["name"]: one["documents"] for one in items} == {"[old]": 1, "a/notes": 1, "b": 2, "b/notes": 1}
            patterns = {one["name"]: one["pattern"] for one in items}
            assert patterns["b/notes"] == "b/notes/*"
            for one in items:
                listed = client.get("/v1/documents", params={"folder": one["pattern"]}).json()
                assert (listed["total"], len(listed["items"])) == (one["documents"], one["documents"])
            found = client.get("/v1/find", params={"text": "here", "document": patterns["b"]}).json()
            assert sorted(one["document"] for one in found["documents"]) == ["three.md", "two.md"]
            both = client.get("/v1/documents", params={"folder": patterns["b"], "match": "two"}).json()
            assert [one["name"] for one in both["items"]] == ["two.md"]
            assert str(tmp_path) not in json.dumps(items)


def test_a_first_look_tells_what_there_is_and_what_is_answered(client: TestClient, handbook: str) -> None:
    brief = client.get(f"/v1/documents/{handbook}/first-look", params={"questions": "false"}).json()
    assert brief["section_count"] > 50
    assert {
        key: one[key] for one in brief["sections"] for key in ("title", "page") if one["title"].startswith("5 ")
    } == {"title": "5 Boats and Crossings", "page": 26}
    assert {one["kind"] for one in brief["elements"]} >= {"table", "chart"}
    look = client.get(f"/v1/documents/{handbook}/first-look").json()
    assert {**look, "questions": brief["questions"]} == brief
    assert len(look["questions"]) == 3
    for one in look["questions"]:
        assert client.get(one["link"].replace("/c/", "/v1/citations/")).json()["page"] == one["page"]


def test_what_is_typed_is_found_in_titles_and_words(client: TestClient, handbook: str) -> None:
    found = client.get("/v1/find", params={"text": "swell height", "document": handbook}).json()
    assert (found["found"], found["total"], found["is_complete"]) == (1, 1, True)
    (place,) = found["documents"][0]["places"]
    [(start, stop)] = place["emphasis"]
    assert (place["page"], place["snippet"][start:stop]) == (28, "Swell height")
    assert client.get(f"/v1/citations/{place['id']}").json()["quote"] == "Swell height"
    first = client.get("/v1/find", params={"text": "the", "document": handbook, "limit": 2}).json()["documents"][0]
    second = client.get("/v1/find", params={"text": "the", "document": handbook, "cursor": first["next"]}).json()
    assert first["next"] == "2"
    assert second["documents"][0]["places"][0]["id"] not in {one["id"] for one in first["places"]}
    title = client.get("/v1/find", params={"text": "orrin sk"}).json()["documents"][0]
    assert [title["title"][start:stop] for start, stop in title["in_title"]] == ["Orrin Sk"]
    assert client.get("/v1/find", params={"text": " "}).status_code == 422
    assert client.get("/v1/find", params={"text": "a", "document": "f" * 16}).status_code == 404


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (b"{bad", 400, "not valid JSON"),
        (b'{"question": ""}', 422, "question"),
        (b'{"question": "  "}', 422, "question"),
        (b'{"question": 3}', 422, "valid string"),
        (b'{"question": "a", "colour": 1}', 422, "colour"),
        (b'{"question": "a", "system": "autp"}', 422, "choose one of auto"),
        (b'{"question": "a", "documents": ["handbok.pdf"]}', 404, "did you mean 'handbook.pdf'?"),
        (b'{"question": "a", "limit": 0}', 422, "limit"),
        (b'{"question": "' + b"a" * 2_000_000 + b'"}', 413, "larger"),
        (b"[" * 100_000, 400, "not valid JSON"),
    ],
)
def test_what_is_wrong_with_a_question_is_said(client: TestClient, body: bytes, status: int, says: str) -> None:
    for accept in ("application/json", "text/event-stream"):
        headers = {"Content-Type": "application/json", "Accept": accept}
        found = client.post("/v1/ask", content=body, headers=headers)
        assert (found.status_code, found.headers["content-type"]) == (status, "application/problem+json")
        assert says in found.json()["detail"]


def test_what_is_not_there_is_not_found(client: TestClient, handbook: str, indexed: Path) -> None:
    start = f"/v1/documents/{handbook}"
    paths = ["/v1/documents/ffffffffffffffff", "/v1/documents/..%2f..", f"{start}/pages/0", f"{start}/pages/45"]
    paths += [f"{start}/pages/x", f"{start}/layers/moods", f"{start}/layers/entities/e9999/graph", "/v1/jobs/x"]
    paths += ["/v1/answers/x", "/v1/conversations/x", "/nothing"]
    for path in paths:
        found = client.get(path)
        assert found.status_code == 404, path
        assert str(indexed) not in found.text
        assert found.json()["detail"]
    assert client.get(f"{start}/marks?block=b99999&text=a").status_code in (404, 422)
    assert client.put("/v1/documents").status_code == 405
    page = client.get("/nothing", headers={"Accept": "text/html"})
    assert (page.status_code, "<h1>Not in the library</h1>" in page.text) == (404, True)


def test_no_response_names_a_path_of_the_machine(client: TestClient, handbook: str, indexed: Path) -> None:
    for route in ROUTES:
        if route.method == "GET" and not route.media:
            text = client.get(path_of(route.path, handbook)).text
            assert str(indexed) not in text
            assert str(EXAMPLES) not in text


def test_models_are_named_without_where_they_are() -> None:
    named = model_names(
        {"answer": "openai:small@http://10.0.0.9:8080/v1", "decide": "local:/home/ada/models/tiny.gguf"}
    )
    assert named == {"answer": "openai:small", "decide": "local:tiny.gguf"}


def test_a_model_that_fails_midway_leaves_the_answer_to_the_rules(indexed: Path) -> None:
    model = ScriptedModel(lambda _request: ModelFault(FaultKind.SERVER, "it broke"))
    with octavo.open(indexed, models=model) as corpus, serving(corpus) as client:
        body = {"question": QUESTION, "max_seconds": 5}
        events = events_of(client.post("/v1/ask", json=body, headers=STREAM).text)
    names = [name for name, _ in events]
    assert names.count("passages") == 2  # what fits is shown before a model is asked
    assert "link" in events[names.index("passages")][1]["passages"][0]
    assert names[-1] == "done"
    assert events[-1][1]["answer"] == "1.2 m"


def test_more_questions_than_search_at_once_are_read_by_a_model_at_once(indexed: Path) -> None:
    asked = 4
    together = threading.Barrier(asked)

    def reply(_request: Request) -> str:
        together.wait(30)
        return '{"evidence": [], "answerable": false}'

    models = ModelConfig({"language": ScriptedModel(reply)}, limits=Limits(concurrency=asked))
    with (
        octavo.open(indexed, models=models) as corpus,
        serving(corpus, searches=1) as client,
        ThreadPoolExecutor(asked) as threads,
    ):
        questions = [{"question": f"Who keeps dog {number}?"} for number in range(asked)]
        answers = [one.json() for one in threads.map(lambda body: client.post("/v1/ask", json=body), questions)]
    assert [one["failures"] for one in answers] == [[]] * asked


def test_what_nobody_expected_while_an_answer_streams_is_logged(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("octavo_server.questions.Questions._keep", lambda *_: 1 / 0)
    events = events_of(client.post("/v1/ask", json={"question": QUESTION}, headers=STREAM).text)
    assert (events[-1][0], events[-1][1]["reason"]) == ("error", "bug")
    assert "ZeroDivisionError" in caplog.text


def test_a_corpus_removed_under_the_server_is_told(indexed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    shutil.copytree(indexed, folder, ignore=shutil.ignore_patterns("server.db*"))
    with octavo.open(folder) as corpus, serving(corpus) as client:
        for path in folder.glob("corpus.db*"):
            path.write_bytes(b"nothing " * 2000)
        found = client.post("/v1/search", json={"question": QUESTION})
        assert found.status_code >= 400
        assert found.json()["reason"] in ("damaged", "locked", "missing", "bug")
        assert str(folder) not in found.text


def test_too_much_at_once_is_refused_at_once(indexed: Path) -> None:
    with octavo.open(indexed) as corpus, serving(corpus, searches=1, waiting=0) as client:
        pool = client.app.state.services.searches  # type: ignore[attr-defined]
        pool._taken += 1  # one that runs
        found = client.get("/v1/status")
        pool._taken -= 1
    assert (found.status_code, found.headers["retry-after"]) == (503, "1")


def test_an_empty_corpus_says_what_to_do(tmp_path: Path) -> None:
    with octavo.open(tmp_path / "new") as corpus, serving(corpus, read_only=True) as client:
        assert client.get("/v1/documents").json() == {"items": [], "next": None, "total": 0}
        found = client.post("/v1/ask", json={"question": "a"})
        assert found.status_code == 409
        assert client.post("/v1/documents?name=a.pdf", content=b"%PDF-").json()["reason"] == "read_only"


def test_the_page_on_the_server_lists_every_route() -> None:
    page = (EXAMPLES.parent / "docs" / "server.md").read_text(encoding="utf-8")
    missing = [
        row for row in ROUTES if f"| `{row.method} {row.path}` | {row.scope or 'none'} | {row.summary} |" not in page
    ]
    assert missing == []


@pytest.mark.parametrize("text", ["x" * 50, "x" * 200_000])
def test_a_slow_reader_gets_the_last_text_and_holds_nobody_up(text: str) -> None:
    async def told() -> list[bytes]:
        feed = Feed(asyncio.get_running_loop())
        for end in range(0, len(text), len(text) // 50):
            await asyncio.to_thread(feed.put, "token", {"text": text[:end]})
        feed.put("done", {"answer": text})
        feed.end()
        return [event async for event in feed.events(1.0)]

    events = asyncio.run(told())
    assert [event.split(b"\n")[0] for event in events] == [b"event: token", b"event: done"]


def test_a_reader_that_goes_cancels_the_question() -> None:
    async def left() -> list[str]:
        ended = list[str]()
        stream = EventStream(Feed(asyncio.get_running_loop()), 10.0, lambda: ended.append("left"))

        async def receive() -> Any:
            return {"type": "http.disconnect"}

        async def send(_message: Any) -> None:
            return

        await asyncio.wait_for(stream({"type": "http"}, receive, send), 5)
        return ended

    assert asyncio.run(left()) == ["left"]


def test_documents_come_in_the_order_that_is_asked_for_a_page_at_a_time(tmp_path: Path) -> None:
    titles = {"c.md": "Part 10 of the log", "a.md": "part 2 of the log", "d.md": "An index of it all", "b.md": ""}
    for name, title in titles.items():
        pages = "\n\n".join(f"## {name} {at}\n\n{'Words. ' * 700}" for at in range(3 if name == "d.md" else 1))
        (tmp_path / name).write_text(f"---\ntitle: {title}\n---\n\n{pages}\n" if title else pages)

    def listed(client: TestClient, **query: str) -> list[str]:
        names: list[str] = []
        cursor: str | None = ""
        while cursor is not None:
            given = {"limit": "3", **query, **({"cursor": cursor} if cursor else {})}
            page = client.get("/v1/documents", params=given).json()
            names += [one["name"] for one in page["items"]]
            cursor = page["next"]
        return names

    with octavo.open(tmp_path / "corpus") as corpus:
        for name in ("c.md", "a.md", "d.md", "b.md"):
            corpus.add(tmp_path / name)
        with serving(corpus) as client:
            assert listed(client) == ["a.md", "b.md", "c.md", "d.md"]
            assert listed(client, sort="title") == ["d.md", "b.md", "a.md", "c.md"]
            assert listed(client, sort="title", match="*.md") == ["d.md", "b.md", "a.md", "c.md"]
            assert listed(client, match="A") == ["a.md", "c.md", "d.md"]  # a.md in full, the others by their titles
            assert listed(client, sort="newest") == ["b.md", "d.md", "a.md", "c.md"]
            assert listed(client, sort="pages")[0] == "d.md"
            assert client.get("/v1/documents?sort=size").status_code == 422
