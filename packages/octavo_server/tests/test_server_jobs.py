"""Files that are sent to a server, and what happens to them when things die."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import ClientDisconnect
from starlette.testclient import TestClient

import octavo
import pdfs
from octavo.corpus import Corpus
from octavo_server import IndexingSettings, uploads
from octavo_server.jobs import JobTable
from octavo_server.problems import Problem
from octavo_server.store import Store
from octavo_server.uploads import Uploads, clean_name
from serving import EXAMPLES, events_of, serving

NOTE = b"# Harbour\n\nThe harbour master is Ada Quill. The fee is 12 crowns a night.\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with octavo.open(tmp_path_factory.mktemp("jobs") / "corpus") as corpus:
        yield corpus


@pytest.fixture(scope="module")
def running(corpus: Corpus) -> Iterator[TestClient]:
    with serving(corpus, max_upload=1 << 20) as client:
        yield client


@pytest.fixture
def client(running: TestClient) -> Iterator[TestClient]:
    """Return a client of the server of this module, which has neither documents nor jobs."""
    yield running
    for one in running.get("/v1/jobs").json()["items"]:
        running.post(f"/v1/jobs/{one['id']}/cancel")
    for kind in ("documents", "jobs"):
        for one in running.get(f"/v1/{kind}").json()["items"]:
            running.delete(f"/v1/{kind}/{one['id']}")
        assert running.get(f"/v1/{kind}").json()["total"] == 0


LONG = NOTE + b"".join(b"\n\nOn day %d the sea was %d feet high at the pier." % (day, day % 7) for day in range(600))


def sent(client: TestClient | httpx.Client, data: bytes, name: str = "harbour.md") -> Any:
    return client.post("/v1/documents", params={"name": name}, content=data)


def ended(client: TestClient, job: str) -> Any:
    text = client.get(f"/v1/jobs/{job}", headers={"Accept": "text/event-stream"}).text
    return events_of(text)[-1][1]


def until(holds: Callable[[], Any], seconds: float = 30.0) -> Any:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := holds():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not come to pass")


def test_a_file_is_taken_indexed_asked_and_removed(client: TestClient, corpus: Corpus) -> None:
    queued = sent(client, NOTE, "../../harbour.md")
    assert queued.status_code == 202
    job = ended(client, queued.json()["job"]["id"])
    assert (job["state"], job["name"]) == ("done", "harbour.md")
    again = sent(client, NOTE, "other.md")
    assert (again.status_code, again.json()["job"]["state"]) == (200, "done")
    assert client.get("/v1/documents").json()["total"] == 1
    answer = client.post("/v1/ask", json={"question": "What is the fee a night?"}).json()
    kept = [path for path in (corpus.path / "uploads").rglob("*") if path.is_file()]
    assert [path.name for path in kept] == ["harbour.md"]
    assert client.delete(f"/v1/documents/{job['document_id']}").status_code == 204
    assert client.get("/v1/documents").json()["total"] == 0
    assert client.get(f"/v1/answers/{answer['id']}").status_code == 410
    assert not any(path.is_file() for path in (corpus.path / "uploads").rglob("*"))


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_removing_says_what_is_deleted_and_deletes_no_more(client: TestClient, corpus: Corpus, tmp_path: Path) -> None:
    told = {"Accept": "application/json"}
    job = ended(client, sent(client, NOTE).json()["job"]["id"])
    [listed] = client.get("/v1/documents").json()["items"]
    assert (listed["is_upload"], listed["files_left"]) == (True, 0)
    removed = client.delete(f"/v1/documents/{job['document_id']}", headers=told).json()
    assert (removed["is_gone"], removed["deleted"], removed["left_alone"]) == (True, ["harbour.md"], [])
    assert "deleted" in removed["told"]
    assert files(corpus.path / "uploads") == []

    (tmp_path / "note.md").write_bytes(NOTE)
    corpus.add(tmp_path / "note.md")
    [listed] = client.get("/v1/documents").json()["items"]
    assert (listed["is_upload"], listed["files_left"]) == (False, 1)
    removed = client.delete(f"/v1/documents/{job['document_id']}", headers=told).json()
    assert (removed["is_gone"], removed["deleted"], removed["left_alone"]) == (True, [], ["note.md"])
    assert "left alone" in removed["told"]
    assert (tmp_path / "note.md").read_bytes() == NOTE


def test_of_a_file_that_was_sent_and_is_a_copy_only_what_was_sent_goes(
    client: TestClient, corpus: Corpus, tmp_path: Path
) -> None:
    told = {"Accept": "application/json"}
    job = ended(client, sent(client, NOTE).json()["job"]["id"])
    (tmp_path / "note.md").write_bytes(NOTE)
    corpus.add(tmp_path / "note.md")
    listed = client.get(f"/v1/documents/{job['document_id']}").json()
    assert (listed["is_upload"], listed["files_left"]) == (True, 1)
    removed = client.delete(f"/v1/documents/{job['document_id']}", headers=told).json()
    assert (removed["is_gone"], removed["deleted"], removed["left_alone"]) == (False, ["harbour.md"], ["note.md"])
    assert files(corpus.path / "uploads") == []
    answer = client.post("/v1/ask", json={"question": "What is the fee a night?"}).json()
    assert [one["document"] for one in answer["passages"]] == ["note.md"]
    assert client.delete(f"/v1/documents/{job['document_id']}", headers=told).json()["is_gone"]
    assert (tmp_path / "note.md").read_bytes() == NOTE


def test_a_file_that_was_sent_is_deleted_by_every_door(client: TestClient, corpus: Corpus) -> None:
    ended(client, sent(client, NOTE).json()["job"]["id"])
    [planned] = corpus.removals("harbour.md")
    assert [Path(path).name for path in planned.deleted] == ["harbour.md"]
    corpus.remove("harbour.md")
    assert files(corpus.path / "uploads") == []


class TestOnTheirWay:
    """Files that are sent and do not all come."""

    def test_what_a_sender_that_goes_has_sent_is_removed_at_once(self, tmp_path: Path) -> None:
        uploads = Uploads(tmp_path, 1 << 24)
        seen: list[list[str]] = []

        async def parts() -> AsyncIterator[bytes]:
            yield b"x" * (2 << 20)
            seen.append(files(tmp_path))
            raise ClientDisconnect

        with pytest.raises(ClientDisconnect):
            asyncio.run(uploads.receive("a.txt", parts(), None))
        assert (len(seen[0]), files(tmp_path)) == (1, [])

    def test_what_a_server_that_died_has_left_is_removed_at_the_next_start(self, tmp_path: Path) -> None:
        incoming = tmp_path / "corpus" / "uploads" / ".incoming"
        incoming.mkdir(parents=True)
        (incoming / "left").write_bytes(b"half of it")
        with (incoming / "living").open("wb") as living:
            uploads._lock(living)
            with octavo.open(tmp_path / "corpus") as corpus, serving(corpus):
                assert files(incoming) == ["living"]

    def test_they_are_bounded_in_number_and_in_bytes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(uploads, "_AT_ONCE", 3)
        taking = Uploads(tmp_path, 100)
        asked: list[str] = []

        async def refused(size: int) -> None:
            with pytest.raises(Problem) as caught:
                await taking.receive("b.txt", parts(size), None)
            asked.append(caught.value.reason)

        async def parts(size: int, then: asyncio.Event | None = None, begun: asyncio.Event | None = None) -> Any:
            yield b"x" * size
            if then is not None and begun is not None:
                begun.set()
                await then.wait()

        async def go() -> None:
            then, begun = asyncio.Event(), [asyncio.Event() for _ in range(3)]
            running = [asyncio.ensure_future(taking.receive("a.txt", parts(100, then, one), None)) for one in begun]
            for one in begun:
                await one.wait()
            await refused(1)
            monkeypatch.setattr(uploads, "_AT_ONCE", 9)
            monkeypatch.setattr(uploads, "_SHARES", 3)
            await refused(1)
            then.set()
            await asyncio.gather(*running)
            await taking.receive("c.txt", parts(99), None)

        asyncio.run(go())
        assert asked == ["busy", "busy"]
        assert files(tmp_path / "uploads" / ".incoming") == []


def test_the_example_comes_with_octavo_and_is_added_once(client: TestClient) -> None:
    example = client.get("/v1/status").json()["example"]
    added = client.post("/v1/examples")
    assert added.status_code == 202
    assert ended(client, added.json()["job"]["id"])["document_id"] == example["id"]
    assert client.post("/v1/examples").status_code == 200
    assert len(client.get("/v1/documents").json()["items"]) == 1
    for question in example["questions"]:
        answer = client.post("/v1/ask", json={"question": question}).json()
        assert (answer["outcome"], len(answer["citations"])) == ("answer", 1)


def test_a_broken_file_fails_with_a_reason_and_can_be_tried_again(client: TestClient, corpus: Corpus) -> None:
    broken = (EXAMPLES / "handbook.pdf").read_bytes()[:3000]
    job = ended(client, sent(client, broken, "broken.pdf").json()["job"]["id"])
    assert job["state"] == "failed"
    assert job["error"]["reason"] == "damaged"
    assert job["error"]["advice"]
    assert str(corpus.path) not in str(job)
    assert client.post(f"/v1/jobs/{job['id']}/retry").json()["state"] == "queued"
    assert ended(client, job["id"])["state"] == "failed"
    client.delete(f"/v1/jobs/{job['id']}")
    assert client.get("/v1/jobs").json()["items"] == []
    assert not any(path.is_file() for path in (corpus.path / "uploads").rglob("*"))


@pytest.mark.parametrize(
    ("data", "name", "status", "reason"),
    [
        (b"", "a.md", 422, "empty"),
        (b"a" * (2 << 20), "a.md", 413, "too_large"),
        (b"MZ", "a.exe", 415, "format"),
        (b"a", "..", 422, "name"),
        (b"a", "", 422, "name"),
    ],
)
def test_what_is_no_document_is_refused(client: TestClient, data: bytes, name: str, status: int, reason: str) -> None:
    found = sent(client, data, name)
    assert (found.status_code, found.json()["reason"]) == (status, reason)
    assert client.get("/v1/jobs").json()["total"] == 0


@pytest.mark.parametrize(
    ("name", "cleaned"),
    [
        ("C:\\Users\\ada\\r.pdf", "r.pdf"),
        ("a/../b\x00\u202e.pdf", "b.pdf"),
        ("  .hidden.md ", "hidden.md"),
        ("é" * 200 + ".pdf", "é" * 88 + ".pdf"),
    ],
)
def test_a_name_becomes_one_component(name: str, cleaned: str) -> None:
    assert clean_name(name) == cleaned


def test_a_killed_worker_is_a_failed_job_and_the_next_one_is_done(client: TestClient) -> None:
    runner = client.app.state.services.runner  # type: ignore[attr-defined]
    job = sent(client, (EXAMPLES / "handbook.pdf").read_bytes(), "handbook.pdf").json()["job"]["id"]
    until(lambda: client.get(f"/v1/jobs/{job}").json()["stage"])
    os.killpg(runner.worker_pid, signal.SIGKILL)
    failed = ended(client, job)
    assert (failed["state"], failed["error"]["reason"]) == ("failed", "killed")
    assert ended(client, sent(client, NOTE).json()["job"]["id"])["state"] == "done"


def test_a_job_of_a_damaged_file_is_done_and_says_what_could_be_read(client: TestClient) -> None:
    whole = (EXAMPLES / "handbook.pdf").read_bytes()
    job = ended(client, sent(client, whole[: int(0.6 * len(whole))], "half.pdf").json()["job"]["id"])
    assert (job["state"], job["error"]["reason"]) == ("done", "damaged")
    assert job["error"]["detail"] == "The file is damaged: 8 of 44 pages could be read."
    assert client.get(f"/v1/documents/{job['document_id']}").json()["damage"] == "8 of 44 pages could be read"


def test_an_encrypted_file_is_read_and_drawn_by_a_server_that_was_started_with_its_password(tmp_path: Path) -> None:
    plain = pdfs.write(tmp_path / "plain.pdf", pdfs.say("The fee is 12 crowns a night."))
    locked = pdfs.encrypted(plain, tmp_path / "locked.pdf", "open sesame").read_bytes()
    folder = tmp_path / "corpus"
    with octavo.open(folder) as corpus, serving(corpus) as client:
        job = ended(client, sent(client, locked, "locked.pdf").json()["job"]["id"])
        assert (job["state"], job["error"]["reason"]) == ("failed", "encrypted")
        assert "OCTAVO_PASSWORD" in job["error"]["advice"]
    with (
        octavo.open(folder, password="open sesame") as corpus,
        serving(corpus, indexing=IndexingSettings(password="open sesame")) as client,
    ):
        job = ended(client, sent(client, locked, "locked.pdf").json()["job"]["id"])
        assert job["state"] == "done"
        assert client.get(f"/v1/documents/{job['document_id']}/pages/1/image").status_code == 200
    kept = [path for path in folder.rglob("*") if path.is_file()]
    assert not any(b"open sesame" in path.read_bytes() for path in kept)


def test_a_file_may_come_in_a_form(client: TestClient) -> None:
    text = "# Häfen\n\nThe berth is 41 metres long.\n".encode() + b"\r\n--x" * 50_000
    form = {"data": {"note": "no file"}, "files": {"file": ("Häfen.md", text, "text/markdown")}}
    answer = client.post("/v1/documents", **form)
    assert answer.status_code == 202
    job = ended(client, answer.json()["job"]["id"])
    assert (job["state"], job["name"]) == ("done", "Häfen.md")
    assert sent(client, text).json()["job"]["document_id"] == job["document_id"], "the bytes are the same"
    named = client.post("/v1/documents", params={"name": "other.md"}, files={"a": ("x.md", b"# Other\n\nOther.\n")})
    assert ended(client, named.json()["job"]["id"])["name"] == "other.md"


FORM = "multipart/form-data; boundary=x"


@pytest.mark.parametrize(
    ("kind", "body", "status", "reason"),
    [
        ("multipart/form-data", b"--x", 400, "form"),
        (FORM, b"no form at all", 400, "form"),
        (FORM, b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.md"\r\n\r\ncut sh', 400, "form"),
        (FORM, b'--x\r\nContent-Disposition: form-data; name="f"\r\n\r\nno file\r\n--x--\r\n', 422, "name"),
        (FORM, b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.md"\r\n\r\n\r\n--x--', 422, "empty"),
        (
            FORM,
            b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.md"\r\n\r\nA\r\n'
            b'--x\r\nContent-Disposition: form-data; name="g"; filename="b.md"\r\n\r\nB\r\n--x--\r\n',
            422,
            "several",
        ),
        (FORM, b'--x\r\nContent-Disposition: form-data; filename="../../"\r\n\r\nA\r\n--x--\r\n', 422, "name"),
    ],
)
def test_a_form_that_cannot_be_read_is_refused_in_words(
    client: TestClient, kind: str, body: bytes, status: int, reason: str
) -> None:
    answer = client.post("/v1/documents", content=body, headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)
    assert client.get("/v1/jobs").json()["items"] == []


def test_a_cancelled_job_ends_at_once(client: TestClient) -> None:
    job = sent(client, (EXAMPLES / "handbook.pdf").read_bytes(), "handbook.pdf").json()["job"]["id"]
    until(lambda: client.get(f"/v1/jobs/{job}").json()["stage"])
    early = client.delete(f"/v1/jobs/{job}")
    assert (early.status_code, early.json()["reason"]) == (409, "unfinished")
    assert f"POST /v1/jobs/{job}/cancel" in early.json()["detail"]
    assert client.post(f"/v1/jobs/{job}/cancel").json()["state"] == "cancelled"
    assert client.post(f"/v1/jobs/{job}/cancel").json()["state"] == "cancelled"
    until(lambda: client.app.state.services.runner.worker_pid is None)  # type: ignore[attr-defined]
    assert client.get("/v1/documents").json()["total"] == 0
    assert client.delete(f"/v1/jobs/{job}").status_code == 200
    assert client.get(f"/v1/jobs/{job}").status_code == 404


def test_one_of_two_servers_takes_a_job_and_a_dead_one_loses_it(tmp_path: Path, monkeypatch: Any) -> None:
    first, second = (JobTable(Store(tmp_path / "server.db")) for _ in range(2))
    first.add("a", "a.md", "/a.md", "0")
    assert first.take("one")
    assert second.take("two") is None
    monkeypatch.setattr("octavo_server.jobs.time.time", lambda: time.monotonic() + 1e12)
    assert second.take("two")
    assert not first.beat("a", "one", "parse", 1, 2)


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_server_ends_in_time_and_the_next_one_goes_on(tmp_path: Path) -> None:
    with served(tmp_path / "corpus") as (process, client):
        job = sent(client, LONG, "long.md").json()["job"]["id"]
        until(lambda: client.get(f"/v1/jobs/{job}").json()["state"] == "running")
        watching = client.stream("GET", "/v1/jobs", headers={"Accept": "text/event-stream"})
        with watching as stream:
            next(stream.iter_lines())
            process.send_signal(signal.SIGTERM)
            started = time.monotonic()
            assert process.wait(15) == 0
            assert time.monotonic() - started < 10
    with served(tmp_path / "corpus") as (process, client):
        done = until(lambda: (found := client.get(f"/v1/jobs/{job}").json())["state"] == "done" and found, 60)
        assert done["document_id"]
        assert client.get("/v1/documents").json()["items"][0]["name"] == "long.md"


@contextlib.contextmanager
def served(corpus: Path) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """Run a server in a process of its own."""
    command = [sys.executable, "-m", "octavo", "serve", "--port", "0", "--corpus", str(corpus)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"(http://\S+)/\?token=(\S+)", process.stdout.readline())
    assert found
    try:
        with httpx.Client(base_url=found[1], headers={"Authorization": f"Bearer {found[2]}"}, timeout=30) as client:
            yield process, client
    finally:
        process.kill()
        process.communicate()
