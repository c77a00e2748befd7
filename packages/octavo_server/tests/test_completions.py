"""Chat completions, asked by the real `openai` package over a real socket."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import octavo
from octavo.models.language import Request
from octavo.models.scripted import ScriptedModel
from octavo_server.api.completions import ChatBody
from serving import TOKEN, serving

openai = pytest.importorskip("openai", reason="the package openai is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
MASS = "What is the mass of the bell in the north tower?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, mass in (("north", 120), ("south", 95)):
        text = f"# Bell of the {name} tower\n\nThe mass of the bell in the {name} tower is {mass} kg.\n"
        (tmp_path / f"{name}.md").write_text(text)
    with octavo.open(tmp_path / "corpus") as opened:
        opened.add([tmp_path / "north.md", tmp_path / "south.md"])
    return tmp_path / "corpus"


def answering(request: Request) -> str:
    """Answer with the passage that speaks of the mass, and make a question whole."""
    text = request.turns[-1].text
    if request.decision == "complete_question":
        whole = "What is the mass of the bell in the south tower?"
        return json.dumps({"stands_alone": False, "question": whole, "documents": []})
    tower = re.findall(r"(north|south) tower\?", text) or [""]
    passages = re.findall(r"<passage id=(\d+)>\n(.*?)\n</passage>", text, re.DOTALL)
    found = ((int(number), re.findall(rf"The mass of .*{tower[0]}.*?\d+ kg", passage)) for number, passage in passages)
    number, quotes = next((one for one in found if one[1]), (1, []))
    if not quotes:
        return json.dumps({"evidence": [], "answerable": False, "answer": ""})
    value = re.findall(r"\d+ kg", quotes[0])[0]
    return json.dumps({"evidence": [{"id": number, "quote": quotes[0]}], "answerable": True, "answer": value})


@pytest.fixture
def client(folder: Path) -> Iterator[Any]:
    with octavo.open(folder, models=ScriptedModel(answering)) as corpus, serving(corpus, token="") as http:
        yield openai.OpenAI(base_url="http://127.0.0.1:8080/v1", api_key=TOKEN, http_client=http, max_retries=0)


def test_an_answer_has_its_citations_as_annotations(client: Any) -> None:
    found = client.chat.completions.create(model="auto", messages=[{"role": "user", "content": MASS}])
    message = found.choices[0].message
    assert message.content.startswith("120 kg [1]\n\n[1] north.md")
    assert "The mass of the bell in the north tower is 120 kg" in message.content
    cited = message.annotations[0].url_citation
    assert message.content[cited.start_index : cited.end_index] == "[1]"
    assert cited.title.startswith("north.md")
    assert re.fullmatch(r"http://127\.0\.0\.1:8080/c/[\w-]+", cited.url)
    assert found.choices[0].finish_reason == "stop"
    assert found.usage.prompt_tokens > 0
    assert "auto" in [one.id for one in client.models.list()]


def test_an_answer_is_streamed(client: Any) -> None:
    said, annotations, reasons, usage = "", [], [], None
    stream = client.chat.completions.create(
        model="octavo",
        messages=[
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": MASS}]},
        ],
        stream=True,
        stream_options={"include_usage": True},
    )
    for chunk in stream:
        usage = chunk.usage or usage
        for choice in chunk.choices:
            said += choice.delta.content or ""
            annotations += getattr(choice.delta, "annotations", None) or []
            reasons.append(choice.finish_reason)
    assert said.startswith("120 kg [1]\n\n[1] north.md")
    cited = annotations[0]["url_citation"]
    assert said[cited["start_index"] : cited["end_index"]] == "[1]"
    assert reasons[-1] == "stop"
    assert usage is not None


def test_documents_filters_and_the_chat_before_count(client: Any) -> None:
    found = client.chat.completions.create(
        model="hybrid",
        messages=[{"role": "user", "content": "What is the mass of the bell?"}],
        extra_body={"where": "name = south.md"},
    )
    assert found.choices[0].message.content.startswith("95 kg [1]")
    chat = [
        {"role": "user", "content": MASS},
        {"role": "assistant", "content": "120 kg [1]\n\n[1] north.md, part 1: “The mass ...”"},
        {"role": "user", "content": "and in the south tower?"},
    ]
    assert [(turn.question, turn.answer) for turn in ChatBody(messages=chat).past()] == [(MASS, "120 kg")]  # type: ignore[arg-type]
    found = client.chat.completions.create(model="auto", messages=chat)
    assert "south.md" in found.choices[0].message.content


def test_what_is_wrong_is_an_error_of_the_package(client: Any) -> None:
    ask = client.chat.completions.create
    with pytest.raises(openai.UnprocessableEntityError, match="no system called"):
        ask(model="gpt-4o", messages=[{"role": "user", "content": MASS}])
    with pytest.raises(openai.UnprocessableEntityError, match="nothing is asked"):
        ask(model="auto", messages=[{"role": "system", "content": "x"}])
    with pytest.raises(openai.NotFoundError):
        ask(model="auto", messages=[{"role": "user", "content": MASS}], extra_body={"documents": ["absent.md"]})
    with pytest.raises(openai.UnprocessableEntityError, match="did you mean 'name'"):
        ask(model="auto", messages=[{"role": "user", "content": MASS}], extra_body={"where": "nam = a"})
    stream = ask(
        model="auto", messages=[{"role": "user", "content": MASS}], extra_body={"where": "nam = a"}, stream=True
    )
    with pytest.raises(openai.APIError, match="did you mean 'name'"):
        list(stream)
    with pytest.raises(openai.AuthenticationError):
        client.with_options(api_key="wrong").chat.completions.create(
            model="auto", messages=[{"role": "user", "content": MASS}]
        )


def test_without_a_model_passages_are_told(folder: Path) -> None:
    with octavo.open(folder) as corpus, serving(corpus) as http:
        asked = {"model": "auto", "messages": [{"role": "user", "content": "Who rings the bell?"}], "temperature": 0}
        found = http.post("/v1/chat/completions", json=asked).json()
        message = found["choices"][0]["message"]
        assert message["content"]
        assert len(message["annotations"]) == message["content"].count("\n[")
