"""One schema of answers: what the command line, the server, its streams and its tools give is what the types say."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast, get_type_hints

import pytest
from pydantic import BaseModel, TypeAdapter
from starlette.testclient import TestClient

import octavo
from closed_schemas import check
from octavo import systems
from octavo.corpus.judges import ModelConfig
from octavo.corpus.streaming import Listen, PendingAnswer
from octavo.errors import UsageError
from octavo.evidence import answer_shapes
from octavo.models.scripted import ScriptedModel
from octavo.systems import System
from octavo_server import responses
from octavo_server.api import ROUTES
from octavo_server.api.about import described
from octavo_server.library import Library
from octavo_server.mcp import results
from octavo_server.mcp.asking import ASK
from octavo_server.mcp.tool import ToolCall, ToolContext
from serving import events_of, serving

PIERS = "# Piers\n\nThe east pier was built in 1987.\n\n| Berth | Price |\n| --- | --- |\n| small | 40 |\n"
ASKED: dict[str, Any] = {"question": "When was the east pier built?", "trace": True}
WEB = Path(__file__).parents[3] / "web"
STREAM = {"accept": "text/event-stream"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("piers")
    (folder / "piers.md").write_text(PIERS)
    with octavo.open(folder / "library") as corpus:
        corpus.add(folder / "piers.md")
    return folder / "library"


@pytest.fixture(scope="module", params=["rule", "model"])
def client(request: pytest.FixtureRequest, folder: Path) -> Iterator[TestClient]:
    model = ScriptedModel(lambda _request: '{"evidence": [], "answerable": false}')
    models = ModelConfig({"language": model}) if request.param == "model" else None
    with octavo.open(folder, models=models) as corpus, serving(corpus) as client:
        yield client


def test_answers_and_evidence_have_the_keys_of_their_types_and_no_others(client: TestClient) -> None:
    answer = client.post("/v1/ask", json={**ASKED, "conversation": "new"}).json()
    check(answer, responses.AnswerShape)
    check(client.get(f"/v1/conversations/{answer['conversation']}").json(), responses.ConversationShape)
    check(client.post("/v1/search", json=ASKED).json(), responses.SearchShape)
    check(client.get(f"/v1/citations/{answer['passages'][0]['id']}").json(), responses.CitedShape)
    check(client.post("/v1/verify", json={"quote": "built in 1987"}).json(), responses.VerificationShape)
    check(client.get("/v1/status").json(), responses.StatusShape)


def test_the_page_and_the_outline_have_them_too(client: TestClient) -> None:
    listed = client.get("/v1/documents").json()
    check(listed, responses.DocumentsShape)
    start = f"/v1/documents/{listed['items'][0]['id']}"
    check(client.get(f"{start}/outline?blocks=true").json(), responses.OutlineShape)
    check(client.get(f"{start}/pages/1").json(), responses.PageShape)
    check(client.get(f"{start}/pages/1/words").json(), responses.WordsShape)


def test_each_event_has_the_data_of_its_type(client: TestClient) -> None:
    kinds = get_type_hints(responses.AskEvents)
    found = events_of(client.post("/v1/ask", json=ASKED, headers=STREAM).text)
    assert {"plan", "step", "passages", "answer", "done"} <= {name for name, _ in found}
    for name, value in found:
        check(value, kinds[name])
    assert found[-1][1].items() >= found[-2][1].items()


def test_the_description_says_which_events_there_are() -> None:
    operation = described(ROUTES)["paths"]["/v1/ask"]["post"]
    assert operation["responses"]["200"]["content"]["text/event-stream"]["x-events"] == {
        "$ref": "#/components/schemas/AskEvents"
    }


def test_python_and_the_command_line_give_the_same_without_ids_and_links(folder: Path) -> None:
    with octavo.open(folder) as corpus:
        check(corpus.ask(ASKED["question"]).to_json(), answer_shapes.AnswerShape)
        check(corpus.search(ASKED["question"]).to_json(), answer_shapes.ResultShape)
    served, printed = (get_type_hints(one.AnswerShape).keys() for one in (responses, answer_shapes))
    assert served - printed == {"id", "link", "conversation", "created", "steps", "failures", "is_kept"}
    assert printed <= served


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a system that asks by the type of the answer."""
    system = dataclasses.replace(systems.get("auto"), name="typed", by_type=True)
    monkeypatch.setitem(systems.SYSTEMS, system.name, system)
    return system.name


