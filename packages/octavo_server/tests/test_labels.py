"""What an answer is called is told by its words: quoted only where they stand in a quote, whoever decided."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from octavo.corpus import Corpus
from octavo.corpus.judges import ModelConfig
from octavo.evidence.labels import labels_of
from octavo.models.language import Request
from octavo.models.scripted import ScriptedModel
from serving import events_of, serving

QUOTE = "Swell height, m | 0.8 | 1.2 | none"


def made(answer: str, quote: str, **more: Any) -> dict[str, Any]:
    """Return an answer as it is kept."""
    cited = {"quote": quote, "kind": more.pop("kind", "paragraph")}
    return {"outcome": "answer", "answer": answer, "value": answer, "citations": [cited], "decided_by": {}, **more}


@pytest.mark.parametrize(
    ("answer", "quote"),
    [
        ("1.2", QUOTE),
        ("The valve is turned off.", "First:\nThe valve is\n turned off. Then wait."),
        ("320 dollars", "The fee is 320¹ dollars a year."),
        ("twelve", "It lasts twelve months."),
        ("(312) thousand", "It was (312) thousand euros."),
        ("Übernahme", "die Übernahme, 2021"),
        ("東京", "首都は東京です"),
    ],
)
def test_words_that_stand_in_the_quote_are_quoted_whoever_chose_them(answer: str, quote: str) -> None:
    for decided in ({"rule": 2}, {"model": 1}, {"cache": 1}):
        found = labels_of(made(answer, quote, decided_by=decided))
        assert (found["answer_is_quoted"], found["answer_label"]) == (True, "quoted from the text")
    assert labels_of(made(answer, quote, kind="table"))["answer_label"] == "read from a table"


@pytest.mark.parametrize(
    ("answer", "quote"),
    [
        ("2", QUOTE),
        ("0.8 m", "It is 10.8 m wide."),
        ("159", "A loss of −159 million."),
        ("one", "None of them."),
        ("Only trained staff may use the boat.", "The boat is used by staff with training only."),
        ("", QUOTE),
    ],
)
@pytest.mark.parametrize("decided", [{"model": 1}, {"cache": 3, "rule": 1}, {"rule": 2}])
def test_words_that_stand_nowhere_are_never_called_quoted(answer: str, quote: str, decided: dict[str, int]) -> None:
    found = labels_of(made(answer, quote, decided_by=decided))
    assert not found["answer_is_quoted"]
    assert "quoted from" not in found["answer_label"]
    assert found["answer_label"].startswith("written by a model" if set(decided) != {"rule"} else "worked out")


def test_a_number_with_the_unit_of_its_column_is_read_not_quoted() -> None:
    found = labels_of(made("1.2 m", QUOTE, kind="table", decided_by={"rule": 1}))
    assert found == {"answer_is_quoted": False, "answer_label": "read from a table"}


def test_the_items_of_a_list_are_quoted_each_by_itself() -> None:
    value = ["Ann Lee", "Bo Ek"]
    quote = "The keepers are Bo Ek, since May, and Ann Lee."
    assert labels_of(made("Ann Lee, Bo Ek", quote, value=value))["answer_is_quoted"]
    assert not labels_of(made("Ann Lee and not Bo Ek", quote, value=value))["answer_is_quoted"]


def test_what_was_seen_in_pictures_is_called_so_and_no_answer_has_no_label() -> None:
    seen = labels_of(made("a gull", "Figure 3", is_seen=True, decided_by={"model": 1}))
    assert seen["answer_label"] == "read off a picture by a model"
    assert labels_of({"outcome": "passages", "answer": "No sure"}) == {"answer_is_quoted": False, "answer_label": ""}


SAID = "Only people who are trained may take it."
STANDS = "The boat is used by staff with training"


def in_own_words(request: Request) -> str:
    """Answer in other words than the passage that speaks of training."""
    passages = re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", request.turns[-1].text, re.DOTALL)
    number = next((int(number) for number, text in passages if "training" in text), 1)
    return json.dumps({"evidence": [{"id": number, "quote": STANDS}], "answerable": True, "answer": SAID})


def test_prose_from_the_journal_is_the_models_on_every_way_out(tmp_path: Path) -> None:
    (tmp_path / "boat.txt").write_text(f"{STANDS}. Nobody else may take it out to the outer skerries.\n")
    models = ModelConfig({"language": ScriptedModel(in_own_words)})
    label = (False, "written by a model, quotes checked")
    asked: dict[str, Any] = {"question": "Who may use the boat?", "conversation": "new"}
    with Corpus(tmp_path / "corpus", models=models) as corpus, serving(corpus) as client:
        corpus.add(tmp_path / "boat.txt")
        first, again = (client.post("/v1/ask", json=asked).json() for _ in range(2))
        assert (first["decided_by"], again["decided_by"]) == ({"model": 1}, {"cache": 1})
        kept = client.get(f"/v1/answers/{again['id']}").json()
        turn = client.get(f"/v1/conversations/{again['conversation']}").json()["turns"][0]
        for one in (first, again, kept, turn):
            assert (one["answer_is_quoted"], one["answer_label"]) == label
        page = client.get(again["link"], headers={"accept": "text/html"}).text
        assert label[1] in page
        assert "quoted from" not in page
        streamed = client.post("/v1/ask", json=asked, headers={"accept": "text/event-stream"}).text
        told = dict(events_of(streamed))
        assert told["answer"]["answer_label"] == told["done"]["answer_label"] == label[1]
        assert not any("cache" in step for step in again["steps"])


def test_sentences_without_a_quote_are_told_on_every_way_out(tmp_path: Path) -> None:
    (tmp_path / "boat.txt").write_text(f"{STANDS}. Nobody else may take it out to the outer skerries.\n")
    said = "Staff with training use the boat. Otters sleep."
    reply = json.dumps({"evidence": [{"id": 1, "quote": STANDS}], "answerable": True, "answer": said})
    models = ModelConfig({"language": ScriptedModel(lambda _: reply)})
    with Corpus(tmp_path / "corpus", models=models) as corpus, serving(corpus) as client:
        corpus.add(tmp_path / "boat.txt")
        given = client.post("/v1/ask", json={"question": "Who may use the boat?"}).json()
        kept = client.get(f"/v1/answers/{given['id']}").json()
        for one in (given, kept):
            assert {said[claim["start"] : claim["stop"]]: claim["citations"] for claim in one["claims"]} == {
                "Staff with training use the boat.": [1],
                "Otters sleep.": [],
            }
        page = client.get(given["link"], headers={"accept": "text/html"}).text
        assert "No quote stands behind: “Otters sleep.”" in page
