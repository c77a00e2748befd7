"""Whoever has no key, or one that may only read: what the server keeps, writes and does for them is bounded."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import octavo
import storing
from octavo.server import admission, guard
from octavo.server.run import FewLines
from octavo.server.services import METHODS, Health, Metrics
from octavo.server.store import Store
from octavo.server.work import Pool
from serving import events_of, serving


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add(storing.write(tmp_path, quay="The quay has nine moorings."))
    return tmp_path / "corpus"


@pytest.fixture
def stranger(folder: Path) -> Iterator[TestClient]:
    with octavo.open(folder) as corpus, serving(corpus, token="") as client:
        yield client


def test_methods_that_are_made_up_are_counted_as_one(stranger: TestClient) -> None:
    for number in range(300):
        stranger.request(f"M{number}", f"/v1/made-up-{number}?q={number}", headers={"Host": f"h{number}"})
        stranger.request(f"N{number}", "/health")
    metrics: Metrics = stranger.app.state.services.metrics  # type: ignore[attr-defined]
    methods = {method for method, _route, _status in metrics._requests}
    assert methods <= METHODS | {"OTHER"}
    assert len(metrics._requests) < 10
    assert len(metrics._classes) < 5


@pytest.mark.parametrize(
    "host",
    ["evil.com@127.0.0.1", "127.0.0.1@evil.com", "127.0.0.1:80:80", "127.0.0.1/x", "127.0.0.1#x", "[::1%25lo]", "a b", ""],
)
def test_a_host_is_a_name_and_a_port_and_nothing_else(stranger: TestClient, host: str) -> None:
    refused = stranger.get("/health", headers={"Host": host})
    assert (refused.status_code, refused.json()["reason"]) == (403, "host")


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8080", "localhost", "[::1]:8080", "LOCALHOST:1"])
def test_its_own_names_are_answered(stranger: TestClient, host: str) -> None:
    assert stranger.get("/health", headers={"Host": host}).status_code == 200


def test_a_body_framed_in_two_ways_is_refused_and_the_connection_ends(stranger: TestClient) -> None:
    refused = stranger.post("/v1/ask", content=b"0\r\n\r\n", headers={"Transfer-Encoding": "chunked", "Content-Length": "5"})
    assert (refused.status_code, refused.json()["reason"]) == (400, "framing")
    assert refused.headers["connection"] == "close"


def test_all_who_ask_for_its_health_share_a_look() -> None:
    looks: list[int] = []

    async def asked() -> None:
        pool, health = Pool("searches", running=1, waiting=1), Health(lambda: looks.append(1))
        await asyncio.gather(*(health.check(pool) for _ in range(500)))
        pool.close()

    asyncio.run(asked())
    assert looks == [1]


def test_what_strangers_have_logged_is_few_lines_and_errors_pass() -> None:
    few = FewLines(most=3, seconds=60)

    def passes(level: int, at: float) -> bool:
        record = logging.LogRecord("uvicorn.error", level, "", 0, "said", (), None)
        record.created = at
        return few.filter(record)

    assert [passes(logging.WARNING, 1000.0 + at) for at in range(5)] == [True, True, True, False, False]
    assert passes(logging.ERROR, 1005.0)
    assert passes(logging.WARNING, 1061.0)


class TestRemovedKeys:
    """What was begun with a key ends with it."""

    @pytest.fixture(autouse=True)
    def _at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(guard, "_KEPT_SECONDS", 0.0)
        monkeypatch.setattr(admission, "LOOK_SECONDS", 0.0)

    def test_a_stream_of_jobs_ends_with_its_key(self, folder: Path) -> None:
        with octavo.open(folder) as corpus, serving(corpus, token="", heartbeat=0.05) as client:
            store: Store = client.app.state.services.store  # type: ignore[attr-defined]
            secret = guard.add_key(store, "reader", "read")
            metrics: Metrics = client.app.state.services.metrics  # type: ignore[attr-defined]

            def remove() -> None:
                while not metrics._streams:
                    time.sleep(0.01)
                store.remove_key("reader")

            with ThreadPoolExecutor(1) as threads:
                threads.submit(remove)
                headers = {"Authorization": f"Bearer {secret}", "Accept": "text/event-stream"}
                told = client.get("/v1/jobs", headers=headers)
            assert told.status_code == 200
            name, problem = events_of(told.text)[-1]
            assert (name, problem["reason"]) == ("error", "key")
            assert not metrics._streams

    def test_a_question_that_takes_long_is_not_told_to_a_key_that_is_gone(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with octavo.open(folder) as corpus, serving(corpus, token="") as client:
            services = client.app.state.services  # type: ignore[attr-defined]
            secret = guard.add_key(services.store, "reader", "read")
            before = services.library.ask

            def ask(*given: object, **more: object) -> object:
                services.store.remove_key("reader")
                return before(*given, **more)

            monkeypatch.setattr(services.library, "ask", ask)
            headers = {"Authorization": f"Bearer {secret}"}
            refused = client.post("/v1/ask", json={"question": "How many moorings?"}, headers=headers)
            assert (refused.status_code, refused.json()["reason"]) == (401, "key")

    def test_a_file_on_its_way_is_not_kept(self, folder: Path) -> None:
        with octavo.open(folder) as corpus, serving(corpus, token="") as client:
            store: Store = client.app.state.services.store  # type: ignore[attr-defined]
            secret = guard.add_key(store, "writer", "write")

            def parts() -> Iterator[bytes]:
                yield b"A text that is long. "
                store.remove_key("writer")
                yield b"And its end."

            headers = {"Authorization": f"Bearer {secret}"}
            refused = client.post("/v1/documents?name=a.txt", content=parts(), headers=headers)
            assert refused.status_code == 401
            assert not [*(folder / "uploads").rglob("*.txt")]
