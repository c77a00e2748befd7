"""Tables of answers over HTTP: filled, streamed, corrected, written as files; who may not write changes nothing."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from starlette.testclient import TestClient

import octavo
from serving import events_of, serving

MASS, RINGER = "What is the mass of the bell?", "Who rings the bell?"


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[octavo.Corpus]:
    for name, mass in (("north", 120), ("south", 95)):
        text = f"# Bell of the {name} tower\n\nThe mass of the bell is {mass} kg.\n\nAnn Lee rings the bell.\n"
        (tmp_path / f"{name}.md").write_text(text)
    with octavo.open(tmp_path / "corpus") as opened:
        opened.add([tmp_path / "north.md", tmp_path / "south.md"])
        yield opened


@pytest.fixture
def client(corpus: octavo.Corpus) -> Iterator[TestClient]:
    with serving(corpus) as found:
        yield found


def streamed(client: TestClient, **body: object) -> list[tuple[str, dict]]:  # type: ignore[type-arg]
    return events_of(client.post("/v1/table", json=body, headers={"Accept": "text/event-stream"}).text)


def test_cells_are_told_as_they_are_filled_and_kept(client: TestClient) -> None:
    events = streamed(client, questions=[MASS, RINGER])
    assert [name for name, _ in events] == ["plan", *["cell"] * 4, "done"]
    assert events[0][1]["due"] == 4
    assert {(one["row"], one["column"]) for name, one in events if name == "cell"} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    table = events[-1][1]
    assert [row["document"] for row in table["rows"]] == ["north.md", "south.md"]
    for row, mass in zip(table["rows"], ("120 kg", "95 kg"), strict=True):
        cell = row["cells"][0]
        assert mass in [*cell["citations"], *cell["passages"]][0].get("quote", cell["lead"] + str(cell["passages"]))
    assert [name for name, _ in streamed(client, questions=[MASS, RINGER])] == ["plan", "done"]
    assert client.post("/v1/table", json={"questions": [MASS]}).json()["rows"][0]["cells"][0]
    plan = client.post("/v1/table/plan", json={"questions": [MASS, "Where is it?"]}).json()
    assert (plan["cells"], plan["due"], plan["models"], plan["calls"]) == (4, 2, [], 0)


def test_a_cell_is_corrected_and_the_table_written(client: TestClient) -> None:
    table = client.post("/v1/table", json={"questions": [MASS]}).json()
    north = table["rows"][0]
    place = [*north["cells"][0]["citations"], *north["cells"][0]["passages"]][0]["id"]
    body = {"document": north["document_id"], "question": MASS, "text": "=121 kg", "citation": place}
    cell = client.put("/v1/table/cell", json=body).json()["cell"]
    assert (cell["text"], cell["by"], cell["citations"][0]["id"]) == ("=121 kg", "hand", place)
    file = client.post("/v1/table/file", json={"questions": [MASS], "format": "xlsx"})
    assert 'filename="answers.xlsx"' in file.headers["content-disposition"]
    sheet = openpyxl.load_workbook(io.BytesIO(file.content))["Answers"]
    assert (sheet["B2"].value, sheet["B2"].data_type) == ("=121 kg", "s")
    page = client.post("/v1/table/file", json={"questions": [MASS], "format": "html"})
    assert f"/c/{place}" in page.text
    back = client.put("/v1/table/cell", json={**body, "text": None, "citation": None}).json()["cell"]
    assert back["by"] == "rule"


def test_who_may_not_write_changes_nothing(corpus: octavo.Corpus) -> None:
    with serving(corpus, read_only=True) as client:
        assert [name for name, _ in streamed(client, questions=[MASS])].count("cell") == 2
        assert [name for name, _ in streamed(client, questions=[MASS])] == ["plan", "done"]
        body = {"document": corpus.list()[0].id, "question": MASS, "text": "x"}
        assert client.put("/v1/table/cell", json=body).status_code == 403
    assert corpus.table_filling([MASS]).due == 2
    with serving(corpus, token="") as client:
        assert client.post("/v1/table", json={"questions": [MASS]}).status_code == 401


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"questions": []}, 422),
        ({"questions": [" "]}, 422),
        ({"questions": ["x"] * 201}, 422),
        ({"questions": [MASS], "documents": ["absent.md"]}, 404),
        ({"questions": [MASS], "system": "absent"}, 422),
        ({"questions": [MASS], "other": 1}, 422),
    ],
)
def test_what_is_wrong_is_a_problem(client: TestClient, body: dict[str, object], status: int) -> None:
    found = client.post("/v1/table", json=body, headers={"Accept": "text/event-stream"})
    assert (found.status_code, found.headers["content-type"]) == (status, "application/problem+json")
    assert "/tmp" not in found.text