def test_the_type_of_an_answer_is_fixed_where_a_system_asks_by_it(client: TestClient, typed: str) -> None:
    body = {**ASKED, "system": typed, "answer_format": "Int"}
    plain = client.post("/v1/ask", json=body).json()
    streamed = events_of(client.post("/v1/ask", json=body, headers=STREAM).text)[-1][1]
    follows = client.post("/v1/ask", json={**body, "conversation": "new"}).json()
    for answer in (plain, streamed, follows):
        steps = [step["parameters"] for step in answer["trace"] if step["step"] == "AnswerAs"]
        assert (answer["system"], steps) == (typed, [{"form": "Int"}])


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"answer_format": "Int"}, "auto does not ask by the type of the answer: choose mmrag-paper"),
        ({"answer_format": "Date", "system": "typed"}, "There is no answer type 'Date': choose one of Str, Int, Float"),
        ({"answer_format": "Date"}, "There is no answer type 'Date'"),
    ],
)
@pytest.mark.usefixtures("typed")
def test_another_type_and_another_system_are_refused_in_the_words_of_the_command_line(
    client: TestClient, folder: Path, how: dict[str, str], says: str
) -> None:
    for headers in ({}, STREAM):
        found = client.post("/v1/ask", json={**ASKED, **how}, headers=headers)
        assert (found.status_code, found.json()["reason"]) == (422, "usage")
        assert says in found.json()["detail"]
    with octavo.open(folder) as corpus, pytest.raises(UsageError, match=says):
        arguments = {"question": ASKED["question"], **how}
        ASK.reply(ToolContext(Library(corpus)), ToolCall(), arguments)


def test_a_tool_fixes_the_type_too(folder: Path, typed: str) -> None:
    asked = list[System | str]()
    with octavo.open(folder) as corpus:
        library, answers = Library(corpus), corpus.asking

        def asking(question: str, told: Listen, **how: Any) -> PendingAnswer:
            asked.append(how["system"])
            return answers(question, told, **how)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(corpus, "asking", asking)
            arguments = {"question": ASKED["question"], "system": typed, "answer_format": "Int"}
            ASK.reply(ToolContext(library), ToolCall(), arguments)
    assert [repr(one) for one in asked] == [repr(systems.get(typed).answering_as("Int"))]


TOOLS: dict[type[BaseModel], tuple[Any, set[str]]] = {
    results.Answered: (responses.AnswerShape, {"next", "notice", "preferred"}),
    results.Hits: (responses.SearchShape, {"next", "notice", "has_more", "preferred"}),
    results.Hit: (responses.PassageShape, set()),
    results.PageHit: (answer_shapes.RankedPageShape, set()),
    results.Quoted: (responses.CitationShape, set()),
    results.CitationFound: (responses.CitedShape, {"next", "notice", "context"}),
    results.FoundAt: (responses.FoundShape, set()),
    results.QuoteCheck: (responses.VerificationShape, {"next", "notice"}),
    results.Listed: (responses.DocumentShape, {"link", "issuer", "kind", "period"}),
}
"""What tools give, the type of which it is a part, and its keys that are the tools' own."""


@pytest.mark.parametrize("tool", TOOLS, ids=lambda one: one.__name__)
def test_what_tools_give_is_a_part_of_what_the_server_gives(tool: type[BaseModel]) -> None:
    kind, own = TOOLS[tool]
    given, whole = _properties(tool), _properties(kind)
    assert {name for name in given if name not in whole} == own
    for name in given.keys() & whole.keys():
        assert _kind(given[name]) == _kind(whole[name]), name


def _properties(kind: Any) -> dict[str, Any]:
    return TypeAdapter[Any](kind).json_schema(mode="serialization")["properties"]


def _kind(schema: dict[str, Any]) -> str:
    """Return what a schema says of a value, but for names, words for people, and what stands behind references."""
    if "$ref" in schema:
        return "object"
    several = cast("list[dict[str, Any]]", schema.get("anyOf") or [])
    of_items = _kind(schema["items"]) if "items" in schema else ""
    return json.dumps([schema.get("type"), schema.get("enum"), of_items, sorted(map(_kind, several))])


@pytest.mark.skipif(shutil.which("node") is None or not WEB.exists(), reason="node or web/ is not there")
def test_the_types_of_the_page_are_what_the_description_gives(tmp_path: Path) -> None:
    shutil.copy(WEB / "types.mjs", tmp_path)
    (tmp_path / "src").mkdir()
    made = tmp_path / "src" / "api-types.ts"
    shutil.copy(WEB / "src" / "api-types.ts", made)
    check = ["node", "types.mjs", "--check"]
    how: dict[str, Any] = {"cwd": tmp_path, "env": {**os.environ, "PYTHON": sys.executable}, "capture_output": True}
    assert subprocess.run(check, check=False, **how).returncode == 0, "run 'npm run build' in web/"
    made.write_text(made.read_text(encoding="utf-8").replace("answerable: boolean", "answerable: string"))
    assert subprocess.run(check, check=False, **how).returncode == 1
