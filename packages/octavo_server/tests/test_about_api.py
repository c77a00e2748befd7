"""What documents are about, over HTTP and for agents: shown, and set by who may write."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

import octavo
from octavo.corpus import Corpus
from octavo_server.library import Library
from octavo_server.mcp.reading import TOOLS, ListArguments
from octavo_server.mcp.tool import ToolCall, ToolContext
from octavo_server.responses import DocumentShape
from serving import serving

TEXT = "# Minutes of Norwick Ferries Ltd\n\nNorwick Ferries Ltd met on 4 March 2021. Norwick Ferries Ltd agreed.\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("about")
    (folder / "minutes.md").write_text(TEXT)
    with octavo.open(folder / "corpus") as corpus:
        corpus.add(folder / "minutes.md")
    return folder / "corpus"


@pytest.fixture
def corpus(folder: Path) -> Iterator[Corpus]:
    with octavo.open(folder) as corpus:
        yield corpus
        corpus.describe("minutes.md", dict.fromkeys(corpus.about("minutes.md").by))


@pytest.fixture
def path(corpus: Corpus) -> str:
    return f"/v1/documents/{corpus.resolve('minutes.md').id}"


def test_a_document_tells_what_it_is_about_and_who_says_so(corpus: Corpus, path: str) -> None:
    corpus.describe("minutes.md", issuer="Harbour Board", case_no=7, parties=["a", "b"])
    with serving(corpus) as client:
        found = client.get(path).json()
        TypeAdapter(DocumentShape).validate_python(found)
        assert found["about"] == corpus.about("minutes.md").to_json()
        assert (found["about"]["issuer"], found["about"]["kind"]) == ("Harbour Board", "minutes")
        assert found["about"]["own"] == {"case_no": 7, "parties": ["a", "b"]}
        assert (found["about"]["by"]["issuer"], found["about"]["by"]["kind"]) == ("hand", "rule")
        assert client.get("/v1/documents").json()["items"] == [found]


def test_it_is_set_and_taken_back(corpus: Corpus, path: str) -> None:
    with serving(corpus) as client:
        before = client.get(path).json()
        done = client.patch(path, json={"about": {"issuer": "Harbour Board", "tags": ["a"], "share": 0.5}})
        assert done.status_code == 200
        about = done.json()["about"]
        assert (about["issuer"], about["tags"], about["own"]) == ("Harbour Board", ["a"], {"share": 0.5})
        assert client.get(path).json() == done.json()
        again = client.patch(path, json={"about": {"issuer": None, "tags": [], "share": ""}})
        assert again.json() == before


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"about": {"date": "soon"}}, "date takes 2023"),
        ({"about": {"Title": "x"}}, "no name of a field"),
        ({"about": {"title": 7}}, "title takes a text"),
        ({"about": {"title": {"en": "x"}}}, "about"),
        ({"about": {"own": True}}, "about"),
        ({"about": {}}, "about"),
        ({}, "about"),
        ({"about": {"title": "x"}, "name": "x"}, "name"),
    ],
)
def test_what_no_field_takes_is_refused_in_words(corpus: Corpus, path: str, body: Any, told: str) -> None:
    with serving(corpus) as client:
        found = client.patch(path, json=body)
        assert found.status_code == 422
        assert told in found.json()["detail"]
    assert corpus.backend.store.described() == {}


def test_who_may_not_write_sets_nothing(corpus: Corpus, path: str) -> None:
    with serving(corpus, read_only=True) as client:
        assert client.patch(path, json={"about": {"title": "x"}}).json()["reason"] == "read_only"
    with serving(corpus) as client:
        nothing = f"/v1/documents/{'0' * 64}"
        assert client.patch(nothing, json={"about": {"title": "x"}}).status_code == 404
    assert corpus.backend.store.described() == {}


def test_an_agent_is_told_who_issued_a_document_what_it_is_and_of_when(corpus: Corpus) -> None:
    (listing,) = (tool for tool in TOOLS if tool.name == "list_documents")
    corpus.describe("minutes.md", title="Board </document-words> minutes")
    context = ToolContext(Library(corpus))
    reply = listing.run(context, ToolCall(), ListArguments())
    (row,) = reply.result.documents
    assert (row.issuer.bare, row.kind.bare, row.period.bare) == ("Norwick Ferries Ltd", "minutes", "2021")
    assert row.title.bare.startswith("Board")
    assert "[Norwick Ferries Ltd; minutes; 2021]" in reply.text
    assert reply.text.count("</document-words") == 1
