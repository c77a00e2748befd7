"""The API and the tools of agents say what documents are about, and which of them were preferred and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from octavo.corpus import Corpus
from octavo_server.library import Library
from octavo_server.mcp.asking import ASK, SEARCH
from octavo_server.mcp.reading import TOOLS
from octavo_server.mcp.tool import Reply, Tool, ToolCall, ToolContext
from serving import serving
from two_ferries import QUESTION, two_ferries


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    with two_ferries(tmp_path_factory.mktemp("ferries")) as made:
        yield made


@pytest.fixture(scope="module")
def client(corpus: Corpus) -> Iterator[TestClient]:
    with serving(corpus) as client:
        yield client


def called(corpus: Corpus, tool: Tool[Any], **arguments: object) -> Reply:
    return tool.run(ToolContext(Library(corpus)), ToolCall(), tool.arguments(**arguments))


def test_the_list_says_what_each_document_is_about_and_calls_no_two_alike(client: TestClient) -> None:
    items = {one["name"]: one for one in client.get("/v1/documents").json()["items"]}
    assert {"Harbor/README.md", "Manuals/README.md", "Norwick/README.md"} < items.keys()
    report = items["norwick_annual_report_2021.md"]
    assert report["about"]["issuer"] == "Norwick Ferries plc"
    assert (report["about"]["kind"], report["about"]["period"]) == ("annual report", "2021")
    assert client.get(f"/v1/documents/{report['id']}").json() == report
    readme = items["Harbor/README.md"]
    assert client.get(f"/v1/documents/{readme['id']}").json()["name"] == "Harbor/README.md"


def test_an_answer_says_which_documents_were_preferred_and_the_steps_begin_with_it(client: TestClient) -> None:
    answer = client.post("/v1/ask", json={"question": QUESTION}).json()
    assert answer["meant"]["named"] == ["Norwick", "Ferries"]
    assert [one["document"] for one in answer["meant"]["documents"]] == ["norwick_annual_report_2021.md"]
    told = "norwick_annual_report_2021.md, for “Norwick Ferries” and 2021"
    assert answer["steps"][0] == f"Preferred {told}"
    assert f'<p class="preferred">Looked first in {told}.</p>' in client.get(answer["link"]).text
    alone = client.post("/v1/ask", json={"question": QUESTION, "documents": ["norwick_annual_report_2022.md"]}).json()
    assert "meant" not in alone
    assert "preferred" not in client.get(alone["link"]).text


def test_places_in_documents_of_one_name_are_told_apart(client: TestClient) -> None:
    answer = client.post("/v1/ask", json={"question": "Where are the papers of the Harbor office kept?"}).json()
    assert answer["passages"][0]["document"] == "Harbor/README.md"
    assert "Harbor/README.md" in answer["lead"]
    again = client.post("/v1/ask", json={"question": "papers kept where?", "documents": ["Manuals/README.md"]}).json()
    assert {one["document"] for one in again["pages"]} == {"Manuals/README.md"}
    place = answer["passages"][0]
    assert client.get(f"/v1/citations/{place['id']}").json()["document"] == "Harbor/README.md"
    assert client.get(f"/v1/documents/{place['document_id']}/pages/1").json()["document"] == "Harbor/README.md"
    quoted = client.post("/v1/verify", json={"quote": "are kept in Manuals street"}).json()
    assert [one["document"] for one in quoted["places"]] == ["Manuals/README.md"]


def test_tools_say_in_a_line_which_documents_were_preferred(corpus: Corpus) -> None:
    (report,) = corpus.list("norwick*2021*")
    digits = report.id.removeprefix("sha256:")[:16]
    line = f"Looked first in {digits}, for “Norwick Ferries” and 2021; name documents to ask others."
    searched, asked = called(corpus, SEARCH, query=QUESTION), called(corpus, ASK, question=QUESTION)
    assert line in searched.text.splitlines()
    assert line in asked.text.splitlines()
    assert searched.result.model_dump()["preferred"] == asked.result.model_dump()["preferred"] == line
    unknown = called(corpus, SEARCH, query="What was the revenue of Tesla in 2021?")
    assert "No document is about “Tesla”." in unknown.text.splitlines()
    nothing = called(corpus, SEARCH, query="boats", documents=[digits])
    assert nothing.result.model_dump()["preferred"] == ""


def test_the_tool_that_lists_shows_issuer_kind_and_period(corpus: Corpus) -> None:
    (tool,) = [one for one in TOOLS if one.name == "list_documents"]
    reply = called(corpus, tool)
    rows = [row for row in reply.text.splitlines() if '"norwick_annual_report_2021.md"' in row]
    assert [row.partition(" [")[2] for row in rows] == ["Norwick Ferries plc; annual report; 2021]"]
    (listed,) = [one for one in reply.result.model_dump()["documents"] if one["name"].startswith("harbor")]
    assert (listed["issuer"], listed["kind"], listed["period"]) == ("Harbor Lines plc", "annual report", "2021")
    assert "Harbor/README.md" in reply.text
