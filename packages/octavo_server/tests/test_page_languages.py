"""The page and what the server says to people are in the language of the browser, or in the one that was chosen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import octavo
from octavo_documents.wording import CATALOGUES
from serving import serving

PAGE = {"accept": "text/html"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("languages")
    (folder / "fähre.md").write_text("# Fähre\n\nEine Überfahrt kostet für Erwachsene 4,50 Euro.\n")
    with octavo.open(folder / "library") as corpus:
        corpus.add(folder / "fähre.md")
        with serving(corpus) as opened:
            yield opened


def words_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="octavo-words">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize(
    ("accepted", "chosen", "code", "heading"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "", "de", "Bibliothek"),
        ("zh-CN", "", "zh", "文库"),
        ("it", "", "en", "Library"),
        ("de", "fr", "fr", "Bibliothèque"),
        ("de", "en", "en", "Library"),
        ("es", "xx", "es", "Biblioteca"),
        ("", "", "en", "Library"),
    ],
)
def test_the_page_is_in_the_language_of_the_browser_or_the_chosen_one(
    client: TestClient, accepted: str, chosen: str, code: str, heading: str
) -> None:
    cookie = f"language={chosen}" if chosen else ""
    page = client.get("/", headers={**PAGE, "accept-language": accepted, "cookie": cookie}).text
    assert f'<html lang="{code}"' in page and f'<h1 class="bar-name">{heading}</h1>' in page
    words = words_of(page)
    assert {*words["languages"]} == {"en", *CATALOGUES}
    assert len(words["unsure"]) == len(CATALOGUES) + 1
    assert ("texts" in words) == (code != "en")


def test_a_problem_keeps_its_code_and_is_told_in_the_language_asked_for(client: TestClient) -> None:
    def problem(accepted: str) -> dict[str, Any]:
        return client.get("/v1/answers/none", headers={"accept-language": accepted}).json()

    english, german = problem(""), problem("de")
    assert english["detail"].startswith("there is no such answer here")
    assert german["detail"].startswith("diese Antwort gibt es hier nicht")
    assert {**german, "detail": ""} == {**english, "detail": ""}


def test_an_answer_speaks_the_language_of_its_question(client: TestClient) -> None:
    def lead(question: str, accepted: str) -> str:
        asked = client.post("/v1/ask", json={"question": question}, headers={"accept-language": accepted})
        return asked.json()["lead"]

    assert lead("Was kostet eine Überfahrt für Erwachsene?", "en").startswith("Gefunden in ")
    assert lead("What does a crossing cost?", "de").split()[0].isascii()
    assert "Fähre" in lead("Überfahrt", "fr") and "il est dit" in lead("Überfahrt", "fr")


def test_a_language_is_a_file_and_a_row_for_the_page_too(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"Library": "Biblioteka", "{n} documents": {"one": "{n} dokument", "other": "{n} dokumentów"}}
    polish = {"name": "Polski", "thousands": "\u00a0", "plurals": {"one": "n = 1"}, "page": texts, "said": {}}
    (tmp_path / "pl.json").write_text(json.dumps(polish), encoding="utf-8")
    monkeypatch.setitem(CATALOGUES, "pl", tmp_path / "pl.json")
    page = client.get("/", headers={**PAGE, "accept-language": "pl"}).text
    assert '<html lang="pl"' in page and "Biblioteka" in page and "1 dokument," in page
    assert words_of(page)["texts"] == texts and words_of(page)["languages"]["pl"] == "Polski"
