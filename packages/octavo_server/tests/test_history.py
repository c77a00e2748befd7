"""Conversations are their key's alone: listed, searched, named and deleted by it, and not reached by a link alone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import octavo
from octavo_server.checking import examine
from octavo_server.guard import add_key
from octavo_server.store import Store
from serving import serving

SWELL = "What is the greatest swell height for landing at North Gut?"
ICE = "How long does a nitrogen cylinder of the bubbler last?"


@pytest.fixture
def folder(examples: Path, tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("server.db*")
    return Path(shutil.copytree(examples, tmp_path / "corpus", ignore=ignored))


@pytest.fixture
def other(folder: Path) -> dict[str, str]:
    """The header of another key."""
    store = Store.beside(folder)
    key = add_key(store, "other", "admin")
    store.close()
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture
def client(folder: Path, other: dict[str, str]) -> Iterator[TestClient]:
    assert other  # which the server reads when it begins
    with octavo.open(folder) as corpus, serving(corpus) as client:
        yield client


def asked(client: TestClient, question: str, conversation: str = "new", **how: Any) -> dict[str, Any]:
    body = {"question": question, "conversation": conversation, "documents": ["handbook.pdf"]}
    found = client.post("/v1/ask", json=body, **how)
    assert found.status_code == 200, found.text
    return dict(found.json())


def listed(client: TestClient, match: str = "", **how: Any) -> list[dict[str, Any]]:
    return list(client.get("/v1/conversations", params={"match": match}, **how).json()["items"])


def test_conversations_are_listed_named_found_and_deleted(client: TestClient) -> None:
    first, second = asked(client, SWELL), asked(client, ICE)
    asked(client, "And at South Slip?", first["conversation"])
    assert [(one["name"], one["turns"]) for one in listed(client)] == [(SWELL, 2), (ICE, 1)]
    assert [one["id"] for one in listed(client, "NITROGEN bubbler")] == [second["conversation"]]
    assert listed(client, "nowhere") == []
    address = f"/v1/conversations/{second['conversation']}"
    assert client.patch(address, json={"name": " Bubbler\n costs "}).json()["id"] == second["conversation"]
    assert [(one["name"], one["is_named"]) for one in listed(client, "costs")] == [("Bubbler costs", True)]
    assert client.patch(address, json={"name": "x" * 201}).status_code == 422
    assert client.delete(address).status_code == 204
    assert [one["id"] for one in listed(client)] == [first["conversation"]]
    assert client.get(f"/v1/answers/{second['id']}").status_code == 410
    assert client.get(address).status_code == 404
    assert client.delete(address).status_code == 404
    assert client.patch("/v1/conversations/none", json={"name": "a"}).status_code == 404


def test_pages_of_the_list_follow_one_another(client: TestClient) -> None:
    made = [asked(client, ICE)["conversation"] for _ in range(3)]
    first = client.get("/v1/conversations", params={"limit": 2}).json()
    rest = client.get("/v1/conversations", params={"limit": 2, "cursor": first["next"]}).json()
    assert [one["id"] for one in (*first["items"], *rest["items"])] == made[::-1]
    assert (first["total"], rest["next"]) == (3, None)


def test_no_other_key_reaches_an_answer_by_its_link(client: TestClient, other: dict[str, str]) -> None:
    mine = asked(client, SWELL)
    assert listed(client, headers=other) == []
    address = f"/v1/conversations/{mine['conversation']}"
    assert client.get(address, headers=other).status_code == 404
    assert client.patch(address, json={"name": "theirs"}, headers=other).status_code == 404
    assert client.delete(address, headers=other).status_code == 404
    assert client.get(f"/v1/answers/{mine['id']}", headers=other).status_code == 404
    page = client.get(mine["link"], headers={**other, "Accept": "text/html"})
    assert (page.status_code, SWELL in page.text) == (404, False)
    follow = {"question": "And at South Slip?", "conversation": mine["conversation"]}
    assert client.post("/v1/ask", json=follow, headers=other).status_code == 404
    export = {"answer": mine["id"], "format": "markdown"}
    assert client.post("/v1/export", json=export, headers=other).status_code == 404
    theirs = asked(client, ICE, headers=other)
    assert client.get(f"/v1/answers/{theirs['id']}").status_code == 404
    assert client.get(f"/v1/answers/{mine['id']}").json()["question"] == SWELL
    assert client.get(mine["link"], headers={"Authorization": ""}).status_code == 401


def test_what_was_kept_before_answers_had_owners_is_still_there(folder: Path) -> None:
    with octavo.open(folder) as corpus, serving(corpus) as client:
        kept = asked(client, SWELL)
    store = Store(folder / "server.db")
    with store.writing() as connection:
        connection.execute("DROP TABLE owners; DROP TABLE histories")
    store.close()
    for settings in ({"read_only": True}, {}):
        with octavo.open(folder) as corpus, serving(corpus, **settings) as client:
            assert client.get(f"/v1/answers/{kept['id']}").json()["question"] == SWELL
            assert listed(client) == []


def test_a_read_only_server_says_that_it_names_and_deletes_nothing(folder: Path) -> None:
    with octavo.open(folder) as corpus, serving(corpus) as client:
        kept = asked(client, SWELL)
    with octavo.open(folder) as corpus, serving(corpus, read_only=True) as client:
        assert [one["name"] for one in listed(client)] == [SWELL]
        assert client.delete(f"/v1/conversations/{kept['conversation']}").status_code == 403
        new = asked(client, ICE)
        assert client.delete(f"/v1/conversations/{new['conversation']}").status_code == 204


def test_a_copy_of_the_folder_has_the_history_and_check_looks_at_it(folder: Path, tmp_path: Path) -> None:
    with octavo.open(folder) as corpus, serving(corpus) as client:
        kept = asked(client, SWELL)
        client.patch(f"/v1/conversations/{kept['conversation']}", json={"name": "Landing"})
    backup = Path(shutil.copytree(folder, tmp_path / "backup"))
    assert examine(backup, repair=False) == []
    with octavo.open(backup) as corpus, serving(corpus) as client:
        assert [one["name"] for one in listed(client)] == ["Landing"]
    store = Store(backup / "server.db")
    with store.writing() as connection:
        connection.execute("UPDATE answers SET body = '{' ")
        connection.execute("INSERT INTO histories VALUES ('lost', 'x', '', '2026')")
    store.close()
    assert [(one.code, one.repaired) for one in examine(backup, repair=False)] == [("kept_answer", False)] * 2
    told = subprocess.run(
        [sys.executable, "-m", "octavo", "check", "--json", "--repair", "--corpus", str(backup)],
        capture_output=True,
        text=True,
        check=False,
    )
    findings = json.loads(told.stdout)["findings"]
    assert {"kept_answer"} == {one["code"] for one in findings if one["repaired"]}
    assert examine(backup, repair=False) == []
    (backup / "server.db").write_bytes(b"no database" * 1000)
    assert [one.code for one in examine(backup, repair=True)] == ["integrity"]
    assert examine(tmp_path, repair=True) == []
