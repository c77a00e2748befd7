"""A conversation whose documents were removed says so and can go on; it never turns to other documents by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo
from octavo.corpus import Corpus
from octavo.corpus.conversation import Conversation
from octavo.errors import CorpusError
from serving import events_of, serving

ASKED = "How many moorings has the quay?"


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    texts = {"quay.txt": "The quay has nine moorings.", "pier.txt": "The pier has two lamps and five moorings."}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add([tmp_path / name for name in texts])
        yield corpus


@pytest.mark.parametrize("by", ["path", "name", "id", "folder"])
def test_a_scope_that_was_removed_is_told_of_and_others_can_be_named(corpus: Corpus, tmp_path: Path, by: str) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "log.txt").write_text("The quay has nine moorings, says the log.")
    corpus.add(tmp_path / "old")
    [info] = corpus.list("log.txt")
    named = {"path": info.path, "name": "log.txt", "id": info.id, "folder": str(tmp_path / "old")}[by]
    conversation = corpus.conversation(named)
    conversation.ask(ASKED)
    kept = conversation.to_json()
    corpus.remove(info.id)
    for one in (conversation, Conversation.from_json(corpus, kept)):
        with pytest.raises(CorpusError, match="no longer in the corpus: name documents") as caught:
            one.ask("And how many lamps?")
        assert caught.value.reason == "removed"
        assert ("log.txt" in str(caught.value)) == (by != "folder")
        assert len(one.turns) == 1
        answer = one.ask("How many lamps has the pier?", documents="pier.txt")
        assert answer.passages[0].document == "pier.txt"
        assert one.ask("And moorings?").passages[0].document == "pier.txt"


def test_a_part_of_the_scope_that_is_left_does_not_stand_for_all_of_it(corpus: Corpus) -> None:
    conversation = corpus.conversation(["quay.txt", "pier.txt"])
    conversation.ask(ASKED)
    corpus.remove("quay.txt")
    with pytest.raises(CorpusError, match=r"'quay\.txt', which this conversation is about, is no longer"):
        conversation.ask(ASKED)


def test_the_server_says_so_in_a_problem_and_goes_on(corpus: Corpus) -> None:
    ids = {info.name: info.id for info in corpus.list()}
    with serving(corpus) as client:
        first = {"question": ASKED, "conversation": "new", "documents": [ids["pier.txt"]]}
        begun = client.post("/v1/ask", json=first).json()
        talk = {"conversation": begun["conversation"]}
        client.post("/v1/ask", json={**talk, "question": ASKED, "documents": [ids["quay.txt"]]})
        client.delete(f"/v1/documents/{ids['quay.txt']}")
        refused = client.post("/v1/ask", json={**talk, "question": "And lamps?"})
        assert (refused.status_code, refused.json()["reason"]) == (410, "removed")
        assert "no longer in the corpus" in refused.json()["detail"]
        streamed = client.post(
            "/v1/ask", json={**talk, "question": "And lamps?"}, headers={"Accept": "text/event-stream"}
        )
        assert events_of(streamed.text)[-1] == ("error", refused.json())
        gone_on = client.post("/v1/ask", json={**talk, "question": "How many lamps?", "documents": ["*"]})
        assert gone_on.json()["passages"][0]["document"] == "pier.txt"
        assert len(client.get(f"/v1/conversations/{begun['conversation']}").json()["turns"]) == 2
