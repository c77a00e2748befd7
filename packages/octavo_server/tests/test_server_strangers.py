"""Whoever has no key, or one that may only read: what the server keeps, writes and does for them is bounded."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import octavo
from octavo.corpus import Corpus
from octavo.errors import UnbuiltError
from octavo_server import admission, guard
from octavo_server.pools import Pool
from octavo_server.run import FewLines
from octavo_server.services import METHODS, Health, Metrics
from octavo_server.store import Store
from serving import events_of, serving


def written(folder: Path, **texts: str) -> list[Path]:
    files = [folder / f"{name}.txt" for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(text)
    return files


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    with octavo.open(folder / "corpus") as corpus:
        corpus.add(written(folder, quay="The quay has nine moorings."))
    return folder / "corpus"


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "corpus"))


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


NO_HOSTS = (
    "evil.com@127.0.0.1",
    "127.0.0.1@evil.com",
    "127.0.0.1:80:80",
    "127.0.0.1/x",
    "127.0.0.1#x",
    "[::1%25lo]",
    "a b",
    "",
)


def test_a_host_is_a_name_and_a_port_and_nothing_else(stranger: TestClient) -> None:
    for host in NO_HOSTS:
        refused = stranger.get("/health", headers={"Host": host})
        assert (refused.status_code, refused.json()["reason"]) == (403, "host"), host


def test_its_own_names_are_answered(stranger: TestClient) -> None:
    for host in ("127.0.0.1", "127.0.0.1:8080", "localhost", "[::1]:8080", "LOCALHOST:1"):
        assert stranger.get("/health", headers={"Host": host}).status_code == 200, host


def test_a_body_framed_in_two_ways_is_refused_and_the_connection_ends(stranger: TestClient) -> None:
    refused = stranger.post(
        "/v1/ask", content=b"0\r\n\r\n", headers={"Transfer-Encoding": "chunked", "Content-Length": "5"}
    )
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


def digests(folder: Path) -> dict[str, str]:
    """Return the files of a corpus but those that SQLite keeps beside an open one."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(("-wal", "-shm"))]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def keyed(client: TestClient, scope: str) -> dict[str, str]:
    store: Store = client.app.state.services.store  # type: ignore[attr-defined]
    return {"Authorization": f"Bearer {guard.add_key(store, f'one to {scope}', scope)}"}


def built(corpus: Corpus) -> set[str]:
    return {name for layers in corpus.layers().values() for name in layers}


QUESTION = {"question": "How many moorings has the quay?", "system": "bookrag"}
EVENTS = {"Accept": "text/event-stream"}


