"""Whoever has no key, or one that may only read: what the server keeps, writes and does for them is bounded."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import octavo
import storing
from octavo.server.run import FewLines
from octavo.server.services import METHODS, Health, Metrics
from octavo.server.work import Pool
from serving import serving


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
