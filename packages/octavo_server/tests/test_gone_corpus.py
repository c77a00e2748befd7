"""A corpus whose files are deleted, moved away or replaced while it is open says so, and goes on when they are back."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import octavo
from octavo.corpus import Corpus
from octavo.errors import CorpusError
from octavo_server.guard import add_key
from octavo_server.store import Store
from serving import TOKEN, events_of, serving

ASKED = {"question": "How many moorings has the quay?"}


def made(folder: Path, text: str) -> Corpus:
    file = folder.parent / f"{folder.name}.txt"
    file.write_text(text)
    corpus = octavo.open(folder)
    corpus.add(file)
    return corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with made(tmp_path / "corpus", "The quay has nine moorings.") as corpus:
        yield corpus


@pytest.fixture
def client(corpus: Corpus) -> Iterator[TestClient]:
    with serving(corpus) as client:
        assert client.get("/v1/status").json()["documents"] == 1
        yield client


def responses(client: TestClient) -> dict[str, object]:
    """Return what is answered by whatever needs the corpus."""
    client.app.state.services.health._until = 0.0  # it looks once a second
    return {
        "health": client.get("/health"),
        "status": client.get("/v1/status"),
        "list": client.get("/v1/documents"),
        "ask": client.post("/v1/ask", json=ASKED),
        "search": client.post("/v1/search", json=ASKED),
        "upload": client.post("/v1/documents?name=more.txt", content=b"The lighthouse has four lamps."),
        "jobs": client.get("/v1/jobs"),
    }


def check_refused(client: TestClient, *words: str) -> None:
    for name, response in responses(client).items():
        told = response.json()
        assert (name, response.status_code, told["reason"]) == (name, 503, "gone")
        assert all(word in told["detail"] for word in words)
        assert "server" in told["detail"]
        assert "/" not in told["detail"]


def check_answered(client: TestClient) -> None:
    statuses = {name: response.status_code for name, response in responses(client).items()}
    assert statuses == {**dict.fromkeys(statuses, 200), "upload": statuses["upload"]}
    assert statuses["upload"] in (200, 202)


def test_a_folder_that_was_moved_away_is_told_of_until_it_is_back(client: TestClient, corpus: Corpus) -> None:
    kept = corpus.path.with_name("kept")
    corpus.path.rename(kept)
    check_refused(client, "corpus was deleted or moved away", "put it back")
    assert not corpus.path.exists()
    kept.rename(corpus.path)
    check_answered(client)
    assert "nine moorings" in client.post("/v1/ask", json=ASKED).json()["passages"][0]["text"]


def test_a_deleted_folder_that_comes_back_as_a_copy_is_taken_up(client: TestClient, corpus: Corpus) -> None:
    kept = corpus.path.with_name("kept")
    begun = client.post("/v1/ask", json={**ASKED, "conversation": "new"}).json()
    shutil.copytree(corpus.path, kept)
    shutil.rmtree(corpus.path)
    check_refused(client, "corpus was deleted or moved away")
    assert not corpus.path.exists()
    kept.rename(corpus.path)
    check_answered(client)
    assert client.get(f"/v1/conversations/{begun['conversation']}").json()["turns"]
    corpus.add(corpus.path.parent / "corpus.txt")
    with octavo.open(corpus.path) as other:
        assert other.count() == corpus.count()


def test_a_question_that_streams_says_what_happened(client: TestClient, corpus: Corpus) -> None:
    (corpus.path / "corpus.db").rename(corpus.path / "kept.db")
    told = client.post("/v1/ask", json=ASKED, headers={"Accept": "text/event-stream"})
    assert told.status_code == 503 or events_of(told.text)[-1][0] == "error"
    assert "corpus.db was deleted or moved away" in told.text


def test_another_corpus_in_the_place_of_the_file_is_not_read(client: TestClient, corpus: Corpus) -> None:
    with made(corpus.path.with_name("other"), "The quay has two moorings.") as other:
        pass
    for mark in ("", "-wal", "-shm"):
        (corpus.path / f"corpus.db{mark}").unlink(missing_ok=True)
    shutil.copy(other.path / "corpus.db", corpus.path / "corpus.db")
    for name, response in responses(client).items():
        if name != "jobs":  # the server's own file is there
            assert (name, response.status_code, response.json()["reason"]) == (name, 503, "gone")
    assert "another file" in client.get("/v1/documents").json()["detail"]
    (corpus.path / "corpus.db").write_text("no corpus at all")
    assert client.get("/v1/documents").json()["reason"] == "gone"
    assert (corpus.path / "corpus.db").read_text() == "no corpus at all"


def test_the_servers_own_file_is_told_of_until_it_is_back(client: TestClient, corpus: Corpus) -> None:
    names = [name for mark in ("", "-wal", "-shm") if (corpus.path / (name := f"server.db{mark}")).exists()]
    for name in names:
        (corpus.path / name).rename(corpus.path / f"kept-{name}")
    check_refused(client, "server.db was deleted or moved away")
    page = client.get("/", headers={"Accept": "text/html"})
    assert (page.status_code, "server.db" in page.text) == (503, True)
    [sheet] = re.findall(r'href="(/static/[^"]+\.css)"', page.text)
    assert client.get(sheet).status_code == 200
    for name in names:
        (corpus.path / f"kept-{name}").rename(corpus.path / name)
    check_answered(client)


def test_keys_of_a_file_that_took_the_place_of_the_servers_are_those_that_work(corpus: Corpus, tmp_path: Path) -> None:
    with serving(corpus, token="") as client:
        (tmp_path / "new").mkdir()
        other = Store.beside(tmp_path / "new")
        key = add_key(other, "reader", "read")
        other.close()
        for mark in ("", "-wal", "-shm"):
            (corpus.path / f"server.db{mark}").unlink(missing_ok=True)
        (tmp_path / "new" / "server.db").rename(corpus.path / "server.db")
        client.app.state.services.access._keys = (0.0, ())  # those that were read are used for a while
        assert client.get("/v1/status", headers={"Authorization": f"Bearer {key}"}).status_code == 200
        assert client.get("/v1/status", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
        assert client.get("/v1/status").status_code == 401


def test_an_open_corpus_that_was_deleted_is_not_made_anew_and_can_be_closed(tmp_path: Path) -> None:
    corpus = made(tmp_path / "corpus", "The quay has nine moorings.")
    shutil.rmtree(corpus.path)
    for use in (corpus.count, lambda: corpus.ask("How many moorings?"), lambda: corpus.add(tmp_path / "corpus.txt")):
        with pytest.raises(CorpusError, match="deleted or moved away") as caught:
            use()
        assert caught.value.reason == "gone"
    corpus.close()
    assert not corpus.path.exists()
    assert corpus.count() == 0