@pytest.mark.needs("octavo_methods")
class TestLayers:
    """Layers are built for those who may write, beside all else."""

    @pytest.mark.parametrize("path", ["/v1/search", "/v1/ask"])
    def test_a_key_that_may_read_is_told_what_is_missing_and_nothing_is_written(self, folder: Path, path: str) -> None:
        with octavo.open(folder) as corpus, serving(corpus, token="") as client:
            headers = keyed(client, "read")
            before = digests(folder), built(corpus)
            refused = client.post(path, json=QUESTION, headers=headers)
            assert refused.status_code == 409
            problem = refused.json()
            assert problem["reason"] == "unbuilt", problem
            assert (problem["reason"], problem["system"], problem["calls"]) == ("unbuilt", "bookrag", 0)
            assert problem["layers"] == ["entities", "entity_vectors"]
            assert problem["document_count"] == len(problem["documents"]) == 1
            assert problem["seconds"] >= 1
            assert "octavo add --for bookrag" in problem["detail"]
            told = events_of(client.post("/v1/ask", json=QUESTION, headers={**headers, **EVENTS}).text)
            assert [(name, value["reason"]) for name, value in told if name == "error"] == [("error", "unbuilt")]
            assert (digests(folder), built(corpus)) == before

    def test_a_key_that_may_write_has_them_built_in_another_process(self, folder: Path) -> None:
        with octavo.open(folder) as corpus, serving(corpus, token="") as client:
            headers = keyed(client, "write")
            told = events_of(client.post("/v1/ask", json=QUESTION, headers={**headers, **EVENTS}).text)
            assert told[-1][0] == "done", told[-1]
            assert "BuildLayers" in [value["step"] for name, value in told if name == "step"]
            assert {"entities", "entity_vectors"} <= built(corpus)
            found = client.post("/v1/search", json={**QUESTION, "system": "raptor"}, headers=headers)
            assert found.status_code == 200
            assert "topology" in built(corpus)

    def test_agents_are_told_the_same(self, folder: Path) -> None:
        pytest.importorskip("mcp")
        asked = {"name": "search", "arguments": {"query": "How many moorings?", "system": "bookrag"}}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
        speaks = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
        with octavo.open(folder) as corpus, serving(corpus, token="") as client:
            reads, writes = keyed(client, "read"), keyed(client, "write")
            before = digests(folder)
            told = client.post("/mcp", json=call, headers={**speaks, **reads}).text
            assert "entity_vectors" in told
            assert '"isError":true' in told
            assert digests(folder) == before
            told = client.post("/mcp", json=call, headers={**speaks, **writes}).text
            assert "nine moorings" in told
            assert "entities" in built(corpus)

    def test_a_build_that_fails_is_told(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("octavo_server.jobs.sys.executable", "/bin/false")
        with octavo.open(folder) as corpus, serving(corpus) as client:
            failed = client.post("/v1/search", json=QUESTION)
            assert (failed.status_code, failed.json()["reason"]) == (503, "locked")

    def test_a_server_that_only_reads_writes_nothing_at_all(self, folder: Path) -> None:
        with octavo.open(folder) as corpus, serving(corpus, token="") as client:
            store: Store = client.app.state.services.store  # type: ignore[attr-defined]
            secret = guard.add_key(store, "admin", "admin")
            kept = client.post("/v1/ask", json={"question": "How many?"}, headers={"Authorization": f"Bearer {secret}"})
        before = digests(folder)
        fixed = octavo.open(folder, read_only=True)
        with fixed as corpus, serving(corpus, token="", read_only=True) as client:
            client.headers["Authorization"] = f"Bearer {secret}"
            assert client.post("/v1/ask", json=QUESTION).json()["reason"] == "unbuilt"
            assert client.post("/v1/search", json=QUESTION).status_code == 409
            asked = client.post("/v1/ask", json={"question": "How many moorings?", "conversation": "new"}).json()
            again = {"question": "And lamps?", "conversation": asked["conversation"]}
            assert client.post("/v1/ask", json=again).status_code == 200
            assert client.get(f"/v1/answers/{asked['id']}").json()["question"] == "How many moorings?"
            assert client.get(f"/v1/answers/{kept.json()['id']}").status_code == 200
            assert len(client.get(f"/v1/conversations/{asked['conversation']}").json()["turns"]) == 2
            assert client.post("/v1/documents?name=a.txt", content=b"words").json()["reason"] == "read_only"
        assert digests(folder) == before

    def test_many_documents_are_asked_of_a_corpus_that_is_only_read(self, tmp_path: Path) -> None:
        texts = {f"quay{number}": f"Quay {number} has {number} moorings." for number in range(30)}
        with octavo.open(tmp_path / "corpus") as corpus:
            corpus.add(written(tmp_path, **texts))
        shutil.rmtree(tmp_path / "corpus" / "derived", ignore_errors=True)
        before = digests(tmp_path / "corpus")
        with octavo.open(tmp_path / "corpus", read_only=True) as corpus:
            assert corpus.search("How many moorings has quay 17?").to_json()["pages"]
            with pytest.raises(UnbuiltError, match="octavo add --for bookrag"):
                corpus.search("How many moorings?", system="bookrag")
        assert digests(tmp_path / "corpus") == before
